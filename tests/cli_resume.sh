#!/usr/bin/env bash
# kill -9 at any evaluation, also in the middle of its record, and the resumed run has the bits of
# one that was never interrupted. A busy folder, a full disk and changed settings are refused.
source "$(dirname "$0")/cli_lib.sh"
shim=$2

# a height limit, and no residual is small enough, so that SLSQP restarts and takes all 30 evaluations
{
  throw_scene
  cat << 'END'
design: ( { variable = "initial_velocity"; body = "A"; lower = -8; upper = 8; start = [0.5, 1.8]; },
          { variable = "density"; body = "A"; lower = 0.9; upper = 3; } );
optimizer: { max_evaluations = 30; learning_rate = 0.3; optimality_tolerance = 1e-17; };
END
} > throw.cfg
sed '/^optimizer/i constraints: ( { term = "mean_position"; body = "A"; direction = "y"; upper = 0.39; } );' \
  throw.cfg > held.cfg

problem_for() {
  case $1 in
    gradient_descent | adam) echo throw.cfg ;;
    *) echo held.cfg ;;
  esac
}

same_run() {
  cmp -s "$1/evals.bin" "$2/evals.bin" || fail "$3: evals.bin differs"
  diff <(history "$1") <(history "$2") > /dev/null || fail "$3: history.csv differs"
  diff "$1/design.csv" "$2/design.csv" > /dev/null || fail "$3: design.csv differs"
}

# kills every process at its first new record, before, in the middle or after it, until one is let
# go on to the end
chain() {
  local method=$1 whole="whole_$1" part="part_$1" code=0 kills=0 problem
  problem=$(problem_for "$method")
  "$cqopt" solve "$problem" --set optimizer.name="$method" --quiet --output "$whole" > out 2>&1 ||
    code=$?
  local rows
  rows=$(($(wc -l < "$whole/history.csv") - 1))
  [ "$rows" -ge 20 ] || fail "$method: $rows evaluations are too few to test on: $(cat out)"
  local command=(solve "$problem" --set "optimizer.name=$method" --output "$part")
  local torn=(0 90 100000)
  while [ "$kills" -lt 60 ]; do
    local killed=0
    killing 2 "${torn[kills % 3]}" "${command[@]}" || killed=$?
    [ "$killed" -eq 137 ] || break
    kills=$((kills + 1))
    command=(solve --resume "$part")
  done
  [ "$killed" -eq "$code" ] || fail "$method: exit $killed, not $code, after $kills kills: $(cat out)"
  [ "$kills" -ge $((rows / 2)) ] || fail "$method was killed $kills times in $rows records"
  same_run "$whole" "$part" "$method after $kills kills"
}

# killed at each record in turn, in the middle of every other one
each() {
  local method=$1 whole="whole_$1" records
  records=$(($(wc -l < "$whole/history.csv") - 1))
  for ((k = 2; k <= records; k++)); do
    rm -rf part
    killing "$k" $((k % 2 == 0 ? 100000 : 3 * k)) solve "$(problem_for "$method")" \
      --set optimizer.name="$method" --output part || true
    "$cqopt" solve --resume part --quiet > out 2>&1 || true
    same_run "$whole" part "$method killed at $k"
    [ $((k % 2)) -eq 0 ] || has_file part/evals.torn
  done
}

if [ -n "$shim" ]; then
  for method in LD_SLSQP LD_CCSAQ gradient_descent adam LN_COBYLA; do
    chain "$method"
  done
  each LD_SLSQP
  each adam
  chain cmaes # whose generations are simulated side by side
fi

# a run that is over evaluates nothing more; a larger budget lengthens it
short=("$cqopt" solve held.cfg --quiet --output short --set optimizer.name=LN_COBYLA)
expect 3 "${short[@]}" --set optimizer.max_evaluations=6
cp -r short again
expect 3 "$cqopt" solve --resume again --quiet
cmp -s short/evals.bin again/evals.bin || fail "a finished run was evaluated again"
expect 3 "$cqopt" solve --resume again --set optimizer.max_evaluations=9 --quiet
[ "$(member again evaluations)" = 9 ] || fail "evaluations: $(member again evaluations)"
[ "$(member again resumed)" = 2 ] || fail "resumed: $(member again resumed)"
[ "$(member again started)" = "$(member short started)" ] || fail "the start was forgotten"
expect 3 "$cqopt" solve --resume again --quiet # problem.cfg has the new budget
[ "$(member again evaluations)" = 9 ] || fail "the budget was forgotten"

# what may not change
before=$(cat short/* | cksum)
expect 1 "$cqopt" solve --resume short --set optimizer.learning_rate=1
error_says "optimizer.learning_rate cannot change"
expect 1 "$cqopt" solve --resume short --seed 5
error_says "optimizer.seed cannot change"
expect 1 "$cqopt" solve held.cfg --resume short
error_says "leave 'held.cfg' out"
expect 1 "$cqopt" solve --resume short --output other
error_says "leave --output out"
expect 2 "$cqopt" solve --resume nowhere
error_says "nowhere/run.json: No such file"
expect 1 "$cqopt" solve held.cfg --allow-diverge
error_says "needs --resume"
[ "$before" = "$(cat short/* | cksum)" ] || fail "a refused resume changed the folder"
cp -r short edited
sed -i 's/steps = 12/steps = 13/' edited/problem.cfg
expect 1 "$cqopt" solve --resume edited
error_says "edited/problem.cfg is not the problem of this run"
cp -r short blank
: > blank/run.json
expect 2 "$cqopt" solve --resume blank
error_says "blank/run.json is damaged"
cp -r short headless
: > headless/evals.bin
expect 2 "$cqopt" solve --resume headless
error_says "headless/evals.bin has not even a header.*in a new folder"
[ "$(member headless status)" = BUDGET ] || fail "a refused resume changed run.json"
rm blank/problem.cfg
expect 2 "$cqopt" solve --resume blank
error_says "blank/problem.cfg: No such file"
cp -r short elsewhere
sed -i 's/"build_id": ".*"/"build_id": "another"/' elsewhere/run.json
expect 1 "$cqopt" solve --resume elsewhere
error_says "the run had build another"
expect 0 "$cqopt" solve --resume elsewhere --allow-diverge --set optimizer.name=LD_SLSQP \
  --set optimizer.max_evaluations=60 --set optimizer.optimality_tolerance=1e-4 --quiet
[ "$(member elsewhere replayed)" = 6 ] || fail "replayed $(member elsewhere replayed), not 6"

# the instructions it began with, which decide the bits
level=$(member short simd)
# a build of one level has no other to compare with
if [ "$level" != sse2 ] && env CQ_SIMD=sse2 "$cqopt" list > /dev/null 2>&1; then
  plain=(held.cfg --quiet --set optimizer.name=LN_COBYLA)
  expect 3 env CQ_SIMD=sse2 "$cqopt" solve "${plain[@]}" --output straight
  expect 3 env CQ_SIMD=sse2 "$cqopt" solve "${plain[@]}" --output level \
    --set optimizer.max_evaluations=12
  cp -r level other_level
  expect 3 env -u CQ_SIMD "$cqopt" solve --resume level --quiet --set optimizer.max_evaluations=30
  same_run straight level "another SIMD level"
  [ "$(member level simd)" = sse2 ] || fail "the level is $(member level simd)"
  expect 1 env CQ_SIMD="$level" "$cqopt" solve --resume other_level
  error_says "the run had SIMD level sse2, this is $level"
fi

# a folder that another process writes in
"$cqopt" solve held.cfg --output busy --quiet --set optimizer.name=gradient_descent \
  --set simulation.steps=4000 --set 'simulation.gravity=[0,0]' --set 'design.[0].start=[0,0]' \
  --set optimizer.learning_rate=1e-9 --set optimizer.max_evaluations=0 --set constraints=unset > out.busy 2>&1 &
pid=$!
for ((i = 0; i < 600; i++)); do
  if [ -f busy/history.csv ] && [ "$(wc -l < busy/history.csv)" -ge 2 ]; then
    break
  fi
  sleep 0.1
done
expect 2 "$cqopt" solve --resume busy
error_says "busy/evals.bin is being written by another process"
[ "$(member busy status)" = running ] || fail "run.json of the running process was touched"
kill -INT "$pid"
wait "$pid" || true
[ "$(member busy status)" = INTERRUPTED ] || fail "busy ended with $(member busy status)"

# a disk that fills up loses nothing that was written
many=(--quiet --set optimizer.name=LN_COBYLA --set optimizer.max_evaluations=60)
expect 2 bash -c 'ulimit -f 6; exec "$@"' _ "$cqopt" solve held.cfg --output disk "${many[@]}"
error_says "disk/[a-z.]*: File too large"
rows=$(wc -l < disk/history.csv)
if [ "$rows" -lt 10 ] || [ "$rows" -gt 55 ]; then
  fail "$rows rows before the disk was full"
fi
expect 3 "$cqopt" solve --resume disk --quiet
expect 3 "$cqopt" solve held.cfg --output room "${many[@]}"
same_run room disk "after a full disk"
finish
