#!/usr/bin/env bash
# The API has the bits of the program: f, c, gradients and Jacobians of its evals.bin, and a record of
# its own that is the same file.
#   tests/api_evals.sh CQOPT TEST_API_EVALS
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # PROBLEM SETS...
  local name=$1 code=0
  shift
  local sets=("$@" optimizer.max_evaluations=2 optimizer.seed=1 output.report=false)
  "$cqopt" solve "$name" "${sets[@]/#/--set=}" --threads 1 --quiet --output "$work/$name" > "$work/said" || code=$?
  [ "$code" = 3 ] || [ "$code" = 4 ] || { cat "$work/said"; echo "$name: exit code $code"; exit 1; }
  echo "$name"
  "$test" "$work/$name/evals.bin" "$work/$name.mine" "$name" "${sets[@]}"
}

cqopt=$1 test=$2
check velocity_2d simulation.steps=30
check density_inference
check finger
check arm_codesign
