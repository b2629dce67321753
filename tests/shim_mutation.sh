#!/usr/bin/env bash
# shim_mutation.sh SOURCE KERNELS MUTATIONS CXX OBJECT LIBRARIES...: with one mistake in the kernels at
# a time (KERNELS: a .cu file and what is named like it; MUTATIONS: a file, a sed expression), compiled
# against the shim and linked with OBJECT, the test fails; without one it passes.
set -euo pipefail

source=$1 kernels=$2 mutations=$3 compiler=$4
shift 4
link=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

includes=(-I"$source/tests/shim")
for folder in "${kernels%/*}" sim/{base,core,math,near,rigid,shapes} include controllers; do
  includes+=(-I"$source/$folder")
done
main=${kernels##*/}

# build_and_run FOLDER FILE SED: in FOLDER, a copy of the kernels with FILE changed by SED
build_and_run() {
  local folder=$work/$1 file=$2 change=$3
  mkdir "$folder"
  cp "$source/${kernels%.cu}"* "$source"/sim/core/cuda_*.cuh "$folder"
  if [ -n "$change" ]; then
    cp "$folder/$file" "$folder/before"
    sed -i -e "$change" "$folder/$file"
    if cmp -s "$folder/$file" "$folder/before"; then
      echo unchanged
      return
    fi
  fi
  if ! "$compiler" -std=c++17 -O0 -w -DCQ_DIM=2 -DCQ_BITS=64 "${includes[@]}" -x c++ \
    -c "$folder/$main" -o "$folder/mutant.o" 2> "$folder/errors"; then
    head -n 5 "$folder/errors" >&2
    echo uncompiled
    return
  fi
  "$compiler" -o "$folder/test" "${link[0]}" "$folder/mutant.o" "${link[@]:1}" -lm
  if timeout 30 "$folder/test" > "$folder/log" 2>&1; then
    echo passed
  else
    echo failed
  fi
}

# one LINE NUMBER: what became of a mutation
one() {
  local file change words outcome
  IFS='|' read -r file change words <<< "$1"
  outcome=$(build_and_run "$2" "$file" "$change")
  printf '%-10s %s: %s\n' "$outcome" "$file" "$words"
}

# all of them, or every so many
grep -v '^#' "$mutations" | awk -v every="${MUTATIONS_EVERY:-1}" 'NR % every == 0' > "$work/mistakes"
# two at a time
{
  one "$main||no mistake" 0 &
  i=0
  while IFS= read -r line; do
    i=$((i + 1))
    if [ $((i % 2)) -eq 0 ]; then
      wait
    fi
    one "$line" "$i" &
  done < "$work/mistakes"
  wait
} > "$work/outcomes"
cat "$work/outcomes"
mistakes=$(wc -l < "$work/mistakes")
caught=$(grep -c '^failed' "$work/outcomes" || true)
echo "$caught of $mistakes mistakes are seen"
[ "$caught" -eq "$mistakes" ] && grep -q '^passed .* no mistake$' "$work/outcomes"
