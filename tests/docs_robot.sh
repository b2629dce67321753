#!/usr/bin/env bash
# The robot of the README, as it stands there, does what is said of it; the README is short.
# usage: docs_robot.sh PROGRAM [long]: a few evaluations, or to its end
readme=$(cd "$(dirname "$0")/.." && pwd)/README.md
source "$(dirname "$0")/cli_lib.sh"

# near VALUE WANTED TOLERANCE WORDS
near() {
  awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || fail "$4: $1, not $2"
}

awk '/^```/ { inside = $0 == "```cfg robot.cfg"; next } inside' "$readme" > robot.cfg
lines=$(wc -l < robot.cfg)
[ "$(wc -l < "$readme")" -le 120 ] || fail "README.md has more than 120 lines"
{ [ "$lines" -ge 10 ] && [ "$lines" -le 25 ]; } || fail "the robot has $lines lines"
grep -q "^## A robot in $lines lines$" "$readme" || fail "README.md does not say that the robot has $lines lines"

if [ "${2:-}" != long ]; then
  expect 3 "$cqopt" solve robot.cfg --output run --quiet --set optimizer.max_evaluations=3 \
    --set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false
  near "$(awk -F, '$1 == 1 { print $4 }' run/history.csv)" -0.1395235 1e-6 "the first evaluation"
  near "$(awk -F, '$1 == 3 { print $4 }' run/history.csv)" -0.1441376 1e-6 "the third evaluation"
  finish
  exit
fi

expect 0 "$cqopt" solve robot.cfg --output run
grep -q 'target reached' out || fail "no target reached: $(tail -n 3 out)"
[ ! -s err ] || fail "there are warnings: $(cat err)"
said=$(sed -n 's/.*After \([0-9]*\) evaluations.*/\1/p' "$readme")
[ "$(member run evaluations)" = "$said" ] || fail "README.md says $said evaluations: $(member run evaluations)"
# the centre begins at 0.14 m
said=$(sed -n 's/^\([0-9.]*\) cm in a second.*/\1/p' "$readme")
near "$(awk -v f="$(member run f)" 'BEGIN { print 100 * (-f - 0.14) }')" "$said" 0.05 "cm in a second"
near "$(member run half_step_share)" 0 0.01 "the change at half the time step"
[ "$(member run torn_share)" = 0 ] || fail "torn: $(member run torn_share)"
finish
