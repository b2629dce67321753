#!/usr/bin/env bash
# shellcheck disable=SC2034 # ways to run are taken by their names
# kill -9 at random moments of every way to run, of the program alone or of all its processes, and again
# of what goes on: in the end there is the evals.bin of a run that nobody touched. Where a run cannot go
# on there is a sentence, and the same command works.
#   [KEEP=DIR] cli_kills.sh PROGRAM [KILLS [SEED]]     DIR gets the folders that are not right
source "$(dirname "$0")/cli_lib.sh"
kills=${2:-10}
RANDOM=${3:-1}

{
  throw_scene
  cat << 'END'
design: ( { variable = "initial_velocity"; body = "A"; lower = -8; upper = 8; start = [0.5, 2]; },
          { variable = "density"; body = "A"; lower = 0.9; upper = 3; } );
constraints: ( { term = "mean_position"; body = "A"; direction = "y"; upper = 0.39; } );
optimizer: { max_evaluations = 30; learning_rate = 0.3; optimality_tolerance = 1e-17; };
output: { frames = 3; };
END
} > held.cfg
{
  wall_scene
  echo 'optimizer: { max_evaluations = 20; };'
} > wall.cfg
bare=(--quiet --threads 2 --set output.trajectory=false --set output.report=false)
ways=(solve starts phases retry compare study)
solve=(solve held.cfg --quiet --threads 1)
starts=(solve wall.cfg "${bare[@]}" --set optimizer.starts=4)
phases=(solve held.cfg "${bare[@]}" --set optimizer.phases=feasibility_first --set 'design.[0].start=[0.5, 8]')
retry=(solve wall.cfg "${bare[@]}" --set optimizer.name=random_search --set optimizer.on_failure=retry_smaller_step
  --set 'design.[0].upper=16' --set 'design.[0].lower=-16')
compare=(compare wall.cfg --with "LD_SLSQP,adam(learning_rate=0.05)" --seeds 2 --budget 16 --gradient-cost 2.5
  --threads 2 --quiet)
study=(study wall.cfg --vary optimizer.xtol_rel=1e-3,1e-8 --seeds 2 --threads 2 --quiet)

now() {
  date +%s%N
}

command_of() {
  local -n words=$1
  command=("${words[@]}" --output "$2")
}

# the command that goes on in a folder
next_of() {
  case $1 in
    compare | study) command_of "$1" "$2" ;;
    *)
      command_of "$1" "$2"
      if [ -e "$2/run.json" ]; then
        command=(solve --resume "$2" --quiet)
      fi
      ;;
  esac
}

same_run() {
  local file n=0
  while read -r file; do
    n=$((n + 1))
    cmp -s "$1/$file" "$2/$file" || fail "$3: $file differs"
    diff <(history "$1/$(dirname "$file")") <(history "$2/$(dirname "$file")") > /dev/null || fail "$3: history.csv differs"
  done < <(cd "$1" && find . -name evals.bin)
  [ "$n" -gt 0 ] && [ "$n" -eq "$(find "$2" -name evals.bin | wc -l)" ] || fail "$3: $n records, not as many"
  [ -z "$(find "$2" -name '*.tmp')" ] || fail "$3: left: $(find "$2" -name '*.tmp')"
}

declare -A code=() time=()
for way in "${ways[@]}"; do
  command_of "$way" "whole-$way"
  began=$(now)
  code[$way]=0
  "$cqopt" "${command[@]}" > out 2>&1 || code[$way]=$?
  case ${code[$way]} in
    0 | 3 | 6) ;;
    *) fail "$way: exit ${code[$way]}: $(cat out)" ;;
  esac
  time[$way]=$((($(now) - began) / 1000000))
done
[ "$(cut -d, -f1-11 whole-phases/history.csv | wc -l)" -gt 5 ] || fail "phases: $(cat whole-phases/history.csv)"
[ "$(member whole-retry recovered)" -gt 0 ] || fail "nothing was retried: $(cat whole-retry/log.txt)"

killed=0 missed=0 early=0 sentences=0 round=0
while [ "$killed" -lt "$kills" ] && [ "$failures" -lt 20 ]; do
  way=${ways[round % ${#ways[@]}]} before=$failures
  round=$((round + 1))
  rm -rf part
  for ((again = 0; again < 3; again++)); do
    [ "$killed" -lt "$kills" ] || break
    next_of "$way" part
    setsid "$cqopt" "${command[@]}" > out 2> err &
    pid=$!
    limit=${time[$way]}
    [ $((RANDOM % 3)) -ne 0 ] || limit=$((limit < 60 ? limit : 60)) # most of a folder is made at once
    wait_ms=$((RANDOM * (limit + 1) / 32768))
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    target=$pid
    [ $((RANDOM % 2)) -ne 0 ] || target=-$pid
    code_now=0
    if kill -KILL -- "$target" 2> /dev/null; then
      wait "$pid" 2> /dev/null || code_now=$?
    else
      wait "$pid" 2> /dev/null || code_now=$?
    fi
    case $code_now in
      137) killed=$((killed + 1)) ;;
      "${code[$way]}") missed=$((missed + 1)) ;;
      *) fail "$way after $again kills: exit $code_now: $(cat err)" ;;
    esac
    if [ -d part ] && [ ! -e part/run.json ]; then
      early=$((early + 1))
      if [ -e part/log.txt ] && [ "${command[0]}" = solve ]; then
        code_now=0
        "$cqopt" solve --resume part --quiet > out 2> err || code_now=$?
        if [ "$code_now" -eq 2 ] && grep -q 'begins it anew' err; then
          sentences=$((sentences + 1))
        else
          fail "$way: --resume without a run.json: exit $code_now: $(cat err)"
        fi
      fi
    fi
  done
  next_of "$way" part
  code_now=0
  "$cqopt" "${command[@]}" > out 2> err || code_now=$?
  [ "$code_now" -eq "${code[$way]}" ] || fail "$way: exit $code_now, not ${code[$way]}: $(cat err) ($(ls part))"
  same_run "whole-$way" part "$way (round $round)"
  if [ "$failures" -gt "$before" ] && [ -n "${KEEP:-}" ]; then
    cp -r part "$KEEP/part-$round"
  fi
done
echo "$killed kills in $round rounds, $missed came too late, $early left no run.json, $sentences were told so"
finish
