#!/usr/bin/env bash
# A run of an engine's scene ($3) that is killed again and again, by the library $2, and resumed: the
# bits of one that was not, by every gradient that the engine has.
source "$(dirname "$0")/cli_lib.sh"
shim=$2 scene=$3
[ -n "$shim" ] || exit 0 # sanitizers do not go with it

words=$("$cqopt" show "$scene" --set simulation.gradient=nothing 2>&1 || true)
words=$(sed -n 's/.*it has //p' <<< "$words" | tr -d '",')
[ -n "$words" ] || fail "no gradients: $("$cqopt" show "$scene" 2>&1)"
for word in $words; do
  given=(--set simulation.gradient="$word" --set optimizer.max_evaluations=6
    --set optimizer.allow_heuristic=true)
  [ "$word" != none ] || given+=(--set optimizer.name=LN_COBYLA)
  code=0
  "$cqopt" solve "$scene" --quiet --output "whole_$word" "${given[@]}" > out 2>&1 || code=$?
  if [ "$code" -eq 1 ] && grep -q "simulation.gradient = \"$word\"" out; then
    continue # the scene has what it does not know, which test_engines looks at
  fi
  command=(solve "$scene" --output "part_$word" "${given[@]}")
  for ((kills = 0; kills < 20; kills++)); do
    killed=0
    killing 2 $((kills % 2 * 90)) "${command[@]}" || killed=$?
    [ "$killed" -eq 137 ] || break
    command=(solve --resume "part_$word")
  done
  [ "$killed" -eq "$code" ] || fail "$word: exit $killed, not $code: $(cat out)"
  [ "$kills" -ge 3 ] || fail "$word was killed $kills times"
  cmp "whole_$word/evals.bin" "part_$word/evals.bin" || fail "$word: other bits"
done
finish
