#!/usr/bin/env bash
# Prints the lists of markers and samples of identify_pose, in seconds on one core:
#
#   results/reference/make_identify_pose.sh [build/cqopt]
#
# The block is thrown in half the time step and with twice the particles of that problem, with centre
# (0.44, 0.5), angle 0.5, velocity (0.6, -0.3), spin 3. Five of its particles are markers, seen by the
# camera of the problem with a normal error of 0.5 pixels of each coordinate, by Box and Muller.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh" ${1:+"$1"}

simulate() {
  "$cqopt" simulate identify_pose --threads 1 --quiet --frames 20 --output "$@" --set simulation.time_step=4e-4 \
    --set simulation.steps=1000 --set 'bodies.[0].count=[24,14]' > out
}
simulate rest
simulate true --set 'design.[0].start=[0.44,0.5]' --set 'design.[1].start=0.5' \
  --set 'design.[2].start=[0.6,-0.3]' --set 'design.[3].start=3'
"$cqopt" show identify_pose > file.cfg

# the particles at (2, 2), (21, 2), (2, 11), (21, 11) and (11, 6) of the lattice
awk -F, '
  function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
  function row(i) { return P[i, 1] * x + P[i, 2] * y + P[i, 4] }
  function join(list, text, width) { return list == "" ? "      " text : list (++n[width] % width ? ", " : ",\n      ") text }
  BEGIN { srand(3); split("30 39 296 305 160", particles, " "); split("1 3 2 4 5", ids, " ")
    for (k = 1; k <= 5; k++) id[particles[k]] = ids[k] }
  FILENAME == "file.cfg" {
    if (inside && /\[/) { gsub(/[][ ]/, ""); rows++; for (k = 1; k <= 4; k++) P[rows, k] = $k }
    inside = /camera = \(/ || (inside && rows < 3)
    next
  }
  FNR == 1 || !($2 in id) { next }
  { x = $4; y = $5 }
  FILENAME == "rest/particles.csv" {
    if ($1 == 0) places = join(places, sprintf("[%d, %.6f, %.6f]", id[$2], x, y), 3)
    next
  }
  { samples = join(samples, sprintf("[%.6g, %d, %.2f, %.2f]", 4e-4 * $1, id[$2], row(1) / row(3) + 0.5 * normal(),
      row(2) / row(3) + 0.5 * normal()), 4) }
  END { print places; print ""; print samples }' file.cfg rest/particles.csv true/particles.csv
