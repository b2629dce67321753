"""An evaluation as a function of jax: in a jit, with its gradient by the simulator.

Needs jax. The file's own gradient goes back through what is made of f; second derivatives, vmap
and jax on a GPU are not for it."""

import jax
import jax.numpy as jnp
import numpy as np

import cqopt

jax.config.update("jax_enable_x64", True)
problem = cqopt.load("velocity_2d", {"simulation.steps": 200})
number = jax.ShapeDtypeStruct((), float)
design = jax.ShapeDtypeStruct((problem.variables,), float)


def both(x):
    a = problem.evaluate(np.asarray(x), gradient=True)
    return a.f, a.grad


@jax.custom_vjp
def objective(x):
    return jax.pure_callback(lambda x: problem.evaluate(np.asarray(x)).f, number, x)


objective.defvjp(lambda x: jax.pure_callback(both, (number, design), x),
                 lambda grad, d: (d * grad,))


@jax.jit
@jax.value_and_grad
def regularized(x):
    return objective(x) + 1e-3 * jnp.sum(x ** 2)


x = jnp.asarray(problem.start)
for step in range(20):
    value, grad = regularized(x)
    if step % 5 == 0:
        print(f"step {step:2d}: {value:.6f}")
    x = x - 20 * grad
print(f"{problem.name}: {value:.6f} at {np.asarray(x).round(3)}, |grad| {np.abs(grad).max():.1e}")
