#!/usr/bin/env bash
# Controllers: makes control_*.csv and their pictures again, in about an hour on one core.
#
#   results/reference/make_control.sh [build/cqopt [WORK]]
#
# What is in the folder WORK already is not run again.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cqopt=$(realpath "${1:-$here/../../build/cqopt}")
work=${2:-$(mktemp -d)}
mkdir -p "$work/tables"
cd "$work"

plain=(--threads 1 --quiet --set output.trajectory=false --set optimizer.verify_refined=false)

# solve FOLDER ARGUMENTS...: a run in the folder, whatever its verdict
solve() {
  local folder=$1
  shift
  [ -f "$folder/done" ] && return
  rm -rf "$folder"
  "$cqopt" solve "$@" "${plain[@]}" --output "$folder" > "$folder.out" 2>&1 || [[ $? =~ ^[36]$ ]] || {
    cat "$folder.out" >&2
    exit 1
  }
  touch "$folder/done"
}

# column FOLDER NAME: a column of its history
column() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == name) { c = i } } }
                        NR > 1 { print $c }' "$1/history.csv"
}

member() {
  sed -n "s/^  \"$2\": \"\{0,1\}\([^,\"]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1/run.json"
}

# --- fixed target, and walking: every seed, best so far by simulations ---

runs() {
  local seed
  for seed in 1 2 3 4 5; do
    solve "finger_gradient_descent_$seed" finger --seed "$seed" --set optimizer.stop_at_target=false
    solve "walker_2d_adam_$seed" walker_2d --seed "$seed"
    solve "walker_2d_gradient_descent_$seed" walker_2d --seed "$seed" \
      --set optimizer.name=gradient_descent --set optimizer.learning_rate=0.03
  done
}

# curves PROBLEM METHOD EXPRESSION: method,seed,simulations,now,best of an expression of f
curves() {
  local seed
  for seed in 1 2 3 4 5; do
    column "$1_$2_$seed" f | awk -v method="$2" -v seed="$seed" '
      function value(f) { return '"$3"' }
      { if (NR == 1 || $1 < best) { best = $1 }
        printf "%s,%d,%d,%.5g,%.5g\n", method, seed, NR, value($1), value(best) }'
  done
}

# health PROBLEM METHOD EXPRESSION: a row a seed
health() {
  local seed run
  for seed in 1 2 3 4 5; do
    run=$1_$2_$seed
    column "$run" gradient_norm | sort -g | awk -v head="$1,$2,$seed,$(member "$run" evaluations)" \
      -v f="$(member "$run" f)" -v failed="$(member "$run" failures)" \
      -v growth="$(member "$run" gradient_growth)" -v worst="$(member "$run" gradient_growth_worst)" '
      function value(f) { return '"$3"' }
      { g[NR] = $1 }
      END { printf "%s,%s,%.5g,%.3g,%.3g,%.3g,%.3g,%.3g\n", head, failed, value(f), g[1],
            g[int((NR + 1) / 2)], g[NR], growth, worst }'
  done
}

# --- random targets: mean distance over 64 that were not seen, by simulations ---

# settings of a range, the side of the square of targets
range() {
  awk -v r="$1" 'BEGIN {
    printf "--set\nscenarios.vary.[0].low=[%.4f, %.4f]\n", 0.5 - r / 2, 0.6 - r / 2
    printf "--set\nscenarios.vary.[0].high=[%.4f, %.4f]\n", 0.5 + r / 2, 0.6 + r / 2
    printf "--set\ncontroller.inputs.[2].scale=\"1/%s\"\n", r }'
}

# unseen FOLDER RANGE SEED
unseen() {
  local settings
  mapfile -t settings < <(range "$2")
  solve "$1.unseen" finger_random --seed "$3" --start "$1" "${settings[@]}" \
    --set scenarios.combine=mean --set scenarios.count=64 --set scenarios.seed=99 \
    --set optimizer.max_evaluations=1 --set optimizer.name=LN_NELDERMEAD \
    --set 'objective.[0].squared=false'
  member "$1.unseen" f
}

# stages NAME RANGE SEED COST "ENDS..." SETTINGS...: one run, looked at after so many evaluations of
# COST simulations
stages() {
  local name=$1 range=$2 seed=$3 cost=$4 ends=$5 before= n settings run
  shift 5
  mapfile -t settings < <(range "$range")
  for n in $ends; do
    run=${name}_${range}_${seed}_$n
    if [ ! -f "$run/done" ] && [ -n "$before" ]; then
      rm -rf "$run"
      cp -r "$before" "$run"
      rm "$run/done"
      "$cqopt" solve --resume "$run" --quiet --threads 1 --set optimizer.max_evaluations="$n" \
        > "$run.out" 2>&1 || [ $? -eq 3 ]
      touch "$run/done"
    fi
    solve "$run" finger_random --seed "$seed" "${settings[@]}" --set optimizer.max_evaluations="$n" "$@"
    echo "$name,$range,$seed,$((cost * n)),$(unseen "$run" "$range" "$seed")"
    before=$run
  done
}

# one new target a simulation
descent() {
  stages gradient_descent "$1" "$2" 1 "1 10 30 100 300 600"
}

# CMA-ES on the mean of ten targets, ten simulations a design
evolution() {
  stages cmaes "$1" "$2" 10 "1 10 30 60" --set scenarios.combine=mean \
    --set scenarios.count=10 --set optimizer.name=cmaes
}

random_targets() {
  local seed
  descent 0.1 1
  for seed in 1 2; do
    descent 0.15 "$seed"
    evolution 0.15 "$seed"
  done
}

# --- a ball in a valley: who gets up ---

# ball METHOD SEEDS SETTINGS...: a row a seed
ball() {
  local method=$1 seed run
  for seed in $2; do
    run=rolling_ball_${method}_$seed
    solve "$run" rolling_ball --seed "$seed" --set optimizer.name="$method" "${@:3}"
    echo "$method,$seed,$(member "$run" evaluations),$(member "$run" exit_code),$(member "$run" f)"
  done
}

"$(dirname "$cqopt")/tests/test_results_controllers" tables > tables.out
runs
{
  echo "method,seed,simulations,distance,best"
  curves finger gradient_descent 'sqrt(f)'
} > tables/control_finger.csv
{
  echo "method,seed,simulations,head,best"
  curves walker_2d adam '-f'
  curves walker_2d gradient_descent '-f'
} > tables/control_walker.csv
{
  echo "problem,method,seed,evaluations,failed,result,gradient_least,gradient_median,gradient_most,growth_best,growth_most"
  health finger gradient_descent 'sqrt(f)'
  health walker_2d adam '-f'
  health walker_2d gradient_descent '-f'
} > tables/control_health.csv
{
  echo "method,range,seed,simulations,distance"
  random_targets
} > tables/control_random.csv
{
  echo "method,seed,evaluations,exit_code,f"
  ball adam "1 2 3 4 5 6"
  ball gradient_descent "1 2 3" --set optimizer.learning_rate=1 --set optimizer.momentum=0.9 \
    --set optimizer.max_evaluations=100
} | awk -F, -v OFS=, 'NR > 1 { $5 = sprintf("%.4g", $5) } { print }' > tables/control_ball.csv
cp tables/control_*.csv "$here/"
cd "$here"
for picture in control_gradient control_diffmpm control_finger control_random control_walker control_health; do
  gnuplot "$picture.gp"
done
