#!/usr/bin/env bash
# cuda_sanitizer.sh PROGRAM: compute-sanitizer finds nothing in the kernels, in any of its tools.
# Skipped (77) where it or a device is not there.
set -euo pipefail

program=$1
if ! command -v compute-sanitizer > /dev/null && [ ! -x /usr/local/cuda/bin/compute-sanitizer ]; then
  echo "skipped: compute-sanitizer is not installed"
  exit 77
fi
PATH=$PATH:/usr/local/cuda/bin
code=0
"$program" short || code=$?
[ "$code" -eq 0 ] || exit "$code"
for tool in memcheck racecheck synccheck initcheck; do
  echo "$tool"
  compute-sanitizer --tool "$tool" --error-exitcode 1 "$program" short > sanitizer.log 2>&1 ||
    { tail -n 60 sanitizer.log; echo "FAIL: $tool"; exit 1; }
done
