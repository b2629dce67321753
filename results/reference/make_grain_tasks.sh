#!/usr/bin/env bash
# The tasks among grains: grain_tasks.csv. Of each task the best of 64 simulations by five methods over five seeds, with mean,
# deviation and worst of its re-runs; the start; and a random design of each seed. Hours on two cores.
#
#   results/reference/make_grain_tasks.sh [build/cqopt] [FOLDER]
#
# Runs that FOLDER has are not made again, so that it can be stopped at any time; without it they are in a folder that is
# removed at the end. TASKS="bulldozing excavation" takes some of them alone.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

methods=(LN_NELDERMEAD cmaes LN_BOBYQA random_smoothing random_search)

# row TASK METHOD SEED RUN
row() {
  printf '%s,%s,%s' "$1" "$2" "$3"
  local name
  for name in evaluations f f_mean f_deviation f_worst repeats_failed seconds; do
    printf ',%s' "$(member "$4" "$name")"
  done
  echo
}

# another start of the grains for each seed: methods without draws of their own would do the same thing five times
run() { # TASK NAME SEED ARGUMENTS...
  local task=$1 name=$2 seed=$3
  shift 3
  solve "$task-$name-$seed" "$task" --seed "$seed" --set optimizer.stop_at_target=false \
    --set optimizer.verify_refined=false --set 'output={report=false; trajectory=false;}' \
    --set simulation.start_jitter=1e-3 --set simulation.start_seed="$seed" "$@"
  row "$task" "$name" "$seed" "$task-$name-$seed" >> grain_tasks.csv
}

# a design drawn between the bounds, as --start takes it
random_design() { # DESIGN SEED
  awk -F, -v seed="$2" 'BEGIN { srand(seed) } NR == 1 { print "name,start"; next } { print $1 "," $5 + rand() * ($6 - $5) }' "$1"
}

echo "task,method,seed,evaluations,f,f_mean,f_deviation,f_worst,repeats_failed,seconds" > grain_tasks.csv
for task in ${TASKS:-bulldozing bulldozing_goal excavation hopper pour wheel_on_sand}; do
  for seed in 1 2 3 4 5; do
    run "$task" start "$seed" --set optimizer.max_evaluations=1
    random_design "$task-start-$seed/design.csv" "$seed" > "$task-random-$seed.csv"
    run "$task" random "$seed" --set optimizer.max_evaluations=1 --start "$task-random-$seed.csv"
    for method in "${methods[@]}"; do
      run "$task" "$method" "$seed" --set optimizer.name="$method" --set optimizer.max_evaluations=64
    done
  done
done
awk -F, -v OFS=, 'NR > 1 { for (i = 5; i <= 10; i++) { $i = $i == "" ? "" : sprintf("%.4g", $i) } } { print }' \
  grain_tasks.csv > "$here/grain_tasks.csv"
