/* gauss_newton_broyden: sums of squares whose values are rough, so that derivatives say nothing and
 * only wide differences do. The Jacobian is made of one difference a variable, by steps that the
 * user chooses, and follows what trial points show by Broyden's update (Math. Comp. 19, 1965),
 *
 *   J += (r(x + s) - r(x) - J s) (W s)^T / (s^T W s),   W: squares of 1/step,
 *
 * a run each. It is made anew, by steps of half the length, where steps gain no more, and in full
 * again where a round of such halvings was worth it: narrow differences see what is rough. Steps
 * are those of gauss_newton (damped.h). Every run is an evaluation, so that differences may be the
 * best design, too, and a record holds all that the search has seen. */
#include "alloc.h"
#include "damped.h"
#include "descent.h"
#include "method.h"
#include "reduce.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* steps in a row that gain nothing before the Jacobian is made anew */
enum { MOST_REJECTED = 3 };
/* of the first differences: the last ones */
static const double LEAST_WIDTH = 0.1;
/* of f, that a step has to promise: what rough values make of less is luck */
static const double LEAST_GAIN = 1e-3;
/* of f, that a round leaves less than where another one follows */
static const double WORTH_IT = 0.5;

typedef struct search {
  cq_run *run;
  int n, m, rejected;
  cq_damped q;
  double f, radius, width; /* of |D p|; of the first differences */
  double round_f;          /* f where differences were in full */
  double *x, *to, *step;   /* [n] */
  double *r, *jac;         /* [m], [m][n]: at x */
  double *reduced;         /* [n][1 + n] */
} search;

/* of what a variable may change by */
static double step_of(const cq_run *run, int j) {
  const cq_problem *p = run->problem;
  return run->def->difference_step * fmin(cq_problem_scale(p, j), p->upper[j] - p->lower[j]);
}

static void go_to(search *s, const cq_point *point) {
  s->f = point->f;
  memcpy(s->x, point->x, (size_t)s->n * sizeof *s->x);
  memcpy(s->r, point->residuals, (size_t)s->m * sizeof *s->r);
}

/* Column j of J by a point that much away; *known: it did not fail. False: the run has ended. */
static bool try_way(search *s, int j, double way, bool *known) {
  const cq_problem *p = s->run->problem;
  memcpy(s->to, s->x, (size_t)s->n * sizeof *s->to);
  s->to[j] = fmin(fmax(s->x[j] + way, p->lower[j]), p->upper[j]);
  const double moved = s->to[j] - s->x[j];
  if (moved == 0) {
    return true; /* on the bound */
  }
  const cq_point *point = cq_evaluate_residuals(s->run->evaluator, s->to);
  if (point == NULL) {
    return false;
  }
  *known = !point->failed;
  for (int i = 0; *known && i < s->m; i++) {
    s->jac[i * s->n + j] = (point->residuals[i] - s->r[i]) / moved;
  }
  return true;
}

/* The same ahead, or behind where a bound or a failure is ahead. */
static bool differ(search *s, int j, bool *known) {
  const double h = s->width * s->step[j];
  const double first = s->x[j] + h > s->run->problem->upper[j] ? -h : h;
  *known = h == 0;
  return *known || (try_way(s, j, first, known) && (*known || try_way(s, j, -first, known)));
}

/* J at x, by differences; false: the run has ended. */
static bool differentiate(search *s) {
  memset(s->jac, 0, (size_t)s->m * (size_t)s->n * sizeof *s->jac);
  for (int j = 0; j < s->n; j++) {
    bool known = false;
    if (!differ(s, j, &known)) {
      return false;
    }
    if (!known) {
      cq_descent_claim(s->run, CQ_CLAIM_FAILED, "designs beside its best one fail");
      return false;
    }
  }
  return true;
}

/* Broyden's update by what was found at s->to. */
static void learn(search *s, const double *r) {
  double square = 0;
  for (int j = 0; j < s->n; j++) {
    const double d = s->step[j] > 0 ? (s->to[j] - s->x[j]) / s->step[j] : 0;
    square += d * d;
  }
  for (int i = 0; i < s->m && square > 0; i++) {
    double *const row = s->jac + (size_t)i * (size_t)s->n;
    double miss = r[i] - s->r[i];
    for (int j = 0; j < s->n; j++) {
      miss -= row[j] * (s->to[j] - s->x[j]);
    }
    for (int j = 0; j < s->n; j++) {
      const double d = s->step[j] > 0 ? (s->to[j] - s->x[j]) / (s->step[j] * s->step[j]) : 0;
      row[j] += miss * d / square;
    }
  }
}

/* Radius of a move by one scale in each variable. */
static double wide(const search *s) {
  double sum = 0;
  for (int j = 0; j < s->n; j++) {
    sum = hypot(sum, s->q.d[j] * cq_problem_scale(s->run->problem, j));
  }
  return sum;
}

/* The model of r and J at x, and its step within the radius. */
static cq_status propose(search *s, double *gain, bool *bounded) {
  CQ_TRY(cq_reduce(s->run->ctx, s->m, s->n, s->r, s->jac, s->reduced));
  cq_damped_load(&s->q, s->reduced);
  for (int j = 0; j < s->n; j++) {
    s->q.low[j] = s->run->problem->lower[j] - s->x[j];
    s->q.high[j] = s->run->problem->upper[j] - s->x[j];
  }
  s->radius = s->radius > 0 ? s->radius : wide(s);
  *bounded = cq_damped_within(&s->q, s->radius);
  *gain = cq_damped_gain(&s->q);
  for (int j = 0; j < s->n; j++) {
    s->to[j] = s->x[j] + s->q.p[j];
  }
  return CQ_OK;
}

/* Half the width, or all of it after a round that was worth it. */
static double next_width(search *s) {
  const double f = s->run->evaluator->best.f;
  if (0.5 * s->width >= LEAST_WIDTH || !(f < WORTH_IT * s->round_f)) {
    return 0.5 * s->width;
  }
  s->round_f = f;
  return 1;
}

/* New differences at the best point, of another width; false: they would be too narrow, or the run
 * has ended. */
static bool renew(search *s) {
  s->width = next_width(s);
  s->rejected = 0;
  s->radius = 0;
  if (s->width < LEAST_WIDTH) {
    cq_descent_claim(s->run, CQ_CLAIM_CONVERGED, "no step gains anything");
    return false;
  }
  const cq_point *best = cq_evaluate_residuals(s->run->evaluator, s->run->evaluator->best.x);
  if (best == NULL) {
    return false;
  }
  go_to(s, best);
  return differentiate(s);
}

/* One trial point; *over: the run has ended. */
static cq_status step(search *s, bool *over) {
  const double before = s->f;
  double gain = 0;
  bool bounded = false;
  CQ_TRY(propose(s, &gain, &bounded));
  if (!(gain > fmax(LEAST_GAIN * s->f, cq_evaluator_noise(s->run->evaluator, s->f))) ||
      memcmp(s->x, s->to, (size_t)s->n * sizeof *s->x) == 0) {
    *over = !renew(s);
    return CQ_OK;
  }
  const cq_point *point = cq_evaluate_residuals(s->run->evaluator, s->to);
  *over = point == NULL;
  if (*over) {
    return CQ_OK;
  }
  s->radius = cq_damped_next_radius(&s->q, s->radius, gain, s->f, point->f, point->failed, bounded);
  if (!point->failed) {
    learn(s, point->residuals);
  }
  if (point->failed || !(point->f < before)) {
    *over = ++s->rejected >= MOST_REJECTED && !renew(s);
    return CQ_OK;
  }
  s->rejected = 0;
  *over = cq_descent_f_settled(s->run, point->f, before) ||
          cq_descent_x_settled(s->run, point->x, s->x);
  go_to(s, point);
  return CQ_OK;
}

static cq_status iterate(search *s) {
  const cq_point *start = cq_evaluate_residuals(s->run->evaluator, s->run->evaluator->best.x);
  if (start == NULL) {
    return CQ_OK;
  }
  go_to(s, start);
  s->round_f = s->f;
  bool over = !differentiate(s);
  while (!over) {
    CQ_TRY(step(s, &over));
  }
  return CQ_OK;
}

/* From the best point. */
static cq_status run_method(cq_run *run) {
  const size_t n = (size_t)run->problem->n, m = (size_t)run->problem->n_residuals;
  search s = {.run = run, .n = (int)n, .m = (int)m, .width = 1};
  double *doubles = NULL;
  cq_status status = cq_damped_create(run->ctx, s.n, &s.q);
  status =
      status == CQ_OK ? CQ_ALLOC(run->ctx, doubles, 3 * n + m * (n + 1) + n * (n + 1)) : status;
  if (status == CQ_OK) {
    s.x = doubles;
    s.to = s.x + n;
    s.step = s.to + n;
    s.r = s.step + n;
    s.jac = s.r + m;
    s.reduced = s.jac + m * n;
    for (int j = 0; j < s.n; j++) {
      s.step[j] = step_of(run, j);
    }
    status = iterate(&s);
  }
  cq_damped_destroy(run->ctx, &s.q);
  cq_free(run->ctx, doubles);
  return status;
}

/* Sums of squares alone; fewer residuals than variables are allowed, as no error bars are told. */
static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  CQ_CHECK(ctx, problem->n_residuals > 0, CQ_CONFIG,
           "gauss_newton_broyden needs an objective that is a sum of squares: %s; use cmaes or "
           "one_plus_one_es",
           problem->no_residuals != NULL ? problem->no_residuals
                                         : "this problem does not tell its residuals");
  CQ_CHECK(ctx, def->difference_step > 0 && def->difference_step <= 1, CQ_CONFIG,
           "gauss_newton_broyden needs optimizer.difference_step in (0, 1], not %g",
           def->difference_step);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_gauss_newton_broyden = {
    .name = "gauss_newton_broyden",
    .help = "least squares by wide differences and Broyden's updates, for rough values",
    .needs_residuals = true,
    .begins_with_residuals = true,
    .handles_bounds = true,
    .most_n = 100,
    .good_n = "up to 20: the first differences cost a run a variable",
    .use = "Poses and distances at the end of a run whose derivatives say nothing, as in thin "
           "fluids. Choose optimizer.difference_step wider than the roughness of the values.",
    .traps = "A local method: start near a solution of a simpler model, a ballistic flight say. "
             "Nothing is verified; a target ends it.",
    .check = check,
    .run = run_method,
};
