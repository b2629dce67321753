#!/usr/bin/env bash
# The API has the bits of the program: f, c, gradients and Jacobians of its evals.bin, and a record of
# its own that is the same file.
#   tests/api_evals.sh CQOPT TEST_API_EVALS
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

member() { # FOLDER: the line of $member in its run.json
  grep "^  \"$member\": " "$1/run.json" | sed 's/,$//'
}

check() { # PROBLEM SETS...
  local name=$1 code=0
  shift
  local sets=("$@" optimizer.max_evaluations=2 optimizer.seed=1 output.report=false)
  "$cqopt" solve "$name" "${sets[@]/#/--set=}" --threads 1 --quiet --output "$work/$name" > "$work/said" || code=$?
  [ "$code" = 3 ] || [ "$code" = 4 ] || { cat "$work/said"; echo "$name: exit code $code"; exit 1; }
  echo "$name"
  "$test" "$work/$name/evals.bin" "$work/$name.mine" "$name" "${sets[@]}"
  # what the program reads of both folders is the same
  for member in problem simd seed hash_version config_hash scene_hash stop_hash gradient status f \
    best_evaluation evaluations simulations; do
    diff <(member "$work/$name") <(member "$work/$name.mine") ||
      { echo "$name: $member of run.json differs"; exit 1; }
  done
  "$cqopt" show "$work/$name.mine" > "$work/said"
  grep -q '^  state  *ended' "$work/said" || { cat "$work/said"; echo "$name: show does not know the folder"; exit 1; }
}

cqopt=$1 test=$2
check velocity_2d simulation.steps=30
check density_inference
check finger simulation.steps=60
check arm_codesign simulation.steps=100
