#!/usr/bin/env bash
# What cqopt does on a CUDA device, on a machine that has nothing but a driver.
#   bench/gpu.sh pack DIR [BUILD]   collects the programs of a build (./build) with the libraries
#                                   they need, in at most 64 MiB
#   DIR/gpu.sh run DIR OUT          on the machine with the device, within 7 minutes: tests, the
#                                   scenes of docs/performance.md, gradients; again: what is missing
# OUT/gpu.csv has all numbers, OUT/gpu.txt a table. The exit code is 8 where there is no device, and 1
# where a section failed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
  exit 1
}

# --- pack --------------------------------------------------------------------------------------

# The libraries of a program but those of the C library, which go with the kernel's loader.
libraries_of() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -Ev '/(libc|libm|libdl|librt|libpthread|libresolv|libutil|ld-linux[^/]*)\.so[.0-9]*$'
}

pack() {
  local to=$1 build=${2:-$here/../build} program library count bytes
  local programs=("$build/cqopt" "$build"/tests/test_{cuda_engine,cuda_grains,fluid_device})
  mkdir -p "$to/lib"
  for program in "${programs[@]}"; do
    [ -x "$program" ] || { echo "gpu.sh: $program is missing: ./bootstrap build, and cmake --build $build for all programs" >&2; exit 1; }
    strip -o "$to/${program##*/}" "$program"
    for library in $(libraries_of "$program"); do
      cp -Lu "$library" "$to/lib/"
    done
  done
  cp "$here/gpu.sh" "$here"/../tests/{work_lib,cli_lib}.sh "$here/../tests/cli_cuda.sh" \
    "$here/../tests/cuda_sanitizer.sh" "$to"
  count=$(find "$to/lib" -type f | wc -l)
  tar -C "$to" -czf "$to/lib.tar.gz" lib
  rm -r "$to/lib"
  bytes=$(du -sb "$to" | cut -f 1)
  echo "$to: $count libraries, $((bytes >> 20)) MiB"
  if [ "$bytes" -gt $((64 << 20)) ]; then
    echo "gpu.sh: more than 64 MiB: build with -DCQ_IPOPT=OFF -DCQ_CAIRO=OFF" >&2
    exit 1
  fi
}

# --- run ---------------------------------------------------------------------------------------

failed=0

# section NAME SECONDS COMMAND...: output to OUT/NAME.txt, unless an earlier call has done it
section() {
  local name=$1 seconds=$2 code=0 begin=$SECONDS
  shift 2
  if [ -e "$out/$name.done" ]; then
    return
  fi
  timeout "$seconds" "$@" > "$out/$name.txt" 2> "$out/$name.err" || code=$?
  case $code in
    0 | 77) touch "$out/$name.done" ;;
    *) failed=1 ;;
  esac
  printf '%-12s %4d s  %s\n' "$name" $((SECONDS - begin)) "$(outcome $code)"
}

outcome() {
  case $1 in
    0) echo done ;;
    77) echo skipped ;;
    124) echo "stopped at its time limit" ;;
    *) echo "FAILED with exit code $1" ;;
  esac
}

# Before anything else: is there a device?
probe() {
  local code=0
  "$dir/cqopt" bench --device cuda --quick --case small_2d > "$out/device.txt" 2> "$out/device.err" ||
    code=$?
  cat "$out/device.err" >&2
  [ "$code" -eq 0 ] || exit "$code"
  sed -n 1,2p "$out/device.txt"
}

table() {
  awk -F, '
    $1 == "machine" || NF < 5 || $1 == "case" { next }
    $2 == "gradient" { gradient[$1] = gradient[$1] " " $3 " " $4 " " $5 ","; next }
    {
      key = $1 " " $2
      if (!(key in seen) && $2 != "step") { order[++n] = key; seen[key] = 1 }
      value[key, $3] = $4
    }
    END {
      printf "%-12s %-9s %12s %11s %10s %12s %6s %12s\n", "case", "pass", "ns/particle", "us/step",
        "of memory", "naive ns", "gain", "ms/3 steps"
      for (i = 1; i <= n; i++) {
        k = order[i]
        split(k, word, " ")
        printf "%-12s %-9s %12.4f %11.1f %9.0f%% %12.4f %6.2f %12.4f\n", word[1], word[2],
          value[k, "engine"], value[k, "step"], value[k, "of_bandwidth"], value[k, "naive"],
          value[k, "ratio"], value[k, "frame"]
      }
      for (k in gradient) { print k ":" gradient[k] }
    }' "$out/gpu.csv"
}

collect() {
  local file
  : > "$out/gpu.csv"
  for file in "$out"/bench_*.txt; do
    if [ ! -s "$out/gpu.csv" ]; then
      cat "$file" > "$out/gpu.csv"
    else
      grep -v -e '^case,' -e '^machine,' "$file" >> "$out/gpu.csv" || true
    fi
  done
  { sed -n 1,2p "$out/device.txt"; echo; table; } > "$out/gpu.txt"
  cat "$out/gpu.txt"
}

run() {
  dir=$(cd "$1" && pwd)
  if [ -e "$dir/lib.tar.gz" ]; then
    tar -C "$dir" -xzf "$dir/lib.tar.gz"
  fi
  mkdir -p "$2"
  out=$(cd "$2" && pwd)
  probe
  bench() { section "bench_$1" "$2" "$dir/cqopt" bench --device cuda --csv --case "$1"; }
  section tests 60 "$dir/test_cuda_engine"
  section grains 30 "$dir/test_cuda_grains"
  section fluid 30 "$dir/test_fluid_device"
  bench 3d_f32 50
  bench gradient_64k 30
  bench 3d_f64 50
  bench 2d 20
  bench fluid 40
  section problems 50 bash "$dir/cli_cuda.sh" "$dir/cqopt"
  section sanitizer 50 bash "$dir/cuda_sanitizer.sh" "$dir/test_cuda_engine"
  collect
  exit "$failed"
}

case "${1:-}:$#" in
  pack:2 | pack:3) shift && pack "$@" ;;
  run:3) shift && run "$@" ;;
  *) usage ;;
esac
