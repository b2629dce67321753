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
expect 1 "$cqopt" solve bottle_flip --output refused --set simulation.gradient=best
error_says 'it has "difference", "exact", "tangent", "rigid", "local", "complete", "complete_published"'

# exact ones need steps that are all alike
for wrong in tolerance=1e-3 divergence_tolerance=1e-3 cfl=0.3 warm_start=true; do
  expect 1 "$cqopt" show bottle_flip --set simulation.gradient=exact --set simulation.$wrong
  error_says "simulation.${wrong%=*}: .*gradient = \"exact\""
done

# a pool that is thrown about for some steps: all gradients against each other
cat > pool.cfg << 'END'
simulation: { engine = "fluid"; size = [0.6, 0.6]; radius = 0.0125; time_step = 1e-3; steps = 480;
  gravity = [0, -9.81]; tolerance = 0; sweeps = 5; divergence_tolerance = 0; divergence_sweeps = 1; };
materials: ( { name = "water"; density = 1000; viscosity = 0; }, { name = "wood"; model = "rigid"; density = 500; } );
bodies: ( { name = "pool"; material = "water"; shape = "box"; low = [0, 0]; size = [0.6, 0.2]; velocity = [0.1, 0.05]; },
          { name = "box"; material = "wood"; shape = "box"; low = [0.2, 0.25]; size = [0.15, 0.125]; velocity = [0.5, -2]; } );
design: ( { variable = "initial_velocity"; body = "box"; lower = [-2, -3]; upper = [2, 0]; }, { variable = "spin"; body = "box"; lower = -9; upper = 9; start = 1.0; } );
objective: ( { term = "distance"; body = "box"; target = [0.35, 0.3]; } );
optimizer: { name = "LD_LBFGS"; max_evaluations = 3; verify_refined = false; };
output: { report = false; trajectory = false; };
END
expect 0 "$cqopt" gradcheck pool.cfg --grades --set simulation.gradient=difference --set simulation.difference_step=1e-7
awk '$1 == "tangent" && NF >= 4 { n++; bad += $3 < 0.9999999 || $4 < 0.9999999 || $4 > 1.0000001 }
  END { exit !(n == 4 && bad == 0) }' out || fail "tangent and exact differ: $(cat out)"
grep -q '^Outgrown  over the whole run "exact" is .* take simulation.gradient = "rigid", or a run of at most' out ||
  fail "a chaotic gradient is called useful: $(cat out)"
# the summary says the same, and nothing is verified
for gradient in exact tangent; do
  code=0
  "$cqopt" solve pool.cfg --output thin_$gradient --set simulation.gradient=$gradient > out 2> err || code=$?
  [ $code -ne 0 ] || fail "$gradient: a chaotic run is verified: $(tail -n 5 out)"
  grep -q "the gradient \"$gradient\" is .* times as long as \"rigid\".* take simulation.gradient = \"rigid\"" err ||
    fail "$gradient: no warning: $(cat err)"
  grep -q '"gradient_to_heuristic"' thin_$gradient/run.json || fail "$gradient: run.json has no ratio"
done
finish
