#!/usr/bin/env bash
# A method that thinks for longer than optimizer.stall_time, or when a signal comes, is given up with
# everything saved, and another method goes on from there.
source "$(dirname "$0")/cli_lib.sh"

# 1600 particles land, each with a stiffness of its own: SLSQP thinks for half a minute a step
cat > many.cfg << 'END_OF_FILE'
simulation: { dimension = 2; grid = [64, 64]; cell = 0.02; time_step = 1e-3; steps = 6; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.2, 0.07]; size = [0.8, 0.8]; spacing = 0.02;
            velocity = [0, -5]; } );
boundaries: { domain: { type = "sticky"; }; };
design: ( { variable = "youngs_modulus"; body = "A"; per = "particle"; lower = 10; upper = 100; } );
objective: ( { term = "distance"; body = "A"; target = [0.6, 0.5]; } );
optimizer: { name = "LD_SLSQP"; force = true; stall_time = 1; max_evaluations = 30; };
END_OF_FILE

# ends CODE STATUS FOLDER: what run.json says, and that all files are whole
ends() {
  local code=$1 status=$2 folder=$3
  [ "$(member "$folder" status)" = "$status" ] || fail "$folder: $(member "$folder" status)"
  [ "$(member "$folder" exit_code)" = "$code" ] || fail "$folder: $(member "$folder" exit_code)"
  for file in problem.cfg history.csv evals.bin design.csv log.txt report.html motion.bin; do
    has_file "$folder/$file"
  done
  [ "$(wc -l < "$folder/design.csv")" -eq 1601 ] || fail "$folder/design.csv has other lines"
  [ "$(wc -l < "$folder/history.csv")" -eq $(($(member "$folder" evaluations) + 1)) ] ||
    fail "$folder: $(member "$folder" evaluations) evaluations are not the rows of history.csv"
}

seconds=$SECONDS
expect 6 "$cqopt" solve many.cfg --output stalled --quiet
[ $((SECONDS - seconds)) -le 30 ] || fail "it took $((SECONDS - seconds)) s to give up"
ends 6 OPTIMIZER stalled
member stalled reason | grep -q "LD_SLSQP stalled: no word from it for 1 s after 1 evaluation " ||
  fail "the reason is '$(member stalled reason)'"
member stalled seconds | awk '{ exit !($1 >= 1) }' || fail "seconds: $(member stalled seconds)"
first=$(member stalled f)

# the same again stalls again; another method does not
expect 6 "$cqopt" solve --resume stalled --quiet
ends 6 OPTIMIZER stalled
[ "$(member stalled replayed)" = 1 ] || fail "replayed $(member stalled replayed), not 1"
expect 1 "$cqopt" solve --resume stalled --set optimizer.name=LD_CCSAQ
error_says "optimizer.name cannot change"
code=0
"$cqopt" solve --resume stalled --allow-diverge --set optimizer.name=LD_CCSAQ \
  --set optimizer.max_evaluations=8 --quiet > out 2>&1 || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { fail "exit $code of LD_CCSAQ"; cat out; }
ends "$code" "$(member stalled status)" stalled
[ "$(member stalled evaluations)" -gt 1 ] || fail "LD_CCSAQ did not go on"
awk -v a="$(member stalled f)" -v b="$first" 'BEGIN { exit !(a < b) }' ||
  fail "f is $(member stalled f) after $first"

# interrupt SIGNAL CODE STATUS ARGUMENTS...: the signal comes while the method thinks
interrupt() {
  local signal=$1 wanted=$2 status=$3 folder=stop_$1 code=0
  shift 3
  "$cqopt" solve many.cfg --output "$folder" "$@" > "$folder.out" 2>&1 &
  local pid=$!
  for ((i = 0; i < 600; i++)); do
    if [ -f "$folder/history.csv" ] && [ "$(wc -l < "$folder/history.csv")" -ge 2 ]; then
      break
    fi
    sleep 0.1
  done
  sleep 0.3
  kill -s "$signal" "$pid"
  seconds=$SECONDS
  # a second one, of an impatient user, cuts nothing off
  for ((i = 0; i < 600; i++)); do
    if [ -f "$folder/motion.bin" ]; then
      kill -s "$signal" "$pid" 2> /dev/null || true
      break
    fi
    sleep 0.01
  done
  wait "$pid" || code=$?
  [ $((SECONDS - seconds)) -le 20 ] || fail "it took $((SECONDS - seconds)) s to hear of $signal"
  [ "$code" -eq "$wanted" ] || { fail "exit $code after $signal"; cat "$folder.out"; }
  ends "$wanted" "$status" "$folder"
  member "$folder" reason | grep -q "while LD_SLSQP was thinking" ||
    fail "the reason is '$(member "$folder" reason)'"
}

interrupt INT 130 INTERRUPTED --set optimizer.stall_time=0
interrupt TERM 143 TERMINATED --set optimizer.stall_time=60
finish
