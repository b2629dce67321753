#!/usr/bin/env bash
# The least speed at which a plate that keeps its attitude bounces off water, over its angle of attack, after Clanet,
# Hersen and Bocquet (Nature 427, 2004): validation_skipping.csv. Some five minutes on one core.
#
#   results/reference/make_skipping.sh [build/cqopt [WORK]]
#
# It may be cut off at any time, goes on with what is in the folder WORK, and writes what there is.
# A plate, 20 cm long, 2.7 times as heavy as water and thrown down by 20 degrees, starts with its lower edge at the
# surface. Two weights 2 m above and below it, which nothing touches as the pond lies on a shelf, are half of its
# mass and hold its attitude. It bounces where its centre comes up again to where it started, within 0.24 s. Speeds
# are halved in between, to 4 %, from 2 to 12 m/s. In 3D the plate is a square, coarser, and speeds are to 10 %, from 4 to 14 m/s.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
export OMP_WAIT_POLICY=passive
range=([2]="2 12" [3]="4 14") # [m/s]
within=([2]=1.04 [3]=1.1)

scene() { # DIM ANGLE SPEED
  awk -v dim="$1" -v angle="$2" -v speed="$3" '
    function v(x, y, z) { return dim == 3 ? sprintf("[%.9g, %.9g, %.9g]", x, y, z) : sprintf("[%.9g, %.9g]", x, y) }
    function ball(name, y) { return sprintf("%sshape = \"ball\"; center = %s; radius = %.9g; ", name, v(x, y, 0.24), r) }
    BEGIN {
      a = angle * atan2(0, -1) / 180; fall = atan2(0, -1) / 9
      L = 2; D = 0.2; surface = dim == 2 ? 3.4 : 3.3
      e = dim == 2 ? 0.03 : 0.05
      r = dim == 2 ? sqrt(D * e / 2 / atan2(0, -1)) : (D * D * e / 2 * 3 / 4 / atan2(0, -1)) ^ (1 / 3)
      x = 0.4; y = surface + D / 2 * sin(a) + e / 2 * cos(a)
      print "simulation: { engine = \"fluid\"; dimension = " dim "; size = " v(dim == 2 ? 2.4 : 1.52, 6.5, 0.48) ";"
      print "  radius = " (dim == 2 ? 0.01 : 0.02) "; time_step = " (dim == 2 ? 4e-4 : 6e-4) "; steps = " (dim == 2 ? 600 : 400) "; gravity = " v(0, -9.81, 0) ";"
      print "  sweeps = 6; tolerance = 0; divergence_sweeps = 1; divergence_tolerance = 0; };"
      print "materials: ( { name = \"water\"; density = 1000; viscosity = 1; },"
      print "  { name = \"stone\"; model = \"rigid\"; density = 1350; } );"
      print "bodies: ( { name = \"water\"; material = \"water\"; low = " v(0, 3.1, 0) "; size = " v(dim == 2 ? 2.4 : 1.52, surface - 3.1, 0.48) "; },"
      print "  { name = \"stone\"; material = \"stone\"; spacing = " (dim == 2 ? 0.005 : 0.01) "; shape = \"composite\";"
      print "    velocity = " v(speed * cos(fall), -speed * sin(fall), 0) "; parts = ("
      print "      { center = " v(x, y, 0.24) "; size = " v(D, e, D) "; rotation = " (dim == 3 ? "[0, 0, " a "]" : a) "; },"
      print "      { " ball("", y + L) "}, { " ball("", y - L) "} ); } );"
      print "boundaries: { obstacles: ( { shape = \"box\"; low = " v(-1, 2.8, -1) "; size = " v(5, 0.3, 3) "; } ); };"
      print "groups: ( { name = \"top\"; body = \"stone\"; shape = \"ball\"; center = " v(x, y + L, 0.24) "; radius = " 2 * r "; } );"
      print "design: ( { variable = \"initial_velocity\"; body = \"stone\"; lower = -20; upper = 20; } );"
      print "objective: ("
      for (k = 2; k <= 12; k++) {
        print "  { term = \"height\"; body = \"stone\"; above = " sprintf("%.9g", y) "; when = \"at\"; time = " k / 50 "; },"
      }
      print "  { term = \"distance_between\"; body = \"top\"; to = \"stone\"; offset = " v(0, L, 0) "; squared = false; } );"
      print "optimizer: { name = \"cmaes\"; max_evaluations = 1; repeats = 0; };"
    }'
}

# throw DIM ANGLE SPEED: how much its centre is above its start, at the best [m], and how far it has turned [rad]
throw() {
  local run=$1-$2-$3
  if [ ! -s "$run.out" ]; then
    scene "$@" > "$run.cfg"
    "$cqopt" evaluate "$run.cfg" --threads 1 2> "$run.err" | grep '"terms": \[-\{0,1\}[0-9]' | tr -d '[]a-z":,' > "$run.new"
    # runs in $(...), where an exit would end nothing else
    [ -s "$run.new" ] || { echo "make_skipping.sh: $run: $(cat "$run.err")" >&2; kill $$; exit 1; }
    mv "$run.new" "$run.out"
  fi
  awk '{ for (i = 1; i < NF; i++) { if (i == 1 || $i > most) { most = $i } } print most, $NF / 2 }' "$run.out"
}

bounces() { [ -n "$(throw "$@" | awk '$1 >= 0')" ]; }

least() { # DIM ANGLE: the least speed that bounces, or nothing
  local low=${range[$1]% *} high=${range[$1]#* } ratio=${within[$1]} middle
  bounces "$1" "$2" "$high" || return 0
  while [ -n "$(awk -v a="$low" -v b="$high" -v r="$ratio" 'BEGIN { if (b > r * a) { print 1 } }')" ]; do
    middle=$(awk -v a="$low" -v b="$high" 'BEGIN { printf "%.3f", sqrt(a * b) }')
    if bounces "$1" "$2" "$middle"; then high=$middle; else low=$middle; fi
  done
  echo "$high"
}

table="$here/validation_skipping.csv"
echo "dimension,angle,least_speed,turned" > rows
for dim in 2 3; do
  angles="20 40 5 50 10 30 55"
  [ "$dim" = 3 ] || angles="$angles 15 25 35 45 60"
  for angle in $angles; do
    speed=$(least "$dim" "$angle")
    echo "$dim,$angle,${speed:-none},$(throw "$dim" "$angle" "${speed:-${range[$dim]#* }}" | cut -d' ' -f2)" >> rows
    { head -1 rows; tail -n +2 rows | sort -t, -k1,1n -k2,2n; } > "$table"
  done
done
