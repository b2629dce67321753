"""An objective of your own: Python functions of what is observed, with gradients by the simulator.

The finger is to bring its tip far to the right, gently: the tip's place at the end, and at every
state its speed, which stays below a bound on average."""

import numpy as np

import cqopt

problem = cqopt.load("finger", {"simulation.steps": 100})

# value(z) takes {name: [states, k]}; gradient(z) has d(value)/dz in the same shapes
to_the_right = cqopt.Term(
    observe={"tip.position": -1},
    value=lambda z: -z["tip.position"][0, 0],
    gradient=lambda z: {"tip.position": np.array([[-1.0, 0.0]])})
gently = cqopt.Term(
    observe={"tip.velocity": "all"}, relation="<=", bound=0.02,
    value=lambda z: (z["tip.velocity"] ** 2).sum(axis=1).mean(),
    gradient=lambda z: {"tip.velocity": 2 * z["tip.velocity"] / len(z["tip.velocity"])})

found = problem.solve(objective=to_the_right, constraints=gently, name="slsqp",
                      max_evaluations=10, progress=True)
print(f"{found.status}: {found.reason}")
print(f"the tip is at x = {-found.f:.3f} m, from 0.5 m, violation {found.violation:.1e}")
