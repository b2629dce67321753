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

# --- planted links: what they lead to stays as it is; files that go on are refused ---
expect 0 "$cqopt" solve toss.cfg --output run --quiet --set output.frames=4
echo untouched > victim
for name in report.html run.json trajectory.h5 trajectory.xdmf design.csv convergence.svg convergence.gp motion.bin \
  problem.cfg evals.torn; do
  ln -sf ../victim "run/$name.tmp"
done
cp -r run linked
for name in report.html trajectory.h5 trajectory.xdmf design.csv convergence.svg convergence.gp motion.bin; do
  ln -sf ../victim "linked/$name"
done
expect 0 "$cqopt" report run
expect 0 "$cqopt" solve --resume linked --quiet
[ -z "$(find linked -name '*.*' ! -name '*.tmp' -type l)" ] || fail "a link was left: $(ls -l linked)"
for name in log.txt history.csv evals.bin; do
  cp -r run followed
  mv "followed/$name" "away-$name"
  cp "away-$name" victim
  ln -s ../victim "followed/$name"
  expect 2 "$cqopt" solve --resume followed --quiet
  error_says "$name: it is a link, which is not followed"
  cmp -s victim "away-$name" || fail "$name was written through a link"
  rm "followed/$name"
  mkfifo "followed/$name"
  expect 2 timeout 10 "$cqopt" solve --resume followed --quiet
  error_says "$name: it is not a regular file"
  rm -r followed
done
echo untouched > victim
cp -r run torn
head -c 20 /dev/zero >> torn/evals.bin
ln -s ../victim torn/evals.torn
expect 2 "$cqopt" solve --resume torn --quiet
error_says 'evals.torn: it is a link, which is not followed'
ln -s ../victim plot.svg
ln -s ../victim plot.gp
expect 0 "$cqopt" plot run --output plot.svg
mkdir where
ln -s victim picture.png
if ! "$cqopt" doctor | grep -q '^cairo  *no'; then
  expect 0 "$cqopt" render run --sheet 2 --output picture.png
fi
for name in particles.csv observations.csv; do
  ln -s ../victim "where/$name"
done
expect 2 "$cqopt" simulate toss.cfg --output where --quiet
error_says 'where: the folder is not empty'
[ "$(cat victim)" = untouched ] || fail "the victim was written to"

mkdir elsewhere
expect 0 "$cqopt" study toss.cfg --vary optimizer.xtol_rel=1e-3,1e-4 --output study --quiet
rm -r study/starts
ln -s ../elsewhere study/starts
expect 2 "$cqopt" study toss.cfg --vary optimizer.xtol_rel=1e-3,1e-4 --output study --quiet
error_says 'study/starts: it is a link, which is not followed'
rm study/starts
rm -r study/runs/*-seed-01
for folder in 1e-3 1e-4; do
  ln -s ../../elsewhere "study/runs/xtol_rel_$folder-seed-01"
done
"$cqopt" study toss.cfg --vary optimizer.xtol_rel=1e-3,1e-4 --output study --quiet > out 2> err || true
[ -z "$(ls elsewhere)" ] || fail "written through a link to a folder: $(ls elsewhere)"

# --- pipes where files of a folder are read: no reader waits ---
mkdir -p piped/one
mkfifo piped/one/run.json
expect 0 timeout 10 "$cqopt" list --runs piped
grep -q 'broken: piped/one: run.json: it is not a regular file' out || fail "a pipe: $(cat out)"
for name in run.json problem.cfg evals.bin history.csv log.txt motion.bin trajectory.h5 design.csv; do
  cp -r run pipes
  [ $name != trajectory.h5 ] || rm pipes/motion.bin
  rm "pipes/$name"
  mkfifo "pipes/$name"
  for command in 'show pipes' 'report pipes' 'solve --resume pipes --quiet' 'list --runs pipes' \
    'plot pipes --output pipe.svg' 'render pipes --sheet 2 --output pipe.png' 'solve toss.cfg --start pipes --quiet --output piped/two'; do
    # shellcheck disable=SC2086
    timeout 10 "$cqopt" $command > out 2> err || [ $? -ne 124 ] || fail "$command waits for a pipe as $name"
  done
  rm -r pipes piped/two 2> /dev/null || true
done
expect 0 "$cqopt" solve toss.cfg --output piped/three --quiet --start <(cut -d , -f 1,4 run/design.csv) # but this is meant

# --- names and titles ---
expect 0 "$cqopt" plot run --output $'p\nsystem("touch pwned")\n#.svg'
[ ! -e pwned ] || fail "a name of a picture was run by gnuplot"
gnuplot $'p\nsystem("touch pwned")\n#.gp' 2> /dev/null || true
[ ! -e pwned ] || fail "a name in a script was run by gnuplot"
expect 0 "$cqopt" study toss.cfg --output named --set $'problem.title="a\\nEND\\nsystem(\'touch pwned\')"' \
  --vary optimizer.xtol_rel=1e-3,1e-4
[ ! -e pwned ] || fail "a title was run by gnuplot"
for name in .. . .hidden -x; do
  expect 1 "$cqopt" solve toss.cfg --set "problem.name=\"$name\""
  error_says 'problem.name must be begun with a letter, a digit or _'
done
for name in a/b 'a b'; do
  expect 1 "$cqopt" solve toss.cfg --set "problem.name=\"$name\""
  error_says 'problem.name must be made of letters'
done
for file in 'a b' .cfg -x..cfg kä; do
  cp toss.cfg "./$file"
  expect 0 "$cqopt" solve "./$file" --output "named-$file" --quiet "${bare[@]}"
  expect 0 "$cqopt" solve --resume "named-$file" --quiet
done
expect 0 "$cqopt" solve ./.cfg --quiet "${bare[@]}"
[ -d results/_cfg ] || fail "the folder of .cfg: $(ls -a results)"
printf 'problem: { title = "K\xe4se \\xc3\\xa4 \\xe4\\xe4"; };\n' | cat - toss.cfg > latin.cfg
expect 1 "$cqopt" solve latin.cfg --output latin
error_says 'latin.cfg:1: problem.title is not in UTF-8'
if ! "$cqopt" doctor | grep -q '^cairo  *no'; then
  expect 0 "$cqopt" render run --sheet 2 --title $'\xe4' --output latin.png
fi

# --- a disk that is full after the method's end: reason, outcome and exit code are the failure's ---
(
  ulimit -f 60
  expect 2 "$cqopt" solve toss.cfg --output page --quiet --set output.trajectory=false
  error_says 'page/report.html: File too large'
  grep -q '^toss: input or output failed' out || fail "the line: $(cat out)"
  member page reason | grep -q 'report.html: File too large' || fail "the reason: $(member page reason)"
  expect 2 "$cqopt" solve toss.cfg --output pages --quiet --set output.trajectory=false --set optimizer.starts=2
  grep -q '^toss: input or output failed' out || fail "the line: $(cat out)"
  ulimit -f 20
  expect 2 "$cqopt" solve toss.cfg --output full --quiet
  error_says 'full/trajectory.h5: .*File too large'
  grep -q '^toss: input or output failed, f = .*, [0-9]* evaluations, full$' out || fail "the line: $(cat out)"
  [ "$(member full status)" = IO ] || fail "run.json: $(member full status)"
  member full reason | grep -q 'trajectory.h5: .*File too large' || fail "the reason: $(member full reason)"
  exit "$failures"
) || failures=$((failures + $?))

# --- folders of runs that were killed before they began are taken over, other ones are not ---
for command in solve simulate 'compare --with LD_SLSQP,adam --budget 8 --seeds 1' 'study --vary optimizer.xtol_rel=1e-3,1e-4'; do
  rm -rf early
  mkdir early
  echo '2026-11-28T10:00:00Z a line of before' > early/log.txt
  cp open/problem.cfg early
  head -c 32 open/evals.bin > early/evals.bin
  head -n 1 open/history.csv > early/history.csv
  : > early/run.json.0123456789abcdef.tmp
  if [ "$command" = solve ]; then
    expect 2 "$cqopt" solve --resume early --quiet
    error_says 'early has no run.json: its run was cut off before it began; the same command .*--output early'
  fi
  read -r -a words <<< "$command"
  # exit 0, or 3 for the budget of a comparison
  "$cqopt" "${words[0]}" toss.cfg "${words[@]:1}" --output early --quiet > out 2> err || fail "$command: $? $(cat err)"
  [ "$(head -n 1 early/log.txt)" = '2026-11-28T10:00:00Z a line of before' ] || fail "$command: the log was lost"
  [ -z "$(find early -name '*.tmp')" ] || fail "$command: left $(find early -name '*.tmp')"
done
mkdir -p kept
cp open/log.txt open/evals.bin kept
expect 2 "$cqopt" solve toss.cfg --output kept --quiet
error_says 'kept: the folder is not empty'
cmp open/evals.bin kept/evals.bin || fail "a record was removed"
mkdir own
cp toss.cfg own/problem.cfg
for _ in 1 2; do
  expect 2 "$cqopt" solve own/problem.cfg --output own --quiet
  error_says 'own: the folder is not empty'
  cmp toss.cfg own/problem.cfg || fail "a problem file was taken for a leftover"
  echo 'my notes' > own/log.txt
done
mkdir held
flock held/log.txt -c "exec sleep 8" &
sleeper=$!
for ((i = 0; i < 100; i++)); do [ -e held/log.txt ] && break; sleep 0.02; done
expect 2 "$cqopt" solve toss.cfg --output held --quiet
error_says 'held is being used by another process'
kill "$sleeper"

# --- a lock that is held a little longer than its process lives is waited for ---
flock open/evals.bin -c "exec sleep 0.7" &
sleep 0.1
expect 0 "$cqopt" solve --resume open --quiet
wait

# --- what a problem without a title is called ---
expect 0 "$cqopt" study toss.cfg --vary optimizer.xtol_rel=1e-3,1e-4 --output untitled
grep -q '^toss: 1 seed, medians' out || fail "no title: $(cat out)"

# --- simulate: rows as far as it came, of a failure and of a stop ---
cat > out.cfg <<'EOF'
simulation: { grid = [40, 40]; cell = "1/32"; time_step = 1e-2; steps = 100; };
materials: ( { name = "m"; youngs_modulus = 1; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "d"; material = "m"; shape = "ball"; center = [0.5, 0.5]; radius = 0.08; velocity = [1.5, 0]; } );
boundaries: { domain: { type = "none"; }; };
EOF
expect 5 "$cqopt" simulate out.cfg --output leaves --quiet
error_says 'step 42: particle'
[ "$(wc -l < leaves/observations.csv)" -eq 44 ] || fail "$(wc -l < leaves/observations.csv) rows of 43 states"
grep -q '^0.41999999999999998,1.13' leaves/observations.csv || fail "the last row: $(tail -n 1 leaves/observations.csv)"
has_file leaves/failed_state.csv
setsid "$cqopt" simulate out.cfg --output stops --set simulation.steps=2000000 --set simulation.time_step=1e-6 \
  --set 'bodies.[0].velocity=[0.01, 0]' > out 2> err &
pid=$!
for ((i = 0; i < 500; i++)); do grep -qs running stops/run.json && break; sleep 0.02; done
sleep 0.5
kill -INT "$pid"
code=0
wait "$pid" || code=$?
[ "$code" -eq 130 ] || fail "a stopped simulate ends with $code"
error_says 'stopped by SIGINT at step [0-9]* of 2000000; what was simulated is in stops'
step=$(sed -n 's/.* at step \([0-9]*\) of .*/\1/p' err)
[ "$(wc -l < stops/observations.csv)" -eq $((step + 2)) ] || fail "$(wc -l < stops/observations.csv) rows of $step steps"
[ "$(tail -n 1 stops/particles.csv | cut -d, -f1)" = "$step" ] || fail "particles.csv: $(tail -n 1 stops/particles.csv)"
for file in trajectory.h5 trajectory.xdmf; do
  has_file "stops/$file"
done
member stops reason | grep -q 'stopped by SIGINT at step' || fail "the reason: $(member stops reason)"

# --- the best of a record stays the best: a spent budget is refused, an end before the record's is told ---
{
  cat toss.cfg
  echo 'optimizer: { name = "adam"; max_evaluations = 30; learning_rate = 0.02; target = -1.0; gradient_tolerance = 1e-15; };'
} > long.cfg
expect 3 "$cqopt" solve long.cfg --output long --quiet "${bare[@]}"
best=$(sed -n 2p long/design.csv | cut -d, -f3)
cp -r long unchanged
for set in max_evaluations=3 max_simulations=29 max_cost=9; do
  expect 1 "$cqopt" solve --resume long --quiet --set "optimizer.$set"
  error_says "optimizer.${set/=/ = } is spent already: long has 30 evaluations, 30 simulations, which cost 90 "
  diff -r long unchanged || fail "a refused resume changed the folder"
done
expect 0 "$cqopt" solve --resume long --quiet --set optimizer.target=2e-4
member long reason | grep -q 'target reached: .*; the best design is that of evaluation 18, which the record' ||
  fail "$(member long reason)"
[ "$(sed -n 2p long/design.csv | cut -d, -f3)" = "$best" ] || fail "the best design was lost: $(sed -n 2p long/design.csv)"
[ "$(member long best_evaluation)" = 18 ] || fail "the best evaluation: $(member long best_evaluation)"
cp -r unchanged lax
expect 3 "$cqopt" solve --resume lax --set optimizer.optimality_tolerance=0.5 --set optimizer.gradient_tolerance=0.5
member lax reason | grep -q 'too early to probe it' || fail "an end that cannot be probed: $(member lax reason)"
expect 3 "$cqopt" solve --resume unchanged --quiet --set optimizer.max_evaluations=32
[ "$(member unchanged evaluations)" = 32 ] || fail "$(member unchanged evaluations) of 32 evaluations"
expect 3 "$cqopt" solve long.cfg --output several --quiet "${bare[@]}" --set optimizer.starts=2 --set optimizer.max_evaluations=6
expect 1 "$cqopt" solve --resume several --quiet --set optimizer.max_evaluations=5
error_says 'optimizer.max_evaluations = 5 is spent already: several/start-01 has 6 evaluations'

finish
