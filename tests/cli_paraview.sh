#!/usr/bin/env bash
# ParaView's readers open what simulate and solve leave, and see what particles.csv says. Exit code 77:
# no Python here has them (Debian: python3-paraview; or pip install vtk).
tests=$(cd "$(dirname "$0")" && pwd)
source "$tests/cli_lib.sh"

python=
for candidate in ${CQ_PYTHON:-} python3 /usr/bin/python3; do
  if "$candidate" "$tests/read_xdmf.py" > /dev/null 2>&1; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "skipped: no Python with VTK's XDMF reader (apt: python3-paraview, pip: vtk; or name it in CQ_PYTHON)"
  exit 77
fi

see() {
  "$python" "$tests/read_xdmf.py" "$@" || fail "$*"
}

expect 0 "$cqopt" simulate bounce --quiet --output flat --frames 7
see flat 8 100 57

# a body of a mesh has a surface
expect 0 "$cqopt" simulate "$tests/../examples/quadruped.cfg" --quiet --output mesh --frames 3 \
  --set simulation.steps=10
see mesh 4 6472 5 1372 2740

# three axes, a muscle, numbers enough for chunks
cat > solid.cfg << 'END'
simulation: { dimension = 3; grid = 24; cell = 0.05; time_step = 2e-3; steps = 20; gravity = [0, -2, 0]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3, 0.3]; size = [0.4, 0.2, 0.4]; spacing = 0.025; } );
actuators: ( { name = "m"; body = "A"; direction = "x"; max = 8; } );
controller: { type = "open_loop"; hold = 10; };
design: ( { variable = "actuation"; start = 3; } );
END
expect 0 "$cqopt" simulate solid.cfg --quiet --output solid --set output.interval=0.011 \
  --set output.precision=double
see solid 5 2048 1500

# the motion of the best design is what simulate makes of it
expect 3 "$cqopt" solve bounce --quiet --output best --set optimizer.max_evaluations=4
expect 0 "$cqopt" simulate bounce --quiet --output again --design best
cp again/particles.csv best/
see best 51 100 3
finish
