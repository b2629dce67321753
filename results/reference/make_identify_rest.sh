#!/usr/bin/env bash
# What the noise of the samples at rest does to a fit: makes identify_rest.csv again, in five minutes
# on one core.
#
#   results/reference/make_identify_rest.sh [build/cqopt]
#
# Twelve markers on the beam of identify_material, with E = 1e5 Pa, nu = 0.35 and 1000 kg/m^2, are
# seen at each of 625 steps after it is let go and at 2,500 times before, with a normal error of
# 0.5 mm of every coordinate. `mean` fits all of it: a marker is bound where it is on average up to
# rest_time. `one` lacks the samples before time 0: one of them binds the marker. `offsets` is `one`
# with marker_offset, which estimates where each marker is; `both` is `mean` with that. `places` is
# `one` with rest_positions that are off by a normal error of 0.05 mm, as measured at leisure. Errors
# are those of E and nu over the truth, standard errors those that gauss_newton tells.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

settings=(--set 'materials.[0].density=1000' --set 'materials.[0].youngs_modulus=5e4'
  --set 'design.[0].lower=2e4' --set 'design.[0].upper=3e5')

"$cqopt" simulate identify_material --threads 1 --quiet --frames 625 --output true "${settings[@]}" \
  --set 'design.[0].start=1e5' --set 'design.[1].start=0.35' > true.out

# noisy SEED: the tracks of the particles at three heights of four columns, by Box and Muller
noisy() {
  awk -F, -v seed="$1" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    function sample(time, m) {
      printf "%.6g,%d,%.9f,%.9f\n", time, marker[m], x[m] + 5e-4 * normal(), y[m] + 5e-4 * normal() }
    BEGIN {
      srand(seed); print "time,id,x,y"
      split("10 17 24 31", columns, " "); split("0 5 11", heights, " ")
      for (c = 1; c <= 4; c++) for (h = 1; h <= 3; h++) marker[12 * columns[c] + heights[h]] = ++id
    }
    NR > 1 && $2 in marker { x[$2] = $4; y[$2] = $5
      if ($1 == 0) { for (k = 1; k <= 2500; k++) sample(-8e-4 * k, $2) }
      sample(8e-4 * $1, $2) }' true/particles.csv
}

# places SEED: where the markers are at rest, nearly
places() {
  awk -F, -v seed="$1" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    BEGIN {
      srand(seed + 100); print "id,x,y"
      split("10 17 24 31", columns, " "); split("0 5 11", heights, " ")
      for (c = 1; c <= 4; c++) for (h = 1; h <= 3; h++) marker[12 * columns[c] + heights[h]] = ++id
    }
    NR > 1 && $1 == 0 && $2 in marker {
      printf "%d,%.9f,%.9f\n", marker[$2], $4 + 5e-5 * normal(), $5 + 5e-5 * normal() }' true/particles.csv
}

# identify RUN FILE [KEYS [BLOCK]]: "E,nu,error of E,error of nu" of the tracks in it
identify() {
  local keys=${3:-} block=${4:-}
  "$cqopt" solve identify_material --threads 1 --quiet --output "run.$1" "${settings[@]}" \
    ${block:+--set "design=({variable=\"youngs_modulus\";body=\"beam\";lower=2e4;upper=3e5;},{variable=\"poisson_ratio\";body=\"beam\";lower=0;upper=0.45;},$block)"} \
    --set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false \
    --set "objective=({term=\"marker_distance\"; file=\"$2\"; rest_time=0; $keys})" > "run.$1.out" 2>&1 ||
    { echo "$1: no optimum" >&2; cat "run.$1.out" >&2; exit 1; }
  awk -F, 'NR == 2 { E = $3; e = $4 } NR == 3 { printf "%s,%s,%s,%s", E, $3, e, $4 }' "run.$1/uncertainty.csv"
}

{
  echo "rest,seed,E_error_percent,nu_error_percent,E_standard_error_percent,nu_standard_error_percent"
  for seed in 1 2 3 4 5 6 7 8; do
    noisy "$seed" > "mean_$seed.csv"
    awk -F, 'NR == 1 || $1 >= 0' "mean_$seed.csv" > "one_$seed.csv"
    places "$seed" > "places_$seed.csv"
    echo "one,$seed,$(identify "one_$seed" "one_$seed.csv")"
    echo "mean,$seed,$(identify "mean_$seed" "mean_$seed.csv")"
    echo "offsets,$seed,$(identify "offsets_$seed" "one_$seed.csv" "" '{variable="marker_offset";}')"
    echo "both,$seed,$(identify "both_$seed" "mean_$seed.csv" "" '{variable="marker_offset";}')"
    echo "places,$seed,$(identify "places_$seed" "one_$seed.csv" "rest_positions=\"places_$seed.csv\";")"
  done | awk -F, '{ printf "%s,%s,%.4f,%.4f,%.4f,%.4f\n", $1, $2, $3 / 1e3 - 100, ($4 / 0.35 - 1) * 100,
                    $5 / 1e3, $6 / 0.35 * 100 }'
} > identify_rest.csv
cp identify_rest.csv "$here/"
