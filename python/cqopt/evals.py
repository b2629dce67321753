"""Reading and writing evals.bin, every evaluation of a run in full precision (docs/runs.md)."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._lib import CODES
from ._repr import Shapes
from .errors import FileError

_HEAD, _MAGIC, _MARK = struct.Struct("=8s6I"), b"cqevals\0", 0x01020304
_FIXED = struct.Struct("=6i2d")


@dataclass(repr=False)
class Evaluations(Shapes):
    """The records of evals.bin, E of them, in their order.

    index [E]: the number of the evaluation; a gradient that was fetched later is a record of its
    own with the same one. x [E, variables]: the optimizer's. f, violation [E]. c [E, constraints].
    other [E, k]: the terms of the objective, if there are several. parts [E, p]. grad [E,
    variables], jac [E, constraints, variables] and part_slopes [E, p, variables]: NaN where
    has_gradient [E] is False. status [E]: 0 is OK. halved, simulations, probe [E].

    reduced [E, variables, 1 + variables]: of gauss_newton, the residuals and their derivatives,
    turned by an orthogonal matrix into rows of a residual and its derivatives; NaN where a record
    has none, (E, 0, 0) where no record has any. reduced_cost [E]: what they cost, in forward runs;
    0 without them."""

    index: np.ndarray
    has_gradient: np.ndarray
    status: np.ndarray
    halved: np.ndarray
    simulations: np.ndarray
    probe: np.ndarray
    f: np.ndarray
    violation: np.ndarray
    x: np.ndarray
    c: np.ndarray
    other: np.ndarray
    parts: np.ndarray
    grad: np.ndarray
    jac: np.ndarray
    part_slopes: np.ndarray
    reduced: np.ndarray
    reduced_cost: np.ndarray

    def __len__(self) -> int:
        return len(self.f)


def _records(data: bytes, sizes: tuple[int, ...]) -> tuple[list, list, list]:
    """The whole records, up to one that is torn: heads, values and gradients, and the reduced
    residuals after what they cost, None where there are none."""
    n, m, k, p = sizes
    values, slopes = n + m + k + p, n * (1 + m + p)
    more = {0: 0, 1: slopes, 2: 1 + n * (1 + n)}  # doubles, by the kind of record
    fixed, rows, reduced, at = [], [], [], _HEAD.size
    while at + 8 <= len(data):
        (size,) = struct.unpack_from("=Q", data, at)
        if at + 16 + size > len(data):
            break
        head = _FIXED.unpack_from(data, at + 8)
        count = values + more.get(head[1], 0)
        if head[1] == 3:  # residuals, which are not kept: as many as there is room for
            count = max(values, (size - _FIXED.size) // 8)
        elif head[1] not in more:
            count = -1
        if size != _FIXED.size + 8 * count:
            raise FileError(f"a record of evals.bin at byte {at} is damaged", "IO", 2)
        given = np.frombuffer(data, np.float64, count, at + 8 + _FIXED.size)
        row = np.full(values + slopes, np.nan)
        whole = values if head[1] >= 2 else count
        row[:whole] = given[:whole]
        fixed.append(head)
        rows.append(row)
        reduced.append(given[values:] if head[1] == 2 else None)
        at += 16 + size
    return fixed, rows, reduced


def _reduced(records: list, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The reduced residuals [E, n, 1 + n] and their costs [E]."""
    e = len(records)
    cost = np.array([0.0 if r is None else r[0] for r in records])
    if all(r is None for r in records):
        return np.empty((e, 0, 0)), cost
    nothing = np.full(n * (1 + n), np.nan)
    rows = np.array([nothing if r is None else r[1:] for r in records])
    return rows.reshape(e, n, 1 + n), cost


def read_evals(path: str) -> Evaluations:
    """Reads an evals.bin; FileError where it is none, or damaged."""
    with open(path, "rb") as file:
        data = file.read()
    head = _HEAD.unpack_from(data) if len(data) >= _HEAD.size else (b"", 0, 0, 0, 0, 0, 0)
    magic, version, mark, n, m, k, p = head
    if magic != _MAGIC or mark != _MARK or version not in (2, 3, 4, 5):
        raise FileError(f"{path} is no evals.bin of this version", "IO", 2)
    p = p if version > 2 else 0
    fixed, rows, reduced = _records(data, (n, m, k, p))
    e = len(fixed)
    column = [np.array([head[j] for head in fixed]) for j in range(8)]
    table = np.array(rows).reshape(e, -1) if e else np.empty((0, n + m + k + p + n * (1 + m + p)))
    ends = np.cumsum([0, n, m, k, p, n, m * n, p * n])
    parts = [table[:, a:b] for a, b in zip(ends[:-1], ends[1:])]
    return Evaluations(column[0], column[1] == 1, column[2], column[3], column[4],
                       column[5], column[6], column[7], parts[0], parts[1], parts[2], parts[3],
                       parts[4], parts[5].reshape(e, m, n), parts[6].reshape(e, p, n),
                       *_reduced(reduced, n))


def _checksum(payload: bytes) -> int:
    """64-bit FNV-1a."""
    h = 0xCBF29CE484222325
    for byte in payload:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


class EvalsWriter:
    """Writes the evaluations of a solve whose functions are Python's; the program writes others."""

    def __init__(self, folder: str, n: int, m: int) -> None:
        path = os.path.join(folder, "evals.bin")
        if os.path.exists(path):
            raise FileError(f"{path} is there already: give a new folder", "IO", 2)
        self._file = open(path, "xb")
        self._file.write(_HEAD.pack(_MAGIC, 5, _MARK, n, m, 0, 0))

    def __call__(self, r: Any) -> None:
        """A Record."""
        rows = [r.x, r.c] + ([r.grad, r.jac] if r.grad is not None else [])
        payload = _FIXED.pack(r.index, r.grad is not None, CODES.get(r.status, 0), r.refinement,
                              r.simulations, 1 + r.is_best if r.probe else 0, r.f, r.violation)
        payload += b"".join(np.ascontiguousarray(a).tobytes() for a in rows)
        self._file.write(struct.pack("=Q", len(payload)) + payload
                         + struct.pack("=Q", _checksum(payload)))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()
