/* Gradient descent as the papers run it: x <- P(x - lr v), v <- momentum v + clip(g), P the
 * projection on the bounds. It works in user units: a published learning rate means what it says.
 */
#include "alloc.h"
#include "kkt.h"
#include "method.h"
#include "status.h"

#include <math.h>
#include <stdio.h>

/* Moves x by one iteration; false when it did not move. */
static bool step(const cq_run *run, const double *grad, double *x, double *v) {
  const cq_problem *problem = run->problem;
  const cq_optimizer_def *def = run->def;
  bool moved = false;
  for (int j = 0; j < problem->n; j++) {
    const double g = def->clip > 0 ? fmin(fmax(grad[j], -def->clip), def->clip) : grad[j];
    v[j] = def->momentum * v[j] + g;
    const double to = x[j] - def->learning_rate * v[j];
    /* what is not finite is left for the evaluator to refuse, fmin would hide it */
    const double next = isfinite(to) ? fmin(fmax(to, problem->lower[j]), problem->upper[j]) : to;
    moved = moved || next != x[j];
    x[j] = next;
  }
  return moved;
}

/* NLopt's meaning of xtol_rel: 1-norms in scaled variables */
static bool x_is_settled(const cq_run *run, const double *x, const double *before) {
  double change = 0, size = 0;
  for (int j = 0; j < run->problem->n; j++) {
    const double scale = cq_problem_scale(run->problem, j);
    change += fabs(x[j] - before[j]) / scale;
    size += fabs(x[j]) / scale;
  }
  return change < run->def->xtol_rel * size;
}

static void claim(cq_run *run, const char *words) {
  run->claim = CQ_CLAIM_CONVERGED;
  snprintf(run->words, sizeof run->words, "%s", words);
}

static void iterate(cq_run *run, double *x, double *before, double *v) {
  const cq_problem *problem = run->problem;
  const cq_optimizer_def *def = run->def;
  double f = NAN, first = NAN;
  for (;;) {
    const cq_point *point = cq_evaluate(run->evaluator, x, true);
    if (point == NULL) {
      return;
    }
    const double norm = cq_projected_gradient(problem, x, point->grad);
    first = isnan(first) ? norm : first;
    if (norm == 0 || (def->gradient_tolerance > 0 && norm <= def->gradient_tolerance * first)) {
      claim(run, "the gradient fell below gradient_tolerance");
      return;
    }
    if (def->ftol_rel > 0 &&
        fabs(point->f - f) < def->ftol_rel * 0.5 * (fabs(point->f) + fabs(f))) {
      claim(run, "the change of f fell below ftol_rel");
      return;
    }
    f = point->f;
    for (int j = 0; j < problem->n; j++) {
      before[j] = x[j];
    }
    if (!step(run, point->grad, x, v) && def->momentum == 0) {
      claim(run, "x stopped changing (learning_rate is too small)");
      return;
    }
    if (def->xtol_rel > 0 && x_is_settled(run, x, before)) {
      claim(run, "the change of x fell below xtol_rel");
      return;
    }
  }
}

static cq_status descend(cq_run *run) {
  const cq_optimizer_def *def = run->def;
  CQ_CHECK(run->ctx, isfinite(def->learning_rate) && def->learning_rate > 0, CQ_CONFIG,
           "gradient_descent needs learning_rate > 0, not %g", def->learning_rate);
  CQ_CHECK(run->ctx, def->momentum >= 0 && def->momentum < 1, CQ_CONFIG,
           "gradient_descent needs 0 <= momentum < 1, not %g", def->momentum);
  CQ_CHECK(run->ctx, def->clip >= 0, CQ_CONFIG,
           "gradient_descent needs clip > 0, or 0 for none, not %g", def->clip);
  const size_t n = (size_t)run->problem->n;
  double *x = NULL;
  CQ_TRY(CQ_ALLOC(run->ctx, x, 3 * n));
  for (size_t j = 0; j < n; j++) {
    x[j] = run->problem->start[j] + 0.0;
  }
  iterate(run, x, x + n, x + 2 * n);
  cq_free(run->ctx, x);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_gradient_descent = {
    .name = "gradient_descent",
    .help = "x <- x - learning_rate v, v <- momentum v + clip(gradient); bounds by projection",
    .needs_gradient = true,
    .handles_bounds = true,
    .handles_inequality = false,
    .handles_equality = false,
    .run = descend,
};
