#!/usr/bin/env bash
# Makes the tables and pictures of the co-design problems again: codesign_*.csv and .svg.
#
#   results/reference/make_codesign.sh [build/cqopt] [FOLDER]
#
# Two runs at a time, on one thread each. Runs that are in FOLDER already are not made again; without it
# they go to a folder that is removed at the end.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cqopt=$(realpath "${1:-$here/../../build/cqopt}")
if [ -n "${2:-}" ]; then
  mkdir -p "$2"
  cd "$2"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
fi

# solve FOLDER ARGUMENTS...; how it ends is in its run.json
solve() {
  local folder=$1
  shift
  [ -f "$folder/summary.txt" ] && return
  rm -rf "$folder"
  "$cqopt" solve "$@" --threads 1 --quiet --output "$folder" > "$folder.out" 2>&1 || true
  mv "$folder.out" "$folder/summary.txt"
}

# pair COMMAND...: beside the one before it
pair() {
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
    wait -n
  done
  "$@" &
}
