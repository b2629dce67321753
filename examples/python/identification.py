"""Identification: how stiff is a ball and how was it thrown, of which only the way was seen?

The measurement is made here, by a run with other values and some noise. The unknowns are a design
of the file; the misfit to what was measured is an objective of one's own."""

import numpy as np

import cqopt

TRUE = np.array([8.0, 0.42, 0.3])  # Pa, m/s
unknown = [{"variable": "youngs_modulus", "body": "ball", "start": 5, "lower": 2, "upper": 11},
           {"variable": "initial_velocity", "body": "ball", "start": [0.3, 0.3]}]
problem = cqopt.load("bounce", {"design": unknown})

# every fifth state is seen, with an error of 0.1 mm
states = list(range(0, problem.steps + 1, 5))
with problem.run() as run:
    run.reset(problem.from_values(TRUE))
    run.advance(problem.steps)
    rng = np.random.default_rng(1)
    measured = run.observe("ball.position", states) + rng.normal(0, 1e-4, (len(states), 2))

misfit = cqopt.Term(
    observe={"ball.position": states},
    value=lambda z: ((z["ball.position"] - measured) ** 2).mean() / 1e-8,
    gradient=lambda z: {"ball.position": 2 * (z["ball.position"] - measured)
                        / measured.size / 1e-8})
found = problem.solve(objective=misfit, name="LD_SLSQP", max_evaluations=60)
print(f"{found.status}: misfit {found.f:.3g} after {found.evaluations} evaluations")
for variable, value, true in zip(problem.design, found.values, TRUE):
    print(f"{variable.label}: {value:.4g} {variable.unit}, is {true:g}")
