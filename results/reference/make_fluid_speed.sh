#!/usr/bin/env bash
# DiffFR's tasks at their published sizes, those of examples/difffr: one forward run each, and what a gradient takes, for
# its table 2: fluid_speed.csv. Some twenty minutes on one core.
#
#   results/reference/make_fluid_speed.sh [build/cqopt [WORK [STEPS]]]
#
# It may be cut off at any time and goes on with what is in the folder WORK; the table has all that is there. Forward
# runs are whole ones; gradients are timed over so many first steps (10) and scaled to all of them. Seconds are processor time of one
# thread, as many as a run of one step takes taken away. f is that of the start. Published numbers are of DiffFR's table 2, on 6 cores.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
published=$here/../../examples/difffr
steps=${3:-10}
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

# row TASK STEPS GRADIENTS PARTICLES,STEPS,FORWARD,GRADIENT: its own steps and gradients, then what is published
row() {
  local task=$1 all=$2 way
  timed "$task-1" "$task" --set simulation.steps=1
  timed "$task-$all" "$task"
  for way in $3; do
    timed "$task-$way-1" "$task" --gradient --set simulation.gradient="$way" --set simulation.steps=1
    timed "$task-$way-$((steps + 1))" "$task" --gradient --set simulation.gradient="$way" --set simulation.steps=$((steps + 1))
  done
  {
    printf '%s,%s,%s,%s' "$task" "$4" "$("$cqopt" show "$published/$task.cfg" | sed -n 's/.*: \([0-9]*\) particles, fluid.*/\1/p')" "$all"
    printf ',%.4g' "$(per_step "$task" 1 "$all" | awk -v n="$all" '{ print $1 * n }')"
    for way in local exact; do
      [ -s "$task-$way-1.time" ] && printf ',%.4g' "$(per_step "$task-$way" 1 $((steps + 1)) | awk -v n="$all" '{ print $1 * n }')" || printf ','
    done
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print "," $column["f"] }' "$task-$all.out"
  } > "$task.row"
}

table() {
  echo "task,published_particles,published_steps,published_forward,published_gradient,particles,steps,forward,local,exact,f"
  cat "${tasks[@]/%/.row}" 2> /dev/null || true
}

tasks=(bottle_flip bottle_flip_table stone_skipping rafting high_diving billiards_water)
trap 'table > "$here/fluid_speed.csv"' EXIT
row billiards_water 500 "local exact" 87374,226,29.3,0.5
row bottle_flip 2778 "local exact" 13312,2771,61.7,74.7
row rafting 1000 "local exact" 105154,635,125.1,3.9
row bottle_flip_table 3889 "" 13312,,,
row stone_skipping 575 "local exact" 237699,1478,472.6,0.8
row high_diving 1150 "local exact" 153389,3092,688,6.5
