#!/usr/bin/env bash
# Whatever a user gets wrong is one clear line and the exit code of docs/runs.md.
source "$(dirname "$0")/cli_lib.sh"

expect 1 "$cqopt"
expect 1 "$cqopt" sovle velocity_2d
error_says 'unknown command "sovle"; did you mean "solve"?'
expect 1 "$cqopt" solve velocity_2d --ouput x
error_says 'unknown option "--ouput"; did you mean "--output"?'
expect 1 "$cqopt" solve velocity_2d --threads none
error_says "option --threads wants a number from 1 on, not 'none'"
expect 1 "$cqopt" solve velocity_2d --seed
error_says "option --seed wants"
expect 1 "$cqopt" solve
error_says "wants PROBLEM"
expect 1 "$cqopt" solve velocity_2d another
error_says "one argument too many"
expect 1 "$cqopt" list --set a=b
error_says "'cqopt list' takes no --set"
expect 1 "$cqopt" help scema
error_says 'did you mean "schema"?'
expect 1 "$cqopt" help schema objectives
error_says 'a problem file has no section "objectives"; did you mean "objective"?'
expect 1 "$cqopt" help solve twice
error_says "'twice' is one argument too many for help solve"
expect 1 "$cqopt" new
error_says "wants PROBLEM"
expect 1 "$cqopt" new velocity_3d
error_says 'there is no built-in problem "velocity_3d"; did you mean "velocity_2d"?'
echo precious > mine.cfg
expect 2 "$cqopt" new velocity_2d mine.cfg
error_says "mine.cfg is there already"
[ "$(cat mine.cfg)" = precious ] || fail "the file was touched"
expect 2 "$cqopt" new velocity_2d nowhere/my.cfg
error_says "cannot write nowhere/my.cfg: No such file or directory"

expect 2 "$cqopt" solve no_such_file.cfg
error_says "no_such_file.cfg"
expect 1 "$cqopt" solve velocity_2d --set optimizer.max_evaluation=2
error_says "max_evaluations"
expect 1 "$cqopt" solve velocity_2d --set optimizer.name=LD_SLSPQ
error_says "LD_SLSQP"
expect 1 "$cqopt" solve velocity_2d --set output.verify_refined=false
error_says 'unknown key "verify_refined" in output; it is a key of optimizer'

mkdir full
touch full/precious
expect 2 "$cqopt" solve velocity_2d --output full
error_says "full: the folder is not empty"
[ "$(ls full)" = precious ] || fail "the folder was touched"
touch plain
expect 2 "$cqopt" solve velocity_2d --output plain/run
error_says "plain"

# a time step far above the stable one, and a body outside the grid, are found before the first step
dt=$("$cqopt" show velocity_2d | sed -n 's/^ *time_step *= *\([0-9.e-]*\).*/\1/p' | head -n 1)
large=$(awk -v dt="$dt" 'BEGIN { printf "%.9g", 10*dt }')
expect 1 "$cqopt" solve velocity_2d --set simulation.time_step="$large"
error_says "time_step"
expect 1 "$cqopt" solve velocity_2d --set 'bodies.[0].low=[-0.1, 0.2]'
error_says "grid"

# a simulation that fails leaves its state and says where it stopped
expect 5 "$cqopt" solve velocity_2d --set simulation.time_step="$large" --quiet --output failed \
  --set simulation.allow_unstable=true --set optimizer.on_failure=abort
error_says "step .* particle"
for file in failed_state.csv history.csv run.json; do
  has_file "failed/$file"
done
[ "$(member failed exit_code)" = 5 ] || fail "exit code $(member failed exit_code)"
[ "$(tail -n +2 failed/history.csv | cut -d, -f6)" = "$(member failed status)" ] ||
  fail "history.csv: $(tail -n +2 failed/history.csv)"

# where it shall end the run, one that fails later says how to go on past it; the best design so far
# has its motion all the same
far='design=({variable="initial_velocity"; body="ball"; start=[0.2, 0.3]; lower=-90; upper=90; scale=180;})'
expect 5 "$cqopt" solve bounce --set optimizer.name=LN_NELDERMEAD --output later --set "$far" \
  --set optimizer.on_failure=abort
grep -q '^To go on  *past such a design: optimizer.on_failure = "penalty"' out || fail "no hint: $(cat out)"
grep -q '^Outcome .*after [0-9]* evaluations:' out || fail "no outcome: $(grep Outcome out)"
has_file later/motion.bin
has_file later/trajectory.h5
grep -q 'id="motion-0"' later/report.html || fail "the page of a run that failed has no players"

# by default the run goes on: smaller steps, then a penalty, and it says how often
expect 0 "$cqopt" solve bounce --set optimizer.name=LN_NELDERMEAD --output past --set "$far"
grep -q '^Effort .* [0-9]* failed ([0-9.]* %), [0-9]* solved in smaller' out ||
  fail "not said how often: $(grep Effort out)"
[ "$(member past failures)" -gt 0 ] && [ "$(member past recovered)" -gt 0 ] ||
  fail "run.json: $(member past failures) failed, $(member past recovered) recovered"

# a start that needs smaller steps itself is warned of
expect 3 "$cqopt" solve bounce --quiet --output coarse --set optimizer.max_evaluations=1 \
  --set 'design.[0].start=[0, -1]' --set 'materials.[0].model=neo_hookean' \
  --set simulation.time_step=1.5e-2 --set simulation.allow_unstable=true
grep -q 'warning: the start is simulated in steps of 1/[248] of simulation.time_step' coarse/log.txt ||
  fail "no warning: $(cat coarse/log.txt)"

# each way a state can go wrong has a line of its own
ends_with() {
  local text=$1
  shift
  rm -rf broken
  expect 5 "$cqopt" solve bounce --quiet --output broken --set optimizer.max_evaluations=1 \
    --set optimizer.on_failure=abort "$@"
  error_says "$text"
  has_file broken/failed_state.csv
}
ends_with "value that is not finite" --set simulation.precision=float \
  --set 'design.[0].start=[1e300, 0]'
ends_with "cells in one step" --set 'design.[0].start=[5, 0]'
ends_with "left the grid" --set 'design.[0].start=[2.5, 0.1]' \
  --set boundaries.domain.friction=unset --set boundaries.domain.type=none
ends_with "inverted .*on_inversion" --set 'design.[0].start=[0, -2]' \
  --set 'materials.[0].youngs_modulus=0.01'
ends_with "inverted" --set 'design.[0].start=[0, -1]' --set 'materials.[0].model=neo_hookean' \
  --set simulation.time_step=1.5e-2 --set simulation.allow_unstable=true

# a stack that would overflow somewhere is refused before it does
expect 8 bash -c 'ulimit -s 64; exec "$@"' _ "$cqopt" list
error_says 'the stack is limited to 64 KiB; it takes 256 (ulimit -s 256)'
expect 0 bash -c 'ulimit -s 256; exec "$@"' _ "$cqopt" list

[ ! -e results ] || fail "a run that never began left a folder"
finish
