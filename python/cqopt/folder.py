"""The folder of a solve whose functions are Python's; the library writes those of files."""

from __future__ import annotations

import csv
import datetime
import json
import math
import os
import platform
import sys
from typing import Any, Callable, Optional

from ._lib import decoded, lib
from .evals import EvalsWriter


def _number(value: float) -> Any:
    return value if math.isfinite(value) else None


def _write_run(folder: str, problem: Any, solution: Any) -> None:
    """run.json. It has no hash of the problem, so that nothing goes on from here with the functions
    of the file. Written under another name and renamed: a reader finds a whole one or none."""
    now = datetime.datetime.now(datetime.timezone.utc)
    started = now - datetime.timedelta(seconds=solution.seconds)
    stamp = "%Y-%m-%dT%H:%M:%SZ"
    run = {
        "command": "solve", "problem": problem.name, "title": problem.title,
        "command_line": ["python"] + sys.argv[:1],
        "version": decoded(lib.cq_version()), "simd": decoded(lib.cq_capability(b"simd")),
        "device": problem.device, "seed": problem._seed,
        "threads": lib.cq_ctx_threads(problem._context.handle),
        "host": platform.node(), "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "started": started.strftime(stamp), "pid": os.getpid(),
        "gradient": problem.gradient, "ended": now.strftime(stamp),
        "status": solution.status, "exit_code": solution.exit_code, "reason": solution.reason,
        "f": _number(solution.f), "violation": _number(solution.violation),
        "kkt_residual": _number(solution.kkt_residual),
        "best_evaluation": solution.best_index, "evaluations": solution.evaluations,
        "gradients": solution.gradients, "failures": solution.failures,
        "seconds": solution.seconds, "simulations": solution.simulations,
    }
    path = os.path.join(folder, "run.json")
    with open(path + ".new", "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(f'  "{k}": {json.dumps(v)}' for k, v in run.items()) + "\n}\n")
    os.replace(path + ".new", path)


class OwnFolder:
    """The folder of a solve by functions of one's own: problem.cfg, evals.bin, design.csv and
    run.json. The objective of problem.cfg is not the one that was minimised."""

    def __init__(self, folder: Any, problem: Any, constraints: int) -> None:
        self.folder, self.problem = os.fspath(folder), problem
        os.makedirs(self.folder, exist_ok=True)
        self._evals = EvalsWriter(self.folder, problem.variables, constraints)
        with open(os.path.join(self.folder, "problem.cfg"), "w", encoding="utf-8") as out:
            out.write(problem.resolved)

    def listener(self, callback: Optional[Callable[[Any], None]]) -> Callable[[Any], None]:
        """Records, then calls back."""
        def listen(record: Any) -> None:
            self._evals(record)
            if callback is not None:
                callback(record)
        return listen

    def end(self, solution: Any) -> None:
        """design.csv and run.json."""
        self._evals.close()
        solution.folder = self.folder
        with open(os.path.join(self.folder, "design.csv"), "w", newline="",
                  encoding="utf-8") as out:
            table = csv.writer(out, lineterminator="\n")
            table.writerow(["name", "unit", "best", "start", "lower", "upper"])
            for v, best in zip(self.problem.design, solution.values):
                table.writerow([v.label, v.unit, repr(float(best)), v.start, v.lower, v.upper])
        _write_run(self.folder, self.problem, solution)
