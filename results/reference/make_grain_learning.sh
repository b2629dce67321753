#!/usr/bin/env bash
# TD3 and PPO on the bulldozer of grain_learning.cfg, by depth images and by heights, three seeds:
# grain_learning.csv. HOURS (4) of a processor for each of the twelve runs. PYTHON has the package cqopt, torch,
# gymnasium and stable-baselines3 (make_ppo.sh says which).
#
#   results/reference/make_grain_learning.sh [PYTHON [WORK [HOURS]]]
#
# It may be cut off at any time, and goes on with what is in the folder WORK. All runs are brought to a part of
# their budget before any goes on to the next, so that a table of what is there is fair.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${1:-python3}
work=${2:-$(mktemp -d)}
hours=${3:-4}
mkdir -p "$work"
export OMP_NUM_THREADS=1

for share in 0.05 0.25 0.5 1; do
  for seed in 1 2 3; do
    for seen in profile depth; do
      for method in td3 ppo; do
        "$python" "$here/grain_learning.py" train "$work" "$method" "$seen" "$seed" \
          "$(awk "BEGIN { print $hours * $share }")"
      done
    done
  done
done
"$python" "$here/grain_learning.py" table "$work" > "$here/grain_learning.csv"
