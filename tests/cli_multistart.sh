#!/usr/bin/env bash
# Several starts: the same results whatever the workers, and after kill -9 of any process; a start
# that crashes, fails or is stopped takes nothing with it.
source "$(dirname "$0")/cli_lib.sh"
shim=$2

{
  wall_scene
  echo 'optimizer: { max_evaluations = 40; starts = 8; on_failure = "abort"; };'
} > wall.cfg
slow=(--set simulation.steps=2400 --set simulation.time_step=1e-4)

# starts.csv without the last column, which is the time
table() {
  sed 's/,[^,]*$//' "$1/starts.csv"
}

same_starts() {
  diff <(table "$1") <(table "$2") || fail "$3: starts.csv differs"
  for evals in "$1"/start-*/evals.bin; do
    cmp -s "$evals" "${evals/#$1/$2}" || fail "$3: $evals differs"
  done
  cmp -s "$1/design.csv" "$2/design.csv" || fail "$3: design.csv differs"
}

# workers, order and number of starts do not matter
expect 0 "$cqopt" solve wall.cfg --output one --set optimizer.workers=1
grep -q '^    3  verified optimum' out || fail "no line on start 3"
grep -q '6 verified, 2 with the best objective' out || fail "no summary: $(tail -n 5 out)"
expect 0 "$cqopt" solve wall.cfg --output three --set optimizer.workers=3 --threads 3 --quiet
[ "$(wc -l < out)" -eq 1 ] || fail "--quiet prints more than the outcome"

# verified optima that differ are local ones, wherever the outcome is said; starts 3 and 7 have the same one, and rounding picks
local_='local optimum, the best of 4 different ones'
grep -q "^wall: $local_, f = " out || fail "--quiet: $(cat out)"
[ "$(member one starts_different)" = 4 ] || fail "starts_different: $(member one starts_different)"
grep -q "start [37]: $local_: KKT residual" one/run.json || fail "run.json: $(member one reason)"
grep -q "start [37]: $local_: KKT" one/report.html || fail "the page does not say that the optimum is local"
grep -q 'Outcome .*start [37]: local optimum' one/log.txt || fail "the summary: $(tail -n 5 one/log.txt)"
same_starts one three "3 workers"
expect 0 "$cqopt" solve wall.cfg --output few --set optimizer.starts=4 --quiet
diff <(table few) <(table one | head -n 5) || fail "a start depends on the number of starts"
expect 0 "$cqopt" solve wall.cfg --output other --set optimizer.starts=4 --seed 2 --quiet
cmp -s other/start-02/design.csv few/start-02/design.csv && fail "the seed does not matter"

# the first is the plain solve
expect 0 "$cqopt" solve wall.cfg --set optimizer.starts=1 --output plain --quiet
cmp -s plain/evals.bin one/start-01/evals.bin || fail "start 1 is not the plain solve"

# the best is what the folder stands for
best=$(member one best_folder)
[ "$best" = "start-$(printf %02d "$(awk -F, 'NR > 1 && $4 == 0 && (f == "" || $6 < f) { f = $6; n = $1 }
  END { print n }' one/starts.csv)")" ] || fail "the best is $best"
cmp -s "one/$best/design.csv" one/design.csv || fail "design.csv is not that of the best"
[ "$(member one f)" = "$(member "one/$best" f)" ] || fail "f: $(member one f)"
[ "$(member one starts_verified)" = 6 ] || fail "starts_verified: $(member one starts_verified)"
expect 0 "$cqopt" show one
grep -q "best_folder  *$best" out || fail "show does not say which start is the best"
grep -q '8  a particle left the room' out || fail "show has no table: $(cat out)"
expect 0 "$cqopt" simulate wall.cfg --design one --output flight --quiet
[ "$(cut -d, -f4 one/starts.csv | tail -n +2 | tr '\n' ' ')" = "0 0 0 0 0 5 0 5 " ] ||
  fail "exit codes: $(cut -d, -f4 one/starts.csv)"
compgen -G 'one/*.err' && fail "empty files were left"

# starts that end at one optimum
expect 0 "$cqopt" solve wall.cfg --output same --quiet --set optimizer.starts=2 \
  --set 'objective=({ term = "distance"; body = "A"; target = [0.8, 0.6]; })' \
  --set 'design.[0].lower=0.5' --set 'design.[0].upper=2.5' --set 'design.[0].start=[1.5, 1]'
grep -q '^wall: verified optimum, f = ' out || fail "one optimum: $(cat out)"
[ "$(member same starts_different)" = 1 ] || fail "same: $(member same starts_different) optima"

# the best start's warnings are the run's; what it shares with the whole is not said twice
thrown=(--set 'simulation.gravity=[0, -9.8]' --set 'design.[0].lower=-1.2' --set 'design.[0].upper=1.2'
  --set 'design.[0].start=[0.9, 0.7]' --set 'objective.[0].target=[0.6, 0.2]')
expect 0 "$cqopt" solve wall.cfg --output fine --quiet "${thrown[@]}" --set optimizer.starts=1
expect 0 "$cqopt" solve wall.cfg --start fine --output coarse "${thrown[@]}" \
  --set simulation.time_step=8e-3 --set simulation.steps=30 --set optimizer.starts=2
grep -q 'warning: start 1: at half the time step the objective' coarse/log.txt || fail "not in the log"
grep -q 'warning: start 1: at half the time step the objective' err || fail "not on the screen: $(cat err)"
grep -q 'at half the time step the objective' coarse/report.html || fail "not in the page"
[ "$(grep -c 'may be unstable' coarse/log.txt)" -eq 1 ] || fail "a warning is said twice"

# a full disk: the others are kept, and it is no success
full() {
  (ulimit -f "$1" && exec "$cqopt" solve wall.cfg --output "$2" --quiet --set optimizer.starts="$3" \
    --set output.trajectory=false --set output.report=false \
    --set 'objective=({ term = "distance"; body = "A"; target = [0.8, 0.6]; })' \
    --set optimizer.name=gradient_descent --set optimizer.learning_rate=1e-3 \
    --set optimizer.max_evaluations=2000)
}
expect 2 full 8 full 2
error_says "start 1: .*cannot write full/start-01/.*: File too large"
error_says "cqopt solve --resume full"
[ "$(member full status)" = IO ] || fail "full: $(member full status)"

# the rule: feasible first, then least f, where a verified one goes before what is as good
cp -r one ranked
heading=$(head -n 1 one/starts.csv)
cat > ranked/starts.csv << END
$heading
1,start-01,BUDGET,3,9,1,0,0.1,40,40,40,0,0,,,,,1
2,start-02,OK,0,9,1.0000005,0,0,40,40,40,0,0,,,,"verified, ""at last""",1
3,start-03,INFEASIBLE,4,9,0.1,0.5,,40,40,40,0,0,,,,,1
4,start-04,BUDGET,3,9,0.5,1e-7,0.1,40,40,40,0,0,2,0.3,2.4,lucky,1
5,start-05,SIGKILL,6,9,,,,4,4,4,0,0,,,,,
6,start-06,INFEASIBLE,4,9,0.3,0.2,,40,40,40,0,0,,,,,1
END
expect 0 "$cqopt" show ranked
[ "$(sed '1,/^start/d' out | awk '{ printf "%s ", $1 }')" = "2 1 4 6 3 5 " ] || fail "order: $(cat out)"

# nothing but failures
expect 5 "$cqopt" solve wall.cfg --output bad --quiet --set 'design.[0].start=[3.9, 3.9]' \
  --set 'design.[0].lower=3.8' --set boundaries.domain.type=none
grep -q '8 of 8 starts done' out || fail "bad: $(cat out)"
grep -q 'no start has a valid point' bad/run.json || fail "bad: $(member bad reason)"

# a resumed run that has ended is left as it is; more starts may be added, or more evaluations
expect 0 "$cqopt" solve --resume one --quiet
same_starts one three "a run that is over"
[ "$(member one/start-02 resumed)" = "" ] || fail "a start that is over was run again"
expect 0 "$cqopt" solve --resume few --set optimizer.starts=8 --quiet
same_starts one few "starts added later"
expect 3 "$cqopt" solve wall.cfg --output short --set optimizer.max_evaluations=3 --quiet
expect 0 "$cqopt" solve --resume short --set optimizer.max_evaluations=40 --quiet
diff <(cut -d, -f1-12 one/starts.csv) <(cut -d, -f1-12 short/starts.csv) ||
  fail "evaluations added later" # a replayed failure has another reason

# the same with a kill in between: the new limit is not forgotten by those that had not heard of it
expect 3 "$cqopt" solve wall.cfg --output brief --set optimizer.max_evaluations=3 --quiet
cp -r brief/start-02 brief/start-07 .
expect 0 "$cqopt" solve --resume brief --set optimizer.max_evaluations=40 --quiet
rm -r brief/start-02 brief/start-07
mv start-02 start-07 brief
expect 0 "$cqopt" solve --resume brief --quiet
diff <(cut -d, -f1-12 one/starts.csv) <(cut -d, -f1-12 brief/starts.csv) || fail "a limit was forgotten"

# a start that was cut off before its run.json was there begins anew; a design to begin with is start 1
cp -r one half
(cd half/start-02 && rm -f run.json design.csv convergence.* && truncate -s 32 evals.bin && sed -i 1q history.csv)
rm -rf half/start-04*
expect 0 "$cqopt" solve --resume half --quiet
same_starts three half "starts that had not begun"
expect 0 "$cqopt" solve wall.cfg --start one --output further --set optimizer.starts=2 --quiet
[ "$(cut -d, -f4 further/start-01/design.csv)" = "$(cut -d, -f3 one/design.csv | sed s/best/start/)" ] ||
  fail "start 1 is not that of --start"

# wrong use
expect 1 "$cqopt" solve wall.cfg --set optimizer.start=3
error_says 'unknown key "start" in optimizer; did you mean "starts"?'
expect 1 "$cqopt" solve wall.cfg --set optimizer.starts=0
error_says "optimizer.starts = 0 is out of range: must be 1 to 9999"
expect 1 "$cqopt" solve --resume one --set optimizer.starts=3
error_says "one has 8 starts; there can be more of them, not fewer"
expect 1 "$cqopt" solve --resume plain --set optimizer.starts=3
error_says "plain is a run from one start"
[ "$(member one status)" = OK ] || fail "a refused resume changed run.json"

children_of() {
  awk -v parent="$1" '{ sub(/.*\) /, ""); if ($2 == parent) { split(FILENAME, p, "/"); print p[3] } }' \
    /proc/[0-9]*/stat 2> /dev/null || true
}

# halts a child of process $1 that is in the middle of a start, as $child
halt_child() {
  local folder
  for ((i = 0; i < 600; i++)); do
    for child in $(children_of "$1"); do
      kill -STOP "$child" 2> /dev/null || continue
      folder=$(tr '\0' '\n' < "/proc/$child/cmdline" | grep -x '.*/start-[0-9]*' || true)
      if [ -f "$folder/run.json" ] && [ "$(member "$folder" status)" = running ]; then
        return
      fi
      kill -CONT "$child" 2> /dev/null || true
    done
    sleep 0.02
  done
  fail "no start of $1 could be halted"
}

# begin FOLDER: in the background, until a start is in the middle of something
begin() {
  "$cqopt" solve wall.cfg "${slow[@]}" --output "$1" --set optimizer.workers=2 --quiet > out.begun 2>&1 &
  pid=$!
  halt_child "$pid"
}

gone() {
  for ((i = 0; i < 250; i++)); do
    [ -e "/proc/$1" ] || return 0
    sleep 0.02
  done
  fail "process $1 outlived the one that started it"
}

expect 0 "$cqopt" solve wall.cfg "${slow[@]}" --output whole --quiet

# kill -9 of the parent, three times, while a start is in the middle of something
command=(wall.cfg "${slow[@]}" --output killed)
for ((kills = 1; kills <= 3; kills++)); do
  "$cqopt" solve "${command[@]}" --set optimizer.workers=2 --quiet > out.begun 2>&1 &
  pid=$!
  halt_child "$pid"
  kill -STOP "$pid"
  expect 2 "$cqopt" solve --resume killed --quiet
  error_says "killed is being solved by another process"
  kill -KILL "$pid"
  wait "$pid" 2> /dev/null || true
  gone "$child"
  [ "$(member killed status)" = running ] || fail "killed says $(member killed status)"
  expect 0 "$cqopt" show killed
  command=(--resume killed)
done
expect 0 "$cqopt" solve --resume killed --quiet
same_starts whole killed "kill -9 of the parent"
[ "$(member killed resumed)" = 3 ] || fail "resumed: $(member killed resumed)"

# kill -9 of a start
begin hit
kill -KILL "$child"
code=0
wait "$pid" || code=$?
[ "$code" -eq 0 ] || fail "exit $code after the kill of a start"
[ "$(grep -c ',SIGKILL,6,' hit/starts.csv)" -eq 1 ] || fail "no SIGKILL in $(cat hit/starts.csv)"
[ "$(member hit starts_done)" = 7 ] || fail "starts_done: $(member hit starts_done)"
expect 0 "$cqopt" solve --resume hit --quiet
same_starts whole hit "kill -9 of a start"

# every start dies at its fourth record
if [ -n "$shim" ]; then
  expect 6 env LD_PRELOAD="$shim" KILL_AT=4 KILL_TORN=50 "$cqopt" solve wall.cfg --output dead --quiet \
    --set optimizer.starts=5
  [ "$(grep -c ',SIGKILL,6,' dead/starts.csv)" -eq 5 ] || fail "not 5 SIGKILL in $(cat dead/starts.csv)"
  expect 0 "$cqopt" solve --resume dead --set optimizer.starts=8 --quiet
  same_starts one dead "every start killed"
fi

# signals
stop_by() {
  local signal=$1 wanted=$2 code=0
  begin "$signal"
  kill -s "$signal" "$pid"
  sleep 0.5 # the parent passes it on
  kill -CONT "$child" 2> /dev/null || true
  wait "$pid" || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit $code after $signal: $(cat out.begun)"
  [ "$(member "$signal" exit_code)" = "$wanted" ] || fail "$signal: $(member "$signal" exit_code)"
  grep -q ",$wanted," "$signal/starts.csv" || fail "$signal: $(cat "$signal/starts.csv")"
  grep -q ",waiting," "$signal/starts.csv" || fail "$signal: $(cat "$signal/starts.csv")"
  expect 0 "$cqopt" solve --resume "$signal" --quiet
  same_starts whole "$signal" "$signal"
}
stop_by INT 130
stop_by TERM 143
finish
