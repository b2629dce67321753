#!/usr/bin/env bash
# Makes the tables of what the optimizers solve again, in three minutes on one core.
#
#   results/reference/make_optimizers.sh [build/tests]
#
#   optimizers_hs.csv        Hock and Schittkowski's problems, by method
#   optimizers_tutorial.csv  NLopt's tutorial problem from 300 starts
#   optimizers_class.csv     20 large problems a size, start and unit of f
#
# Statuses and counts of answers are the same everywhere; numbers of evaluations may differ by compiler,
# and times a method takes besides the evaluations by machine. IPOPT is there where it is installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(realpath "${1:-$here/../../build/tests}")

for name in hs tutorial class; do
  "$tests/test_opt_$name" table > "$here/$name.out" || {
    echo "make_optimizers.sh: test_opt_$name fails:" >&2
    grep -v , "$here/$name.out" >&2
    exit 1
  }
  grep , "$here/$name.out" | grep -v '^ \|checks' > "$here/optimizers_$name.csv"
  rm "$here/$name.out"
done
