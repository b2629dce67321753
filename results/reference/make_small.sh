#!/usr/bin/env bash
# What small scenes of MPM cost with two programs: small.csv, the least of ROUNDS (3) runs in turns. Four minutes on two cores that have
# nothing else to do.
#
#   results/reference/make_small.sh OLD NEW
#
# step: microseconds of the processor a step, forward and back, with one thread. walls: the same of scenes that rest on their walls
# without gravity (with), and without these (without). threads: microseconds of the clock, with one thread (1) and two (2), of a block of
# so many particles that falls onto a floor. side: seconds of the clock of a whole solve, with one thread and two: four starts of the
# walker, eight scenarios of the finger. A step is the difference of many gradients and 2.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/designs.sh"
old=$(realpath "$1")
new=$(realpath "$2")
rounds=${ROUNDS:-3}
problems=$(realpath "$here/../../problems")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
TIMEFORMAT="%R %U"

least() { sort -g | head -1; }

# clock PROGRAM SCENE THREADS DESIGNS: real and user seconds of their gradients
clock() {
  { time "$1" evaluate "$2" --at "$2.$4.csv" --gradient --format csv --threads "$3" > /dev/null 2>&1; } 2>&1 | tail -1
}

# both PROGRAM SCENE THREADS: real and user seconds of many gradients, and of two
both() {
  echo "$(clock "$1" "$2" "$3" many) $(clock "$1" "$2" "$3" few)"
}

# step COLUMN SCENE: microseconds a step, of the least of what is read
step() {
  awk -v c="$1" -v steps="$(sed -n 's/^ *steps = \([0-9]*\);.*/\1/p' "$2")" -v n="$(wc -l < "$2.many.csv")" '
    NR == 1 || $c < many { many = $c }
    NR == 1 || $(c + 2) < few { few = $(c + 2) }
    END { printf "%.2f", (many - few) / (n - 3) / steps * 1e6 }'
}

# ready SCENE [N]: its designs, 2 and N
ready() {
  rm -rf "start-$1"
  "$new" solve "$1" --threads 1 --quiet --set optimizer.max_evaluations=1 --set output.report=false --set output.trajectory=false \
    --output "start-$1" > /dev/null 2>&1 || true
  designs "start-$1" 2 > "$1.few.csv"
  designs "start-$1" "${2:-12}" > "$1.many.csv"
}

# row WHAT SCENE COLUMN FIRST-SCENE THREADS SECOND-SCENE THREADS: of both programs, in turns
row() {
  for ((i = 0; i < rounds; i++)); do
    both "$old" "$4" "$5" >> "$1-$2-1"
    both "$new" "$4" "$5" >> "$1-$2-3"
    both "$old" "$6" "$7" >> "$1-$2-2"
    both "$new" "$6" "$7" >> "$1-$2-4"
  done
  echo "$1,$2,$(step "$3" "$4" < "$1-$2-1"),$(step "$3" "$6" < "$1-$2-2"),$(step "$3" "$4" < "$1-$2-3"),$(step "$3" "$6" < "$1-$2-4")"
}

# block NAME DIMENSION SIDE
block() {
  local vec="$3, $3" size v="0.2, 0.3" grid="60, 60" gravity="0, -1"
  size=$(awk -v k="$3" 'BEGIN { print k / 60 }')
  [ "$2" = 2 ] || { vec+=", $3" v+=", 0.1" grid+=", 60" gravity+=", 0"; }
  cat > "$1" << SCENE
problem: { name = "block"; title = "a block falls"; };
simulation: { dimension = $2; grid = [$grid]; cell = "1/30"; time_step = 7.5e-3;
  steps = 200;
  gravity = [$gravity]; };
materials: ( { name = "rubber"; model = "fixed_corotated"; youngs_modulus = 10; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "ball"; material = "rubber"; low = [0.2, 0.2$([ "$2" = 2 ] || echo ", 0.2")]; size = [$size, $size$([ "$2" = 2 ] || echo ", $size")];
  count = [$vec]; lattice_offset = 0; particle_mass = 1; particle_volume = 1; } );
boundaries: { domain: { type = "separate"; friction = 0.5; }; };
design: ( { variable = "initial_velocity"; body = "ball"; start = [$v]; } );
objective: ( { term = "distance"; body = "ball"; target = [$v]; squared = true; } );
optimizer: { name = "gradient_descent"; learning_rate = 1e-2; max_evaluations = 1; };
SCENE
}

# whole PROGRAM THREADS ARGUMENTS...: seconds of the clock
whole() {
  local program=$1 threads=$2
  shift 2
  rm -rf solved
  { time { "$program" solve "$@" --seed 1 --threads "$threads" --quiet --set output.report=false --set output.trajectory=false \
    --set optimizer.stop_at_target=false --output solved > /dev/null 2>&1 || true; }; } 2>&1 | tail -1 | cut -d' ' -f1
}

# side NAME ARGUMENTS...
side() {
  local name=$1 program threads
  shift
  for ((i = 0; i < rounds; i++)); do
    for program in "$old" "$new"; do
      for threads in 1 2; do
        whole "$program" $threads "$@" >> "side-$name-$([ "$program" = "$old" ] && echo before || echo after)-$threads"
      done
    done
  done
  echo "side,$name,$(least < "side-$name-before-1"),$(least < "side-$name-before-2"),$(least < "side-$name-after-1"),$(least < "side-$name-after-2")"
}

{
  echo "what,scene,before_1,before_2,after_1,after_2"
  while read -r scene many; do
    cp "$problems/$scene.cfg" "$scene"
    ready "$scene" "$many"
    row step "$scene" 2 "$scene" 1 "$scene" 1
  done <<< $'bounce 400\nfinger 12\nwalker_2d 12\nbridge 40\nrolling_hill 12'
  for scene in walker_2d rolling_hill; do
    sed 's/gravity = \[.*\]/gravity = [0, 0]/; s/layers_low = 3/layers_low = 5/; s/0.351333, 0.16\]/0.351333, 0.152]/
      s/along = "slope"/along = "x"/; s/max = 0.3;/max = 1e-9;/' "$problems/$scene.cfg" > with
    sed '/^boundaries = {.*};$/d; /^boundaries: {/,/^};/d' with > without
    ready with 12
    ready without 12
    row walls $scene 2 with 1 without 1
  done
  while read -r dimension side; do
    block block "$dimension" "$side"
    ready block 40
    row threads "${dimension}D $((side ** dimension))" 1 block 1 block 2
  done <<< $'2 23\n2 32\n2 45\n2 71\n3 8\n3 13'
  side starts walker_2d --set optimizer.starts=4 --set optimizer.max_evaluations=8
  side scenarios finger_random --set optimizer.max_evaluations=6 --set scenarios.combine=mean --set scenarios.count=8
} > "$here/small.csv.new"
mv "$here/small.csv.new" "$here/small.csv"
