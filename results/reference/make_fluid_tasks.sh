#!/usr/bin/env bash
# The built-in tasks of the fluid as they are: fluid_problems.csv, and fluid_network.csv of bottle_network: how far its
# throws are off at 64 places that it has not seen, on average [m], before and after. Then methods beside each other on three of
# them in thin water (10 Pa s), 50 forward runs each from five starts: fluid_tasks.csv. Some three hours on one core.
#
#   results/reference/make_fluid_tasks.sh [build/cqopt [WORK [METHODS [SEEDS]]]]
#
# It may be cut off at any time, goes on with what is in the folder WORK, and writes what there is. METHODS are
# words of `settings` below, SEEDS numbers; by default all of them. A seed shifts the velocity and the spin of the start
# by up to 0.5, and seeds methods that draw. f is that of the problem, over 8 starts of the fluid
# moved by 1e-3 radii its mean, deviation and worst.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
methods=${3:-gauss_newton_broyden cmaes one_plus_one_es rigid_adam local_adam rigid_descent local_descent}
seeds=${4:-1 2 3 4 5}
export OMP_WAIT_POLICY=passive

settings() { # METHOD
  case $1 in
    *_adam) echo "--set=simulation.gradient=${1%_adam} --set=optimizer.name=adam --set=optimizer.learning_rate=0.5" ;;
    *_descent) echo "--set=simulation.gradient=${1%_descent} --set=optimizer.name=gradient_descent --set=optimizer.learning_rate=1" ;;
    *) echo "--set=optimizer.name=$1" ;;
  esac
}

starts() { # TASK SEED: both blocks of the design, shifted
  awk -v task="$1" -v seed="$2" '
    function near(x) { return x + 2 * rand() * 0.5 - 0.5 }
    BEGIN {
      srand(seed)
      if (task == "bottle_flip") { v = near(6.5) "," near(5); w = near(6.8) }
      if (task == "bottle_flip_3d") { v = near(6.5) "," near(5) "," near(0); w = "[" near(0) "," near(0) "," near(6.8) "]" }
      if (task == "stone_skipping") { v = near(20) "," near(-8); w = near(5) }
      printf "--set=design.[0].start=[%s] --set=design.[1].start=%s", v, w
    }'
}

# after RUN COST: the least f within so many forward runs
after() {
  awk -F, -v budget="$2" -v each="$(member "$1" gradient_cost)" '
    NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
    { cost += $column["kind"] == "fg" ? each : 1 }
    cost <= budget && $column["status"] == "OK" && (best == "" || $column["f"] < best) { best = $column["f"] }
    END { print best == "" ? "nan" : best }' "$1/history.csv"
}

{
  echo "problem,start,evaluations,exit_code,f,mean,deviation,worst"
  for task in bottle_flip bottle_flip_3d bottle_flip_table stone_skipping billiards_water high_diving rafting; do
    solve "$task" "$task" --set=output.report=false
    echo "$task,$(after "$task" 1),$(member "$task" evaluations),$(member "$task" exit_code),$(member "$task" f),$(member "$task" f_mean),$(member "$task" f_deviation),$(member "$task" f_worst)"
  done
} > "$here/fluid_problems.csv"

unseen() {
  "$cqopt" evaluate bottle_network "$@" --format csv --set=scenarios.combine=mean --set=scenarios.batch=unset \
    --set=scenarios.count=64 --set=scenarios.seed=99 --set=objective.[0].squared=false --set=objective.[1].squared=false |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print $column["f"] }'
}

{
  echo "evaluations,before,after"
  solve bottle_network bottle_network --set=output.report=false
  echo "$(member bottle_network evaluations),$(unseen),$(unseen --at bottle_network)"
} > "$here/fluid_network.csv"

for seed in $seeds; do
  for task in bottle_flip stone_skipping bottle_flip_3d; do
    for method in $methods; do
      # shellcheck disable=SC2046
      solve "$task-$method-$seed" "$task" --seed "$seed" $(settings "$method") $(starts "$task" "$seed") \
        --set=materials.[0].viscosity=10 --set=optimizer.target=0 --set=optimizer.max_cost=50 \
        --set=optimizer.max_evaluations=0 --set=output.report=false --set=output.trajectory=false
    done
  done
done
{
  echo "task,method,seed,start,runs_12,runs_25,runs_50,mean,deviation,worst"
  for run in *-[0-9]*/; do
    run=${run%/}
    [ -f "$run/run.json" ] && [ -n "$(member "$run" f_mean)" ] || continue
    echo "${run%%-*},$(cut -d - -f 2 <<< "$run"),${run##*-},$(after "$run" 1),$(after "$run" 12),$(after "$run" 25),$(after "$run" 50),$(member "$run" f_mean),$(member "$run" f_deviation),$(member "$run" f_worst)"
  done
} > "$here/fluid_tasks.csv"
