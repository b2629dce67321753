"""The C library: its structs, its functions, and how its errors become exceptions.

Bound by ctypes: nothing is compiled, so that one wheel serves every Python, numpy stays the only
thing that is needed (cffi is a package of its own at run time), and the GIL is released in every
call. A call takes about a microsecond where addresses are prepared, which is what Run does; cffi
would save half of one. tests/test_headers.py holds these declarations against the headers."""

from __future__ import annotations

import ctypes as C
import os
import threading
import weakref
from typing import Any, Callable, Optional, Sequence

import numpy as np

from .errors import error_class

p, i, u, d, z = C.c_void_p, C.c_int, C.c_uint, C.c_double, C.c_size_t
text, flag, u64 = C.c_char_p, C.c_bool, C.c_uint64

ABI = 1


class Sized(C.Structure):
    """A struct that begins with its size."""

    def __init__(self, **values: Any) -> None:
        super().__init__(struct_size=C.sizeof(type(self)), **values)


class AboutFile(Sized):
    _fields_ = [("struct_size", z), ("name", text), ("title", text), ("dimension", i), ("bits", i),
                ("particles", i), ("steps", i), ("controls", i), ("blocks", i), ("variables", i),
                ("terms", i), ("inequalities", i), ("equalities", i), ("time_step", d),
                ("gradient", i), ("engine", text), ("device", text)]


class AboutBlock(Sized):
    _fields_ = [("struct_size", z), ("name", text), ("unit", text), ("variable", text),
                ("first", i), ("count", i), ("components", i), ("of_particles", flag)]


class AboutVariable(Sized):
    _fields_ = [("struct_size", z), ("label", C.c_char * 128), ("unit", text), ("block", i),
                ("start", d), ("lower", d), ("upper", d), ("scale", d)]


class AboutFunction(Sized):
    _fields_ = [("struct_size", z), ("label", text), ("relation", text), ("bound", d)]


class Answer(Sized):
    _fields_ = [("struct_size", z), ("status", i), ("f", d), ("violation", d), ("c", p),
                ("terms", p), ("grad", p), ("jac", p), ("n_c", i), ("n_terms", i), ("n_grad", i),
                ("n_jac", i), ("evaluation", i), ("retry", flag), ("refinement", i),
                ("reason", p), ("n_reason", i), ("level", i)]


class AboutControl(Sized):
    _fields_ = [("struct_size", z), ("name", text), ("unit", text), ("lower", d), ("upper", d),
                ("rest", d)]


class AboutArray(Sized):
    _fields_ = [("struct_size", z), ("name", C.c_char * 128), ("unit", text), ("rank", i),
                ("shape", z * 4), ("numbers", z)]


class Outcome(Sized):
    _fields_ = [("struct_size", z), ("status", i), ("reason", C.c_char * 256), ("has_point", flag),
                ("reached_target", flag), ("f", d), ("violation", d), ("kkt_residual", d),
                ("best_index", i), ("evaluations", i), ("simulations", i), ("gradients", i),
                ("failures", i), ("seconds", d), ("replayed", i), ("probes", i),
                ("recovered", i), ("eval_seconds", d), ("repeats", i), ("repeats_failed", i),
                ("f_mean", d), ("f_deviation", d), ("f_worst", d)]


class EvaluationC(C.Structure):
    _fields_ = [("index", i), ("has_gradient", flag), ("n", i), ("n_constraints", i),
                ("n_parts", i), ("x", p), ("c", p), ("grad", p), ("jac", p), ("parts", p),
                ("part_slopes", p), ("reduced", p), ("jacobian_cost", d), ("f", d),
                ("violation", d), ("status", i), ("refinement", i), ("simulations", i),
                ("probe", flag), ("seconds", d), ("elapsed", d), ("is_best", flag), ("best_f", d),
                ("best_violation", d), ("replayed", flag), ("extra", p), ("n_extra", i),
                ("residuals", p), ("n_residuals", i)]


record_fn = C.CFUNCTYPE(i, p, C.POINTER(EvaluationC))
function_fn = C.CFUNCTYPE(i, p, C.POINTER(d), C.POINTER(d), p, p, p)
log_fn = C.CFUNCTYPE(None, p, i, text)


class FunctionDef(Sized):
    _fields_ = [("struct_size", z), ("n", i), ("n_inequality", i), ("n_equality", i), ("lower", p),
                ("upper", p), ("start", p), ("scale", p), ("function", function_fn),
                ("has_gradient", flag), ("user", p)]


# name: what it returns, what it takes. Pointers to numbers are plain addresses.
PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "cq_abi": (i, []),
    "cq_version": (text, []),
    "cq_capability": (text, [text]),
    "cq_status_text": (text, [i]),
    "cq_status_name": (text, [i]),
    "cq_status_exit_code": (i, [i]),
    "cq_status_is_numeric": (flag, [i]),
    "cq_gradient_kind_name": (text, [i]),
    "cq_optimizer_canonical": (text, [text]),
    "cq_builtin_name": (text, [i]),
    "cq_ctx_create": (p, [i, u64]),
    "cq_ctx_destroy": (None, [p]),
    "cq_ctx_set_log": (None, [p, log_fn, p]),
    "cq_ctx_threads": (i, [p]),
    "cq_ctx_error": (text, [p]),
    "cq_ctx_bytes": (z, [p]),
    "cq_ctx_request_stop": (None, [p, i]),
    "cq_file_load": (i, [p, text, p, i, p]),
    "cq_file_parse": (i, [p, text, text, text, p, i, p]),
    "cq_file_destroy": (None, [p]),
    "cq_file_info": (i, [p, p]),
    "cq_file_get": (i, [p, text, p, p]),
    "cq_file_resolved": (i, [p, p, p]),
    "cq_file_describe": (i, [p, p, p]),
    "cq_file_block": (i, [p, i, p]),
    "cq_file_variable": (i, [p, i, p]),
    "cq_file_function": (i, [p, i, p]),
    "cq_file_to_values": (i, [p, p, p, i]),
    "cq_file_from_values": (i, [p, p, p, i]),
    "cq_file_start": (i, [p, p, i]),
    "cq_file_set_start": (i, [p, p, i]),
    "cq_file_evaluate": (i, [p, p, i, p]),
    "cq_file_evaluate_many": (i, [p, p, i, i, p]),
    "cq_file_solve": (i, [p, text, record_fn, p, p, i, p]),
    "cq_file_resume": (i, [p, text, u, record_fn, p, p, i, p]),
    "cq_file_simulate": (i, [p, p, i, text, i, u]),
    "cq_file_gradcheck": (i, [p, p, i, i, p, i]),
    "cq_settings_create": (i, [p, p]),
    "cq_settings_destroy": (None, [p]),
    "cq_settings_set": (i, [p, text]),
    "cq_minimise": (i, [p, p, p, record_fn, p, p, i, p]),
    "cq_run_create": (i, [p, u, p]),
    "cq_run_destroy": (None, [p]),
    "cq_run_reset": (i, [p, p, i]),
    "cq_run_advance": (i, [p, i, p, z]),
    "cq_run_step": (i, [p]),
    "cq_run_control": (i, [p, i, p]),
    "cq_run_read_controls": (i, [p, i, p, z]),
    "cq_run_describe": (i, [p, i, i, p]),
    "cq_run_find": (i, [p, i, text]),
    "cq_run_observe": (i, [p, i, i, p, z]),
    "cq_run_read": (i, [p, i, p, z]),
    "cq_run_look": (i, [p, i, p, z]),
    "cq_run_read_input": (i, [p, i, p, z]),
    "cq_run_write": (i, [p, i, p, z]),
    "cq_run_save": (i, [p, p, p]),
    "cq_run_load": (i, [p, p, z]),
    "cq_run_seed": (i, [p, i, i, p, z]),
    "cq_run_clear_seeds": (i, [p]),
    "cq_run_earned": (i, [p, i, p, z]),
    "cq_run_seed_earned": (i, [p, i, i, d]),
    "cq_run_pull": (i, [p]),
    "cq_run_pull_to": (i, [p, i]),
    "cq_run_gradient": (i, [p, i, p, z]),
}


def _open() -> C.CDLL:
    """The library of the wheel, or the one that CQOPT_LIBRARY names."""
    path = os.environ.get("CQOPT_LIBRARY") or os.path.join(os.path.dirname(__file__), "libcqopt.so")
    # teams of OpenMP that wait must not spin beside Python's own threads
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    loaded = C.CDLL(path)
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    if loaded.cq_abi() != ABI:
        raise ImportError(f"{path} has the binary interface {loaded.cq_abi()}, not {ABI}")
    return loaded


lib = _open()

# --- statuses ---------------------------------------------------------------------------------


# CQ_STATUS_LIST, in its order: what numbers in a record mean
STATUSES = ("OK", "USAGE", "CONFIG", "IO", "BUDGET", "INFEASIBLE", "NONFINITE", "OUT_OF_ROOM",
            "DEFORMED", "TOO_FAST", "TEARS", "OPTIMIZER", "NOT_STATIONARY", "FLAT", "TORN",
            "VERIFICATION", "MEMORY", "DEVICE", "INTERRUPTED", "TERMINATED", "SOLVER", "NEIGHBOURS")
CODES = {name: code for code, name in enumerate(STATUSES)}
GRADIENTS = ("exact", "tangent", "heuristic", "difference", "none")


def status_name(code: int) -> str:
    return STATUSES[code] if 0 <= code < len(STATUSES) else f"status {code}"


def failure(code: int, sentence: str) -> BaseException:
    """The exception of a status, with what the program would say."""
    name = status_name(code)
    numeric = bool(lib.cq_status_is_numeric(code))
    return error_class(name, numeric)(sentence or decoded(lib.cq_status_text(code)), name,
                                      lib.cq_status_exit_code(code))


def decoded(value: Optional[bytes]) -> str:
    return "" if value is None else value.decode("utf-8", "replace")


# --- arrays -----------------------------------------------------------------------------------


def numbers(values: Any, what: str) -> np.ndarray:
    """values as contiguous doubles; TypeError where they are no real numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what} wants real numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def address(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def encoded(strings: Sequence[str]) -> Any:
    """An array of C strings."""
    return (C.c_char_p * max(len(strings), 1))(*[s.encode() for s in strings])


# --- contexts ---------------------------------------------------------------------------------

Log = Callable[[str, str], None]
LEVELS = ("info", "warning", "error")


class Context:
    """A cq_ctx. One call at a time: another one, of a thread or a callback, is refused."""

    def __init__(self, threads: int, seed: int, log: Optional[Log]) -> None:
        self.handle = lib.cq_ctx_create(threads, seed)
        if not self.handle:
            raise MemoryError("out of memory")
        self.busy = threading.Lock()
        self._log = log_fn(lambda user, level, line: log(LEVELS[level], decoded(line))
                           if log is not None else None)
        if log is not None:
            lib.cq_ctx_set_log(self.handle, self._log, None)
        self._end = weakref.finalize(self, lib.cq_ctx_destroy, self.handle)

    def __enter__(self) -> "Context":
        if not self.busy.acquire(blocking=False):
            raise error_class("USAGE", False)(
                "a call is under way with this problem: in another thread, or it is this call's "
                "callback; load it once more", "USAGE", 1)
        return self

    def __exit__(self, *rest: Any) -> None:
        self.busy.release()

    def check(self, status: int) -> None:
        """Raises what a status says."""
        if status:
            raise failure(status, decoded(lib.cq_ctx_error(self.handle)))

    def text(self, call: Callable[[Any, Any], int]) -> str:
        """A text that is asked for twice: how long it is, and what it is."""
        size = z(0)
        self.check(call(None, C.byref(size)))
        buffer = C.create_string_buffer(size.value)
        self.check(call(buffer, C.byref(size)))
        return decoded(buffer.value)
