#!/usr/bin/env bash
# Makes arm_3d.csv again: how near the arm in three dimensions gets to the published goal, and what stands in its way.
#
#   results/reference/make_arm_3d.sh [build/cqopt] [FOLDER]
#
# Some 35 minutes of one core. Runs that FOLDER has are not made again; without it they are in a folder that
# is removed at the end. All but those of the shipped goal are in single precision, at half the price.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

published='[0.65, 0.5, 0.65]'
quick=(--threads 1 --set simulation.precision=float --set optimizer.verify_refined=false --set output.trajectory=false)

# towards GOAL: settings of the published problem with another goal
towards() {
  printf 'constraints.[0].target=%s' "$1"
}

# settings of a run that asks for the least distance alone; the speed and the effort are measured only
reach=(--set 'constraints=()' --set optimizer.max_evaluations=100
  --set optimizer.constraint_margin=unset --set optimizer.constraint_scale=unset --set optimizer.target=1e-4
  --set "objective=({term=\"distance\"; body=\"head\"; target=$published; weight=1;},
    {term=\"mean_square_velocity\"; per_component=true; weight=1e-9; label=\"velocity\";},
    {term=\"actuation_cost\"; relative=true; weight=1e-9;})")
both_muscles=()
for i in 0 1 2 3 4 5 6 7; do
  both_muscles+=(--set "actuators.[$i].max=1")
done
one_stiffness='{variable="actuation"; start_spread=0.1;}'

# arm RUN ARGUMENTS...: a solve in single precision
arm() {
  local run=$1
  shift
  solve "$run" arm_codesign_3d "${quick[@]}" "$@"
}

arm published
# how far the head gets, whatever its speed
arm reach "${reach[@]}"
arm reach_no_gravity "${reach[@]}" --set 'simulation.gravity=[0, 0, 0]'
arm reach_muscles_twice "${reach[@]}" "${both_muscles[@]}"
arm reach_time_twice "${reach[@]}" --set simulation.steps=1200 --set optimizer.max_evaluations=40
arm reach_E_3 "${reach[@]}" --set "design=($one_stiffness)" --set 'materials.[0].youngs_modulus=3'
arm reach_E_40 "${reach[@]}" --set "design=($one_stiffness)" --set 'materials.[0].youngs_modulus=40' \
  --set simulation.time_step=1.25e-3 --set simulation.steps=1200 --set controller.hold=40 --set optimizer.max_evaluations=20
