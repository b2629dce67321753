"""What excavations cost with the published number of grains and the published step: grain_sizes.csv,
by make_grain_sizes.sh. Processor time of one thread; a run ends after so many seconds of it."""

import sys
import time

import cqopt

STEP, STEPS, PART = 5e-4, 4800, 100
ARM = {"bodies.[0].grain_radius": 0.0036, "bodies.[0].count": [57, 24, 36],
       "controller.hold": STEPS // 5}
SIZES = {"excavation": {"bodies.[0].grain_radius": 0.0054, "bodies.[0].count": [92, 37, 15]},
         "excavation_arm": ARM, "excavation_panda": ARM}


def cost(name, sets, limit):
    sets = {**sets, "simulation.time_step": STEP, "simulation.steps": STEPS}
    with cqopt.load(name, sets, threads=1) as problem, problem.run() as run:
        run.reset()
        done, begun = 0, time.process_time()
        while done < STEPS and time.process_time() - begun < limit:
            run.advance(PART)
            done += PART
        spent = time.process_time() - begun
    print(f"{name},{problem.particles},{done},{spent:.1f},{1e3 * spent / done:.1f}", flush=True)


print("task,particles,steps,seconds,ms_a_step")
for task, settings in SIZES.items():
    cost(task, settings, float(sys.argv[1]))
