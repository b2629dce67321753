#!/usr/bin/env bash
# Do two programs compute the same bits? Three evaluations of every built-in problem by both, one
# thread each, two side by side; their records (designs, values, gradients, Jacobians) are compared.
#   tests/same_bits.sh PROGRAM_A PROGRAM_B [PROBLEM...]
# Records are kept by the program's checksum in $SAME_BITS (a folder below /tmp without it), so that
# one A serves many B. For a change that must not touch results; not one of CTest's tests.
set -euo pipefail
[ $# -ge 2 ] || { echo "use: $0 PROGRAM_A PROGRAM_B [PROBLEM...]" >&2; exit 1; }
a=$(readlink -f "$1") b=$(readlink -f "$2")
shift 2
cache=${SAME_BITS:-/tmp/same_bits.$UID}

# record PROGRAM PROBLEM: the path of its record; the exit code is the run's own business
record() {
  local folder
  folder=$cache/$(cksum < "$1" | tr ' ' -)
  mkdir -p "$folder"
  if [ ! -f "$folder/$2.bin" ]; then
    rm -rf "$folder/$2"
    "$1" solve "$2" --output "$folder/$2" --quiet --threads 1 --set optimizer.max_evaluations=3 \
      --set output.trajectory=false --set output.report=false > "$folder/$2.log" 2>&1 || true
    mv "$folder/$2/evals.bin" "$folder/$2.bin" || cat "$folder/$2.log" >&2
    rm -rf "$folder/$2"
  fi
  echo "$folder/$2.bin"
}

compare() {
  cmp "$(record "$a" "$1")" "$(record "$b" "$1")" || { echo "$1 differs"; return 1; }
}

export -f record compare
export a b cache
[ $# -gt 0 ] || mapfile -t names < <("$a" list | cut -d' ' -f1)
printf '%s\n' "${@:-${names[@]}}" | xargs -P 2 -I '{}' bash -c 'compare {}' ||
  { echo "not the same bits"; exit 1; }
echo "the same bits: $(printf '%s\n' "${@:-${names[@]}}" | wc -l) problems"
