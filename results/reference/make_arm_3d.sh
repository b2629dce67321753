#!/usr/bin/env bash
# Makes arm_3d.csv again: how near the arm of arm_codesign_3d gets to the published goal, and what is in its way.
#
#   results/reference/make_arm_3d.sh [build/cqopt] [FOLDER]
#
# Some 20 minutes of processor time, JOBS runs at a time (two), on one thread each. The table is written anew after each. Runs that
# FOLDER has are not made again; without it they are in a folder that is removed at the end. KEEP=1 makes only what the table beside this
# script lacks. Single precision but for the shipped goal.
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

had=$(cat "$here/arm_3d.csv")
# kept RUN: its row, if it is to be kept; not that of a run that was cut off, which ends with 130
kept() {
  [ -n "${KEEP:-}" ] && grep "^$1," <<< "$had" | grep -v ',130$'
}

# summary RUN CHANGED: of its best design how far the head is from the run's goal [m], the root mean square of speed
# [m/s], the effort J, and the share of a body's particles that have lost their neighbours, where it was looked for.
# history.csv has by how much constraints are above their bounds.
summary() {
  if [ ! -s "$1/history.csv" ]; then
    kept "$1" || true
    return
  fi
  awk -F, -v run="$1" -v changed="$2" -v best="$(member "$1" best_evaluation)" -v code="$(member "$1" exit_code)" \
    -v torn="$(member "$1" torn_share)" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } alone = "actuation_cost" in at; next }
    $1 > n { n = $1 }
    $1 == best { d = $at["distance"]; v = $at["velocity"]; J = alone ? $at["actuation_cost"] / 12e-6 : $at["f"] }
    END { if (alone) { v *= 1e5 } else { d += 1e-4; v += 1e-3 }
          printf "%s,%s,%d,%.4f,%.3f,%.3f,%s,%d\n", run, changed, n, sqrt(d), sqrt(30 * v), J,
            torn == "" ? "" : sprintf("%.3f", torn), code }' "$1/history.csv"
}

tables() {
  {
    echo "run,changed,evaluations,distance,speed,effort,torn,exit_code"
    summary shipped "goal (0.59 0.6 0.55) m"
    summary published "LD_SLSQP"
    summary reach "distance alone"
    summary reach_no_gravity "distance alone; no gravity"
    summary reach_muscles_twice "distance alone; muscles of 1 Pa"
    summary reach_time_twice "distance alone; 3 s"
    summary reach_3_Pa "distance alone; 3 Pa everywhere"
    summary reach_static "distance alone; constant controls and damping for 3 s"
    summary reach_fine "distance alone; twice the particles along y"
    summary gravity_0 "no gravity"
    summary gravity_1 "half the gravity from there"
    summary gravity_2 "all of it from there"
    summary goal_1 "goal (0.59 0.6 0.55) m"
    summary goal_2 "goal (0.62 0.55 0.6) m from there"
    summary goal_3 "the published goal from there"
    summary sqp "sqp; feasible first"
    summary IPOPT "IPOPT; feasible first"
    summary particles "a modulus a particle; sqp"
    summary seed_2 "wider start; seed 2"
  } > "arm_3d.$BASHPID"
  mv "arm_3d.$BASHPID" arm_3d.csv
}

# arm RUN EVALUATIONS ARGUMENTS...
arm() {
  local run=$1 evaluations=$2
  shift 2
  kept "$run" > /dev/null && return
  solve "$run" arm_codesign_3d "${quick[@]}" --set optimizer.max_evaluations="$evaluations" "$@"
  tables
}

# beside COMMAND...: so many at a time
beside() {
  while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
    wait -n || true
  done
  "$@" &
}

# from the shipped goal to the published one, from the best design of each to the next
nearer() {
  arm goal_1 30
  arm goal_2 25 --set 'constraints.[0].target=[0.62, 0.55, 0.6]' --start goal_1
  arm goal_3 25 "${published[@]}" --start goal_2
}

# without gravity, with half of it and with all of it
heavier() {
  arm gravity_0 30 "${published[@]}" --set 'simulation.gravity=[0, 0, 0]'
  arm gravity_1 20 "${published[@]}" --set 'simulation.gravity=[0, 1, 0]' --start gravity_0
  arm gravity_2 20 "${published[@]}" --start gravity_1
}

beside arm reach 60 "${reach[@]}"
beside arm reach_no_gravity 50 "${reach[@]}" --set 'simulation.gravity=[0, 0, 0]'
beside arm reach_time_twice 20 "${reach[@]}" --set simulation.steps=1200 --set optimizer.force=true
beside arm published 150 "${published[@]}"
beside arm reach_fine 30 "${reach[@]}" "${fine[@]}"
beside arm reach_muscles_twice 40 "${reach[@]}" "${strong[@]}"
soft='{variable="actuation"; start_spread=0.1;}'
beside arm reach_3_Pa 30 "${reach[@]}" --set "design=($soft)" --set 'materials.[0].youngs_modulus=3'
beside arm reach_static 15 "${reach[@]}" --set simulation.damping=4 --set simulation.steps=1200 --set controller.hold=1200
beside arm sqp 25 "${published[@]}" --set optimizer.name=sqp --set optimizer.phases=feasibility_first
beside arm IPOPT 25 "${published[@]}" --set optimizer.name=IPOPT --set optimizer.phases=feasibility_first
beside arm particles 20 "${published[@]}" --set optimizer.name=sqp --set "design=($soft,
  {variable=\"youngs_modulus\"; body=\"link_1\"; per=\"particle\"; start=10; lower=3; upper=40;},
  {variable=\"youngs_modulus\"; body=\"link_2\"; per=\"particle\"; start=10; lower=3; upper=40;})"
beside arm seed_2 25 "${published[@]}" --seed 2 --set 'design.[0].start_spread=0.3'
kept goal_3 > /dev/null || KEEP="" beside nearer # a chain is made whole: the table has no designs
kept gravity_2 > /dev/null || KEEP="" beside heavier
if ! kept shipped > /dev/null; then
  beside solve shipped arm_codesign_3d --threads 1
fi
wait
tables
cp arm_3d.csv "$here/arm_3d.csv"

[ ! -d shipped ] || "$cqopt" render shipped --sheet 3 --columns 3 --color youngs_modulus --size 480x230 --output "$here/arm_3d.png"
