#!/usr/bin/env bash
# pendulum_water: how far the pole of the trained network, of that of its first stage and of random ones turns, over the time
# that it was trained for and twice as long and more, with the walls of the problem and with others: fluid_pendulum.csv, and a picture.
# trained_5: trained on over 5 s; first_stage_cut, trained_cut: over 1 s, and on over 3 s, with gradients that are cut every 50 steps. Some twelve minutes on one core. With PYTHON, which needs what make_ppo.sh says, and a
# library that CQOPT_LIBRARY names, also PPO, of so many processor SECONDS a SEED: four minutes, as the network takes.
#
#   results/reference/make_pendulum.sh [build/cqopt [WORK [PYTHON [SECONDS [SEEDS]]]]]
#
# It may be cut off at any time and goes on with what is in the folder WORK. most_turn [rad]; held [s]: until it is 0.2.
# fluid_pendulum_learning.csv: the objective per second over simulated steps; PPO's of a policy with its noise, and its processor seconds.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
python=${3:-} seconds=${4:-240} seeds=${5:-1}
[ -n "$python" ] || seeds=""
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

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
solve trained_5 pendulum_water --start trained --set=stages=unset --set=simulation.steps=2000 --set=optimizer.target=unset \
  --set=optimizer.max_evaluations=24 --set=optimizer.verify_refined=false --set=output.report=false
solve first_stage_cut pendulum_water --set=stages=unset --set=simulation.steps=400 --set=simulation.horizon=50 \
  --set=optimizer.target=unset --set=optimizer.max_evaluations=20 --set=optimizer.verify_refined=false --set=output.report=false
solve trained_cut pendulum_water --start first_stage_cut --set=stages=unset --set=simulation.horizon=50 \
  --set=optimizer.target=unset --set=optimizer.max_evaluations=10 --set=optimizer.verify_refined=false --set=output.report=false
for seed in $seeds; do
  nice -n 5 "$python" "$here/pendulum_ppo.py" train . "$seed" "$seconds"
done
{
  echo "controller,walls,time,most_turn,held"
  for set in own slower faster; do
    for steps in 400 1200 2400 4000; do
      measure trained "$set" "$steps" --design trained
      measure trained_5 "$set" "$steps" --design trained_5
    done
    for steps in 400 1200; do
      measure first_stage "$set" "$steps" --design trained/stage-1
    done
    for steps in 400 1200 2400; do
      measure first_stage_cut "$set" "$steps" --design first_stage_cut
      measure trained_cut "$set" "$steps" --design trained_cut
    done
  done
  for seed in 0 1 2 3 4; do
    measure "random_$seed" own 1200 --seed "$seed"
  done
  for seed in $seeds; do
    for set in own slower faster; do
      # shellcheck disable=SC2086
      "$python" "$here/pendulum_ppo.py" turns . "$seed" "$set" ${walls[$set]}
    done
  done
} > pendulum.csv
mv pendulum.csv "$here/fluid_pendulum.csv"

# learned FOLDER STAGE STEPS SECONDS BEFORE: by gradients; one counts as another run
learned() {
  awk -F, -v stage="$2" -v steps="$3" -v seconds="$4" -v before="$5" '
    NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
    { printf "gradients,%d,%d,%.4g,\n", stage, before + 2 * steps * $column["eval"], $column["f"] / seconds }' "$1/history.csv"
}

{
  echo "method,stage,steps,objective,seconds"
  learned trained/stage-1 1 400 1 0
  learned trained 2 1200 3 $((2 * 400 * ($(wc -l < trained/stage-1/history.csv) - 1)))
  for seed in $seeds; do
    awk -F, -v seed="$seed" 'NR % 3 == 0 { print "ppo_" seed "," $1 "," $2 "," $4 "," $3 }' "ppo_$seed.csv"
  done
} > learning.csv
mv learning.csv "$here/fluid_pendulum_learning.csv"
"$cqopt" render pendulum_water --design trained --set stages=unset --sheet 4 --columns 2 --size 640x360 --output "$here/fluid_pendulum.png"
