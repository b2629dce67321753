#!/usr/bin/env bash
# Compares optimizers on built-in problems again: tables, curves and ECDFs, in some hours on two cores.
#
#   results/reference/make_compare.sh [PROGRAM] [WORK-FOLDER] [PROBLEM...]
#
# For each problem: compare_<problem>.csv (the table), _curves.csv, _ecdf.csv and the pictures with their
# scripts. The runs stay in the work folder; the same command goes on where it was cut off. Budgets are in
# forward runs, in which a gradient counts what it was measured to cost here (compare_costs.csv); times
# are of this machine.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "${1:-$here/../../build/cqopt}")
work=${2:-$here/../../results/compare}
shift $(($# < 2 ? $# : 2))
problems=("$@")
[ ${#problems[@]} -gt 0 ] || problems=(velocity_2d density_inference finger walker_2d)

# the methods with the settings that each problem is published with, and the budget
settings() {
  case $1 in
    velocity_2d) budget=300 rate=10 adam=0.1 ;;
    density_inference) budget=150 rate=5 adam=0.1 ;;
    finger) budget=600 rate=2 adam=0.1 ;;
    walker_2d) budget=600 rate=0.03 adam=0.01 ;;
    *) echo "make_compare.sh: no settings for $1" >&2 && exit 1 ;;
  esac
  methods="LD_SLSQP,adam(learning_rate=$adam),gradient_descent(learning_rate=$rate)"
  methods="$methods,cmaes,bipop_cmaes,one_plus_one_es"
}

mkdir -p "$work"
for problem in "${problems[@]}"; do
  settings "$problem"
  "$program" compare "$problem" --with "$methods" --seeds 10 --budget "$budget" --output "$work/$problem"
  cp "$work/$problem/compare.csv" "$here/compare_$problem.csv"
  for part in curves ecdf; do
    cp "$work/$problem/$part.csv" "$here/compare_${problem}_$part.csv"
    sed "s/\b$part\.\(csv\|svg\|gp\)/compare_${problem}_$part.\1/g" "$work/$problem/$part.gp" \
      > "$here/compare_${problem}_$part.gp"
    cp "$work/$problem/$part.svg" "$here/compare_${problem}_$part.svg"
  done
done
(echo problem,gradient_cost && for problem in "$work"/*/; do
  echo "$(basename "$problem"),$(sed -n 's/^  "gradient_cost": "\(.*\)",$/\1/p' "$problem/run.json")"
done) > "$here/compare_costs.csv"
