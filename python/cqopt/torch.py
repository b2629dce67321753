"""torch: evaluations and runs as functions that autograd goes back through.

Needs torch. Tensors are on the CPU; what is not double is converted on the way in, and gradients
have the type of what they are by."""

from __future__ import annotations

import warnings
from typing import Any, Mapping, Optional, Sequence

import numpy as np
import torch

from .errors import UsageError
from .problem import Problem

_warned: set[str] = set()


def _warn_once(problem: Problem) -> None:
    """A gradient that is not one of the function is said once a problem."""
    if problem.gradient == "heuristic" and problem.name not in _warned:
        _warned.add(problem.name)
        warnings.warn(f"the gradient of {problem.name} is heuristic: a direction, not a derivative",
                      stacklevel=3)


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().to(torch.float64).cpu().numpy()


class _Evaluate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, problem: Problem) -> tuple[torch.Tensor, torch.Tensor]:
        wanted = x.requires_grad
        a = problem.evaluate(_array(x), gradient=wanted)
        if wanted:
            ctx.save_for_backward(torch.from_numpy(a.grad), torch.from_numpy(a.jac))
        return x.new_tensor(a.f), x.new_tensor(a.c)

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[Optional[torch.Tensor], None]:
        grad, jac = ctx.saved_tensors
        df, dc = slopes
        total = df.double() * grad + dc.double() @ jac
        return total.to(df.dtype), None


def evaluate(problem: Problem, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """f (a scalar) and c [constraints] of the file at x [variables].

    Where x requires a gradient, this is made with the evaluation. SimulationError where the
    simulation of this design fails."""
    _warn_once(problem)
    return _Evaluate.apply(x, problem)


States = Sequence[int]


class Simulation:
    """A whole run of a problem as a differentiable function.

        sim = cqopt.torch.Simulation(p, {"tip.position": [20, 40, 60]})
        z = sim(controls=u, inputs={"youngs_modulus": e})
        loss(z["tip.position"]).backward()

    observe: {observable: states}, negative states from the end of the run. Called with tensors of
    controls ([steps, controls], or [controls] which are held; None: the controller of the file), of
    inputs by name in their shapes, and of the design x [variables]; x and inputs do not go
    together. steps: how many are made (None: all of the file). Returns {observable: [states, k]}.

    Backward is seeds and one pull of the run that the forward has made; where another forward has
    come between, the run is made again first."""

    def __init__(self, problem: Problem, observe: Mapping[str, States],
                 steps: Optional[int] = None) -> None:
        _warn_once(problem)
        self.problem, self.run = problem, problem.run(keep=True)
        self.steps = problem.steps if steps is None else steps
        self.observe = {name: [s if s >= 0 else self.steps + 1 + s for s in states]
                        for name, states in observe.items()}
        self.forwards = 0

    def __call__(self, controls: Optional[torch.Tensor] = None,
                 inputs: Optional[Mapping[str, torch.Tensor]] = None,
                 x: Optional[torch.Tensor] = None) -> dict[str, torch.Tensor]:
        given = dict(inputs or {})
        if x is not None and given:
            raise UsageError("give a design x or inputs, not both", "USAGE", 1)
        names = [name for name, value in (("controls", controls), ("design", x))
                 if value is not None] + list(given)
        tensors = [t for t in (controls, x) if t is not None] + list(given.values())
        seen = _Simulate.apply(self, names, *tensors)
        return dict(zip(self.observe, seen))

    def _forward(self, values: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        run = self.run
        self.forwards += 1
        run.reset(values.get("design"))
        for name, value in values.items():
            if name not in ("controls", "design"):
                run.write(name, value)
        run.advance(self.steps, values.get("controls"))
        return [run.observe(name, states) for name, states in self.observe.items()]


class _Simulate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, sim: Simulation, names: list[str],
                *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.values = {name: _array(t).copy() for name, t in zip(names, tensors)}
        seen = sim._forward(ctx.values)
        ctx.sim, ctx.names, ctx.forward_number = sim, names, sim.forwards
        ctx.likes = [(t.shape, t.dtype) for t in tensors]
        dtype = tensors[0].dtype if tensors else torch.float64
        return tuple(torch.from_numpy(z).to(dtype) for z in seen)

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[Any, ...]:
        sim = ctx.sim
        if ctx.forward_number != sim.forwards:
            sim._forward(ctx.values)
            ctx.forward_number = sim.forwards
        sim.run.clear_seeds()
        for (name, states), d in zip(sim.observe.items(), slopes):
            sim.run.seed(name, _array(d), states)
        sim.run.pull()
        return (None, None, *(_gradient(sim.run, name, *like) if wanted else None
                              for name, like, wanted in zip(ctx.names, ctx.likes,
                                                            ctx.needs_input_grad[2:])))


def _gradient(run: Any, name: str, shape: torch.Size, dtype: torch.dtype) -> torch.Tensor:
    g = torch.from_numpy(run.gradient(name)).to(dtype)
    return g.sum(0) if name == "controls" and len(shape) == 1 else g


class Rollout:
    """A run whose controls a network gives from what it observes, differentiable as a loop.

        roll = cqopt.torch.Rollout(p, ["head.position", "head.velocity"], hold=10)
        z = roll.reset()
        for _ in range(roll.actions):
            z = roll.step(policy(z))
        loss(z).backward()

    z [k] has the numbers of `observe` one after the other; u [controls] is held for `hold` steps,
    within the bounds of the controls. Backward goes back action by action (Run.pull_to), so that
    the way through what the network observed counts. It is of the episode since the last reset."""

    def __init__(self, problem: Problem, observe: Sequence[str], hold: int = 1,
                 dtype: torch.dtype = torch.float32) -> None:
        _warn_once(problem)
        self.problem, self.run = problem, problem.run(keep=True)
        self.observe, self.hold, self.dtype = list(observe), hold, dtype
        self.actions = -(-problem.steps // hold)
        self.lower = np.array([c.lower for c in self.run.controls])
        self.upper = np.array([c.upper for c in self.run.controls])
        self.sizes = [self.run._find(0, name).shape[0] for name in self.observe]
        self.episodes = 0

    def reset(self, x: Any = None) -> torch.Tensor:
        """Begins an episode, of the design x; z of its first state."""
        self.run.reset(x)
        self.episodes += 1
        self._link = torch.zeros((), dtype=self.dtype)
        return torch.from_numpy(self._seen()).to(self.dtype)

    def step(self, u: torch.Tensor) -> torch.Tensor:
        """One action: z of the state it leads to. SimulationError where the simulation fails."""
        z, self._link = _Advance.apply(self, u, self._link)
        return z

    def _seen(self) -> np.ndarray:
        return np.concatenate([self.run.observe(name) for name in self.observe])

    def _seed(self, d: np.ndarray, state: int) -> None:
        for name, part in zip(self.observe, np.split(d, np.cumsum(self.sizes)[:-1])):
            self.run.seed(name, part, state)


class _Advance(torch.autograd.Function):
    """An action. The link goes through all of them, so that they go back in their order."""

    @staticmethod
    def forward(ctx: Any, roll: Rollout, u: torch.Tensor, link: torch.Tensor) -> Any:
        run = roll.run
        ctx.roll, ctx.episode, ctx.before = roll, roll.episodes, run.step
        run.advance(min(roll.hold, run.steps - run.step),
                    np.clip(_array(u), roll.lower, roll.upper))
        ctx.after, ctx.dtype = run.step, u.dtype
        return torch.from_numpy(roll._seen()).to(roll.dtype), link.clone()

    @staticmethod
    def backward(ctx: Any, dz: torch.Tensor, dlink: torch.Tensor) -> Any:
        roll = ctx.roll
        if ctx.episode != roll.episodes:
            raise UsageError("the episode is over: call backward before the next reset", "USAGE", 1)
        roll._seed(_array(dz), ctx.after)
        roll.run.pull_to(ctx.before)
        du = roll.run.gradient("controls")[ctx.before:ctx.after].sum(axis=0)
        return None, torch.from_numpy(du).to(ctx.dtype), dlink


__all__ = ["Rollout", "Simulation", "evaluate"]
