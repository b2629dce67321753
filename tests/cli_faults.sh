#!/usr/bin/env bash
# What goes wrong around a run: closed descriptors, planted links and pipes, names and titles, folders
# that a kill has left.
source "$(dirname "$0")/cli_lib.sh"

cat > toss.cfg <<'EOF'
simulation: { grid = [24, 24]; cell = "1/24"; time_step = 4e-3; steps = 25; };
materials: ( { name = "rubber"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "disc"; material = "rubber"; shape = "ball"; center = [0.4, 0.5]; radius = 0.1; } );
design: ( { variable = "initial_velocity"; body = "disc"; start = [0.5, 0.5]; lower = -1; upper = 1; } );
objective: ( { term = "distance"; body = "disc"; target = [0.45, 0.52]; } );
EOF
bare=(--set output.trajectory=false --set output.report=false)

# --- threads: what the process may use, for runs and for how many of them there are ---
cores=$(nproc)
expect 0 taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$cqopt" doctor
grep -q '^threads  *1, by ' out || fail "one core by the mask: $(grep '^threads' out)"
expect 3 env OMP_NUM_THREADS=1 "$cqopt" solve toss.cfg --output one "${bare[@]}" --set optimizer.max_evaluations=2 \
  --set optimizer.starts=2
[ "$(member one threads)" = 1 ] || fail "OMP_NUM_THREADS=1 and $(member one threads) threads"
grep -q '^2 starts, 1 at a time, 1 thread each' out || fail "workers: $(grep 'at a time' out)"
expect 0 env SLURM_CPUS_PER_TASK=1 "$cqopt" study toss.cfg --vary optimizer.xtol_rel=1e-3,1e-4 --output two
grep -q ', 1 at a time with 1 thread,' out || fail "workers of a study: $(grep 'at a time' out)"
expect 0 env SLURM_CPUS_PER_TASK=1 OMP_THREAD_LIMIT=1 "$cqopt" simulate toss.cfg --output three --threads 3 "${bare[@]}"
[ "$(member three threads)" = 3 ] || fail "--threads 3 and $(member three threads) threads"
expect 0 env OMP_NUM_THREADS=9999 "$cqopt" doctor
[ "$(sed -n 's/^threads  *\([0-9]*\),.*/\1/p' out)" -le "$cores" ] || fail "more threads than cores: $(grep '^threads' out)"

# --- closed descriptors: nothing that is printed gets into a file ---
expect 0 "$cqopt" solve toss.cfg --output open --threads 1 "${bare[@]}"
for closed in '<&- >&- 2>&-' '<&- >&-' '>&-' '2>&-' '>&- 2>&-'; do
  rm -rf shut
  bash -c "'$cqopt' solve toss.cfg --output shut --threads 1 ${bare[*]} $closed" > /dev/null 2>&1 ||
    fail "exit $? with $closed"
  cmp open/evals.bin shut/evals.bin || fail "evals.bin with $closed"
  [ "$(history open)" = "$(history shut)" ] || fail "history.csv with $closed"
  [ "$(wc -l < open/log.txt)" = "$(wc -l < shut/log.txt)" ] || fail "log.txt with $closed: $(cat shut/log.txt)"
done

finish
