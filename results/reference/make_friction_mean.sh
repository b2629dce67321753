#!/usr/bin/env bash
# Makes friction_mean.csv: built-in problems with friction, by the pressure of the moment and by its mean: the start, and where
# that is quick the solution. Some four minutes on one core.
#
#   results/reference/make_friction_mean.sh [build/cqopt] [FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive

# start PROBLEM MEAN: f and the norm of its gradient
start() {
  solve "$1_$2_start" "$1" --set "simulation.friction_mean=$2" --set optimizer.max_evaluations=1 --threads 1 \
    --set optimizer.repeats=0 --set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $1 == 1 { f = $at["f"]; norm = $at["gradient_norm"] != "" ? $at["gradient_norm"] : norm }
    END { print f "," norm }' "$1_$2_start/history.csv"
}

# solved PROBLEM MEAN: f, evaluations, exit code
solved() {
  solve "$1_$2" "$1" --set "simulation.friction_mean=$2" --threads 1 --set output.report=false --set output.trajectory=false
  echo "$(member "$1_$2" f),$(member "$1_$2" evaluations),$(member "$1_$2" exit_code)"
}

short=" bounce reach billiards_2d bridge identify_two_tests walker_2d gait_codesign gripper grasp_friction conveyor_2d "
{
  echo problem,friction_mean,f,gradient_norm,solved_f,evaluations,exit_code
  for problem in bounce reach billiards_2d billiards_3d density_inference bridge finger finger_random identify_two_tests \
    pneumatic_leg_drop walker_2d gait_codesign quadruped crawler gripper grasp_friction conveyor_2d; do
    for mean in false true; do
      result=,,
      [[ $short != *" $problem "* ]] || result=$(solved $problem $mean)
      echo "$problem,$mean,$(start $problem $mean),$result"
    done
  done
} > friction_mean.csv
cp friction_mean.csv "$here/"
