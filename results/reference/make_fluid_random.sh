#!/usr/bin/env bash
# Twenty random designs, within the bounds, of each task of the fluid: fluid_random.csv. Two minutes on one core.
#
#   results/reference/make_fluid_random.sh [build/cqopt [WORK]]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive

{
  echo "problem,target,designs,least,median"
  for task in bottle_flip bottle_flip_3d bottle_flip_table stone_skipping billiards_water high_diving rafting; do
    # the first one is the start
    solve "$task" "$task" --threads 1 --set=optimizer.name=random_search --set=optimizer.max_evaluations=21 \
      --set=optimizer.repeats=0 --set=optimizer.verify_refined=false --set=output.report=false --set=output.trajectory=false
    target=$(sed -n 's/^optimizer: .*//; s/^ *target = \([0-9.e-]*\);.*/\1/p' "$task/problem.cfg" | tail -1)
    awk -F, -v head="$task,$target" '
      NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
      $column["eval"] > 1 && $column["status"] == "OK" { print $column["f"] }' "$task/history.csv" | sort -g |
      awk -v head="$task,$target" '{ f[NR] = $1 } END { printf "%s,%d,%.6g,%.6g\n", head, NR, f[1], (f[int((NR + 1) / 2)] + f[int(NR / 2) + 1]) / 2 }'
  done
} > random.csv
mv random.csv "$here/fluid_random.csv"
