#!/usr/bin/env bash
# DiffFR's tasks at their published sizes, those of examples/difffr that its table 2 has: a forward run and what a gradient
# takes: fluid_speed.csv. Some twenty minutes on one core.
#
#   results/reference/make_fluid_speed.sh [build/cqopt [WORK [STEPS [TASKS]]]]
#
# It may be cut off at any time and goes on with what is in the folder WORK; the table has all that is there. Forward
# runs are whole ones but where timed_steps is less than steps; gradients are timed over so many first steps (10); both are
# scaled to all. Seconds are processor time of one thread, as many as a run of one step takes taken away. f is that of the start after timed_steps. Published numbers
# are of DiffFR's table 2, on 6 cores.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
published_tasks=$here/../../examples/difffr
few=${3:-10}
all="billiards_water bottle_flip rafting stone_skipping high_diving pendulum_water"
read -ra tasks <<< "${4-$all}"
export OMP_WAIT_POLICY=passive
TIMEFORMAT=%U

# timed RUN TASK ARGUMENTS...: RUN.out, and seconds in RUN.time, unless they are there
timed() {
  local run=$1 task=$2
  shift 2
  [ -s "$run.time" ] && return
  { time "$cqopt" evaluate "$published_tasks/$task.cfg" --threads 1 --format csv "$@" > "$run.out" 2> "$run.err"; } 2> "$run.new" ||
    { cat "$run.err" >&2; exit 1; }
  mv "$run.new" "$run.time"
}

# sizes TASK: its steps, those that are timed; particles, steps, seconds of a run and of a gradient as published
sizes() {
  case $1 in
    billiards_water) echo 500 500 87374,226,29.3,0.5 ;;
    bottle_flip) echo 2778 2778 13312,2771,61.7,74.7 ;;
    rafting) echo 1000 200 105154,635,125.1,3.9 ;;
    stone_skipping) echo 575 100 237699,1478,472.6,0.8 ;;
    high_diving) echo 1150 250 153389,3092,688,6.5 ;;
    pendulum_water) echo 5000 5000 2871,5000,, ;; # whose times are not published
  esac
}

# scaled NAME FEW MANY STEPS: seconds of so many, by two runs; nothing where one is not there
scaled() {
  [ -s "$1-$2.time" ] && [ -s "$1-$3.time" ] || return 0
  awk -v few="$(< "$1-$2.time")" -v many="$(< "$1-$3.time")" -v a="$2" -v b="$3" -v n="$4" \
    'BEGIN { printf "%.4g", (many - few) / (b - a) * n }'
}

table() {
  local task steps part published particles
  echo "task,published_particles,published_steps,published_forward,published_gradient,particles,steps,forward,local,exact,timed_steps,f"
  for task in $all; do
    read -r steps part published < <(sizes "$task")
    [ -s "$task-$part.time" ] || continue
    particles=$("$cqopt" show "$published_tasks/$task.cfg" | sed -n 's/.*: \([0-9]*\) particles, fluid.*/\1/p')
    echo "$task,$published,$particles,$steps,$(scaled "$task" 1 "$part" "$steps"),$(scaled "$task-local" 1 $((few + 1)) "$steps"),$(
      scaled "$task-exact" 1 $((few + 1)) "$steps"),$part,$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print $column["f"] }' "$task-$part.out")"
  done
}

for task in ${tasks[@]+"${tasks[@]}"}; do
  read -r steps part published < <(sizes "$task")
  timed "$task-1" "$task" --set simulation.steps=1
  timed "$task-$part" "$task" --set simulation.steps="$part"
  for way in local exact; do
    timed "$task-$way-1" "$task" --gradient --set simulation.gradient="$way" --set simulation.horizon=0 --set simulation.steps=1
    timed "$task-$way-$((few + 1))" "$task" --gradient --set simulation.gradient="$way" --set simulation.horizon=0 --set simulation.steps=$((few + 1))
  done
done
table > rows
mv rows "$here/fluid_speed.csv"
