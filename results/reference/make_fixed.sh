#!/usr/bin/env bash
# What of a step of MPM does not grow with its particles' own work, by two programs: fixed.csv, microseconds of the processor a step
# (forward and back, one thread), as `perf` finds them. A minute.
#
#   results/reference/make_fixed.sh OLD NEW
#
# grid: nodes that no wall holds, their sums and clearing; walls: those that one holds; observe: means of bodies; sort; controls; team:
# threads, and who does what; all: the whole step.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/designs.sh"
programs=("$(realpath "$1")" "$(realpath "$2")")
problems=$(realpath "$here/../../problems")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
TIMEFORMAT=%U

# shares PROGRAM SCENE: seconds of many gradients, then a line for each function with its part in percent
shares() {
  { time perf record -o data -F 4000 "$1" evaluate "$2" --at many.csv --gradient --format csv --threads 1 > /dev/null 2>&1; } 2>&1
  perf report -i data --stdio --no-children --sort dso,symbol 2> /dev/null | awk '/%/ && !/^#/ { sub("%", ""); print $1, $2, $4 }'
}

# parts STEPS: of what shares prints
parts() {
  awk -v steps="$1" '
    NR == 1 { all = $1 / steps * 1e6; next }
    $3 ~ /observe/ { of["observe"] += $1; next }
    $3 ~ /held|walled|free_nodes/ { of["walls"] += $1; next }
    $3 ~ /cpu_grid|load_nodes|merge_plane|clear_plane/ || ($2 ~ /libc/ && $3 ~ /memset/) { of["grid"] += $1; next }
    $3 ~ /sort|take_box/ { of["sort"] += $1; next }
    $3 ~ /drive|control|layer|network/ { of["controls"] += $1; next }
    $2 ~ /gomp/ || $3 ~ /futex|omp_fn|do_syscall|cpu_take_|cpu_team|run_loops|^sweep/ { of["team"] += $1 }
    END {
      n = split("grid walls observe sort controls team", names, " ")
      for (i = 1; i <= n; i++) { printf "%s %.2f\n", names[i], of[names[i]] * all / 100 }
      printf "all %.2f\n", all
    }'
}

{
  echo "scene,part,before,after"
  while read -r scene many; do
    cp "$problems/$scene.cfg" scene
    rm -rf start
    "${programs[1]}" solve scene --threads 1 --quiet --set optimizer.max_evaluations=1 --set output.report=false \
      --set output.trajectory=false --output start > /dev/null 2>&1 || true
    designs start "$many" > many.csv
    steps=$(($(sed -n 's/^ *steps = \([0-9]*\);.*/\1/p' scene) * many))
    for i in 0 1; do
      shares "${programs[i]}" scene | parts "$steps" > "parts_$i"
    done
    join parts_0 parts_1 2> /dev/null | sed "s/^/$scene /; s/ /,/g"
  done <<< $'bounce 2000\nrolling_hill 60\nwalker_2d 12'
} > "$here/fixed.csv.new"
mv "$here/fixed.csv.new" "$here/fixed.csv"
