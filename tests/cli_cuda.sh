#!/usr/bin/env bash
# cli_cuda.sh PROGRAM [short|every]: built-in problems on the CUDA device and on the CPU: the same
# history.csv but for rounding, two evaluations each; a gradient check on the device. "short" is for
# the shim, which is slow: few steps of one problem. "every" is a first evaluation of every problem
# that can be cut down to a few steps. Skipped (77) without a device.
source "$(dirname "$0")/cli_lib.sh"
length=${2-}

code=0
"$cqopt" simulate velocity_2d --device cuda --quiet --output probe --set simulation.steps=2 \
  > out 2> err || code=$?
if [ "$code" -eq 8 ]; then
  echo "skipped: $(cat err)"
  exit 77
fi

# close NAME TOLERANCE: histories of NAME-cpu and NAME-cuda, every number but hashes of designs by
# its relative difference; what is nothing but rounding errors may have others
close() {
  paste -d '\n' <(history "$1-cpu") <(history "$1-cuda") | awk -F, -v name="$1" -v tolerance="$2" '
    function size(x) { return x < 0 ? -x : x }
    NR % 2 == 1 { n = split($0, cpu, ","); next }
    {
      rows++
      if (NF != n) { print name ": a row of another length"; bad++ }
      for (i = 1; i <= n; i++) {
        if (NR == 2 && $i == "x_hash") { hash = i }
        if (i == hash || cpu[i] == $i) { continue }
        scale = size(cpu[i]) > size($i) ? size(cpu[i]) : size($i)
        far = scale > 0 ? size(cpu[i] - $i) / scale : 1
        if (size(cpu[i] - $i) < 1e-15) { continue }
        if (far > worst) { worst = far }
        if (!(far <= tolerance)) { print name ": row " NR / 2 ", column " i ": " cpu[i] ", " $i; bad++ }
      }
    }
    END { printf "%s: %d rows, largest difference %.1e\n", name, rows - 1, worst; exit bad > 0 || rows < 2 }
  ' || fail "$1: the histories of CPU and device differ"
}

# both NAME CODE TOLERANCE ARGUMENTS...: two evaluations of the problem NAME on either
both() {
  local name=$1 code=$2 tolerance=$3 device
  shift 3
  for device in cpu cuda; do
    expect "$code" "$cqopt" solve "$name" --device "$device" --quiet --output "$name-$device" \
      --set optimizer.max_evaluations=2 "$@"
  done
  close "$name" "$tolerance"
}

if [ "$length" = short ]; then
  both velocity_2d 3 1e-8 --set simulation.steps=6
  both bulldozing 3 1e-6 --set simulation.steps=24
  expect 0 "$cqopt" gradcheck velocity_2d --device cuda --set simulation.steps=3
  expect 0 "$cqopt" bench --device cuda --quick --csv --case fluid_2d_f64
  awk -F, '$1 == "fluid_2d_f64" { n += $2 == "forward" && $4 > 0 && $8 == "cuda" } END { exit n != 3 }' out ||
    fail "bench has no fluid"
  expect 0 "$cqopt" bench --device cuda --quick --csv --case small_2d
  awk -F, 'NR > 1 && (NF != 8 || $4 !~ /^[0-9.e+-]+$/ || $8 != "cuda") { print; bad = 1 }
           END { exit bad }' out || fail "a row of bench is not as it should be"
  for row in machine,peak,memory_copy small_2d,{forward,backward},{engine,naive,step,of_bandwidth}; do
    grep -q "^$row," out || fail "bench has no $row"
  done
elif [ "$length" = every ]; then
  compared=0
  for name in $("$cqopt" list | awk '/ particles x / { print $1 }'); do
    few=(--quiet --set optimizer.max_evaluations=1 --set simulation.steps=12 --set output.report=false
      --set output.trajectory=false --set simulation.precision=double)
    code=0
    "$cqopt" solve "$name" --device cpu --output "$name-cpu" "${few[@]}" > out 2> err || code=$?
    if [ "$code" -eq 1 ]; then
      echo "$name: does not fit into a few steps"
      continue
    fi
    if grep -q 'on the CPU alone' <<< "$("$cqopt" show "$name" --device cuda 2>&1)"; then
      echo "$name: not on devices"
      continue
    fi
    expect "$code" "$cqopt" solve "$name" --device cuda --output "$name-cuda" "${few[@]}"
    close "$name" 1e-8
    compared=$((compared + 1))
  done
  [ "$compared" -ge 20 ] || fail "$compared problems were compared"
else
  both velocity_2d 3 1e-8
  both walker_2d 3 1e-8
  both arm_codesign 4 1e-8
  expect 0 "$cqopt" gradcheck velocity_2d --device cuda --set simulation.steps=100
fi
finish
