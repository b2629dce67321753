/* Gradient descent. With fixed steps as the papers run it, x <- P(x - lr v),
 * v <- momentum v + clip(g), P the projection on the bounds; or with steps whose length is searched
 * for (line_descent.h). All in user units: a published learning rate means what it says. */
#include "descent.h"
#include "grade.h"
#include "line_descent.h"
#include "status.h"

#include <stdio.h>

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
  switch (run->def->step_rule) {
  case CQ_STEP_ARMIJO:
    return cq_line_descend(run, &cq_line_armijo);
  case CQ_STEP_BARZILAI_BORWEIN:
    return cq_line_descend(run, &cq_line_barzilai_borwein);
  case CQ_STEP_FIXED:
    break;
  }
  return cq_descend(run, step);
}

/* What changes a published step has no meaning where the length of the step is found. */
static cq_status check_searched(cq_ctx *ctx, const cq_optimizer_def *def,
                                const cq_problem *problem) {
  const char *rule = def->step_rule == CQ_STEP_ARMIJO ? "armijo" : "barzilai_borwein";
  CQ_CHECK(ctx, def->momentum == 0, CQ_CONFIG,
           "optimizer.momentum = %g goes with optimizer.step_rule = \"fixed\" alone; with \"%s\" "
           "every step is along the gradient",
           def->momentum, rule);
  CQ_CHECK(ctx, def->clip == 0, CQ_CONFIG,
           "optimizer.clip = %g goes with optimizer.step_rule = \"fixed\" alone; \"%s\" shortens "
           "steps that are too long by itself",
           def->clip, rule);
  CQ_CHECK(ctx, def->schedule == CQ_SCHEDULE_CONSTANT, CQ_CONFIG,
           "optimizer.schedule goes with optimizer.step_rule = \"fixed\" alone; \"%s\" finds the "
           "length of its steps by itself",
           rule);
  CQ_CHECK(ctx, problem->draw == NULL, CQ_CONFIG,
           "optimizer.step_rule = \"%s\" compares values, and the objective is of a batch that "
           "changes; use step_rule = \"fixed\", or scenarios.combine = \"mean\"",
           rule);
  char who[64];
  snprintf(who, sizeof who, "optimizer.step_rule = \"%s\"", rule);
  return cq_check_exact_gradient(ctx, who, def, problem);
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  CQ_TRY(cq_descent_check(ctx, def));
  CQ_CHECK(ctx, def->momentum >= 0 && def->momentum < 1, CQ_CONFIG,
           "gradient_descent needs 0 <= optimizer.momentum < 1, not %g", def->momentum);
  return def->step_rule == CQ_STEP_FIXED ? CQ_OK : check_searched(ctx, def, problem);
}

const cq_optimizer cq_optimizer_gradient_descent = {
    .name = "gradient_descent",
    .help = "published fixed steps, or searched ones (step_rule)",
    .needs_gradient = true,
    .handles_bounds = true,
    .handles_inequality = false,
    .handles_equality = false,
    .handles_samples = true,
    .good_n = "any",
    .use = "Published learning rates: x <- P(x - learning_rate v), v <- momentum v + "
           "clip(gradient), P the projection on the bounds. A heuristic gradient.",
    .traps = "With fixed steps nothing but learning_rate and the scale of f decides whether it "
             "converges. step_rule armijo and barzilai_borwein need an exact gradient.",
    .check = check,
    .run = run,
};
