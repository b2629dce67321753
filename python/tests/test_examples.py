"""The examples run, and come to what they are to show. CQOPT_EXAMPLES: their folder."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest

# name: what it needs, its arguments, and what it says at the end
EXAMPLES = {
    "first_run": ([], [], r"f = 0\.00\d+ at .* after 30 evaluations"),
    "own_objective": ([], [], r"the tip is at x = 0\.56\d m"),
    "identification": ([], [], r"youngs_modulus: (7\.9|8\.0)\d* Pa, is 8"),
    "environment": (["gymnasium"], [], r"feedback True: tip at .*\n\d+ steps of random targets"),
    "torch_controller": (["torch"], ["3"], r"episode   3: head at 0\.\d+ m"),
    "jax_gradient": (["jax"], [], r"velocity_2d: 0\.011\d+ at "),
    "scipy_optimize": (["scipy"], [], r"bounce by SLSQP: f = 0\.0\d+ .*success"),
    "pycma": (["cma"], [], r"checked: \d\.\d+e-0[5-9]"),
    "optuna_study": (["optuna"], [], r"10 trials before, 20 now: best f = 0\.0"),
}


@pytest.fixture
def folder():
    path = os.environ.get("CQOPT_EXAMPLES")
    if not path:
        pytest.skip("CQOPT_EXAMPLES is not set")
    return path


def test_none_is_left_out(folder):
    assert {f[:-3] for f in os.listdir(folder) if f.endswith(".py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, folder, tmp_path):
    needs, arguments, says = EXAMPLES[name]
    for module in needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    done = subprocess.run([sys.executable, os.path.join(folder, f"{name}.py"), *arguments],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(says, done.stdout), done.stdout
