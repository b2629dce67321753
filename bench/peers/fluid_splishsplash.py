"""One dam break in SPlisHSPlasH and in cqopt: fluid_splishsplash.sh says what for.

    fluid_splishsplash.py CQOPT FOLDER ROUNDS LIBGL    both in turns, and the table
    fluid_splishsplash.py FOLDER                       a run of SPlisHSPlasH alone
"""

import json
import os
import resource
import subprocess
import sys
import time

RADIUS, STEP = 0.0125, 1e-3
BLOCK, TANK = (16, 32, 12), (1.6, 1.2, 0.3)  # particles; m
WARM, STEPS = 20, 200  # steps that are not timed, and that are
SWEEPS = 10
PARTICLES = BLOCK[0] * BLOCK[1] * BLOCK[2]


def write_scene(folder):
    """A tank as a box of triangles, turned inside out, and the block in its corner. Samples are on the surface of the
    tank, not behind it, so that is 1.5 radii larger all round: nearer ones throw the block to the ceiling."""
    box = os.path.join(folder, "box.obj")
    with open(box, "w") as f:
        for z in (-0.5, 0.5):
            for y in (-0.5, 0.5):
                for x in (-0.5, 0.5):
                    f.write(f"v {x} {y} {z}\n")
        for a, b, c, d in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)):
            f.write(f"f {a} {b} {c}\nf {a} {c} {d}\n")
    scene = {
        "Configuration": {
            "particleRadius": RADIUS, "timeStepSize": STEP, "cflMethod": 0, "gravitation": [0, -9.81, 0],
            "simulationMethod": 4, "boundaryHandlingMethod": 0},
        "Materials": [{"id": "Fluid", "viscosityMethod": 0}],
        "RigidBodies": [{
            "id": 1, "geometryFile": box, "translation": [t / 2 for t in TANK], "rotationAxis": [1, 0, 0],
            "rotationAngle": 0, "scale": [t + 3 * RADIUS for t in TANK], "isDynamic": False, "isWall": True, "mapInvert": True}],
        "FluidBlocks": [{
            "denseMode": 0, "id": "Fluid", "start": [0, 0, 0], "translation": [-RADIUS] * 3, "scale": [1, 1, 1],
            "end": [2 * RADIUS * (n + 1) for n in BLOCK]}]}
    path = os.path.join(folder, "dam.json")
    with open(path, "w") as f:
        json.dump(scene, f)
    return path


def splishsplash(folder):
    """Prints seconds of the processor for STEPS steps after WARM, particles, sweeps, and how far their mean has
    moved along the tank."""
    import pysplishsplash as sph

    base = sph.Exec.SimulatorBase()
    base.init(sceneFile=write_scene(folder), useGui=False, initialPause=False, useCache=False,
              outputDir=os.path.join(folder, "out"), stopAt=(WARM + STEPS - 0.5) * STEP)
    times = []
    base.setTimeStepCB(lambda: times.append(time.process_time()))
    base.initSimulation()
    simulation = sph.Simulation.getCurrent()
    solver = simulation.getTimeStep()
    for name, value in (("MIN_ITERATIONS", SWEEPS), ("MAX_ITERATIONS", SWEEPS), ("MAX_ITERATIONS_V", 1)):
        solver.setValueUInt(getattr(solver, name), value)
    for name in ("MAX_ERROR", "MAX_ERROR_V"):
        solver.setValueFloat(getattr(solver, name), 1e-9)
    base.runSimulation()
    fluid = simulation.getFluidModel(0)
    n = fluid.numActiveParticles()
    moved = sum(float(fluid.getPosition(i)[0]) - float(fluid.getPosition0(i)[0]) for i in range(n)) / n
    print("RESULT", times[WARM + STEPS - 1] - times[WARM - 1], n, solver.getValueUInt(solver.SOLVER_ITERATIONS),
          moved)


def run_splishsplash(folder, libgl):
    out = subprocess.run([sys.executable, __file__, folder], check=True, capture_output=True, text=True,
                         env=dict(os.environ, LD_PRELOAD=libgl)).stdout
    words = [line for line in out.splitlines() if line.startswith("RESULT")][0].split()[1:]
    return float(words[0]), int(words[1]), int(words[2]), float(words[3])


def run_cqopt(cqopt, folder, precision, steps):
    """Seconds of the processor of a run, and how far the mean of its particles has moved."""
    path = os.path.join(folder, "dam.cfg")
    with open(path, "w") as f:
        low = [0, 0, 0]
        size = [2 * RADIUS * n for n in BLOCK]
        f.write(f"""simulation: {{ engine = "fluid"; dimension = 3; precision = "{precision}"; size = {list(TANK)}; radius = {RADIUS};
  time_step = {STEP}; steps = {steps}; gravity = [0, -9.81, 0];
  tolerance = 0; sweeps = {SWEEPS}; divergence_tolerance = 0; divergence_sweeps = 1; }};
materials: ( {{ name = "water"; density = 1000; }} );
bodies: ( {{ name = "dam"; material = "water"; shape = "box"; low = {low}; size = {size}; }} );
objective: ( {{ term = "mean_position"; body = "dam"; direction = [1, 0, 0]; }} );
design: ( {{ variable = "gravity"; lower = -10; upper = 10; }} );
output: {{ trajectory = false; report = false; }};
""")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([cqopt, "evaluate", path, "--threads", "1"], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            json.loads(out)["designs"][0]["f"] - RADIUS * BLOCK[0])


def main():
    cqopt, folder, rounds, libgl = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    best, moved = {}, {}
    for _ in range(rounds):
        seconds, n, sweeps, moved["splishsplash"] = run_splishsplash(folder, libgl)
        assert n == PARTICLES and sweeps == SWEEPS, (n, sweeps)
        best["splishsplash"] = min(best.get("splishsplash", 1e9), seconds)
        for precision in ("float", "double"):
            few = run_cqopt(cqopt, folder, precision, WARM)[0]
            seconds, moved[precision] = run_cqopt(cqopt, folder, precision, WARM + STEPS)
            best[precision] = min(best.get(precision, 1e9), seconds - few)
    ns = {side: 1e9 * seconds / (STEPS * PARTICLES) for side, seconds in best.items()}
    with open(os.path.join(folder, "fluid_splishsplash.csv"), "w") as f:
        f.write("particles,splishsplash,float,double,ratio_float,ratio_double,moved_splishsplash,moved_float\n")
        f.write(f"{PARTICLES},{ns['splishsplash']:.0f},{ns['float']:.0f},{ns['double']:.0f},"
                f"{ns['splishsplash'] / ns['float']:.2f},{ns['splishsplash'] / ns['double']:.2f},"
                f"{moved['splishsplash']:.4f},{moved['float']:.4f}\n")
    print(open(os.path.join(folder, "fluid_splishsplash.csv")).read(), end="")


if len(sys.argv) == 2:
    splishsplash(sys.argv[1])
else:
    main()
