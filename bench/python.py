#!/usr/bin/env python3
"""What Python costs beside the program and beside calls of the library.

    bench/python.py build/cqopt           # with the package cqopt and gymnasium installed
    bench/python.py build/cqopt --quick   # seconds, for a test: its numbers mean nothing

An evaluation with its gradient of density_inference, on one thread: the least of five in turns, of
the program (eval_seconds of its history.csv) and from Python; and what Problem.evaluate adds to the
call cq_file_evaluate, the median difference of pairs on a problem of few steps. An action of the
finger's environment beside the call cq_run_advance with the same controls: the same. Steps of
environments in a second, with two workers."""

import ctypes as C
import subprocess
import sys
import tempfile
import time

import gymnasium
import numpy as np

import cqopt
import cqopt.gym
from cqopt._lib import lib

PROGRAM, QUICK = sys.argv[1], sys.argv[2:] == ["--quick"]
TURNS, PAIRS, SECONDS = (1, 20, 0.1) if QUICK else (5, 3000, 3.0)
FEW = ["simulation.steps=20"] if QUICK else []


def by_program(folder):
    subprocess.run([PROGRAM, "solve", "density_inference", "--set=optimizer.max_evaluations=6",
                    *(f"--set={text}" for text in FEW), "--set=output.report=false", "--threads=1",
                    "--quiet", "--output", folder], capture_output=True)
    history = cqopt.read_run(folder).history
    # both at once: a gradient that is asked for after its value finds the forward run done
    whole = (history["kind"] == "fg") & (np.diff(history["eval"], prepend=0) > 0)
    return float(history["eval_seconds"][whole].min())


def by_python(problem):
    """The least of six, as the program makes: the first one is where memory is new. Each is at
    another x, or its forward run would be done."""
    times = []
    for k in range(6):
        x = problem.start * (1 - 1e-6 * k)
        begun = time.perf_counter()
        problem.evaluate(x, gradient=True)
        times.append(time.perf_counter() - begun)
    return min(times)


def evaluations():
    theirs, mine = [], []
    with tempfile.TemporaryDirectory() as work:
        for turn in range(TURNS):
            theirs.append(by_program(f"{work}/{turn}"))
            with cqopt.load("density_inference", FEW, threads=1) as problem:
                mine.append(by_python(problem))
    print(f"density_inference, value and gradient: program {min(theirs):.4f} s, Python "
          f"{min(mine):.4f} s, {100 * (min(mine) / min(theirs) - 1):+.1f} %")


def added():
    """On a busy machine the two above say little; this is what can differ."""
    problem = cqopt.load("bounce", {"simulation.steps": 2}, threads=1)
    e, answer = problem._answer(True, 0)
    place, differences = C.byref(answer), []
    for _ in range(PAIRS):
        begun = time.perf_counter()
        problem.evaluate(gradient=True)
        middle = time.perf_counter()
        lib.cq_file_evaluate(problem._file, None, 0, place)
        differences.append((middle - begun) - (time.perf_counter() - middle))
    print(f"evaluate adds {1e6 * np.median(differences):.1f} us to cq_file_evaluate")


def action(sets, label):
    env = gymnasium.make("cqopt/Finger-v0", sets=sets).unwrapped
    run = cqopt.load("finger", sets, threads=1).run()
    u = np.array([0.5, -0.5])
    act, place = u.astype(np.float32), u.ctypes.data
    differences, calls = [], []
    for k in range(PAIRS):
        if k % 100 == 0:
            env.reset(seed=1)
            run.reset()
        begun = time.perf_counter()
        env.step(act)
        middle = time.perf_counter()
        lib.cq_run_advance(run._run, 1, place, 2)
        end = time.perf_counter()
        differences.append((middle - begun) - (end - middle))
        calls.append(end - middle)
    print(f"an action of {label}: call {1e6 * np.median(calls):.1f} us, the environment "
          f"{1e6 * np.median(differences):+.1f} us")


def steps_a_second(num_envs):
    many = gymnasium.make_vec("cqopt/Finger-v0", num_envs=num_envs, workers=2,
                              vectorization_mode="vector_entry_point")
    many.reset(seed=1)
    actions, steps, begun = many.action_space.sample(), 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        many.step(actions)
        steps += num_envs
    print(f"cqopt/Finger-v0, {num_envs} side by side, 2 workers: "
          f"{steps / (time.perf_counter() - begun):.0f} steps a second")
    many.close()


evaluations()
added()
action({}, "the finger")
action({f"bodies.[{i}].count": 4 for i in range(3)}, "a finger of 48 particles")
for count in (1, 2, 8):
    steps_a_second(count)
