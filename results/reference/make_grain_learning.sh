#!/usr/bin/env bash
# TD3 and PPO on the bulldozer of grain_learning.cfg, three seeds: grain_learning.csv and its picture. HOURS (0.2) of a
# processor for each of the six runs that see heights; SEEN="profile depth" has six more that see depth images. PYTHON has the
# package cqopt, torch, gymnasium and stable-baselines3 (make_ppo.sh says which); with OpenBLAS TD3 is twice as fast.
#
#   results/reference/make_grain_learning.sh [PYTHON [WORK [HOURS]]]
#
# It may be cut off at any time, and goes on with what is in the folder WORK. All runs are brought to a part of
# their budget before any goes on to the next, so that a table of what is there is fair; the table and the picture are made
# anew after each part.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${1:-python3}
work=${2:-$(mktemp -d)}
hours=${3:-0.2}
mkdir -p "$work"
export OMP_NUM_THREADS=1

learn() { "$python" "$here/grain_learning.py" "$@"; }

[ -f "$work/straight_none_0.csv" ] || learn straight "$work"
for share in 0.25 0.5 0.75 1; do
  for seed in 1 2 3; do
    for seen in ${SEEN:-profile}; do
      for method in td3 ppo; do
        learn train "$work" "$method" "$seen" "$seed" "$(awk "BEGIN { print $hours * $share }")"
      done
    done
  done
  learn table "$work" > "$here/grain_learning.csv.new"
  mv "$here/grain_learning.csv.new" "$here/grain_learning.csv"
  (cd "$here" && gnuplot grain_learning.gp)
done
