"""scipy.optimize on a problem file: L-BFGS-B with bounds, SLSQP with constraints.

Objective, constraints and their gradients come from one evaluation, which is remembered, as scipy
asks for them one after the other."""

import numpy as np
import scipy.optimize

import cqopt


class Functions:
    """What scipy calls. A design that cannot be simulated has an f above all that were seen."""

    def __init__(self, problem):
        self.problem, self.x, self.worst, self.count = problem, None, 0.0, 0

    def at(self, x):
        if self.x is None or not np.array_equal(x, self.x):
            self.x, self.count = np.array(x), self.count + 1
            try:
                self.a = self.problem.evaluate(x, gradient=True)
                self.worst = max(self.worst, self.a.f)
            except cqopt.SimulationError as failed:
                print(failed)
                m, n = self.problem.inequalities + self.problem.equalities, len(x)
                self.a = cqopt.Evaluation(2 * self.worst + 1, np.ones(m), np.zeros(0), 1.0,
                                          np.zeros(n), np.zeros((m, n)))
        return self.a

    def f(self, x):
        return self.at(x).f, self.at(x).grad

    def constraints(self):
        """scipy's inequalities are >= 0, those of a file <= 0."""
        k = self.problem.inequalities
        rules = [("ineq", slice(0, k), -1.0), ("eq", slice(k, None), 1.0)]
        return [{"type": kind, "fun": lambda x, p=part, s=sign: s * self.at(x).c[p],
                 "jac": lambda x, p=part, s=sign: s * self.at(x).jac[p]}
                for kind, part, sign in rules if self.at(self.problem.start).c[part].size]


def minimise(problem, method, **options):
    functions = Functions(problem)
    bounds = scipy.optimize.Bounds(problem.lower, problem.upper)
    r = scipy.optimize.minimize(functions.f, problem.start, jac=True, method=method, bounds=bounds,
                                constraints=functions.constraints() if method == "SLSQP" else (),
                                options=options)
    print(f"{problem.name} by {method}: f = {r.fun:.4g} at {problem.to_values(r.x)[:3]} "
          f"after {functions.count} evaluations: {r.message}")
    return r


minimise(cqopt.load("bounce"), "L-BFGS-B", maxiter=10)
landing = [{"term": "mean_position", "body": "ball", "direction": "x", "upper": 0.55}]
minimise(cqopt.load("bounce", {"constraints": landing}), "SLSQP", maxiter=20)
