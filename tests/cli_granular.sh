#!/usr/bin/env bash
# Scenes of grains: what is shown and refused, and the whole way from a file to a report.
source "$(dirname "$0")/cli_lib.sh"

scene() {
  cat << 'END'
simulation: { engine = "granular"; dimension = 3; room = [0.4, 0.4, 0.3]; time_step = 2e-3;
  steps = 60; solver_iterations = 6; gravity = [0, -9.81, 0]; };
materials: ( { name = "sand"; density = 2000; rolling_friction = 0.2; } );
bodies: ( { name = "A"; material = "sand"; grain_radius = 0.015; low = [0.06, 0, 0.02];
  size = [0.16, 0.2, 0.12]; spacing = 0.04; jitter = 0.3; } );
boundaries: { obstacles: ( { shape = "box"; center = [0.03, 0.1, 0.15]; size = [0.02, 0.2, 0.28]; } ); };
actuators: ( { name = "push"; body = "*"; wall = "obstacles.[0]"; along = ["x"]; max = 1; } );
controller: { type = "open_loop"; hold = 30; interpolation = "linear"; };
design: ( { variable = "actuation"; start = 0.5; } );
objective: ( { term = "distance"; body = "A"; target = [0.25, 0.05, 0.08]; } );
optimizer: { name = "cmaes"; max_evaluations = 8; };
END
}
scene > grains.cfg
small=(--set 'output={report=false; trajectory=false;}')

expect 0 "$cqopt" show grains.cfg
grep -q 'room 0.4 x 0.4 x 0.3 m, solver ncp, 6 iterations' out || fail "$(cat out)"
grep -q 'grains of radius 0.015 m, friction 0.5, rolling 0.2' out || fail "$(cat out)"
grep -q 'push.actuation\|actuation.*m/s' out || fail "$(cat out)"

# --- bad input: one line each, with its place
refused() { # SETTING TEXT
  expect 1 "$cqopt" show grains.cfg --set "$1"
  error_says "$2"
}
refused 'bodies.[0].spacing=0.02' 'grains start inside each other, the deepest by .* at ('
refused 'bodies.[0].grain_radius=0.2' 'has the diameter 0.4 m, and the room is 0.3 m along z'
refused 'bodies.[0].low=[0.5, 0, 0]' 'is outside the room: its grain 0 is at x'
refused 'bodies.[0].low=[0.02, 0, 0.02]' 'start inside walls'
refused 'simulation.solver_iterations=1' 'adds energy to a bed at rest'
expect 1 "$cqopt" show grains.cfg --set 'simulation.solver="jacobi"' \
  --set 'simulation.warm_start="on"' --set simulation.solver_iterations=4
error_says 'with 4 iterations adds energy to a bed at rest: take at least 5'
refused 'actuators.[0].along=["up"]' '"up" is no way to move'
refused 'boundaries.domain={open=["top"];}' '"top" is no side of the room'
expect 0 "$cqopt" simulate grains.cfg --output columns "${small[@]}" \
  --set 'bodies.[0].packing="cubic"' --set 'bodies.[0].jitter=0'
grep -q 'such columns stay standing for ever' err || fail "no warning of columns: $(cat err)"
expect 5 "$cqopt" simulate grains.cfg --output left "${small[@]}" \
  --set 'boundaries.domain={open=["low y"];}'
error_says 'left the room; put a wall in its way'

# --- what pushes walls and tools stands beside the observations; a union is a tool, too
union='shape="composite"; parts=({shape="box"; center=[0.03, 0.1, 0.15]; size=[0.02, 0.2, 0.28];},
  {shape="ball"; center=[0.05, 0.1, 0.15]; radius=0.03;});'
expect 0 "$cqopt" simulate grains.cfg --output pushed "${small[@]}" \
  --set "boundaries.obstacles=({$union})" --set 'controller.hold=60'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }
                   f = at["boundaries.obstacles.[0].force_x"]; t = at["boundaries.domain.torque_z"]
                   up = at["boundaries.domain.force_y"] }
         NR > 1 { least = $f < least ? $f : least; floor = $up < floor ? $up : floor }
         END { exit !(f > 0 && t > 0 && least < 0 && floor < 0) }' pushed/observations.csv ||
  fail "nothing pushes the tool: $(head -2 pushed/observations.csv)"
# and terms see the same
expect 0 "$cqopt" simulate grains.cfg --output felt "${small[@]}" --set 'controller.hold=60' \
  --set 'objective=({term="force"; body="obstacles.[0]"; direction="x";},
    {term="torque"; body="domain"; direction="z"; when="at"; time=0.06;})'
awk -F, 'NR == FNR { for (i = 1; i <= NF && FNR == 1; i++) { at[$i] = i }
                     f = $at["boundaries.obstacles.[0].force_x"]
                     t = FNR == 32 ? $at["boundaries.domain.torque_z"] : t; next }
         /^ *obstacles.\[0\].force/ { split($0, word, " "); bad += (word[2] - f)^2 > 1e-10 * f^2 }
         /^ *domain.torque/ { split($0, word, " "); bad += (word[2] - t)^2 > 1e-10 * t^2; seen++ }
         END { exit !(bad == 0 && seen == 1 && f * t != 0) }' felt/observations.csv <(grep '  ' out) ||
  fail "terms of tools: $(cat out)"
refused 'objective=({term="force"; body="A"; target=[1, 2, 3];})' \
  'objective.\[0\].body: force is that of one rigid body, and "A" is none'
refused 'objective=({term="turn"; body="domain"; direction="x";})' \
  'simulation.engine = "granular" does not observe the turn of rigid bodies'

# --- no gradient
expect 1 "$cqopt" solve grains.cfg --output refused --set optimizer.name=LD_SLSQP
error_says 'LD_SLSQP needs a gradient and this problem has none: the exact tangent of a run of grains grows a thousandfold in 50 steps, .*; use one of'
expect 1 "$cqopt" gradcheck grains.cfg
error_says 'has no gradient: the exact tangent .* a thousandfold in 50 steps'

# differences by small steps would be noise; wide ones are a heuristic
expect 1 "$cqopt" show grains.cfg --set simulation.gradient=difference --set simulation.difference_step=1e-3
error_says 'are chaotic: smaller changes than 0.05'
expect 0 "$cqopt" show grains.cfg --set simulation.gradient=difference
grep -q 'gradient: heuristic' out || fail "show does not say heuristic: $(cat out)"

# --- from the file to the report; the same bits for any number of threads, and after a stop
expect 3 "$cqopt" solve grains.cfg --output whole --threads 1
grep -q 'contact-steps in' out || fail "no contacts in the summary"
for file in report.html evals.bin trajectory.h5 design.csv; do
  has_file "whole/$file"
done
expect 3 "$cqopt" solve grains.cfg --output two --threads 2 "${small[@]}"
cmp whole/evals.bin two/evals.bin || fail "bits differ with two threads"
expect 3 "$cqopt" solve grains.cfg --output half "${small[@]}" --set optimizer.max_evaluations=5
expect 3 "$cqopt" solve --resume half --set optimizer.max_evaluations=8
cmp whole/evals.bin half/evals.bin || fail "bits differ after a stop"
expect 3 "$cqopt" solve grains.cfg --output simplex "${small[@]}" --set optimizer.name=LN_NELDERMEAD
finish
