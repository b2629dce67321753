"""Optimizing: a file, or any function."""

from __future__ import annotations

import ctypes as C
import os
import signal
import socket
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _lib
from ._lib import Context, address, decoded, lib, numbers
from ._text import optimizer_texts
from .errors import CqoptError, FileError, Interrupted, SimulationError, UsageError

# a run that ends by one of these has a result
_VERDICTS = ("OK", "BUDGET", "INFEASIBLE", "NOT_STATIONARY", "FLAT", "TORN", "OPTIMIZER",
             "VERIFICATION", "INTERRUPTED", "TERMINATED")
_DIVERGE = 2  # CQ_SOLVE_DIVERGE


class Stopper:
    """Ctrl-C while the library works ends its call by cq_ctx_request_stop.

    Python's own handler would wait until the call is over. So the signal's number goes through a
    socket to a thread that asks the library at once; a method that thinks for long is given up as
    in the program. Only the main thread gets signals; in others nothing is changed."""

    def __init__(self, context: Context) -> None:
        self._ctx, self.pressed = context.handle, False
        self._on = (threading.current_thread() is threading.main_thread()
                    and signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    def __enter__(self) -> "Stopper":
        if self._on:
            self._read, self._write = socket.socketpair()
            self._write.setblocking(False)
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
            self._before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGINT, lambda number, frame: None)
        return self

    def _watch(self) -> None:
        while number := self._read.recv(1):
            if number[0] == signal.SIGINT:
                self.pressed = True
                lib.cq_ctx_request_stop(self._ctx, _lib.CODES["INTERRUPTED"])

    def __exit__(self, *rest: Any) -> None:
        if self._on:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.set_wakeup_fd(self._before)
            self._write.close()
            self._thread.join()
            self._read.close()
        lib.cq_ctx_request_stop(self._ctx, _lib.CODES["OK"])


@dataclass
class Record:
    """An evaluation of a solve. x [variables] and, where it has a gradient, grad [variables] and
    jac [constraints, variables] are copies. elapsed [s]: since the solve began. replayed: it is one
    of the record that a solve goes on from."""

    index: int
    x: np.ndarray
    f: float
    c: np.ndarray
    violation: float
    grad: Optional[np.ndarray]
    jac: Optional[np.ndarray]
    status: str
    probe: bool
    refinement: int
    simulations: int
    is_best: bool
    best_f: float
    elapsed: float
    replayed: bool


def _copied(place: Optional[int], *shape: int) -> np.ndarray:
    count = int(np.prod(shape))
    if not place or count == 0:
        return np.empty(shape)
    return np.ctypeslib.as_array((C.c_double * count).from_address(place)).reshape(shape).copy()


def record_of(e: _lib.EvaluationC) -> Record:
    n, m = e.n, e.n_constraints
    return Record(e.index, _copied(e.x, n), e.f, _copied(e.c, m), e.violation,
                  _copied(e.grad, n) if e.grad else None, _copied(e.jac, m, n) if e.grad else None,
                  _lib.status_name(e.status), bool(e.probe), e.refinement, e.simulations,
                  bool(e.is_best), e.best_f, e.elapsed, bool(e.replayed))


class Recorder:
    """What is called after each evaluation. An exception ends the solve and is raised after it."""

    def __init__(self, *listeners: Optional[Callable[[Record], None]]) -> None:
        self.listeners = [listen for listen in listeners if listen is not None]
        self.error: Optional[BaseException] = None
        self.function = _lib.record_fn(self._called)

    def _called(self, user: Any, evaluation: Any) -> int:
        try:
            record = record_of(evaluation.contents) if self.listeners else None
            for listen in self.listeners:
                listen(record)  # type: ignore[arg-type]
            return 0
        except BaseException as error:  # it cannot pass through C
            self.error = error
            return _lib.CODES["INTERRUPTED"]


class Progress:
    """A line for each evaluation; in a terminal one that is rewritten."""

    def __init__(self, wanted: Optional[bool]) -> None:
        live = sys.stderr is not None and sys.stderr.isatty()
        self.on, self.live = live if wanted is None else bool(wanted), live
        self.begun = False

    def show(self, r: Record) -> None:
        if r.replayed:
            return
        if not self.begun:
            print(f"{'eval':>4} {'objective':>13} {'violation':>9} {'best':>13} {'elapsed':>9}",
                  file=sys.stderr)
        self.begun = True
        value = f"{r.f:13.6e}" if r.status == "OK" else f"{'failed':>13}"
        line = f"{r.index:4d} {value} {r.violation:9.2e} {r.best_f:13.6e} {r.elapsed:7.1f} s"
        print(f"\r{line}\033[K" if self.live else line, end="" if self.live else "\n",
              file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.begun and self.live:
            print(file=sys.stderr)

    @property
    def listener(self) -> Optional[Callable[[Record], None]]:
        return self.show if self.on else None


@dataclass
class Solution:
    """How an optimization ended.

    status: "OK" is a verified optimum, or the target reached at a feasible point; "BUDGET",
    "NOT_STATIONARY", ... as the program has it; exit_code: the program's; reason: a sentence. x
    [variables]: the best point, with its f, violation and KKT residual; values [variables]: the
    same in the units of the file. evaluations: distinct x; of these, replayed are of the record
    that the solve went on from, and probes tested claims. recovered: evaluations that succeeded in
    smaller steps alone. eval_seconds: of seconds, in evaluations. folder: of the record, or None.
    repeats: re-runs of the best design from other starts, of which repeats_failed failed; f_mean,
    f_deviation, f_worst: of f in the others.
    """

    status: str
    exit_code: int
    reason: str
    x: np.ndarray
    values: np.ndarray
    f: float
    violation: float
    kkt_residual: float
    reached_target: bool
    has_point: bool
    best_index: int
    evaluations: int
    simulations: int
    gradients: int
    failures: int
    seconds: float
    replayed: int
    probes: int
    recovered: int
    eval_seconds: float
    folder: Optional[str] = None
    repeats: int = 0
    repeats_failed: int = 0
    f_mean: float = float("nan")
    f_deviation: float = float("nan")
    f_worst: float = float("nan")

    @property
    def verified(self) -> bool:
        """A verified optimum, or the target was reached."""
        return self.status == "OK"


def solution_of(o: _lib.Outcome, x: np.ndarray) -> Solution:
    return Solution(_lib.status_name(o.status), lib.cq_status_exit_code(o.status),
                    decoded(o.reason), x, x, o.f, o.violation, o.kkt_residual,
                    bool(o.reached_target), bool(o.has_point), o.best_index, o.evaluations,
                    o.simulations, o.gradients, o.failures, o.seconds, o.replayed, o.probes,
                    o.recovered, o.eval_seconds, None, o.repeats, o.repeats_failed, o.f_mean,
                    o.f_deviation, o.f_worst)


def _ended(solution: Solution, sentence: str, error: Optional[BaseException],
           pressed: bool) -> Solution:
    """The solution, or the exception that the solve ended by. pressed: Ctrl-C was, even where the
    solve had come to its end by itself."""
    if error is not None and not isinstance(error, KeyboardInterrupt):
        raise error
    if error is not None or pressed or solution.status in ("INTERRUPTED", "TERMINATED"):
        raise Interrupted(solution.reason, result=solution)
    if solution.status not in _VERDICTS:
        raise _lib.failure(_lib.CODES[solution.status], sentence or solution.reason)
    return solution


def _solve_call(copy: Any, place: Optional[str], resume: bool, diverge: bool,
                *rest: Any) -> int:
    """The solve of a file in a new folder, or in that of an earlier run."""
    folder = None if place is None else place.encode()
    if resume:
        return lib.cq_file_resume(copy._file, folder, _DIVERGE if diverge else 0, *rest)
    return lib.cq_file_solve(copy._file, folder, *rest)


def solve_file(problem: Any, folder: Optional[str], progress: Optional[bool],
               callback: Optional[Callable[[Record], None]], resume: bool, diverge: bool,
               settings: dict[str, Any]) -> Solution:
    """Problem.solve by the file's own functions; it works on a copy with the settings."""
    if diverge and not resume:
        raise UsageError("diverge=True goes with resume=True", "USAGE", 1)
    place = None if folder is None else os.fspath(folder)
    if place is not None and not resume and os.path.exists(os.path.join(place, "evals.bin")):
        raise FileError(f"{place} has the record of a solve already; give a new folder, or go on "
                        "there with resume=True", "IO", 2)
    shown = Progress(progress)
    recorder = Recorder(callback, shown.listener)
    with problem.with_sets(optimizer_texts(settings)) as copy:
        x, outcome = np.empty(copy.variables), _lib.Outcome()
        with copy._context as context, Stopper(context) as stopper:
            status = _solve_call(copy, place, resume, diverge, recorder.function, None, address(x),
                                 x.size, C.byref(outcome))
            outcome.status = status  # of the record, where that could not be written
            sentence = decoded(lib.cq_ctx_error(context.handle))
        shown.end()
        solution = solution_of(outcome, x)
        solution.folder = place
        if solution.has_point:
            solution.values = copy.to_values(x)
        return _ended(solution, sentence, recorder.error, stopper.pressed)


# --- any function -----------------------------------------------------------------------------

Function = Callable[[np.ndarray, bool], Union[float, tuple]]


class _Called:
    """A function of Python as the library calls it: f, (f, grad), (f, c) or (f, c, grad, jac)."""

    def __init__(self, function: Function, n: int, m: int) -> None:
        self.given, self.n, self.m = function, n, m
        self.error: Optional[BaseException] = None
        self.function = _lib.function_fn(self._called)

    def _put(self, place: int, values: Any, what: str, *shape: int) -> None:
        array = numbers(values, what)
        if array.size != int(np.prod(shape)):
            raise UsageError(f"{what} has the shape {array.shape}, not {shape}", "USAGE", 1)
        C.memmove(place, array.ctypes.data, array.nbytes)

    def _called(self, user: Any, x: Any, f: Any, c: int, grad: int, jac: int) -> int:
        try:
            at = np.ctypeslib.as_array(x, (self.n,)).copy()
            got = self.given(at, bool(grad))
            got = got if isinstance(got, tuple) else (got,)
            wanted = 1 + bool(self.m) + (1 + bool(self.m) if grad else 0)
            if len(got) != wanted:
                raise UsageError(f"the function returned {len(got)} values, not {wanted}: f"
                                 f"{', c' if self.m else ''}{', grad' if grad else ''}"
                                 f"{', jac' if grad and self.m else ''}", "USAGE", 1)
            f[0] = float(got[0])
            if self.m:
                self._put(c, got[1], "c", self.m)
            if grad:
                self._put(grad, got[1 + bool(self.m)], "grad", self.n)
            if grad and self.m:
                self._put(jac, got[3], "jac", self.m, self.n)
            return 0
        except SimulationError as error:  # of this x alone
            return _lib.CODES.get(error.status, _lib.CODES["NONFINITE"])
        except BaseException as error:
            self.error = error
            return _lib.CODES["INTERRUPTED"]


def _settings(context: Context, texts: list[str]) -> C.c_void_p:
    settings = C.c_void_p()
    context.check(lib.cq_settings_create(context.handle, C.byref(settings)))
    try:
        for text in texts:
            context.check(lib.cq_settings_set(settings, text.encode()))
    except CqoptError:
        lib.cq_settings_destroy(settings)
        raise
    return settings


def minimise(function: Function, start: Any, *, lower: Any = None, upper: Any = None,
             scale: Any = None, inequalities: int = 0, equalities: int = 0, gradient: bool = True,
             progress: Optional[bool] = None, callback: Optional[Callable[[Record], None]] = None,
             threads: int = 1, seed: int = 1, **settings: Any) -> Solution:
    """Minimises function(x, gradient) from start [n], by a method of the program.

    The function returns f, or (f, c) where there are constraints: c [inequalities] <= 0, then c
    [equalities] = 0. Where gradient is true, it returns (f, grad) or (f, c, grad, jac), with grad
    [n] and jac [constraints, n]. A SimulationError in it concerns this x alone; other exceptions
    end the run and are raised. gradient False: it has none. scale [n]: a typical change of each.
    settings are keys of the section optimizer of a problem file: name="slsqp",
    max_evaluations=100. Ctrl-C as in Problem.solve."""
    x0 = numbers(start, "start")
    if x0.ndim != 1:
        raise UsageError(f"start has the shape {x0.shape}: it is one row", "USAGE", 1)
    arrays = {name: None if a is None else numbers(np.broadcast_to(a, x0.shape), name)
              for name, a in (("lower", lower), ("upper", upper), ("scale", scale))}
    called = _Called(function, x0.size, inequalities + equalities)
    shown = Progress(progress)
    recorder = Recorder(callback, shown.listener)
    definition = _lib.FunctionDef(
        n=x0.size, n_inequality=inequalities, n_equality=equalities, start=address(x0),
        function=called.function, has_gradient=gradient,
        **{name: address(a) for name, a in arrays.items()})
    x, outcome = x0.copy(), _lib.Outcome()
    with Context(threads, seed, None) as context:
        handle = _settings(context, optimizer_texts(settings, ""))
        with Stopper(context) as stopper:
            outcome.status = lib.cq_minimise(context.handle, C.byref(definition), handle,
                                             recorder.function, None, address(x), x.size,
                                             C.byref(outcome))
        sentence = decoded(lib.cq_ctx_error(context.handle))
        lib.cq_settings_destroy(handle)
    shown.end()
    return _ended(solution_of(outcome, x), sentence, called.error or recorder.error,
                  stopper.pressed)
