#!/usr/bin/env bash
# cqopt study: a grid of settings whose runs are those of solve, gone on with after kill -9 and with
# more values; samples, tables, budgets, metrics; and wrong use.
source "$(dirname "$0")/cli_lib.sh"

cat > wall.cfg << 'END'
problem: { name = "wall"; title = "a throw"; };
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 60; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );
objective: ( { term = "distance"; body = "A"; target = [0.8, 0.6]; squared = true; } );
optimizer: { max_evaluations = 20; };
END
grid=(--vary "objective.[0].target=[0.8,0.6],[0.7, 0.5]" --vary "optimizer.name=LD_SLSQP,LN_COBYLA,LD_MMA")
command=("$cqopt" study wall.cfg "${grid[@]}" --seeds 2)

# everything but the times
without_seconds() {
  awk 'BEGIN { FS = OFS = "," } { gsub(/, /, ";"); gsub(/\[0.8,0.6\]/, "[0.8;0.6]") }
    NR == 1 { for (i = 1; i <= NF; i++) timed[i] = $i ~ /^seconds/ }
    { for (i = 1; i <= NF; i++) if (timed[i]) $i = ""; print }' "$1"
}
same_study() {
  local file
  for file in "$1"/runs/*/evals.bin; do
    cmp -s "$file" "${file/#$1/$2}" || fail "$3: $file differs"
  done
  for file in study.csv runs.csv; do
    diff <(without_seconds "$1/$file") <(without_seconds "$2/$file") || fail "$3: $file differs"
  done
}

expect 0 "${command[@]}" --output one --workers 1
[ "$(wc -l < one/study.csv)" = 7 ] || fail "not 6 rows: $(cat one/study.csv)"
# the tables for SQLite have the numbers of the CSV, as numbers
if "$cqopt" doctor | grep -q '^SQLite *yes' && python3 -c 'import sqlite3' 2> /dev/null; then
  python3 - one << 'END' || fail "study.sqlite is not the CSV"
import csv, sqlite3, sys
folder = sys.argv[1]
db = sqlite3.connect(folder + "/study.sqlite")
for table in "runs", "study":
    heading, *rows = csv.reader(open(f"{folder}/{table}.csv"))
    got = db.execute(f"select * from {table}")
    assert [column[0] for column in got.description] == heading, heading
    got = got.fetchall()
    assert len(got) == len(rows) > 0
    for theirs, ours in zip(got, rows):
        for name, one, text in zip(heading, theirs, ours):
            same = one is None if text == "" else one == (text if isinstance(one, str) else float(text))
            assert same, (table, name, one, text)
kinds = db.execute("select typeof(f), typeof(evaluations), typeof(status) from runs").fetchone()
assert kinds == ("real", "integer", "text"), kinds
END
fi
[ "$(wc -l < one/runs.csv)" = 13 ] || fail "not 12 runs: $(cat one/runs.csv)"
grep -q '^target=\[0.7, 0.5\], name=LN_COBYLA  ' out || fail "no line on a cell: $(cat out)"
grep -q '^"\[0.8,0.6\]",LD_SLSQP,2,' one/study.csv || fail "no row of a cell: $(cat one/study.csv)"
! command -v gnuplot > /dev/null || has_file one/study.svg
[ "$(wc -L < out)" -le 80 ] || fail "lines of $(wc -L < out) columns: $(cat out)"
grep -q '^a throw: 2 seeds, medians' out || fail "no heading: $(cat out)"
expect 0 "${command[@]}" --output two --workers 2 --quiet
least=$(sed 1d one/runs.csv | sed 's/^"[^"]*",//' | cut -d, -f6 | sort -g | head -n 1)
verified=$(grep -c ',OK,0,' one/runs.csv)
[ "$(cat out)" = "wall: 12 runs, $verified verified, least f = $(printf %.6g "$least"), two" ] ||
  fail "a quiet study says '$(cat out)'"
grep -q 'settings  *f  *evaluations' two/log.txt || fail "the log of a quiet study has no table"
same_study one two "2 workers"

# a run is what solve makes of these settings
expect 0 "$cqopt" solve wall.cfg --set "objective.[0].target=[0.7, 0.5]" --set optimizer.name=LD_MMA \
  --output plain --quiet
cmp -s plain/evals.bin one/runs/target_0.7_0.5_name_LD_MMA-seed-01/evals.bin || fail "not the plain solve"
f=$(sed -n 's/^  "f": \(.*\),$/\1/p' plain/run.json)
grep -q "^\"\[0.7, 0.5\]\",LD_MMA,1,.*,OK,0,$f,0," one/runs.csv || fail "$f is not in $(cat one/runs.csv)"
[ "$(cut -d, -f3 one/runs/*SLSQP-seed-02/history.csv | grep -v x_hash | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')" -ge 2 ] ||
  fail "seed 2 has no common start"

# an axis of problems: each its own file, and a wrong one ends the study at once
sed 's/spacing = 0.05/spacing = 0.025/' wall.cfg > fine.cfg
expect 0 "$cqopt" study wall.cfg --vary problem=wall.cfg,fine.cfg --output problems --quiet
[ "$(cut -d, -f1 problems/study.csv | tr '\n' ' ')" = "problem wall.cfg fine.cfg " ] ||
  fail "problems: $(cat problems/study.csv)"
grep -q 'spacing = 0.025' problems/problems/problem_fine.cfg.cfg || fail "the cell is not fine.cfg"
expect 2 "$cqopt" study wall.cfg --vary problem=wall.cfg,cantilver --output no
error_says 'cantilever'

# medians of two runs are their means, place by place
paste -d, <(sed 1d one/runs.csv | sed 's/^"[^"]*",//' | cut -d, -f6,9) /dev/null |
  awk -F, '{ f += $1 / 2; n += $2 / 2 } NR % 2 == 0 { printf "%.12g %g\n", f, n; f = n = 0 }' > means
sed 1d one/study.csv | sed 's/^"[^"]*",//' | awk -F, '{ printf "%.12g %g\n", $5, $14 }' > medians
diff means medians || fail "medians"

# a kill in the middle
"${command[@]}" --output killed --workers 1 --quiet > /dev/null 2>&1 &
pid=$!
for ((i = 0; i < 600; i++)); do
  [ -f killed/runs/target_0.8_0.6_name_LD_MMA-seed-01/history.csv ] && break
  sleep 0.02
done
kill -KILL "$pid"
wait "$pid" 2> /dev/null || true
[ ! -d killed/runs/target_0.7_0.5_name_LD_MMA-seed-02 ] || fail "the kill came too late to matter"
sleep 0.3
expect 0 "${command[@]}" --output killed
grep -q ' of 12 runs were done before' out || fail "nothing was kept: $(cat out)"
same_study one killed "kill -9"

# more values and seeds later
expect 0 "$cqopt" study wall.cfg --vary "objective.[0].target=[0.7, 0.5]" --vary optimizer.name=LD_SLSQP \
  --output grown --quiet
expect 0 "${command[@]}" --output grown --quiet
same_study one grown "grown"

# another metric against another axis
expect 0 "${command[@]}" --output one --metric kkt_residual --axis optimizer.name
grep -q '^settings  *f  *evaluations  *seconds  *kkt_residual  *verified' out || fail "columns: $(cat out)"
grep -q "^set xlabel 'optimizer.name'" one/study.gp || fail "the axis of the picture"
[ "$(wc -L < out)" -le 80 ] || fail "lines of $(wc -L < out) columns with a metric: $(cat out)"
# settings that differ at their ends alone have lines of their own
expect 0 "$cqopt" study wall.cfg --set problem=unset --output long \
  --vary "objective.[0].label=a_name_that_is_too_long_for_its_column_of_the_table_1,a_name_that_is_too_long_for_its_column_of_the_table_2"
grep -q '^wall: 1 seed, medians' out || fail "no heading without a title: $(cat out)"
[ "$(grep -cE '^label=a_name_that_is_too_long_for_its_column_of_the_table_[12]$' out)" = 2 ] || fail "labels: $(cat out)"
[ "$(wc -L < out)" -le 80 ] || fail "lines of $(wc -L < out) columns with long labels: $(cat out)"

# samples: more of them later are the same table as all at once, and nothing runs again
samples=("$cqopt" study wall.cfg --vary "materials.[0].density=1:4" --vary optimizer.name=LD_MMA,adam
  --vary "optimizer.learning_rate=1e-3:1:log if optimizer.name=adam" --quiet)
expect 0 "${samples[@]}" --samples 3 --output some
stamp=$(stat -c %Y.%Z some/runs/sample-0002-seed-01/evals.bin)
expect 0 "${samples[@]}" --samples 6 --output some
expect 0 "${samples[@]}" --samples 6 --output all
[ "$(stat -c %Y.%Z some/runs/sample-0002-seed-01/evals.bin)" = "$stamp" ] || fail "a sample ran again"
same_study all some "samples added"
[ "$(cut -d, -f2,3 all/study.csv | grep -c '^LD_MMA,$')" = 3 ] || fail "not half of them: $(cat all/study.csv)"
expect 1 "${samples[@]}" --samples 6 --plan halton --output all
error_says 'all has runs with the axes sobol [0-9a-f]* of materials'

# a budget for all of it, then a larger one; terms and constraints as metrics
expect 0 "$cqopt" study wall.cfg --vary "materials.[0].density=1,2,3,4" --output dear --workers 1 \
  --budget 15 --budget-in evaluations
grep -q '^[12] of 4 runs are open; the same command with a larger --budget does them' out || fail "no word on the budget: $(cat out)"
cut -d, -f2 dear/study.csv | tail -n 1 | grep -qx 0 || fail "the last one ran: $(cat dear/study.csv)"
sed 's/^objective.*/objective: ( { term = "distance"; body = "A"; target = [0.8, 0.6]; squared = true; },\
  { term = "mean_square_velocity"; label = "speed"; weight = 1e-3; } );/' wall.cfg > two.cfg
expect 0 "$cqopt" study two.cfg --vary "materials.[0].density=1,2" --output terms --metric speed --metric verified
grep -q 'settings  *f  *evaluations  *seconds  *speed' out || fail "no column of a term: $(cat out)"
best=$(sed -n 's/^  "best_evaluation": \(.*\),$/\1/p' terms/runs/density_2-seed-01/run.json)
speed=$(awk -F, -v best="$best" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "speed") c = i }
  $1 == best { print $c; exit }' terms/runs/density_2-seed-01/history.csv)
awk -F, -v speed="$speed" '$1 == 2 { for (i = 1; i <= NF; i++) { found += $i == speed + 0 } } END { exit !found }' terms/runs.csv ||
  fail "$speed is not in $(cat terms/runs.csv)"

# the rows of a table
printf 'materials.[0].density,optimizer.name\n2,LD_MMA\n3,\n' > plan.csv
expect 0 "$cqopt" study wall.cfg --plan plan.csv --output rows --quiet
[ "$(cut -d, -f1-3 rows/study.csv | tail -n 2 | tr '\n' ' ')" = "2,LD_MMA,1 3,,1 " ] ||
  fail "rows: $(cat rows/study.csv)"

# wrong use
expect 1 "$cqopt" study wall.cfg --vary "materials.[0].density=1:4"
error_says 'has a range, and a grid wants values; say how many samples'
expect 1 "$cqopt" study wall.cfg --vary "materials.[0].density=1:4" --plan sobl --samples 3
error_says '"sobl" is no file and no plan; did you mean "sobol"?'
expect 1 "$cqopt" study wall.cfg --vary "materials.[0].density=1,1e-9"
error_says 'with density=1e-9: wall.cfg:2: simulation.time_step'
expect 1 "$cqopt" study wall.cfg --vary optimizer.nam=LD_MMA
error_says 'unknown key "nam" in optimizer; did you mean "name"?'
expect 1 "$cqopt" study wall.cfg --vary optimizer.name=LD_MMA,LD_SLSPQ
error_says 'there is no optimizer "LD_SLSPQ"; did you mean "LD_SLSQP"?'
expect 1 "$cqopt" study wall.cfg --vary "objective.[0].target=[0.8,0.6"
error_says "brackets or quotes do not match in '\[0.8,0.6'"
expect 1 "$cqopt" study wall.cfg
error_says 'wants what varies'
expect 1 "${command[@]}" --metric voilation
error_says 'nothing is called "voilation"; did you mean "violation"?'
expect 1 "${command[@]}" --axis optimizer.mame
error_says '"optimizer.mame" does not vary; did you mean "optimizer.name"?'
expect 1 "${command[@]}" --output one --set simulation.steps=50
error_says 'one has runs with a problem or --set options with hash'
expect 1 "$cqopt" study wall.cfg --vary optimizer.name=LD_MMA --output one
error_says 'one has runs with the axes'
expect 2 "$cqopt" study wall.cfg --vary optimizer.name=LD_MMA --output plain
error_says 'plain is a folder of cqopt solve; name a new one'
finish
