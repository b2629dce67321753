"""A problem file, loaded: its design, its functions and their gradients."""

from __future__ import annotations

import ctypes as C
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

import numpy as np

from . import _lib
from ._lib import Context, address, decoded, encoded, lib, numbers
from ._text import Sets, set_texts
from .errors import UsageError

if TYPE_CHECKING:
    from .run import Run
    from .solve import Record, Solution


@dataclass
class Evaluation:
    """The functions of a file at one design.

    f: the objective; c [constraints]: inequalities <= 0, then equalities = 0; terms [terms]: those
    of the objective, weighted; violation: the largest, as constraints are declared; grad
    [variables]: df/dx; jac [constraints, variables]: dc/dx. grad and jac are None where no gradient
    was asked for. status: "OK", or how the simulation failed: numbers are NaN then; reason: the
    sentence of that, of evaluate_many. refinement: the steps were time_step / 2^refinement."""

    f: float
    c: np.ndarray
    terms: np.ndarray
    violation: float
    grad: Optional[np.ndarray] = None
    jac: Optional[np.ndarray] = None
    status: str = "OK"
    reason: str = ""
    refinement: int = 0


@dataclass(frozen=True)
class Variable:
    """A variable of the design, in the units of the file; scale is of x."""

    label: str
    unit: str
    start: float
    lower: float
    upper: float
    scale: float


@dataclass(frozen=True)
class Block:
    """Consecutive variables of one kind: first ... first + count - 1."""

    name: str
    unit: str
    variable: str
    first: int
    count: int
    components: int
    of_particles: bool


@dataclass(frozen=True)
class Function:
    """A term of the objective (relation None), or a constraint: "<=", ">=" or "=" its bound."""

    label: str
    relation: Optional[str]
    bound: float


def _about(problem: "Problem", kind: Any, call: Any, index: int) -> Any:
    about = kind()
    with problem._context as context:
        context.check(call(problem._file, index, C.byref(about)))
    return about


class Problem:
    """A problem file. Made by load() and parse(); a context manager that closes it.

    `x` is what an optimizer changes, an array of `variables` numbers. Where a block of the design
    has a transform, it is not the value in the units of the file: see to_values and from_values.

    name, title, dimension (2 or 3), bits (32 or 64), particles, steps, time_step [s], controls,
    variables, engine, device: what the file is. gradient: "exact" (by a reverse sweep), "tangent",
    "heuristic", "difference" or "none". terms, inequalities, equalities: how many functions there
    are. start, lower, upper, scale [variables]: of x. labels, units: of the variables."""

    def __init__(self, source: Mapping[str, Optional[str]], sets: Sequence[str], threads: int,
                 seed: int, log: Optional[_lib.Log]) -> None:
        self._source, self._sets = dict(source), list(sets)
        self._context = Context(threads, seed, log)
        self._threads, self._seed = threads, seed
        file = C.c_void_p()
        strings = encoded(sets)
        with self._context as context:
            context.check(self._load(context.handle, strings, len(sets), file))
        self._file: Optional[int] = file.value
        self._end = weakref.finalize(self, _destroy, self._context, file.value)
        self._describe()

    def _load(self, ctx: Any, strings: Any, n: int, file: C.c_void_p) -> int:
        s = self._source
        if s["text"] is None:
            return lib.cq_file_load(ctx, (s["name"] or "").encode(), strings, n, C.byref(file))
        return lib.cq_file_parse(ctx, s["text"].encode(), (s["name"] or "text").encode(),
                                 (s["folder"] or ".").encode(), strings, n, C.byref(file))

    def _describe(self) -> None:
        about = _lib.AboutFile()
        with self._context as context:
            context.check(lib.cq_file_info(self._file, C.byref(about)))
        self.name, self.title = decoded(about.name), decoded(about.title)
        self.dimension, self.bits = about.dimension, about.bits
        self.particles, self.steps = about.particles, about.steps
        self.time_step, self.controls = about.time_step, about.controls
        self.variables, self.terms = about.variables, about.terms
        self.inequalities, self.equalities = about.inequalities, about.equalities
        self.gradient = _lib.GRADIENTS[about.gradient]
        self.engine, self.device = decoded(about.engine), decoded(about.device)
        self._n_blocks = about.blocks

    # --- what the file says -------------------------------------------------------------------

    @property
    def design(self) -> list[Variable]:
        """Every variable of the design."""
        def variable(i: int) -> Variable:
            a = _about(self, _lib.AboutVariable, lib.cq_file_variable, i)
            return Variable(decoded(a.label), decoded(a.unit), a.start, a.lower, a.upper, a.scale)
        return [variable(i) for i in range(self.variables)]

    @property
    def blocks(self) -> list[Block]:
        """The blocks of the design."""
        def block(i: int) -> Block:
            a = _about(self, _lib.AboutBlock, lib.cq_file_block, i)
            return Block(decoded(a.name), decoded(a.unit), decoded(a.variable), a.first, a.count,
                         a.components, bool(a.of_particles))
        return [block(i) for i in range(self._n_blocks)]

    @property
    def functions(self) -> list[Function]:
        """The terms of the objective, then the inequalities, then the equalities."""
        def function(i: int) -> Function:
            a = _about(self, _lib.AboutFunction, lib.cq_file_function, i)
            relation = None if a.relation is None else decoded(a.relation)
            return Function(decoded(a.label), relation, a.bound)
        return [function(i) for i in range(self.terms + self.inequalities + self.equalities)]

    @property
    def labels(self) -> list[str]:
        """The names of the variables: "block.initial_velocity[0]"."""
        return [v.label for v in self.design]

    @property
    def units(self) -> list[str]:
        """Their units in the file."""
        return [v.unit for v in self.design]

    @property
    def scale(self) -> np.ndarray:
        """[variables] a typical change of each number of x."""
        return np.array([v.scale for v in self.design])

    @property
    def lower(self) -> np.ndarray:
        """[variables] the lower bounds of x; -inf where there is none."""
        return self._bounds([v.lower for v in self.design])

    @property
    def upper(self) -> np.ndarray:
        """[variables] the upper bounds of x; inf where there is none."""
        return self._bounds([v.upper for v in self.design])

    def _bounds(self, values: Sequence[float]) -> np.ndarray:
        """x of bounds; where there is none, no x has that value."""
        given = np.array(values)
        there = np.isfinite(given)
        return np.where(there, self.from_values(
            np.where(there, given, self.to_values(self.start))), given)

    @property
    def start(self) -> np.ndarray:
        """[variables] where the design starts. May be set."""
        x = np.empty(self.variables)
        with self._context as context:
            context.check(lib.cq_file_start(self._file, address(x), x.size))
        return x

    @start.setter
    def start(self, x: Any) -> None:
        values = self.to_values(x)
        with self._context as context:
            context.check(lib.cq_file_set_start(self._file, address(values), values.size))

    def to_values(self, x: Any) -> np.ndarray:
        """[variables] the values of x in the units of the file."""
        return self._mapped(lib.cq_file_to_values, x)

    def from_values(self, values: Any) -> np.ndarray:
        """[variables] the x of values in the units of the file."""
        return self._mapped(lib.cq_file_from_values, values)

    def _mapped(self, call: Any, given: Any) -> np.ndarray:
        a = self._vector(given, "a design")
        out = np.empty(a.size)
        with self._context as context:
            context.check(call(self._file, address(a), address(out), a.size))
        return out

    def _vector(self, given: Any, what: str) -> np.ndarray:
        a = numbers(given, what)
        if a.shape != (self.variables,):
            raise UsageError(f"{what} has the shape {a.shape}: {self.name} has "
                             f"{self.variables} variables", "USAGE", 1)
        return a

    def get(self, path: str) -> str:
        """The value of a key such as "simulation.steps", as the resolved file has it."""
        with self._context as context:
            return context.text(lambda t, n: lib.cq_file_get(self._file, path.encode(), t, n))

    @property
    def resolved(self) -> str:
        """The file with every default and setting filled in: it may be loaded again."""
        with self._context as context:
            return context.text(lambda t, n: lib.cq_file_resolved(self._file, t, n))

    def describe(self) -> str:
        """Its size, materials, variables and memory, in several lines."""
        with self._context as context:
            return context.text(lambda t, n: lib.cq_file_describe(self._file, t, n))

    def with_sets(self, sets: Sets, threads: Optional[int] = None) -> "Problem":
        """The same file with other settings, loaded anew; its start is that of this one."""
        other = Problem(self._source, self._sets + set_texts(sets),
                        self._threads if threads is None else threads, self._seed, None)
        if other.variables == self.variables and self.variables > 0:
            other.start = self.start
        return other

    # --- evaluations --------------------------------------------------------------------------

    def _answer(self, gradient: bool, level: int, **asked: int) -> tuple[Evaluation, _lib.Answer]:
        m, n, k = self.inequalities + self.equalities, self.variables, 0 if level else self.terms
        e = Evaluation(np.nan, np.empty(m), np.empty(k), np.nan,
                       np.empty(n) if gradient else None, np.empty((m, n)) if gradient else None)
        return e, _lib.Answer(
            c=address(e.c) if m else None, n_c=m,
            terms=address(e.terms) if k else None, n_terms=k,
            grad=address(e.grad), n_grad=n if gradient else 0,
            jac=address(e.jac) if m else None, n_jac=m * n if gradient else 0, level=level,
            **asked)

    def evaluate(self, x: Any = None, gradient: bool = False, *, evaluation: int = 1,
                 retry: bool = False, level: int = 0) -> Evaluation:
        """The functions at x [variables] (None: the start), and their gradients if wanted.

        evaluation: the samples of a batch of scenarios follow from this number. retry: after a
        failure again in smaller steps, where the optimizer of the file does so. level: in steps of
        time_step / 2^level, to tell how much of the values the steps made; there are no terms and
        no gradient then. SimulationError where the simulation of this design fails, ConfigError
        where a gradient is wanted and there is none. The GIL is released."""
        a = None if x is None else self._vector(x, "x")
        e, answer = self._answer(gradient, level, evaluation=evaluation, retry=retry)
        with self._context as context:
            context.check(lib.cq_file_evaluate(self._file, address(a),
                                               0 if a is None else a.size, C.byref(answer)))
        e.f, e.violation, e.refinement = answer.f, answer.violation, answer.refinement
        return e

    def evaluate_many(self, x: Any, gradient: bool = False) -> list[Evaluation]:
        """The functions at each row of x [count, variables], with the bits of evaluate: values
        side by side on all cores, gradients one after the other. A design that fails says so by
        its status and reason. Ctrl-C ends it between two designs."""
        a = numbers(x, "x")
        if a.ndim != 2 or a.shape[1] != self.variables:
            raise UsageError(f"x has the shape {a.shape}: {self.name} wants "
                             f"[count, {self.variables}]", "USAGE", 1)
        reasons = (C.c_char * 256 * max(len(a), 1))()
        made = [self._answer(gradient, 0, reason=C.addressof(reasons[i]), n_reason=256)
                for i in range(len(a))]
        answers = (_lib.Answer * max(len(a), 1))(*[answer for _, answer in made])
        from .solve import Stopper
        with self._context as context, Stopper(context) as stopper:
            context.check(lib.cq_file_evaluate_many(self._file, address(a), len(a), a.shape[1],
                                                    answers))
        if stopper.pressed:  # after the last design
            raise _lib.failure(_lib.CODES["INTERRUPTED"], "")
        for (e, _), answer, reason in zip(made, answers, reasons):
            e.f, e.violation, e.refinement = answer.f, answer.violation, answer.refinement
            e.status, e.reason = _lib.status_name(answer.status), decoded(reason.value)
        return [e for e, _ in made]

    def gradcheck(self, x: Any = None, function: int = -1) -> dict[str, float]:
        """How far the gradient is from differences, by block: 0 is best, NaN where none could be
        made. function -1: the objective, else a constraint."""
        a = None if x is None else self._vector(x, "x")
        agreement = np.empty(self._n_blocks)
        with self._context as context:
            context.check(lib.cq_file_gradcheck(self._file, address(a),
                                                0 if a is None else a.size, function,
                                                address(agreement), agreement.size))
        return {b.name: float(v) for b, v in zip(self.blocks, agreement)}

    def simulate(self, folder: str, x: Any = None, frames: int = 0, tables: bool = True,
                 trajectory: bool = True) -> None:
        """One run at x (None: the start) whose record goes to folder: observations.csv and
        particles.csv, trajectory.h5; frames 0: as many as the file says."""
        a = None if x is None else self._vector(x, "x")
        what = (1 if tables else 0) | (2 if trajectory else 0)
        with self._context as context:
            context.check(lib.cq_file_simulate(self._file, address(a), 0 if a is None else a.size,
                                               str(folder).encode(), frames, what))

    def run(self, keep: bool = False) -> "Run":
        """A run of the file, step by step; keep: states are kept, so that it can be pulled."""
        from .run import Run
        return Run(self, keep)

    def solve(self, folder: Optional[str] = None, *, progress: Optional[bool] = None,
              callback: Optional[Callable[["Record"], None]] = None, objective: Any = None,
              constraints: Any = (), resume: bool = False, diverge: bool = False,
              **settings: Any) -> "Solution":
        """Optimizes the file from its start by its own optimizer.

        folder (made, or empty) gets problem.cfg, evals.bin, history.csv, design.csv and run.json,
        whose records are those of the program. resume: goes on in the folder of an earlier solve of
        this file, where its record ends and with the bits of one that was never interrupted; only
        stop rules such as max_evaluations may be other ones. diverge, with resume: goes on from the
        best design of the record instead, on another machine or with another method. progress: a
        line for each evaluation to stderr; None: in a terminal. callback is called with a Record
        after each, those of the record that it goes on from too. settings are keys of the section
        optimizer: target=0.01, max_evaluations=100, name="adam".

        objective and constraints: functions of your own, in place of those of the file (Term); such
        a solve cannot be resumed.

        Ctrl-C ends it after the evaluation in flight, closes the folder, and raises Interrupted,
        which has the result so far."""
        from .solve import solve_file
        from .terms import solve_terms
        if objective is not None or constraints:
            if resume or diverge:
                raise UsageError("a solve with functions of your own cannot be resumed", "USAGE", 1)
            return solve_terms(self, objective, constraints, folder, progress, callback, settings)
        return solve_file(self, folder, progress, callback, resume, diverge, settings)

    # --- its end ------------------------------------------------------------------------------

    def close(self) -> None:
        """Gives its memory back. Calls with it, and with its runs, raise UsageError from now on."""
        self._end()
        self._file = None
        self._context = _Closed(self._context)  # type: ignore[assignment]

    def __enter__(self) -> "Problem":
        return self

    def __exit__(self, *rest: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return (f"<cqopt.Problem {self.name}: {self.particles} particles, {self.steps} steps, "
                f"{self.variables} variables>")


class _Closed:
    """In place of the context of a problem that was closed; runs still need that one."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __enter__(self) -> Context:
        raise UsageError("the problem was closed before this call", "USAGE", 1)

    def __exit__(self, *rest: Any) -> None:
        pass


def _destroy(context: Context, file: Optional[int]) -> None:
    lib.cq_file_destroy(file)


def load(name_or_path: str, sets: Sets = None, *, threads: int = 0, seed: int = 1,
         log: Optional[_lib.Log] = None) -> Problem:
    """Loads a built-in problem by its name, or a problem file by its path.

    sets: settings as of --set, {"simulation.steps": 500} or ["simulation.steps=500"]; of a dict,
    None unsets a key. threads 0: as many as there are cores. seed: of everything random. log(level,
    line) hears what there is to say. ConfigError with file, line, key and what to do; FileError."""
    source = {"name": str(name_or_path), "text": None, "folder": None}
    return Problem(source, set_texts(sets), threads, seed, log)


def parse(text: str, name: str = "text", folder: str = ".", sets: Sets = None, *, threads: int = 0,
          seed: int = 1, log: Optional[_lib.Log] = None) -> Problem:
    """The same of a problem file's text. name is what messages call it; files that it names are
    looked for from folder."""
    source = {"name": name, "text": text, "folder": str(folder)}
    return Problem(source, set_texts(sets), threads, seed, log)


def builtins() -> list[str]:
    """The names of the built-in problems."""
    names: list[str] = []
    while (name := lib.cq_builtin_name(len(names))) is not None:
        names.append(decoded(name))
    return names
