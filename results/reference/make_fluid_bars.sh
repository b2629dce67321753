#!/usr/bin/env bash
# gauss_newton_broyden on three tasks of the fluid in thin water (10 Pa s), 50 forward runs from each of five
# starts: fluid_bars.csv. About eight minutes on one core.
#
#   results/reference/make_fluid_bars.sh [build/cqopt [WORK [TASKS]]]
#
# It may be cut off at any time, goes on with what is in the folder WORK, and writes what there is. The loss
# is in fluid_starts.sh; mean, deviation and worst are those over 8 starts of the fluid moved by 1e-3 radii.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
source "$here/fluid_starts.sh"
tasks=${3:-bottle_flip stone_skipping bottle_flip_3d}
export OMP_WAIT_POLICY=passive

for seed in 1 2 3 4 5; do
  for task in $tasks; do
    # shellcheck disable=SC2046
    solve "$task-$seed" "$task" --threads 1 --seed "$seed" $(sizes "$task") $(starts "$task" "$seed") \
      --set=materials.[0].viscosity=10 --set=optimizer.target=0 --set=optimizer.max_cost=50 \
      --set=optimizer.max_evaluations=0 --set=output.report=false --set=output.trajectory=false
  done
done
{
  echo "task,seed,start,runs_12,runs_25,runs_50,mean,deviation,worst"
  for run in *-[0-9]/; do
    run=${run%/}
    [ -f "$run/run.json" ] && [ -n "$(member "$run" f_mean)" ] || continue
    echo "${run%-*},${run##*-},$(after "$run" 1),$(after "$run" 12),$(after "$run" 25),$(after "$run" 50),$(member "$run" f_mean),$(member "$run" f_deviation),$(member "$run" f_worst)"
  done
} > "$here/fluid_bars.csv"
