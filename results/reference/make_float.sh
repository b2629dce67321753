#!/usr/bin/env bash
# Built-in problems of MPM in double and in float: float.csv. Half an hour on one core; a run that is there is not made again.
#
#   results/reference/make_float.sh [build/cqopt] [FOLDER]
#
# TABLES=1 makes the table of what FOLDER has.
#
# exit: of `cqopt solve`; f, evaluations, and seconds of the processor with one thread. gradient_start and gradient_end: how far the
# gradient of f in float is from that in double, at the start and at the best design of the run in double, as a part of the norm at the
# start (at an optimum there is nothing to compare with).
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
TIMEFORMAT=%U

tasks=(bounce billiards_2d bridge density_inference velocity_2d cantilever cable_finger pneunet pneumatic_leg pneumatic_leg_drop
  identify_material identify_two_tests identify_pose identify_field reach finger finger_random gripper grasp_friction push_t conveyor_2d
  piston_2d walker_2d diffmpm_walker diffmpm3d_crawler rolling_hill rolling_ball bridge_codesign gait_codesign arm_codesign
  arm_codesign_full arm_codesign_3d arm_fixed_100 arm_fixed_215 arm_fixed_300 billiards_3d arm_3d)

# gradient RUN PRECISION [AT]: d f/d x, a line each
gradient() {
  "$cqopt" evaluate "$1" --gradient --format csv --threads 1 --set simulation.precision="$2" ${3:+--at "$3"} |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^d f\//) { is[i] } } n = NF; next }
      { for (i = 1; i <= n; i++) { if (i in is) { print $i } } }'
}

# apart TASK [AT]: how far the gradients of both precisions are apart, and the norm of that in double
apart() {
  paste -d, <(gradient "$1" float "${2:-}") <(gradient "$1" double "${2:-}") |
    awk -F, '{ d += ($1 - $2)^2; n += $2^2 } END { print sqrt(d), sqrt(n) }'
}

row() {
  local precision run
  [ -z "${TABLES:-}" ] || [ -s "$1-float.time" ] || return 0
  printf '%s' "$1"
  for precision in double float; do
    run=$1-$precision
    if [ ! -s "$run.time" ]; then
      rm -rf "$run"
      { time "$cqopt" solve "$1" --threads 1 --quiet --set simulation.precision=$precision --set output.report=false \
        --set output.trajectory=false --output "$run" > "$run.out" 2> "$run.err" || true; } 2> "$run.seconds"
      mv "$run.seconds" "$run.time"
    fi
    printf ',%s,%s,%s,%s' "$(member "$run" exit_code)" "$(member "$run" f)" "$(member "$run" evaluations)" "$(cat "$run.time")"
  done
  [ -s "$1.apart" ] || echo "$(apart "$1") $(apart "$1" "$1-double")" > "$1.apart"
  awk '{ printf ",%.3g,%.3g\n", $1 / $2, $3 / $2 }' "$1.apart"
}

{
  echo "task,double_exit,double_f,double_evaluations,double_seconds,float_exit,float_f,float_evaluations,float_seconds,gradient_start,gradient_end"
  for task in "${tasks[@]}"; do
    row "$task"
  done
} > float.csv
cp float.csv "$here"
