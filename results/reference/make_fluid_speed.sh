#!/usr/bin/env bash
# Seconds a forward run and a gradient take at the particle counts of DiffFR's table 2: fluid_speed.csv. Some ten
# minutes on one core with 100 steps, a quarter of that with 25.
#
#   results/reference/make_fluid_speed.sh [build/cqopt [STEPS [TASKS]]]
#
# Fluid and bodies are of the published sizes, in boxes. So many steps are timed and scaled to the published number of
# steps. Seconds are processor time of one thread, as many as a run of one step takes taken away.
set -euo pipefail
steps=${2:-100}
tasks=${3:-bottle_flip billiards_water rafting high_diving stone_skipping}
source "$(dirname "${BASH_SOURCE[0]}")/work.sh" "${1:-}"
export OMP_WAIT_POLICY=passive
TIMEFORMAT=%U

# scene NX NY NZ RADIUS BODIES: water in a room twice as high
scene() {
  awk -v nx="$1" -v ny="$2" -v nz="$3" -v r="$4" -v bodies="$5" 'BEGIN {
    printf "simulation: { engine = \"fluid\"; dimension = 3; size = [%g, %g, %g]; radius = %g; time_step = 2.5e-4; steps = 1;\n", 2 * nx * r, 4 * ny * r, 2 * nz * r, r
    print "  gravity = [0, -9.81, 0]; sweeps = 6; tolerance = 0; divergence_sweeps = 1; divergence_tolerance = 0; };"
    print "materials: ( { name = \"water\"; density = 1000; viscosity = 1; }, { name = \"solid\"; model = \"rigid\"; density = 400; } );"
    printf "bodies: ( { name = \"water\"; material = \"water\"; low = [0, 0, 0]; size = [%g, %g, %g]; }", 2 * nx * r, 2 * ny * r, 2 * nz * r
    split("0.3 0.7", at, " ")
    each = 0.2 / int(0.1 / r + 0.5)
    for (k = 1; k <= bodies; k++) {
      printf ",\n  { name = \"body_%d\"; material = \"solid\"; center = [%g, %g, %g]; size = [0.4, 0.2, 0.4]; spacing = %.15g; }", k, at[k] * 2 * nx * r, 2 * ny * r + 0.1, nz * r, each
    }
    print " );\ndesign: ( { variable = \"initial_velocity\"; body = \"body_1\"; lower = -5; upper = 5; } );"
    print "objective: ( { term = \"distance\"; body = \"body_1\"; target = [0, 0, 0]; } );"
    print "optimizer: { name = \"gradient_descent\"; max_evaluations = 1; repeats = 0; };"
  }' > scene.cfg
}

# seconds STEPS ARGUMENTS...
seconds() {
  local n=$1
  shift
  { time "$cqopt" evaluate scene.cfg --threads 1 --set simulation.steps="$n" "$@" > out 2> err; } 2>&1 ||
    { cat err >&2; exit 1; }
}

# row TASK STEPS FORWARD GRADIENT: the published ones, and the scene
row() {
  local name=$1 published=$2 way few many
  [[ " $tasks " == *" $name "* ]] || return 0
  shift 2
  printf '%s,%s,%s,%s,%s' "$name" $((${3} * ${4} * ${5})) "$published" "$1" "$2"
  scene "${@:3}"
  for way in "" "--gradient --set simulation.gradient=local" "--gradient --set simulation.gradient=exact"; do
    # shellcheck disable=SC2086
    many=$(seconds $((1 + steps)) $way) && few=$(seconds 1 $way) || exit 1
    awk -v few="$few" -v many="$many" -v n="$steps" -v of="$published" 'BEGIN { printf ",%.4g", (many - few) / n * of }'
  done
  echo ",$steps"
}

{
  echo "task,particles,steps,published_forward,published_gradient,forward,local,exact,timed_steps"
  row bottle_flip 2771 61.7 74.7 16 52 16 0.02 1
  row billiards_water 226 29.3 0.5 80 14 78 0.015 2
  row rafting 635 125.1 3.9 50 28 75 0.02 1
  row high_diving 3092 688 6.5 60 51 50 0.025 1
  row stone_skipping 1478 472.6 0.8 95 50 50 0.015 1
} | tee "$here/fluid_speed.new"
mv "$here/fluid_speed.new" "$here/fluid_speed.csv"
