#!/usr/bin/env bash
# What one evaluation with gradient of each built-in problem of MPM costs with two programs, at its start, as it is shipped:
# builtin_times.csv, seconds of the processor with one thread, the least of two runs in turns. Five minutes.
#
#   results/reference/make_builtin_times.sh OLD NEW
#
# "none" where the older program does not know the problem.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
old=$(realpath "$1")
new=$(realpath "$2")
TIMEFORMAT=%U

# seconds PROGRAM PROBLEM
seconds() {
  { time "$1" evaluate "$2" --gradient --format csv --threads 1 > /dev/null 2>&1; } 2>&1 || echo none
}

# less A B: the less of two, either of which may be none
less() {
  printf '%s\n' "$1" "$2" | grep -v none | sort -g | head -1 | grep . || echo none
}

{
  echo "problem,before,after"
  while read -r file; do
    before=none after=none
    for _ in 1 2; do
      before=$(less "$before" "$(seconds "$old" "$file" | tail -1)")
      after=$(less "$after" "$(seconds "$new" "$file" | tail -1)")
    done
    echo "$(basename "$file" .cfg),$before,$after"
  done < <(grep -L 'engine *= *"' "$here"/../../problems/*.cfg)
} > "$here/builtin_times.csv.new"
mv "$here/builtin_times.csv.new" "$here/builtin_times.csv"
