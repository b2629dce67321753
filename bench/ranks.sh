#!/usr/bin/env bash
# What sharing costs: a study of density_inference by 2 ranks of mpirun on 2 cores, beside two plain
# studies of half the runs each, in turns. Prints the times and the ratio of the least ones; exit code 7
# where ranks are more than 5 % slower.
#   bench/ranks.sh [PROGRAM [RUNS [TURNS [EVALUATIONS]]]]     (./build/cqopt 200 3 1: three minutes)
set -euo pipefail
program=$(realpath "${1:-build/cqopt}") runs=${2:-200} turns=${3:-3} evaluations=${4:-1}
command -v mpirun > /dev/null || { echo "mpirun is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset OMP_WAIT_POLICY

# values FROM TO: the densities of these runs
values() { seq "$1" "$2" | awk -v n="$runs" '{ printf "%s%.6f", (NR > 1 ? "," : ""), 1 + 4 * $1 / n }'; }
# study FOLDER FROM TO [COMMAND...]: of these runs, by a command before it
study() {
  "${@:4}" "$program" study density_inference --vary "design.[0].start=$(values "$2" "$3")" --output "$1" \
    --workers 1 --threads 1 --set optimizer.max_evaluations="$evaluations" --quiet > "$1.out" 2>&1
}
plain() {
  study "plain_$1_a" 1 $((runs / 2)) & local first=$!
  study "plain_$1_b" $((runs / 2 + 1)) "$runs"
  wait $first
}
ranks() {
  study "ranks_$1" 1 "$runs" mpirun --allow-run-as-root --oversubscribe -n 2
}
# timed COMMAND...: seconds
timed() {
  local began=$EPOCHREALTIME
  "$@" || { echo "failed: $*" >&2; cat ./*.out >&2; exit 1; }
  awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }'
}
echo "turn,plain_seconds,ranks_seconds"
for ((i = 1; i <= turns; i++)); do
  p=$(timed plain $i)
  r=$(timed ranks $i)
  echo "$i,$p,$r" | tee -a table
done
awk -F, '{ if (NR == 1 || $2 < p) p = $2; if (NR == 1 || $3 < r) r = $3 }
  END { printf "ranks take %.3f of the time of plain processes (bar 1.05)\n", r / p; exit (r > 1.05 * p ? 7 : 0) }' table
