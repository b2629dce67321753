/* sqp: sequential quadratic programming for many variables and few constraints. A step solves a
 * quadratic problem (sqp_qp.h) with a limited-memory BFGS matrix of the Lagrangian (sqp_hessian.h),
 * and goes there if a merit function is lower; else it tries again, nearer and wiser (sqp_step.c).
 * Kraft's SLSQP (DFVLR-FB 88-28, 1988) with other linear algebra: O(n (pairs + m)^2) a step in
 * place of O(n^3). */
#include "alloc.h"
#include "descent.h"
#include "reduce.h"
#include "rules.h"
#include "sqp_step.h"
#include "sqp_vector.h"
#include "status.h"
#include "timer.h"
#include "uncertainty_reduced.h"

#include <string.h>

enum {
  PAIRS = 20,
  MOST_REJECTED = 12,
  LEAST_PAIRS = 3,
  MOST_MEMORY = 128 /* [MiB] of pairs: each holds 4 + m vectors */
};

/* of the merit function: a gain that rounding hides */
static const double NO_GAIN = 1e-14;

static void move(cq_sqp *s) {
  cq_sqp_remember(s);
  const cq_sqp_point swap = s->at;
  s->at = s->next;
  s->next = swap;
  s->afresh = false;
}

/* As at the beginning: nothing is known of curvature. */
static void forget(cq_sqp *s) {
  cq_sqp_hessian_reset(&s->hessian);
  s->hessian.sigma = fmax(1, cq_max_norm(s->n, s->at.slopes));
  s->reach = INFINITY;
  s->rejected = 0;
  s->afresh = true;
}

/* The rules of the run at a new iterate; true when one has ended it. */
static bool has_settled(cq_sqp *s) {
  cq_run *run = s->run;
  const cq_point *point = &run->evaluator->last;
  if (s->scaling.seeking) {
    return false;
  }
  const bool settled = cq_run_settled(run, point) ||
                       cq_descent_f_settled(run, point->f, s->f_before) ||
                       cq_descent_x_settled(run, point->x, s->before);
  s->f_before = point->f;
  memcpy(s->before, point->x, (size_t)run->problem->n * sizeof *s->before);
  return settled;
}

/* No step is worth it, or none was found: once more without memory, then it is the end. */
static bool give_up(cq_sqp *s, cq_claim claim, const char *words) {
  if (!s->afresh) {
    forget(s);
    return false;
  }
  if (s->linear > s->run->def->constraint_tolerance) {
    claim = CQ_CLAIM_FAILED;
    words = "the violations have a minimum above 0";
  }
  cq_descent_claim(s->run, claim, words);
  return true;
}

static bool takes_too_long(void *user) {
  const cq_sqp *s = user;
  return cq_rules_give_up(s->run->evaluator, cq_now() - s->since);
}

/* True when the run has ended, by whatever rule. */
static bool step(cq_sqp *s) {
  s->since = cq_now();
  cq_sqp_direct(s);
  if (s->run->evaluator->end != CQ_END_NONE) {
    return true;
  }
  if (-s->slope <= NO_GAIN * cq_sqp_size(s)) {
    return give_up(s, CQ_CLAIM_CONVERGED, "no step gains anything");
  }
  const cq_sqp_outcome outcome = cq_sqp_try(s);
  if (outcome == CQ_SQP_REJECTED) {
    return s->rejected >= MOST_REJECTED && give_up(s, CQ_CLAIM_FAILED, "no step is better");
  }
  if (outcome == CQ_SQP_MOVED) {
    move(s);
  }
  return outcome == CQ_SQP_STOPPED || has_settled(s);
}

static int pairs_that_fit(const cq_sqp *s) {
  const double bytes = (double)(4 + s->m) * (double)s->n * sizeof(double);
  return (int)fmin(fmax(MOST_MEMORY * 1048576.0 / bytes, LEAST_PAIRS), PAIRS);
}

/* rows of the Gauss-Newton matrix */
static size_t n_rows(const cq_sqp *s) {
  return s->newton ? (size_t)s->run->problem->n : 0;
}

static double *lay_out(cq_sqp *s, cq_sqp_point *p, double *next) {
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  p->x = next;
  p->c = p->x + n;
  p->slopes = p->c + m;
  p->rows = p->slopes + (1 + m) * n;
  return p->rows + n_rows(s) * n;
}

/* Room for the two points, the multipliers, the curvature and the quadratic problem. */
static cq_status create(cq_sqp *s, double **doubles) {
  cq_run *run = s->run;
  CQ_TRY(cq_scaling_create(run->evaluator, false, true, &s->scaling));
  s->n = s->scaling.n;
  s->m = s->scaling.m;
  const size_t n = (size_t)s->n, m = (size_t)s->m, all = (size_t)run->problem->n;
  CQ_TRY(CQ_ALLOC(run->ctx, *doubles, 2 * ((2 + m + n_rows(s)) * n + m) + n + 3 * m + all));
  double *next = lay_out(s, &s->next, lay_out(s, &s->at, *doubles));
  s->direction = next;
  s->multipliers = s->direction + n;
  s->weights = s->multipliers + m;
  s->corrected = s->weights + m;
  s->before = s->corrected + m;
  CQ_TRY(cq_sqp_hessian_create(run->ctx, s->n, s->m, s->newton ? 0 : pairs_that_fit(s),
                               (int)n_rows(s), &s->hessian));
  CQ_TRY(cq_sqp_qp_create(run->ctx, &s->hessian, s->scaling.n_inequality, &s->qp));
  s->qp.ends = takes_too_long;
  s->qp.watch = s;
  return CQ_OK;
}

static void begin(cq_sqp *s) {
  const cq_point *best = &s->run->evaluator->best;
  cq_scaling_log(s->run->ctx, &s->scaling);
  cq_scaling_enter(&s->scaling, best->x);
  memcpy(s->at.x, s->scaling.x, (size_t)s->n * sizeof *s->at.x);
  s->f_before = best->f;
  memcpy(s->before, best->x, (size_t)s->run->problem->n * sizeof *s->before);
  cq_sqp_load(s, best, &s->at);
  forget(s);
}

/* Whether there are the derivatives to begin with: newton wants those of the residuals, too. */
static bool can_begin(const cq_sqp *s) {
  cq_evaluator *ev = s->run->evaluator;
  return !s->newton || ev->best.has_jacobian ||
         (cq_evaluate_jacobian(ev, ev->best.x) != NULL && ev->best.has_jacobian);
}

/* What active constraints leave to the data, for the verdict: equalities are rows like those of the
 * Jacobian, and so are inequalities that something pushes against. */
static cq_status find_undetermined(const cq_sqp *s, cq_run *run) {
  const cq_point *best = &run->evaluator->best;
  const size_t n = (size_t)run->problem->n, m = (size_t)s->m;
  double *room = NULL;
  if (!best->has_jacobian || !best->has_gradient) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(run->ctx, room, (n + m) * (n + 1) + n * (n + 1)));
  double *const jac = room + n + m, *const reduced = jac + (n + m) * n;
  size_t rows = n;
  for (size_t i = 0; i < n; i++) {
    memcpy(jac + i * n, best->reduced + i * (n + 1) + 1, n * sizeof *jac);
  }
  for (int i = 0; i < s->m; i++) {
    const double push =
        fabs(s->multipliers[i]) * cq_max_norm(s->n, s->at.slopes + (size_t)(1 + i) * (size_t)s->n);
    if (i >= s->scaling.n_inequality || push > run->def->optimality_tolerance) {
      const int row = s->scaling.row[i];
      const double *slopes =
          row >= 0 ? best->jac + (size_t)row * n : best->part_slopes + (size_t)(-1 - row) * n;
      cq_hold_row(run->problem, jac, slopes, jac + rows * n);
      rows++;
    }
  }
  cq_status status = cq_reduce(run->ctx, (int)rows, (int)n, room, jac, reduced);
  for (size_t i = 0; i < n; i++) {
    memmove(reduced + i * n, reduced + i * (n + 1) + 1, n * sizeof *reduced);
  }
  status = status == CQ_OK ? cq_reduced_is_singular(run->ctx, run->problem, best->x, reduced,
                                                    &run->undetermined)
                           : status;
  cq_free(run->ctx, room);
  return status;
}

cq_status cq_sqp_run(cq_run *run, bool newton) {
  cq_sqp s = {.run = run, .newton = newton};
  double *doubles = NULL;
  cq_status status = create(&s, &doubles);
  if (status == CQ_OK && can_begin(&s)) {
    begin(&s);
    while (!step(&s)) {
    }
    status = newton ? find_undetermined(&s, run) : CQ_OK;
  }
  cq_sqp_qp_destroy(run->ctx, &s.qp);
  cq_sqp_hessian_destroy(run->ctx, &s.hessian);
  cq_free(run->ctx, doubles);
  cq_scaling_destroy(run->ctx, &s.scaling);
  return status;
}

static cq_status run_sqp(cq_run *run) {
  return cq_sqp_run(run, false);
}

const cq_optimizer cq_optimizer_sqp = {
    .name = "sqp",
    .help = "sequential quadratic programming with limited memory; any constraints",
    .needs_gradient = true,
    .needs_exact_gradient = true,
    .handles_bounds = true,
    .handles_inequality = true,
    .handles_equality = true,
    .any_equality = true,
    .good_n = "any (tried to 10,000), constraints up to 50; a step costs as much as 20 times "
              "n (40 + constraints)^2 numbers",
    .use = "First choice above 300 variables, and as good below: fewest evaluations (tens), any "
           "constraints, any start.",
    .traps = "A local method: of several minima it finds one. What it remembers of curvature is "
             "the last twenty steps: hundreds of evaluations in long narrow valleys.",
    .run = run_sqp,
};
