#!/usr/bin/env bash
# Makes the tables and pictures of this folder again, in three minutes on one core. The test programs
# are wanted beside the program, in tests/.
#
#   results/reference/make.sh [build/cqopt]
#
# Each picture is a gnuplot script that reads the tables beside it.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# run CODE FOLDER ARGUMENTS...: solves into the folder; CODE is the exit code that is right
run() {
  local wanted=$1 folder=$2 code=0
  shift 2
  "$cqopt" solve "$@" --threads 1 --quiet --output "$folder" > "$folder.out" 2>&1 || code=$?
  if [ "$code" -ne "$wanted" ]; then
    echo "make.sh: exit $code instead of $wanted: cqopt solve $*" >&2
    cat "$folder.out" >&2
    exit 1
  fi
}

# number TYPE OFFSET FILE: the number of 8 bytes there
number() {
  od -An -v -t "$1" -j "$2" -N 8 "$3" | tr -d ' '
}

# evaluations FOLDER: "evaluation,x,f" of a problem of one variable without constraints, from
# evals.bin (opt/trace.h has its layout)
evaluations() {
  local file=$1/evals.bin at=24 size index
  size=$(stat -c %s "$file")
  while [ "$at" -lt "$size" ]; do
    index=$(od -An -t d4 -j $((at + 8)) -N 4 "$file" | tr -d ' ')
    echo "$index,$(number f8 $((at + 40)) "$file"),$(number f8 $((at + 24)) "$file")"
    at=$((at + 16 + $(number u8 "$at" "$file")))
  done | sort -t, -k1,1n -u
}

# member FOLDER NAME: of its run.json
member() {
  sed -n "s/^  \"$2\": \"\{0,1\}\([^,\"]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1/run.json"
}

answer() {
  awk -F, 'NR == 2 { print $3 }' "$1/design.csv"
}

# the objective by density: from 1 to 6, and closer around the least one
scan() {
  local density
  for density in $(seq 1 0.1 6) $(seq 2.15 0.01 2.19) $(seq 2.21 0.01 2.29) \
    $(seq 2.31 0.01 2.36); do
    run 3 "at$density" density_inference --set optimizer.name=LN_COBYLA \
      --set optimizer.max_evaluations=1 --set "design.[0].start=$density"
    echo "$density,$(evaluations "at$density" | cut -d, -f3)"
  done | sort -n
}

# the answers for five samplings of the balls; the first is the file's
seeds() {
  local a
  for a in 1 3 5 7 9; do
    run 0 "seed$a" density_inference --set "bodies.[0].seed=$a" --set "bodies.[1].seed=$((a + 1))"
    echo "$a,$((a + 1)),$(answer "seed$a"),$(member "seed$a" f),$(member "seed$a" evaluations)"
  done
}

# step, body, x, y of every eighth particle at start, contact and end, and the centres' paths
motion() {
  "$cqopt" simulate density_inference --threads 1 --quiet --frames 5 --output motion \
    --set "design.[0].start=$1" > motion.out
  awk -F, 'NR == 1 { print "step,body,x,y" }
           NR > 1 && $2 % 8 == 0 && ($1 == 0 || $1 == 160 || $1 == 400) {
             printf "%d,%s,%.4f,%.4f\n", $1, $3, $4, $5 }' motion/particles.csv
}

centres() {
  awk -F, 'NR == 1 { print "time,A.x,A.y,B.x,B.y" }
           NR > 1 && NR % 8 == 2 { printf "%.3f,%.4f,%.4f,%.4f,%.4f\n", $1, $2, $3, $7, $8 }' \
    motion/observations.csv
}

# 11 digits: what lies beyond depends on the compiler
rounded() {
  awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) { if ($i ~ /^[0-9]/) { $i = sprintf("%.11g", $i) } }
                      print }' "$1"
}

mkdir tables
{ echo "density,loss"; scan; } > tables/density_inference.csv
{ echo "seed_A,seed_B,density,loss,evaluations"; seeds; } > tables/density_inference_seeds.csv
{ echo "evaluation,density,loss"; evaluations seed1; } > tables/density_inference_slsqp.csv
motion "$(answer seed1)" > tables/density_inference_motion.csv
centres > tables/density_inference_centres.csv
"$(dirname "$cqopt")/tests/test_opt_nan" 1 tables/failures.csv > failures.out
for table in tables/*.csv; do
  rounded "$table" > "$here/$(basename "$table")"
done
cd "$here"
for picture in density_inference density_inference_motion; do
  gnuplot "$picture.gp"
done
