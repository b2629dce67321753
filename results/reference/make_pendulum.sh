#!/usr/bin/env bash
# pendulum_water: how far the pole of the trained network, of that of its first stage and of random ones turns, over the time
# that it was trained for and twice as long, with the walls of the problem and with others: fluid_pendulum.csv, and a picture.
# Some six minutes on one core.
#
#   results/reference/make_pendulum.sh [build/cqopt [WORK]]
#
# It may be cut off at any time and goes on with what is in the folder WORK. most_turn [rad]; held [s]: until it is 0.2.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive

declare -A walls=(
  [own]=""
  [slower]="[[0.4,0.25,0,0],[0.8,-0.125,0,0]] [[0.45,0.2,0,0],[0.9,-0.1,0,0]]"
  [faster]="[[0.7,0.15,0,0],[1.4,-0.075,0,0]] [[0.5,0.2,0,0],[1.0,-0.1,0,0]]"
)

# measure NAME WALLS STEPS ARGUMENTS...: a row of the table
measure() {
  local run=$1-$2-$3 sets=() side=0 sway
  for sway in ${walls[$2]}; do
    sets+=("--set=boundaries.obstacles.[$side].sway=$sway")
    side=$((side + 1))
  done
  if [ ! -f "$run.row" ]; then
    rm -rf "$run"
    "$cqopt" simulate pendulum_water --output "$run" --quiet --set=output.trajectory=false \
      --set=stages=unset --set=simulation.steps="$3" "${sets[@]}" "${@:4}" > "$run.out"
    awk -F, -v name="$1" -v walls="$2" '
      NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "pole.turn_z") { turn = i } } next }
      { a = $turn < 0 ? -$turn : $turn; most = a > most ? a : most; if (most <= 0.2) { held = $1 } time = $1 }
      END { printf "%s,%s,%.4g,%.4g,%.4g\n", name, walls, time, most, held }' "$run/observations.csv" > "$run.row.new"
    mv "$run.row.new" "$run.row"
  fi
  cat "$run.row"
}

solve trained pendulum_water --set=output.report=false
{
  echo "controller,walls,time,most_turn,held"
  for set in own slower faster; do
    for steps in 400 1200 2400; do
      measure trained "$set" "$steps" --design trained
    done
    for steps in 400 1200; do
      measure first_stage "$set" "$steps" --design trained/stage-1
    done
  done
  for seed in 0 1 2 3 4; do
    measure "random_$seed" own 1200 --seed "$seed"
  done
} > pendulum.csv
mv pendulum.csv "$here/fluid_pendulum.csv"
"$cqopt" render pendulum_water --design trained --set stages=unset --sheet 4 --columns 2 --size 640x360 --output "$here/fluid_pendulum.png"
