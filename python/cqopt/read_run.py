"""Reading a run folder, whoever wrote it: the program or Problem.solve."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional

import numpy as np

from ._repr import Shapes
from .errors import FileError
from .evals import Evaluations, read_evals
from .motion import Motion, read_motion

Table = dict[str, np.ndarray]


def read_csv(path: str) -> Table:
    """A table as columns by name: numbers where all of them are, else texts."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows:
        return {}
    columns = list(zip(*rows[1:])) if len(rows) > 1 else [()] * len(rows[0])
    return {name: _column(column) for name, column in zip(rows[0], columns)}


def _column(texts: Any) -> np.ndarray:
    try:
        return np.array([float(t) if t != "" else np.nan for t in texts])
    except ValueError:
        return np.array(texts, dtype=str)


@dataclass(repr=False)
class Trajectory(Shapes):
    """trajectory.h5 in memory. time [T] s, step [T]; bodies and body [N]: index into them; frames:
    field -> [T, N, ...], vectors with three components in 2D too; fixed: field -> [N, ...]; units
    by field. depth: camera -> its depth images [T, high, wide] m."""

    time: np.ndarray
    step: np.ndarray
    bodies: list[str]
    body: np.ndarray
    frames: dict[str, np.ndarray]
    fixed: dict[str, np.ndarray]
    units: dict[str, str]
    depth: dict[str, np.ndarray]


def _text(value: Any) -> str:
    return value.decode().rstrip("\0") if isinstance(value, bytes) else str(value)


def read_trajectory(path: str) -> Trajectory:
    """Reads a trajectory.h5, by h5py (ImportError without it)."""
    import h5py
    with h5py.File(path, "r") as file:
        names = sorted(file["frames"])
        found = list(file["frames"][names[0]]) if names else []
        known = {"time", "step", "bodies", "body", "particle", "frames", "surface", "movers",
                 "cameras"}
        cameras = file["cameras"] if "cameras" in file else {}
        first = {f: file["frames"][names[0]][f] for f in found}
        alone = {f: file[f] for f in file if f not in known}
        units = {f: _text(d.attrs.get("unit", "")) for f, d in {**first, **alone}.items()}
        return Trajectory(
            file["time"][()], file["step"][()], [_text(b) for b in file["bodies"][()]],
            file["body"][()],
            {f: np.stack([file["frames"][k][f][()] for k in names]) for f in found},
            {f: d[()] for f, d in alone.items()}, units,
            {c: np.stack([cameras[c][k][()] for k in names]) for c in cameras})


class RunFolder:
    """A run folder. What is not there is None; files are read when they are first asked for.

    folder: its path. info: run.json, a dict. history, design, observations, particles, starts,
    adjoint, uncertainty, residuals: the tables as dicts of columns. evaluations: evals.bin. motion:
    motion.bin. trajectory: trajectory.h5 (needs h5py). problem_text, log: problem.cfg and log.txt."""

    def __init__(self, folder: str) -> None:
        self.folder = os.fspath(folder)
        if not os.path.isdir(self.folder):
            raise FileError(f"there is no run folder {self.folder}", "IO", 2)

    def _path(self, name: str) -> Optional[str]:
        path = os.path.join(self.folder, name)
        return path if os.path.exists(path) else None

    def _read(self, name: str, read: Any) -> Any:
        path = self._path(name)
        return None if path is None else read(path)

    @cached_property
    def info(self) -> dict[str, Any]:
        def read(path: str) -> dict[str, Any]:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        return self._read("run.json", read) or {}

    @property
    def status(self) -> Optional[str]:
        """How the run ended: "OK", "BUDGET", ...; "running"."""
        return self.info.get("status")

    @property
    def exit_code(self) -> Optional[int]:
        return self.info.get("exit_code")

    @property
    def reason(self) -> Optional[str]:
        """Why it ended, a sentence."""
        return self.info.get("reason")

    @property
    def f(self) -> Optional[float]:
        """The objective at the best point."""
        return self.info.get("f")

    @cached_property
    def history(self) -> Optional[Table]:
        return self._read("history.csv", read_csv)

    @cached_property
    def design(self) -> Optional[Table]:
        """name, unit, best, start, lower, upper [variables], in the units of the file."""
        return self._read("design.csv", read_csv)

    @cached_property
    def observations(self) -> Optional[Table]:
        return self._read("observations.csv", read_csv)

    @cached_property
    def particles(self) -> Optional[Table]:
        return self._read("particles.csv", read_csv)

    @cached_property
    def starts(self) -> Optional[Table]:
        return self._read("starts.csv", read_csv)

    @cached_property
    def adjoint(self) -> Optional[Table]:
        return self._read("adjoint.csv", read_csv)

    @cached_property
    def uncertainty(self) -> Optional[Table]:
        """Of a fit by the program, uncertainty.csv: name, unit, value, standard_error, lower_95,
        upper_95 and correlations [variables]."""
        return self._read("uncertainty.csv", read_csv)

    @cached_property
    def residuals(self) -> Optional[Table]:
        """Of a fit by the program, residuals.csv: scenario, term, marker, component, time,
        measured, simulated, residual, weight, standardised [residuals]."""
        return self._read("residuals.csv", read_csv)

    @cached_property
    def evaluations(self) -> Optional[Evaluations]:
        return self._read("evals.bin", read_evals)

    @cached_property
    def motion(self) -> Optional[Motion]:
        return self._read("motion.bin", read_motion)

    @cached_property
    def trajectory(self) -> Optional[Trajectory]:
        return self._read("trajectory.h5", read_trajectory)

    @cached_property
    def problem_text(self) -> Optional[str]:
        return self._read("problem.cfg", _read_text)

    @cached_property
    def log(self) -> Optional[str]:
        return self._read("log.txt", _read_text)

    def problem(self, **options: Any) -> Any:
        """The problem of the run, loaded from its problem.cfg."""
        from .problem import load
        return load(os.path.join(self.folder, "problem.cfg"), **options)

    def to_pandas(self, table: str = "history") -> Any:
        """A table ("history", "design", "observations", ...) as a DataFrame; needs pandas."""
        import pandas
        return pandas.DataFrame(getattr(self, table) or {})

    def __repr__(self) -> str:
        return f"<cqopt.RunFolder {self.folder}: {self.info.get('problem')}, {self.status}>"


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_run(folder: str) -> RunFolder:
    """A run folder, of the program or of Problem.solve. FileError where there is none."""
    return RunFolder(folder)
