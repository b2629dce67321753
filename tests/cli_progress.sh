#!/usr/bin/env bash
# What a solve shows while it runs: in a pipe, on a terminal, as it was asked for.
source "$(dirname "$0")/cli_lib.sh"

cat > two.cfg << 'END'
@include "bounce"
objective: (
  { term = "distance"; body = "ball"; target = [0.8, 0.2]; },
  { term = "mean_square_velocity"; body = "ball"; weight = 0.001; }
);
constraints: ( { term = "mean_position"; body = "ball"; direction = "y"; upper = 0.9; } );
optimizer: { verify_refined = false; name = "LD_SLSQP"; stop_at_target = false; };
output: { report = false; trajectory = false; };
END
solve=("$cqopt" solve two.cfg --set optimizer.max_evaluations=6)

# rows of the table in out: those that begin with the number of an evaluation
rows() {
  grep -cE '^ *[0-9]+ +(-?[0-9.]+e|failed)' "$1" || true
}
fits() {
  [ "$(wc -L < "$1")" -le 80 ] || fail "$1 has lines of $(wc -L < "$1") columns"
}

# in a pipe: a line an evaluation, nothing else, in 80 columns
expect 3 "${solve[@]}" --output pipe
! grep -q $'\r\|\033' out || fail "carriage returns or escapes in a pipe"
[ "$(rows out)" = "$(($(wc -l < pipe/history.csv) - 1))" ] || fail "$(rows out) rows in a pipe"
fits out
grep -q '^eval  *objective violation  *|g|  *step  *best  elapsed  at most$' out ||
  fail "heading: $(grep '^eval' out)"
grep -q '^  device: CPU (.*), [a-z0-9]*, [0-9]* thread' out || fail "no device: $(grep device out)"
for word in '2 design variables' 'objective: ' 'constraint: ' 'memory: ' '^Effort .* failed' \
  '^Time  .* forward .* backward .* optimizer' 'KKT residual' '^Files ' ' multiplier'; do
  grep -q "$word" out || fail "the screen does not say $word"
done
# the terms where there is room for them
COLUMNS=130 expect 3 "${solve[@]}" --output wide
grep -q 'at most  *ball.distance  *ball.mean_square_velocity$' out || fail "no terms: $(grep '^eval' out)"
row=$(grep '^ *2 .*e-' out | head -n 1)
awk -v row="$row" 'BEGIN { n = split(row, v, " "); sum = v[n] + v[n - 1]
                           exit !(n >= 10 && sum > 0.999 * v[2] && sum < 1.001 * v[2]) }' ||
  fail "the terms do not add up: $row"

# a step is told as a part of the design: of the block that it changed most, in the units of the file
expect 3 "$cqopt" solve bounce --output fixed --set optimizer.max_evaluations=2 --set optimizer.verify_refined=false
step=$(awk -F, 'NR > 1 { d += ($7 - $4)^2; a += $4^2; b += $7^2 }
                END { printf "%.2e", sqrt(d / (a > b ? a : b)) }' fixed/design.csv)
[ "$(awk '/^ *2 +-?[0-9.]+e/ { print $5 }' out)" = "$step" ] || fail "not a step of $step: $(grep '^ *[0-9]' out)"

# a picture is headed by the problem's name where it has no title
expect 3 "${solve[@]}" --quiet --output untitled --set problem=unset
! command -v gnuplot > /dev/null || grep -q "^set title 'two'" untitled/convergence.gp ||
  fail "the picture: $(grep 'set title' untitled/convergence.gp)"

# one of a kind
expect 3 "$cqopt" solve bounce --output single --set optimizer.max_evaluations=1 --progress bar
grep -q '100 % of 1 evaluation[^s]' out || fail "the bar: $(cat out)"
grep -q '^Effort  *1 evaluation, 1 gradient, 0 failed' out || fail "plurals: $(grep Effort out)"
expect 3 "$cqopt" solve bounce --output single1 --set optimizer.max_evaluations=1 --quiet
grep -q ', 1 evaluation, single1$' out || fail "plurals of a quiet run: $(cat out)"

# many variables are told by their blocks, each row is another one, and labels are whole
cat > many.cfg << 'END'
@include "bounce"
actuators: ( { name = "m_fl_00"; body = "ball"; direction = "y"; max = 1; } );
controller: { type = "tanh_linear"; inputs: ( { read = "clock"; clocks = 15; rate = 20; } ); };
design: ( { variable = "controller"; },
          { variable = "initial_velocity"; body = "ball"; start = [0.1, 0.2]; lower = -2; upper = 2; } );
objective: ( { term = "distance"; body = "ball"; target = [0.8, 0.2];
               label = "distance_of_the_ball_from_the_place"; } );
output: { report = false; trajectory = false; };
END
expect 3 "$cqopt" solve many.cfg --output many --set optimizer.max_evaluations=4 --set optimizer.name=adam
fits out
grep -qx '  distance_of_the_ball_from_the_place' out || fail "a long label: $(cat out)"
awk '/^ *[234] +-?[0-9.]+e/ { n++; bad += !($5 > 1e-3 && $5 <= 2) } END { exit !(n == 3 && bad == 0) }' out ||
  fail "steps of weights near 0: $(grep '^ *[0-9]' out)"
sed -n '/^Design/,/^$/p' out > design
[ "$(sed 1d design | cut -c1-26 | grep -v '^ *$' | sort | uniq -d)" = "" ] || fail "rows look the same: $(cat design)"
for row in '  controller: 16 variables' '    moved most: m_fl_00.clock.[0-9]*.' '  ball.initial_velocity.0. .*' \
  '  ball.initial_velocity.1. .*' '  every variable is in design.csv'; do
  grep -qx -- "$row" design || fail "no row '$row': $(cat design)"
done
awk -F, 'NR > 1 && /controller/ { for (i = 3; i <= 4; i++) {
    if (n[i]++ == 0 || $i < a[i]) a[i] = $i
    if (n[i] == 1 || $i > b[i]) b[i] = $i
    m[i] += $i } }
  END { printf "least %.4e %.4e\nmean %.4e %.4e\nlargest %.4e %.4e\n", a[4], a[3], m[4] / 16, m[3] / 16, b[4], b[3] }' \
  many/design.csv > wanted
awk '/^    (least|mean|largest)/ { printf "%s %.4e %.4e\n", $1, $2, $3 }' design | diff - wanted ||
  fail "a block's extent: $(cat design)"

# how a start ended has a whole word in its table, and is said once below it
cat > flat.cfg << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 20; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "youngs_modulus"; body = "A"; start = 40; lower = 20; upper = 80; } );
objective: ( { term = "mean_position"; body = "A"; direction = "x"; } );
optimizer: { name = "LD_SLSQP"; starts = 2; };
output: { report = false; trajectory = false; };
END
expect 6 "$cqopt" solve flat.cfg --output flat
grep -q '^ *1  the objective is flat  ' out || fail "the table of starts: $(cat out)"
grep -q '^Outcome  *start [12]: the objective is flat: no design nearby has another value' out ||
  fail "the outcome: $(sed -n '/^Outcome/,$p' out)"

# as it was asked for
expect 3 "${solve[@]}" --output none --progress none
[ "$(rows out)" = 0 ] || fail "--progress none shows evaluations"
grep -q '^Outcome ' out || fail "--progress none has no summary"
expect 3 "${solve[@]}" --output bar --progress=bar
grep -q $'\r' out || fail "--progress bar does not rewrite its line"
grep -q '100 % of 6 evaluations' out || fail "no bar"
expect 1 "${solve[@]}" --output bad --progress lots
error_says "option --progress wants auto, bar, plain or none, not 'lots'"
expect 1 "$cqopt" simulate bounce --progress bar
error_says "takes no --progress"

# on a terminal
if command -v script > /dev/null; then
  pty() {
    TERM=xterm script -qec "stty cols $1; ${*:2}" /dev/null < /dev/null > out || true
  }
  pty 80 "${solve[@]}" --output live
  grep -q $'\033\[A\r\033\[K' out || fail "the rows on a terminal are not rewritten"
  grep -q $'\033\[1m' out || fail "no bold on a terminal"
  grep -q '100 % of 6 evaluations' out || fail "no bar on a terminal"
  ! grep -q 'at most .*ball.distance' out || fail "terms in 80 columns"
  # what stays: the last row
  sed 's/.*\r\x1b\[K//; s/\x1b\[[?0-9]*[a-zA-Z]//g; s/\r//g' out > seen
  fits seen
  pty 130 "${solve[@]}" --output broad --progress plain
  grep -q 'at most .*ball.distance' out || fail "no terms in 130 columns: $(grep eval out)"
  ! grep -q $'\033\[A' out || fail "--progress plain rewrites its lines"
  [ "$(rows out)" -ge 6 ] || fail "--progress plain shows $(rows out) rows"
  # an evaluation that takes its time shows how far it is, below the bar, and leaves nothing of that behind
  long=("${solve[@]}" --set simulation.time_step=2.5e-5 --set simulation.steps=60000 --set 'simulation.memory="16 MiB"'
    --set optimizer.max_evaluations=2 --threads 1)
  pty 80 "${long[@]}" --output values --set optimizer.name=LN_COBYLA --set simulation.steps=400000 --set optimizer.max_evaluations=1
  grep -q 'evaluation 1: forward [0-9]* %, about .* left' out || fail "nothing on the way forward: $(cat out)"
  ! grep -q 'backward [0-9]* %' out || fail "a value has a way back: $(cat out)"
  pty 80 "${long[@]}" --output long
  grep -q 'evaluation 2: backward [0-9]* %, about .* left' out || fail "nothing on the way backward: $(cat out)"
  shares=$(grep -oE 'evaluation 2: (for|back)ward [0-9]+' out | awk '{ print ($3 == "forward:" || $3 == "forward" ? 0 : 1000) + $4 }')
  [ "$shares" = "$(sort -n <<< "$shares")" ] || fail "it goes back: $(tr '\n' ' ' <<< "$shares")"
  sed 's/.*\r\x1b\[K//; s/\x1b\[[?0-9]*[a-zA-Z]//g; s/\r//g' out > seen
  ! grep -q 'evaluation [12]: ' seen || fail "what an evaluation showed stays: $(grep 'evaluation' seen)"
  ! grep -q 'ward [0-9]* %' long/log.txt || fail "the log has it"
  tr -s '\r\n ' ' ' < out | grep -q 'stored ([^)]*); the gradient runs steps again: [0-9.]* forward runs in all' || fail "no plan: $(grep memory out)"
  pty 80 env NO_COLOR=1 "${solve[@]}" --output pale --progress plain
  ! grep -q $'\033\[[0-9]*m' out || fail "colour with NO_COLOR"
fi

# what takes long is said before it: by some steps that are timed
expect 3 "${solve[@]}" --output planned --set optimizer.max_evaluations=1000000 --set optimizer.max_simulations=1
tr -s '\n ' ' ' < out |
  grep -qE ' time: by 20 steps, about 0?\.[0-9]*[1-9][0-9]* s an evaluation, 0?\.[0-9]+ s with its gradient; the budget lasts at most about [0-9]' ||
  fail "no time: $(grep -A2 'time: ' out)"
grep -q '  time: by 20 steps' planned/log.txt || fail "no time in the log"
expect 3 "${solve[@]}" --output brief --set optimizer.max_evaluations=1
! grep -q 'time: by' out || fail "what is brief has a time: $(grep 'time: ' out)"

# the time left is that of the budget which ends first
expect 3 "${solve[@]}" --output time --progress bar --set optimizer.max_simulations=4
grep -q '100 % of 4 simulations' out || fail "not the nearest budget: $(tail -c 2000 out)"

# a warning stays on the screen: the rows go on below it
cat > fails.cfg << 'END'
@include "bounce"
optimizer: { verify_refined = false; on_failure = "penalty"; name = "LN_NELDERMEAD"; stop_at_target = false; };
design: ( { variable = "initial_velocity"; body = "ball"; start = [0.2, 0.3]; lower = -60; upper = 60; scale = 120; } );
output: { report = false; trajectory = false; };
simulation: { allow_unstable = true; };
END
"$cqopt" solve fails.cfg --set optimizer.max_evaluations=4 --progress bar --output fails > both 2>&1 || true
if grep -q 'warning: evaluation' both; then
  ! grep -A1 'warning: evaluation' both | grep -q $'\033\[A' || fail "a warning is overwritten"
  grep -q ' failed ' both || fail "a failed evaluation is not shown as such"
else
  fail "no evaluation failed: $(cat both)"
fi
finish
