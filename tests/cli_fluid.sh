#!/usr/bin/env bash
# A problem file of the fluid engine, from its checks to its report.
examples=$(cd "$(dirname "$0")/../examples/difffr" && pwd)
source "$(dirname "$0")/cli_lib.sh"

cat > box.cfg << 'END'
problem: { title = "a box floats"; };
simulation: { engine = "fluid"; size = [0.6, 0.8]; radius = 0.0125; time_step = 1e-3; steps = 30;
              gravity = [0, -9.81]; };
materials: ( { name = "water"; density = 1000; viscosity = 1; },
             { name = "wood"; model = "rigid"; density = 500; } );
bodies: ( { name = "pool"; material = "water"; shape = "box"; low = [0, 0]; size = [0.6, 0.4]; },
          { name = "box"; material = "wood"; shape = "box"; low = [0.2, 0.3]; size = [0.2, 0.2]; } );
boundaries: { domain: { friction = 0.2; }; };
objective: ( { term = "distance"; body = "box"; target = [0.3, 0.42]; } );
design: ( { variable = "initial_velocity"; body = "box"; lower = -0.3; upper = 0.3; } );
optimizer: { name = "cmaes"; max_evaluations = 8; };
END

solve() { # FOLDER ARGUMENTS...
  folder=$1
  shift
  code=0
  "$cqopt" solve box.cfg --output "$folder" "$@" > "$folder.out" 2> "$folder.err" || code=$?
}

solve plain --threads 1
[ "$code" = 3 ] || fail "exit $code: $(cat plain.out plain.err)"
# 24 x 16 particles, of which 8 x 4 are where the box is
grep -q '352 particles, fluid, viscosity 1 Pa s; 32 particles inside' <(tr -s ' \n' ' ' < plain.out) ||
  fail "fluid in a body is not counted: $(cat plain.out)"
# of which no more is said where its particles fit around the box; else how dense they are, alone
! grep -q 'overlap\|starts with' plain.err || fail "fluid that fits is warned of: $(cat plain.err)"
expect 0 "$cqopt" simulate box.cfg --output shifted --threads 1 --set simulation.steps=1 \
  --set 'bodies.[1].low=[0.21, 0.1]'
[ "$(grep -c warning err)" = 1 ] && grep -q 'starts with up to 1.345 of its density (body "pool" at 0.4125' err ||
  fail "fluid that does not fit around a box: $(cat err)"
# it is moved apart on request, and nothing is thrown; what is rigid stays, and the bits are those of any threads
fastest() { awk -F, 'NR > 1 && $6 > most { most = $6 } END { print most + 0 }' "$1/observations.csv"; }
for threads in 1 2; do
  expect 0 "$cqopt" simulate box.cfg --output relaxed$threads --threads $threads --set simulation.steps=20 \
    --set 'bodies.[1].low=[0.21, 0.1]' --set simulation.relax=20
  ! grep -q warning err || fail "fluid that was moved apart: $(cat err)"
done
expect 0 "$cqopt" simulate box.cfg --output burst --threads 1 --set simulation.steps=20 --set 'bodies.[1].low=[0.21, 0.1]'
awk -v a="$(fastest relaxed1)" -v b="$(fastest burst)" 'BEGIN { exit !(a < b / 10) }' ||
  fail "relaxed it has $(fastest relaxed1), else $(fastest burst)"
cmp -s relaxed1/observations.csv relaxed2/observations.csv || fail "relaxed, two threads differ"
[ "$(sed -n 2p relaxed1/observations.csv | cut -d, -f7-9)" = "$(sed -n 2p burst/observations.csv | cut -d, -f7-9)" ] ||
  fail "the box was moved"
grep -q 'sweeps of the density solver' <(tr -s ' \n' ' ' < plain.out) || fail "no sweeps are told"
has_file plain/report.html
has_file plain/trajectory.h5
grep -q relative_density plain/trajectory.xdmf || fail "no density in the trajectory"
grep -q pressure plain/trajectory.xdmf || fail "no pressure in the trajectory"

# the same bits with other threads, another memory, and after a stop in between
solve threads --threads 2
solve memory --threads 1 --set 'simulation.memory="200 KiB"'
solve half --threads 1 --set optimizer.max_evaluations=4
"$cqopt" solve --resume half --set optimizer.max_evaluations=8 --quiet > half.out 2>&1 || true
for run in threads memory half; do
  cmp plain/evals.bin "$run/evals.bin" || fail "$run has other bits"
done

# the wrench of the fluid on the box, of every step: 20 kg, whose velocity it and gravity change
expect 0 "$cqopt" simulate box.cfg --output flight --threads 1
head -n 1 flight/observations.csv > names
grep -q '^time,pool.x,pool.y,pool.vx,pool.vy,pool.mean_square_velocity,box.x,.*,box.mean_square_velocity,box.force_x,box.force_y,box.torque_z,box.turn_z,box.spin_z$' \
  names || fail "columns: $(cat names)"
awk -F, 'NR == 2 { if ($12 != 0 || $13 != 0) bad++ }
  NR > 2 { off = 20 * (($10 - v) / 1e-3 + 9.81) - $13; bad += off * off > 1e-12; most = $13 > most ? $13 : most }
  { v = $10 } END { exit !(NR == 32 && bad == 0 && most > 10) }' flight/observations.csv ||
  fail "wrenches: $(cut -d, -f10,13 flight/observations.csv | head -n 5)"

# and a term sees it: its mean over states 21 to 30
expect 0 "$cqopt" simulate box.cfg --output felt --threads 1 \
  --set 'objective=({term="force"; body="box"; direction="y"; when="window"; window=[0.02, 0.03];})'
awk -F, 'NR == FNR { if (FNR > 22) { sum += $13 / 10 }; next }
  /^ *box.force/ { split($0, word, " "); off = word[2] - sum; exit !(off * off < 1e-10 * sum * sum) }' \
  felt/observations.csv out || fail "the term of a force: $(cat out)"

# A half-space is the floor, and an obstacle is under water: they carry what is above them, and what
# the obstacle has instead of water is lifted. (kg/m^2 in 2D: 416 particles are 260 kg.)
cat > tank.cfg << 'END'
simulation: { engine = "fluid"; size = [0.6, 0.8]; radius = 0.0125; time_step = 1e-3; steps = 500;
              gravity = [0, -9.81]; };
materials: ( { name = "water"; density = 1000; viscosity = 5; } );
bodies: ( { name = "pool"; material = "water"; shape = "box"; low = [0, 0.1]; size = [0.6, 0.5]; } );
boundaries: {
  half_spaces = ( { point = [0, 0.1]; normal = "y"; } );
  obstacles = ( { shape = "box"; low = [0.2, 0.25]; size = [0.2, 0.2]; } ); };
objective: ( { term = "distance"; body = "pool"; target = [0.3, 0.42]; } );
design: ( { variable = "gravity"; lower = -10; upper = 10; } );
END
expect 0 "$cqopt" simulate tank.cfg --output tank --threads 1
grep -q '64 particles inside of rigid bodies or obstacles were left out' <(tr -s ' \n' ' ' < out) ||
  fail "fluid in an obstacle is not counted: $(cat out)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  NR > 350 { n++; floor += $at["half_spaces.[0].force_y"]
             lift += $at["obstacles.[0].force_y"] }
  END { floor /= n; lift /= n; weight = 260 * 9.81; under = 40 * 9.81; print floor, lift
        exit !((floor + lift + weight)^2 < (0.03 * weight)^2 && (lift - under)^2 < (0.05 * under)^2) }' \
  tank/observations.csv > carried || fail "floor and obstacle carry $(cat carried)"

# an obstacle on a track shoves a blob that floats freely: what it gives is what the blob has
cat > shove.cfg << 'END'
simulation: { engine = "fluid"; size = [2, 2]; radius = 0.025; time_step = 1e-3; steps = 200; };
materials: ( { name = "water"; density = 1000; } );
bodies: ( { name = "blob"; material = "water"; shape = "box"; low = [1, 0.8]; size = [0.5, 0.4]; } );
boundaries: { domain: { type = "none"; };
  obstacles = ( { shape = "box"; low = [0.6, 0.7]; size = [0.4, 0.6]; velocity = [0.5, 0]; spin = 0.3;
                  track = [[0, 0, 0, 0], [0.2, 0.02, 0.01, 0.1]]; } ); };
objective: ( { term = "distance"; body = "blob"; target = [1.5, 1]; } );
design: ( { variable = "gravity"; lower = -10; upper = 10; } );
END
expect 0 "$cqopt" simulate shove.cfg --output shove --threads 1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  NR > 1 { x += 1e-3 * $at["obstacles.[0].force_x"]
           y += 1e-3 * $at["obstacles.[0].force_y"]; u = 200 * $at["blob.vx"]; v = 200 * $at["blob.vy"] }
  END { print x, u, y, v; exit !(u > 40 && (x + u)^2 < 1e-16 * u^2 && (y + v)^2 < 1e-16 * u^2) }' \
  shove/observations.csv > shoved || fail "an obstacle gives $(cat shoved)"
grep -q '"movers"' shove/trajectory.xdmf || fail "where the obstacle is at which time is not in the motion"

# A step may be cut into parts: by a viscosity that is stable at a quarter of it, the same as four
# steps, with the mean of their wrenches; by speed, nothing goes farther than it may, where steps of
# one length throw a blob of 20 m/s out; the same bits by other threads.
thick=(--set materials.[0].viscosity=70)
expect 0 "$cqopt" simulate box.cfg --output short --threads 1 "${thick[@]}" --set simulation.steps=40
expect 0 "$cqopt" simulate box.cfg --output cut --threads 1 "${thick[@]}" --set simulation.steps=10 \
  --set simulation.time_step=4e-3 --set simulation.cfl=100
awk -F, 'function off(a, b) { return (a - b)^2 > 1e-18 * (1 + b * b) }
  NR == FNR { if (FNR > 38) { sum += $13 / 4 } for (i = 1; i <= 11; i++) { last[i] = $i } next }
  END { for (i = 1; i <= 11; i++) { bad += off($i, last[i]) } exit !(bad == 0 && !off($13, sum)) }' \
  short/observations.csv cut/observations.csv ||
  fail "a cut step is another: $(tail -qn 1 short/observations.csv cut/observations.csv)"
cat > splash.cfg << 'END'
simulation: { engine = "fluid"; size = [0.6, 0.8]; radius = 0.0125; time_step = 5e-3; steps = 8; cfl = 0.3; };
materials: ( { name = "water"; density = 1000; } );
bodies: ( { name = "pool"; material = "water"; shape = "box"; low = [0.1, 0.3]; size = [0.4, 0.4];
            velocity = [0, -20]; } );
objective: ( { term = "mean_square_velocity"; body = "pool"; } );
design: ( { variable = "gravity"; lower = -10; upper = 10; } );
END
expect 5 "$cqopt" simulate splash.cfg --output whole --threads 1 --set simulation.cfl=0
expect 0 "$cqopt" simulate splash.cfg --output parts --threads 1
expect 0 "$cqopt" simulate splash.cfg --output parts2 --threads 2
cmp parts/observations.csv parts2/observations.csv || fail "parts have other bits with two threads"
# 5 ms at 20 m/s are 13.3 steps of 0.3 diameters
counted() { # FOLDER WORDS
  sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$1/run.json"
}
all=$(counted parts 'parts of all steps together, by simulation.cfl') most=$(counted parts 'parts of one step at most')
[ "$all" -ge 112 ] && [ "$most" -ge 14 ] && [ "$all" -le $((8 * most)) ] || fail "parts: $all, at most $most"
[ "$(counted cut 'parts of one step at most')" -gt 1 ] || fail "thick fluid: $(cat cut/run.json)"
[ "$(counted short 'parts of one step at most')" = 0 ] || fail "parts without cfl"

refused() { # WORDS ARGUMENTS...
  words=$1
  shift
  solve refused "$@"
  [ "$code" = 1 ] || fail "exit $code, not 1, with $*"
  tr -s ' \n' ' ' < refused.err | grep -q "$words" || fail "$*: $(cat refused.err refused.out)"
  rm -rf refused
}
refused 'is unstable: the viscosity of body "pool" (200 Pa s' --set materials.[0].viscosity=200 \
  --set simulation.time_step=2e-3
refused 'simulation.gradient = "local" needs steps of one length' --set simulation.cfl=0.3 \
  --set simulation.gradient=local
refused 'will burst' --set bodies.[0].volume=0.4
refused 'is too thin for particles of radius' --set bodies.[1].size=[0.2,0.025]
refused 'fluid leaks between samples that are more than 4 radii apart' --set bodies.[1].sample_spacing=5
refused 'outside of the room' --set bodies.[1].low=[0.5,0.3]
refused 'has no height fields' --set 'boundaries.height_fields=({heights=[0,0.1];spacing=0.6;})'
refused 'is too thin for particles of radius' \
  --set 'boundaries.obstacles=({shape="box";low=[0.2,0.2];size=[0.2,0.02];})'
refused 'the plane is out of the room' --set 'boundaries.half_spaces=({point=[0,-0.2];normal="y";})'
refused 'needs a velocity, at which "pool" flows' --set bodies.[0].emitter=true
refused 'only fluid flows out of an emitter' --set bodies.[1].emitter=true
refused 'has no spin' --set bodies.[0].emitter=true --set bodies.[0].velocity=[1,0] --set bodies.[0].spin=1
push='actuators=({name="a";body="box";max=1;})'
refused 'thrust is of one' --set 'actuators=({name="a";body="pool";max=1;})'
refused 'must be at least 0, no thrust' --set 'actuators=({name="a";body="box";max=-1;})'
refused 'leave no thrust' --set 'actuators=({name="a";body="box";max=0;min=0;})'
refused 'no thrust moves it' --set "$push" --set bodies.[1].driven=true
refused 'actuators need a controller' --set "$push"
refused 'is fluid, and a joint is of rigid bodies' --set bodies.[0].joint=hinge --set bodies.[0].joint_at=box \
  --set bodies.[0].joint_point=[0.3,0.4]
joint() { # WORDS JOINT AT ARGUMENTS...
  refused "$1" --set "bodies.[1].joint=$2" --set "bodies.[1].joint_at=$3" --set bodies.[1].joint_point=[0.3,0.4] "${@:4}"
}
joint 'is a "hinge" in 2D' ball pool
joint '"pool" is not rigid, and nothing can hang at it' hinge pool
joint '"box" cannot hang at itself' hinge box
joint 'there is no rigid body "bux"; did you mean "box"?' hinge bux
refused 'is of heuristics such as simulation.gradient = "rigid", not of "difference"' --set simulation.horizon=10
refused 'all of this fluid is inside' --set bodies.[1].low=[-0.1,-0.1] --set bodies.[1].size=[0.8,0.6]
refused 'force has no gradient by simulation.gradient = "local"; set that to "difference"' \
  --set 'objective=({term="force";body="box";direction="y";})' --set simulation.gradient=local
refused 'simulation.cell is a key of the engine mpm' --set simulation.cell=0.1

"$cqopt" render plain > render.out 2>&1 || [ $? = 8 ] || fail "render: $(cat render.out)"
# the published tasks at their sizes
for file in "$examples"/*.cfg; do
  expect 0 "$cqopt" show "$file"
  grep -q 'particles, fluid' out || fail "$file: $(cat out)"
done
# launches that a search would make nothing of
sed 's/ lower = -0.3; upper = 0.3;//' box.cfg > open.cfg
"$cqopt" evaluate open.cfg > out 2> err || true
grep -q 'has no bounds: searches have found speeds' <(tr -s ' \n' ' ' < err) || fail "no word on bounds: $(cat out err)"
sed -e 's/^objective.*/groups: ( { name = "left"; body = "box"; low = [0.2, 0.3]; size = [0.05, 0.2]; },\
  { name = "right"; body = "box"; low = [0.35, 0.3]; size = [0.05, 0.2]; } );\
objective: ( { term = "distance"; body = "left"; target = [0.4, 0.42]; },\
  { term = "distance"; body = "right"; target = [FAR, 0.42]; } );/' \
  -e 's/^design.*/design: ( { variable = "spin"; body = "box"; start = SPIN; lower = -9; upper = 9; } );/' box.cfg > turn.cfg
turn() { # FAR SPIN
  sed -e "s/FAR/$1/; s/SPIN/$2/" turn.cfg > turned.cfg
  "$cqopt" evaluate turned.cfg > out 2> err || fail "$(cat err)"
  tr -s ' \n' ' ' < err > words
}
turn 0.55 0
grep -q 'starts from no spin, and the targets on body "box" are turned by nothing, or by full turns.*start near 209 rad/s' words ||
  fail "no word on a full turn: $(cat words)"
turn 0.25 0
grep -q 'half a turn away, where distances have no slope: for half a turn start near 105 rad/s' words ||
  fail "no word on half a turn: $(cat words)"
sed 's/^objective.*/objective: ( { term = "distance_between"; body = "right"; to = "left"; offset = [-0.15, 0]; },/
  s/^  { term = "distance"; body = "right".*/  { term = "distance"; body = "box"; target = [0.4, 0.42]; } );/' turn.cfg > between.cfg
sed 's/SPIN/0/' between.cfg > turned.cfg
expect 0 "$cqopt" evaluate turned.cfg
grep -q 'half a turn away, where' <(tr -s ' \n' ' ' < err) || fail "no word on the offset of two parts: $(cat out err)"
turn 0.55 3
! grep -q 'no spin' words || fail "a spin is none: $(cat words)"
finish
