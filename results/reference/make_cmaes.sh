#!/usr/bin/env bash
# Makes the table of what CMA-ES needs to reach f <= 1e-9, beside pycma's medians, in a few seconds.
#
#   results/reference/make_cmaes.sh [build/tests]
#
#   cmaes_pycma.csv  medians, and the second best and second worst, of 15 runs; pycma_median is of 15
#                    runs of pycma 4.4 (bench/peers/cmaes_pycma.py measures it)
#
# The counts may differ by compiler and by GSL's version, by chance.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(realpath "${1:-$here/../../build/tests}")

"$tests/test_opt_cmaes_pycma" table | grep , | grep -v checks > "$here/cmaes_pycma.csv"
