"""What the tests share. CQOPT_PROGRAM: the program, whose bits are compared; CQOPT_HEADERS: the
folder of cqopt/*.h. Without them what needs them is skipped."""

import os
import subprocess

import numpy as np
import pytest

import cqopt


@pytest.fixture
def program():
    """Calls the program: its output; its exit code is checked."""
    path = os.environ.get("CQOPT_PROGRAM")
    if not path:
        pytest.skip("CQOPT_PROGRAM is not set")

    def call(*arguments, codes=(0,)):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode in codes, done.stdout + done.stderr
        return done.stdout + done.stderr

    return call


@pytest.fixture
def finger():
    with cqopt.load("finger", threads=1) as problem:
        yield problem


@pytest.fixture
def small():
    """Few particles and steps: for what is not about a simulation."""
    with cqopt.load("bounce", {"simulation.steps": 40}, threads=1) as problem:
        yield problem


def same(a, b):
    """The same bits, NaN and signs of zeros too."""
    return np.asarray(a, float).tobytes() == np.asarray(b, float).tobytes()
