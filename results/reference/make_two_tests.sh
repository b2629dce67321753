#!/usr/bin/env bash
# What two tests of a material tell that one of them does not: makes identify_two_tests.csv again, in
# ten seconds on one core.
#
#   results/reference/make_two_tests.sh [build/cqopt]
#   results/reference/make_two_tests.sh build/cqopt tracks     the samples alone, as the problem has them
#
# The tracks are those of a cube with E = 100 Pa, nu = 0.35 and, where it slides, friction 0.3, in half
# the time step and with twice the particles (17 x 17 in place of 12 x 12). A marker is the mean of the
# four particles around it. The noise is normal, of every coordinate after the first time: 1 mm beside
# the press, 8 mm where the drop is seen from afar.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

# simulate TEST SETTINGS...: the true motion of the test, at 11 times
simulate() {
  local test=$1
  shift
  "$cqopt" simulate identify_two_tests --set experiments="$test" --threads 1 --quiet --frames 10 \
    --output "$test" --set simulation.time_step=5e-4 --set simulation.steps=1000 \
    --set 'bodies.[0].count=[17,17]' --set 'design.[0].start=100' --set 'design.[1].start=0.35' "$@" > "$test.out" || {
    cat "$test.out" >&2
    exit 1
  }
}

# samples TEST NOISE SEED COLUMNS ROWS: of the markers between these columns and rows of particles and the
# next ones, by Box and Muller
samples() {
  awk -F, -v size="$2" -v seed="$3" -v columns="$4" -v rows="$5" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    BEGIN {
      srand(seed)
      n = split(columns, column, " "); m = split(rows, row, " ")
      for (c = 1; c <= n; c++) for (r = 1; r <= m; r++) { id++
        for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) marker[(column[c] + i) * 17 + row[r] + j] = id }
    }
    NR > 1 && $2 in marker {
      k = marker[$2]
      x[$1, k] += $4 / 4; y[$1, k] += $5 / 4
      if (!($1 in seen)) { seen[$1] = 1; order[++steps] = $1 }
    }
    END {
      for (s = 1; s <= steps; s++) for (k = 1; k <= id; k++) {
        e = order[s] > 0 ? size : 0
        printf "%s[%.6g, %d, %.5f, %.5f]", s + k == 2 ? "" : ", ", order[s] * 5e-4, k,
          x[order[s], k] + e * normal(), y[order[s], k] + e * normal()
      }
      print ""
    }' "$1/particles.csv"
}

if [ "${2:-}" = tracks ]; then
  simulate drop --set 'design.[2].start=0.3'
  simulate press --set 'bodies.[1].count=[22,5]'
  echo "drop"
  samples drop 8e-3 2 "5 10" "8" | fold -s -w 96
  echo "press"
  samples press 1e-3 3 "2 5 10 14" "2 8 14" | fold -s -w 96
  exit
fi

# fit TEST SETTINGS...: a line for each variable
fit() {
  local run=$1
  shift
  solve "$run" identify_two_tests --threads 1 --set output.report=false --set optimizer.target=unset "$@"
  awk -F, -v test="$run" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "correlation cube.poisson_ratio") ratio = i }
    NR > 1 { printf "%s,%s,%.5g,%.3g,%.3g\n", test, $1, $3, $4, $ratio }' "$run/uncertainty.csv"
}

{
  echo "tests,variable,value,standard_error,correlation_with_poisson_ratio"
  fit drop --set experiments=drop
  fit press --set experiments=press
  fit both
} > identify_two_tests.csv
cp identify_two_tests.csv "$here/"
