#!/usr/bin/env bash
# Times the granular engine beside LAMMPS (pair gran/hooke/history) on beds of cqopt bench: the same
# lattice of grains between the same walls, 0.4 s in which it settles, then 0.1 s that are timed. One
# thread each, in turns; times are of the processor's clock.
#
#   bench/peers/grains_lammps.sh [CQOPT [FOLDER [ROUNDS [GRAINS...]]]]
#
# GRAINS are 1000, 4000, 16000, 64000 and 128000 if none are given. Needs `lmp` (Debian: lammps). Writes
# FOLDER/grains_lammps.csv: CPU seconds a simulated second. The springs of LAMMPS let the lowest of 20
# layers sink in by 0.015 radii, a little deeper than the engine's contacts; its step of 1e-4 s is a
# twenty-eighth of the time that a contact lasts. The engine's is 1e-3 s with 10 iterations, or (longer)
# 2e-3 s with 8; double where cqopt bench has that bed in double, too.
set -euo pipefail

cqopt=$(realpath "${1:-build/cqopt}")
folder=${2:-build/peers}
rounds=${3:-3}
beds=(1000 4000 16000 64000 128000)
[ $# -lt 4 ] || beds=("${@:4}")
command -v lmp > /dev/null || { echo "grains_lammps.sh: there is no program lmp" >&2; exit 1; }
mkdir -p "$folder"
cd "$folder"
export OMP_NUM_THREADS=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# bed N: a data file with the lattice of bench/grains.c, and its width
bed() {
  awk -v n="$1" 'BEGIN {
    r = 0.02; pitch = 2.04 * r; side = int(sqrt(n / 20)); side += side * side < n / 20
    width = (side + 0.3) * pitch
    print "a bed\n\n" n " atoms\n1 atom types\n"
    print "0 " width " xlo xhi\n0 " width " ylo yhi\n-0.1 " 100 * r " zlo zhi\n\nAtoms\n"
    srand(3)
    for (i = 0; i < n; i++) {
      a = i % side; b = int(i / side) % side; c = int(i / side / side); s = 0.25 * (c % 2)
      print i + 1, 1, 2 * r, 1000, (a + 0.5 + s) * pitch + 0.01 * r * rand(), \
        (b + 0.5 + s) * pitch + 0.01 * r * rand(), (c + 0.5) * pitch + 0.01 * r * rand()
    }
    print width > "width" }' > bed.data
}

# stiffness by 6.4e5 of a mass of 0.0335 kg, so that a contact lasts 2.8e-3 s
script() {
  local law="21447 NULL 900 NULL 0.5 1" width
  width=$(cat width)
  cat << END
units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data bed.data
neighbor 0.004 bin
pair_style gran/hooke/history $law
pair_coeff * *
fix move all nve/sphere
fix weight all gravity 9.81 vector 0 0 -1
fix sides all wall/gran hooke/history $law xplane 0 $width
fix fronts all wall/gran hooke/history $law yplane 0 $width
fix floor all wall/gran hooke/history $law zplane 0 NULL
timestep 1e-4
thermo 1000000
run 4000
run 1000
END
}

# CPU seconds a simulated second of the second run
lammps() {
  script > bed.in
  lmp -in bed.in -log bed.log > /dev/null
  awk '/^Loop time/ { t = $4 } /CPU use/ { sub("%", "", $1); use = $1 } END { print t * use / 100 / 0.1 }' bed.log
}

# the same of the beds of cqopt bench whose names begin so: a line each, BED PASS SECONDS
engine() { # CASE N
  "$cqopt" bench --case "$1" --csv | awk -F, -v name="$1" -v n="$2" '
    ($1 == name || $1 == name "_f64") && $3 == "engine_1_thread" {
      print $1, $2, $4 * 1e-9 * n / ($2 == "step" ? 1e-3 : 2e-3) }'
}

echo "bed,grains,precision,lammps,step,longer_step,ratio,ratio_longer" > grains_lammps.csv
for n in "${beds[@]}"; do
  name=grains_$((n / 1000))k
  bed $n
  : > lammps.txt; : > engine.txt
  for _ in $(seq "$rounds"); do
    lammps >> lammps.txt
    engine "$name" $n >> engine.txt
  done
  awk -v name="$name" -v n="$n" -v OFS=, '
    function least(a, b) { return a == "" || b < a ? b : a }
    FILENAME == "lammps.txt" { l = least(l, $1 + 0); next }
    { t[$1, $2] = least(t[$1, $2], $3 + 0); has[$1] = 1 }
    END {
      for (k = 0; k < 2; k++) {
        bed = name (k == 1 ? "_f64" : "")
        if (bed in has)
          print name, n, k == 1 ? "double" : "float", sprintf("%.2f", l), sprintf("%.2f", t[bed, "step"]),
            sprintf("%.2f", t[bed, "longer_step"]), sprintf("%.2f", l / t[bed, "step"]), sprintf("%.2f", l / t[bed, "longer_step"])
      }
    }' lammps.txt engine.txt >> grains_lammps.csv
done
cat grains_lammps.csv
