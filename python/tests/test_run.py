"""Runs step by step, and their gradients against differences."""

import numpy as np
import pytest
from conftest import same

STATES = [20, 45, 60]
WEIGHTS = {"tip.position": np.array([[1, 0.5], [-0.3, 2], [0.7, 1]]),
           "tip.velocity": np.array([[0.1, -0.2], [0, 0.1], [0.3, 0.2]])}
K = np.arange(STATES[-1])
CONTROLS = np.stack([1 + np.sin(0.3 * K), 0.5 * np.cos(0.2 * K)], axis=1)


def loss(run):
    return sum(float((w * run.observe(name, STATES)).sum()) for name, w in WEIGHTS.items())


def loss_at(run, name, d, t):
    """L where an input or the controls are moved by t d."""
    u = CONTROLS + (t * d if name == "controls" else 0)
    run.reset()
    if name != "controls":
        run.write(name, run.input(name) + t * d)
    run.advance(STATES[-1], u)
    return loss(run)


@pytest.mark.parametrize("name, step", [("controls", 1e-4), ("youngs_modulus", 1e-3), ("v", 1e-5)])
def test_pull_against_differences(finger, name, step):
    with finger.run(keep=True) as run:
        shape = CONTROLS.shape if name == "controls" else run.inputs[name].shape
        d = (np.sin(0.37 * np.arange(np.prod(shape))) + 0.2).reshape(shape)
        loss_at(run, name, d, 0.0)
        for observable, w in WEIGHTS.items():
            run.seed(observable, w, STATES)
        run.pull()
        g = run.gradient(name)
        slope = float((g * d).sum())
        difference = (loss_at(run, name, d, step) - loss_at(run, name, d, -step)) / (2 * step)
        assert g.any() and abs(slope - difference) < 1e-6 * (abs(slope) + abs(difference))


def test_lists(finger):
    with finger.run() as run:
        assert run.observables["tip.position"].shape == (2,)
        assert run.observables["tip.position"].unit == "m"
        assert run.fields["x"].shape == (finger.particles, 3)
        assert run.inputs["youngs_modulus"].shape == (finger.particles,)
        assert [(c.lower, c.upper) for c in run.controls] == [(-4, 4), (-4, 4)]
        run.reset()
        x = run.field("x")
        assert run.field("x", out=x) is x
        assert np.allclose(x[:, :2].mean(axis=0), run.observe("*.position"))


def test_steps_in_parts_have_the_same_bits(finger):
    with finger.run() as whole, finger.run() as parts:
        whole.reset()
        parts.reset()
        assert whole.advance(60, CONTROLS) == 60
        for at in range(0, 30, 10):
            parts.advance(10, CONTROLS[at:at + 10])
        saved = parts.save()
        with finger.run() as later:
            later.load(saved)
            later.advance(30, CONTROLS[30:])
            assert same(later.field("x"), whole.field("x"))
        assert same(parts.read_controls(7), CONTROLS[7])
        assert same(parts.observe("tip.position", -11), parts.observe("tip.position", 20))


def test_earned(finger):
    x = finger.start + 0.1 * np.sin(np.arange(finger.variables))
    a = finger.evaluate(x, gradient=True)
    with finger.run(keep=True) as run:
        run.reset(x)
        sum_ = 0
        for since in [-1, *range(30, 150, 30)]:
            run.advance(30)
            sum_ += run.earned(since)
        assert np.allclose(sum_, a.terms, rtol=1e-13)
        run.seed_earned(0)
        run.pull()
        assert np.allclose(run.gradient("design"), a.grad, rtol=1e-11, atol=1e-12)
