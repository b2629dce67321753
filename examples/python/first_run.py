"""A first run: a problem is loaded, evaluated, solved, and its run folder read."""

import sys
import tempfile

import cqopt

folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()

# settings as of --set; a path of a problem file of your own stands in place of the name
problem = cqopt.load("bounce", {"optimizer.max_evaluations": 30})
print(problem.describe())
for variable in problem.design:
    print(f"{variable.label}: starts at {variable.start} {variable.unit}")

first = problem.evaluate(gradient=True)
print(f"at the start f = {first.f:.4g}, df/dx = {first.grad}")

found = problem.solve(f"{folder}/run", progress=True)
print(f"{found.status}: {found.reason}")
print(f"f = {found.f:.3g} at {found.values} after {found.evaluations} evaluations")

run = cqopt.read_run(f"{folder}/run")
print("f by evaluation:", run.evaluations.f)
