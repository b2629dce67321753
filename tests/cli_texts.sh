#!/usr/bin/env bash
# help, list, show, --version, gradcheck and simulate.
source "$(dirname "$0")/cli_lib.sh"

expect 0 "$cqopt" help
for command in solve simulate gradcheck list show bench help; do
  grep -q "^  $command " out || fail "help does not name $command"
  "$cqopt" help "$command" > /dev/null || fail "no help on $command"
  "$cqopt" "$command" --help | grep -q "^cqopt $command" || fail "no $command --help"
done
expect 0 "$cqopt" --version
expect 0 "$cqopt" help schema
grep -q max_evaluations out || fail "the schema has no max_evaluations"
expect 0 "$cqopt" help algorithms
grep -q '^LD_SLSQP$' out || fail "no LD_SLSQP among the algorithms"
for fact in what gradient takes variables when beware; do
  grep -q "^  $fact  " out || fail "help algorithms does not say: $fact"
done
[ "$(wc -L < out)" -le 80 ] || fail "help algorithms has lines of $(wc -L < out) columns"
"$cqopt" list optimizers > listed
[ "$(wc -l < listed)" -le 40 ] || fail "list optimizers has $(wc -l < listed) lines"
cut -d' ' -f1 listed | while read -r name; do
  grep -qx "$name" out || fail "help algorithms does not describe $name"
done
rm listed
expect 0 "$cqopt" list
grep -q '^velocity_2d ' out || fail "list does not name velocity_2d"
expect 0 "$cqopt" show velocity_2d
grep -q 'simulation' out || fail "show does not print the problem"
[ "$(ls)" = "$(printf 'err\nout')" ] || fail "a reading command left files: $(ls)"

expect 0 "$cqopt" gradcheck bounce
grep -q 'agree with differences' out || fail "no verdict of gradcheck"
expect 7 "$cqopt" gradcheck bounce --tolerance 1e-30 --output checked
[ "$(member checked status)" = VERIFICATION ] || fail "gradcheck: $(member checked status)"

expect 0 "$cqopt" simulate bounce --frames 4 --output motion
for file in problem.cfg run.json observations.csv particles.csv log.txt; do
  has_file "motion/$file"
done
[ "$(awk -F, 'NR > 1 { print $1 }' motion/particles.csv | uniq | wc -l)" -eq 5 ] ||
  fail "not 5 frames in particles.csv"
if command -v gnuplot > /dev/null; then
  has_file motion/particles.svg
fi
finish
