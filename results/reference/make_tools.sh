#!/usr/bin/env bash
# Solves the problems with rigid tools: tools.csv and tools_*.png. Each by the method of its file from its shipped start,
# by CMA-ES with three seeds from there at the same cost, at twenty random designs, and without control.
# Some minutes on two cores.
#
#   results/reference/make_tools.sh [build/cqopt] [FOLDER]
#
# Runs that FOLDER has are not made again; without it they are in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# row TASK METHOD SEED RUN
row() {
  printf '%s,%s,%s' "$1" "$2" "$3"
  local name
  for name in exit_code evaluations gradients f violation seconds half_step_f; do
    printf ',%s' "$(member "$4" "$name")"
  done
  echo
}

echo "task,method,seed,exit_code,evaluations,gradients,f,violation,seconds,half_step_f" > tools.csv
for task in gripper grasp_friction push_t conveyor_2d piston_2d; do
  solve "$task" "$task"
  row "$task" gradients 1 "$task" >> tools.csv
  # a value and its gradient cost three runs
  cost=$(($(member "$task" evaluations) + 2 * $(member "$task" gradients)))
  for seed in 1 2 3; do
    solve "$task-cmaes-$seed" "$task" --set optimizer.name=cmaes --seed "$seed" --set optimizer.max_evaluations="$cost"
    row "$task" cmaes "$seed" "$task-cmaes-$seed" >> tools.csv
  done
  solve "$task-random" "$task" --set optimizer.name=random_search --set optimizer.max_evaluations=21
  row "$task" random 1 "$task-random" >> tools.csv
  awk -F, 'NR == 1 { print "name,start"; next } { print $1 ",0" }' "$task/design.csv" > "$task-none.csv"
  solve "$task-none" "$task" --start "$task-none.csv" --set optimizer.max_evaluations=1
  row "$task" none 1 "$task-none" >> tools.csv
done
awk -F, -v OFS=, 'NR > 1 { for (i = 7; i <= 10; i++) { $i = $i == "" ? "" : sprintf("%.4g", $i) } } { print }' tools.csv > "$here/tools.csv"

for task in gripper grasp_friction push_t conveyor_2d; do
  "$cqopt" render "$task" --sheet 3 --columns 3 --size 640x190 --output "$here/tools_$task.png"
done
