#!/usr/bin/env bash
# How well identify_field finds a stiff inclusion: makes identify_field.csv and identify_field.png
# again, in a minute on one core.
#
#   results/reference/make_identify_field.sh [build/cqopt]
#   results/reference/make_identify_field.sh build/cqopt tracks    rows of the samples in the problem
#
# The tracks are those of forty particles of a beam with 60 Pa, in whose middle four patches have 300 Pa,
# with a normal error of 0.3 mm in every coordinate (by Box and Muller, seed 1), but at rest.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

{
  echo 'name,best'
  for i in {0..7}; do for j in 0 1; do
    case $i in 3 | 4) E=300 ;; *) E=60 ;; esac
    echo "free.youngs_modulus[$i][$j],$E"
  done; done
} > truth.csv

if [ "${2:-}" = tracks ]; then
  "$cqopt" simulate identify_field --threads 1 --quiet --frames 8 --output true --design truth.csv > true.out
  # every fourth particle of a row right of the clamp, in five of twelve rows
  awk -F, '
    BEGIN {
      srand(1); split("10 14 18 22 26 30 34 38", columns, " "); split("0 3 6 8 11", heights, " ")
      for (c = 1; c <= 8; c++) for (h = 1; h <= 5; h++) marker[12 * columns[c] + heights[h]] = ++id
    }
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    NR > 1 && $2 in marker {
      e = $1 > 0 ? 3e-4 : 0
      row[n++] = sprintf("[%.6g, %d, %.5f, %.5f]", $1 * 8e-4, marker[$2], $4 + e * normal(), $5 + e * normal())
    }
    END { for (i = 0; i < n; i++) printf "%s%s%s", i % 4 == 0 ? "      " : " ", row[i],
            i == n - 1 ? "\n" : i % 4 == 3 ? ",\n" : "," }' true/particles.csv
  exit
fi

"$cqopt" solve identify_field --threads 1 --quiet --output run > run.out
awk -F, 'NR == FNR { if (FNR > 1) truth[$1] = $2; next }
  FNR == 1 { print "patch,truth,found,standard_error,off_in_standard_errors" }
  FNR > 1 { printf "%s,%g,%.4g,%.3g,%.2f\n", $1, truth[$1], $3, $4, ($3 - truth[$1]) / $4 }' \
  truth.csv run/uncertainty.csv > identify_field.csv
"$cqopt" render run --color youngs_modulus --time last --size 900x675 --output identify_field.png > /dev/null
cp identify_field.csv identify_field.png "$here/"
