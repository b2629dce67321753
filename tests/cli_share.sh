#!/usr/bin/env bash
# cqopt study and compare shared among processes: shards of a job array, also lost and overlapping
# ones, ranks of mpirun, kills of some of them; the tables are those of one process.
source "$(dirname "$0")/cli_lib.sh"

throw_scene | sed "s/steps = 12/steps = 200/" > throw.cfg
cat >> throw.cfg << 'END'
design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );
optimizer: { max_evaluations = 30; };
END
study=("$cqopt" study throw.cfg --vary "materials.[0].density=1:2" --vary optimizer.name=adam,LD_MMA
  --samples 7 --workers 1 --quiet)

# rank I N COMMAND...: as mpirun starts it
rank() {
  OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 "${@:3}"
}

expect 0 "${study[@]}" --output whole

# shards: the second of three is lost, the first comes twice, one has another number of parts
for shard in 1/3 1/3 3/3 4/7; do
  "${study[@]}" --output parts --shard $shard > "out_${shard/\//_}" 2>&1 || fail "shard $shard: $(cat "out_${shard/\//_}")" &
done
wait
grep -q '^shard 3/3: done; [0-9] of 7 runs are open' out_3_3 || fail "a shard says: $(cat out_3_3)"
expect 0 "${study[@]}" --output parts --collect
[ "$(wc -l < parts/runs.csv)" = 6 ] || fail "not the 5 that ended: $(cat parts/runs.csv)"
grep -q '"status": "running"' parts/run.json || fail "it is called done"
grep -q ' 2 of 7 runs are open; the same command without --collect' parts/log.txt || fail "the log does not say what is open"
expect 0 "${study[@]}" --output parts --shard 2/3
same_tables parts "shards"
grep -q '"status": "OK"' parts/run.json || fail "the last one has not made the tables"

# ranks, one of which is killed while it works: another takes what it had; a run may end before the
# kill comes
kill_a_rank() {
  local place i pids=()
  rm -rf ranks
  for place in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$place OMPI_COMM_WORLD_SIZE=3 "${study[@]}" --output ranks > "out_$place" 2>&1 &
    pids[place]=$!
  done
  # a run of rank 1: its process is a child of it
  working=
  for ((i = 0; i < 600 && ${#working} == 0; i++)); do
    sleep 0.01
    working=$({ pgrep -P "${pids[1]}" -a || true; } | sed -n 's/.*--output ranks\/\([^ ]*\).*/\1/p')
    [ -z "$working" ] || [ -s "ranks/$working/run.json" ] || working=
  done
  kill -KILL "${pids[1]}" 2> /dev/null || true
  wait "${pids[1]}" 2> /dev/null || true
  wait "${pids[0]}" || fail "rank 0: $(cat out_0)"
  wait "${pids[2]}" || fail "rank 2: $(cat out_2)"
  grep -q "$working: the process that had it is gone; it goes on here" ranks/log.txt
}
kill_a_rank || kill_a_rank || kill_a_rank || fail "nobody takes over from who is gone: $(cat ranks/log.txt)"
[ "$(grep -c 'medians; quartiles' ranks/log.txt)" = 1 ] || fail "the tables were made more than once"
same_tables ranks "ranks"
if command -v mpirun > /dev/null && [ -z "${CQ_SANITIZED:-}" ]; then
  expect 0 mpirun --oversubscribe --allow-run-as-root -n 3 "${study[@]}" --output mpi
  same_tables mpi "mpirun"
fi

# a comparison
compare=("$cqopt" compare throw.cfg --with adam,LD_MMA --seeds 2 --budget 20 --budget-in evaluations
  --gradient-cost 3 --quiet)
expect 0 "${compare[@]}" --output whole_compare
expect 0 "${compare[@]}" --output compared --shard 2/2
expect 1 "${compare[@]}" --output compared --collect
error_says '2 of 4 runs are open, and a comparison wants all'
expect 0 "${compare[@]}" --output compared --shard 1/2
diff <(cut -d, -f1-10 whole_compare/compare.csv) <(cut -d, -f1-10 compared/compare.csv) || fail "compare in shards"

# wrong use
for shard in 0/0 21/20 3 3/x 0/3; do
  expect 1 "${study[@]}" --output parts --shard $shard
  error_says "\"$shard\" is no share; write 3/20"
done
expect 1 "${study[@]}" --shard 1/2
error_says 'wants the folder that all of them share: --output'
expect 1 rank 1 4 "${study[@]}"
error_says 'one of several ranks wants the folder'
for command in "simulate throw.cfg --output no" "gradcheck throw.cfg --output no" "evaluate throw.cfg"; do
  # shellcheck disable=SC2086
  expect 1 rank 0 4 "$cqopt" $command
  error_says "4 ranks were started, each of which would do the same 'cqopt ${command%% *}'"
done
expect 1 rank 3 4 "$cqopt" simulate throw.cfg --output no
[ ! -s err ] && [ ! -e no ] || fail "every rank says so: $(cat err)"
expect 2 "${study[@]}" --output nothing --collect
error_says 'nothing: there is no folder of cqopt study to collect'
expect 1 "${study[@]}" --output parts --shard 1/2 --set simulation.steps=13
error_says 'parts has runs with a problem or --set options with hash'
# nor does another build, or one of other bits, which a build of one level has not, work beside those that do
if [ "${CQ_SIMD:-}" != sse2 ] && grep -q avx2 /proc/cpuinfo && env CQ_SIMD=sse2 "$cqopt" list > /dev/null 2>&1; then
  "${study[@]}" --output bits --shard 1/2 > out_1 2>&1 &
  for ((i = 0; i < 1000; i++)); do
    [ ! -s bits/claims ] || break
    sleep 0.01
  done
  kill -STOP $!
  expect 1 env CQ_SIMD=sse2 "${study[@]}" --output bits --shard 2/2
  error_says 'bits: another process that shares it is cqopt .*, and this one is .*, sse2; start the same build'
  # show knows who works there, also when run.json is of one that has ended
  "${study[@]}" --output bits --collect > out 2>&1 || true
  expect 0 "$cqopt" show bits
  grep -q '^  state  *running' out || fail "show of a study that goes on: $(cat out)"
  kill -CONT $!
  wait $! || fail "the first one: $(cat out_1)"
fi
# who has the folder for itself is not disturbed
flock parts -c "'$cqopt' study throw.cfg --vary materials.[0].density=1:2 --vary optimizer.name=adam,LD_MMA --samples 7 --output parts --shard 1/2" > out 2> err && fail "it went on in a folder that is taken"
error_says 'is being solved by another process'
finish
