#!/usr/bin/env bash
# What depth images cost: depth_images.csv, in seconds on one core. PYTHON has the package cqopt.
#
#   results/reference/make_depth.sh [PYTHON]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"${1:-python3}" "$here/depth_images.py" > "$here/depth_images.csv.new"
mv "$here/depth_images.csv.new" "$here/depth_images.csv"
