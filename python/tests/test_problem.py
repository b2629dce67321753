"""What a problem file says, and its evaluations."""

import numpy as np
import pytest
from conftest import same

import cqopt
from cqopt._text import set_texts, value_text


def test_values_as_text():
    assert value_text(True) == "true" and value_text(3) == "3" and value_text(0.1) == "0.1"
    assert value_text("5 MiB") == '"5 MiB"' and value_text('a"b') == '"a\\"b"'
    assert value_text([1, 2]) == "[1, 2]" and value_text(np.array([1.0, 2])) == "[1.0, 2.0]"
    assert value_text([1, 2.5]) == "[1.0, 2.5]" and value_text(None) == "unset"
    assert value_text([{"term": "mass", "weight": 2}]) == '( { term = "mass"; weight = 2; } )'
    assert value_text("( 1 )") == "( 1 )"
    assert set_texts("a.b=1") == ["a.b=1"] and set_texts({"a.b": None}) == ["a.b=unset"]


def test_what_a_file_says():
    with cqopt.load("density_inference") as p:
        assert (p.name, p.dimension, p.steps, p.variables) == ("density_inference", 2, 400, 1)
        assert p.labels == ["A.density"] and p.units == ["kg/m^2"] and p.gradient == "exact"
        assert p.lower[0] == 1 and p.upper[0] == 6 and p.start[0] == 1 and p.scale[0] == 5
        assert [f.label for f in p.functions] and p.blocks[0].variable == "density"
        assert p.get("simulation.steps") == "400" and "materials" in p.resolved
        assert "3200" in p.describe()
        p.start = [2.5]
        assert p.start[0] == 2.5
        with p.with_sets({"simulation.steps": 10}) as other:
            assert other.steps == 10 and other.start[0] == 2.5


def test_no_bounds(finger):
    assert (finger.lower == -np.inf).all() and (finger.upper == np.inf).all()


def test_transforms():
    design = [{"variable": "youngs_modulus", "body": "ball", "transform": "log", "lower": 1,
               "upper": 11}]
    with cqopt.load("bounce", {"design": design, "simulation.steps": 5}) as p:
        values = p.to_values(p.start)
        assert np.allclose(p.from_values(values), p.start)
        assert not np.allclose(values, p.start)
        assert np.allclose(p.to_values(p.lower), 1) and np.allclose(p.to_values(p.upper), 11)


def test_text_and_builtins(small):
    assert "walker_2d" in cqopt.builtins()
    with cqopt.parse(small.resolved, "mine") as again:
        assert same(again.evaluate().f, small.evaluate().f)


def test_evaluations(small):
    value, slope = small.evaluate(), small.evaluate(gradient=True)
    assert value.grad is None and same(value.f, slope.f) and slope.grad.shape == (2,)
    assert np.isclose(value.terms.sum(), value.f)
    x = small.start + 0.1 * np.arange(6).reshape(3, 2)
    for gradient in (False, True):
        for row, many in zip(x, small.evaluate_many(x, gradient=gradient)):
            one = small.evaluate(row, gradient=gradient)
            assert same(one.f, many.f) and many.status == "OK"
            assert not gradient or same(one.grad, many.grad)
    assert max(small.gradcheck().values()) < 1e-6


def test_constraints():
    constraints = [{"term": "distance", "body": "ball", "target": [0.5, 0.5], "upper": 0.1},
                   {"term": "mass", "lower": 0.0}]
    with cqopt.load("bounce", {"constraints": constraints, "simulation.steps": 20}) as p:
        a = p.evaluate(gradient=True)
        assert p.inequalities == 2 and a.c.shape == (2,) and a.jac.shape == (2, 2)
        assert [f.relation for f in p.functions] == [None, "<=", ">="]
        h = 1e-5
        moved = [p.evaluate(p.start + s * np.array([h, 0])).c for s in (1, -1)]
        assert np.allclose((moved[0] - moved[1]) / (2 * h), a.jac[:, 0], rtol=1e-4, atol=1e-8)


def test_a_design_that_fails(small):
    with pytest.raises(cqopt.SimulationError) as failed:
        small.evaluate([1e9, 0])
    assert failed.value.exit_code == 5
    good, bad = small.evaluate_many([small.start, [1e9, 0]])
    assert good.status == "OK" and bad.status == failed.value.status and np.isnan(bad.f)
    assert good.reason == "" and bad.reason == str(failed.value)
    assert same(small.evaluate().f, good.f)


def test_smaller_steps(small):
    coarse, fine = small.evaluate(), small.evaluate(level=1)
    with small.with_sets({"simulation.time_step": small.time_step / 2,
                          "simulation.steps": 2 * small.steps}) as p:
        assert np.isclose(p.evaluate().f, fine.f) and coarse.f != fine.f
    assert (coarse.refinement, fine.refinement, fine.terms.size) == (0, 1, 0)
    with pytest.raises(cqopt.UsageError):
        small.evaluate(gradient=True, level=1)


def test_samples_of_a_batch():
    """They follow from the number of the evaluation."""
    sets = {"simulation.steps": 20, "scenarios.combine": "batch", "scenarios.batch": 1}
    with cqopt.load("finger_random", sets) as p:
        f = [p.evaluate(evaluation=k).f for k in (1, 2, 3, 4)]
        assert len(set(f)) > 1 and same(p.evaluate(evaluation=3).f, f[2])
        assert same(p.evaluate().f, f[0])


def test_retry():
    """A design that fails in the steps of the file and succeeds in smaller ones."""
    with cqopt.load("bounce", {"simulation.steps": 40, "simulation.time_step": 0.015,
                                "simulation.allow_unstable": True}) as p:
        with pytest.raises(cqopt.SimulationError):
            p.evaluate()
        assert p.evaluate(retry=True).refinement > 0


def test_simulate(small, tmp_path):
    small.simulate(tmp_path / "run", trajectory=False)
    seen = cqopt.read_run(tmp_path / "run").observations
    assert len(next(iter(seen.values()))) == small.steps + 1
