#!/usr/bin/env bash
# Compares optimizers again, on closed-form functions in a minute and on built-in problems in an hour on
# two cores: tables, curves and cumulative distributions.
#
#   results/reference/make_compare.sh [PROGRAM] [WORK-FOLDER] [functions | PROBLEM...]
#
# For each problem: compare_<problem>.csv, the table, and the pictures that docs/results.md shows, with
# their numbers and scripts; compare_ecdf.csv has the ends of all cumulative distributions. The runs stay
# in the work folder; the same command goes on where it was cut off. Budgets are in forward runs, in which
# a gradient counts what it was measured to cost here (compare_costs.csv); times are of this machine.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "${1:-$here/../../build/cqopt}")
work=${2:-$here/../../results/compare}
shift $(($# < 2 ? $# : 2))
problems=("$@")
[ ${#problems[@]} -gt 0 ] || problems=(functions velocity_2d density_inference finger walker_2d)

# the budget, seeds (few where a run takes long), and learning rates: published ones of gradient descent, and for density_inference and adam the
# best of a few (cqopt study --vary optimizer.learning_rate=...)
settings() {
  case $1 in
    velocity_2d) budget=100 seeds=5 rate=10 adam=0.1 ;;
    density_inference) budget=60 seeds=10 rate=10 adam=1 ;;
    finger) budget=300 seeds=10 rate=2 adam=0.1 ;;
    walker_2d) budget=300 seeds=5 rate=0.03 adam=0.01 ;;
    *) echo "make_compare.sh: no settings for $1" >&2 && exit 1 ;;
  esac
  methods="LD_SLSQP,adam(learning_rate=$adam),gradient_descent(learning_rate=$rate)"
  methods="$methods,cmaes,bipop_cmaes,one_plus_one_es"
}

# keep PROBLEM PART: a table, curves by every second row, numbers to 3 digits, with its picture
keep() {
  awk -F, -v OFS=, -v part="$2" 'part == "curves" && NR % 2 == 1 && NR > 1 { next }
    NR > 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^-?[0-9]+[.e0-9+-]*$/) { $i = sprintf("%.3g", $i) } } }
    { print }' "$work/$1/$2.csv" | uniq > "$here/compare_$1_$2.csv"
  cp "$work/$1/$2.svg" "$here/compare_$1_$2.svg"
  sed "s/\b$2\.\(csv\|svg\|gp\)/compare_$1_$2.\1/g" "$work/$1/$2.gp" > "$here/compare_$1_$2.gp"
}

# what of a problem is shown
shown() {
  case $1 in
    finger) echo curves ecdf ;;
    walker_2d) echo curves ;;
  esac
}

# ends: the share of all pairs of a run and a target that each method reached
ends() {
  local run
  echo problem,method,reached
  for run in "$work"/*/ecdf.csv; do
    awk -F, -v problem="$(basename "$(dirname "$run")")" '
      NR > 1 { if (!($1 in last)) { method[++n] = $1 } last[$1] = $3 }
      END { for (i = 1; i <= n; i++) { printf "%s,%s,%.4g\n", problem, method[i], last[method[i]] } }' "$run"
  done
}

mkdir -p "$work"
for problem in "${problems[@]}"; do
  if [ "$problem" = functions ]; then
    rm -rf "$work/functions"
    "$program" compare --problem-set test --seeds 10 --budget 3000 --output "$work/functions" \
      --with "LD_SLSQP,LD_MMA,adam(learning_rate=0.1),cmaes,bipop_cmaes,one_plus_one_es,LN_COBYLA,LN_NELDERMEAD"
  else
    settings "$problem"
    # a design whose simulation fails is a bad one, and no end: methods that try widely meet some
    "$program" compare "$problem" --with "$methods" --seeds "$seeds" --budget "$budget" \
      --set optimizer.on_failure=penalty --output "$work/$problem"
  fi
  cp "$work/$problem/compare.csv" "$here/compare_$problem.csv"
  for picture in $(shown "$problem"); do
    keep "$problem" "$picture"
  done
done
ends > "$here/compare_ecdf.csv"
(echo problem,gradient_cost && for run in "$work"/*/run.json; do
  [ -f "$run" ] || continue
  echo "$(basename "$(dirname "$run")"),$(sed -n 's/^  "gradient_cost": "\(.*\)",$/\1/p' "$run")"
done) > "$here/compare_costs.csv"
