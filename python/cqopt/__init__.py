"""cqopt: design optimization with a differentiable simulator.

load(), parse(): a problem file as a Problem. read_run(): what a run left in its folder. minimise():
any function by a method of the program. Term: an objective of your own of what is observed in a
simulation. cqopt.torch and cqopt.gym are imported by their names; they need torch and gymnasium."""

from ._lib import decoded as _decoded
from ._lib import lib as _library
from .errors import (ConfigError, CqoptError, FileError, Interrupted, OutOfMemory, SimulationError,
                     UsageError)
from .problem import Block, Evaluation, Function, Problem, Variable, builtins, load, parse
from .read_run import RunFolder, read_run
from .run import Control, Quantity, Run
from .solve import Record, Solution, minimise
from .terms import Term

__version__ = _decoded(_library.cq_version())

__all__ = ["Block", "ConfigError", "Control", "CqoptError", "Evaluation", "FileError", "Function",
           "Interrupted", "OutOfMemory", "Problem", "Quantity", "Record", "Run", "RunFolder",
           "SimulationError", "Solution", "Term", "UsageError", "Variable", "builtins", "load",
           "minimise", "parse", "read_run"]
