#!/usr/bin/env bash
# How far walker_2d gets in ten times the time it was trained for: gaits.csv. Some twenty minutes on one core.
#
#   results/reference/make_gaits.sh [build/cqopt [WORK]]
#
# It may be cut off at any time, goes on with what is in the folder WORK, and writes what there is. Each row is a training
# by adam in float, of 36,000 steps with their gradients or 60 evaluations of 600 steps: as shipped; in stages of 200, 400 and
# 600 steps; with the term periodic; with three scenarios of friction and of a kick to the head; with a clock of half a second in the place of where its
# blocks are, without and with the term periodic; and as shipped or with both from states along a run: for a third of the cost alone, and then in three scenarios,
# from the start and from what the gait had come to after 1 and 2 s. Then the head's way from its start
# is measured in 3 s and in 30 s, in a room that is long enough: as trained, on a ground of friction 0.4, and with the head kicked
# back at 0.7 m/s as the run begins. It has fallen where the head's centre, which starts 0.4 m high, is below 0.25 m; `fell` is
# when first [s].
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive

# what a training says beside the problem, and the sets of its optimizer
problem() { # TRAINING RUN
  echo '@include "walker_2d"'
  echo 'output: { report = false; trajectory = false; };'
  case $1 in
    stages)
      echo 'stages: ( { set = ["simulation.steps=200", "optimizer.max_evaluations=60"]; },'
      echo '  { set = ["simulation.steps=400", "optimizer.max_evaluations=30"]; } );'
      ;;
    clock*)
      echo 'controller: { type = "tanh_linear"; inputs: ('
      echo '  { read = "clock"; clocks = 4; rate = 12.566370614359172; }, { read = "velocity"; } ); };'
      ;;
  esac
  case $1 in
    *periodic*)
      echo 'objective: ( { term = "mean_position"; body = "head"; direction = "x"; weight = -1; },'
      echo '  { term = "periodic"; period = 0.5; weight = 10; } );'
      ;;
    scenarios)
      echo 'scenarios: { vary: ( { key = "boundaries.domain.friction"; values = [0.5, 0.3, 0.8]; },'
      echo '  { key = "bodies.[3].velocity"; values = [[0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]; } ); };'
      ;;
    *states) # in a room for what begins later
      echo "simulation = { grid = [160, 40]; start_file = \"$2-0.csv\"; };"
      echo "scenarios: { vary: ( { key = \"simulation.start_file\"; values = [\"$2-0.csv\", \"$2-1.csv\", \"$2-2.csv\"]; } ); };"
      ;;
  esac
}
declare -A evaluations=([shipped]=60 [stages]=20 [periodic]=60 [scenarios]=20 [clock]=60 [clock_periodic]=60 [states]=13 [clock_periodic_states]=13)

# train RUN CFG SEED EVALUATIONS ARGUMENTS...
train() {
  solve "$1" "$2" --threads 1 --seed "$3" --set simulation.precision=float --set optimizer.max_evaluations="$4" \
    --set optimizer.verify_refined=false "${@:5}"
}

# way RUN NAME SETS...: "x at 3 s, x at 30 s, when it fell" of the head, from its start
way() {
  local run=$1 name=$1-$2
  shift 2
  if [ ! -s "$name.way" ]; then
    rm -rf "$name"
    "$cqopt" simulate "$run/problem.cfg" --design "$run" --threads 1 --quiet --output "$name" \
      --set scenarios=unset --set simulation.start_state=unset \
      --set 'simulation.grid=[800,40]' --set simulation.steps=6000 "$@" > "$name.out" 2>&1 || true # a run that fails has the rows up to there
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
      NR == 2 { x0 = $at["head.x"] }
      NR > 1 && $at["head.y"] < 0.25 && fell == "" { fell = $1 }
      NR == 602 { near = $at["head.x"] - x0 }
      NR == 6002 { far = $at["head.x"] - x0 }
      END { printf "%s,%s,%s\n", near == "" ? "" : sprintf("%.4f", near), far == "" ? "" : sprintf("%.4f", far), fell }' \
      "$name/observations.csv" > "$name.way"
    rm -rf "$name"
  fi
  cat "$name.way"
}

table="$here/gaits.csv"
echo "training,seed,objective,near,far,fell,near_slippery,far_slippery,fell_slippery,near_kicked,far_kicked,fell_kicked" > rows
for seed in 1 2; do
  for training in shipped stages periodic scenarios clock clock_periodic states clock_periodic_states; do
    run=$training-$seed start=()
    problem "$training" "$run" > "$training.cfg"
    if [[ $training = *states ]]; then
      problem "${training%states}" > first.cfg
      train "$run-first" first.cfg "$seed" 20
      for time in 0 1 2; do
        [ -s "$run-$time.csv" ] || "$cqopt" export "$run-first" --state $time --output "$run-$time.csv" --threads 1 > export.out
      done
      start=(--start "$run-first")
    fi
    train "$run" "$training.cfg" "$seed" "${evaluations[$training]}" "${start[@]}"
    echo "$training,$seed,$(member "$run" f),$(way "$run" plain),$(way "$run" slippery --set boundaries.domain.friction=0.4),$(way "$run" \
      kicked --set 'bodies.[3].velocity=[-0.7,0]')" >> rows
    cp rows "$table"
  done
done
