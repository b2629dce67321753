#!/usr/bin/env bash
# How often 95 % intervals of gauss_newton hold the truth: makes identify_coverage.csv again, in two
# minutes on one core.
#
#   results/reference/make_identify_coverage.sh [build/cqopt]
#
# A soft block falls on the floor; eight of its particles are seen at 31 times with a normal error of
# 0.5 mm, those at rest without. E = 40 Pa and nu = 0.3 are fitted to 200 draws. `bias` and `rms` are
# those of the errors in units of the standard errors.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

cat > fit.cfg <<'END'
simulation: { grid = [20, 20]; cell = 0.05; time_step = 1e-3; steps = 120; gravity = [0, -4]; };
materials: ( { name = "soft"; youngs_modulus = 30; poisson_ratio = 0.2; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.4, 0.16]; size = [0.2, 0.2]; spacing = 0.025;
  velocity = [0.3, -1]; } );
design: ( { variable = "youngs_modulus"; body = "A"; lower = 5; upper = 120; },
          { variable = "poisson_ratio"; body = "A"; lower = -0.3; upper = 0.48; } );
objective: ( { term = "marker_distance"; body = "A"; file = "tracks.csv"; } );
optimizer: { name = "gauss_newton"; verify_refined = false; };
output: { report = false; trajectory = false; };
END
printf 'time,id,x,y\n0,1,0.4125,0.1725\n0.02,1,0.4,0.2\n' > tracks.csv
"$cqopt" simulate fit.cfg --output true --quiet --frames 30 --set 'design.[0].start=40' \
  --set 'design.[1].start=0.3' > true.out

for seed in $(seq 1 200); do
  awk -F, -v seed="$seed" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    BEGIN { srand(seed); print "time,id,x,y" }
    NR > 1 && $2 % 9 == 0 { e = $1 > 0 ? 5e-4 : 0
      printf "%.6g,%d,%.9f,%.9f\n", $1 * 1e-3, $2, $4 + e * normal(), $5 + e * normal() }' \
    true/particles.csv > tracks.csv
  rm -rf run
  "$cqopt" solve fit.cfg --output run --quiet --threads 1 > run.out 2>&1 || { cat run.out >&2; exit 1; }
  awk -F, 'NR > 1 { print NR == 2 ? "E" : "nu", $3, $4, $5, $6 }' run/uncertainty.csv
done > fits

{
  echo "variable,draws,covered_percent,bias,rms"
  for variable in E nu; do
    awk -v variable=$variable '$1 == variable {
        truth = variable == "E" ? 40 : 0.3; z = ($2 - truth) / $3
        n++; covered += $4 <= truth && truth <= $5; sum += z; squares += z * z }
      END { printf "%s,%d,%.1f,%.3f,%.3f\n", variable, n, 100 * covered / n, sum / n, sqrt(squares / n) }' fits
  done
} > identify_coverage.csv
cp identify_coverage.csv "$here/"
