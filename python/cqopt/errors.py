"""Exceptions: each has the sentence of the library, `status` and `exit_code`."""

from __future__ import annotations

from typing import Any, Type


class CqoptError(Exception):
    """What the library could not do.

    str(error) is its sentence; `status` the name of the status ("CONFIG"), `exit_code` what the
    program would end with."""

    def __init__(self, sentence: str, status: str = "", exit_code: int = 1) -> None:
        super().__init__(sentence)
        self.status, self.exit_code = status, exit_code


class UsageError(CqoptError, ValueError):
    """A wrong call: a length, an index, the order, use after close."""


class ConfigError(CqoptError, ValueError):
    """A wrong problem file or setting; the sentence names file, line, key and what to do."""


class FileError(CqoptError, OSError):
    """Input or output failed."""

    __str__ = Exception.__str__


class SimulationError(CqoptError, ArithmeticError):
    """A simulation failed: another design may succeed."""


class OutOfMemory(CqoptError, MemoryError):
    """More memory is needed than there is, or than simulation.memory allows."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a solve, which ended after the evaluation in flight and closed its folder.

    `result` is what was found till then, a Solution."""

    def __init__(self, sentence: str, status: str = "INTERRUPTED", exit_code: int = 130,
                 result: Any = None) -> None:
        super().__init__(sentence)
        self.status, self.exit_code, self.result = status, exit_code, result


_CLASSES: dict[str, Type[BaseException]] = {
    "USAGE": UsageError, "CONFIG": ConfigError, "IO": FileError, "MEMORY": OutOfMemory,
    "INTERRUPTED": Interrupted, "TERMINATED": Interrupted}


def error_class(status: str, numeric: bool) -> Type[BaseException]:
    """The class of a status; numeric: it is how one simulation ended."""
    return SimulationError if numeric else _CLASSES.get(status, CqoptError)
