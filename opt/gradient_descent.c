/* Gradient descent as the papers run it: x <- P(x - lr v), v <- momentum v + clip(g), P the
 * projection on the bounds. It works in user units: a published learning rate means what it says.
 */
#include "descent.h"
#include "status.h"

static bool step(cq_descent *d, const double *grad, double rate) {
  const cq_optimizer_def *def = d->run->def;
  double *v = d->memory[0];
  bool moved = false;
  for (int j = 0; j < d->run->problem->n; j++) {
    v[j] = def->momentum * v[j] + cq_descent_clip(def, grad[j]);
    const double next = cq_descent_project(d->run->problem, j, d->x[j] - rate * v[j]);
    moved = moved || next != d->x[j];
    d->x[j] = next;
  }
  return moved || def->momentum > 0;
}

static cq_status run(cq_run *run) {
  return cq_descend(run, step);
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  (void)problem;
  CQ_TRY(cq_descent_check(ctx, def));
  CQ_CHECK(ctx, def->momentum >= 0 && def->momentum < 1, CQ_CONFIG,
           "gradient_descent needs 0 <= optimizer.momentum < 1, not %g", def->momentum);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_gradient_descent = {
    .name = "gradient_descent",
    .help = "x <- x - learning_rate v, v <- momentum v + clip(gradient); bounds by projection",
    .needs_gradient = true,
    .handles_bounds = true,
    .handles_inequality = false,
    .handles_equality = false,
    .check = check,
    .run = run,
};
