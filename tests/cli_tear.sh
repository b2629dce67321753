#!/usr/bin/env bash
# Bodies that come apart: such a design is no success, and everything that tells of a run says so.
source "$(dirname "$0")/cli_lib.sh"

# a block on two legs that are pushed apart, the farther the better: the optimum is the end of it
cat > legs.cfg << 'END'
simulation: { grid = [40, 24]; cell = 0.05; time_step = 2e-3; steps = 150; gravity = [0, -2]; };
materials: ( { name = "soft"; youngs_modulus = 50; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "jumper"; material = "soft"; shape = "composite"; spacing = 0.025;
  parts: ( { shape = "box"; low = [0.7, 0.15]; size = [0.6, 0.35]; },
           { operation = "subtract"; shape = "box"; low = [0.9, 0.15]; size = [0.2, 0.25]; } ); } );
groups: ( { name = "left"; body = "jumper"; low = [0.7, 0.15]; size = [0.2, 0.25]; },
          { name = "right"; body = "jumper"; low = [1.1, 0.15]; size = [0.2, 0.25]; } );
actuators: ( { name = "l"; body = "left"; model = "thrust"; along = [1, 0]; max = 60; },
             { name = "r"; body = "right"; model = "thrust"; along = [1, 0]; max = 60; } );
controller: { type = "open_loop"; hold = 150; };
design: ( { variable = "actuation"; start = 0; } );
objective: ( { term = "mean_position"; body = "left"; direction = "x"; },
             { term = "mean_position"; body = "right"; direction = "x"; weight = -1; } );
optimizer: { max_evaluations = 20; };
END
# a beam in a clamp; at 20 m/s^2 and more it tears off
cat > beam.cfg << 'END'
simulation: { grid = [32, 32]; cell = 0.05; time_step = 2e-3; steps = 150; gravity = [0, -9.8]; };
materials: ( { name = "soft"; youngs_modulus = 60; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "beam"; material = "soft"; low = [0.25, 0.9]; size = [0.8, 0.15]; spacing = 0.025; } );
boundaries: { half_spaces: ( { type = "sticky"; point = [0.425, 0]; normal = "x"; } ); };
design: ( { variable = "gravity"; start = [0, -9]; lower = [0, -40]; upper = [0, -5]; } );
objective: ( { term = "height"; body = "beam"; } );
optimizer: { max_evaluations = 30; };
END

between() {
  awk -v low="$1" -v x="$2" -v high="$3" 'BEGIN { exit !(low <= x && x <= high) }'
}

# --- solve: what the method calls an optimum is torn
expect 6 "$cqopt" solve legs.cfg --output legs --progress none
grep -q '^Torn  *[0-9.]* % of the particles of "jumper" have lost their neighbours' out &&
  grep -q ' at [0-9.]* s, the first of them at [0-9.]* s' out || fail "$(cat out)"
grep -q '^Outcome  *a body is torn: .*; else verified optimum' <(tr '\n' ' ' < out | sed 's/  */ /g; s/ Outcome/\nOutcome/') ||
  fail "the outcome: $(tail -n 4 out)"
grep -q 'warning: the body comes apart: .* "jumper"' err || fail "no warning: $(cat err)"
grep -q ' warning: the body comes apart' legs/log.txt || fail "log.txt says nothing"
[ "$(member legs status)" = TORN ] || fail "status $(member legs status)"
[ "$(member legs exit_code)" = 6 ] || fail "exit code $(member legs exit_code)"
[ "$(member legs torn_body)" = jumper ] || fail "body $(member legs torn_body)"
between 0.3 "$(member legs torn_share)" 0.8 || fail "share $(member legs torn_share)"
between 0.1 "$(member legs torn_since)" "$(member legs torn_time)" || fail "since $(member legs torn_since)"
between 0.1 "$(member legs torn_time)" 0.3 || fail "time $(member legs torn_time)"
grep -q '"torn_body": "jumper"' legs/report.html || fail "the page has no body"
expect 0 "$cqopt" show legs
grep -q 'ended, TORN: a body is torn' out || fail "show: $(cat out)"
grep -q '^  torn_body  *jumper' out || fail "show has no body"
expect 6 "$cqopt" solve legs.cfg --output quiet --quiet --set output.trajectory=false --set output.report=false
grep -q '^legs: a body is torn, f = ' out || fail "--quiet: $(cat out)"
[ "$(member quiet torn_share)" = "$(member legs torn_share)" ] || fail "another share without files"
cmp -s legs/evals.bin quiet/evals.bin || fail "another record without files"

# as much as is allowed: a warning
expect 0 "$cqopt" solve legs.cfg --output allowed --set simulation.torn_share=0.9 --progress none
grep -q 'warning: the body comes apart' err || fail "allowed: no warning"
[ "$(member allowed status)" = OK ] || fail "allowed: $(member allowed status)"
[ "$(member allowed torn_share)" = "$(member legs torn_share)" ] || fail "allowed: share"

# a clamp
expect 6 "$cqopt" solve beam.cfg --output beam --quiet
[ "$(member beam torn_body)" = beam ] || fail "beam: body $(member beam torn_body)"
between 0.15 "$(member beam torn_share)" 0.3 || fail "beam: share $(member beam torn_share)"

# --- simulate: the design is what counts
expect 6 "$cqopt" simulate beam.cfg --design beam --output off
grep -q '^Torn  *[0-9.]* % of the particles of "beam"' out || fail "simulate: $(cat out)"
[ "$(member off status)" = TORN ] || fail "simulate: $(member off status)"
grep -q '^  "reason": "a body is torn: ' off/run.json || fail "simulate: $(member off reason)"
[ "$(member off torn_share)" = "$(member beam torn_share)" ] || fail "simulate: share"
expect 0 "$cqopt" simulate beam.cfg --output on
[ "$(member on torn_share)" = 0 ] || fail "whole: share $(member on torn_share)"
! grep -q '^Torn\|apart' out err || fail "whole: $(cat out err)"

# a strip that a muscle makes half as long again is whole
cat > strip.cfg << 'END'
simulation: { grid = [24, 48]; cell = 0.05; time_step = 2e-3; steps = 300; damping = 20; };
materials: ( { name = "soft"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "strip"; material = "soft"; low = [0.5, 0.7]; size = [0.2, 1]; spacing = 0.025; } );
actuators: ( { name = "m"; body = "strip"; direction = "y"; max = 40; } );
controller: { type = "open_loop"; hold = 300; };
design: ( { variable = "actuation"; start = -7; } );
END
expect 0 "$cqopt" simulate strip.cfg --output strip --quiet
stretch=$(awk -F, 'NR > 1 && $1 == 300 { if (low == "" || $5 < low) low = $5; if ($5 > high) high = $5 }
  END { print (high - low) / 0.975 }' strip/particles.csv)
between 1.54 "$stretch" 1.8 || fail "the strip is stretched by $stretch"
[ "$(member strip torn_share)" = 0 ] || fail "stretched: share $(member strip torn_share)"

# --- on_tear = "fail": the evaluation fails, at the step where it tears
expect 5 "$cqopt" solve legs.cfg --output fails --progress none --set simulation.on_tear=fail
grep -q 'evaluation [0-9]* failed: step [0-9]*: body "jumper" tears: ' err || fail "on_tear: $(cat err)"
[ "$(member fails status)" = TEARS ] || fail "on_tear: $(member fails status)"
has_file fails/failed_state.csv
expect 5 "$cqopt" simulate beam.cfg --design beam --output stopped --quiet --set simulation.on_tear=fail
grep -q '^beam: a body tears' out || fail "simulate, on_tear: $(cat out)"
# a method that goes on ends with a whole body, with the same bits on any threads and after a stop
strict=(--set simulation.on_tear=fail --set optimizer.on_failure=penalty --set optimizer.name=LN_COBYLA)
expect 3 "$cqopt" solve legs.cfg --output whole --quiet "${strict[@]}" --set optimizer.max_evaluations=30
between 0 "$(member whole torn_share)" 0.01 || fail "on_failure: share $(member whole torn_share)"
[ "$(member whole failures)" -gt 0 ] || fail "on_failure: nothing failed"
expect 3 "$cqopt" solve legs.cfg --output again --quiet "${strict[@]}" --set optimizer.max_evaluations=12 --threads 1
expect 3 "$cqopt" solve --resume again --quiet --set optimizer.max_evaluations=30
diff <(history whole) <(history again) || fail "resumed: another history"

# --- several starts: one that tears its body goes behind those that do not, however good it is
sed -e '/^design/d; /^objective/d' beam.cfg > swing.cfg
cat >> swing.cfg << 'END'
design: ( { variable = "gravity"; start = [0, 3]; lower = [0, -40]; upper = [0, 9]; } );
objective: ( { term = "distance"; body = "beam"; target = [0.65, 0.975]; weight = -1; } );
END
expect 0 "$cqopt" solve swing.cfg --output starts --set optimizer.starts=3 --progress none
[ "$(cut -d, -f3 starts/starts.csv | tail -n +2 | tr '\n' ' ')" = "OK TORN TORN " ] || fail "$(cat starts/starts.csv)"
awk -F, 'NR == 2 { whole = $6 } NR > 2 && $6 > whole { exit 1 }' starts/starts.csv || fail "the torn ones are not better"
[ "$(member starts best_start)" = 1 ] || fail "the best start is $(member starts best_start)"
[ "$(member starts torn_share)" = 0 ] || fail "starts: share $(member starts torn_share)"
grep -q '^    2  a body is torn ' out || fail "starts: $(cat out)"
# where all of them do so does the run
expect 6 "$cqopt" solve beam.cfg --output all --set optimizer.starts=2 --progress none
[ "$(member all status)" = TORN ] && [ "$(member all torn_body)" = beam ] || fail "all: $(member all status)"
grep -q '^Torn ' out || fail "all: $(cat out)"
grep -q 'warning: the body comes apart' all/log.txt || fail "all: log.txt says nothing"

# --- scenarios: each of them counts
expect 6 "$cqopt" solve beam.cfg --output many --progress none --set 'design.[0].lower=[0,-15]' \
  --set 'scenarios={vary=({key="materials.[0].youngs_modulus"; values=[300, 20];});}'
grep -q 'a body is torn: .* in scenario 1' many/run.json || fail "scenarios: $(member many reason)"
[ "$(member many torn_scenario)" = 1 ] || fail "scenarios: $(member many torn_scenario)"
expect 0 "$cqopt" solve beam.cfg --output stiff --quiet --set 'design.[0].lower=[0,-15]' --set output.report=false \
  --set 'scenarios={vary=({key="materials.[0].youngs_modulus"; values=[300, 200];});}'
[ "$(member stiff torn_share)" = 0 ] || fail "stiff scenarios: $(member stiff torn_share)"
finish
