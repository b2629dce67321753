"""What depth images cost beside the steps of an action: depth_images.csv, by make_depth.sh.

A bed of 1,008 grains that a blade pushes (bulldozing), in the published training step of 0.01 s; an
action is ten steps. Processor time of one thread, the least of PARTS parts in turns. An image is of
a state that was not looked at before, so that it has the copy of the state in it, too."""

import time

import numpy as np

import cqopt

PARTS, ACTIONS, HOLD = 40, 1, 10
CAMERAS = [(kind, wide, high) for kind in ("orthographic", "perspective")
           for wide, high in ((36, 36), (72, 36), (320, 120))]


def camera(number, kind, wide, high):
    aim = ("eye = [0.6, 0.6, 0.1]; at = [0.6, 0, 0.1]; up = [0, 0, -1]; width = 1.2"
           if kind == "orthographic" else
           "eye = [0, 0.5, 0.1]; at = [0.6, 0, 0.1]; fov = 1.57; near = 0.05")
    return f'{{ name = "c{number}"; kind = "{kind}"; size = [{wide}, {high}]; {aim}; far = 2; }}'


def main():
    cameras = ", ".join(camera(i, *c) for i, c in enumerate(CAMERAS))
    sets = {"bodies.[0].grain_radius": 0.0137, "bodies.[0].count": [12, 14, 6],
            "simulation.time_step": 0.01, "simulation.steps": HOLD * ACTIONS * PARTS,
            "cameras": f"({cameras})"}
    draw = np.random.default_rng(1)
    with cqopt.load("bulldozing", sets, threads=1) as problem, problem.run() as run:
        run.reset()
        images = {name: np.zeros(q.shape) for name, q in run.images.items()}
        spent = {"steps": [], **{name: [] for name in images}}
        for _ in range(PARTS):
            parts = dict.fromkeys(spent, 0.0)
            for _ in range(ACTIONS):
                begun = time.process_time()
                run.advance(HOLD, draw.uniform([0, -0.02], [0.3, 0.02]))
                parts["steps"] += time.process_time() - begun
                for name, image in images.items():
                    run.advance(0)  # forgets the copy of the state
                    begun = time.process_time()
                    run.look(name, image)
                    parts[name] += time.process_time() - begun
            for name, seconds in parts.items():
                spent[name].append(1e6 * seconds / ACTIONS)
        action = min(spent["steps"])
        print("kind,wide,high,grains,us,ns_per_grain,action_us,share_of_action,share_of_step")
        for (kind, wide, high), name in zip(CAMERAS, images):
            us = min(spent[name])
            print(f"{kind},{wide},{high},{problem.particles},{us:.1f},"
                  f"{1e3 * us / problem.particles:.1f},{action:.0f},{us / action:.4f},{HOLD * us / action:.3f}")


main()
