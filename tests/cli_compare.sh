#!/usr/bin/env bash
# cqopt compare: the same results whatever the workers and after kill -9, a table that another program
# computes too, more methods and seeds later, and wrong use.
source "$(dirname "$0")/cli_lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

# 12 particles thrown at a point among walls
cat > wall.cfg << 'END'
problem: { name = "wall"; title = "a throw"; };
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 60; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );
objective: ( { term = "distance"; body = "A"; target = [0.8, 0.6]; squared = true; } );
END
methods=(--with "LD_SLSQP,adam(learning_rate=0.05, clip=1),adam(learning_rate=0.2)")
command=("$cqopt" compare wall.cfg "${methods[@]}" --seeds 3 --budget 24 --gradient-cost 2.5)

# everything but the times
same_compare() {
  local file
  for file in "$1"/runs/*-seed-??/evals.bin; do
    cmp -s "$file" "${file/#$1/$2}" || fail "$3: $file differs"
  done
  diff <(cut -d, -f1-11,13 "$1/compare.csv") <(cut -d, -f1-11,13 "$2/compare.csv") ||
    fail "$3: compare.csv differs"
  cmp -s "$1/ecdf.csv" "$2/ecdf.csv" || fail "$3: ecdf.csv differs"
  diff <(grep -v ,seconds, "$1/curves.csv") <(grep -v ,seconds, "$2/curves.csv") ||
    fail "$3: curves.csv differs"
}

expect 0 "${command[@]}" --output one --workers 1
grep -q '^Target: f <= .* (best of all runs + 1 %' out || fail "no target: $(cat out)"
grep -q '^adam(learning_rate=0.2)  *[0-9]' out || fail "no line on adam: $(cat out)"
grep -q '^LD_SLSQP .* 3/3 ' out || fail "LD_SLSQP did not get there: $(cat out)"
for file in compare.csv runs.csv curves.csv ecdf.csv run.json log.txt problem.cfg; do
  has_file "one/$file"
done
if command -v gnuplot > /dev/null; then
  has_file one/curves.svg
  has_file one/ecdf.svg
fi
[ "$(wc -L < out)" -le 80 ] || fail "lines of $(wc -L < out) columns: $(cat out)"
expect 0 "${command[@]}" --output two --workers 2 --quiet
grep -q '^wall: 9 runs, [0-9] at the target, least f = [0-9.e+-]*, two$' out && [ "$(wc -l < out)" = 1 ] ||
  fail "a quiet comparison says '$(cat out)'"
same_compare one two "2 workers"

# one start for all, another one for each seed
for seed in 1 2 3; do
  [ "$(for run in one/runs/*-seed-0$seed; do sed -n 2p "$run/history.csv" | cut -d, -f3; done | sort -u | wc -l)" = 1 ] ||
    fail "seed $seed: the methods do not start at one point"
done
[ "$(for s in 1 2 3; do sed -n 2p one/runs/LD_SLSQP-seed-0$s/history.csv | cut -d, -f3; done | sort -u | wc -l)" = 3 ] ||
  fail "the seeds start at one point"
expect 3 "$cqopt" solve wall.cfg --output plain --quiet --set optimizer.max_evaluations=1
[ "$(sed -n 2p plain/history.csv | cut -d, -f3)" = "$(sed -n 2p one/runs/LD_SLSQP-seed-01/history.csv | cut -d, -f3)" ] ||
  fail "seed 1 is not the problem's own start"

# nothing counts beyond the budget, and no run gave up much of it before the end
awk -F, 'NR > 1 && $8 > 24 { exit 1 }' one/runs.csv ||
  fail "more than the budget: $(cat one/runs.csv)"
grep -q '^adam(learning_rate=0.05; clip=1),1,.*,BUDGET,.*max_cost = 24 forward runs reached' one/runs.csv ||
  fail "adam was not ended by the budget: $(cat one/runs.csv)"

# the table by another program, with a constraint that most starts violate; commas in names are its
# undoing
cp wall.cfg held.cfg
echo 'constraints: ( { term = "mean_square_velocity"; body = "A"; upper = 3; } );' >> held.cfg
simple=(--with "LN_COBYLA,LD_SLSQP,LD_MMA(restarts=0)")
expect 0 "$cqopt" compare held.cfg "${simple[@]}" --seeds 4 --budget 24 --gradient-cost 2.5 --output simple
target=$(sed -n 2p simple/compare.csv | cut -d, -f6)
diff <(cd simple && awk -v gradient_cost=2.5 -v budget=24 -v target="$target" -v tolerance=1e-6 \
  -f "$here/compare_table.awk" runs.csv) \
  <(awk -F, 'function n(x) { return x == "" ? "-" : sprintf("%.10g", x) }
     NR > 1 { print $1, $2, n($3), n($4), n($5), $7, n($10), n($11), n($13) }' simple/compare.csv) ||
  fail "the table is not what awk computes"

# a kill in the middle: what has ended stays, what has not goes on
"${command[@]}" --output killed --workers 1 --quiet > /dev/null 2>&1 &
pid=$!
for ((i = 0; i < 600; i++)); do
  [ -f killed/runs/LD_SLSQP-seed-02/history.csv ] && break
  sleep 0.02
done
kill -KILL "$pid"
wait "$pid" 2> /dev/null || true
ended=$(stat -c %Y%i killed/runs/LD_SLSQP-seed-01/run.json)
[ ! -d killed/runs/LD_SLSQP-seed-03 ] || fail "the kill came too late to matter"
# as if it had been cut off within a record
rm -f killed/runs/LD_SLSQP-seed-02/*.tmp
sleep 0.3
expect 0 "${command[@]}" --output killed
grep -q ' of 9 runs were done before' out || fail "nothing was kept: $(cat out)"
[ "$(stat -c %Y%i killed/runs/LD_SLSQP-seed-01/run.json)" = "$ended" ] || fail "a finished run was run again"
same_compare one killed "kill -9"

# a signal
"${command[@]}" --output stopped --workers 1 > out.stopped 2> err.stopped &
pid=$!
for ((i = 0; i < 600; i++)); do
  [ -f stopped/runs/LD_SLSQP-seed-02/history.csv ] && break
  sleep 0.02
done
code=0
kill -INT "$pid"
wait "$pid" || code=$?
[ "$code" = 130 ] || fail "exit $code after SIGINT: $(cat err.stopped)"
grep -q 'stopped by SIGINT with [0-9] of 9 runs done in stopped; the same command with --output stopped goes on' \
  err.stopped || fail "SIGINT: $(cat err.stopped)"
expect 0 "${command[@]}" --output stopped --quiet
same_compare one stopped "SIGINT"

# a run that was cut off within a record goes on from it
cp -r one torn
run=torn/runs/adam_learning_rate_0.2-seed-03
sed -i -e '/"ended"/,/"peak_bytes"/d' -e 's/\("stop_hash".*\),$/\1,\n  "status": "running"/' "$run/run.json"
truncate -s -70 "$run/evals.bin"
expect 0 "${command[@]}" --output torn --quiet
[ "$(member "$run" resumed)" = 1 ] || fail "the torn run did not go on"
same_compare one torn "a torn run"

# one of another build begins anew
cp -r one built
run=built/runs/adam_learning_rate_0.2-seed-03
sed -i -e '/"ended"/,/"peak_bytes"/d' -e 's/\("stop_hash".*\),$/\1,\n  "status": "running"/' \
  -e 's/"build_id": "[^"]*"/"build_id": "other"/' "$run/run.json"
expect 0 "${command[@]}" --output built --quiet
has_file "$run.other/evals.bin"
same_compare one built "a run of another build"

# more seeds and methods later; what was there is not run again
expect 0 "$cqopt" compare wall.cfg --with LD_SLSQP --seeds 1 --budget 24 --gradient-cost 2.5 --output grown --quiet
expect 0 "${command[@]}" --output grown --quiet
same_compare one grown "grown"

# the measured cost of a gradient is kept
expect 0 "$cqopt" compare wall.cfg --with LD_SLSQP --seeds 1 --budget 20 --output measured
grep -q 'costs [0-9.]* forward runs (measured' out || fail "not measured: $(cat out)"
cost=$(member measured gradient_cost)
expect 0 "$cqopt" compare wall.cfg --with LD_SLSQP,adam --seeds 1 --budget 20 --output measured
grep -q "costs $cost forward runs\.$" out || fail "not kept: $(cat out)"
grep -q "gradient_cost = $cost" measured/runs/adam-seed-01/problem.cfg || fail "adam has another cost"

# other budgets
expect 0 "$cqopt" compare wall.cfg --with LD_SLSQP,LN_NELDERMEAD --seeds 2 --budget 7 --budget-in evaluations \
  --target 0.01 --output evaluations
[ "$(awk -F, 'NR > 1 && $9 > 7' evaluations/runs.csv)" = "" ] || fail "evaluations: $(cat evaluations/runs.csv)"
grep -q 'Target: f <= 0.01 (--target)' out || fail "target: $(cat out)"
expect 0 "$cqopt" compare wall.cfg --with LN_NELDERMEAD --seeds 1 --budget 0.2 --budget-in seconds --output seconds
[ "$(member seconds/runs/LN_NELDERMEAD-seed-01 status)" != "" ] || fail "seconds"

# closed-form functions
expect 0 "$cqopt" compare --problem-set test --with LD_SLSQP,LD_MMA,LD_CCSAQ,LN_NELDERMEAD,LN_COBYLA --seeds 1 \
  --budget 1 --output wide
grep -q '1 seed, a budget of 1 simulation each' out || fail "plurals: $(cat out)"
[ "$(grep -c '^function ' out)" = 2 ] || fail "five methods side by side: $(cat out)"
[ "$(wc -L < out)" -le 80 ] || fail "lines of $(wc -L < out) columns: $(cat out)"
expect 0 "$cqopt" compare --problem-set test --with "LD_SLSQP,gradient_descent(learning_rate=0.1)" --seeds 3 \
  --budget 300 --output set
grep -q '^sphere  *10  *[0-9.]* (3)  *[0-9.]* (3)$' out || fail "the sphere was not solved: $(cat out)"
grep -q '^hs6  *2  *[0-9.]* (3)  *x$' out || fail "hs6 was not refused: $(cat out)"
grep -q '^pairs reached  *[0-9.]*%  *[0-9.]*%$' out || fail "no shares: $(cat out)"
[ "$(wc -l < set/compare.csv)" = 27 ] || fail "not 13 functions by 2 methods: $(cat set/compare.csv)"
grep -q '^  (2) gradient_descent(learning_rate=0.1)$' out || fail "no legend: $(cat out)"
expect 0 "$cqopt" compare --problem-set test --with "LD_SLSQP,gradient_descent(learning_rate=0.1)" --seeds 3 \
  --budget 300 --output set2 --quiet
grep -q '^test functions: 78 runs, [0-9]* at the target, set2$' out && [ "$(wc -l < out)" = 1 ] ||
  fail "a quiet set says '$(cat out)'"
cmp -s set/compare.csv set2/compare.csv && cmp -s set/ecdf.csv set2/ecdf.csv || fail "the set has other bits"
awk -F, '$1 == "LD_SLSQP" { last = $3 } END { exit !(last > 0.5 && last <= 1) }' set/ecdf.csv || fail "ecdf"
expect 1 "$cqopt" compare --problem-set tests --with adam --budget 9
error_says 'there is no set "tests"; there is "test"'
expect 1 "$cqopt" compare wall.cfg --problem-set test --with adam --budget 9
error_says 'leave wall.cfg out'
expect 1 "$cqopt" compare --problem-set test --with adam --budget 9 --set simulation.steps=3
error_says 'settings of the optimizer alone can be given here, not "simulation"'

# wrong use
expect 1 "$cqopt" compare wall.cfg "${methods[@]}" --seeds 3 --budget 25 --gradient-cost 2.5 --output one
error_says 'one has runs with a budget of 24, not 25; take a new folder for other settings'
expect 1 "${command[@]}" --output one --set simulation.steps=50
error_says 'one has runs with a problem or --set options with hash'
expect 1 "$cqopt" compare wall.cfg "${methods[@]}" --seeds 3 --budget 24 --gradient-cost 3 --output one
error_says 'a gradient cost of 2.5, not 3'
expect 1 "$cqopt" compare wall.cfg --with LD_SLSQP,adm --budget 9
error_says 'there is no optimizer "adm"; did you mean "adam"?'
expect 1 "$cqopt" compare wall.cfg --with 'adam(rate=1)' --budget 9
error_says 'unknown key "rate" in optimizer; did you mean "learning_rate"?'
expect 1 "$cqopt" compare wall.cfg --with 'adam(clip=1' --budget 9
error_says "brackets or quotes do not match in 'adam(clip=1'"
expect 1 "$cqopt" compare wall.cfg --with adam,adam --budget 9
error_says 'adam is given twice'
expect 1 "$cqopt" compare wall.cfg --with adam
error_says 'wants what each run may spend'
expect 1 "$cqopt" compare wall.cfg --budget 9
error_says 'wants methods: --with LD_SLSQP,adam'
expect 1 "$cqopt" compare wall.cfg --with adam --budget 9 --budget-in hours
error_says 'a budget is not counted in "hours"; known are: simulations, evaluations, seconds'
expect 1 "$cqopt" compare wall.cfg --with adam --budgets 9
error_says 'unknown option "--budgets"; did you mean "--budget"?'
expect 2 "$cqopt" compare wall.cfg --with adam --budget 9 --output plain
error_says 'plain is a folder of cqopt solve; name a new one'
finish
