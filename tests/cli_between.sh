#!/usr/bin/env bash
# Bodies that meet with friction: what slides, stands, parts and bounces, how near they come, and the keys.
source "$(dirname "$0")/cli_lib.sh"
source "$(dirname "$0")/../results/reference/scene_laid.sh"

# scene FILE STEPS GRAVITY BODIES REST: cells of 2 cm, steps of 0.4 ms
scene() {
  cat > "$1" << END
simulation: { grid = [80, 40]; cell = "1/50"; time_step = 4e-4; steps = $2; gravity = $3; };
materials: ( { name = "m"; youngs_modulus = 1000; poisson_ratio = 0.2; density = 1; } );
bodies: ( $4 );
$5
END
}

# run NAME: simulates NAME.cfg
run() {
  expect 0 "$cqopt" simulate "$1.cfg" --output "$1" --quiet
}

# says NAME CONDITION: of observations.csv, columns by number in the first row and the last, a[] and b[]
says() {
  awk -F, -v name="$1" 'NR == 2 { for (i = 1; i <= NF; i++) a[i] = $i }
    NR > 1 { for (i = 1; i <= NF; i++) b[i] = $i; far = $7 - $2; least = NR == 2 || far < least ? far : least }
    END { printf "  %s: first %.6g %.6g, second %.6g %.6g moving %.6g %.6g, force %.5g %.5g, impulse %.5g %.5g, least %.6g\n",
            name, b[2], b[3], b[7], b[8], b[9], b[10], b[12], b[13], b[14], b[15], least
          exit !('"$2"') }' "$1/observations.csv" || fail "$1: not $2"
}

long='{ name = "base"; material = "m"; low = [0.2, 0.13]; size = [1.2, 0.12]; }'
block='name = "b"; material = "m"; low = [0.3, 0.25]; size = [0.2, 0.08];'
floor='boundaries: { half_spaces: ( { type = "sticky"; point = [0, 0.17]; normal = "y"; } ); };'
touch='contact: ( { between = ["base", "b"]; friction = 0.2; } );'

# a block slides on a longer one, by v0^2/(2 mu g) = 0.16 m, and is pushed with mu times its weight
scene slides.cfg 1500 '[0, -10]' "$long, { $block velocity = [0.8, 0]; }" "$floor $touch"
run slides
says slides '(b[7] - a[7])/0.16 > 0.99 && (b[7] - a[7])/0.16 < 1.01 && b[9]^2 < 1e-4 &&
             b[14]/-0.0128 > 0.99 && b[14]/-0.0128 < 1.01 && b[15]/0.096 > 0.99 && b[15]/0.096 < 1.01'

# bodies that nothing holds keep their momentum, and part freely: nothing pulls
discs='{ name = "a"; shape = "ball"; material = "m"; center = [0.6, 0.4]; radius = 0.12; velocity = [0.3, 0]; },
  { name = "b"; material = "m"; shape = "ball"; center = [0.9, 0.4]; radius = 0.12; velocity = [-0.3, 0]; }'
scene bounces.cfg 750 '[0, 0]' "$discs" 'contact: ( { between = ["a", "b"]; friction = 0.5; } );'
scene early.cfg 750 '[0, 0]' "$discs" ''
run bounces
run early
says bounces '(b[4] + b[9])^2 < 1e-24 && b[9] > 0.2 && b[12] == 0 && least < 0.24'
says early 'least > 0.25' # without a contact bodies meet more than a cell early
scene parts.cfg 100 '[0, 0]' "$long, { $block velocity = [0, 0.5]; }" "$touch"
run parts
says parts 'b[10] == 0.5 && b[13] == 0 && b[15] == 0'

# a block without viscosity, on which gravity acts at once, slides down a body that is askew to the grid
# by g (sin - mu cos), and stands on it below the angle of friction: the normal is right there, too
# goes NAME CONDITION: along the slope, the acceleration and the mean speed from 0.2 s on
goes() {
  run "$1"
  awk -F, -v name="$1" 'NR > 1 { v = sqrt(3)/2 * $9 + $10/2; x = sqrt(3)/2 * $7 + $8/2 }
    NR == 2 { x0 = x }
    NR > 1 && $1 < 0.2 + 1e-9 { v1 = v; x1 = x; t1 = $1 }
    END { a = (v - v1)/($1 - t1); drift = (x - x1)/($1 - t1); printf "  %s: acceleration %.5g, drift %.3g, way %.5g\n", name, a, drift, x - x0
          exit !('"$2"') }' "$1/observations.csv" || fail "$1: not $2"
}
laid askew 0.5
laid stands 0.7
laid shakes 0.7
sed -i 's/steps = 2000;/steps = 1500; friction_mean = false;/' shakes.cfg
goes askew 'a/-0.669873 > 0.97 && a/-0.669873 < 1.03'
goes stands 'drift > -5e-5 && drift < 5e-5'
goes shakes 'drift < -1.5e-4' # by the pressure of the moment

# a free rigid block does the same on a soft body that is larger, also where a small one has a contact with
# that; and a disc rolls. By its own normals the ends of the block would plough, and it would not move.
hard() { # FILE FRICTION BODY [MORE]
  laid "${1%.cfg}" "$2"
  sed -i -e 's|density = 1; } );|density = 1; }, { name = "r"; model = "rigid"; density = 1; } );|' -e '/^contact/d' \
    -e "s|{ name = \"b\"; .*|{ name = \"b\"; material = \"r\"; friction = $2; $3 );|" "$1"
  echo "${4:-}" >> "$1"
}
lies='center = [0.66660254, 0.69392305]; size = [0.2, 0.08]; rotation = 0.523598776; }'
falls=', { name = "c"; material = "m"; low = [0.2, 1.1]; size = [0.1, 0.06]; }'
hard hard.cfg 0.5 "$lies"
hard rests.cfg 0.7 "$lies"
hard named.cfg 0 "$lies $falls" 'contact: ( { between = ["base", "c"]; friction = 0.2; } );'
hard rolls.cfg 0.5 'shape = "ball"; center = [0.7132050808, 0.8132050808]; radius = 0.12; }'
sed -i 's/steps = 2000;/steps = 1500;/' named.cfg rolls.cfg
goes hard 'a/-0.669873 > 0.97 && a/-0.669873 < 1.03'
goes rests 'drift > -5e-5 && drift < 5e-5'
goes named 'a/-5 > 0.99 && a/-5 < 1.01'
# of 2/3 g sin, 12 cells a diameter; by its own normals it rolls half as fast
goes rolls '(x - x0)/-0.15 > 0.9 && (x - x0)/-0.15 < 1.02'

# in 3D a block loses mu g of its speed
cat > deep.cfg << END
simulation: { dimension = 3; grid = [24, 14, 16]; cell = "1/20"; time_step = 8e-4; steps = 100; gravity = [0, -10, 0]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; }, { name = "r"; model = "rigid"; density = 1; } );
bodies: ( { name = "base"; material = "m"; low = [0.2, 0.15, 0.2]; size = [0.7, 0.15, 0.4]; },
  { name = "b"; material = "r"; friction = 0.3; low = [0.3, 0.3, 0.28]; size = [0.3, 0.15, 0.2]; velocity = [1, 0, 0.2]; } );
boundaries: { half_spaces: ( { type = "sticky"; point = [0, 0.21, 0]; normal = "y"; } ); };
END
run deep
says deep 'sqrt(b[12]^2 + b[14]^2)/(sqrt(1.04) - 0.24) > 0.97 && sqrt(b[12]^2 + b[14]^2)/(sqrt(1.04) - 0.24) < 1.03'

# gradients where such a ball rolls on a body that has a contact, too
cat > lean.cfg << END
simulation: { grid = [36, 26]; cell = "1/32"; time_step = 5e-4; steps = 120; gravity = [-3, -9]; };
materials: ( { name = "m"; youngs_modulus = 1000; poisson_ratio = 0.2; density = 1; }, { name = "r"; model = "rigid"; density = 1; } );
bodies: ( { name = "base"; material = "m"; low = [0.15, 0.21]; size = [0.8, 0.14]; },
  { name = "ball"; material = "r"; friction = 0.3; shape = "ball"; center = [0.65, 0.44]; radius = 0.09; velocity = [0.5, -0.3]; },
  { name = "c"; material = "m"; low = [0.3, 0.4]; size = [0.12, 0.08]; } );
boundaries: { half_spaces: ( { type = "sticky"; point = [0, 0.25]; normal = "y"; } ); };
contact: ( { between = ["base", "c"]; friction = 0.2; } );
design: ( { variable = "density"; body = "base"; lower = 0.5; upper = 2; }, { variable = "center"; body = "ball"; },
  { variable = "center"; body = "base"; } );
objective: ( { term = "distance"; body = "ball"; target = [0.7, 0.5]; }, { term = "distance"; body = "c"; target = [0.6, 0.3]; } );
END
for kernels in fast reference; do
  expect 0 "$cqopt" gradcheck lean.cfg --set simulation.kernels=$kernels
done

# gradients, also by the friction
scene grad.cfg 250 '[0, -10]' "$long, { $block velocity = [0.8, -0.3]; }" "$floor $touch
design: ( { variable = \"friction\"; boundary = \"contact.[0]\"; lower = 0; upper = 1; },
  { variable = \"density\"; body = \"b\"; lower = 0.5; upper = 2; }, { variable = \"initial_velocity\"; body = \"b\"; } );
objective: ( { term = \"distance\"; body = \"b\"; target = [0.6, 0.3]; },
  { term = \"impulse\"; body = \"contact.[0]\"; direction = \"x\"; }, { term = \"force\"; body = \"contact.[0]\"; direction = \"y\"; when = \"running\"; } );"
expect 0 "$cqopt" gradcheck grad.cfg

# one that begins flush with the other: rounding alone is no contact
scene flush.cfg 100 '[2, -10]' "$long, { $block velocity = [0.3, 0]; }" "$floor $touch
design: ( { variable = \"density\"; body = \"base\"; lower = 0.5; upper = 2; } );
objective: ( { term = \"mean_position\"; body = \"b\"; direction = \"x\"; } );"
expect 0 "$cqopt" gradcheck flush.cfg

# the same bits by one thread and two
expect 0 "$cqopt" simulate slides.cfg --output once --threads 1 --quiet --set simulation.steps=100
expect 0 "$cqopt" simulate slides.cfg --output twice --threads 2 --quiet --set simulation.steps=100
cmp once/observations.csv twice/observations.csv || fail "threads change the bits"

# the task is solved by friction, and by nothing else
expect 0 "$cqopt" solve grasp_friction --output held --quiet --set output.report=false --set output.trajectory=false
expect 3 "$cqopt" solve grasp_friction --output lost --quiet --set output.report=false --set output.trajectory=false \
  --start held --set optimizer.max_evaluations=1 --set 'contact.[0].friction=0' --set 'contact.[1].friction=0'
awk -F, 'NR == 2 { exit !($4 > 5e-3) }' lost/history.csv || fail "a ball is held without friction"

# wrong BETWEEN FRICTION ERROR: one clear line
wrong() {
  scene wrong.cfg 10 '[0, -10]' "$long, { $block }" "contact: ( { between = $1; friction = $2; } );"
  expect 1 "$cqopt" simulate wrong.cfg
  error_says "$3"
}
wrong '["base", "ball"]' 0.2 'wrong.cfg:4: contact.\[0\].between: there is no body "ball"'
wrong '["base", "b"]' -0.1 'wrong.cfg:4: contact.\[0\].friction = -0.1 is out of range: must be >= 0'
wrong '["b", "b"]' 0.2 'wrong.cfg:4: contact.\[0\].between: "b" does not meet itself; name two bodies'
wrong '["b"]' 0.2 'wrong.cfg:4: contact.\[0\].between: names two bodies, not 1'
wrong '["base", "b"]; }, { between = ["b", "base"]' 0.2 \
  'wrong.cfg:4: contact.\[1\].between: "b" and "base" have a contact already, contact.\[0\]; leave one of the two out'
scene wrong.cfg 10 '[0, -10]' "$long, { $block }" "$touch objective: ( { term = \"torque\"; body = \"contact.[0]\"; } );"
expect 1 "$cqopt" simulate wrong.cfg
error_says '"contact.\[0\]" is a contact, which has a force and an impulse and no torque'

finish
