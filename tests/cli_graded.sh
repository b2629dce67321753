#!/usr/bin/env bash
# Commands over gradients of every grade: what is said of them, and what they may prove.
springs=$(readlink -f "$(dirname "$0")")/engines/spring/scene/conformance.cfg
source "$(dirname "$0")/cli_lib.sh"

cat > spring.cfg << 'END'
simulation: { engine = "spring"; dimension = 2; high_corner = [1.15, 1.15]; reach = 0.075; time_step = 2e-3; steps = 40;
  gravity = [0, -2]; };
materials: ( { name = "soft"; youngs_modulus = 40; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.15, 0.15]; spacing = 0.05; spin = 3; } );
design: ( { variable = "initial_velocity"; body = "A"; lower = -8; upper = 8; start = [0.5, 2]; } );
objective: ( { term = "distance"; body = "A"; target = [0.45, 0.4]; },
             { term = "mean_square_velocity"; weight = 1e-3; when = "running"; } );
optimizer: { name = "LD_SLSQP"; max_evaluations = 40; };
output: { report = false; trajectory = false; };
END
graded() { # COMMAND WORD ARGUMENT...
  "$cqopt" "$1" spring.cfg --set simulation.gradient="$2" "${@:3}"
}
says() {
  tr -s '\n ' ' ' < out | grep -q -e "$1" || fail "'$1' is not in: $(cat out)"
}

# --- a word that the engine does not have: where it is, and which there are
cp spring.cfg wrong.cfg
sed -i 's/engine = "spring";/& gradient = "local";/' wrong.cfg
expect 1 "$cqopt" show wrong.cfg
error_says 'wrong.cfg:1: simulation.gradient: the engine "spring" has no gradient "local"; it has "exact", "tangent", "straight", "none", "difference"'
expect 1 "$cqopt" show bounce --set simulation.gradient=tangent
error_says 'the engine "mpm" has no gradient "tangent"; it has "exact", "none", "difference"'
expect 1 "$cqopt" show bounce --set simulation.difference_step=1e-4
error_says 'only with gradient = "difference"'

# --- none: refused where one is needed, and nothing is verified
expect 1 graded gradcheck none --output check
error_says 'spring has no gradient; simulation.gradient chooses'
[ ! -e check ] || fail "a folder of nothing"
expect 1 graded evaluate none --gradient
error_says 'spring has no gradient; simulation.gradient chooses'
expect 0 graded evaluate none
grep -q '^  "gradient": "none"' out || fail "evaluate does not say that there is no gradient: $(head -n 3 out)"
expect 1 graded solve none --output refused
error_says 'needs a gradient and this problem has none; use one of LN_'
expect 3 graded solve none --output none --set optimizer.name=LN_SBPLX --set optimizer.max_evaluations=6 \
  --set output.adjoint=true
grep -q '^Measured .*KKT residual not known, gradient none' out || fail "$(cat out)"
grep -q '^  gradient: none' out || fail "the header: $(cat out)"
says 'without a gradient nothing can be verified'
grep -q 'no adjoint.csv: .*simulation.gradient = "none"' none/log.txt || fail "$(cat none/log.txt)"
[ ! -e none/adjoint.csv ] || fail "adjoint.csv"
[ "$(member none gradient)" = none ] || fail "none is '$(member none gradient)'"
! grep -q '"gradient_growth' none/run.json || fail "a growth of nothing"
expect 0 "$cqopt" show none
grep -q '^  gradient  *none' out || fail "$(cat out)"
expect 1 graded compare none --with LN_SBPLX,LD_MMA --budget 4 --output pair
error_says 'LD_MMA needs a gradient and this problem has none'
expect 0 graded compare none --with LN_SBPLX --budget 4 --seeds 1 --output compared
! grep -q 'gradient costs' out || fail "a cost of nothing: $(cat out)"

# --- heuristic: never verified, and said so, whether the engine says it or the step is wide
wide=(--set simulation.difference_step=0.01)
for word in straight difference; do
  extra=() run=heuristic_$word
  [ $word = straight ] || extra=("${wide[@]}")
  expect 1 graded solve $word "${extra[@]}" --output refused
  error_says "needs an exact gradient and this problem.s is heuristic"
  expect 3 graded solve $word "${extra[@]}" --output "$run" --set optimizer.allow_heuristic=true \
    --set output.report=true
  says 'KKT residual [0-9.e-]* [^,]*, gradient heuristic'
  says 'a heuristic gradient proves nothing'
  [ "$(member $run gradient)" = heuristic ] || fail "$(member $run gradient)"
  grep -q '"gradient": *"heuristic"' $run/report.html || fail "the page does not say it"
  expect 1 graded solve $word "${extra[@]}" --output refused --set optimizer.allow_heuristic=true \
    --set optimizer.gradient_tolerance=1e-3
done
code=0
"$cqopt" gradcheck "$springs" --set simulation.gradient=straight > out 2>&1 || code=$?
grep -q '^Gradient  heuristic: .* not expected to pass' out || fail "$(head -n 30 out)"
[ $code -eq 7 ] || fail "a heuristic passes: $code"
expect 0 graded compare straight --with gradient_descent --budget 4 --seeds 1 --output costs
grep -q '^A value with its heuristic gradient costs' out || fail "$(cat out)"

# --- exact and tangent: the same optimum, said where a word costs nothing and nowhere else
expect 0 graded solve exact --output exact
! grep -q 'gradient exact\|gradient: ' out || fail "$(cat out)"
expect 0 graded solve tangent --output tangent
says 'KKT residual [0-9.e-]* (<= 0.0001), gradient tangent'
says 'verified optimum: '
expect 0 graded gradcheck tangent
grep -q '^Gradient  tangent$' out || fail "$(head -n 30 out)"

# --- differences: verified to 1e-3, and said; 2 runs a variable, and a run of the value
expect 0 graded solve difference --output difference
says 'KKT residual [0-9.e-]* (<= 0.001), gradient difference'
says 'verified optimum by differences: KKT residual'
says 'and the gradient needs none to be stored'
[ "$(member difference gradient)" = difference ] || fail "$(member difference gradient)"
gradients=$(member difference gradients) values=$(($(member difference forward_runs) - 4 * gradients))
[ $values -ge "$(member difference evaluations)" ] && [ $values -le $((gradients + $(member difference evaluations))) ] ||
  fail "$values simulations beside those of $gradients gradients"
for word in tangent difference; do
  awk -v a="$(member exact f)" -v b="$(member $word f)" \
    'BEGIN { exit !(a - b < 1e-6 * a && b - a < 1e-6 * a) }' || fail "$word: another optimum"
done
expect 0 graded gradcheck difference
grep -q '^Gradient  difference: .*steps' out || fail "$(head -n 30 out)"
# threads change no bit
for threads in 1 3; do
  expect 0 graded solve difference --output "by_$threads" --threads "$threads"
done
cmp by_1/evals.bin by_3/evals.bin || fail "threads change bits"

# --- all of them against each other, in parts of the run: what is exact agrees, a shortcut does not
sed 's/"initial_velocity"; body = "A"; lower = -8; upper = 8; start = \[0.5, 2\]/"spin"; body = "A"; lower = -8; upper = 8; start = 3.0/' \
  spring.cfg > spun.cfg
expect 0 "$cqopt" gradcheck spun.cfg --grades --set simulation.gradient=difference --set simulation.difference_step=1e-6
says 'difference difference, steps of 1e-06 of what a variable may change by'
[ "$(grep -c '^First [0-9]* of 40 steps' out)" -eq 4 ] || fail "horizons: $(cat out)"
for gradient in exact tangent difference; do
  awk -v word=$gradient '$1 == word && $3 ~ /^[0-9.]+$/ { n++; bad += $3 < 0.999999 || $4 < 0.99999 || $4 > 1.00001 }
    END { exit !(n == 4 && bad == 0) }' out || fail "$gradient is not exact: $(cat out)"
done
awk '$1 == "straight" && $3 ~ /^-?[0-9.]+$/ { ratio = $4 } END { exit !(ratio > 0 && (ratio < 0.9999 || ratio > 1.0001)) }' out ||
  fail "straight is exact: $(cat out)"
if grep -q Outgrown out; then
  fail "a gradient is called too long: $(cat out)"
fi
finish
