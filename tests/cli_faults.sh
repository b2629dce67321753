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

# --- pipes where files of a folder are read: no reader waits ---
mkdir -p piped/one
mkfifo piped/one/run.json
expect 0 timeout 10 "$cqopt" list --runs piped
grep -q 'broken: piped/one: run.json: it is not a regular file' out || fail "a pipe: $(cat out)"
for name in run.json problem.cfg evals.bin history.csv log.txt; do
  cp -r run pipes
  rm "pipes/$name"
  mkfifo "pipes/$name"
  for command in 'show pipes' 'report pipes' 'solve --resume pipes --quiet' 'list --runs pipes' \
    'plot pipes --output pipe.svg' 'solve toss.cfg --start pipes --quiet --output piped/two'; do
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
expect 0 "$cqopt" solve latin.cfg --output latin --set output.frames=4
for name in run.json report.html convergence.svg trajectory.xdmf; do
  iconv -f utf-8 -t utf-8 "latin/$name" > copy || fail "$name is not UTF-8"
  cmp copy "latin/$name" || fail "$name is not UTF-8"
done
grep -q $'"title": "K\xef\xbf\xbdse \xc3\xa4 \xef\xbf\xbd\xef\xbf\xbd",' latin/run.json || fail "the title: $(grep title latin/run.json)"
expect 0 "$cqopt" report latin
if ! "$cqopt" doctor | grep -q '^cairo  *no'; then
  expect 0 "$cqopt" render latin --sheet 2 --title $'\xe4' --output latin.png
fi

finish
