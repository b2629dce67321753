#!/usr/bin/env bash
# The tasks among grains: grain_tasks.csv. Of each task the best of 64 simulations by five methods over five seeds, with mean,
# deviation and worst of its re-runs; the start; and a random design of each seed. And grain_identified.csv: what
# angle_of_repose_identification finds with other starts of the grains. And grain_transfer.csv: what the best paths of a blade
# and a scoop among a thousand grains do among four times as many smaller ones; grain_targets.csv. Hours on two cores.
#
#   results/reference/make_grain_tasks.sh [build/cqopt] [FOLDER]
#
# The tables are written anew after each solve, cheap tasks first, so that what has been made is a table at any time. Runs that
# FOLDER has are not made again, so that it can be stopped; without it they are in a folder that is removed at the end.
# TASKS="bulldozing excavation" takes some of them alone; KEEP=1 keeps the searches that the table beside this script has.
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

# another start of the grains for each seed: methods without draws of their own would do the same thing five times; a number
# at the end of TASK says that ARGUMENTS give it so many grains
run() { # TASK NAME SEED ARGUMENTS...
  local task=$1 name=$2 seed=$3
  shift 3
  solve "$task-$name-$seed" "${task%_[0-9]*}" --seed "$seed" --set optimizer.stop_at_target=false "${lean[@]}" \
    --set simulation.start_jitter=1e-3 --set simulation.start_seed="$seed" "$@"
  row "$task" "$name" "$seed" "$task-$name-$seed" >> grain_tasks.csv
  keep grain_tasks.csv
}

# a design drawn between the bounds, as --start takes it
random_design() { # DESIGN SEED
  awk -F, -v seed="$2" 'BEGIN { srand(seed) } NR == 1 { print "name,start"; next } { print $1 "," $5 + rand() * ($6 - $5) }' "$1"
}

identify() { # SEED: from the file's start, with starts of grains of its own; to less than the file's target, which allows for luck
  local run=angle_of_repose_identification-$1 first=$((24 * $1 + 1))
  solve "$run" angle_of_repose_identification --seed "$1" "${lean[@]}" --set optimizer.target=1.4 \
    --set "scenarios.vary.[0].values=[$(seq -s, "$first" $((first + 23)))]"
  awk -F, -v head="$1,$(member "$run" evaluations),$(member "$run" f)" \
    'NR > 1 { head = head "," $3 } END { print head }' "$run/design.csv" >> grain_identified.csv
  keep grain_identified.csv
}

unsearched() { # TASK SEED ARGUMENTS...: the start, and a random design
  run "$1" start "$2" --set optimizer.max_evaluations=1 "${@:3}"
  random_design "$1-start-$2/design.csv" "$2" > "$1-random-$2.csv"
  run "$1" random "$2" --set optimizer.max_evaluations=1 --start "$1-random-$2.csv" "${@:3}"
}

search() { # TASK METHOD SEED ARGUMENTS...
  if grep "^$1,$2,$3," had.csv >> grain_tasks.csv; then
    keep grain_tasks.csv
    return
  fi
  run "$1" "$2" "$3" --set optimizer.name="$2" --set optimizer.max_evaluations=64 "${@:4}"
}

transfer() { # TASK METHOD SEED GRAINS ARGUMENTS...: what a search has found, with so many grains
  local f
  f=$("$cqopt" evaluate "${1%_[0-9]*}" --at "$1-$2-$3" --format csv "${@:5}" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print $column["f"] }')
  echo "$1,$2,$3,$4,$(member "$1-$2-$3" f_mean),$f" >> grain_transfer.csv
  keep grain_transfer.csv
}

grains() { # RADIUS COUNT
  printf -- '--set\nbodies.[0].grain_radius=%s\n--set\nbodies.[0].count=%s\n' "$1" "$2"
}

# of the problem files; of a thousand grains what levelling is asked for
{
  echo "task,target"
  for task in "${tasks[@]}"; do
    sed -n "s/^optimizer.* target = \([-0-9.e]*\);.*/$task,\1/p" "$here/../../problems/$task.cfg"
  done
  echo "bulldozing_1008,0.05"
} > "$here/grain_targets.csv"
: > had.csv
[ -z "${KEEP:-}" ] || grep -v '^[a-z_]*_[0-9]' "$here/grain_tasks.csv" > had.csv # what is carried over is of runs that are there
echo "task,method,seed,evaluations,f,f_mean,f_deviation,f_worst,repeats_failed,seconds" > grain_tasks.csv
echo "seed,evaluations,chi_square,friction,rolling_friction" > grain_identified.csv
for seed in 1 2 3; do
  identify "$seed"
done
for task in ${TASKS:-${tasks[*]}}; do
  for seed in 1 2 3 4 5; do
    unsearched "$task" "$seed"
    for method in "${methods[@]}"; do
      search "$task" "$method" "$seed"
    done
  done
done

echo "task,method,seed,grains,f_mean,f_with_these" > grain_transfer.csv
mapfile -t thousand < <(grains 0.0137 '[12, 14, 6]')
mapfile -t finer_heap < <(grains 0.0087 '[19, 22, 10]')
mapfile -t finer_bed < <(grains 0.0126 '[40, 16, 6]')
for seed in 1 2 3; do
  unsearched bulldozing_1008 "$seed" "${thousand[@]}"
  for method in LN_NELDERMEAD cmaes; do
    search bulldozing_1008 "$method" "$seed" "${thousand[@]}"
    transfer bulldozing_1008 "$method" "$seed" 4180 "${finer_heap[@]}"
    [ -d "excavation-$method-$seed" ] || continue
    transfer excavation "$method" "$seed" 3840 "${finer_bed[@]}" --set simulation.time_step=2e-3 --set simulation.steps=1200
  done
done
