#!/usr/bin/env bash
# plot: columns of runs and of tables, in pictures and in the scripts beside them.
source "$(dirname "$0")/cli_lib.sh"
wanted=0
command -v gnuplot > /dev/null || wanted=2 # the script is there all the same

# block FILE I: the points of a curve of a script
block() {
  sed -n "/^\\\$curve_$2 <</,/^END/p" "$1" | sed '1,2d;$d'
}
curves() {
  grep -c '^\$curve_.* <<' "$1"
}
# same NAME: the points on stdin are those of curve 0 of NAME.gp
same() {
  diff <(awk -F, '{ printf "%.9e %.9e\n", $1, $2 }') \
    <(block "$1.gp" 0 | awk -F, '{ printf "%.9e %.9e\n", $1, $2 }') > /dev/null ||
    fail "$1.gp has other points: $(block "$1.gp" 0 | head -n 3)"
}
columns() {
  awk -F, -v x="$2" -v y="$3" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    { print $at[x] "," $at[y] }' "$1"
}
plot() {
  expect "$wanted" "$cqopt" plot "$@"
}

cat > two.cfg << 'END'
@include "bounce"
objective: (
  { term = "distance"; body = "ball"; target = [0.8, 0.2]; },
  { term = "mean_square_velocity"; body = "ball"; weight = 0.001; }
);
constraints: ( { term = "mean_position"; body = "ball"; direction = "x"; lower = 0.5; } );
optimizer: { name = "LD_SLSQP"; stop_at_target = false; verify_refined = false; gradient_cost = 3;
             max_evaluations = 6; };
output: { report = false; trajectory = false; adjoint = true; };
END
expect 3 "$cqopt" solve two.cfg --output run --quiet
expect 3 "$cqopt" solve two.cfg --output other --quiet --set 'design.[0].start=[0.4, 0.2]'

plot run --output a.svg
columns run/history.csv eval f | same a
plot run --output a.png --x time --y ball.distance
columns run/history.csv elapsed_seconds ball.distance | same a
grep -q "^set xlabel 'time \[s\]'" a.gp || fail "no label: $(grep xlabel a.gp)"
if [ "$wanted" = 0 ]; then
  grep -q '<svg' a.svg || fail "a.svg is no SVG"
  [ "$(head -c 4 a.png | tail -c 3)" = PNG ] || fail "a.png is no PNG"
  [ "$(cat out)" = a.png ] || fail "plot says $(cat out)"
fi
plot run --y gradient_norm --log --output log.svg
grep -q '^set logscale y' log.gp || fail "no logarithmic axis"

# the best feasible objective so far
plot run --y best --output best.svg
columns run/history.csv f violation | awk -F, '$2 <= 1e-6 && (best == "" || $1 < best) { best = $1 }
  { print NR "," (best == "" ? "nan" : best) }' > wanted
[ "$(grep -c nan wanted)" -ge 1 ] && [ "$(grep -vc nan wanted)" -ge 2 ] || fail "not a test: $(cat wanted)"
grep -v nan wanted | awk -F, '{ printf "%.9e\n", $2 }' > values
block best.gp 0 | grep -v NaN | awk -F, '{ printf "%.9e\n", $2 }' | diff values - > /dev/null ||
  fail "best: $(block best.gp 0) instead of $(cat wanted)"

# what was spent: here each row is a value with its gradient, or a gradient after its value
plot run --x cost --output cost.svg
awk -F, 'NR > 1 { cost += ($1 != last) + ($2 == "fg" ? 2 : 0); last = $1; print cost "," $4 }' run/history.csv | same cost
plot run --x simulations --output count.svg
awk -F, 'NR > 1 { print NR - 1 "," $4 }' run/history.csv | same count

# several runs over each other; those of a folder
plot run other --output both.svg
[ "$(curves both.gp)" = 2 ] || fail "$(curves both.gp) curves of two runs"
grep -q "title 'run'" both.gp && grep -q "title 'other'" both.gp || fail "no titles"
expect 3 "$cqopt" solve bounce --output starts --set optimizer.starts=3 \
  --set optimizer.max_evaluations=3 --set output.report=false --quiet
plot starts --output starts.svg
[ "$(curves starts.gp)" = 3 ] || fail "$(curves starts.gp) curves of three starts"

# tables
expect 0 "$cqopt" simulate bounce --output motion
plot motion/observations.csv --x time --y ball.y --output height.svg
columns motion/observations.csv time ball.y | same height
plot run/adjoint.csv --y "$(head -n 1 run/adjoint.csv | cut -d, -f3)" --output adjoint.svg
cat > curves.csv << 'END'
method,unit,spent,f_median
"SLSQP(a=1, b=2)",seconds,0.5,3
"SLSQP(a=1, b=2)",simulations,10,2
adam,simulations,10,4
"SLSQP(a=1, b=2)",simulations,20,
"SLSQP(a=1, b=2)",simulations,30,1
END
plot curves.csv --x spent --y f_median --where unit=simulations --output "it's.svg"
[ "$(block "it's.gp" 0)" = $'10,2\nNaN,NaN\n30,1' ] || fail "rows: $(block "it's.gp" 0)"
[ "$(curves "it's.gp")" = 2 ] || fail "not a curve for each method"
grep -q "title 'SLSQP(a=1, b=2)'" "it's.gp" || fail "title: $(grep title "it's.gp")"
[ "$wanted" = 2 ] || has_file "it's.svg"
plot curves.csv --x spent --y f_median --output all.svg
[ "$(curves all.gp)" = 3 ] || fail "not a curve for each method and unit"

# errors
expect 1 "$cqopt" plot run --y violaton
error_says 'run/history.csv has no column "violaton"; did you mean "violation"? known are: evaluations, .*ball.distance'
expect 1 "$cqopt" plot run --x nonsense_of_sorts
error_says 'known are: evaluations, simulations, cost'
expect 1 "$cqopt" plot curves.csv
error_says 'curves.csv: --y says which column is drawn: method, unit, spent, f_median'
expect 1 "$cqopt" plot curves.csv --y f_median --where unti=seconds
error_says 'no column "unti"; did you mean "unit"'
expect 2 "$cqopt" plot curves.csv --x spent --y f_median --where unit=hours
error_says 'no numbers of f_median over spent'
expect 1 "$cqopt" plot run --output run.pdf
error_says 'ends with .svg or .png'
expect 2 "$cqopt" plot nowhere
error_says 'nowhere: No such file'
expect 2 "$cqopt" plot motion
error_says 'motion/history.csv: No such file'
expect 2 "$cqopt" plot run --output no/such.svg
printf 'a,b\n1,-1\n2,-2\n' > below.csv
expect 1 "$cqopt" plot below.csv --y b --log
error_says 'no value of b is positive'
expect 2 env PATH=/nowhere "$cqopt" plot run --output without.svg
grep -q 'gnuplot is missing or refused ./without.gp' err || fail "without gnuplot: $(cat err)"
has_file without.gp
finish
