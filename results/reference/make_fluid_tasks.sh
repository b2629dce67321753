#!/usr/bin/env bash
# The built-in tasks of the fluid as they are: fluid_problems.csv; and fluid_network.csv of bottle_network: how far its
# throws are off at 64 places that it has not seen, on average [m], before and after. Some ten minutes on one core.
#
#   results/reference/make_fluid_tasks.sh [build/cqopt [WORK]]
#
# It may be cut off at any time and goes on with what is in the folder WORK. f is that of the problem, over 8 starts
# of the fluid moved by 1e-3 radii its mean, deviation and worst.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
source "$here/fluid_starts.sh"
export OMP_WAIT_POLICY=passive

{
  echo "problem,start,evaluations,exit_code,f,mean,deviation,worst"
  for task in bottle_flip bottle_flip_3d bottle_flip_table stone_skipping billiards_water high_diving rafting; do
    solve "$task" "$task" --set=output.report=false
    echo "$task,$(after "$task" 1),$(member "$task" evaluations),$(member "$task" exit_code),$(member "$task" f),$(member "$task" f_mean),$(member "$task" f_deviation),$(member "$task" f_worst)"
  done
} > problems.csv
mv problems.csv "$here/fluid_problems.csv"

unseen() {
  "$cqopt" evaluate bottle_network "$@" --format csv --set=scenarios.combine=mean --set=scenarios.batch=unset \
    --set=scenarios.count=64 --set=scenarios.seed=99 --set=objective.[0].squared=false --set=objective.[1].squared=false |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next } { print $column["f"] }'
}

{
  echo "evaluations,before,after"
  solve bottle_network bottle_network --set=output.report=false
  echo "$(member bottle_network evaluations),$(unseen),$(unseen --at bottle_network)"
} > network.csv
mv network.csv "$here/fluid_network.csv"
