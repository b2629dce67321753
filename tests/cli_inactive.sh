#!/usr/bin/env bash
# What a run says of variables that change nothing: summary, log, run.json, page, gradcheck.
source "$(dirname "$0")/cli_lib.sh"

# the disc never touches the puck
cat > missed.cfg << 'END'
simulation: { grid = [64, 64]; cell = "1/64"; time_step = 8e-4; steps = 50; };
materials: ( { name = "rubber"; youngs_modulus = 100; poisson_ratio = 0.3; density = 1; } );
bodies: (
  { name = "disc"; material = "rubber"; shape = "ball"; center = [0.2, 0.5]; radius = 0.08; velocity = [1, 0]; },
  { name = "puck"; material = "rubber"; shape = "ball"; center = [0.6, 0.5]; radius = 0.08; } );
design: ( { variable = "density"; body = "disc"; start = 1; lower = 0.5; upper = 5; } );
objective: ( { term = "distance"; body = "puck"; target = [0.75, 0.5]; } );
END

# whatever the exit code, which is the verdict's
solved() {
  code=0
  "$cqopt" solve "$@" > out 2> err || code=$?
}

reason='disc.density changes nothing: the bodies never meet: "disc" and "puck" are nearest at 0.04 s, 0.2'
solved missed.cfg --output missed
grep -q '^Inactive  *disc.density changes nothing: the bodies never meet' out || fail "summary: $(cat out)"
grep -q "warning: $reason" err || fail "screen: $(cat err)"
grep -q "warning: $reason" missed/log.txt || fail "no warning in the log"
tr '\\' ' ' < missed/run.json | grep -q 'reason".*; disc.density changes nothing: the bodies never meet' ||
  fail "reason: $(grep reason missed/run.json)"
grep -A 1 '"inactive": \[' missed/run.json | grep -q 'the bodies never meet' || fail "run.json has no list"
grep -q '"inactive"' missed/report.html || fail "the page does not know"

# a part of the variables beside others that act: a warning each, and no word in the outcome
solved missed.cfg --output part --set 'design=( { variable = "density"; body = "disc"; lower = 0.5; upper = 5; },
  { variable = "initial_velocity"; body = "puck"; lower = -5; upper = 5; } )'
grep -q '^Inactive  *disc.density changes nothing' out || fail "summary: $(cat out)"
[ "$(grep -c '^Inactive' out)" -eq 1 ] || fail "more than one block: $(cat out)"
grep 'reason' part/run.json | grep -q 'changes nothing' && fail "reason: $(grep reason part/run.json)"

# rows of a table after the last time that counts are as they should be: said once, no warning
cat > rows.cfg << 'END'
simulation: { grid = [24, 24]; cell = "1/24"; time_step = 4e-3; steps = 60; };
materials: ( { name = "rubber"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "rubber"; low = [0.3, 0.4]; size = [0.2, 0.2]; } );
actuators: ( { name = "m"; body = "A"; direction = "y"; max = 2; } );
controller: { type = "open_loop"; hold = 5; };
design: ( { variable = "actuation"; start = 0.5; } );
objective: ( { term = "mean_square_velocity"; body = "A"; when = "at"; time = 0.1; weight = -1; } );
optimizer: { max_evaluations = 4; verify_refined = false; };
END
solved rows.cfg --output rows
grep -q '^Inactive  *7 of 12 variables of actuation change nothing, as it should be' out || fail "$(cat out)"
grep -q 'warning: .*nothing' rows/log.txt && fail "a warning: $(cat rows/log.txt)"

# where everything acts, nothing is said; and the bits of a run do not depend on any of it
solved bounce --output all --set optimizer.max_evaluations=3
grep -q 'Inactive' out && fail "bounce: $(cat out)"
grep -q '"inactive"' all/run.json && fail "run.json of bounce"

# a check of gradients says why, and never that what acts does not
expect 0 "$cqopt" gradcheck missed.cfg
grep -q 'do not act on this function here: the bodies never meet: "disc" and "puck"' out || fail "$(cat out)"
expect 0 "$cqopt" gradcheck missed.cfg --set 'design=( { variable = "initial_velocity"; body = "puck"; } )' \
  --set 'objective=( { term = "mean_square_velocity"; body = "puck"; weight = -1; } )'
grep -q 'the gradient is zero and differences are not: these variables act' out || fail "$(cat out)"
grep -q 'do not act' out && fail "what acts does not act: $(cat out)"

# the best start's warnings are the run's
solved missed.cfg --output starts --set optimizer.starts=2
grep -q "warning: start 1: $reason" err || fail "starts: $(cat err)"
finish
