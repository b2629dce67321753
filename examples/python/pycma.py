"""pycma on a problem file, ask and tell: a generation is evaluated side by side on all cores.

x is scaled by Problem.scale, so that one step size serves all variables. A design that cannot be
simulated is told as NaN, which pycma draws again."""

import cma
import numpy as np

import cqopt

problem = cqopt.load("bounce")
scale = problem.scale
lower, upper = problem.lower / scale, problem.upper / scale
es = cma.CMAEvolutionStrategy(problem.start / scale, 0.3, {
    "bounds": [np.where(np.isfinite(lower), lower, None).tolist(),
               np.where(np.isfinite(upper), upper, None).tolist()],
    "seed": 1, "maxfevals": 150, "verbose": -9})
failures = 0
while not es.stop():
    designs = es.ask()
    answers = problem.evaluate_many(np.array(designs) * scale)
    failures += sum(a.status != "OK" for a in answers)
    # constraints, where a file has some, as a penalty on what they are violated by
    es.tell(designs, [a.f + 1e3 * max(a.violation, 0.0) for a in answers])
best = es.result.xbest * scale
print(f"f = {es.result.fbest:.3g} at {problem.to_values(best)} after {es.result.evaluations} "
      f"evaluations, {failures} of which failed")
print(f"checked: {problem.evaluate(best).f:.3g}")
