#!/usr/bin/env bash
# libfuzzer.sh SOURCE BUILD TARGET...: builds the targets by the preset "fuzz" and gives each a
# minute. Skipped (77) where there is no clang with libFuzzer.
set -euo pipefail
source=$1
build=$2
shift 2
mkdir -p "$build"
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n > 0; }' \
  > "$build/try.c"
if ! clang -fsanitize=fuzzer,address,undefined "$build/try.c" -o "$build/try" 2> "$build/try.err"; then
  echo "skipped: there is no clang with libFuzzer"
  exit 77
fi
cmake --preset fuzz -S "$source" -B "$build" > "$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --parallel 2 --target cqopt "${@/#/fuzz_}" > "$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
ctest --test-dir "$build" --output-on-failure -R '^fuzz_(seeds|long_)'
