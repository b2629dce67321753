#!/usr/bin/env bash
# cqopt solve as several ranks: a generation, differences, scenarios, experiments and starts dealt out
# by rank 0; ranks that die, are other ones or have nothing to do. The records are those of one process.
source "$(dirname "$0")/cli_lib.sh"
settings=(--set output.trajectory=false --set output.report=false --quiet --threads 1)

# so long that all ranks come in time
steps=1000 code_of_starts=3
if [ -n "${CQ_SANITIZED:-}" ]; then
  steps=200 code_of_starts=0
fi
{
  throw_scene | sed "s/steps = 12/steps = $steps/"
  echo 'design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );'
} > throw.cfg
scene() { # scene NAME TEXT...
  { cat throw.cfg; printf '%s\n' "${@:2}"; } > "$1.cfg"
}
scene generation 'optimizer: { name = "cmaes"; max_evaluations = 100; };'
scene scenarios 'constraints: ( { term = "mean_square_velocity"; body = "A"; upper = 2; } );' \
  'optimizer: { name = "LD_SLSQP"; max_evaluations = 6; };' \
  'scenarios: { vary = ( { key = "materials.[0].youngs_modulus"; values = [20, 30, 40, 50, 60]; } ); };'
scene batch 'optimizer: { name = "adam"; max_evaluations = 6; };' \
  'scenarios: { combine = "batch"; batch = 3;
     vary = ( { key = "materials.[0].youngs_modulus"; values = [20, 30, 40, 50, 60]; } ); };'
scene starts 'optimizer: { name = "LD_SLSQP"; max_evaluations = 15; starts = 4; workers = 1; };'
scene one 'optimizer: { name = "LD_SLSQP"; };'
sed 's/gravity = /gradient = "difference"; &/' one.cfg > differences.cfg
"$cqopt" new identify_two_tests experiments.cfg > /dev/null

# rank I N COMMAND...: as mpirun starts it
rank() {
  env OMPI_COMM_WORLD_RANK="$1" OMPI_COMM_WORLD_SIZE="$2" OMPI_COMM_WORLD_LOCAL_SIZE="$2" "${@:3}"
}
# begin N COMMAND...: all of them, as $pids
begin() {
  local i
  pids=()
  for ((i = 0; i < $1; i++)); do
    env OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE="$1" OMPI_COMM_WORLD_LOCAL_SIZE="$1" "${@:2}" > "out_$i" 2>&1 &
    pids[i]=$! # the program itself
  done
}
# await CODE I: rank I ends so
await() {
  local code=0
  wait "${pids[$2]}" 2> /dev/null || code=$?
  [ "$code" = "$1" ] || fail "rank $2 ends with $code, not $1: $(cat "out_$2")"
}
records() { # records FOLDER: all of it that has no times
  if [ -e "$1/starts.csv" ]; then
    cut -d, -f1-12 "$1/starts.csv"
    cat "$1"/start-*/design.csv
    md5sum "$1"/start-*/evals.bin | cut -c1-32
  else
    history "$1"
    md5sum < "$1/evals.bin"
  fi
  cat "$1/design.csv"
}
same() { # same FOLDER WHOLE
  diff <(records "$2") <(records "$1") > difference || fail "$1 is not $2: $(head -n 4 difference)"
}
# ends CODE PROBLEM: alone and as three ranks
ends() {
  local set=()
  [ "$2" != experiments ] || set=(--set optimizer.max_evaluations=3)
  expect "$1" "$cqopt" solve "$2.cfg" --output "whole_$2" "${settings[@]}" "${set[@]}"
  begin 3 "$cqopt" solve "$2.cfg" --output "ranks_$2" "${settings[@]}" "${set[@]}"
  await "$1" 0
  await 0 1
  await 0 2
  same "ranks_$2" "whole_$2"
  for i in 1 2; do
    grep -q "rank $i of 3 on .* takes part" "ranks_$2/log.txt" || fail "$2: rank $i took no part"
  done
  [ ! -e "ranks_$2/ranks" ] || fail "the address is left"
}
for problem in generation scenarios batch experiments; do ends 3 $problem; done
ends $code_of_starts starts
ends 0 differences
if command -v mpirun > /dev/null && [ -z "${CQ_SANITIZED:-}" ]; then
  expect 3 mpirun --oversubscribe --allow-run-as-root -n 4 "$cqopt" solve generation.cfg --output mpi "${settings[@]}"
  same mpi whole_generation
fi

# a rank dies with a run in its hands: it is named, and the run is made again
until_says() { # until_says TEXT FILE
  local i
  for ((i = 0; i < 1000; i++)); do
    ! grep -q -e "$1" "$2" 2> /dev/null || return 0
    sleep 0.01
  done
  fail "$2 does not say '$1'"
}
long=("${settings[@]}" --set optimizer.max_evaluations=150)
expect 3 "$cqopt" solve generation.cfg --output whole "${long[@]}"
begin 3 "$cqopt" solve generation.cfg --output killed "${long[@]}"
until_says 'rank 2 of 3 on .* takes part' killed/log.txt
kill -STOP "${pids[2]}"
sleep 0.1
kill -KILL "${pids[2]}"
await 3 0
await 0 1
await 137 2
grep -q 'rank 2 of 3 on .* is gone; what it had is done again' killed/log.txt || fail "who has died is not named"
same killed whole

# rank 0 dies: the others say so and end, and --resume goes on, as other ranks, too
begin 3 "$cqopt" solve generation.cfg --output first "${long[@]}"
until_says 'rank 2 of 3 on .* takes part' first/log.txt
until_says . first/evals.bin
kill -KILL "${pids[0]}"
await 137 0
await 2 1
await 2 2
grep -q 'rank 2 of 3: rank 0 is gone; the same command with --resume first goes on' out_2 || fail "rank 2: $(cat out_2)"
begin 2 "$cqopt" solve --resume first --quiet --threads 1
await 3 0
await 0 1
same first whole

# a rank of another problem, or of other bits, is refused by name, and the rest goes on: a solve that only
# a signal ends, so that no refused rank comes too late
endless=("${settings[@]}" --set optimizer.max_evaluations=1000000)
rank 0 2 "$cqopt" solve generation.cfg --output other "${endless[@]}" > out_0 2>&1 & pids[0]=$!
expect 1 rank 1 2 "$cqopt" solve generation.cfg --output other "${endless[@]}" --set simulation.steps=201
error_says 'rank 1 of 2 on .*: its problem is another one than that of rank 0'
# a build of one level has no other bits
if [ "${CQ_SIMD:-}" != sse2 ] && grep -q avx2 /proc/cpuinfo && env CQ_SIMD=sse2 "$cqopt" list > /dev/null 2>&1; then
  expect 1 rank 1 2 env CQ_SIMD=sse2 "$cqopt" solve generation.cfg --output other "${endless[@]}"
  error_says 'it computes with cpu sse2, and rank 0 on .* which gives other bits'
fi
until_says '^150,' other/history.csv
kill -INT "${pids[0]}"
await 3 0
diff <(history whole | head -n 150) <(history other | head -n 150) > difference ||
  fail "a solve that has refused ranks is another one: $(head -n 4 difference)"

# nothing to share, and no place to meet
expect 1 rank 0 4 "$cqopt" solve one.cfg --output no
error_says '4 ranks were started, and one leaves them nothing to share'
expect 1 rank 3 4 "$cqopt" solve one.cfg --output no
[ ! -s err ] && [ ! -e no ] || fail "every rank says so: $(cat err)"
export CQ_RANK_SECONDS=1
expect 2 rank 1 4 "$cqopt" solve generation.cfg --output alone
error_says 'rank 1 of 4: nobody has been met in alone for 1 s: rank 0 has another folder'
expect 2 rank 1 4 "$cqopt" study generation.cfg --vary "materials.[0].density=1,2" --output alone
error_says 'rank 1 of 4: nobody has begun alone for 1 s: rank 0 has another folder'
[ ! -e alone ] || fail "a rank alone makes a folder"
expect 3 rank 0 2 "$cqopt" solve generation.cfg --output without "${settings[@]}"
grep -q 'rank 1 of 2 has not come: it was late, or has another folder than without' without/log.txt || fail "nobody is missed"
same without whole_generation
expect 1 rank 1 4 "$cqopt" solve generation.cfg
error_says 'one of several ranks wants the folder that all of them share: --output'
finish
