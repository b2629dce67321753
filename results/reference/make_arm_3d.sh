#!/usr/bin/env bash
# Makes arm_3d.csv again: how near the arm of arm_codesign_3d gets to the published goal, and what is in its way.
#
#   results/reference/make_arm_3d.sh [build/cqopt] [FOLDER]
#
# Some 20 minutes of processor time, two runs at a time, on one thread each. Runs that FOLDER has are not made
# again; without it they are in a folder that is removed at the end. Single precision but for the shipped goal.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

quick=(--threads 1 --set simulation.precision=float --set optimizer.verify_refined=false
  --set output.trajectory=false --set optimizer.target=unset)
goal='[0.65, 0.5, 0.65]'
published=(--set "constraints.[0].target=$goal")
# the least distance alone is asked for; speed and effort are measured
reach=(--set 'constraints=()' --set optimizer.constraint_margin=unset --set optimizer.constraint_scale=unset
  --set "objective=({term=\"distance\"; body=\"head\"; target=$goal; label=\"distance\";},
    {term=\"mean_square_velocity\"; per_component=true; weight=1e-6; label=\"velocity\";},
    {term=\"actuation_cost\"; relative=true; weight=1e-6;})")

# each KEY VALUE: that key of the eight actuators, or of the ten bodies
each_of() {
  local list=$1 n=$2 key=$3 value=$4 i
  for ((i = 0; i < n; i++)); do
    printf '%s\n%s\n' --set "$list.[$i].$key=$value"
  done
}
mapfile -t strong < <(each_of actuators 8 max 1)
mapfile -t fine < <(each_of bodies 10 count '[7, 14, 7]')

# arm RUN EVALUATIONS ARGUMENTS...
arm() {
  local run=$1 evaluations=$2
  shift 2
  solve "$run" arm_codesign_3d "${quick[@]}" --set optimizer.max_evaluations="$evaluations" "$@"
}

# beside COMMAND...: two at a time
beside() {
  while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
    wait -n || true
  done
  "$@" &
}

# from the shipped goal to the published one, from the best design of each to the next
nearer() {
  arm goal_1 60 
  arm goal_2 50 --set 'constraints.[0].target=[0.62, 0.55, 0.6]' --start goal_1
  arm goal_3 50 "${published[@]}" --start goal_2
}

# without gravity, with half of it and with all of it
heavier() {
  arm gravity_0 60 "${published[@]}" --set 'simulation.gravity=[0, 0, 0]'
  arm gravity_1 50 "${published[@]}" --set 'simulation.gravity=[0, 1, 0]' --start gravity_0
  arm gravity_2 50 "${published[@]}" --start gravity_1
}

beside arm published 150 "${published[@]}"
beside arm reach 60 "${reach[@]}"
beside arm reach_no_gravity 50 "${reach[@]}" --set 'simulation.gravity=[0, 0, 0]'
beside arm reach_time_twice 40 "${reach[@]}" --set simulation.steps=1200
beside heavier
beside arm reach_muscles_twice 50 "${reach[@]}" "${strong[@]}"
beside arm reach_fine 40 "${reach[@]}" "${fine[@]}"
soft='{variable="actuation"; start_spread=0.1;}'
beside arm reach_3_Pa 50 "${reach[@]}" --set "design=($soft)" --set 'materials.[0].youngs_modulus=3'
beside arm reach_static 25 "${reach[@]}" --set simulation.damping=4 --set simulation.steps=1200 --set controller.hold=1200
beside arm sqp 50 "${published[@]}" --set optimizer.name=sqp --set optimizer.phases=feasibility_first
beside arm IPOPT 50 "${published[@]}" --set optimizer.name=IPOPT --set optimizer.phases=feasibility_first
for seed in 2 3; do
  beside arm "seed_$seed" 50 "${published[@]}" --seed "$seed" --set 'design.[0].start_spread=0.3'
done
beside arm particles 50 "${published[@]}" --set optimizer.name=sqp --set "design=($soft,
  {variable=\"youngs_modulus\"; body=\"link_1\"; per=\"particle\"; start=10; lower=3; upper=40;},
  {variable=\"youngs_modulus\"; body=\"link_2\"; per=\"particle\"; start=10; lower=3; upper=40;})"
wait
