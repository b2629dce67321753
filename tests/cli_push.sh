#!/usr/bin/env bash
# A push: a force on a body for a while, from a file to its gradient and through scenarios; horizons.
source "$(dirname "$0")/cli_lib.sh"

# a block of 0.02 kg on a floor with friction, driven by its muscle and pushed
cat > pushed.cfg << 'END'
simulation: { grid = [32, 24]; cell = 0.05; time_step = 2e-3; steps = 100; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "foot"; material = "soft"; low = [0.4, 0.4]; size = [0.2, 0.1]; spacing = 0.025; },
          { name = "head"; material = "soft"; low = [0.4, 0.5]; size = [0.2, 0.1]; spacing = 0.025; } );
actuators: ( { name = "m"; body = "foot"; direction = "y"; max = 4; },
             { name = "wind"; body = "head"; model = "push"; force = [0.2, 0.05]; from = 0.05; until = 0.15; } );
controller: { type = "open_loop"; hold = 20; };
design: ( { variable = "actuation"; start = 0.5; },
          { variable = "density"; body = "head"; per = "body"; start = 1; lower = 0.5; upper = 2; } );
objective: ( { term = "distance"; body = "head"; target = [1, 0.6]; } );
optimizer: { name = "adam"; max_evaluations = 2; stop_at_target = false; verify_refined = false; };
output: { report = false; trajectory = false; };
END

# momentum of all, 0.04 kg, is the impulse; before and after it stays
expect 0 "$cqopt" simulate pushed.cfg --output run --quiet
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
  { p = 0.02 * ($at["foot.vx"] + $at["head.vx"]); t = $at["time"]
    want = 0.2 * (t < 0.05 ? 0 : t > 0.15 ? 0.1 : t - 0.05)
    if ((p - want)^2 > 1e-22) { print t, p, want; bad = 1 } }
  END { exit bad || NR != 102 }' run/observations.csv || fail "the momentum is not force times time"

# with it in the run, gradients are those of differences, of the mass that it moves, too
expect 0 "$cqopt" gradcheck pushed.cfg --quiet
expect 0 "$cqopt" gradcheck pushed.cfg --quiet --set 'actuators=({name="wind";body="head";model="push";force=[0.2,0];until=0.1;})' \
  --set 'controller={type="none";}' --set 'design=({variable="density";body="head";per="body";start=1;lower=0.5;upper=2;})'

# scenarios vary it
expect 3 "$cqopt" solve pushed.cfg --output many --quiet \
  --set 'scenarios={vary=({key="actuators.[1].force"; values=[0, 0, 0.2, 0, -0.2, 0.1];});}'
expect 3 "$cqopt" solve pushed.cfg --output times --quiet \
  --set 'scenarios={sampling="grid"; vary=({key="actuators.[1].until"; low=0.06; high=0.15; points=3;});}'
[ "$(member many scenarios)" = 3 ] && [ "$(member times scenarios)" = 3 ] || fail "not three scenarios"

# what cannot be
expect 1 "$cqopt" show pushed.cfg --set actuators.[1].until=0.01
error_says 'actuators.\[1\].until: is not after `from`, 0.05 s'
expect 1 "$cqopt" show pushed.cfg --set actuators.[1].body=foot
error_says 'a particle has one actuator'

# --- a horizon: a heuristic gradient, which methods without proofs take
expect 3 "$cqopt" solve pushed.cfg --output short --quiet --set simulation.horizon=25
[ "$(member short gradient)" = heuristic ] || fail "the gradient is $(member short gradient)"
expect 3 "$cqopt" solve pushed.cfg --output long --quiet
norm() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } NR == 2 { print $at["f"], $at["gradient_norm"] }' "$1/history.csv"
}
[ "$(norm short | cut -d' ' -f1)" = "$(norm long | cut -d' ' -f1)" ] || fail "a horizon changes the values"
[ "$(norm short)" != "$(norm long)" ] || fail "a horizon changes nothing"
expect 1 "$cqopt" show pushed.cfg --set simulation.horizon=25 \
  --set 'materials=({name="soft"; model="rigid"; density=1;})' \
  --set 'actuators=()' --set 'controller={type="none";}' --set 'design=({variable="gravity";})'
error_says 'simulation.horizon: is not for scenes with rigid bodies'
finish
