#!/usr/bin/env bash
# A solve leaves a complete run folder, and the same bits whatever the threads and the memory.
source "$(dirname "$0")/cli_lib.sh"

# the first 20 steps of the scene
solve=("$cqopt" solve velocity_2d --set simulation.steps=20 --set optimizer.max_evaluations=2)

expect 3 "${solve[@]}" --threads 1 --output one
if grep -q $'\r\|\033' out; then
  fail "carriage returns or escapes in the output of a pipe"
fi
grep -q '^ *1 .*e[+-]' out || fail "no line for the first evaluation"
grep -q '^Outcome ' out || fail "no outcome"
for file in problem.cfg run.json history.csv evals.bin design.csv log.txt; do
  has_file "one/$file"
done
if command -v gnuplot > /dev/null; then
  has_file one/convergence.svg
fi
[ "$(member one status)" = BUDGET ] || fail "status $(member one status)"
[ "$(member one exit_code)" = 3 ] || fail "exit code $(member one exit_code)"
[ "$(member one evaluations)" = 2 ] || fail "evaluations $(member one evaluations)"
for name in version build_id compiler simd seed threads cpu started ended f violation; do
  [ -n "$(member one $name)" ] || fail "run.json has no $name"
done
[ -z "$(find one -name '*.tmp')" ] || fail "left: $(find one -name '*.tmp')"

head -n 1 one/history.csv |
  grep -Eq '^eval,kind,x_hash,f,(.*,)?violation,status,refinement,gradient_norm,([a-z]*_seconds,)*[a-z]*_seconds$' ||
  fail "columns of history.csv: $(head -n 1 one/history.csv)"
awk -F, 'NR == 1 { n = NF } NF != n || NR > 1 && ($2 !~ /^fg?$/ || $3 !~ /^[0-9a-f]+$/) { exit 1 }
         END { exit NR < 3 }' one/history.csv || fail "rows of history.csv"
[ "$(tail -n 1 one/history.csv | cut -d, -f1)" = 2 ] || fail "not two evaluations in history.csv"
[ "$(head -n 1 one/design.csv)" = "name,unit,best,start,lower,upper,last" ] ||
  fail "columns of design.csv"

# the file that is left is the problem that was solved
expect 3 "$cqopt" solve one/problem.cfg --threads 2 --output again --quiet
[ "$(wc -l < out)" -eq 1 ] || fail "--quiet prints more than the outcome"
diff <(history one) <(history again) || fail "problem.cfg does not give the same run"
expect 3 "${solve[@]}" --threads 2 --set simulation.memory="3 MiB" --output little
diff <(history one) <(history little) || fail "history depends on threads or memory"

# without --output a new folder each time
expect 3 "${solve[@]}" --quiet
expect 3 "${solve[@]}" --quiet
[ "$(find results/velocity_2d -mindepth 1 -maxdepth 1 | wc -l)" -eq 2 ] || fail "not two folders"

# a finished run can be summed up, and is not changed by that
before=$(cat one/* | cksum)
expect 0 "$cqopt" show one
grep -q 'BUDGET' out || fail "show does not say the status"
[ "$before" = "$(cat one/* | cksum)" ] || fail "show changed the run folder"

# a torn last row is left out, and said
cp -r one torn
printf '3,fg,0123' >> torn/history.csv
expect 0 "$cqopt" show torn
grep -q '2 rows.*torn' out || fail "show does not see the torn row: $(grep history out)"

# no room for the results
expect 2 bash -c 'ulimit -f 1; trap "" XFSZ; exec "$@"' _ "${solve[@]}" --quiet --output small
error_says "small/"
finish
