"""Functions of one's own, and objectives of what is observed."""

import numpy as np
import pytest

import cqopt

TARGET = np.array([0.6, 0.6])  # which the controller of the file reads, too


def bowl(x, gradient):
    """Least x0^2 + x1^2 at or above a parabola."""
    f, c = float(x @ x), [1 + x[0] ** 2 - x[0] - x[1]]
    return (f, c, 2 * x, [[2 * x[0] - 1, -1]]) if gradient else (f, c)


def test_minimise():
    seen = []
    r = cqopt.minimise(bowl, [3, 3], lower=-5, upper=5, inequalities=1, name="slsqp",
                       callback=seen.append)
    assert r.status == "OK" and r.verified and np.allclose(r.x, [0.305855, 0.787693], atol=1e-5)
    assert len(seen) >= r.evaluations and seen[0].jac.shape == (1, 2)


def test_without_gradient_and_with_failures():
    def f(x, gradient):
        if x[0] < 0:
            raise cqopt.SimulationError("too far", "NONFINITE", 5)
        return (x[0] - 1) ** 2
    r = cqopt.minimise(f, [3.0], lower=-5, upper=5, gradient=False, name="LN_COBYLA",
                       max_evaluations=100)
    assert abs(r.x[0] - 1) < 1e-3


def test_progress(small, capfd):
    small.solve(max_evaluations=3, progress=True)
    small.solve(max_evaluations=3)  # no terminal
    lines = capfd.readouterr().err.splitlines()
    assert lines[0].split() == ["eval", "objective", "violation", "best", "elapsed"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3"]


def test_wrong_functions():
    with pytest.raises(ZeroDivisionError):
        cqopt.minimise(lambda x, g: 1 / 0, [1.0])
    with pytest.raises(cqopt.UsageError, match="returned 1 values, not 2"):
        cqopt.minimise(lambda x, g: 1.0, [1.0], name="slsqp")
    with pytest.raises(cqopt.UsageError, match="grad has the shape"):
        cqopt.minimise(lambda x, g: (1.0, [1, 2, 3]), [1.0], name="slsqp")


def far(weight=1.0):
    return cqopt.Term({"tip.position": -1}, weight=weight,
                      value=lambda z: float(((z["tip.position"] - TARGET) ** 2).sum()),
                      gradient=lambda z: {"tip.position": 2 * (z["tip.position"] - TARGET)})


def test_a_term_is_that_of_the_file(finger):
    """The same objective in Python and in the file: the same evaluations, up to rounding."""
    objective = [{"term": "distance", "body": "tip", "target": list(TARGET), "squared": True}]
    with finger.with_sets({"objective": objective}) as theirs:
        a, b = [], []
        theirs.solve(max_evaluations=3, callback=a.append)
        finger.solve(objective=far(), max_evaluations=3, callback=b.append)
    assert len(a) == len(b)
    for mine, other in zip(a, b):
        assert np.isclose(mine.f, other.f, rtol=1e-9)
        assert np.allclose(mine.grad, other.grad, rtol=1e-7, atol=1e-12)


def test_an_engine_without_gradient():
    level = cqopt.Term({"*.unevenness": -1}, value=lambda z: float(z["*.unevenness"][0, 0]),
                       gradient=lambda z: {"*.unevenness": [[1.0]]})
    with cqopt.load("bulldozing", {"simulation.steps": 10}) as p:
        assert p.gradient != "exact"
        with pytest.raises(cqopt.ConfigError, match="gradient"):
            p.solve(objective=level, name="slsqp", max_evaluations=3)
        assert p.solve(objective=level, name="LN_COBYLA", max_evaluations=3).evaluations == 3


def test_constraints_and_folder(finger, program, tmp_path):
    slow = cqopt.Term({"tip.velocity": "all"}, relation="<=", bound=1e-3,
                      value=lambda z: float((z["tip.velocity"] ** 2).mean()),
                      gradient=lambda z: {"tip.velocity": 2 * z["tip.velocity"]
                                          / z["tip.velocity"].size})
    with finger.with_sets({"simulation.steps": 40}) as p:
        r = p.solve(tmp_path / "run", objective=[far(2.0)], constraints=slow, name="slsqp",
                    max_evaluations=3)
        with pytest.raises(cqopt.FileError, match="give a new folder"):
            p.solve(tmp_path / "run", objective=far(), max_evaluations=1)
        assert "finger" in program("show", tmp_path / "run", codes=range(8))
        run = cqopt.read_run(tmp_path / "run")
        e = run.evaluations
        assert run.status == r.status and e.jac.shape[1:] == (1, 30) and e.x.shape[1] == 30
        d = np.sin(np.arange(30.0))
        last = int(np.flatnonzero(e.has_gradient)[-1])
        x, h = e.x[last], 1e-5
        from cqopt.terms import _Functions
        functions = _Functions(p, [far(2.0)], [slow])
        up, down = functions(x + h * d, False), functions(x - h * d, False)
        assert np.isclose((up[0] - down[0]) / (2 * h), e.grad[last] @ d, rtol=1e-5)
        assert np.isclose((up[1] - down[1])[0] / (2 * h), e.jac[last, 0] @ d, rtol=1e-5)
