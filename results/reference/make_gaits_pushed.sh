#!/usr/bin/env bash
# How walker_2d takes pushes, and what short horizons do: gaits_pushed.csv. Some five minutes on one core; SEEDS="1" takes one alone.
#
#   results/reference/make_gaits_pushed.sh [build/cqopt [WORK]]
#
# It may be cut off at any time, goes on with what is in the folder WORK, and writes what there is. Each row is a training by adam in
# float, of 36,000 steps with their gradients: 60 evaluations of 600 steps, or 20 of three scenarios in which the head is pushed, not at
# all or by 2 kN back or forward from 0.8 to 1 s; with gradients over the whole run, or with a horizon of 100 steps (half a second), of
# the mean of the head's place over the run instead of that at its end, which the last piece alone would see. Then the head's way from
# its start in 3 s [m] is measured: alone, and with pushes that no training had, of the same force from 1.5 to 1.7 s. It has fallen where
# the head's centre, which starts 0.4 m high, is below 0.25 m; `fell` is in how many of these three runs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive

problem() { # TRAINING
  echo '@include "walker_2d"'
  echo 'output: { report = false; trajectory = false; };'
  # the last of the actuators is the push
  sed -n '/^actuators = (/,/^);/p' "$here/../../problems/walker_2d.cfg" | sed '$d'
  echo '  , { name = "shove"; body = "head"; model = "push"; force = [0, 0]; from = 0.8; until = 1.0; } );'
  case $1 in
    *pushes)
      echo 'scenarios: { vary: ( { key = "actuators.[4].force"; values = [0, 0, -2000, 0, 2000, 0]; } ); };'
      ;;
  esac
  case $1 in
    horizon*) # every piece has a way of its own
      echo 'objective: ( { term = "mean_position"; body = "head"; direction = "x"; weight = -1; when = "running"; } );'
      ;;
  esac
}

# way RUN NAME FORCE: "x at 3 s, 1 where it fell" of the head, pushed with [N]
way() {
  local run=$1 name=$1-$2
  rm -rf "$name"
  "$cqopt" simulate "$run.cfg" --design "$run" --threads 1 --quiet --output "$name" --set scenarios=unset \
    --set "actuators.[4].force=[$3, 0]" --set actuators.[4].from=1.5 --set actuators.[4].until=1.7 > "$name.out" 2>&1
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
    NR == 2 { x0 = $at["head.x"] }
    NR > 1 && $at["head.y"] < 0.25 { fell = 1 }
    END { printf "%.4f,%d\n", $at["head.x"] - x0, fell }' "$name/observations.csv"
  rm -rf "$name"
}

echo "training,horizon,seed,alone,pushed_back,pushed_on,fell" > gaits_pushed.csv
for seed in ${SEEDS:-1 2}; do
  for training in alone pushes horizon horizon_pushes; do
    run=$training-$seed evaluations=60 horizon=0
    problem "$training" > "$run.cfg"
    [[ $training != *pushes ]] || evaluations=20
    [[ $training != horizon* ]] || horizon=100
    solve "$run" "$run.cfg" --threads 1 --seed "$seed" --set simulation.precision=float --set simulation.horizon=$horizon \
      --set optimizer.max_evaluations=$evaluations --set optimizer.verify_refined=false
    IFS=, read -r alone fell_alone <<< "$(way "$run" alone 0)"
    IFS=, read -r back fell_back <<< "$(way "$run" back -2000)"
    IFS=, read -r on fell_on <<< "$(way "$run" on 2000)"
    pushes=none
    [[ $training != *pushes ]] || pushes=three
    echo "$pushes,$horizon,$seed,$alone,$back,$on,$((fell_alone + fell_back + fell_on))" >> gaits_pushed.csv
    cp gaits_pushed.csv "$here/gaits_pushed.csv"
  done
done
