"""The package has the bits of the program: f, c, gradients, Jacobians, the record of a solve."""

import pytest
from conftest import same

import cqopt

PROBLEMS = {"velocity_2d": {"simulation.steps": 30}, "density_inference": {}, "finger": {},
            "arm_codesign": {}}


@pytest.mark.parametrize("name", PROBLEMS)
def test_evals(name, program, tmp_path):
    sets = {**PROBLEMS[name], "optimizer.max_evaluations": 2, "optimizer.seed": 1,
            "output.report": False}
    texts = cqopt._text.set_texts(sets)
    program("solve", name, *[f"--set={t}" for t in texts], "--threads=2", "--quiet",
            f"--output={tmp_path}/theirs", codes=(3, 4))
    theirs = cqopt.read_run(tmp_path / "theirs").evaluations
    assert len(theirs) >= 2 and theirs.has_gradient.any()
    with cqopt.load(name, sets) as problem:
        for i in range(len(theirs)):
            gradient = bool(theirs.has_gradient[i])
            mine = problem.evaluate(theirs.x[i], gradient=gradient)
            assert same(mine.f, theirs.f[i]) and same(mine.c, theirs.c[i])
            if gradient:
                assert same(mine.grad, theirs.grad[i]) and same(mine.jac, theirs.jac[i])
        found = problem.solve(tmp_path / "mine")
    assert found.exit_code in (3, 4)
    a, b = ((tmp_path / who / "evals.bin").read_bytes() for who in ("theirs", "mine"))
    assert a == b
