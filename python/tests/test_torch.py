"""torch: gradients by autograd against differences. Skipped where torch is not installed."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import cqopt  # noqa: E402
import cqopt.torch as ct  # noqa: E402

gradcheck = torch.autograd.gradcheck
STATES = [5, 12, 20]


@pytest.fixture
def short():
    with cqopt.load("finger", {"simulation.steps": 20, "bodies.[0].count": 8,
                               "bodies.[1].count": 8, "bodies.[2].count": 8}, threads=1) as p:
        yield p


def test_evaluate(small):
    x = torch.tensor(small.start + 0.1, requires_grad=True)
    f, c = ct.evaluate(small, x)
    a = small.evaluate(x.detach().numpy(), gradient=True)
    f.backward()
    assert f.item() == a.f and np.array_equal(x.grad.numpy(), a.grad) and c.shape == (0,)
    assert gradcheck(lambda v: ct.evaluate(small, v)[0], x, eps=1e-5, atol=1e-6, rtol=1e-5)


def test_jacobian():
    sets = {"constraints": [{"term": "mean_position", "body": "ball", "direction": "x",
                             "upper": 1.0}], "simulation.steps": 20}
    with cqopt.load("bounce", sets, threads=1) as p:
        x = torch.tensor(p.start + 0.1, requires_grad=True)
        assert gradcheck(lambda v: ct.evaluate(p, v), x, eps=1e-5, atol=1e-6, rtol=1e-5)


def test_a_whole_run(short):
    """Controls, Young's modulus and initial velocities, through observables at three states."""
    sim = ct.Simulation(short, {"tip.position": STATES, "tip.velocity": [-1]})
    k = np.arange(20)
    u = torch.tensor(np.stack([1 + np.sin(k), np.cos(k)], 1), requires_grad=True)
    with short.run() as run:
        run.reset()
        e = torch.tensor(run.input("youngs_modulus"), requires_grad=True)
        v = torch.tensor(run.input("v"), requires_grad=True)

    def seen(u, e, v):
        z = sim(controls=u, inputs={"youngs_modulus": e, "v": v})
        return torch.cat([z["tip.position"].flatten(), z["tip.velocity"].flatten()])
    assert gradcheck(seen, (u, e, v), eps=1e-4, atol=1e-6, rtol=1e-4, fast_mode=True)
    held = torch.tensor([1.0, -0.5], dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda u: sim(controls=u)["tip.position"], held, eps=1e-4, atol=1e-6)


def test_by_design(short):
    sim = ct.Simulation(short, {"tip.position": [-1]})
    x = torch.tensor(short.start, requires_grad=True)
    f = ((sim(x=x)["tip.position"][0] - torch.tensor([0.6, 0.6])) ** 2).sum()
    f.backward()
    a = short.evaluate(gradient=True)
    assert np.isclose(f.item(), a.f, rtol=1e-12) and np.allclose(x.grad.numpy(), a.grad, rtol=1e-9)


def test_a_network_in_the_loop(short):
    """dL by the weights of a network that reads what it observes, against differences."""
    torch.manual_seed(1)
    roll = ct.Rollout(short, ["tip.position", "tip.velocity"], hold=3, dtype=torch.float64)
    policy = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Tanh(), torch.nn.Linear(5, 2),
                                 torch.nn.Tanh()).double()
    weights = list(policy.parameters())

    def loss(*unused):
        z, total = roll.reset(), 0.0
        for _ in range(roll.actions):
            z = roll.step(2 * policy(z))
            total = total + z[1] * z[2]
        return total + ((z[:2] - 0.3) ** 2).sum()
    assert roll.actions == 7
    total = loss()
    total.backward()
    direction = [torch.randn_like(w) for w in weights]
    slope = sum((w.grad * d).sum() for w, d in zip(weights, direction)).item()
    ends = []
    h = 1e-5
    for sign in (1, -1):
        with torch.no_grad():
            for w, d in zip(weights, direction):
                w.add_(d, alpha=sign * h)
            ends.append(loss().item())
            for w, d in zip(weights, direction):
                w.add_(d, alpha=-sign * h)
    assert np.isclose(slope, (ends[0] - ends[1]) / (2 * h), rtol=1e-5)
    with pytest.raises(cqopt.UsageError, match="before the next reset"):
        total = loss()
        roll.reset()
        total.backward()


def test_errors(small):
    with pytest.raises(cqopt.SimulationError):
        ct.evaluate(small, torch.tensor([1e9, 0.0], dtype=torch.float64))
    sim = ct.Simulation(small, {"ball.position": [-1]})
    x = torch.tensor(small.start, requires_grad=True)
    with pytest.raises(cqopt.UsageError, match="not both"):
        sim(x=x, inputs={"v": x})


def test_two_forwards_alive(small):
    sim = ct.Simulation(small, {"ball.position": [-1]})
    a, b = (torch.tensor(small.start + d, requires_grad=True) for d in (0.0, 0.3))
    (sim(x=a)["ball.position"] * sim(x=b)["ball.position"]).sum().backward()
    za, zb = sim(x=a)["ball.position"].detach(), sim(x=b)["ball.position"].detach()
    alone = []
    for x, other in ((a, zb), (b, za)):
        y = x.detach().clone().requires_grad_()
        (sim(x=y)["ball.position"] * other).sum().backward()
        alone.append(y.grad)
    assert np.allclose(a.grad, alone[0], rtol=1e-12) and np.allclose(b.grad, alone[1], rtol=1e-12)
