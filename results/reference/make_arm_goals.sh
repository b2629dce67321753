#!/usr/bin/env bash
# How near arm_3d comes to goals that it has not seen: arm_goals.csv. Some five minutes of one core a run; SEEDS="1" takes one seed alone.
#
#   results/reference/make_arm_goals.sh [build/cqopt [FOLDER]]
#
# Over ten random goals a step, with the particles of the built-in problem, in float: gradient descent with rate 1, clipped at 1, as
# published, and adam with rate 0.003. After so many steps the mean distance of the tip to 64 other goals [m], the largest, and the largest share of a
# body's particles that have lost their neighbours at the goal of the file. A run that was cut off goes on.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

range='vary=({key="objective.[0].target"; low=[0.7, 1.17, 0.7]; high=[1.3, 1.17, 1.3];})'

# train RUN STEPS SEED METHOD
train() {
  local method=()
  [ "$4" != adam ] || method=(--set optimizer.name=adam --set optimizer.learning_rate=0.003 --set optimizer.clip=unset)
  solve_to "$2" "$1" arm_3d --seed "$3" "${method[@]}" --set simulation.precision=float --set optimizer.target=unset \
    --set optimizer.verify_refined=false --set output.report=false --set output.trajectory=false \
    --set "scenarios={sampling=\"random\"; count=1000; combine=\"batch\"; batch=10; $range;}"
}

# unseen RUN COMBINE: the mean of the distances, or the worst
unseen() {
  local run=$1.$2
  if [ ! -s "$run" ]; then
    "$cqopt" evaluate arm_3d --at "$1" --threads 1 --format csv --set simulation.precision=float \
      --set 'objective.[0].squared=false' \
      --set "scenarios={sampling=\"random\"; count=64; seed=99; combine=\"$2\"; $range;}" > "$run.csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next } { printf "%.4g\n", $at["f"] }' "$run.csv" > "$run"
  fi
  cat "$run"
}

echo "method,seed,steps,mean,worst,torn_share" > arm_goals.csv
for seed in ${SEEDS:-1 2}; do
  for method in gradient_descent adam; do
    before=
    for steps in 1 10 30 60; do
      run=$method-$seed-$steps
      [ -z "$before" ] || [ -d "$run" ] || cp -r "$before" "$run"
      train "$run" "$steps" "$seed" "$method"
      before=$run
      echo "$method,$seed,$steps,$(unseen "$run" mean),$(unseen "$run" worst),$(member "$run" torn_share)" >> arm_goals.csv
      cp arm_goals.csv "$here"
    done
  done
done
