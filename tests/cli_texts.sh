#!/usr/bin/env bash
# help, list, show, --version, gradcheck and simulate.
source "$(dirname "$0")/cli_lib.sh"

expect 0 "$cqopt" help
for command in solve simulate gradcheck evaluate new list show render bench help; do
  grep -q "^  $command " out || fail "help does not name $command"
  "$cqopt" help "$command" > /dev/null || fail "no help on $command"
  "$cqopt" "$command" --help | grep -q "^cqopt $command" || fail "no $command --help"
done
expect 0 "$cqopt" --version
expect 0 "$cqopt" help schema
grep -q max_evaluations out || fail "the schema has no max_evaluations"
expect 0 "$cqopt" help schema boundaries
grep -q layers_low out && grep -q normal out || fail "help schema boundaries lacks one of its two sections"
! grep -q max_evaluations out || fail "help schema boundaries has other sections"
expect 0 "$cqopt" help schema constraints
grep -q '  equals ' out || fail "help schema constraints has no keys"
expect 0 "$cqopt" help algorithms
grep -q '^LD_SLSQP$' out || fail "no LD_SLSQP among the algorithms"
for fact in what gradient takes variables when beware; do
  grep -q "^  $fact  " out || fail "help algorithms does not say: $fact"
done
[ "$(wc -L < out)" -le 80 ] || fail "help algorithms has lines of $(wc -L < out) columns"
"$cqopt" list optimizers > listed
[ "$(wc -l < listed)" -le 60 ] || fail "list optimizers has $(wc -l < listed) lines"
while read -r name; do
  grep -qx "$name" out || fail "help algorithms does not describe $name"
done < <(cut -d' ' -f1 listed)
rm listed
expect 0 "$cqopt" list
grep -q '^velocity_2d  *2D  *6400 particles x  *1023 steps  *2 variables .* s  initial velocity of' out ||
  fail "list says of velocity_2d: $(grep velocity_2d out)"
expect 0 "$cqopt" show velocity_2d
grep -q 'simulation' out || fail "show does not print the problem"
[ "$(ls)" = "$(printf 'err\nout')" ] || fail "a reading command left files: $(ls)"

# a copy of a built-in problem is the same problem, comments and all
expect 0 "$cqopt" new bounce
expect 0 "$cqopt" new bounce mine.cfg
cmp bounce.cfg mine.cfg || fail "two copies differ"
grep -q '^# bounce: ' mine.cfg || fail "the comments are lost"
described() {
  "$cqopt" show "$1" --set 'simulation.memory="16 MiB"' | tail -n 5
}
[ "$(described mine.cfg)" = "$(described bounce)" ] || fail "the copy is another problem"
rm bounce.cfg mine.cfg

expect 0 "$cqopt" gradcheck bounce
grep -q ': 1 of 1 gradient agrees with differences to ' out || fail "no verdict of gradcheck: $(tail -n 1 out)"
expect 7 "$cqopt" gradcheck bounce --tolerance 1e-30 --output checked
[ "$(member checked status)" = VERIFICATION ] || fail "gradcheck: $(member checked status)"

expect 0 "$cqopt" simulate bounce --frames 4 --output motion
for file in problem.cfg run.json observations.csv particles.csv log.txt; do
  has_file "motion/$file"
done
[ "$(awk -F, 'NR > 1 { print $1 }' motion/particles.csv | uniq | wc -l)" -eq 5 ] ||
  fail "not 5 frames in particles.csv"
expect 0 "$cqopt" simulate bounce --output a_name_that_is_too_long_for_a_list_of_files_behind_it
[ "$(sed -n '/^Objective/,$p' out | wc -L)" -le 80 ] || fail "simulate has lines of $(wc -L < out) columns: $(cat out)"
if command -v gnuplot > /dev/null; then
  has_file motion/particles.svg
fi
finish
