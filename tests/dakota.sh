#!/usr/bin/env bash
# examples/dakota: the driver, with parameters as Dakota writes them; with "run" as $2 the example by
# Dakota itself, where it is installed (else exit code 77).
example=$(realpath "$(dirname "$0")/../examples/dakota")
source "$(dirname "$0")/cli_lib.sh"
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
export CQOPT=$cqopt
cp "$example"/* .

if [ "${2:-}" = run ]; then
  command -v dakota > /dev/null || { echo "skipped: dakota is not installed"; exit 77; }
  expect 0 dakota -i toss.in
  expect 0 "$cqopt" solve toss.cfg --output best --quiet --set output.report=false
  # a row an evaluation: %eval_id interface velocity_x velocity_y f c
  awk 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $NF <= 1e-6 && (best == "" || $(NF - 1) < best) { best = $(NF - 1) } END { print best }' toss.dat > found
  awk -v a="$(cat found)" -v b="$(member best f)" 'BEGIN { d = a - b; exit !(d < 1e-5 && d > -1e-5) }' ||
    fail "Dakota found $(cat found), cqopt $(member best f)"
  finish
  exit
fi

# parameters X Y ASV_F ASV_C [DERIVATIVE-VARIABLES]: a file of Dakota 6
parameters() {
  local variables=("${@:5}") i
  [ ${#variables[@]} -gt 0 ] || variables=(1 2)
  {
    printf '%45s variables\n%45s velocity_x\n%45s velocity_y\n' 2 "$1" "$2"
    printf '%45s functions\n%45s ASV_1:obj_fn\n%45s ASV_2:nln_ineq_con_1\n' 2 "$3" "$4"
    printf '%45s derivative_variables\n' ${#variables[@]}
    for i in "${variables[@]}"; do printf '%45s DVV_1:velocity\n' "$i"; done
    printf '%45s analysis_components\n%45s eval_id\n%45s metadata\n' 0 1 0
  } > params.in
  rm -f results.out
}
driver() { python3 driver.py "${1:-toss.cfg}" params.in results.out; }
# column N of the row that evaluate prints
column() { cut -d, -f"$1" row | tail -n 1; }

echo "6.1250000000000004e-01 7.0000000000000007e-01" > at
expect 0 "$cqopt" evaluate toss.cfg --gradient --format csv --at at
cp out row
read -r x y < at
parameters "$x" "$y" 3 3
expect 0 driver
diff results.out - << END || fail "values and gradients: $(cat results.out)"
$(column 4)
$(column 6)
[ $(column 7) $(column 8) ]
[ $(column 9) $(column 10) ]
END
parameters "$x" "$y" 1 0
expect 0 driver
[ "$(cat results.out)" = "$(column 4)" ] || fail "the objective alone: $(cat results.out)"
parameters "$x" "$y" 0 2 2
expect 0 driver
[ "$(cat results.out)" = "[ $(column 10) ]" ] || fail "one derivative of the constraint: $(cat results.out)"

# what cannot be simulated is a failure; what is wrong is an error
sed 's/steps = 100/steps = 900/; s/lower = -2; upper = 2/lower = -90; upper = 90/' toss.cfg > far.cfg
parameters 80 60 1 1
expect 0 driver far.cfg
[ "$(cat results.out)" = fail ] || fail "a failure is '$(cat results.out)'"
parameters "$x" "$y" 5 1
expect 1 driver
error_says 'no Hessians'
parameters 3 "$y" 1 1
expect 1 driver
grep -q 'outside its bounds' err || fail "a value outside its bounds: $(cat err)"
[ ! -e results.out ] || fail "an error left results"
echo '{ DAKOTA_VARS = 2 }' > params.in
expect 1 driver
error_says 'standard format'

# the input file names what the problem has: bounds, start, numbers of functions
expect 0 "$cqopt" evaluate toss.cfg
python3 - << 'END' || fail "toss.in is not of toss.cfg"
import json
said = json.load(open("out"))
words = open("toss.in").read().split()
def numbers(key, count):
    at = words.index(key) + 1
    return [float(w) for w in words[at:at + count]]
n = len(said["variables"])
assert int(words[words.index("continuous_design") + 2]) == n
assert numbers("initial_point", n) == said["designs"][0]["values"]
assert numbers("lower_bounds", n) == said["lower"] and numbers("upper_bounds", n) == said["upper"]
assert int(words[words.index("nonlinear_inequality_constraints") + 2]) == len(said["inequalities"])
assert not said["equalities"]
END
finish
