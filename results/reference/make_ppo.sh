#!/usr/bin/env bash
# PPO beside gradients: ppo.csv and its picture, in many hours on one core. PYTHON has the package cqopt,
# torch and stable-baselines3. Beside Debian's python3-torch 1.13, in a venv with --system-site-packages:
# pip install --no-deps stable-baselines3==2.4.1 gymnasium==1.1.1 cloudpickle farama-notifications
# pandas==1.5.3
#
#   results/reference/make_ppo.sh [PYTHON [WORK]]
#
# It may be cut off at any time, and goes on with what is in the folder WORK. All runs are brought to
# a part of their budget before any goes on to the next, so that a table of what is there is fair.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${1:-python3}
work=${2:-$(mktemp -d)}
mkdir -p "$work"
export OMP_NUM_THREADS=1

for share in 0.1 0.25 0.5 0.75 1; do
  for seed in 1 2 3; do
    for problem in finger walker_2d finger_random; do
      "$python" "$here/ppo.py" solve "$work" "$problem" "$seed"
      "$python" "$here/ppo.py" train "$work" "$problem" "$seed" "$share"
    done
  done
done
"$python" "$here/ppo.py" table "$work" > "$here/ppo.csv"
cd "$here"
gnuplot ppo.gp
