#!/usr/bin/env bash
# Makes validation_fluid.csv, what the tests of the fluid print: about a minute on one core.
#
#   results/reference/make_fluid.sh [build/tests]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(realpath "${1:-$here/../../build/tests}")
export OMP_WAIT_POLICY=passive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in momentum rest floats floats_3d flows_3d contact; do # flows_3d has those of flows, too
  "$tests/test_fluid_$name"
done > "$work/out"

# rows NAME REGEX: a row for each number that the groups of REGEX find, named NAME_1, NAME_2, ...
rows() {
  sed -nE "s/.*$2()()().*/\\1 \\2 \\3/p" "$work/out" | tr -s ' ' '\n' | grep . | awk -v name="$1" '{ print name "_" NR "," $1 }' |
    grep . || { echo "make_fluid.sh: nothing is printed that is \"$2\"" >&2; exit 1; }
}

{
  echo "quantity,value"
  rows momentum_2d '2D, [0-9.]+ Pa s: linear ([^,]+), angular ([^ ]+)'
  rows momentum_3d '3D, [0-9.]+ Pa s: linear ([^,]+), angular ([^ ]+)'
  rows lattice_2d '2D f64: bulk ([^,]+), first layer at a wall ([^,]+)'
  rows lattice_3d '3D f64: bulk ([^,]+), first layer at a wall ([^,]+)'
  rows column 'slope ([^,]+), mean pressure ([^,]+), height (.+)'
  rows draught_2d '2D, ratio [^:]+: draught ([^ ]+)'
  rows draught_3d '3D, ratio [^:]+: draught ([^ ]+)'
  rows release 'ratio [^:]+: acceleration ([^ ]+)'
  rows release_rms 'about the parabola ([^ ]+)'
  rows poiseuille 'Poiseuille in .D: speed ([^ ]+)'
  rows vortices 'number 2.5: rate of decay ([^ ]+)'
  rows thin_vortices 'at 25, [0-9]+ particles along an edge: (.+)'
  rows dam 'rms ([^ ]+) %'
  rows drop 'longest extent over shortest ([^,]+), then (.+)'
  rows slide 'on the floor: [^,]+, speed ([^ ]+) \(([^)]+)\)'
  rows emitter 'go at ([^ ]+) of its speed and fall at ([^ ]+)'
} > "$work/csv"
mv "$work/csv" "$here/validation_fluid.csv"
