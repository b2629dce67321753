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
refused 'bodies.[0].spacing=0.02' ': [0-9]* pairs of grains start inside each other, the deepest by .* at ('
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

shares='objective=({term="share_in"; body="A"; low=[0.2, 0, 0]; high=[0.5, 1, 1];}'
refused "${shares/low=[0.2/low=[0.41})" 'the box is outside the room: it is 0.41 to 0.5 m along x, and the room 0 to 0.4 m'
refused "${shares/high=[0.5/high=[0.1})" 'must be above low = 0.2 along x, not 0.1'
expect 1 "$cqopt" show cantilever --set 'objective=({term="share_in"; body="*"; low=[0, 0]; high=[1, 1];})'
# what is in one of two halves is not in the other
expect 0 "$cqopt" evaluate grains.cfg --set "$shares, {term=\"share_in\"; body=\"A\"; low=[-1, 0, 0]; high=[0.2, 1, 1];})"
grep -qE '"f": (1|0\.99999999999)' out || fail "shares of two halves: $(cat out)"
grep -qE '"terms": \[0\.[1-9]' out || fail "nothing in a half: $(cat out)"

# what grains are made of can be designed, and every one of them matters
for variable in grain_friction:0.1:0.9 rolling_friction:0.01:0.5 cohesion:0.01:5 restitution:0.05:0.9; do
  IFS=: read -r name low high <<< "$variable"
  printf 'A.%s\n%s\n%s\n%s\n' "$name" "$low" "$high" "$low" > made.csv
  expect 0 "$cqopt" evaluate grains.cfg --at made.csv --format csv --threads 1 \
    --set "design=({variable=\"$name\"; body=\"A\"; start=$low; lower=$low; upper=$high;})"
  awk -F, 'NR > 1 { f[NR] = $4 } END { exit !(f[2] != f[3] && f[2] == f[4]) }' out || fail "$name: $(cat out)"
done

# --- what pushes walls and tools stands beside the observations; a union is a tool, too
union='shape="composite"; parts=({shape="box"; center=[0.03, 0.1, 0.15]; size=[0.02, 0.2, 0.28];},
  {shape="ball"; center=[0.05, 0.1, 0.15]; radius=0.03;});'
expect 0 "$cqopt" simulate grains.cfg --output pushed "${small[@]}" \
  --set "boundaries.obstacles=({$union})" --set 'controller.hold=60'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }
                   f = at["obstacles.[0].force_x"]; t = at["domain.torque_z"]
                   up = at["domain.force_y"] }
         NR > 1 { least = $f < least ? $f : least; floor = $up < floor ? $up : floor }
         END { exit !(f > 0 && t > 0 && least < 0 && floor < 0) }' pushed/observations.csv ||
  fail "nothing pushes the tool: $(head -2 pushed/observations.csv)"
# and terms see the same
expect 0 "$cqopt" simulate grains.cfg --output felt "${small[@]}" --set 'controller.hold=60' \
  --set 'objective=({term="force"; body="domain"; direction="x";},
    {term="torque"; body="domain"; direction="z"; when="at"; time=0.06;})'
awk -F, 'NR == FNR { for (i = 1; i <= NF && FNR == 1; i++) { at[$i] = i }
                     f = $at["domain.force_x"]
                     t = FNR == 32 ? $at["domain.torque_z"] : t; next }
         /^ *domain.force/ { split($0, word, " "); bad += (word[2] - f)^2 > 1e-10 * f^2 }
         /^ *domain.torque/ { split($0, word, " "); bad += (word[2] - t)^2 > 1e-10 * t^2; seen++ }
         END { exit !(bad == 0 && seen == 1 && f * t != 0) }' felt/observations.csv <(grep '  ' out) ||
  fail "terms of tools: $(cat out)"
refused 'objective=({term="force"; body="A"; target=[1, 2, 3];})' \
  'objective.\[0\].body: force is that of one rigid body, and "A" is none'
refused 'objective=({term="turn"; body="A"; direction="x";})' \
  'objective.\[0\].body: turn is that of one rigid body, and "A" is none'

# --- rigid bodies: grains move what is free, and what is driven is seen, too
rigid() { # FURTHER KEYS OF THE BALL
  local ball='name = "ball"; material = "wood"; shape = "ball"; center = [0.3, 0.06, 0.1];'
  ball+=' radius = 0.05; spacing = 0.025; friction = 0.5;'
  scene | sed -e 's|rolling_friction = 0.2; }|&, { name = "wood"; model = "rigid"; density = 500; }|' \
    -e "s|jitter = 0.3; }|&, { $ball ${1-} }|"
}
rigid > rigid.cfg
expect 0 "$cqopt" show rigid.cfg
grep -q 'body ball: 32 particles, rigid, free, density 500' out || fail "$(cat out)"
expect 0 "$cqopt" simulate rigid.cfg --output hit "${small[@]}" --set 'bodies.[0].velocity=[2, 0, 0]'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
         NR > 1 { most = $at["ball.force_x"] > most ? $at["ball.force_x"] : most; x = $at["ball.x"]
                  turn = $at["ball.turn_z"] }
         END { exit !(most > 0.1 && x > 0.305 && turn != 0) }' hit/observations.csv ||
  fail "grains do not push the ball: $(tail -1 hit/observations.csv)"
rigid 'motion = "driven"; max_force = 200; track = [[0, 0, 0, 0], [0.1, 0, 0.1, 0]];' > driven.cfg
expect 0 "$cqopt" show driven.cfg
grep -q 'rigid, driven by at most 200 N' out || fail "$(cat out)"
expect 0 "$cqopt" simulate driven.cfg --output driven "${small[@]}"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } END { exit !($at["ball.y"] > 0.159) }' \
  driven/observations.csv || fail "the ball does not follow its track"
# what a limited tool does may be asked for; without a limit it is what the iterations make it
asks='objective=({term="tool_work"; body="ball"; weight=-1;})'
rigid 'motion = "driven"; max_force = 50; track = [[0, 0, 0, 0], [0.1, -0.1, 0, 0]];' > worker.cfg
expect 0 "$cqopt" simulate worker.cfg --output work "${small[@]}" --set "$asks"
awk '$1 == "ball.tool_work" { w = $2 } END { exit !(w * w > 1e-8) }' out || fail "no work: $(cat out)"
rigid 'motion = "driven"; track = [[0, 0, 0, 0], [0.1, 0, 0.1, 0]];' > stiff.cfg
expect 1 "$cqopt" show stiff.cfg --set "$asks"
error_says 'nothing limits what drives "ball", .* give a rigid body with motion = "driven" a max_force'
expect 1 "$cqopt" show driven.cfg --set 'objective=({term="tool_work"; body="A";})'
error_says '"A" is no rigid body'
# an obstacle moves by a track of its own, too
scene | sed -e '/^boundaries\|^actuators\|^controller/d' \
  -e 's/variable = "actuation"; start = 0.5;/variable = "initial_velocity"; body = "A";/' > laps.cfg
expect 0 "$cqopt" simulate laps.cfg --output own "${small[@]}" \
  --set 'boundaries.obstacles=({shape="box"; center=[0.03, 0.1, 0.15]; size=[0.02, 0.2, 0.28]; track=[[0, 0, 0, 0], [0.12, 0.1, 0, 0]];})'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
         NR > 1 { f = $at["obstacles.[0].force_x"]; least = f < least ? f : least }
         END { exit !(least < -0.1) }' own/observations.csv || fail "the obstacle does not push"
# and so does a half-space, which turns about its point
expect 0 "$cqopt" simulate laps.cfg --output plane "${small[@]}" \
  --set 'boundaries={half_spaces=({point=[0.04, 0, 0]; normal=[1, 0, 0]; friction=0.3; track=[[0, 0, 0, 0, 0, 0, 0], [0.12, 0.1, 0, 0, 0, 0, -0.2]];});}'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
         NR > 1 { f = $at["half_spaces.[0].force_x"]; least = f < least ? f : least }
         END { exit !(least < -0.1) }' plane/observations.csv || fail "the half-space does not push"
expect 1 "$cqopt" show laps.cfg --set 'simulation.cyclic="z"' \
  --set 'boundaries={half_spaces=({point=[0.04, 0, 0]; normal=[1, 0, 0]; velocity=[1, 0, 0];});}'
error_says 'a half-space that moves needs a room with ends'
# gears turn among grains
gear='shape="gear"; center=[0.2, 0.3, 0.15]; teeth=12; module=0.01; helix_angle=0.3; width=0.1; spin=[0, 0, 5]'
expect 0 "$cqopt" simulate laps.cfg --output gear "${small[@]}" --set "boundaries.obstacles=({$gear;})"
refused_gear() { # KEYS TEXT
  expect 1 "$cqopt" show laps.cfg --set "boundaries.obstacles=({$gear; $1})"
  error_says "$2"
}
refused_gear 'bore=0.06;' 'bore: must be less than the radius of the roots'
refused_gear 'pressure_angle=0.65;' 'the flanks of a tooth meet below its tip'
refused_gear 'radius=1;' '"radius" in boundaries.obstacles.\[0\] has a meaning only with shape'
expect 1 "$cqopt" show grains.cfg --set 'boundaries.obstacles.[0].velocity=[1, 0, 0]'
error_says '"obstacles.\[0\]" has a track, a sway, a velocity or a spin; take those out, or the actuator'
# walls that actuators move do so alike where there is a rigid body
rigid 'motion = "fixed";' > still.cfg
expect 0 "$cqopt" simulate still.cfg --output still "${small[@]}" \
  --set 'bodies.[1].center=[0.34, 0.34, 0.24]' --set "boundaries.obstacles=({$union})" \
  --set 'controller.hold=60' --set 'actuators.[0].along=["x", "turn z"]'
expect 0 "$cqopt" simulate grains.cfg --output alone "${small[@]}" \
  --set "boundaries.obstacles=({$union})" --set 'controller.hold=60' \
  --set 'actuators.[0].along=["x", "turn z"]'
paste -d, alone/observations.csv still/observations.csv | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) { if ($i in a) { b[$i] = i } else { a[$i] = i } } }
  END { for (k in b) { d = $a[k] - $b[k]; if (d * d > 1e-12 * (1 + $a[k] * $a[k])) { bad = bad " " k } }
        if (bad != "") { print bad; exit 1 } }' > off || fail "a rigid body changes walls:$(cat off)"

refused_rigid() { # SETTING TEXT
  expect 1 "$cqopt" show rigid.cfg --set "$1"
  error_says "$2"
}
refused_rigid 'bodies.[1].grain_radius=0.01' 'grain_radius: is of grains; the material "wood" is rigid'
refused_rigid 'bodies.[0].motion="fixed"' 'motion: is of rigid bodies; the material "sand" is not rigid'
refused_rigid 'bodies.[0].max_force=1' 'max_force: is of rigid bodies'
refused_rigid 'bodies.[1].max_force=1' 'max_force: is of a body with motion = "driven"; "ball" is free'
refused_rigid 'bodies.[1].motion="driven"' 'nothing drives "ball"'
refused_rigid 'bodies.[1].center=[0.3, 0.03, 0.1]' 'rigid bodies "domain" and "ball" overlap\|rigid bodies "ball" and "domain" overlap'
refused_rigid 'bodies.[1].center=[0.2, 0.06, 0.1]' 'grains start inside a rigid body, the deepest by'
refused_rigid 'simulation.solver="jacobi"' 'motion: grains move "ball", which simulation.solver = "ncp" alone does'
refused_rigid 'actuators.[0].wall="ball"' '"ball" is a rigid body: drive it by model = "drive"'
refused_rigid 'actuators=({name="m"; model="drive"; body="ball"; controls=["x"]; max=1;})' 'is free; set its motion = "driven"'
refused_rigid 'actuators=({name="m"; model="drive"; body="A"; controls=["x"]; max=1;})' '"A" cannot be driven'
expect 1 "$cqopt" show driven.cfg --set 'bodies.[1].track=[[0, 0, 0, 0], [0.1, 5, 0, 0]]'
error_says '"ball" leaves the room: at .* enlarge simulation.room'
expect 1 "$cqopt" show driven.cfg --set 'bodies.[1].track=[[0, 0.1, 0, 0], [0.1, 0, 0, 0]]'
error_says 'at time 0 the motion has "ball" 0.1 m away'
scene | sed 's/grain_radius = 0.015;//' > no_radius.cfg
expect 1 "$cqopt" show no_radius.cfg
error_says 'grain_radius: is missing: the radius of the grains of body "A"'
scene | sed 's/density = 2000; rolling_friction = 0.2;/model = "rigid"; density = 2000;/
  s/grain_radius = 0.015;//; s/jitter = 0.3;//' > no_grains.cfg
expect 1 "$cqopt" show no_grains.cfg
error_says 'all bodies are rigid'

# --- an arm of two hinges digs: where it is follows from the rates of its joints
cat > arm.cfg << 'END'
simulation: { engine = "granular"; dimension = 3; room = [0.4, 0.4, 0.3]; time_step = 2e-3;
  steps = 60; solver_iterations = 6; gravity = [0, -9.81, 0]; };
materials: ( { name = "sand"; density = 2000; }, { name = "steel"; model = "rigid"; density = 5000; } );
bodies: (
  { name = "A"; material = "sand"; grain_radius = 0.015; low = [0.06, 0, 0.02]; size = [0.16, 0.2, 0.12];
    spacing = 0.04; jitter = 0.3; },
  { name = "post"; material = "steel"; motion = "fixed"; low = [0.28, 0.3, 0.06]; size = [0.04, 0.04, 0.04]; },
  { name = "upper"; material = "steel"; motion = "driven"; shape = "capsule"; radius = 0.015;
    points = [[0.3, 0.32, 0.08], [0.26, 0.26, 0.08]];
    joint = "hinge"; joint_at = "post"; joint_point = [0.3, 0.32, 0.08]; joint_axis = [0, 0, 1]; },
  { name = "fore"; material = "steel"; motion = "driven"; shape = "capsule"; radius = 0.015; friction = 0.5;
    points = [[0.26, 0.26, 0.08], [0.26, 0.14, 0.08]];
    joint = "hinge"; joint_at = "upper"; joint_point = [0.26, 0.26, 0.08]; joint_axis = [0, 0, 1]; } );
actuators: ( { name = "shoulder"; model = "drive"; body = "upper"; controls = "joint"; max = 8; },
  { name = "elbow"; model = "drive"; body = "fore"; controls = "joint"; max = 8; } );
controller: { type = "open_loop"; hold = 60; };
design: ( { variable = "actuation"; start = [-1, -4]; } );
objective: ( { term = "distance"; body = "A"; target = [0.25, 0.05, 0.08]; } );
END
expect 0 "$cqopt" simulate arm.cfg --output arm "${small[@]}"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
         NR == 2 { x = $at["fore.x"] - 0.26; y = $at["fore.y"] - 0.26 }
         NR > 1 { f = $at["fore.force_x"]; most = f > most ? f : most }
         END { one = -0.12; two = -0.6 # [rad]
               off_x = 0.3 - 0.04 * cos(one) + 0.06 * sin(one) + x * cos(two) - y * sin(two) - $at["fore.x"]
               off_y = 0.32 - 0.04 * sin(one) - 0.06 * cos(one) + x * sin(two) + y * cos(two) - $at["fore.y"]
               exit !(off_x * off_x + off_y * off_y < 1e-24 && most > 0.1) }' arm/observations.csv ||
  fail "the arm is elsewhere, or meets no grains: $(tail -1 arm/observations.csv)"
expect 0 "$cqopt" simulate arm.cfg --output arm_1 "${small[@]}" --threads 1
cmp arm/observations.csv arm_1/observations.csv || fail "other bits of an arm by one thread"
refused_arm() { # SETTING TEXT
  expect 1 "$cqopt" show arm.cfg --set "$1"
  error_says "$2"
}
refused_arm 'bodies.[1].motion="free"' 'joint_at: "post" is free; what others hang at has motion'
refused_arm 'bodies.[3].max_torque=1' '"fore": what drives it has a limit, which a joint .* not know'
sed 's/body = "A"; target.*\]/body = "fore"; target = [0.05, 0.05, 0.05]/' arm.cfg > far.cfg
expect 1 "$cqopt" show far.cfg
error_says 'far.cfg:[0-9]*: objective.\[0\].target: "fore" cannot reach it: it is 0.3692 m from the joint of "upper", and'
expect 0 "$cqopt" evaluate arm.cfg --set 'simulation.room=[2, 0.4, 0.3]' \
  --set 'bodies.[1].low=[1.28, 0.3, 0.06]' \
  --set 'bodies.[2].points=[[1.3, 0.32, 0.08], [1.26, 0.26, 0.08]]' --set 'bodies.[2].joint_point=[1.3, 0.32, 0.08]' \
  --set 'bodies.[3].points=[[1.26, 0.26, 0.08], [1.26, 0.14, 0.08]]' --set 'bodies.[3].joint_point=[1.26, 0.26, 0.08]'
grep -q 'the arm with "fore" reaches 0.[0-9]* m from the joint of "upper", and what it could move begins 1.[0-9]* m' err ||
  fail "no warning of an arm that is far: $(cat err)"
refused_arm 'actuators.[1].controls="x"' '"fore" hangs at a joint, whose rate is what it is driven by'
refused_arm 'bodies.[0]={name="A"; material="sand"; grain_radius=0.01; joint="slider"; joint_at="post"; low=[0, 0, 0]; size=[0.1, 0.1, 0.1];}' 'joint: is of rigid bodies; the material "sand" is not rigid'

# --- a room without end: grains that leave come in on the other side, and their places go on
expect 0 "$cqopt" show grains.cfg --set 'simulation.cyclic="x"'
grep -q 'without end along x' out || fail "$(cat out)"
expect 0 "$cqopt" simulate laps.cfg --output laps "${small[@]}" --set 'simulation.cyclic="x"' \
  --set 'bodies.[0].velocity=[8, 0, 0]'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } END { exit !($at["A.x"] > 0.5) }' \
  laps/observations.csv || fail "grains do not stream: $(tail -1 laps/observations.csv)"
expect 1 "$cqopt" show laps.cfg --set 'simulation.cyclic="z"' --set 'simulation.room=[0.4, 0.4, 0.14]' \
  --set 'bodies.[0].size=[0.16, 0.2, 0.08]'
error_says 'must be at least 10 radii'
expect 1 "$cqopt" show rigid.cfg --set 'simulation.cyclic="x"'
error_says 'through the end of the room: let it be the only one'
expect 1 "$cqopt" show grains.cfg --set 'simulation.cyclic="x"' \
  --set 'boundaries.half_spaces=({point=[0, 0, 0]; normal=[1, 1, 0];})'
error_says 'a half-space cannot face that way'

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
# --- the best design again from other starts: the same for any number of threads and after a stop, and off
# where it is not wanted; a target that a run has reached by luck is not reached
means() { grep -E '"(repeats|f_mean|f_deviation|f_worst)"' "$1/run.json"; }
[ "$(means whole | wc -l)" = 4 ] || fail "no re-runs: $(cat whole/run.json)"
[ "$(means whole)" = "$(means two)" ] || fail "re-runs differ with two threads"
[ "$(means whole)" = "$(means half)" ] || fail "re-runs differ after a stop"
seen=$(sed -n 's/^ *"f": \(.*\),$/\1/p' whole/run.json)
expect 0 "$cqopt" evaluate grains.cfg --at whole --set simulation.start_jitter=1e-3 --set simulation.start_repeat=2
! grep -q "$seen" out || fail "another start is the same run: $(cat out)"
printf 'actuation[0].push,actuation[1].push,actuation[2].push\n1,1,1\n0,0.5,1\n1,1,1\n' > thrice.csv
expect 0 "$cqopt" evaluate grains.cfg --at thrice.csv --format csv --threads 1 --set simulation.start_jitter=0.1
[ "$(cut -d, -f4 out | sort -u | wc -l)" = 3 ] || fail "one design from one start has two values: $(cat out)"
expect 3 "$cqopt" solve grains.cfg --output far "${small[@]}" --set optimizer.repeat_jitter=0.3
mean=$(sed -n 's/^ *"f_mean": \(.*\),$/\1/p' far/run.json)
between=$(awk -v a="$seen" -v b="$mean" 'BEGIN { if (!(a < b)) { exit 1 } printf "%.17g", (a + b) / 2 }') ||
  fail "the best of 8 is no luckier than its re-runs"
expect 3 "$cqopt" solve grains.cfg --output luck "${small[@]}" --set optimizer.repeat_jitter=0.3 --set "optimizer.target=$between"
grep -q 'is at the target by luck: the mean of 5 re-runs is' luck/run.json || fail "$(cat luck/run.json)"
expect 0 "$cqopt" solve grains.cfg --output reached "${small[@]}" --set optimizer.target=1
grep -q 'target reached: mean of 5 re-runs' reached/run.json || fail "$(cat reached/run.json)"
expect 3 "$cqopt" solve grains.cfg --output same "${small[@]}" --set optimizer.repeat_jitter=1e-25
grep -q 'to the last bit: a start moved by' same/log.txt || fail "no warning of re-runs that are the same"
expect 3 "$cqopt" solve grains.cfg --output once "${small[@]}" --set optimizer.repeats=0
! grep -q 'Re-runs' out || fail "re-runs that nobody wants"
# re-runs by another solver than the search; what it cannot be is said before the search
expect 3 "$cqopt" solve grains.cfg --output soft "${small[@]}" --set optimizer.max_evaluations=2 --set simulation.solver=jacobi \
  --set simulation.solver_iterations=10 --set 'optimizer.repeat_with=["simulation.solver=ncp"]'
expect 3 "$cqopt" solve grains.cfg --output softer "${small[@]}" --set optimizer.max_evaluations=2 --set simulation.solver=jacobi \
  --set simulation.solver_iterations=10
[ "$(means soft)" != "$(means softer)" ] || fail "re-runs by the other solver are the same"
expect 1 "$cqopt" show grains.cfg --set 'optimizer.repeat_with=["simulation.solver=odd"]'
error_says 'solver'
# a search over the mean of some starts is one with scenarios, and its re-runs have others
expect 3 "$cqopt" solve grains.cfg --output mean "${small[@]}" --set optimizer.max_evaluations=2 \
  --set simulation.start_jitter=1e-2 --set 'scenarios={vary=({key="simulation.start_seed"; values=[1, 2];});}'
grep -q 'deviation 0,' out && fail "re-runs of scenarios are the same run: $(cat out)"
expect 1 "$cqopt" show grains.cfg --set optimizer.repeats=3 --set 'optimizer.name="adam"' \
  --set 'scenarios={combine="batch"; vary=({key="simulation.start_seed"; values=[1, 2];});}'
error_says 'there are no re-runs where scenarios.combine is "batch"'
# a design that says where grains start is moved, too
expect 3 "$cqopt" solve grains.cfg --output placed "${small[@]}" --set optimizer.max_evaluations=2 \
  --set 'design=({variable="initial_position"; body="A"; per="particle"; lower=-0.001; upper=0.001;})'
grep -q 'deviation 0,' out && fail "re-runs of a designed start are the same run: $(cat out)"
finish
