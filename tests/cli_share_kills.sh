#!/usr/bin/env bash
# cli_share_kills.sh PROGRAM [KILLS]: under each way to run so many kill -9, at random times, of one
# process or of all: a study alone, in shards and as ranks, a solve as ranks (a generation, starts).
# Tables and records are those of an untouched one.
source "$(dirname "$0")/cli_lib.sh"
kills=${2:-1}
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
table whole > wanted_study

# solves, whose ranks come to rank 0
quiet=(--set output.trajectory=false --set output.report=false --threads 1 --quiet)
sed 's/max_evaluations = 15/name = "cmaes"; max_evaluations = 300/' throw.cfg > generation.cfg
sed 's/max_evaluations = 15/starts = 4; workers = 1; &/' throw.cfg > starts.cfg
record() {
  cat "$1/design.csv"
  find "$1" -name evals.bin | sort | xargs md5sum | cut -c1-32
}
for way in generation starts; do
  code=0
  "$cqopt" solve $way.cfg --output whole_$way "${quiet[@]}" > out 2>&1 || code=$?
  [ $code = 0 ] || [ $code = 3 ] || fail "$way: exit code $code"
  record whole_$way > wanted_$way
done
# solve WAY FOLDER: arguments
solve() {
  if [ -s "$2/run.json" ]; then
    echo solve --resume "$2" --quiet --threads 1
  else
    echo solve "$1.cfg" --output "$2" "${quiet[@]}"
  fi
}

# start WAY FOLDER: the processes of a study or solve, as $pids
start() {
  local i arguments
  pids=()
  case $1 in
    alone) "${study[@]}" --output "$2" > "out_$1" 2>&1 & pids+=($!) ;;
    shards)
      for i in 1 2; do
        "${study[@]}" --output "$2" --shard $i/2 > "out_$1_$i" 2>&1 & pids+=($!)
      done ;;
    generation | starts)
      read -ra arguments <<< "$(solve "$1" "$2")"
      for i in 0 1 2; do
        env OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_SIZE=3 \
          "$cqopt" "${arguments[@]}" > "out_$1_$i" 2>&1 & pids+=($!)
      done ;;
    ranks)
      for i in 0 1 2; do
        OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "${study[@]}" --output "$2" > "out_$1_$i" 2>&1 & pids+=($!)
      done ;;
  esac
}

# round WAY: some kills, and then the end
round() {
  local way=$1 i pid code victims arguments
  rm -rf folder
  for ((i = 0; i < 4; i++)); do
    start "$way" folder
    sleep "0.$(printf %03d $((RANDOM % 700)))"
    # one of them, or all
    if [ $((RANDOM % 2)) = 0 ]; then victims=("${pids[RANDOM % ${#pids[@]}]}"); else victims=("${pids[@]}"); fi
    for pid in "${victims[@]}"; do
      if kill -KILL "$pid" 2> /dev/null; then killed=$((killed + 1)); fi
    done
    # without rank 0 the others wait for it to begin, those of a solve in any case
    case $way in
      ranks | generation | starts)
        if ! kill -0 "${pids[0]}" 2> /dev/null && [ "$way:$(ls folder/run.json 2> /dev/null)" != ranks:folder/run.json ]; then
          kill -KILL "${pids[@]}" 2> /dev/null || true
        fi ;;
    esac
    for pid in "${pids[@]}"; do
      code=0
      wait "$pid" 2> /dev/null || code=$?
      case $way:$code in
        *:0 | *:137 | generation:3 | starts:3 | generation:2 | starts:2) ;;
        *) fail "$way: exit code $code: $(cat out_"$way"*)" ;;
      esac
    done
  done
  case $way in
    generation | starts)
      read -ra arguments <<< "$(solve $way folder)"
      "$cqopt" "${arguments[@]}" > out 2>&1 || true
      record folder | diff wanted_$way - || fail "$way: the record differs: $(cat out)" ;;
    *)
      expect 0 "${study[@]}" --output folder
      table folder | diff wanted_study - || fail "$way: the table differs" ;;
  esac
}
for way in alone shards ranks generation starts; do
  killed=0
  while [ "$killed" -lt "$kills" ]; do round $way; done
  echo "$way: $killed killed"
done
finish
