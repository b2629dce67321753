"""Reading motion.bin: the motions that a report shows, of some thousand particles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np

from ._repr import Shapes
from .errors import FileError


@dataclass(repr=False)
class Take(Shapes):
    """A motion of T frames. time [T] s; x [T, N, D] m; fields: name -> [T, N]; fixed: name -> [N];
    points [T, P, D] m; sampled [C] s with controls [C, U]; note: how it ended before its end."""

    time: np.ndarray
    x: np.ndarray
    fields: dict[str, np.ndarray]
    fixed: dict[str, np.ndarray]
    points: np.ndarray
    sampled: np.ndarray
    controls: np.ndarray
    note: str


@dataclass(repr=False)
class Motion(Shapes):
    """The takes of a scene by label ("first", "best"), of N particles that were kept.

    particle [N]: which they are; body [N]: index into bodies; units: of fields and controls.
    faces [S, D], carriers [V, 16], weights [V, 16]: the surface, or None."""

    bodies: list[str]
    particle: np.ndarray
    body: np.ndarray
    points: list[str]
    controls: list[str]
    units: dict[str, str]
    takes: dict[str, Take]
    faces: Optional[np.ndarray] = None
    carriers: Optional[np.ndarray] = None
    weights: Optional[np.ndarray] = None


class _Reader:
    """Sections one after another, each padded to 8 bytes."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self.data = file.read()
        self.path, self.at = path, 0

    def take(self, dtype: str, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        size = count * np.dtype(dtype).itemsize
        if self.at + size > len(self.data):
            raise FileError(f"{self.path} is cut off", "IO", 2)
        got = np.frombuffer(self.data, dtype, count, self.at).reshape(shape)
        self.at += size + -size % 8
        return got

    def texts(self, count: int) -> list[str]:
        return [bytes(row).split(b"\0")[0].decode() for row in self.take("u1", count, 48)]


def _read_take(r: _Reader, head: dict[str, int], box: np.ndarray, names: dict[str, list[str]],
               ranges: np.ndarray) -> Take:
    dim, n = head["D"], head["N"]
    counts = r.take("u1", 56)
    frames, samples = np.frombuffer(counts[:8].tobytes(), "u4")
    note = counts[8:].tobytes().split(b"\0")[0].decode()
    time = r.take("f8", frames)
    fixed = r.take("f4", head["S"], n)
    points = r.take("f4", frames, head["P"], dim)
    sampled = r.take("f8", samples)
    controls = r.take("f4", samples, head["U"])
    x = box[0, :dim] + r.take("u2", frames, n, dim) * (box[1, :dim] / 65535)
    fields = r.take("u1", head["K"], frames, n)
    low, high = ranges[:, 0, None, None], ranges[:, 1, None, None]
    values = low + fields * ((high - low) / 255)
    return Take(time, x, dict(zip(names["fields"], values)), dict(zip(names["fixed"], fixed)),
                points, sampled, controls, note)


def read_motion(path: str) -> Motion:
    """Reads a motion.bin; FileError where it is none, or cut off."""
    r = _Reader(path)
    raw = r.take("u1", 56) if len(r.data) >= 56 else np.zeros(56, "u1")
    head32 = np.frombuffer(raw[8:].tobytes(), "u4")
    if raw[:8].tobytes() != b"cqmotion" or head32[1] != 0x01020304 or head32[0] not in (1, 2):
        raise FileError(f"{path} is no motion.bin of this version", "IO", 2)
    names = ("D", "total", "N", "B", "K", "S", "P", "U", "M", "L")
    head = dict(zip(names, (int(v) for v in head32[2:])))
    box = r.take("f8", 2, 3)
    count = {"bodies": head["B"], "fields": 2 * head["K"], "fixed": 2 * head["S"],
             "points": head["P"], "controls": 2 * head["U"], "labels": head["L"]}
    texts = r.texts(sum(count.values()))
    lists, at = {}, 0
    for name, size in count.items():
        lists[name] = texts[at:at + size]
        at += size
    units: dict[str, str] = {}
    for name in ("fields", "fixed", "controls"):
        units.update(zip(lists[name][::2], lists[name][1::2]))
        lists[name] = lists[name][::2]
    labelled = r.take("u4", head["L"])
    particle, body = r.take("u4", head["N"]), r.take("u4", head["N"])
    ranges = r.take("f4", head["K"], 2)
    takes = [_read_take(r, head, box, lists, ranges) for _ in range(head["M"])]
    motion = Motion(lists["bodies"], particle, body, lists["points"], lists["controls"], units,
                    {label: takes[i] for label, i in zip(lists["labels"], labelled)})
    if head32[0] == 2:
        v, s, carriers, _ = (int(k) for k in r.take("u4", 4))
        motion.faces = r.take("u4", s, head["D"])
        motion.carriers = r.take("u4", v, carriers)
        motion.weights = r.take("f4", v, carriers)
    return motion
