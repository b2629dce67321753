#!/usr/bin/env bash
# Words as people type them: help on any of them, names in any spelling, and what is wrong is answered
# by what was meant.
source "$(dirname "$0")/cli_lib.sh"

# --- help ---

expect 0 "$cqopt" help schema
[ "$(wc -L < out)" -le 80 ] || fail "help schema has lines of $(wc -L < out) columns"
[ "$(grep -c '^  when ' out)" -eq 1 ] || fail "help schema has when $(grep -c '^  when ' out) times"
[ "$(grep -c '^  radius ' out)" -eq 2 ] || fail "help schema has radius $(grep -c '^  radius ' out) times"
grep -q '^  as in bodies  *low, center, size, radius, points, rotation, file,$' out ||
  fail "what is common to shapes is not said once: $(grep 'as in' out)"
grep -q '^  as in objective  *all keys$' out || fail "constraints: $(grep 'as in obj' out)"

# helps WORD EXPRESSION...: help on it has lines of these kinds, and fits the screen
helps() {
  local word=$1 wanted
  shift
  expect 0 "$cqopt" help "$word"
  [ "$(wc -L < out)" -le 80 ] || fail "help $word has lines of $(wc -L < out) columns"
  for wanted in "$@"; do
    grep -q -e "$wanted" out || fail "help $word does not say '$wanted'"
  done
}
helps terms '^    distance  *distance from a centre of mass' '^    actuation_rate  '
helps optimizer '^optimizer = ' '^  max_evaluations ' 'cqopt help algorithms'
helps muscle '^actuators: model = "muscle"$' '^  direction '
helps Pneumatic '^actuators: model = "pneumatic"$'
helps neo-hookean '^materials: model = "neo_hookean"$' '^  poisson_ratio '
helps ball '^bodies, .*groups, boundaries.obstacles: shape = "ball"$' '^  radius '
helps slip ': type = "slip"$' 'no normal velocity'
helps distance '^objective and constraints: term = "distance"$' '^  target ' '^  squared '
grep -q '^  direction ' out && fail "help distance has the keys of other terms"
helps initial_velocity '^design: variable = "initial_velocity"$' '^  per '
helps density '^key of materials$' '^key of bodies$' '^design: variable = "density"$'
helps half_spaces '^boundaries.half_spaces = ' '^  normal '
helps boundaries '^boundaries.domain = ' '^boundaries.obstacles = '
helps time_step '^key of simulation$'
helps tanh_linear '^controller: type = "tanh_linear"$' '^  spread '
helps slsqp '^LD_SLSQP$' '^  beware '
helps cma-es '^cmaes$'
helps methods 'Values of optimizer.name'
helps velocity_2d '^built-in problem velocity_2d: '
helps Solve '^cqopt solve PROBLEM'
# all words that the schema and the lists name are explained
"$cqopt" help schema | sed -n 's/^  \([a-z_0-9]*\)  *[^ ].*/\1/p' | sort -u > keys
"$cqopt" list optimizers | cut -d' ' -f1 >> keys
[ "$(wc -l < keys)" -ge 150 ] || fail "only $(wc -l < keys) words"
for word in $(awk 'NR % 7 == 0' keys); do
  "$cqopt" help "$word" > out || fail "no help on $word"
done
rm keys

# refuses TEXT ARGUMENT...: wrong use, and the error says TEXT
refuses() {
  local text=$1
  shift
  expect 1 "$cqopt" "$@"
  error_says "$text"
}
refuses 'no help on "xyzzy"; .cqopt help. and .cqopt help schema. name what there is' help xyzzy
refuses 'no help on "musle"; did you mean "muscle"?' help musle
refuses 'no help on "dt"; did you mean "time_step"?' help dt
refuses 'no help on "sgd"; did you mean "gradient_descent"?' help sgd
refuses "'terms' is no list; .*cqopt help terms" list terms

# --- the command line ---

refuses 'unknown command "run"; did you mean "solve"?' run bounce
refuses 'unknown option "-o"; did you mean "--output"?' solve bounce -o x
refuses 'unknown option "--gpu"; did you mean "--device cuda"?' solve bounce --gpu
refuses 'write --set optimizer.max_evaluations=VALUE' solve bounce --max-evaluations 9
refuses 'write --set optimizer.max_evaluations=VALUE' solve bounce --iterations 9
refuses 'write --set optimizer.name=adam' solve bounce optimizer.name=adam

# --- problem files ---

"$cqopt" new bounce mine.cfg > /dev/null
expect 2 "$cqopt" show mine
error_says 'did you mean "mine.cfg"?'
refuses 'mine.cfg is no design: that is a table' solve bounce --start mine.cfg
# wrong KEY=VALUE TEXT
wrong() {
  refuses "$2" show mine.cfg --set "$1"
}
wrong optimizer.name=sgd 'there is no optimizer "sgd"; did you mean "gradient_descent"?'
wrong optimizer.name=xyzzy "there is no optimizer \"xyzzy\"; 'cqopt list optimizers' names them"
wrong optimizer.max_iter=9 'unknown key "max_iter" in optimizer; did you mean "max_evaluations"?'
wrong optimizer.budget=9 'did you mean "max_evaluations"?'
wrong optimizer.wheels=4 "'cqopt help optimizer' lists its keys"
wrong 'bodies.[0].Spacing=1' 'did you mean "spacing"?'
wrong 'materials.[0].E=1' 'unknown key "E" in materials.\[0\]; did you mean "youngs_modulus"?'
wrong 'materials.[0].model=stvk' 'did you mean "st_venant_kirchhoff"?'
wrong 'bodies.[0].shape=sphere' 'did you mean "ball"?'
wrong 'design.[0].bounds=1' 'did you mean one of "lower", "upper"?'
wrong simulation.learning_rate=1 'it is a key of optimizer'
wrong 'boundaries.obstacles=({type="slip"; shape="ball"; center=[0.5, 0.5]; radius=0.1; particle_mass=1;})' \
  'unknown key "particle_mass" in boundaries.obstacles.\[0\]; it is a key of bodies'
wrong simulation.gravity=0,-9.81 'a list stands in brackets: \[0,-9.81\]'
wrong simulation.precision=f32 'did you mean "float"?'

# --- one name, however it is spelt: in the files of a run, in the hash, and when it goes on ---

short=(--quiet --set optimizer.max_evaluations=2 --set output.report=false)
expect 3 "$cqopt" solve mine.cfg "${short[@]}" --output plain --set optimizer.name=LD_SLSQP
expect 3 "$cqopt" solve mine.cfg "${short[@]}" --output other --set optimizer.name=slsqp \
  --set simulation.precision=Double --progress None --device CPU
cmp <(sort plain/problem.cfg) <(sort other/problem.cfg) || fail "problem.cfg has other words"
grep -q 'name = "LD_SLSQP"' other/problem.cfg || fail "problem.cfg does not name LD_SLSQP"
[ "$(member plain settings_hash)" = "$(member other settings_hash)" ] ||
  fail "hashes: $(member plain settings_hash), $(member other settings_hash)"
[ "$(history plain)" = "$(history other)" ] || fail "the two runs differ"
expect 3 "$cqopt" solve --resume other --quiet --set optimizer.max_evaluations=3
expect 1 "$cqopt" compare mine.cfg --with slsqp,LD_SLSQP --budget 9
error_says 'LD_SLSQP is given twice'
finish
