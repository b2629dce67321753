#!/usr/bin/env bash
# What the identifications cost by several methods: makes identify_compare.csv (identify_material from
# five starts) and identify_compare_field.csv (identify_field from two) again, in ten minutes. The target
# is the least f plus 1e-8 of what it is at the start of the file.
#
#   results/reference/make_identify_compare.sh [build/cqopt]
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

# compare PROBLEM METHODS BUDGET SEEDS TARGET CSV
compare() {
  "$cqopt" compare "$1" --with "$2" --budget "$3" --seeds "$4" --gradient-cost 3 --target "$5" --output "$1" \
    --workers 1 --set output.report=false --set output.trajectory=false --set optimizer.ftol_rel=0
  cp "$1/compare.csv" "$here/$6"
}
compare identify_material gauss_newton,LD_SLSQP,LD_LBFGS,cmaes 300 5 4.3e-11 identify_compare.csv
compare identify_field gauss_newton,LD_SLSQP,LD_LBFGS,sqp 1000 2 622.98844 identify_compare_field.csv
