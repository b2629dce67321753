#!/usr/bin/env bash
# The networks of examples/python/torch_controller.py, three seeds: python_torch_controller.txt. A
# few minutes on two cores; PYTHON has the package cqopt, and torch.
#
#   results/reference/make_python.sh [PYTHON]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${1:-python3}

{
  "$python" -c 'import torch; print("torch", torch.__version__)'
  for seed in 1 2 3; do
    echo "seed $seed"
    "$python" "$here/../../examples/python/torch_controller.py" 100 "$seed"
  done
} > "$here/python_torch_controller.txt"
