"""Every file of a run folder that the program leaves."""

import sys

import numpy as np
import pytest

import cqopt


@pytest.fixture
def folder(program, tmp_path):
    program("solve", "bounce", "--set=simulation.steps=40", "--set=optimizer.max_evaluations=3",
            "--set=output.adjoint=true", "--quiet", f"--output={tmp_path}/run", codes=(0, 3, 6))
    return tmp_path / "run"


def test_program_folder(folder):
    run = cqopt.read_run(folder)
    assert run.info["problem"] == "bounce" and run.exit_code in (0, 3, 6) and run.reason
    e, best = run.evaluations, run.info["best_evaluation"]
    assert e.f[e.index == best][0] == run.f
    assert np.array_equal(run.history["eval"], e.index) and np.allclose(run.history["f"], e.f)
    assert list(run.history["status"]) == ["OK"] * len(e)
    assert np.allclose(run.design["best"], e.x[e.index == best][0])
    assert "bounce" in run.problem_text and run.log and run.adjoint["step"].size == 41
    assert run.observations is None and run.starts is None
    with run.problem() as again:
        assert again.evaluate(e.x[0]).f == e.f[0]


def test_motion(folder):
    run = cqopt.read_run(folder)
    motion = run.motion
    take = motion.takes["best"]
    assert motion.bodies == ["ball"] and take.note == ""
    assert take.x.shape == (take.time.size, motion.particle.size, 2)
    with run.problem() as p, p.run() as r:
        best = run.evaluations.index == run.info["best_evaluation"]
        r.reset(run.evaluations.x[best][0])
        r.advance(p.steps)
        assert np.allclose(take.x[-1], r.field("x")[motion.particle, :2], atol=1e-4)
        speed = np.linalg.norm(r.field("v"), axis=1)[motion.particle]
        assert np.allclose(take.fields["speed"][-1], speed, atol=0.01 * speed.max() + 1e-3)
    assert motion.units["speed"] == "m/s"
    assert "speed: (" in repr(motion) and len(repr(run.evaluations)) < 500


def test_trajectory(folder):
    pytest.importorskip("h5py")
    run = cqopt.read_run(folder)
    t = run.trajectory
    assert t.bodies == ["ball"] and t.units["x"] == "m" and t.frames["x"].shape[2] == 3
    assert len(t.frames["x"]) == len(t.time) and t.step[-1] == 40


def test_pandas(folder):
    pytest.importorskip("pandas")
    table = cqopt.read_run(folder).to_pandas()
    assert list(table["eval"])[0] == 1


def test_torn_and_damaged(folder):
    path = folder / "evals.bin"
    data = path.read_bytes()
    whole = len(cqopt.read_run(folder).evaluations)
    path.write_bytes(data[:-5])
    assert len(cqopt.read_run(folder).evaluations) == whole - 1
    path.write_bytes(b"x" + data[1:])
    with pytest.raises(cqopt.FileError, match="no evals.bin"):
        cqopt.read_run(folder).evaluations
    motion = (folder / "motion.bin").read_bytes()
    (folder / "motion.bin").write_bytes(motion[:len(motion) // 2])
    with pytest.raises(cqopt.FileError, match="cut off"):
        cqopt.read_run(folder).motion
    with pytest.raises(cqopt.FileError, match="no run folder"):
        cqopt.read_run(folder / "nothing")


def test_a_fit(program, tmp_path):
    """gauss_newton records reduced residuals in place of gradients."""
    program("solve", "identify_material", "--quiet", f"--output={tmp_path}/run", codes=(0,))
    run = cqopt.read_run(tmp_path / "run")
    e = run.evaluations
    n, given = e.x.shape[1], e.reduced_cost > 0
    assert given.any() and not (given & e.has_gradient).any() and np.isnan(e.grad[given]).all()
    assert e.reduced.shape == (len(e), n, 1 + n) and np.isfinite(e.reduced[given]).all()
    assert np.isnan(e.reduced[~given]).all()
    q, slopes = e.reduced[given][0][:, 0], e.reduced[given][0][:, 1:]
    with run.problem() as p:  # f is the sum of q^2 and what no x changes to first order
        a = p.evaluate(e.x[given][0], gradient=True)
        assert a.f == e.f[given][0] and np.allclose(2 * q @ slopes, a.grad, rtol=1e-5)
    u = run.uncertainty
    assert np.allclose(u["value"], run.design["best"]) and (u["standard_error"] > 0).all()
    assert u["lower_95"][0] < u["value"][0] < u["upper_95"][0]


def test_residuals_of_values(program, tmp_path):
    """gauss_newton_broyden records residuals beside values."""
    program("solve", "bottle_flip", "--quiet", f"--output={tmp_path}/run", "--set=output.report=false",
            "--set=optimizer.max_evaluations=3", "--set=simulation.steps=20", codes=(3,))
    e = cqopt.read_run(tmp_path / "run").evaluations
    assert len(e) == 3 and np.isfinite(e.f).all() and np.isfinite(e.x).all()
    assert not e.has_gradient.any() and np.isnan(e.grad).all()
    assert e.reduced.shape == (3, 0, 0)


def test_without_residuals(folder):
    run = cqopt.read_run(folder)
    assert run.evaluations.reduced.shape == (len(run.evaluations), 0, 0)
    assert not run.evaluations.reduced_cost.any() and run.uncertainty is None


def test_earlier_versions(folder):
    """The versions before have no reduced residuals; the first of them has no parts."""
    path = folder / "evals.bin"
    now = cqopt.read_run(folder).evaluations
    for version in (2, 3):
        data = bytearray(path.read_bytes())
        data[8:12] = version.to_bytes(4, sys.byteorder)
        path.write_bytes(data)
        then = cqopt.read_run(folder).evaluations
        assert np.array_equal(then.x, now.x) and np.array_equal(then.f, now.f)


def test_python_folder(small, program, tmp_path):
    found = small.solve(tmp_path / "run", max_evaluations=3)
    run = cqopt.read_run(tmp_path / "run")
    assert (run.status, run.exit_code, run.f) == (found.status, found.exit_code, found.f)
    assert np.array_equal(run.design["best"], found.values)
    assert run.info["command"] == "cq_file_solve"  # of the library, written once
    assert "bounce" in program("show", tmp_path / "run", codes=range(8))
