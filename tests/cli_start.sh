#!/usr/bin/env bash
# --start: a finished design, or a table of one, begins another run.
source "$(dirname "$0")/cli_lib.sh"

# 48 particles thrown at a point
cat > throw.cfg << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 12;
              gravity = [0, -2]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.025; } );
design: ( { variable = "initial_velocity"; body = "A"; start = [0.5, 2]; },
          { variable = "density"; body = "A"; lower = 0.9; upper = 3; } );
objective: ( { term = "distance"; body = "A"; target = [0.45, 0.4]; },
             { term = "mean_square_velocity"; weight = 1e-3; when = "running"; } );
END

best() {
  cut -d, -f3 "$1/design.csv" | tail -n +2
}

started() {
  cut -d, -f4 "$1/design.csv" | tail -n +2
}

expect 0 "$cqopt" solve throw.cfg --quiet --output first
expect 0 "$cqopt" solve throw.cfg --quiet --output second --start first
[ "$(best first)" = "$(started second)" ] || fail "the second run starts at $(started second)"
[ "$(member second config_hash)" != "$(member first config_hash)" ] || fail "the start is not hashed"
expect 0 "$cqopt" solve second/problem.cfg --quiet --output third
cmp -s second/evals.bin third/evals.bin || fail "problem.cfg does not have the start, or the scales"
expect 0 "$cqopt" solve --resume second --quiet
expect 0 "$cqopt" simulate throw.cfg --quiet --output flight --design second/design.csv

# what a transform hides from the user: tables and starts are in the units of the file, and a design
# at its bounds may be a start
sed 's/lower = 0.9; upper = 3;/lower = 0.9; upper = 3; transform = "log"; start = 1.1;/
     s/start = \[0.5, 2\]/transform = "tanh"; lower = [0.2, 0.5]; upper = [0.8, 2.5]; start = [0.5, 2]/' \
  throw.cfg > shaped.cfg
expect 3 "$cqopt" solve shaped.cfg --quiet --output shaped --set optimizer.max_evaluations=6
[ "$(started shaped | tr '\n' ' ')" = "0.5 2 1.1000000000000001 " ] || fail "it started at $(started shaped)"
awk -F, 'NR > 1 && !($5 <= $3 && $3 <= $6) { exit 1 }' shaped/design.csv ||
  fail "a value is not in its bounds: $(cat shaped/design.csv)"
grep -q '^A.density,kg/m^2,.*,0.90000000000000002,3,' shaped/design.csv || fail "$(cat shaped/design.csv)"
expect 3 "$cqopt" solve shaped.cfg --quiet --output shaped-2 --start shaped --set optimizer.max_evaluations=3
[ "$(best shaped)" = "$(started shaped-2)" ] || fail "the second run starts at $(started shaped-2)"
expect 3 "$cqopt" solve shaped-2/problem.cfg --quiet --output shaped-3
cmp -s shaped-2/evals.bin shaped-3/evals.bin || fail "problem.cfg begins elsewhere after a transform"
expect 3 "$cqopt" solve --resume shaped-2 --quiet --set optimizer.max_evaluations=4
printf 'name,start\nA.density,3\nA.initial_velocity[1],2.5\nA.initial_velocity[0],0.2\n' > edge.csv
expect 3 "$cqopt" solve shaped.cfg --quiet --output edge --start edge.csv --set optimizer.max_evaluations=1
[ "$(started edge | tr '\n' ' ')" = "0.20000000000000001 2.5 3 " ] || fail "edge.csv was read as $(started edge)"
sed 's/2.5/2.6/' edge.csv > over.csv
expect 1 "$cqopt" solve shaped.cfg --output never --start over.csv
error_says 'A.initial_velocity\[1\] = 2.6 is outside its bounds 0.5 to 2.5'
# a table that went through a spreadsheet, and columns that nobody knows
printf '\xef\xbb\xbfName;Unit;Start\r\nA.density;kg/m^2;3\r\n"A.initial_velocity[1]";m/s;2.5\r\nA.initial_velocity[0];m/s;0.2\r\n' > sheet.csv
expect 0 "$cqopt" simulate shaped.cfg --quiet --output sheet --design sheet.csv
expect 0 "$cqopt" simulate shaped.cfg --quiet --output plain --design edge.csv
cmp -s sheet/observations.csv plain/observations.csv || fail "sheet.csv is another design"
sed 's/start/strat/' edge.csv > misspelt.csv
expect 1 "$cqopt" simulate shaped.cfg --design misspelt.csv
error_says 'misspelt.csv:1: unknown column "strat"; did you mean "start"?'
sed 's/$/,1/; 1s/1$/start/' edge.csv > twice.csv
expect 1 "$cqopt" simulate shaped.cfg --design twice.csv
error_says 'twice.csv:1: two columns are called "start"'
mkfifo pipe
for none in pipe /dev/zero; do
  expect 2 timeout 20 "$cqopt" simulate shaped.cfg --design $none
  error_says "$none: it is a .*, not a file"
done
expect 3 "$cqopt" solve shaped.cfg --quiet --output several --set optimizer.starts=3 --set optimizer.max_evaluations=2
awk -F, 'NR > 1 && !($5 <= $3 && $3 <= $6) { exit 1 }' several/design.csv ||
  fail "of several starts: $(cat several/design.csv)"

# the design of a run of another problem: one density becomes one a particle
sed 's/variable = "density"; body = "A";/& per = "particle";/' throw.cfg > fine.cfg
expect 3 "$cqopt" solve fine.cfg --quiet --output fine --start first --set optimizer.max_evaluations=1
density=$(awk -F, '$1 == "A.density" { print $3 }' first/design.csv)
[ "$(awk -F, '/^A.density/ { print $4 }' fine/design.csv | sort -u)" = "$density" ] ||
  fail "the particles start at $(started fine), not at $density"
[ "$(started fine | wc -l)" = 50 ] || fail "it has $(started fine | wc -l) variables"
expect 0 "$cqopt" solve throw.cfg --quiet --output coarse --start fine
[ "$(started coarse)" = "$(best first)" ] || fail "it does not come back to where it was"
sed 's/name = "A"/name = "B"/; s/body = "A"/body = "B"/g' throw.cfg > other.cfg
expect 1 "$cqopt" solve other.cfg --quiet --output never --start first
error_says 'B.initial_velocity of other cannot be taken from a design of throw, which has no body of that name'

# a table by hand, in any order
printf 'name,start\nA.density,1.5\nA.initial_velocity[1],1\nA.initial_velocity[0],0.25\n' > hand.csv
expect 3 "$cqopt" solve throw.cfg --quiet --output hand --start hand.csv --set optimizer.max_evaluations=1
[ "$(started hand | tr '\n' ' ')" = "0.25 1 1.5 " ] || fail "hand.csv was read as $(started hand)"

refused() {
  local code=$1 text=$2
  shift 2
  expect "$code" "$cqopt" solve throw.cfg --output never "$@"
  error_says "$text"
  [ ! -e never ] || fail "a refused start left a folder"
}
edited() {
  sed "$1" hand.csv > bad.csv
}
refused 2 "nowhere.csv: No such file" --start nowhere.csv
mkdir empty
refused 2 "empty/design.csv: No such file" --start empty
edited 's/density/densty/'
refused 1 'bad.csv:2: throw has no design variable "A.densty"; did you mean "A.density"?' --start bad.csv
edited '/density/d'
refused 1 'bad.csv: no value for A.density' --start bad.csv
edited '2p'
refused 1 'bad.csv:3: A.density is given twice' --start bad.csv
edited 's/1.5/0.8/'
refused 1 'bad.csv:2: A.density = 0.8 is outside its bounds 0.9 to 3' --start bad.csv
edited 's/1.5/inf/'
refused 1 "bad.csv:2: A.density wants a number, not 'inf'" --start bad.csv
edited 's/start/last/'
refused 1 'bad.csv: a design has the columns name and best' --start bad.csv
# the hash of the settings: defaults that a hand took out, a key the run had not, and older folders
cp -r first hashed
sed -i '/ damping = 0.0;/d; / beta_1 = 0.9;/d' hashed/problem.cfg
expect 0 "$cqopt" solve --resume hashed --quiet
expect 0 "$cqopt" solve --resume hashed --quiet --set optimizer.target=1e-12
expect 0 "$cqopt" solve --resume hashed --quiet --set optimizer.target=unset
sed 's/ damping = 0.0;/ damping = 0.5;/' first/problem.cfg > hashed/problem.cfg
expect 1 "$cqopt" solve --resume hashed
error_says 'is not the problem of this run any more'
cp first/problem.cfg hashed/problem.cfg
sed -i '/"hash_version"/d' hashed/run.json
expect 1 "$cqopt" solve --resume hashed
error_says 'hashed settings in another way.*cqopt solve hashed/problem.cfg --start hashed'
expect 0 "$cqopt" solve hashed/problem.cfg --start hashed --quiet --output onwards
expect 1 "$cqopt" solve --resume first --start second
error_says "leave --start out"
expect 1 "$cqopt" show throw.cfg --start first
error_says "takes no --start"

# the controller of a run's best design, for other programs
expect 3 "$cqopt" solve finger --quiet --output driven --set simulation.steps=10 --set optimizer.max_evaluations=2
expect 0 "$cqopt" export driven
[ "$(cat out)" = "driven/controller.c
driven/controller.json" ] || fail "export: $(cat out)"
while read -r number; do
  grep -q -e "$(printf '%.12g' "$number" | cut -c1-10)" driven/controller.json || fail "no $number in controller.json"
done < <(tail -n +2 driven/design.csv | cut -d, -f3)
expect 0 "$cqopt" export finger --design driven --output same.c
diff <(tail -n +2 same.c) <(tail -n +2 driven/controller.c) || fail "export of a problem at a design"
expect 0 "$cqopt" export finger --output start.c
! cmp -s start.c same.c || fail "the start is another design"
expect 1 "$cqopt" export throw.cfg
error_says "throw has no controller to write"
expect 1 "$cqopt" export driven --set simulation.steps=2
error_says "driven is a run folder"
expect 1 "$cqopt" export finger --output finger.py
error_says "finger.py: a controller is written as .c or .json"

# and a state of its motion, in which other runs begin
expect 0 "$cqopt" export driven --state 0.03
[ "$(cat out)" = driven/state.csv ] || fail "export --state: $(cat out)"
expect 0 "$cqopt" export finger --design driven --state 0.03 --output state.csv --set simulation.steps=10
cmp -s state.csv driven/state.csv || fail "export --state of a problem at a design"
expect 3 "$cqopt" solve finger --quiet --output there --set simulation.steps=10 --set simulation.start_file=state.csv \
  --set optimizer.max_evaluations=1 --set output.report=false
has_file there/history.csv
grep -q start_state there/problem.cfg || fail "no state in the settings"
expect 0 "$cqopt" export driven --state 0 --output start.csv
grep -q 'after step 0, 0 s' start.csv || fail "export --state 0: $(head -1 start.csv)"
expect 1 "$cqopt" export driven --state -1
error_says "option --state wants a time in s"
expect 1 "$cqopt" export driven --state 9
error_says "there is no state at 9 s: finger ends at"
expect 2 "$cqopt" solve finger --set simulation.start_file=none.csv
error_says "simulation.start_file: cannot read none.csv"
finish
