/* Adam (Kingma and Ba, 2015), with bounds by projection. In user units: published rates mean what
 * they say. */
#include "descent.h"
#include "status.h"

#include <math.h>

/* The moments run on where a bound holds x, as they would without bounds. */
static bool step(cq_descent *d, const double *grad, double rate) {
  const cq_optimizer_def *def = d->run->def;
  const double b1 = def->beta_1, b2 = def->beta_2;
  /* moments that begin at 0 are too small by these */
  const double bias_1 = 1 - pow(b1, d->steps), bias_2 = 1 - pow(b2, d->steps);
  double *m = d->memory[0], *v = d->memory[1];
  for (int j = 0; j < d->run->problem->n; j++) {
    const double g = cq_descent_clip(def, grad[j]);
    m[j] = b1 * m[j] + (1 - b1) * g;
    v[j] = b2 * v[j] + (1 - b2) * g * g;
    const double move = rate * (m[j] / bias_1) / (sqrt(v[j] / bias_2) + def->epsilon);
    d->x[j] = cq_descent_project(d->run->problem, j, d->x[j] - move);
  }
  return true;
}

static cq_status run(cq_run *run) {
  return cq_descend(run, step);
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  (void)problem;
  CQ_TRY(cq_descent_check(ctx, def));
  CQ_CHECK(ctx, def->beta_1 >= 0 && def->beta_1 < 1 && def->beta_2 >= 0 && def->beta_2 < 1,
           CQ_CONFIG, "adam needs optimizer.beta_1 and beta_2 from 0 to below 1, not %g and %g",
           def->beta_1, def->beta_2);
  CQ_CHECK(ctx, isfinite(def->epsilon) && def->epsilon > 0, CQ_CONFIG,
           "adam needs optimizer.epsilon > 0, not %g", def->epsilon);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_adam = {
    .name = "adam",
    .help = "steps of about learning_rate whatever the gradient's size",
    .needs_gradient = true,
    .handles_bounds = true,
    .handles_inequality = false,
    .handles_equality = false,
    .handles_samples = true,
    .good_n = "any",
    .use = "Published learning rates, noisy or heuristic gradients.",
    .traps = "With a constant rate it ends up circling the optimum: give a schedule.",
    .check = check,
    .run = run,
};
