#!/usr/bin/env bash
# Makes bench_before.csv: cqopt bench of two builds in turns, one thread, the least of some rounds. Some minutes on an
# idle core.
#
#   results/reference/make_before.sh BEFORE AFTER [ROUNDS]
#   results/reference/make_before.sh ../main/build/cqopt build/cqopt 4
set -euo pipefail

before=$1 after=$2 rounds=${3:-4}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cases="2d_f64_6k4 2d_f32_6k4 small_2d 3d_f32_8k 3d_f32_64k 3d_f64_64k"

# the engine's and the naive loop's times of a program, a line a number: CASE,PASS,QUANTITY,VALUE
run() { # NAME PROGRAM CASE
  { "$2" bench --threads 1 --case "$3" --csv || [ $? -eq 7 ]; } | awk -F, -v "name=$1" -v "only=$3" '
    /^machine,peak,float/ { print only ",machine,peak_f32," $4 ",GFLOP/s" }
    $1 == only && $3 == "engine_1_thread" { print $1 "," $2 "," name "," $4 ",ns" }
    $1 == only && $3 == "naive" { print $1 "," $2 ",naive," $4 ",ns" }
    $1 == only && $3 == "step" && only ~ /^small/ { print $1 "," $2 "," name "_step," $4 ",us" }'
}

for case in $cases; do
  for ((i = 0; i < rounds; i++)); do
    run before "$before" "$case"
    run after "$after" "$case"
  done
done | awk -F, '
  BEGIN { print "case,pass,quantity,value,unit" }
  { key = $1 "," $2 "," $3 }
  !(key in best) { order[++n] = key; best[key] = $4; unit[key] = $5 }
  ($3 == "peak_f32" ? $4 > best[key] : $4 < best[key]) { best[key] = $4 }
  END { for (i = 1; i <= n; i++) printf "%s,%.2f,%s\n", order[i], best[order[i]], unit[order[i]] }' > "$here/bench_before.new"
mv "$here/bench_before.new" "$here/bench_before.csv"
