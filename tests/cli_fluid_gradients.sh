#!/usr/bin/env bash
# bottle_flip by gradients that are no derivatives: they lead far down, and prove nothing.
source "$(dirname "$0")/cli_lib.sh"

for gradient in rigid local; do
  expect 3 "$cqopt" solve bottle_flip --output $gradient --threads 2 --progress none \
    --set simulation.gradient=$gradient --set optimizer.name=adam --set optimizer.learning_rate=0.5 \
    --set optimizer.max_evaluations=6 --set optimizer.target=1e-9 \
    --set output.report=false --set output.trajectory=false
  grep -q 'a heuristic gradient proves nothing' out || fail "$gradient: $(tail -n 5 out)"
  grep -q '"gradient": "heuristic"' $gradient/run.json || fail "$gradient is not called a heuristic"
  grep -q '"gradient_cost": 2,' $gradient/run.json || fail "$gradient is not cheap"
  if grep -qi 'verified optimum' out $gradient/run.json; then
    fail "$gradient is called verified"
  fi
  # from 1.14
  awk -F, 'NR > 1 && (best == "" || $4 < best) { best = $4 } END { exit !(best < 0.5) }' \
    $gradient/history.csv || fail "$gradient: $(cut -d, -f4 $gradient/history.csv | tr '\n' ' ')"
done

# methods that search along a gradient want an exact one
expect 1 "$cqopt" solve bottle_flip --output refused --set simulation.gradient=rigid \
  --set optimizer.name=LD_SLSQP
error_says 'needs an exact gradient and this problem.s is heuristic'
expect 1 "$cqopt" solve bottle_flip --output refused --set simulation.gradient=exact
error_says 'it has "difference", "local", "rigid"'
finish
