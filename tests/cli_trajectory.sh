#!/usr/bin/env bash
# Trajectories of simulate and of solve's best design, which is also tried at half the time step.
source "$(dirname "$0")/cli_lib.sh"

recorded() {
  has_file "$1/trajectory.h5"
  has_file "$1/trajectory.xdmf"
}
not_recorded() {
  ! ls "$1" | grep -q trajectory || fail "$1 has $(ls "$1" | grep trajectory)"
}

# --- what is written, and when
expect 0 "$cqopt" simulate bounce --quiet --output motion --frames 4
recorded motion
[ "$(grep -c '<Time' motion/trajectory.xdmf)" -eq 5 ] || fail "not 5 frames in trajectory.xdmf"
[ "$(ls motion/*.tmp 2> /dev/null)" = "" ] || fail "temporary files are left"
expect 0 "$cqopt" simulate bounce --quiet --output twice --frames 4
cmp -s motion/trajectory.h5 twice/trajectory.h5 || fail "the same run has other bits"
expect 0 "$cqopt" simulate bounce --quiet --output off --set output.trajectory=false
not_recorded off
expect 0 "$cqopt" simulate bounce --output large --set output.trajectory_limit=500kB \
  --set output.interval=0.01
not_recorded large
grep -q 'no trajectory: .* more than output.trajectory_limit' err || fail "not said: $(cat err)"
# a run that fails leaves what it had till then
expect 5 "$cqopt" simulate bounce --quiet --output failed --set 'design.[0].start=[2.5, 0.1]' \
  --set boundaries.domain.friction=unset --set boundaries.domain.type=none
recorded failed

# a controller that reads the motion drives a recorded run as it drives an evaluation
expect 0 "$cqopt" simulate finger --output loop --frames 2 --set 'design.[0].start=0.3'
seen=$(tail -n 1 loop/observations.csv | awk -F, '{ printf "%.6e", ($12 - 0.6)^2 + ($13 - 0.6)^2 }')
[ "$(awk '$1 == "tip.distance" { print $2 }' out)" = "$seen" ] ||
  fail "the finger ends $seen from its target, not $(awk '$1 == "tip.distance" { print $2 }' out)"

# --- solve
expect 3 "$cqopt" solve bounce --output best --set optimizer.max_evaluations=4
recorded best
grep -q '^Half step .*of what the run gained, violation 0$' out || fail "the summary says no half step"
expect 3 "$cqopt" solve bounce --quiet --output fine --start best --set optimizer.max_evaluations=1 \
  --set simulation.time_step=3.75e-3 --set simulation.steps=400
[ "$(member best half_step_f)" = "$(member fine f)" ] ||
  fail "half a step: $(member best half_step_f), not $(member fine f)"
share=$(awk -v h="$(member best half_step_f)" -v b="$(member best f)" \
  -v s="$(sed -n 2p best/history.csv | cut -d, -f4)" 'BEGIN { d = h - b; g = s - b
  printf "%.6g", (d < 0 ? -d : d) / (g < 0 ? -g : g) }')
[ "$(awk -v x="$(member best half_step_share)" 'BEGIN { printf "%.6g", x }')" = "$share" ] ||
  fail "share $(member best half_step_share), not $share"
# a run that gained next to nothing depends on the time step
expect 3 "$cqopt" solve bounce --output near --start best --set optimizer.max_evaluations=2 \
  --set optimizer.learning_rate=1e-6
grep -q 'warning: at half the time step the objective of the best design is' err ||
  fail "no warning: $(cat err out)"

expect 3 "$cqopt" solve bounce --output plain --set optimizer.max_evaluations=2 \
  --set output.trajectory=false --set optimizer.verify_refined=false
not_recorded plain
! grep -q 'half_step' plain/run.json || fail "a half step that was not wanted"
! grep -q 'Half step' out || fail "the summary speaks of it"
expect 3 "$cqopt" solve bounce --output late --set optimizer.max_time=1e-6
[ "$(member late half_step)" = "left out: it would go beyond optimizer.max_time" ] ||
  fail "max_time: $(member late half_step)"

# both are free to change in a run that goes on
expect 3 "$cqopt" solve --resume plain --quiet --set output.trajectory=true --set output.frames=3 \
  --set optimizer.verify_refined=true --set optimizer.max_evaluations=3
recorded plain
[ -n "$(member plain half_step_f)" ] || fail "no half step after --resume"

# thrown up, it just stays in the grid; in smaller steps gravity pulls a little less, and it leaves
cat > up.cfg << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 50;
              gravity = [0, -40]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.025; } );
boundaries: { domain: { type = "none"; }; };
design: ( { variable = "initial_velocity"; body = "A"; start = [0, 8.905]; } );
objective: ( { term = "mean_position"; direction = "y"; } );
END
expect 3 "$cqopt" solve up.cfg --output up --set optimizer.max_evaluations=1
grep -q 'warning: the best design at half the time step: .* left the grid' err ||
  fail "no warning: $(cat err)"
[ "$(member up status)" = BUDGET ] || fail "status $(member up status)"
recorded up

# --- several starts: one recording, of the best
expect 3 "$cqopt" solve bounce --output starts --set optimizer.starts=2 --set optimizer.workers=1 \
  --set 'design.[0].lower=0.1' --set 'design.[0].upper=0.5' --set optimizer.max_evaluations=2
recorded starts
not_recorded starts/start-01
grep -q '^Half step' out || fail "no half step of the best start"
best=starts/$(member starts best_folder)
[ "$(member starts half_step_f)" = "$(member "$best" half_step_f)" ] || fail "half step of the best"

# --- a disk that is full: exit code 2, the reason, and no torn file
(
  ulimit -f 200
  expect 2 "$cqopt" solve bounce --quiet --output full --set optimizer.max_evaluations=2
  error_says 'full/trajectory.h5: cannot write.*: File too large'
  not_recorded full
  exit "$failures"
) || failures=$((failures + $?))

# --- a design to a simulation
expect 1 "$cqopt" simulate bounce --output never --start best
error_says "'cqopt simulate' takes no --start"
expect 0 "$cqopt" simulate bounce --quiet --output again --design best --set output.frames=3
expect 0 "$cqopt" simulate bounce --quiet --output slower --design best/design.csv \
  --set 'simulation.gravity=[0, -0.5]'
[ "$(sed -n 2p again/observations.csv)" = "$(sed -n 2p slower/observations.csv)" ] ||
  fail "--design has another start"
[ "$(tail -n 1 again/observations.csv)" != "$(tail -n 1 slower/observations.csv)" ] ||
  fail "--set does nothing"
expect 1 "$cqopt" simulate density_inference --output never --design best
error_says 'A.density of density_inference cannot be taken from a design of bounce, which has no body'
printf 'name,best\nball.initial_velocity[1],0.3\n' > half.csv
expect 1 "$cqopt" simulate bounce --output never --design half.csv
error_says 'half.csv: no value for ball.initial_velocity\[0\]: 1 of the 2 variables of bounce'
[ ! -e never ] || fail "a refused design left a folder"

finish
