#!/usr/bin/env bash
# report.html in a browser without a display: see_report.py. Exit code 77: there is none, or no Python.
tests=$(cd "$(dirname "$0")" && pwd)
source "$tests/cli_lib.sh"

if ! python3 "$tests/browser.py" > /dev/null 2>&1; then
  echo "skipped: no chromium for python3 (apt: chromium; or name a browser of its kind in CQ_BROWSER)"
  exit 77
fi

expect 3 "$cqopt" solve bounce --quiet --output flat --set optimizer.max_evaluations=4
expect 0 "$cqopt" simulate bounce --quiet --output flight --design flat
python3 "$tests/see_report.py" flat/report.html flight/particles.csv || fail "flat/report.html"

# a page with everything else: 3D, walls of every kind, controls, maps, a constraint, two terms
cat > solid.cfg << 'END'
simulation: { dimension = 3; grid = 20; cell = 0.05; time_step = 2e-3; steps = 40; gravity = [0, -2, 0]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3, 0.3]; size = [0.3, 0.2, 0.3]; spacing = 0.025; } );
boundaries: {
  half_spaces: ( { type = "slip"; point = [0, 0.2, 0]; normal = [0.2, 1, 0]; } );
  height_fields: ( { type = "slip"; heights = [0.15, 0.2, 0.15]; spacing = 0.4; } );
  obstacles: ( { type = "slip"; shape = "ball"; center = [0.7, 0.5, 0.5]; radius = 0.08; },
               { type = "slip"; shape = "box"; center = [0.2, 0.7, 0.5]; size = [0.1, 0.1, 0.1]; } );
};
actuators: ( { name = "m"; body = "A"; direction = "x"; max = 8; } );
controller: { type = "open_loop"; hold = 2; };
design: ( { variable = "actuation"; start = 3; },
          { variable = "youngs_modulus"; body = "A"; per = "particle"; lower = 20; upper = 80; } );
objective: ( { term = "distance"; body = "A"; target = [0.6, 0.4, 0.5]; }, { term = "actuation_cost"; weight = 1e-3; } );
constraints: ( { term = "mean_position"; body = "A"; direction = "y"; lower = 0.2; } );
optimizer: { name = "LD_MMA"; max_evaluations = 5; };
END
code=0
"$cqopt" solve solid.cfg --quiet --output solid > out 2> err || code=$?
[ "$code" -le 7 ] || fail "exit $code: $(cat err)"
python3 "$tests/see_report.py" solid/report.html || fail "solid/report.html"

# walls that move: by a track, by a steady motion, by an actuator
cat > press.cfg << 'END'
simulation: { dimension = 2; grid = [40, 30]; cell = 0.02; time_step = 4e-4; steps = 300; damping = 2; };
materials: ( { name = "soft"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 1000; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.1]; size = [0.2, 0.2]; spacing = 0.01; } );
boundaries: {
  domain: { type = "separate"; };
  half_spaces: ( { type = "separate"; point = [0.72, 0]; normal = [-1, 0.2]; velocity = [-0.5, 0]; spin = 0.5; } );
  obstacles: (
    { type = "separate"; low = [0.08, 0.12]; size = [0.1, 0.12]; track = [[0, 0, 0, 0], [0.12, 0.16, 0, 0.3]]; },
    { type = "separate"; shape = "ball"; center = [0.4, 0.45]; radius = 0.06; spin = 10; velocity = [0, -0.4]; },
    { type = "separate"; low = [0.55, 0.4]; size = [0.06, 0.06]; } );
};
actuators: ( { name = "d"; model = "drive"; body = "obstacles.[2]"; controls = ["y", "turn"]; max = 2; } );
controller: { type = "open_loop"; hold = 150; };
design: ( { variable = "initial_velocity"; body = "A"; start = [0.1, 0]; lower = -1; upper = 1; },
          { variable = "actuation"; start = [-0.5, 2, 0.5, -2]; } );
objective: ( { term = "mean_position"; body = "A"; direction = "x"; } );
optimizer: { name = "adam"; learning_rate = 0.1; max_evaluations = 2; };
END
code=0
"$cqopt" solve press.cfg --quiet --output press > out 2> err || code=$?
[ "$code" -le 7 ] || fail "exit $code: $(cat err)"
python3 "$tests/see_report.py" press/report.html || fail "press/report.html"

# bodies with a surface beside one without, in 3D and in 2D
cat > mesh.cfg << 'END'
simulation: { dimension = 3; grid = 20; cell = 0.05; time_step = 2e-3; steps = 40; gravity = [0, -2, 0]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "M"; material = "soft"; shape = "mesh"; spacing = 0.025; center = [0.5, 0.4, 0.5];
            vertices = [[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.4]];
            faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]; },
          { name = "B"; material = "soft"; low = [0.2, 0.7, 0.3]; size = [0.1, 0.1, 0.1]; spacing = 0.025; } );
design: ( { variable = "initial_velocity"; body = "M"; start = [0.5, 0, 0]; lower = -1; upper = 1; } );
objective: ( { term = "mean_position"; body = "M"; direction = "x"; weight = -1; } );
optimizer: { name = "adam"; learning_rate = 0.1; max_evaluations = 2; };
END
cat > outline.cfg << 'END'
simulation: { dimension = 2; grid = 20; cell = 0.05; time_step = 2e-3; steps = 40; gravity = [0, -2]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "M"; material = "soft"; shape = "polygon"; spacing = 0.025; points = [[0.3, 0.3], [0.6, 0.3], [0.6, 0.5]]; },
          { name = "B"; material = "soft"; low = [0.2, 0.7]; size = [0.1, 0.1]; spacing = 0.025; } );
design: ( { variable = "initial_velocity"; body = "M"; start = [0.5, 0]; lower = -1; upper = 1; } );
objective: ( { term = "mean_position"; body = "M"; direction = "x"; weight = -1; } );
optimizer: { name = "adam"; learning_rate = 0.1; max_evaluations = 2; };
END
for name in mesh outline; do
  expect 3 "$cqopt" solve $name.cfg --quiet --output $name
  python3 "$tests/see_report.py" $name/report.html || fail "$name/report.html"
done

# 36 muscles that are driven by a clock: rows of less than 12 pixels
{
  echo 'simulation: { dimension = 2; grid = [40, 16]; cell = 0.05; time_step = 2e-3; steps = 40; };'
  echo 'materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );'
  for list in bodies actuators; do
    echo "$list: ("
    for ((i = 0; i < 36; i++)); do
      if [ $list = bodies ]; then
        printf '{ name = "b%02d"; material = "soft"; low = [%d.%02d, 0.3]; size = [0.04, 0.1]; spacing = 0.02; }' \
          $i $(((20 + 4 * i) / 100)) $(((20 + 4 * i) % 100))
      else
        printf '{ name = "m_%02d"; body = "b%02d"; direction = "y"; max = 2; }' $i $i
      fi
      [ $i = 35 ] || echo ,
    done
    echo ');'
  done
  cat << 'END'
controller: { type = "tanh_linear"; inputs: ( { read = "clock"; clocks = 12; rate = 20; } ); };
design: ( { variable = "controller"; } );
objective: ( { term = "mean_position"; body = "b35"; direction = "x"; weight = -1; } );
optimizer: { name = "adam"; learning_rate = 0.1; max_evaluations = 3; };
output: { trajectory = false; };
END
} > weights.cfg
expect 3 "$cqopt" solve weights.cfg --quiet --output weights
python3 "$tests/see_report.py" weights/report.html || fail "weights/report.html"

expect 0 "$cqopt" report flat solid --output both.html
python3 "$tests/see_report.py" both.html || fail "both.html"

# a study and a comparison
cat > toss.cfg << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 60; };
materials: ( { name = "soft"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "initial_velocity"; body = "A"; lower = -2; upper = 2; start = [0.5, 1]; } );
objective: ( { term = "distance"; body = "A"; target = [0.8, 0.6]; squared = true; } );
optimizer: { max_evaluations = 12; };
END
expect 0 "$cqopt" study toss.cfg --vary "materials.[0].density=1:4" --vary optimizer.name=LD_SLSQP,adam \
  --samples "${CQ_BATCH_RUNS:-8}" --output study --quiet
python3 "$tests/see_batch.py" study/report.html still || fail "study/report.html"
expect 0 "$cqopt" report study
python3 "$tests/see_batch.py" study/report.html || fail "study/report.html with motions"
expect 0 "$cqopt" compare toss.cfg --with LD_SLSQP,adam --budget 8 --seeds 2 --output comparison --quiet
expect 0 "$cqopt" report comparison
python3 "$tests/see_batch.py" comparison/report.html || fail "comparison/report.html"
finish
