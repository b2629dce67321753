"""The package has the bits of the program: f, c, gradients, Jacobians, the record of a solve."""

import pytest
from conftest import same

import cqopt

PROBLEMS = {name: {"simulation.steps": steps} for name, steps in
            {"velocity_2d": 30, "density_inference": 400, "finger": 60, "arm_codesign": 100}.items()}


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


def test_resume(small, tmp_path):
    """A solve that was cut off goes on as if it had not been."""
    seen = []
    whole = small.solve(tmp_path / "whole", max_evaluations=6)
    assert small.solve(tmp_path / "cut", max_evaluations=2).status == "BUDGET"
    found = small.solve(tmp_path / "cut", resume=True, max_evaluations=6, callback=seen.append)
    assert (found.status, found.replayed, whole.replayed) == (whole.status, 2, 0)
    assert [r.replayed for r in seen if r.index <= 2] == [True] * sum(r.index <= 2 for r in seen)
    assert not seen[-1].replayed and same(found.values, whole.values)
    a, b = ((tmp_path / who / "evals.bin").read_bytes() for who in ("whole", "cut"))
    assert a == b
    assert cqopt.read_run(tmp_path / "cut").info["replayed"] == 2


def test_resume_of_the_program(small, program, tmp_path):
    """Folders of the program go on here, and those from here there, with --allow-diverge."""
    sets = ["--set=simulation.steps=40", "--set=optimizer.max_evaluations=2", "--threads=1"]
    program("solve", "bounce", *sets, "--quiet", f"--output={tmp_path}/run", codes=(3,))
    assert small.solve(tmp_path / "run", resume=True, max_evaluations=4).replayed >= 2
    more = ["--set=optimizer.max_evaluations=9", "--quiet", "--threads=1"]
    small.solve(tmp_path / "mine", max_evaluations=2)
    assert "build" in program("solve", "--resume", tmp_path / "mine", *more, codes=(1,))
    program("solve", "--resume", tmp_path / "mine", "--allow-diverge", *more, codes=range(8))
    assert len(cqopt.read_run(tmp_path / "mine").evaluations) > 2


def test_what_cannot_be_resumed(small, finger, tmp_path):
    small.solve(tmp_path / "run", max_evaluations=2)
    with small.with_sets({"simulation.steps": 41}) as other:
        with pytest.raises(cqopt.ConfigError):
            other.solve(tmp_path / "run", resume=True)
    with pytest.raises(cqopt.ConfigError):
        small.solve(tmp_path / "run", resume=True, name="adam")
    diverged = small.solve(tmp_path / "run", resume=True, diverge=True, name="adam",
                           max_evaluations=4)
    assert diverged.evaluations > 2 and len(cqopt.read_run(tmp_path / "run").evaluations) > 2
    with pytest.raises(cqopt.UsageError, match="resume=True"):
        small.solve(tmp_path / "run", diverge=True)
    with pytest.raises(cqopt.FileError):
        small.solve(tmp_path / "nothing", resume=True)
    last = cqopt.Term({"tip.position": -1}, value=lambda z: float(z["tip.position"][0, 0] ** 2),
                      gradient=lambda z: {"tip.position": 2 * z["tip.position"] * [1, 0]})
    finger.solve(tmp_path / "own", objective=last, max_evaluations=1)
    with pytest.raises(cqopt.UsageError, match="of your own"):
        finger.solve(tmp_path / "own", objective=last, resume=True)
    with pytest.raises(cqopt.FileError, match="which problem"):
        finger.solve(tmp_path / "own", resume=True)
