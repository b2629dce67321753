#!/usr/bin/env python3
"""Makes silicone_beam_tracks.csv and silicone_beam_markers.csv: no measurement, but a simulation.

    python3 silicone_beam_tracks.py [../build/cqopt]

The beam of silicone_beam.cfg, with the properties below, at half the time step and with twice the
particles. Eight of its particles are the markers. A camera whose axes are turned and moved sees them with
a normal error of 0.2 mm of every coordinate, and its clock is late.
"""
import csv
import math
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TRUTH = {"materials.[0].youngs_modulus": 8e4, "simulation.damping": 2}
STEP, STEPS = 1e-4, 3000
COUNT = (102, 25)  # 2550 particles in place of 1296
MARKERS = [(i, j) for i in (30, 52, 75, 99) for j in (2, 22)]
LATE, TURN, MOVE = 0.004, 0.02, (0.003, -0.002)  # s, rad, m
NOISE, RULER = 2e-4, 5e-5  # m


def simulate(cqopt, folder):
    """particles.csv as {time: {particle: (x, y)}}."""
    sets = {f"simulation.time_step": STEP, "simulation.steps": STEPS, "bodies.[0].count": list(COUNT), **TRUTH,
            "objective": '({term="mass"; body="beam";})', "design": '({variable="damping";})',
            "optimizer.name": "unset"}
    command = [cqopt, "simulate", HERE / "silicone_beam.cfg", "--quiet", "--frames", "300", "--output", folder]
    for key, value in sets.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    places = {}
    with open(pathlib.Path(folder) / "particles.csv", newline="") as file:
        for row in csv.DictReader(file):
            places.setdefault(round(int(row["step"]) * STEP, 6), {})[int(row["particle"])] = (
                float(row["x"]), float(row["y"]))
    return places


def main():
    cqopt = sys.argv[1] if len(sys.argv) > 1 else HERE / "../build/cqopt"
    with tempfile.TemporaryDirectory() as folder:
        places = simulate(cqopt, f"{folder}/run")
    draw = random.Random(11)
    markers = [i * COUNT[1] + j for i, j in MARKERS]
    rest = [places[0.0][p] for p in markers]
    middle = [sum(x[a] for x in rest) / len(rest) for a in (0, 1)]

    def see(place):
        x, y = place[0] - middle[0], place[1] - middle[1]
        return (middle[0] + math.cos(TURN) * x - math.sin(TURN) * y + MOVE[0] + draw.gauss(0, NOISE),
                middle[1] + math.sin(TURN) * x + math.cos(TURN) * y + MOVE[1] + draw.gauss(0, NOISE))

    with open(HERE / "silicone_beam_markers.csv", "w") as out:
        out.write("# Where the markers are on the beam, by a ruler: no measurement, see silicone_beam_tracks.py\n")
        out.write("marker,x [m],y [m]\n")
        for k, (x, y) in enumerate(rest):
            out.write(f"{k + 1},{x + draw.gauss(0, RULER):.5f},{y + draw.gauss(0, RULER):.5f}\n")
    with open(HERE / "silicone_beam_tracks.csv", "w") as out:
        out.write("# Tracks of eight markers: no measurement, but a simulation with noise, see silicone_beam_tracks.py\n")
        out.write("time [s]," + ",".join(f"x{k + 1},y{k + 1}" for k in range(len(markers))) + "\n")
        for k in list(range(-10, 0)) + list(range(2, 29)):
            time = 0.01 * k  # by the clock of the tracks; the beam is free LATE before 0
            now = places[round(max(0.0, time + LATE), 6)] if k > 0 else places[0.0]
            numbers = [f"{number:.5f}" for p in markers for number in see(now[p])]
            out.write(f"{time:.2f}," + ",".join(numbers) + "\n")


if __name__ == "__main__":
    main()
