#!/usr/bin/env bash
# cli_share_kills.sh PROGRAM [KILLS]: kill -9 at random times of one process of a study, of some of
# its processes or of all, alone, in shards and as ranks: the table is that of an untouched study.
source "$(dirname "$0")/cli_lib.sh"
kills=${2:-6}
RANDOM=7

throw_scene | sed "s/steps = 12/steps = 100/" > throw.cfg
cat >> throw.cfg << 'END'
design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );
optimizer: { max_evaluations = 15; };
END
study=("$cqopt" study throw.cfg --vary "materials.[0].density=1:2" --samples 5 --workers 1 --quiet)

table() {
  awk 'BEGIN { FS = OFS = "," }
    NR == 1 { for (i = 1; i <= NF; i++) timed[i] = $i ~ /^seconds/ }
    { for (i = 1; i <= NF; i++) if (timed[i]) $i = ""; print }' "$1/study.csv"
}
expect 0 "${study[@]}" --output whole
table whole > wanted

# start WAY FOLDER: the processes of a study, as $pids
start() {
  local i
  pids=()
  case $1 in
    alone) "${study[@]}" --output "$2" > "out_$1" 2>&1 & pids+=($!) ;;
    shards)
      for i in 1 2; do
        "${study[@]}" --output "$2" --shard $i/2 > "out_$1_$i" 2>&1 & pids+=($!)
      done ;;
    ranks)
      for i in 0 1 2; do
        OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "${study[@]}" --output "$2" > "out_$1_$i" 2>&1 & pids+=($!)
      done ;;
  esac
}

killed=0
for ((k = 0; killed < kills; k++)); do
  way=$(cut -d ' ' -f $((k % 3 + 1)) <<< "alone shards ranks")
  rm -rf folder
  for ((i = 0; i < 4; i++)); do
    start "$way" folder
    sleep "0.$(printf %03d $((RANDOM % 700)))"
    # one of them, or all
    if [ $((RANDOM % 2)) = 0 ]; then victims=("${pids[RANDOM % ${#pids[@]}]}"); else victims=("${pids[@]}"); fi
    for pid in "${victims[@]}"; do
      if kill -KILL "$pid" 2> /dev/null; then killed=$((killed + 1)); fi
    done
    for pid in "${pids[@]}"; do
      code=0
      wait "$pid" 2> /dev/null || code=$?
      [ "$code" = 0 ] || [ "$code" = 137 ] || fail "$way: exit code $code: $(cat out_"$way"*)"
    done
  done
  expect 0 "${study[@]}" --output folder
  table folder | diff wanted - || fail "$way: the table differs"
done
echo "$killed killed"
finish
