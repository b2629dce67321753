#!/usr/bin/env bash
# Every built-in problem runs for two evaluations.
source "$(dirname "$0")/cli_lib.sh"

"$cqopt" list > list
problems=$(cut -d' ' -f1 list)
[ -n "$problems" ] || fail "no built-in problems"
for problem in $problems; do
  ! grep "^$problem " list | grep -q ' -  ' || fail "$problem has no problem.expected_time"
  code=0
  "$cqopt" solve "$problem" --output "$problem" --quiet --set optimizer.max_evaluations=2 \
    > out 2> err || code=$?
  # a budget, or infeasible so far, or done already
  case $code in
    0 | 3 | 4) ;;
    *) fail "exit $code: $problem: $(cat out err)" ;;
  esac
  has_file "$problem/history.csv"
  ! grep -q nan "$problem/history.csv" || fail "NaN in $problem/history.csv"
done
finish
