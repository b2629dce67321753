#!/usr/bin/env bash
# nvcc.sh LOG COMPILER...: compiles and keeps in LOG what ptxas says of every kernel (registers,
# spills); of the rest, warnings and errors are shown.
set -u
log=$1
shift
"$@" > "$log" 2>&1
code=$?
grep -vE '^ptxas info|bytes stack frame' "$log" >&2
exit $code
