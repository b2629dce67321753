#!/usr/bin/env bash
# A short solve leaves the same bits whatever the threads and the memory: all of evals.bin, and
# history.csv but for its seconds.
source "$(dirname "$0")/cli_lib.sh"

# three evaluations of the first 120 steps, two of the whole collision: 64 MiB hold less than all
# states of either
velocity_2d=(velocity_2d --set simulation.steps=120 --set optimizer.max_evaluations=3)
density_inference=(density_inference --set optimizer.max_evaluations=2)

# run NAME STATES MEMORY ARGUMENTS...: into a folder NAME, with STATES states stored
run() {
  local name=$1 states=$2 memory=$3
  shift 3
  expect 3 "$cqopt" solve "$@" --quiet --output "$name" --set simulation.memory="$memory"
  [ "$(member "$name" memo_states)" = "$states" ] ||
    fail "$name: $(member "$name" memo_states) states instead of $states"
}

# same ONE OTHER: the run folders
same() {
  cmp "$1/evals.bin" "$2/evals.bin" || fail "evals.bin of $1 and $2 differ"
  diff <(history "$1") <(history "$2") || fail "history.csv of $1 and $2 differ"
}

# bits NAME FOUR_STATES STATES_IN_64_MIB ALL_STATES ARGUMENTS...: FOUR_STATES is the size of four.
# Each memory and each number of threads, with one and four threads at the least memory.
bits() {
  local name=$1 four=$2 some=$3 all=$4 other
  shift 4
  run "$name-1-four" 4 "$four" "$@" --threads 1
  run "$name-4-four" 4 "$four" "$@" --threads 4
  run "$name-2-some" "$some" "64 MiB" "$@" --threads 2
  run "$name-4-all" "$all" "1 TiB" "$@" --threads 4
  for other in 4-four 2-some 4-all; do
    same "$name-1-four" "$name-$other"
  done
}

# a state is 12 doubles and a place in a list a particle, room for the grid, and three a node of a wall with friction; there are 6400, then
# 3200 particles
bits velocity "2800 KiB" 95 121 "${velocity_2d[@]}"
bits density "1460 KiB" 180 401 "${density_inference[@]}"
[ "$(history velocity-1-four | wc -l)" -eq 4 ] || fail "not three evaluations of velocity_2d"
[ "$(history density-1-four | wc -l)" -eq 3 ] || fail "not two evaluations of density_inference"

# a difference would be seen: a change of a design by its last bit
run other 401 "1 TiB" "${density_inference[@]}" --set 'design.[0].start=1.0000000000000002'
if cmp -s density-1-four/evals.bin other/evals.bin; then
  fail "another start gives the same evals.bin"
fi
if diff <(history density-1-four) <(history other) > /dev/null; then
  fail "another start gives the same history.csv"
fi
finish
