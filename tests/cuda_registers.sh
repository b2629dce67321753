#!/usr/bin/env bash
# cuda_registers.sh LOG VARIANT LIMITS: what ptxas said of the kernels of a variant (2d_f32, ...),
# as a table; fails where a kernel needs or spills more registers than LIMITS allows it.
set -euo pipefail

log=$1 variant=$2 limits=$3
[ -s "$log" ] || { echo "$log is missing or empty: build cq_cuda"; exit 1; }

c++filt -p < "$log" | awk -v variant="$variant" -v limits="$limits" '
# the limits of a kernel are those of the last line whose patterns it fits
function limit(kernel, i, found) {
  for (i = 1; i <= n_limits; i++) {
    if (kernel ~ kernels[i] && variant ~ variants[i]) { found = i }
  }
  return found
}
# of a kernel with all that it calls
function close_kernel(i, words) {
  if (kernel == "") { return }
  i = limit(kernel)
  words = ""
  if (!i) { words = words " <- no limit is given" }
  if (i && registers > max_registers[i]) { words = words " <- more than " max_registers[i] " registers" }
  if (i && spill > max_spill[i]) { words = words " <- spills more than " max_spill[i] " bytes" }
  printf "%-6s %-32s %9d %11d %11d %11d%s\n", card, kernel, registers, spill, stack, shared, words
  if (words != "") { bad++ }
  n_kernels++
  kernel = ""
}
BEGIN {
  while ((getline row < limits) > 0) {
    if (row ~ /^(#|$)/) { continue }
    split(row, word, " ")
    n_limits++
    kernels[n_limits] = "^(" word[1] ")$"
    variants[n_limits] = "^(" word[2] ")$"
    max_registers[n_limits] = word[3]
    max_spill[n_limits] = word[4]
  }
  printf "%-6s %-32s %9s %11s %11s %11s\n", "card", "kernel", "registers", "spill [B]", "stack [B]",
    "shared [B]"
}
/Compiling entry function/ {
  close_kernel()
  split($0, part, "\047")
  kernel = part[2]
  card = part[4]
  sub(/^(void|static) /, "", kernel)
  sub(/[(<].*/, "", kernel)
  registers = spill = stack = shared = 0
}
/bytes spill stores/ {
  sub(/^ */, "")
  split($0, word, " ")
  spill += word[5] + word[9]
}
/Used [0-9]+ registers/ {
  match($0, /Used [0-9]+/)
  registers = substr($0, RSTART + 5, RLENGTH - 5) + 0
  if (match($0, /[0-9]+ bytes cumulative stack/)) { stack = substr($0, RSTART, RLENGTH) + 0 }
  if (match($0, /[0-9]+ bytes smem/)) { shared = substr($0, RSTART, RLENGTH) + 0 }
}
END {
  close_kernel()
  printf "%d kernels, %d beyond their limits\n", n_kernels, bad
  exit bad > 0 || n_kernels == 0
}'
