#!/usr/bin/env bash
# SIGINT and SIGTERM end a run after the evaluation in flight, with everything saved.
source "$(dirname "$0")/cli_lib.sh"

# starts a long solve, waits for its second row, sends the signal
stop_by() {
  local signal=$1 wanted=$2 code=0
  "$cqopt" solve velocity_2d --output "$signal" --set optimizer.max_evaluations=0 \
    --set simulation.steps=20 --set optimizer.target=0 --set optimizer.name=gradient_descent \
    --set optimizer.stop_at_target=false > "$signal.out" 2>&1 &
  local pid=$!
  for ((i = 0; i < 600; i++)); do
    if [ -f "$signal/history.csv" ] && [ "$(wc -l < "$signal/history.csv")" -ge 3 ]; then
      break
    fi
    sleep 0.1
  done
  [ "$(member "$signal" status)" = running ] || fail "run.json does not say running"
  kill -s "$signal" "$pid"
  wait "$pid" || code=$?
  [ "$code" -eq "$wanted" ] || { fail "exit $code after $signal"; cat "$signal.out"; }
  grep -q "^To go on  *cqopt solve --resume $signal\$" "$signal.out" || fail "not said how to go on"
  "$cqopt" show "$signal" | grep -q "cqopt solve --resume $signal\$" || fail "show: not how to go on"
  [ "$(member "$signal" exit_code)" = "$wanted" ] || fail "run.json: $(member "$signal" exit_code)"
  for file in problem.cfg history.csv evals.bin design.csv log.txt; do
    has_file "$signal/$file"
  done
  # the best design so far has its motion, and the page its players
  has_file "$signal/motion.bin"
  has_file "$signal/trajectory.h5"
  grep -q 'id="motion-0"' "$signal/report.html" || fail "the page of a run that was stopped has no players"
  [ -z "$(tail -c 1 "$signal/history.csv" | tr -d '\n')" ] || fail "history.csv is torn"
}

stop_by INT 130
stop_by TERM 143
finish
