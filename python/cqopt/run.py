"""One simulation of a file, step by step, and its vector-Jacobian products."""

from __future__ import annotations

import ctypes as C
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _lib
from ._lib import address, decoded, lib, numbers
from .errors import UsageError

if TYPE_CHECKING:
    from .problem import Problem

_OBSERVABLES, _FIELDS, _INPUTS, _IMAGES = range(4)
_KINDS = ("observable", "field", "input", "camera")
_KEEP = 1
_OTHER_GRADIENTS = {"controls": -1, "design": -2}


@dataclass(frozen=True)
class Quantity:
    """An observable, a field or an input: shape (k,) or (particles, components); or a depth image:
    (high, wide)."""

    name: str
    unit: str
    shape: tuple[int, ...]
    index: int


@dataclass(frozen=True)
class Control:
    """A control with its bounds; rest: of an idle actuator."""

    name: str
    unit: str
    lower: float
    upper: float
    rest: float


class Run:
    """A run of a problem, by Problem.run(). It must be reset before its first step.

    observables: what is observed of bodies, groups and all particles "*" ("tip.position", (2,) in m
    in 2D); fields: numbers of every particle at the present state ("x", (particles, 3)); inputs:
    what a run starts from ("youngs_modulus", (particles,) in Pa); images: depth images of the
    file's cameras ((high, wide) in m). Each is a dict of Quantity by name. controls: a list of
    Control. steps: where the file's run ends."""

    def __init__(self, problem: "Problem", keep: bool = False) -> None:
        self.problem, self.keeps, self.steps = problem, keep, problem.steps
        handle = C.c_void_p()
        with problem._context as context:
            context.check(lib.cq_run_create(problem._file, _KEEP if keep else 0, C.byref(handle)))
            self._context = context
        self._run, self._pulled = handle.value, 0
        self._end = weakref.finalize(self, _destroy, problem, context, handle.value)
        self.observables = self._listed(_OBSERVABLES)
        self.fields = self._listed(_FIELDS)
        self.inputs = self._listed(_INPUTS)
        self.images = self._listed(_IMAGES)
        self.controls = [self._control(i) for i in range(problem.controls)]

    def _listed(self, kind: int) -> dict[str, Quantity]:
        found: dict[str, Quantity] = {}
        about = _lib.AboutArray()
        with self._context:
            while lib.cq_run_describe(self._run, kind, len(found), C.byref(about)) == 0:
                shape = tuple(about.shape[: about.rank])
                shape = shape[:1] if shape[1:] == (1,) and kind != _IMAGES else shape
                name = decoded(about.name)
                if name in found:  # one set may stand twice
                    name = f"{name}#{len(found)}"
                found[name] = Quantity(name, decoded(about.unit), shape, len(found))
        return found

    def _control(self, i: int) -> Control:
        about = _lib.AboutControl()
        with self._context as context:
            context.check(lib.cq_run_control(self._run, i, C.byref(about)))
        return Control(decoded(about.name), decoded(about.unit), about.lower, about.upper,
                       about.rest)

    def _find(self, kind: int, name: str) -> Quantity:
        known = (self.observables, self.fields, self.inputs, self.images)[kind]
        if name not in known:
            raise UsageError(f"there is no {_KINDS[kind]} '{name}' in {self.problem.name}: there "
                             f"are {', '.join(known)}", "USAGE", 1)
        return known[name]

    def _call(self, call: Any, *arguments: Any) -> None:
        with self._context as context:
            status = call(self._run, *arguments)
            if status:
                context.check(status)

    # --- steps --------------------------------------------------------------------------------

    def reset(self, x: Any = None) -> None:
        """To state 0 of the design x [variables] (None: the start). Seeds are gone then."""
        a = None if x is None else self.problem._vector(x, "x")
        self._call(lib.cq_run_reset, address(a), 0 if a is None else a.size)

    def advance(self, steps: int = 1, u: Any = None) -> int:
        """So many steps. u None: by the controller of the file; else [controls], which are held,
        or [steps, controls], within their bounds. Returns the state it is at. The GIL is released.

        SimulationError where the simulation fails: reset it then."""
        a = None if u is None else numbers(u, "u")
        if a is not None and a.shape not in ((len(self.controls),), (steps, len(self.controls))):
            raise UsageError(f"u has the shape {a.shape}: {steps} steps of {len(self.controls)} "
                             f"controls want ({len(self.controls)},) or "
                             f"({steps}, {len(self.controls)})", "USAGE", 1)
        self._call(lib.cq_run_advance, int(steps), address(a), 0 if a is None else a.size)
        return self.step

    @property
    def step(self) -> int:
        """The state it is at: 0 after a reset."""
        return lib.cq_run_step(self._run) if self._run else -1

    def read_controls(self, step: int) -> np.ndarray:
        """[controls] the controls of a step that was made."""
        u = np.empty(len(self.controls))
        self._call(lib.cq_run_read_controls, step, address(u), u.size)
        return u

    # --- what it is like ----------------------------------------------------------------------

    def _state(self, step: int) -> int:
        return step if step >= 0 else self.step + 1 + step

    def observe(self, name: str, step: Union[int, Sequence[int]] = -1) -> np.ndarray:
        """An observable at a state so far, [k]; negative states count from the present one, -1.
        Of a list of states: [states, k]."""
        q = self._find(_OBSERVABLES, name)
        steps = [step] if isinstance(step, (int, np.integer)) else list(step)
        out = np.empty((len(steps), *q.shape))
        for row, s in zip(out, steps):
            self._call(lib.cq_run_observe, q.index, self._state(s), address(row), row.size)
        return out[0] if isinstance(step, (int, np.integer)) else out

    def field(self, name: str, out: Optional[np.ndarray] = None) -> np.ndarray:
        """A field at the present state, [particles] or [particles, components]; vectors have three
        components, in 2D too. out: an array of doubles of that shape that gets it."""
        q = self._find(_FIELDS, name)
        a = np.empty(q.shape) if out is None else out
        if a.shape != q.shape or a.dtype != np.float64 or not a.flags.c_contiguous:
            raise UsageError(f"out is not an array of doubles of shape {q.shape}", "USAGE", 1)
        self._call(lib.cq_run_read, q.index, address(a), a.size)
        return a

    def look(self, camera: str, out: Optional[np.ndarray] = None) -> np.ndarray:
        """A depth image at the present state, [high, wide] from above and from the left [m]; `far`
        of the camera where nothing is seen. out: an array of doubles of that shape that gets it."""
        q = self._find(_IMAGES, camera)
        a = np.empty(q.shape) if out is None else out
        if a.shape != q.shape or a.dtype != np.float64 or not a.flags.c_contiguous:
            raise UsageError(f"out is not an array of doubles of shape {q.shape}", "USAGE", 1)
        self._call(lib.cq_run_look, q.index, address(a), a.size)
        return a

    def input(self, name: str) -> np.ndarray:
        """An input as the run has it, [particles] or of the shape that inputs says."""
        q = self._find(_INPUTS, name)
        out = np.empty(q.shape)
        self._call(lib.cq_run_read_input, q.index, address(out), out.size)
        return out

    def write(self, name: str, values: Any) -> None:
        """Other values of an input, after a reset and before the first step."""
        q = self._find(_INPUTS, name)
        a = self._shaped(values, name, q.shape)
        self._call(lib.cq_run_write, q.index, address(a), a.size)

    def _shaped(self, values: Any, what: str, shape: tuple[int, ...]) -> np.ndarray:
        a = numbers(values, what)
        if a.shape != shape:
            raise UsageError(f"{what} has the shape {a.shape}, not {shape}", "USAGE", 1)
        return a

    def save(self) -> bytes:
        """The present state with all it started from, for load."""
        size = C.c_size_t(0)
        self._call(lib.cq_run_save, None, C.byref(size))
        buffer = C.create_string_buffer(size.value)
        self._call(lib.cq_run_save, buffer, C.byref(size))
        return buffer.raw[: size.value]

    def load(self, state: bytes) -> None:
        """Goes on from a state that a run of the same file has saved, in the same build."""
        self._call(lib.cq_run_load, bytes(state), len(state))

    # --- back ---------------------------------------------------------------------------------

    def seed(self, name: str, d: Any, step: Union[int, Sequence[int]] = -1) -> None:
        """Adds d, dL/d(observable), at a state so far: [k], or [states, k] of a list of states."""
        if name in self.images:
            raise UsageError(f"'{name}' is a depth image, which has no gradient: seed what is "
                             "observed", "USAGE", 1)
        q = self._find(_OBSERVABLES, name)
        if isinstance(step, (int, np.integer)):
            steps, rows = [step], self._shaped(d, "d", q.shape)[None]
        else:
            steps = list(step)
            rows = self._shaped(d, "d", (len(steps), *q.shape))
        for s, row in zip(steps, rows):
            self._call(lib.cq_run_seed, q.index, self._state(s), address(row), row.size)

    def clear_seeds(self) -> None:
        """Forgets all seeds."""
        self._call(lib.cq_run_clear_seeds)

    def earned(self, since: int = -1) -> np.ndarray:
        """[terms] what the terms of the file's objective earn after state `since` and up to the
        present one, weighted; from -1: from the start on. Parts of a run add up to f."""
        out = np.empty(self.problem.terms)
        self._call(lib.cq_run_earned, since, address(out) if out.size else None, out.size)
        return out

    def seed_earned(self, term: int, since: int = -1, weight: float = 1.0) -> None:
        """Adds weight times what a term has earned to what is pulled."""
        self._call(lib.cq_run_seed_earned, term, since, weight)

    def pull(self) -> None:
        """Back from the present state to the first. Needs a run that keeps its states, and an
        engine with exact gradients by a reverse sweep (ConfigError)."""
        self._call(lib.cq_run_pull)
        self._pulled = self.step

    def pull_to(self, step: int) -> None:
        """The same in parts, for controllers outside that read what is observed: back to state
        `step`, from the present one or from where the last of these calls has come to. gradient(
        "controls") has the steps on the way then, and what the controller makes of it is seeded at
        states up to `step`. Seeds are used up as the sweep passes; it ends at the first state."""
        self._call(lib.cq_run_pull_to, step)
        self._pulled = self.step

    def gradient(self, name: str) -> np.ndarray:
        """dL/d(input) of the last pull, of the input's shape; of "controls": [steps made,
        controls]; of "design": [variables], by x."""
        if name in _OTHER_GRADIENTS:
            index = _OTHER_GRADIENTS[name]
            shape: tuple[int, ...] = ((self._pulled, len(self.controls)) if name == "controls"
                                      else (self.problem.variables,))
        else:
            q = self._find(_INPUTS, name)
            index, shape = q.index, q.shape
        out = np.empty(shape)
        self._call(lib.cq_run_gradient, index, address(out), out.size)
        return out

    # --- its end ------------------------------------------------------------------------------

    def close(self) -> None:
        """Gives its memory back; calls with it raise UsageError from now on."""
        self._end()
        self._run = None
        self._context = _ClosedRun()  # type: ignore[assignment]

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *rest: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<cqopt.Run of {self.problem.name} at state {self.step} of {self.steps}>"


class _ClosedRun:
    def __enter__(self) -> Any:
        raise UsageError("the run was closed before this call", "USAGE", 1)

    def __exit__(self, *rest: Any) -> None:
        pass


def _destroy(problem: Any, context: Any, run: Optional[int]) -> None:
    """The problem and its context are needed till then."""
    lib.cq_run_destroy(run)
