#!/usr/bin/env bash
# Makes friction_steps.csv: what depends on the time step by the pressure of the moment and by its mean. A block that bounces, gaits of
# the README's robot from some seeds, and the objective of the tutorial's disc under a ceiling. Some four minutes on one core.
#
#   results/reference/make_friction_steps.sh [build/cqopt] [FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive
plain=(--threads 1 --set output.trajectory=false)

# page FILE NAME: a problem file of a page
page() { awk -v name="$2" '/^```/ { inside = $0 == "```cfg " name; next } inside' "$here/../../$1"; }

page README.md robot.cfg > robot.cfg
page docs/tutorial.md toss.cfg > toss.cfg
page docs/tutorial.md ceiling.cfg > ceiling.cfg
cat > block.cfg << 'END'
simulation: { grid = [120, 40]; cell = "1/50"; time_step = 2.5e-4; steps = 400; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; } );
bodies: ( { name = "b"; material = "m"; low = [0.3, 0.18]; size = [0.2, 0.08]; velocity = [2, -1]; } );
boundaries: { half_spaces: ( { type = "separate"; friction = 0.2; point = [0, 0.13]; normal = "y"; } ); };
END

# finer FILE MEAN DIVISOR STEPS OPTIONS...: a run with steps of 0.25 ms by the divisor
finer() {
  rm -rf run
  "$cqopt" simulate "$1" --output run --quiet "${plain[@]}" --set "simulation.friction_mean=$2" \
    --set "simulation.time_step=$(awk -v by="$3" 'BEGIN { print 2.5e-4/by }')" --set "simulation.steps=$(($3 * $4))" "${@:5}" > run.out 2>&1
}

# last COLUMN: of the run, at the end
last() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } END { print $at[name] }' run/observations.csv; }

# bounces MEAN DIVISOR: the speed away from the floor, of that towards it, and what friction took, of its coefficient times what the floor gave
bounces() {
  finer block.cfg "$1" "$2" 400
  echo "block,,$1,$2,rebound,$(last b.vy)"
  echo "block,,$1,$2,friction,$(awk -v x="$(last b.vx)" -v y="$(last b.vy)" 'BEGIN { printf "%.6f", (2 - x)/(0.2*(y + 1)) }')"
}

# walks MEAN SEED: a gait that is trained by one, and where it ends by both
walks() {
  local name=robot_$1_$2 mean by
  solve "$name" robot.cfg "${plain[@]}" --set output.report=false --set "simulation.friction_mean=$1" --set "optimizer.seed=$2" \
    --set optimizer.max_evaluations=60
  echo "robot_$2,$1,$1,1,evaluations,$(member "$name" evaluations)"
  for mean in false true; do
    for by in 1 2 4; do
      finer robot.cfg $mean $by 4000 --design "$name"
      echo "robot_$2,$1,$mean,$by,way,$(last robot.x)"
    done
  done
}

# kinks MEAN: along a line of designs, jumps of the slope that those around do not explain
kinks() {
  awk 'BEGIN { print "disc.initial_velocity[0],disc.initial_velocity[1]"
    for (i = 0; i <= 400; i++) { printf "2.06,%.5f\n", 2.57 + 5e-5*i } }' |
    "$cqopt" evaluate ceiling.cfg --threads 1 --at - --gradient --format csv --set "simulation.friction_mean=$1" > line.csv
  awk -F, -v mean="$1" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "d f/d disc.initial_velocity[1]") { at = i } } next }
    { g[NR - 1] = $at }
    END { n = NR - 1
          for (i = 2; i + 2 <= n; i++) {
            d = g[i + 1] - g[i] - (g[i] - g[i - 1] + g[i + 2] - g[i + 1])/2
            d = d < 0 ? -d : d; count += d > 1e-5; largest = d > largest ? d : largest }
          print "ceiling,," mean ",1,kinks," count; print "ceiling,," mean ",1,largest_kink," largest }' line.csv
}

{
  echo case,trained,friction_mean,divisor,quantity,value
  for mean in false true; do
    for by in 1 2 4; do
      bounces $mean $by
    done
    kinks $mean
    for seed in 1 2 3 4; do
      walks $mean $seed
    done
  done
} > csv
mv csv "$here/friction_steps.csv"
