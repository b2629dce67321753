#!/usr/bin/env bash
# DiffFR's tasks at their published sizes, those of examples/difffr: one forward run each, and what a gradient takes, for
# its table 2: fluid_speed.csv. Some twenty minutes on one core.
#
#   results/reference/make_fluid_speed.sh [build/cqopt [WORK [STEPS [TASKS]]]]
#
# It may be cut off at any time and goes on with what is in the folder WORK; the table has all that is there. Forward
# runs are whole ones but where timed_steps is less than steps; gradients are timed over so many first steps (10); both are scaled to all. Seconds
# are processor time of one thread, as many as a run of one step takes taken away. f is that of the start after timed_steps. Published numbers
# are of DiffFR's table 2, on 6 cores.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
published=$here/../../examples/difffr
steps=${3:-10}
read -ra tasks <<< "${4:-billiards_water bottle_flip bottle_flip_table rafting stone_skipping high_diving}"
export OMP_WAIT_POLICY=passive
TIMEFORMAT=%U

# timed RUN TASK ARGUMENTS...: RUN.out, and seconds in RUN.time, unless they are there
timed() {
  local run=$1 task=$2
  shift 2
  [ -s "$run.time" ] && return
  { time "$cqopt" evaluate "$published/$task.cfg" --threads 1 --format csv "$@" > "$run.out" 2> "$run.err"; } 2> "$run.new" ||
    { cat "$run.err" >&2; exit 1; }
  mv "$run.new" "$run.time"
}

# per_step NAME FEW MANY: seconds a step, of two runs
per_step() {
  awk -v few="$(< "$1-$2.time")" -v many="$(< "$1-$3.time")" -v a="$2" -v b="$3" 'BEGIN { print (many - few) / (b - a) }'
}

# row TASK STEPS TIMED GRADIENTS PARTICLES,STEPS,FORWARD,GRADIENT: its own steps, those that are timed, gradients; what is published
row() {
  local task=$1 all=$2 part=$3 way
  timed "$task-1" "$task" --set simulation.steps=1
  timed "$task-$part" "$task" --set simulation.steps="$part"
  for way in $4; do
    timed "$task-$way-1" "$task" --gradient --set simulation.gradient="$way" --set simulation.steps=1
    timed "$task-$way-$((steps + 1))" "$task" --gradient --set simulation.gradient="$way" --set simulation.steps=$((steps + 1))
  done
  {
    printf '%s,%s,%s,%s' "$task" "$5" "$("$cqopt" show "$published/$task.cfg" | sed -n 's/.*: \([0-9]*\) particles, fluid.*/\1/p')" "$all"
    printf ',%.4g' "$(per_step "$task" 1 "$part" | awk -v n="$all" '{ print $1 * n }')"
    for way in local exact; do
      [ -s "$task-$way-1.time" ] && printf ',%.4g' "$(per_step "$task-$way" 1 $((steps + 1)) | awk -v n="$all" '{ print $1 * n }')" || printf ','
    done
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print "," $column["f"] }' "$task-$part.out" | sed "s/^/,$part/"
  } > "$task.row"
}

table() {
  echo "task,published_particles,published_steps,published_forward,published_gradient,particles,steps,forward,local,exact,timed_steps,f"
  cat ./*.row
}

for task in "${tasks[@]}"; do
  case $task in
    billiards_water) row "$task" 500 500 "local exact" 87374,226,29.3,0.5 ;;
    bottle_flip) row "$task" 2778 2778 "local exact" 13312,2771,61.7,74.7 ;;
    bottle_flip_table) row "$task" 3889 500 "" 13312,,, ;;
    rafting) row "$task" 1000 200 "local exact" 105154,635,125.1,3.9 ;;
    stone_skipping) row "$task" 575 100 "local exact" 237699,1478,472.6,0.8 ;;
    high_diving) row "$task" 1150 250 "local exact" 153389,3092,688,6.5 ;;
  esac
  table > "$here/fluid_speed.csv"
done
