#!/usr/bin/env bash
# Commands over an engine without a gradient, and with a heuristic one (graded_engine.c).
source "$(dirname "$0")/cli_lib.sh"

small=(--set 'output={report=false; trajectory=false;}')
free=(--set optimizer.name=LN_SBPLX --set optimizer.max_evaluations=6)
given=(--set optimizer.name=gradient_descent --set optimizer.max_evaluations=3)

# --- none, whether the engine says so or only lacks the sweep
for grade in none missing; do
  export CQ_TEST_GRADIENT=$grade
  expect 1 "$cqopt" gradcheck bounce --output "check-$grade"
  error_says 'bounce has no gradient to check'
  [ ! -e "check-$grade" ] || fail "$grade: a folder of nothing"
  expect 1 "$cqopt" solve bounce --output "refused-$grade"
  error_says 'needs a gradient and this problem has none; use one of LN_'
  expect 1 "$cqopt" compare bounce --with LN_SBPLX,LD_MMA --budget 4 --output "pair-$grade"
  error_says 'LD_MMA needs a gradient and this problem has none'

  expect 3 "$cqopt" solve bounce --output "$grade" "${free[@]}" "${small[@]}" \
    --set output.adjoint=true
  grep -q '^Measured .*KKT residual not known, gradient none' out || fail "$(cat out)"
  grep -q '^  gradient: none' out || fail "$grade: the header: $(cat out)"
  grep -q 'without a gradient nothing can be verified' out || fail "$(cat out)"
  grep -q 'no adjoint.csv: simulation.engine = "mpm" has no gradient' "$grade/log.txt" ||
    fail "$grade: $(cat "$grade/log.txt")"
  [ ! -e "$grade/adjoint.csv" ] || fail "$grade: adjoint.csv"
  [ "$(member "$grade" gradient)" = none ] || fail "$grade is '$(member "$grade" gradient)'"
  [ "$(member "$grade" backward_sweeps)" = 0 ] || fail "$grade: sweeps"
  ! grep -q '"gradient_growth' "$grade/run.json" || fail "$grade: a growth of nothing"
done
expect 0 "$cqopt" show none
grep -q '^  gradient  *none' out || fail "$(cat out)"
expect 0 "$cqopt" simulate bounce --output simulated --set output.adjoint=true \
  --set output.report=false
grep -q 'no adjoint.csv' simulated/log.txt && [ ! -e simulated/adjoint.csv ] || fail "simulate"
expect 0 "$cqopt" compare bounce --with LN_SBPLX --budget 4 --seeds 1 --output compared
! grep -q 'gradient costs' out || fail "a cost of nothing: $(cat out)"

# --- heuristic: never verified, and said so
export CQ_TEST_GRADIENT=heuristic
expect 3 "$cqopt" solve bounce --output heuristic "${given[@]}" --set output.trajectory=false
tr -s "\n " " " < out | grep -q "KKT residual [0-9.e-]* [^,]*, gradient heuristic" || fail "$(cat out)"
grep -q 'a heuristic gradient proves nothing' out || fail "$(cat out)"
[ "$(member heuristic gradient)" = heuristic ] || fail "$(member heuristic gradient)"
grep -q '"gradient": *"heuristic"' heuristic/report.html || fail "the page does not say it"
expect 1 "$cqopt" solve bounce --output refused --set optimizer.name=LD_MMA
error_says 'needs an exact gradient and this problem.s is heuristic'
expect 0 "$cqopt" compare bounce --with gradient_descent --budget 4 --seeds 1 --output costs
grep -q '^A value with its heuristic gradient costs' out || fail "$(cat out)"
expect 0 "$cqopt" gradcheck bounce
grep -q '^Gradient  heuristic: .* not expected to pass' out || fail "$(head -n 30 out)"

# --- exact: said where a word costs nothing, and nowhere else
export CQ_TEST_GRADIENT=exact
expect 3 "$cqopt" solve bounce --output exact "${given[@]}" "${small[@]}"
! grep -q 'gradient exact\|gradient: ' out || fail "$(cat out)"
[ "$(member exact gradient)" = exact ] || fail "$(member exact gradient)"
expect 0 "$cqopt" gradcheck bounce
grep -q '^Gradient  exact$' out || fail "$(head -n 30 out)"
finish
