#!/usr/bin/env python3
"""A driver for Dakota's fork interface: driver.py PROBLEM.cfg PARAMETERS RESULTS

Evaluates PROBLEM.cfg by `cqopt evaluate` at the variables of a parameters file in Dakota's standard
format, and writes values and gradients as its active set vector asks for. Variables are taken in the
order of the design; functions are the objective, the inequalities, then the equalities. A design that
cannot be simulated is written as "fail", which failure_capture answers. Anything else that goes wrong
leaves no results and a message."""
import json
import os
import subprocess
import sys

VALUE, GRADIENT, HESSIAN = 1, 2, 4
SIMULATION_FAILED = 5  # exit code of cqopt


def read_parameters(path):
    """Values of the variables; for each function what is wanted; places of the derivative variables."""
    lines = [line.split() for line in open(path) if line.strip()]

    def take(word):
        while lines and lines[0][1] != word:
            lines.pop(0)
        if not lines:
            sys.exit(f"driver.py: {path}: no {word}; Dakota's standard format is wanted, not aprepro")
        count = int(lines.pop(0)[0])
        return [lines.pop(0)[0] for _ in range(count)]

    values = take("variables")
    return values, [int(a) for a in take("functions")], [int(i) - 1 for i in take("derivative_variables")]


def evaluate(problem, values, gradient):
    """The design as cqopt prints it; None: it cannot be simulated."""
    command = [os.environ.get("CQOPT", "cqopt"), "evaluate", problem, "--at", "-"] + ["--gradient"] * gradient
    done = subprocess.run(command, input=" ".join(values), stdout=subprocess.PIPE, text=True)
    if done.returncode == SIMULATION_FAILED:
        return None
    if done.returncode != 0:
        sys.exit(f"driver.py: cqopt ended with exit code {done.returncode}")
    return json.loads(done.stdout)["designs"][0]


def write_results(path, design, wanted, variables):
    functions = [design["f"]] + design["constraints"]
    if len(functions) != len(wanted):
        sys.exit(f"driver.py: Dakota wants {len(wanted)} functions, and the problem has {len(functions)}: "
                 "the objective and its constraints")
    gradients = [design["gradient"]] + design["jacobian"] if "gradient" in design else []
    with open(path, "w") as out:
        for value, ask in zip(functions, wanted):
            if ask & VALUE:
                print(repr(value), file=out)
        for ask, i in zip(wanted, range(len(functions))):
            if ask & GRADIENT:
                print("[", *(repr(gradients[i][j]) for j in variables), "]", file=out)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: driver.py PROBLEM.cfg PARAMETERS RESULTS")
    problem, parameters, results = sys.argv[1:]
    values, wanted, variables = read_parameters(parameters)
    if any(ask & HESSIAN for ask in wanted):
        sys.exit("driver.py: there are no Hessians; write no_hessians or quasi_hessians into the input file")
    design = evaluate(problem, values, any(ask & GRADIENT for ask in wanted))
    if design is None:
        with open(results, "w") as out:
            print("fail", file=out)
        return
    write_results(results, design, wanted, variables)


main()
