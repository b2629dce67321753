#!/usr/bin/env bash
# What excavations cost at the published size: grain_sizes.csv, in SECONDS (170) of one core each. PYTHON has the package cqopt.
#
#   results/reference/make_grain_sizes.sh [PYTHON [SECONDS]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"${1:-python3}" "$here/grain_sizes.py" "${2:-170}" > "$here/grain_sizes.csv.new"
mv "$here/grain_sizes.csv.new" "$here/grain_sizes.csv"
