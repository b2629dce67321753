#!/usr/bin/env bash
# Makes the tables and pictures of docs/validation.md again: the long tests validation_*, which take some
# minutes on one core.
#
#   results/reference/make_validation.sh [build/tests]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(realpath "${1:-$here/../../build/tests}")

cd "$here"
for name in budgets bar disks plate elastica manufactured csm3 chambers grains; do
  "$tests/test_validation_$name" long .
done
for picture in validation_*.gp; do
  gnuplot "$picture"
done
