#!/usr/bin/env bash
# evaluate: the numbers that a solve has recorded of a design, to the last bit, for whatever form the
# design comes in; failures as rows and by the exit code; nothing else on stdout.
runs=$(realpath "$(dirname "$0")/../docs/runs.md")
source "$(dirname "$0")/cli_lib.sh"

{
  throw_scene
  cat << 'END'
design: ( { variable = "initial_velocity"; body = "A"; start = [0.5, 2]; lower = -4; upper = 4; },
          { variable = "density"; body = "A"; lower = 0.9; upper = 3; start = 1.1; } );
constraints: ( { term = "distance"; body = "A"; target = [0.4, 0.4]; upper = 1e-3; },
               { term = "mean_position"; body = "A"; direction = "x"; lower = 0.3; },
               { term = "mean_position"; body = "A"; direction = "y"; equals = 0.39; } );
END
} > throw.cfg

# --- one design, however it is written ---

expect 0 "$cqopt" evaluate throw.cfg --format csv --gradient
cp out start
! [ -s err ] || fail "the start: $(cat err)"
[ "$(wc -l < out)" -eq 2 ] || fail "not a heading and a row: $(cat out)"
[ "$(head -n 1 out)" = "design,status,halvings,f,term A.distance,term mean_square_velocity,constraint \
A.distance,constraint A.mean_position,constraint A.mean_position$(for f in f A.distance A.mean_position \
  A.mean_position; do printf ',d %s/d %s' $f 'A.initial_velocity[0]' $f 'A.initial_velocity[1]' $f A.density; done)" ] ||
  fail "the heading is $(head -n 1 out)"
# same TEXT: a file, or the standard input
same() {
  printf '%b' "$1" > at.csv
  expect 0 "$cqopt" evaluate throw.cfg --format csv --gradient --at at.csv
  cmp -s out start || fail "another design: '$1'"
  expect 0 "$cqopt" evaluate throw.cfg --format csv --gradient --at - < at.csv
  cmp -s out start || fail "another design from stdin: '$1'"
}
same '0.5,2,1.1\n'
same '0.5 2   1.1'
same '# a comment\n\n0.5\n2\n1.1\n'
same '0.5;2;1.1\r\n'
same '0.5\t2\t1.1'
same 'A.density,A.initial_velocity[0],"A.initial_velocity[1]"\n1.1,0.5,2\n'
same '\xef\xbb\xbfA.density;A.initial_velocity[1];A.initial_velocity[0]\r\n1.1;2;0.5\r\n'
same 'name,start\nA.density,1.1\nA.initial_velocity[1],2\nA.initial_velocity[0],0.5\n'
expect 0 "$cqopt" evaluate throw.cfg --format csv --gradient --at - --threads 1 < at.csv
cmp -s out start || fail "the number of threads shows"
expect 0 "$cqopt" evaluate throw.cfg --format CSV --at at.csv
[ "$(cut -d, -f1-9 start)" = "$(cat out)" ] || fail "the values without a gradient: $(cat out)"
expect 0 "$cqopt" evaluate throw.cfg --format csv --set design.[1].start=2 --set 'design.[0].start=[1,2]'
! cmp -s out <(cut -d, -f1-9 start) || fail "--set changes nothing"

# --- many, in their order and with the same bits ---

awk 'BEGIN { for (i = 0; i < 25; i++) print i / 25, 2 - i / 50, 1 + i / 20 }' > rows
expect 0 "$cqopt" evaluate throw.cfg --format csv --at rows
cp out many
[ "$(tail -n 1 many | cut -d, -f1)" = 25 ] || fail "not 25 rows: $(tail -n 1 many)"
for row in 1 14 25; do
  expect 0 "$cqopt" evaluate throw.cfg --format csv --at - --threads 1 < <(sed -n ${row}p rows)
  [ "$(tail -n 1 out | cut -d, -f2-)" = "$(sed -n $((row + 1))p many | cut -d, -f2-)" ] || fail "row $row differs"
done

# --- what is wrong is one line ---

wrong() {
  printf '%b' "$2" > at.csv
  expect "${3:-1}" "$cqopt" evaluate throw.cfg --at at.csv
  error_says "$1"
  ! [ -s out ] || fail "'$2' printed $(head -c 200 out)"
}
wrong 'at.csv:1: 2 values, and throw has 3 variables' '1,2\n'
wrong 'at.csv:2: 4 values, and throw has 3 variables' '1,2,1\n1,2,1,1\n'
wrong 'at.csv:2: 2 values in a column, and throw has 3 variables' '1\n2\n'
wrong 'at.csv:4: 4 values in a column, and throw has 3 variables' '1\n2\n1\n2\n'
wrong 'at.csv:2: 2 values in a file that begins with a column' '1\n2 1\n'
wrong "at.csv:1: A.initial_velocity\[1\] wants a number, not 'nan'" '1,nan,1\n'
wrong "at.csv:2: A.density wants a number, not 'one'" '1,2,1\n1,2,one\n'
wrong "at.csv:1: A.density wants a number, not 'inf'" '1,2,inf\n'
wrong "at.csv:2: A.density wants a number, not ''" 'A.density,A.initial_velocity[0],A.initial_velocity[1]\n,1,2\n'
wrong 'at.csv:1: A.density = 3.1 is outside its bounds 0.9 to 3' '1,2,3.1'
wrong 'at.csv:1: throw has no design variable "A.densty"; did you mean "A.density"' 'A.densty,A.initial_velocity[0]\n1,2\n'
wrong 'at.csv: no value for A.initial_velocity\[1\]: 1 of the 3 variables of throw' 'A.density,A.initial_velocity[0]\n1,2\n'
wrong 'at.csv:1: two columns are called "A.density"' 'A.density,A.density,A.initial_velocity[0]\n1,1,2\n'
wrong 'at.csv: names, but no row of values below them' 'A.density,A.initial_velocity[0],A.initial_velocity[1]\n'
wrong 'at.csv: there is no design in it' ''
wrong 'at.csv: there is no design in it' '# nothing\n\n'
wrong 'at.csv: it is not a text' '1,2,1\0'
wrong 'at.csv:3: A.density is given twice' 'name,best\nA.density,1\nA.density,1\n'
expect 2 "$cqopt" evaluate throw.cfg --at nowhere.csv
error_says 'nowhere.csv: No such file'
mkfifo pipe
expect 2 "$cqopt" evaluate throw.cfg --at pipe
error_says 'pipe: it is a named pipe, not a file'
expect 1 "$cqopt" evaluate throw.cfg --format xml
error_says "option --format wants json or csv, not 'xml'"
throw_scene > bare.cfg
expect 1 "$cqopt" evaluate bare.cfg
error_says 'bare has no design variables'
if "$cqopt" evaluate throw.cfg > /dev/full 2> err; then fail "a full disk is not noticed"; fi
error_says 'could not be written'

# --- what cannot be simulated ---

{
  wall_scene
  echo 'optimizer: { on_failure = "penalty"; };'
} > wall.cfg
printf '0.5 2\n3.9 3.9\n0.4 2\n' > three
expect 5 "$cqopt" evaluate wall.cfg --format csv --gradient --at three
error_says '1 of 3 designs could not be simulated; design 2: '
cut -d, -f2 out | tr '\n' ' ' | grep -q '^status OK OUT_OF_ROOM OK $' || fail "statuses: $(cat out)"
sed -n 3p out | grep -q '^2,OUT_OF_ROOM,[0-9],,,,,$' || fail "the row of a failure is $(sed -n 3p out)"
expect 5 "$cqopt" evaluate wall.cfg --at three

# --- beside what solve records, by the reader of docs/runs.md ---

if command -v python3 > /dev/null; then
  awk '/^```/ { inside = $0 == "```python"; next } inside && /^for / { exit } inside' "$runs" > reader.py
  cat > beside.py << 'END'
import json, subprocess, sys
from reader import evaluations

cqopt, problem, run, least = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
records = [e for e in evaluations(run + "/evals.bin")]
names = json.loads(subprocess.run([cqopt, "evaluate", problem], check=True, capture_output=True).stdout)["variables"]
rows = [",".join(names)] + [",".join(repr(v) for v in e["x"]) for e in records]
for flags in [], ["--gradient"]:
    done = subprocess.run([cqopt, "evaluate", problem, "--at", "-"] + flags, capture_output=True, text=True,
                          input="\n".join(rows))
    got = json.loads(done.stdout)
    assert len(got["designs"]) == len(records) and got["variables"] == names
    gradients = 0
    for e, d in zip(records, got["designs"]):
        assert d["values"] == list(e["x"]), (d, e)
        if e["status"] != 0:
            assert d["status"] != "OK" and d["f"] is None and d["reason"], d
            continue
        assert d["status"] == "OK" and d["f"] == e["f"] and d["constraints"] == e["constraints"], (d, e)
        assert d["halvings"] == e["halved"] and d["terms"] == (e["other"] or [e["f"]])[:len(d["terms"])], (d, e)
        if flags and e["gradient"] is not None:
            gradients += 1
            assert d["gradient"] == e["gradient"] and d["jacobian"] == e["jacobian"], (d, e)
    assert not flags or gradients >= least, gradients
    assert done.returncode == (0 if all(e["status"] == 0 for e in records) else 5), done.stderr
print(len(records), "designs,", gradients, "gradients")
END
  # beside_solve PROBLEM GRADIENTS OPTION...
  beside_solve() {
    local problem=$1 least=$2
    shift 2
    rm -rf run
    "$cqopt" solve "$problem" --output run --quiet --set output.report=false --set output.trajectory=false \
      "$@" > out 2> err || true
    python3 beside.py "$cqopt" run/problem.cfg run "$least" || fail "$problem $*: evaluate is not what solve recorded"
  }
  beside_solve throw.cfg 3
  beside_solve throw.cfg 2 --set simulation.precision=float --set optimizer.max_evaluations=4
  beside_solve throw.cfg 0 --set optimizer.name=LN_COBYLA --set optimizer.max_evaluations=12
  beside_solve throw.cfg 2 --set 'scenarios={vary=({key="materials.[0].youngs_modulus"; values=[20, 60];});}' \
    --set 'constraints=({term="distance"; body="A"; target=[0.4, 0.4]; upper=1e-3;})' --set optimizer.max_evaluations=4
  beside_solve throw.cfg 2 --set simulation.gradient=difference --set optimizer.max_evaluations=4
  # starts that leave the grid, with smaller steps and without
  beside_solve wall.cfg 0 --set optimizer.name=LN_NELDERMEAD --set optimizer.max_evaluations=20
  beside_solve wall.cfg 1 --set optimizer.on_failure=retry_smaller_step --set optimizer.max_evaluations=10
fi

# the best design of a run, by its folder and by its table
expect 0 "$cqopt" solve throw.cfg --output best --quiet --set output.report=false
expect 0 "$cqopt" evaluate throw.cfg --format csv --at best
cp out folder
expect 0 "$cqopt" evaluate throw.cfg --format csv --at best/design.csv
cmp -s out folder || fail "a run folder and its design.csv differ"

# gradients are by the values of the file, whatever the optimizer's variable is
sed 's/lower = 0.9; upper = 3;/lower = 0.9; upper = 3; transform = "log";/
     s/lower = -4; upper = 4;/lower = -4; upper = 4; transform = "tanh";/' throw.cfg > shaped.cfg
expect 0 "$cqopt" evaluate shaped.cfg --format csv --gradient
awk -F, -v OFS=, 'NR == FNR { for (i = 1; i <= NF; i++) was[FNR, i] = $i; next }
  FNR == 2 { for (i = 4; i <= NF; i++) {
    d = $i - was[2, i]; s = was[2, i]; if (s < 0) s = -s; if (d < 0) d = -d
    if (d > 1e-9 * s + 1e-15) { print i ": " was[2, i] " and " $i; bad = 1 } } }
  END { exit bad }' start out || fail "a transform changes gradients"
finish
