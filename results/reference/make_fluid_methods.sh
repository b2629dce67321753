#!/usr/bin/env bash
# Methods beside each other on three tasks of the fluid in thin water (10 Pa s), 50 forward runs each from the same five
# starts, after DiffFR's table 1: fluid_methods.csv. Some 50 minutes on one core.
#
#   results/reference/make_fluid_methods.sh [build/cqopt [WORK [METHODS [TASKS]]]]
#
# It may be cut off at any time and goes on with what is in the folder WORK; the table has all that is there. METHODS
# are words of `settings` below. A seed shifts the velocity and the spin of the start by up to 0.5, and seeds methods
# that draw. A run with gradient counts as run.json's gradient_cost says. mean is that over 8 starts of the fluid moved by
# 1e-3 radii; to_1 is how many forward runs it took to a hundredth of the loss at the start.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
source "$here/fluid_starts.sh"
methods=${3:-gauss_newton_broyden one_plus_one_es cmaes rigid_adam local_adam local_descent wide_gauss_newton wide_slsqp tangent_lbfgs}
tasks=${4:-stone_skipping bottle_flip bottle_flip_3d}
export OMP_WAIT_POLICY=passive

# Rates of descent are those of DiffFR's logs, 1 and 8; it normalises gradients on the bottle, which is not done here. Adam's is
# the best of a few tries. Wide differences are a tenth of a metre or radian per second, gauss_newton_broyden's of a fiftieth of
# the bounds; on the stone, whose end is rougher, three times that.
settings() { # METHOD TASK
  local rate=1 wide=0.02
  [ "$2" != stone_skipping ] || rate=8 wide=0.06
  case $1 in
    *_adam) echo "--set=simulation.gradient=${1%_adam} --set=optimizer.name=adam --set=optimizer.learning_rate=0.5" ;;
    *_descent) echo "--set=simulation.gradient=${1%_descent} --set=optimizer.name=gradient_descent --set=optimizer.learning_rate=$rate" ;;
    wide_gauss_newton) echo "--set=simulation.gradient=difference --set=simulation.difference_step=0.1 --set=optimizer.name=gauss_newton" ;;
    wide_slsqp) echo "--set=simulation.gradient=difference --set=simulation.difference_step=0.1 --set=optimizer.name=LD_SLSQP" ;;
    tangent_lbfgs) echo "--set=simulation.gradient=tangent --set=optimizer.name=LD_LBFGS" ;;
    gauss_newton_broyden) echo "--set=optimizer.name=$1 --set=optimizer.difference_step=$wide" ;;
    *) echo "--set=optimizer.name=$1" ;;
  esac
}

# to_part RUN PART: forward runs until f is below that part of the first one; nothing where it never is
to_part() {
  awk -F, -v part="$2" -v each="$(member "$1" gradient_cost)" '
    NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
    { cost += $column["kind"] == "fg" ? each : 1 }
    first == "" { first = $column["f"] }
    $column["status"] == "OK" && $column["f"] <= part * first { print cost; exit }' "$1/history.csv"
}

# first RUN: f of its first evaluation
first() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print $column["f"]; exit }' "$1/history.csv"
}

table() {
  local run task method
  echo "task,method,seed,start,runs_12,runs_25,runs_50,to_1,mean,deviation"
  for run in *-[1-5]/; do
    run=${run%/}
    [ -f "$run/run.json" ] && [ -n "$(member "$run" f_mean)" ] || continue
    task=${run%%-*} method=${run#*-}
    echo "$task,${method%-*},${run##*-},$(first "$run"),$(after "$run" 12),$(after "$run" 25),$(after "$run" 50),$(to_part "$run" 0.01),$(member "$run" f_mean),$(member "$run" f_deviation)"
  done
}

for task in $tasks; do
  for seed in 1 2 3 4 5; do
    for method in $methods; do
      # shellcheck disable=SC2046
      solve "$task-$method-$seed" "$task" --threads 1 --seed "$seed" $(sizes "$task") $(settings "$method" "$task") \
        $(starts "$task" "$seed") --set=materials.[0].viscosity=10 --set=optimizer.target=0 --set=optimizer.max_cost=50 \
        --set=optimizer.max_evaluations=0 --set=optimizer.allow_heuristic=true --set=output.report=false --set=output.trajectory=false
    done
  done
done
table > rows
mv rows "$here/fluid_methods.csv"
