#!/usr/bin/env bash
# The tasks among grains: grain_tasks.csv. Of each task the best of 64 simulations by five methods over five seeds, with mean,
# deviation and worst of its re-runs; the start; and a random design of each seed. And grain_identified.csv: what
# angle_of_repose_identification finds with other starts of the grains. Hours on two cores.
#
#   results/reference/make_grain_tasks.sh [build/cqopt] [FOLDER]
#
# Both tables are written anew after each solve, cheap tasks first, so that what has been made is a table at any time. Runs that
# FOLDER has are not made again, so that it can be stopped; without it they are in a folder that is removed at the end.
# TASKS="bulldozing excavation" takes some of them alone.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

methods=(LN_NELDERMEAD cmaes LN_BOBYQA random_smoothing random_search)
tasks=(pour gear_tower hopper bulldozing bulldozing_goal wheel_on_sand excavation excavation_arm excavation_panda)
lean=(--set optimizer.verify_refined=false --set 'output={report=false; trajectory=false;}')

# row TASK METHOD SEED RUN
row() {
  printf '%s,%s,%s' "$1" "$2" "$3"
  local name
  for name in evaluations f f_mean f_deviation f_worst repeats_failed seconds; do
    printf ',%s' "$(member "$4" "$name")"
  done
  echo
}

# TABLE: to four digits, beside this script
keep() {
  awk -F, -v OFS=, 'NR > 1 { for (i = 4; i <= NF; i++) { $i = $i == "" ? "" : sprintf("%.4g", $i) } } { print }' "$1" > "$here/$1"
}

# another start of the grains for each seed: methods without draws of their own would do the same thing five times
run() { # TASK NAME SEED ARGUMENTS...
  local task=$1 name=$2 seed=$3
  shift 3
  solve "$task-$name-$seed" "$task" --seed "$seed" --set optimizer.stop_at_target=false "${lean[@]}" \
    --set simulation.start_jitter=1e-3 --set simulation.start_seed="$seed" "$@"
  row "$task" "$name" "$seed" "$task-$name-$seed" >> grain_tasks.csv
  keep grain_tasks.csv
}

# a design drawn between the bounds, as --start takes it
random_design() { # DESIGN SEED
  awk -F, -v seed="$2" 'BEGIN { srand(seed) } NR == 1 { print "name,start"; next } { print $1 "," $5 + rand() * ($6 - $5) }' "$1"
}

identify() { # SEED: from the file's start, with starts of grains of its own
  local run=angle_of_repose_identification-$1 first=$((8 * $1 + 1))
  solve "$run" angle_of_repose_identification --seed "$1" "${lean[@]}" \
    --set "scenarios.vary.[0].values=[$(seq -s, "$first" $((first + 7)))]"
  awk -F, -v head="$1,$(member "$run" evaluations),$(member "$run" f)" \
    'NR > 1 { head = head "," $3 } END { print head }' "$run/design.csv" >> grain_identified.csv
  keep grain_identified.csv
}

echo "task,method,seed,evaluations,f,f_mean,f_deviation,f_worst,repeats_failed,seconds" > grain_tasks.csv
echo "seed,evaluations,chi_square,friction,rolling_friction" > grain_identified.csv
for seed in 1 2 3; do
  identify "$seed"
done
for task in ${TASKS:-${tasks[*]}}; do
  for seed in 1 2 3 4 5; do
    run "$task" start "$seed" --set optimizer.max_evaluations=1
    random_design "$task-start-$seed/design.csv" "$seed" > "$task-random-$seed.csv"
    run "$task" random "$seed" --set optimizer.max_evaluations=1 --start "$task-random-$seed.csv"
    for method in "${methods[@]}"; do
      run "$task" "$method" "$seed" --set optimizer.name="$method" --set optimizer.max_evaluations=64
    done
  done
done
