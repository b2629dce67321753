"""Objectives and constraints of one's own: Python functions of what is observed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._text import Raw
from .errors import Interrupted, UsageError
from .folder import OwnFolder
from .solve import Record, Solution, minimise

Observed = dict[str, np.ndarray]
States = Union[int, str, Sequence[int]]
# of the file's own objective, these say nothing here
_NOT_TAKEN = ("target", "stop_at_target", "objective_scale", "constraint_scale", "starts",
              "workers", "seed", "verify_refined", "error_bars")


@dataclass
class Term:
    """A function of observables: a term of an objective, or a constraint.

    observe: {"tip.position": -1}, the states at which each is seen: a state of the run, negative
    ones from its end (-1: the last), a list of them, or "all". value(z) takes {name: [states, k]}
    and returns a number; gradient(z) returns d(value)/dz in the same shapes, of the names that
    matter. Without gradient, or where that of the file is not "exact", a method without gradients
    is needed. weight: of an objective.
    relation "<=", ">=" or "=" and bound: of a constraint."""

    observe: Mapping[str, States]
    value: Callable[[Observed], float]
    gradient: Optional[Callable[[Observed], Observed]] = None
    weight: float = 1.0
    relation: Optional[str] = None
    bound: float = 0.0


def _states(wanted: States, steps: int) -> list[int]:
    if isinstance(wanted, str):
        if wanted != "all":
            raise UsageError(f"states are numbers or 'all', not '{wanted}'", "USAGE", 1)
        return list(range(steps + 1))
    found = [wanted] if isinstance(wanted, (int, np.integer)) else list(wanted)
    return [s if s >= 0 else steps + 1 + s for s in found]


class _Functions:
    """f and c of a run at x, with their gradients by one pull for each function."""

    def __init__(self, problem: Any, objective: Sequence[Term],
                 constraints: Sequence[Term]) -> None:
        self.objective, self.constraints = list(objective), list(constraints)
        terms = self.objective + self.constraints
        self.with_gradient = (problem.gradient == "exact"
                              and all(t.gradient is not None for t in terms))
        self.run = problem.run(keep=self.with_gradient)
        self.problem = problem

    def _observed(self, term: Term) -> Observed:
        return {name: self.run.observe(name, _states(states, self.run.steps))
                for name, states in term.observe.items()}

    def _pulled(self, seeds: Sequence[tuple[Term, float]]) -> np.ndarray:
        """The gradient by the design of so many times each term."""
        self.run.clear_seeds()
        for term, weight in seeds:
            for name, d in term.gradient(self._observed(term)).items():  # type: ignore[misc]
                self.run.seed(name, weight * np.asarray(d),
                              _states(term.observe[name], self.run.steps))
        self.run.pull()
        return self.run.gradient("design")

    def __call__(self, x: np.ndarray, gradient: bool) -> Any:
        self.run.reset(x)
        self.run.advance(self.run.steps)
        f = sum(t.weight * float(t.value(self._observed(t))) for t in self.objective)
        signs = [-1.0 if t.relation == ">=" else 1.0 for t in self.constraints]
        c = [s * (float(t.value(self._observed(t))) - t.bound)
             for s, t in zip(signs, self.constraints)]
        result: list[Any] = [f] + ([np.array(c)] if c else [])
        if gradient:
            result.append(self._pulled([(t, t.weight) for t in self.objective]))
            if c:
                result.append(np.array([self._pulled([(t, s)])
                                        for s, t in zip(signs, self.constraints)]))
        return tuple(result)


def _file_settings(problem: Any) -> list[tuple[str, str]]:
    """The section optimizer of the resolved file, as far as it holds for other functions."""
    lines = problem.resolved.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("optimizer ="))
    found = []
    for line in lines[first + 1:]:
        if line.startswith("}"):
            break
        key, _, value = line.strip().rstrip(";").partition(" = ")
        if key not in _NOT_TAKEN:
            found.append((key, value))
    return found


def _listed(terms: Any) -> list[Term]:
    return [terms] if isinstance(terms, Term) else list(terms or ())


def solve_terms(problem: Any, objective: Any, constraints: Any, folder: Optional[str],
                progress: Optional[bool], callback: Optional[Callable[[Record], None]],
                settings: dict[str, Any]) -> Solution:
    """Problem.solve by functions of one's own: the design, its start, bounds and scales and the
    optimizer are those of the file."""
    wanted, rules = _listed(objective), _listed(constraints)
    rules = ([t for t in rules if t.relation in ("<=", ">=")]
             + [t for t in rules if t.relation == "="])
    if len(rules) != len(_listed(constraints)):
        raise UsageError("a constraint has the relation '<=', '>=' or '='", "USAGE", 1)
    functions = _Functions(problem, wanted, rules)
    equalities = sum(t.relation == "=" for t in rules)
    taken = {key: Raw(value) for key, value in _file_settings(problem)}
    record, own = callback, None
    if folder is not None:
        own = OwnFolder(folder, problem, len(rules))
        record = own.listener(callback)
    try:
        solution = minimise(
            functions, problem.start, lower=problem.lower, upper=problem.upper,
            scale=problem.scale, inequalities=len(rules) - equalities, equalities=equalities,
            gradient=functions.with_gradient, progress=progress, callback=record,
            **{**taken, **settings})
    except Interrupted as stopped:
        _finish(problem, own, stopped.result)
        raise
    _finish(problem, own, solution)
    return solution


def _finish(problem: Any, own: Optional[OwnFolder], solution: Solution) -> None:
    solution.values = problem.to_values(solution.x)
    if own is not None:
        own.end(solution)
