#!/usr/bin/env bash
# How well identify_material finds a material from tracks with noise: makes identify_material.csv
# again, in two minutes on one core.
#
#   results/reference/make_identify.sh [build/cqopt]
#   results/reference/make_identify.sh build/cqopt tracks      the tracks alone, as the problem has them
#
# The tracks are those of twelve particles of a beam with E = 100 Pa and nu = 0.4. `noise` is the
# standard deviation of a normal error of every coordinate, the ones at rest too, as a part of the
# largest displacement of a marker. The rows "refined" are tracks without noise from a beam with a
# cell and a time step half as large (four times the particles): what the model itself is wrong by.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

# simulate FOLDER SETTINGS...: the motion of the true beam, at 11 times
simulate() {
  local folder=$1
  shift
  "$cqopt" simulate identify_material --threads 1 --quiet --frames 10 --output "$folder" \
    --set 'design.[0].start=100' --set 'design.[1].start=0.4' "$@" > "$folder.out" || {
    cat "$folder.out" >&2
    exit 1
  }
}

# tracks FOLDER ROWS: CSV of the particles at three heights of four columns; ROWS particles are in a
# column of the beam. A beam of half the spacing has none at the places of the coarse one, so each
# marker is the mean of the four around it.
tracks() {
  awk -F, -v rows="$2" '
    BEGIN {
      dt = 0.5 / (rows == 12 ? 625 : 1250); fine = rows / 12; print "time,id,x,y"
      split("10 17 24 31", columns, " "); split("0 5 11", heights, " ")
      for (c = 1; c <= 4; c++) for (h = 1; h <= 3; h++) { id++
        for (i = 0; i < fine; i++) for (j = 0; j < fine; j++)
          marker[(fine * columns[c] + i) * rows + fine * heights[h] + j] = id }
    }
    NR > 1 && $2 in marker {
      m = marker[$2]
      x[$1, m] += $4 / (fine * fine); y[$1, m] += $5 / (fine * fine)
      if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 }
    }
    END { for (k = 1; k <= n; k++) for (m = 1; m <= 12; m++)
      printf "%.6g,%d,%.7f,%.7f\n", order[k] * dt, m, x[order[k], m], y[order[k], m] }' "$1/particles.csv"
}

simulate true
tracks true 12 > tracks.csv
if [ "${2:-}" = tracks ]; then
  cat tracks.csv
  exit
fi

motion=$(awk -F, '$1 == 0 { x[$2] = $3; y[$2] = $4 }
  NR > 1 { d = sqrt(($3 - x[$2])^2 + ($4 - y[$2])^2); if (d > most) most = d }
  END { printf "%.6g", most }' tracks.csv)

# noisy LEVEL SEED: the tracks with an error of LEVEL * motion, by Box and Muller
noisy() {
  awk -F, -v size="$(awk "BEGIN { print $1 * $motion }")" -v seed="$2" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    BEGIN { srand(seed) }
    NR == 1 { print; next }
    { printf "%s,%s,%.9f,%.9f\n", $1, $2, $3 + size * normal(), $4 + size * normal() }' tracks.csv
}

# identify FILE: "E,nu,root mean square distance,evaluations" of the tracks in it
identify() {
  local run=run.$1 code=0
  "$cqopt" solve identify_material --threads 1 --quiet --output "$run" --set optimizer.target=unset \
    --set "objective=({term=\"marker_distance\"; file=\"$1\";})" > "$run.out" 2>&1 || code=$?
  [ "$code" -eq 0 ] || { echo "exit $code: $1" >&2; cat "$run.out" >&2; exit 1; }
  awk -F, 'NR == 2 { E = $3 } NR == 3 { printf "%s,%s", E, $3 }' "$run/design.csv"
  awk -F'[:,]' '/"f"/ { f = $2 } /"evaluations"/ { n = $2 }
    END { printf ",%.4g,%d\n", sqrt(f), n }' "$run/run.json"
}

{
  echo "noise,seed,youngs_modulus,poisson_ratio,rms_distance,evaluations,E_error_percent,nu_error_percent"
  {
    echo "0,-,$(identify tracks.csv)"
    for level in 0.001 0.003 0.01 0.03 0.1; do
      for seed in 1 2 3 4 5; do
        noisy "$level" "$seed" > "noise_${level}_$seed.csv"
        echo "$level,$seed,$(identify "noise_${level}_$seed.csv")"
      done
    done
    simulate fine --set 'simulation.grid=[64,64]' --set 'simulation.cell="1/64"' \
      --set simulation.time_step=4e-4 --set simulation.steps=1250
    tracks fine 24 > fine.csv
    echo "refined,-,$(identify fine.csv)"
  } | awk -F, '{ printf "%s,%s,%.5f,%.6f,%s,%s,%.3f,%.3f\n", $1, $2, $3, $4, $5, $6, $3 - 100,
                 ($4 / 0.4 - 1) * 100 }'
} > identify_material.csv
cp identify_material.csv "$here/"
