#!/usr/bin/env bash
# Stages of a problem file: each from the best of the one before, where they are cut off, what is refused.
source "$(dirname "$0")/cli_lib.sh"
shim=$2

cat > base.cfg << 'END'
@include "bounce"
optimizer: { verify_refined = false; name = "LD_SLSQP"; stop_at_target = false; max_evaluations = 5; };
output: { report = false; trajectory = false; };
END
{
  cat base.cfg
  echo 'stages: ( { set = ["simulation.steps=100", "optimizer.max_evaluations=3"]; },'
  echo '  { set = "simulation.gravity=[0, -1]"; } );'
} > staged.cfg

# column COLUMN FILE: of the first two variables
column() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == name) { c = i } } } NR > 1 { print $c }' "$2"
}
same() { # FILE FILE WHAT
  cmp -s "$1" "$2" || fail "$3: $1 and $2 differ"
}

# the same as three solves by hand
expect 3 "$cqopt" solve staged.cfg --output staged
grep -q '^Stage 1 of 2, before the file as it is: simulation.steps=100, optimizer.max_evaluations=3$' out ||
  fail "the stage is not named: $(grep Stage out)"
expect 3 "$cqopt" solve base.cfg --output one --set simulation.steps=100 --set optimizer.max_evaluations=3 --quiet
expect 3 "$cqopt" solve base.cfg --output two --start one --set 'simulation.gravity=[0, -1]' --quiet
expect 3 "$cqopt" solve base.cfg --output three --start two --quiet
same one/evals.bin staged/stage-1/evals.bin "the first stage"
same two/evals.bin staged/stage-2/evals.bin "the second stage"
same three/evals.bin staged/evals.bin "the file as it is"
[ "$(column start staged/design.csv)" = "$(column best staged/stage-2/design.csv)" ] ||
  fail "it does not start at the best of the last stage"
grep -q 'stage 2 of 2' staged/log.txt || fail "the log of the run does not name its stages"

cp -r staged first

# a folder is one of the file as it is: it goes on with a larger budget, and is solved again
expect 3 "$cqopt" solve --resume staged --set optimizer.max_evaluations=7 --quiet
expect 3 "$cqopt" solve --resume three --set optimizer.max_evaluations=7 --quiet
same three/evals.bin staged/evals.bin "after it went on"

# killed in the first and in the second stage, and in the file as it is
[ -z "$shim" ] || for k in 2 5 10; do
  code=0
  killing $k 11 solve staged.cfg --output "cut$k" || code=$?
  [ "$code" = 137 ] || fail "exit $code of a run that is killed in record $k"
  expect 3 "$cqopt" solve --resume "cut$k" --quiet
  for folder in stage-1/ stage-2/ ''; do
    same "first/${folder}evals.bin" "cut$k/${folder}evals.bin" "killed in record $k"
  done
done

# one of them alone, and none of them
expect 3 "$cqopt" solve staged.cfg --output alone --set stages=1 --quiet
same one/evals.bin alone/evals.bin "stages=1"
expect 3 "$cqopt" solve staged.cfg --output without --set stages=unset --set optimizer.max_evaluations=2 --quiet
[ ! -e without/stage-1 ] || fail "stages=unset has stages"

# mistakes are found before the first stage
expect 1 "$cqopt" solve staged.cfg --output bad --set stages=3
error_says '--set stages=3: the file has stages 1 to 2; "unset" is the file without them'
expect 1 "$cqopt" solve base.cfg --output bad --set stages=1
error_says '--set stages=1: the file has no stages'
sed 's/simulation.gravity=\[0, -1\]/simulation.stepz=7/' staged.cfg > wrong.cfg
expect 1 "$cqopt" solve wrong.cfg --output wrong
error_says 'unknown key "stepz" in simulation; did you mean "steps"?'
[ ! -e wrong/stage-1 ] || fail "the first stage ran though the second cannot"
sed 's/"simulation.gravity=\[0, -1\]"/7/' staged.cfg > number.cfg
expect 1 "$cqopt" solve number.cfg --output number
error_says 'number.cfg'

# each of several starts has its stages
expect 3 "$cqopt" solve staged.cfg --output starts --set optimizer.starts=2 --quiet
[ -e starts/start-02/stage-2/design.csv ] || fail "a start has no stages: $(ls starts/start-02)"
finish
