"""pycma beside cqopt's CMA-ES. Needs pycma 4.4.0 (pip install cma==4.4.0).

    cmaes_pycma.py [TABLE]    medians of 15 runs of pycma to f <= 1e-9, beside those of TABLE,
                              ../../results/reference/cmaes_pycma.csv by default; exit code 1 where
                              they are more than 15 % apart
    cmaes_pycma.py --figures  what four fixed generations make of mean, sigma, paths and C: the
                              figures of tests/test_opt_cmaes.c

--variables 10 measures these rows of the table alone (all take some ten minutes)."""

import argparse
import csv
import math
import os
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import cma  # noqa: E402

SEEDS = range(1, 16)


def powers(n, most):
    return most ** (np.arange(n) / (n - 1))


FUNCTIONS = {
    "sphere": lambda x: np.sum(x**2),
    "ellipsoid": lambda x: np.sum(powers(len(x), 1e6) * x**2),
    "cigar": lambda x: x[0] ** 2 + 1e6 * np.sum(x[1:] ** 2),
    "discus": lambda x: 1e6 * x[0] ** 2 + np.sum(x[1:] ** 2),
    "rosenbrock": lambda x: np.sum(100 * (x[:-1] ** 2 - x[1:]) ** 2 + (x[:-1] - 1) ** 2),
    "different_powers": lambda x: np.sum(np.abs(x) ** (2 + 10 * np.arange(len(x)) / (len(x) - 1))),
}


def evaluations(name, n, separable, seed):
    """to the target; None where pycma stops before"""
    start = 0.0 if name == "rosenbrock" else 1.0
    options = {"verbose": -9, "seed": seed, "ftarget": 1e-9, "CMA_diagonal": separable,
               "maxfevals": 300000}
    es = cma.CMAEvolutionStrategy([start] * n, 0.5, options)
    while not es.stop():
        candidates = es.ask()
        es.tell(candidates, [FUNCTIONS[name](x) for x in candidates])
    return es.result.evaluations if "ftarget" in es.stop() else None


def compare(table, variables):
    apart = 0
    print("function,method,variables,cqopt_median,pycma_median,ratio,pycma_successes")
    for row in csv.DictReader(table):
        n = int(row["variables"])
        if variables not in (None, n):
            continue
        counts = [evaluations(row["function"], n, row["method"] == "separable", s) for s in SEEDS]
        arrived = [c for c in counts if c is not None]
        median, ours = np.median(arrived), float(row["median_evaluations"])
        apart += abs(ours / median - 1) > 0.15
        print(f"{row['function']},{row['method']},{n},{ours:.0f},{median:.0f},{ours / median:.3f},"
              f"{len(arrived)}", flush=True)
    return apart


def fixed(g, k, j, drift):
    bump = 0.2 * j if k % 3 == 0 else 0
    return 1 + 0.4 * math.sin(7.1 * k + 3.3 * j + 1.7 * g + 0.5 * k * j) + bump + drift * g


def steps(separable, drift, n=4):
    es = cma.CMAEvolutionStrategy([1] * n, 0.5, {"verbose": -9, "CMA_diagonal": separable})
    if not separable:  # without the spread of 1e-4 that pycma gives the axes at the start
        es.sm.C, es.sm.D, es.sm.B = np.eye(n), np.ones(n), np.eye(n)
        es._updateBDfromSM(es.sm)
    for g in range(4):
        es.ask()
        candidates = [np.array([fixed(g, k, j, drift) for j in range(n)])
                      for k in range(es.popsize)]
        values = [math.cos(2.3 * k + 0.9 * g) for k in range(es.popsize)]
        es.tell(candidates, values, check_points=False)
    spread = es.sigma_vec.scaling if separable else es.sm.C.flatten()
    print(f"separable {separable}, drift {drift}: sigma {float(es.sigma)!r}")
    for label, numbers in (("mean", es.mean), ("ps", es.adapt_sigma.ps), ("pc", es.pc),
                           ("axes" if separable else "C", spread)):
        print(f"  {label} {[float(x) for x in numbers]}")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="?",
                        default=os.path.join(here, "../../results/reference/cmaes_pycma.csv"))
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--variables", type=int)
    arguments = parser.parse_args()
    if arguments.figures:
        for separable in (False, True):
            for drift in (0, 1.5):
                steps(separable, drift)
        return 0
    with open(arguments.table, newline="", encoding="utf-8") as table:
        return 1 if compare(table, arguments.variables) else 0


if __name__ == "__main__":
    sys.exit(main())
