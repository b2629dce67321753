#!/usr/bin/env bash
# Makes grains_paper.csv and grains_paper.svg, the figures of GranularGym that are about speed, by
# cqopt bench: a minute on one core.
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
cd "$here"
gnuplot grains_paper.gp
