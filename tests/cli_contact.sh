#!/usr/bin/env bash
# What stands, slides and rolls on a slope of 30 degrees, and the keys of walls that it needs.
source "$(dirname "$0")/cli_lib.sh"

# slope FILE STEP STEPS MATERIAL BODY WALL: the slope is the floor, gravity is turned
slope() {
  cat > "$1" << END
simulation: { grid = [80, 80]; cell = "1/50"; time_step = $2; steps = $3; gravity = [-5, -8.6602540378]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; $4 } );
bodies: ( { name = "b"; material = "m"; $5 } );
boundaries: { half_spaces: ( { type = "separate"; $6 point = [0, 0.13]; normal = "y"; } ); };
END
}

# run NAME: simulates NAME.cfg
run() {
  expect 0 "$cqopt" simulate "$1.cfg" --output "$1" --quiet
}

# says NAME CONDITION: of its observations, v at 0.2 s (v2) and at the end (v, x, t), the largest
# speed since (top), and how far it went (way)
says() {
  awk -F, -v name="$1" 'NR == 2 { x0 = $2 }
    NR > 1 { t = $1; x = $2; v = $4; way = x - x0; speed = v > 0 ? v : -v }
    NR > 1 && t < 0.2 + 1e-9 { v2 = v; t2 = t }
    NR > 1 && t > 0.2 { top = speed > top ? speed : top }
    END { printf "  %s: x %.6g, v %.6g, mean acceleration since 0.2 s %.6g, largest speed %.3g\n", name,
            way, v, (v - v2)/(t - t2), top
          exit !('"$2"') }' "$1/observations.csv" || fail "$1: not $2"
}

block='low = [0.9, 0.13]; size = [0.2, 0.08];'
disc='shape = "ball"; center = [1.2, 0.25]; radius = 0.12;'

# a block of a material with a little viscosity stands below the angle of friction and slides above
# it; without, it shakes itself down the slope
slope stands.cfg 1e-4 3000 'viscosity = 0.7;' "$block" 'friction = 0.6;'
slope slides.cfg 1e-4 3000 'viscosity = 0.7;' "$block" 'friction = 0.5;'
slope shakes.cfg 2.5e-4 1200 '' "$block" 'friction = 0.7;'
for name in stands slides shakes; do
  run $name
done
says stands 'top < 1e-5'
says slides '(v - v2)/(t - t2)/-0.669873 > 0.998 && (v - v2)/(t - t2)/-0.669873 < 1.002'
says shakes 'top > 0.02' # the text says so

# a disc of 12 cells rolls; nodes that it has not reached do not hold it where the wall says so
slope rolls.cfg 2.5e-4 2400 '' "$disc" 'friction = 0.5; touch = 0.1;'
slope early.cfg 2.5e-4 2400 '' "$disc" 'friction = 0.5;'
run rolls
run early
says rolls 'v/(-10/3*t) > 0.97 && v/(-10/3*t) < 1.03 && way/(-5/3*t*t) > 0.97 && way/(-5/3*t*t) < 1.03'
says early 'way/(-5/3*t*t) < 0.9'

# one clear line
slope wrong.cfg 1e-4 10 '' "$block" 'friction = -0.1;'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'wrong.cfg:4: boundaries.half_spaces.\[0\].friction = -0.1 is out of range: must be >= 0'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1; touch = 2;'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'touch = 2 is out of range: must be 0 to 1'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1; touch = 0.1; velocity = [0, 1];'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'touch is not for walls that move; leave it out'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1; touch = 0.1;'
sed -i 's/materials: (/& { name = "r"; model = "rigid"; density = 1; },/
        s/bodies: (/& { name = "r"; material = "r"; low = [0.3, 0.5]; size = [0.1, 0.1]; },/' wrong.cfg
expect 1 "$cqopt" simulate wrong.cfg
error_says 'touch is not for scenes with rigid bodies; leave it out'

# what locks is said
slope locks.cfg 1e-5 1 '' "$block" ''
sed -i 's/poisson_ratio = 0.2/poisson_ratio = 0.495/' locks.cfg
expect 0 "$cqopt" simulate locks.cfg --output locks
cat out err | grep -q 'body "b" is nearly incompressible' || fail "no word of locking"

finish
