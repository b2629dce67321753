#!/usr/bin/env bash
# show and list --runs: what folders say of runs that ended, go on, were killed or are damaged.
source "$(dirname "$0")/cli_lib.sh"

fits() {
  [ "$(wc -L < out)" -le 80 ] || fail "$1: lines of $(wc -L < out) columns"
}
# shows FOLDER TEXT...: regular expressions that lines of it match, in 80 columns
shows() {
  local folder=$1 text
  shift
  expect 0 "$cqopt" show "$folder"
  fits "show $folder"
  for text in "$@"; do
    grep -q -e "$text" out || fail "show $folder does not say '$text': $(cat out)"
  done
}
# waits until a file has so many lines
wait_for() {
  for ((i = 0; i < 600; i++)); do
    [ -f "$1" ] && [ "$(wc -l < "$1")" -ge "$2" ] && return
    sleep 0.05
  done
  fail "$1 has no $2 lines"
}

cat > two.cfg << 'END'
@include "bounce"
objective: (
  { term = "distance"; body = "ball"; target = [0.8, 0.2]; },
  { term = "mean_square_velocity"; body = "ball"; weight = 0.001; }
);
constraints: ( { term = "mean_position"; body = "ball"; direction = "y"; upper = 0.9; } );
optimizer: { name = "LD_SLSQP"; stop_at_target = false; verify_refined = false; };
output: { report = false; trajectory = false; };
END
quick=(--set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false
  --quiet)

# the start, the best and the last are those of history.csv
expect 3 "$cqopt" solve two.cfg --output runs/ended --set optimizer.max_evaluations=6 --quiet
best=$(member runs/ended best_evaluation)
value() {
  awk -F, -v row="$1" -v column="$2" 'NR == 1 { next } { kept[$1] = $column; last = $column }
    END { printf "%.5e", row == "last" ? last : kept[row] }' runs/ended/history.csv
}
shows runs/ended 'state  *ended, BUDGET' '6 evaluations in .* 0 failed' "best: $best\$" \
  "^  f  *$(value 1 4) *$(value "$best" 4) *$(value last 4)\$" \
  "^  ball.distance  *term  *$(value 1 5) *$(value "$best" 5) *$(value last 5)\$" \
  "^  .*constraint  *$(value 1 7) *$(value "$best" 7) *$(value last 7)\$"

# a run in progress: is read without its lock, and goes on undisturbed to the same end
slow=("$cqopt" solve bounce --set simulation.steps=4000 --set simulation.time_step=3e-4
  --set optimizer.max_evaluations=12 --set optimizer.stop_at_target=false "${quick[@]}")
"${slow[@]}" --output runs/live > live.out 2>&1 &
pid=$!
wait_for runs/live/history.csv 3
shows runs/live "state  *running, as process $pid on " 'last word is .* s old' '[0-9]* evaluations in'
expect 0 "$cqopt" list --runs runs
grep -q '  bounce  *running  *[0-9].*  runs/live$' out || fail "list of a running one: $(cat out)"
while kill -0 "$pid" 2> /dev/null; do
  "$cqopt" show runs/live > shown 2> shown.err || fail "show failed in a run: $(cat shown.err)"
  sleep 0.1
done
wait "$pid" || true
shows runs/live 'state  *ended, ' ' 12 evaluations'
! grep -q 'old$' out || fail "an ended run has an age"
expect 3 "${slow[@]}" --output alone
diff <(history alone) <(history runs/live) > /dev/null || fail "to be shown changed the run"

# killed
"${slow[@]}" --output runs/killed > killed.out 2>&1 &
pid=$!
wait_for runs/killed/history.csv 3
kill -9 "$pid"
wait "$pid" 2> /dev/null || true
printf '9,fg,0123' >> runs/killed/history.csv
printf 'torn' >> runs/killed/evals.bin
before=$(cat runs/killed/* | cksum)
shows runs/killed "state  *cut off, process $pid is gone" '^  to go on  *cqopt solve --resume runs/killed$' 'torn'
[ "$before" = "$(cat runs/killed/* | cksum)" ] || fail "show changed the folder"
# another process that has its number is not it
sed -i "s/\"pid\": .*/\"pid\": $$,/" runs/killed/run.json
shows runs/killed "state  *cut off"
# on another machine nobody knows
cp -r runs/killed elsewhere
sed -i 's/"host": .*/"host": "far",/' elsewhere/run.json
shows elsewhere 'state  *running, or was cut off; it was begun on far'
rm -r elsewhere

# failures are counted, and never the best
awk -F, -v OFS=, 'NR == 3 { $4 = "nan"; $5 = "nan"; $6 = "DEFORMED" } 1' alone/history.csv > new.csv
cp -r alone failed
cp new.csv failed/history.csv
sed -i '/best_evaluation/d' failed/run.json
shows failed ' 1 failed'
! grep '^  f ' out | grep -q nan || fail "a failure is shown as a value: $(grep '^  f ' out)"

# several starts, a comparison, a study
expect 3 "$cqopt" solve bounce --output runs/starts --set optimizer.starts=2 \
  --set optimizer.max_evaluations=3 "${quick[@]}"
shows runs/starts 'state  *ended, BUDGET' '^ *[12]  stopped by a budget .* 3 '
# one of them goes on: its folder says how far it is
cp -r runs/starts going
sed -i '/"ended"/,$d' going/run.json going/start-02/run.json
for folder in going going/start-02; do
  printf '  "status": "running"\n}\n' >> $folder/run.json
done
sed -i 's/^2,start-02,.*/2,start-02,running,,,,,,0,0,0,0,,/' going/starts.csv
shows going '^ *2  cut off .* 3 '
rm -r going
expect 0 "$cqopt" compare bounce --with LD_SLSQP,adam --budget 15 --seeds 2 --output runs/compared \
  --quiet
shows runs/compared 'state  *ended, OK' '^method  *median f ' '^LD_SLSQP .* of 2$' '^adam '
rm runs/compared/compare.csv
expect 0 "$cqopt" show runs/compared
grep -q ' runs/compared/runs/adam-seed-01$' out || fail "no runs of a comparison that goes on: $(cat out)"
expect 0 "$cqopt" study bounce --vary optimizer.learning_rate=0.1,0.2 \
  --set optimizer.max_evaluations=3 --output runs/studied --quiet
shows runs/studied '^learning_rate  *median f ' '^0.1 .* 3 .* of 1$' '^0.2 '

# scenarios: what they are, what each has, the same when a run goes on
cat > three.cfg << 'END'
@include "two.cfg"
scenarios: { combine = "mean"; vary = ( { key = "objective.[0].target"; values = [0.8, 0.2, 0.5, 0.6, 0.7, 0.7]; } ); };
END
expect 0 "$cqopt" show three.cfg
fits "show three.cfg"
grep -q '3 scenarios, the objective is their mean' out || fail "no scenarios: $(cat out)"
grep -qx '    1: objective.\[0\].target=\[0.5, 0.6\]' out || fail "no settings: $(cat out)"
three=("$cqopt" solve three.cfg --output)
expect 3 "${three[@]}" three --set optimizer.max_evaluations=6
fits "a solve of scenarios"
sed -n '/^In each scenario/,/^$/p' out > each
expect 3 "$cqopt" solve two.cfg --output alone1 --quiet --set 'objective.[0].target=[0.5, 0.6]' \
  --set optimizer.max_evaluations=1
first() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == 2 { printf "%.5e", $c }' \
    "$1/history.csv"
}
for term in ball.distance ball.mean_square_velocity; do
  [ "$(first three "scenario 1: $term")" = "$(first alone1 $term)" ] ||
    fail "$term in scenario 1: $(first three "scenario 1: $term"), not $(first alone1 $term)"
done
[ "$(awk '/^  scenario 1/ { print $3 }' each)" = "$(first alone1 f)" ] || fail "the summary: $(cat each)"
[ "$(awk '/^  scenario 1/ { on = 1 } on && /distance/ { print $2; exit }' each)" = "$(first alone1 ball.distance)" ] ||
  fail "a term in the summary: $(cat each)"
shows three '^  scenarios  *3$' '^  combine  *mean$' \
  "^  scenario 1: ball.distance  *term  *$(first alone1 ball.distance) "
expect 3 "${three[@]}" resumed --set optimizer.max_evaluations=3 --quiet
expect 3 "$cqopt" solve --resume resumed --set optimizer.max_evaluations=6
sed -n '/^In each scenario/,/^$/p' out | diff each - || fail "scenarios of a run that went on"
diff <(history three) <(history resumed) || fail "the record of a run that went on"
# the worst alone, with one term
expect 3 "${three[@]}" worst --set optimizer.max_evaluations=3 --set scenarios.combine=worst \
  --set 'objective=({term="distance"; body="ball"; target=[0.8, 0.2];})'
grep -q '^Objective, worst of 3 ' out || fail "the heading: $(cat out)"
largest=$(awk '/^  scenario [012] / { if ($4 > most || n++ == 0) most = $4 } END { print most }' out)
grep -q "^  ball.distance .* $largest\$" out || fail "not the worst of them: $(cat out)"

# the list: newest first, one a run, broken ones named
mkdir -p runs/broken runs/empty/nothing
cp runs/ended/evals.bin runs/broken
cp -r runs/ended runs/damaged
head -c 200 runs/ended/run.json > runs/damaged/run.json
cp -r runs/ended runs/columns
sed -i 's/"status": "BUDGET"/"status": "running"/' runs/columns/run.json
sed -i '1s/,status/,more,status/' runs/columns/history.csv
expect 0 "$cqopt" list --runs runs
grep -q '^started ' out || fail "no heading"
grep -q "bounce  *BUDGET  *$(value "$best" 4 | cut -c1-4).* 6  runs/ended\$" out || fail "not listed: $(cat out)"
[ "$(grep -c ' runs/starts' out)" = 1 ] || fail "starts are listed by themselves"
grep -q 'bounce (study)  *OK' out || fail "no study"
grep -q '^broken: runs/broken: run.json: No such file' out || fail "runs/broken: $(grep broken out)"
grep -q '^broken: runs/damaged: run.json is damaged' out || fail "runs/damaged: $(grep damaged out)"
grep -q '^broken: runs/columns: history.csv has other columns' out || fail "$(grep columns out)"
grep '^20' out | cut -c1-16 | sort -rc || fail "not the newest first: $(cat out)"
[ "$(grep -c '^20' out)" = 6 ] || fail "not 6 runs: $(cat out)"
expect 2 "$cqopt" list --runs nowhere
error_says 'nowhere: No such file'
expect 2 "$cqopt" list --runs
mkdir results
expect 0 "$cqopt" list --runs
grep -qx 'no runs below results' out || fail "an empty folder: $(cat out)"
expect 2 "$cqopt" show runs/empty
error_says 'is it a run folder'
expect 2 "$cqopt" show runs/damaged
error_says 'damaged'
finish
