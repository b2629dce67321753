#!/usr/bin/env bash
# Makes grains_paper.csv and grains_paper.svg, the figures of GranularGym that are about speed, and
# bench_grains.csv, what beds of 4,000 and 128,000 grains cost, by cqopt bench: some minutes on one core.
#
#   results/reference/make_grains.sh [build/cqopt]
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

"$cqopt" bench --case paper_ --csv > all
{
  echo "figure,case,quantity,speed"
  awk -F, '/^paper_/ { sub("paper_", ""); printf "%s,%s,%s,%.4g\n", $1, $2, $3, $4 }' all
} > csv
mv csv "$here/grains_paper.csv"
for bed in grains_4k grains_128k; do
  "$cqopt" bench --case "$bed" --csv
done | awk '(/^case,/ && !named++) || /^grains_/' > "$here/bench_grains.csv"
cd "$here"
gnuplot grains_paper.gp
