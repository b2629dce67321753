/* The feasibility phase. MMA and CCSAQ claim convergence at arbitrary points when they start
 * outside the constraints (their dual variables run into a cap there), so they never do: first
 *
 *   1/2 sum_i max(0, cs_i + depth)^2,   cs_i the scaled inequalities,
 *
 * is minimised within the bounds by CCSAQ, which is sound without constraints, until all hold with
 * the margin. depth > 0 makes that a matter of finitely many steps; where the feasible set is not
 * that deep the smaller depths follow. */
#include "nlopt_driver.h"

#include "plural.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double DEPTHS[] = {1e-2, 1e-4, 0};

enum { N_DEPTHS = (int)(sizeof DEPTHS / sizeof DEPTHS[0]) };

static bool holds(const cq_scaling *s, const cq_point *point, double above) {
  for (int i = 0; i < s->n_inequality; i++) {
    if (!cq_scaling_is_level(s, i) &&
        cq_scaling_constraint(s, point, i) > above * s->tolerance[i]) {
      return false;
    }
  }
  return true;
}

bool cq_nlopt_may_start(const cq_nlopt_driver *d, const cq_point *point) {
  return holds(&d->scaling, point, 0);
}

/* NLopt's objective while a feasible start is sought: half the squares of what inequalities lack to
 * `depth`, on top of the phase's own. */
static double shortfall(unsigned n, const double *xs, double *grad, void *data) {
  cq_nlopt_driver *d = data;
  const cq_scaling *s = &d->scaling;
  const cq_point *point = d->found ? NULL : cq_nlopt_point(d, xs, true);
  if (point != NULL && !point->failed && holds(s, point, 0)) {
    d->found = true;
    memcpy(d->start, point->x, (size_t)s->problem->n * sizeof *d->start);
    nlopt_force_stop(d->opt);
  }
  if (point == NULL) {
    if (grad != NULL) {
      memset(grad, 0, n * sizeof *grad);
    }
    return 0;
  }
  double sum = cq_scaling_objective(s, point);
  if (grad != NULL) {
    cq_scaling_gradient(s, point, -1, grad);
  }
  for (int i = 0; i < s->n_inequality; i++) {
    const double c = cq_scaling_is_level(s, i) ? -INFINITY : cq_scaling_constraint(s, point, i);
    const double r = fmax(0, c + d->depth);
    sum += 0.5 * r * r;
    if (grad != NULL && r > 0) {
      cq_scaling_gradient(s, point, i, d->row);
      for (unsigned k = 0; k < n; k++) {
        grad[k] += r * d->row[k];
      }
    }
  }
  return sum;
}

static cq_status descend(cq_nlopt_driver *d, double depth) {
  nlopt_result code = NLOPT_FAILURE;
  d->depth = depth;
  d->scaling.seeking = true;
  cq_status status = cq_nlopt_open(d, NLOPT_LD_CCSAQ, NLOPT_NUM_ALGORITHMS, shortfall);
  if (status == CQ_OK) {
    status = cq_nlopt_optimize(d, &code);
  }
  cq_nlopt_close(d);
  d->scaling.seeking = d->run->evaluator->seeking;
  return status;
}

/* Depth by depth, from the best point so far; the units are taken anew where it is feasible. */
cq_status cq_nlopt_make_feasible(cq_nlopt_driver *d) {
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  const int before = ev->evaluations;
  cq_log(run->ctx, CQ_LOG_INFO,
         "%s must start feasible and the constraints are violated by %.3g: minimising violations",
         run->method->name, ev->best.violation);
  d->found = false;
  for (int k = 0; k < N_DEPTHS && !d->found && ev->end == CQ_END_NONE; k++) {
    memcpy(d->start, ev->best.x, (size_t)run->problem->n * sizeof *d->start);
    CQ_TRY(descend(d, DEPTHS[k]));
  }
  if (ev->end != CQ_END_NONE) {
    return CQ_OK;
  }
  if (!d->found && cq_evaluator_feasible(ev, &ev->best)) {
    memcpy(d->start, ev->best.x, (size_t)run->problem->n * sizeof *d->start);
    d->found = true;
  }
  const int tried = ev->evaluations - before;
  if (!d->found) {
    cq_log(run->ctx, CQ_LOG_WARNING, "no feasible point in %d evaluation%s: least violation %.3g",
           tried, cq_plural(tried), ev->best.violation);
    return CQ_OK;
  }
  const cq_point *point = cq_evaluate(run->evaluator, d->start, true);
  if (point != NULL) {
    const int spent = ev->evaluations - before;
    cq_log(run->ctx, CQ_LOG_INFO, "feasible after %d evaluation%s, f = %.9g", spent,
           cq_plural(spent), point->f);
    cq_scaling_set_units(&d->scaling, point);
    cq_scaling_log(run->ctx, &d->scaling);
  }
  return CQ_OK;
}
