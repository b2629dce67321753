#include "sqp_step.h"

#include "sqp_vector.h"

#include <string.h>

enum { MOST_TRIES = 20, MOST_GAMMAS = 6 };

/* of the Lagrangian's slopes: first gamma */
/* (multipliers that are not within gamma have no size of their own) */
static const double WITHIN = 0.9;
static const double FIRST_GAMMA = 10, RAISE = 10, LARGEST_GAMMA = 1e10;
/* part of the violations whose removal is worth a larger gamma */
static const double WORTHWHILE = 0.1;
/* part of the decrease that the slope promises */
static const double SUFFICIENT = 1e-4;
/* of the merit function: differences that may be noise of f, where the slope is to have fallen to a
 * part (Hager and Zhang, SIAM J. Optim. 16, 2005), and gains that are not looked for */
static const double NOISE = 1e-7, FALLEN = 0.5, HOPELESS = 1e-13;
/* of a step that was shortened for a failure: the next one may be longer by this */
static const double LONGER = 2;
/* of a step that is too long: least and most of it that is tried next, and after a failure */
static const double LEAST_CUT = 0.1, MOST_CUT = 0.5, FAILURE_CUT = 0.25;

void cq_sqp_load(const cq_sqp *s, const cq_point *point, cq_sqp_point *out) {
  out->f = cq_scaling_objective(&s->scaling, point);
  cq_scaling_gradient(&s->scaling, point, -1, out->slopes);
  for (int i = 0; i < s->m; i++) {
    out->c[i] = cq_scaling_constraint(&s->scaling, point, i);
    cq_scaling_gradient(&s->scaling, point, i, out->slopes + (size_t)(1 + i) * (size_t)s->n);
  }
}

double cq_sqp_violation(const cq_sqp *s, const double *c, const double *weights) {
  double sum = 0;
  for (int i = 0; i < s->m; i++) {
    const double v = i < s->qp.n_inequality ? fmax(c[i], 0) : fabs(c[i]);
    sum += weights != NULL ? weights[i] * v : v;
  }
  return sum;
}

/* c + A d of the quadratic problem, to out */
static void linear_constraints(const cq_sqp *s, const double *d, double *out) {
  for (int i = 0; i < s->m; i++) {
    out[i] = s->at.c[i] + cq_dot(s->n, s->at.slopes + (size_t)(1 + i) * (size_t)s->n, d);
  }
}

static void set_problem(cq_sqp *s, const double *c) {
  cq_sqp_qp *q = &s->qp;
  q->g = s->at.slopes;
  q->a = s->at.slopes + s->n;
  q->c = c;
  q->gamma = s->gamma;
  for (int j = 0; j < s->n; j++) {
    q->d.low[j] = fmin(fmax(s->scaling.lower[j] - s->at.x[j], -s->reach), 0);
    q->d.high[j] = fmax(fmin(s->scaling.upper[j] - s->at.x[j], s->reach), 0);
  }
}

/* The quadratic problem, with gamma raised for as long as that lowers the violations it leaves. */
static void solve(cq_sqp *s) {
  double size = cq_max_norm(s->n, s->at.slopes);
  for (int i = 0; i < s->m; i++) {
    const double l = fabs(s->multipliers[i]);
    size = l < WITHIN * s->gamma ? fmax(size, l) : size;
  }
  const double tolerance = 0.1 * s->run->def->constraint_tolerance;
  s->gamma = fmax(s->gamma / RAISE, FIRST_GAMMA * (size > 0 ? size : 1));
  for (int k = 0;; k++) {
    const double before = s->linear;
    set_problem(s, s->at.c);
    cq_sqp_qp_solve(&s->qp);
    linear_constraints(s, s->qp.d.x, s->corrected);
    s->linear = cq_sqp_violation(s, s->corrected, NULL);
    if (s->linear <= tolerance || k >= MOST_GAMMAS || s->gamma >= LARGEST_GAMMA ||
        (k > 0 && s->linear > (1 - WORTHWHILE) * before)) {
      return;
    }
    s->gamma *= RAISE;
  }
}

void cq_sqp_direct(cq_sqp *s) {
  cq_sqp_hessian_build(&s->hessian, s->multipliers);
  solve(s);
  memcpy(s->direction, s->qp.d.x, (size_t)s->n * sizeof *s->direction);
  for (int i = 0; i < s->m; i++) {
    const double l = fabs(s->qp.l.x[i]);
    s->multipliers[i] = s->qp.l.x[i];
    s->weights[i] = fmax(l, 0.5 * (s->weights[i] + l));
  }
  linear_constraints(s, s->direction, s->corrected);
  s->slope = cq_dot(s->n, s->at.slopes, s->direction) +
             cq_sqp_violation(s, s->corrected, s->weights) -
             cq_sqp_violation(s, s->at.c, s->weights);
}

static double merit(const cq_sqp *s, const cq_sqp_point *p) {
  return p->f + cq_sqp_violation(s, p->c, s->weights);
}

/* slope of the Lagrangian along d at p */
static double lagrangian_slope(const cq_sqp *s, const cq_sqp_point *p, const double *d) {
  double sum = cq_dot(s->n, p->slopes, d);
  for (int i = 0; i < s->m; i++) {
    sum += s->multipliers[i] * cq_dot(s->n, p->slopes + (size_t)(1 + i) * (size_t)s->n, d);
  }
  return sum;
}

double cq_sqp_size(const cq_sqp *s) {
  return fabs(s->at.f) + cq_sqp_violation(s, s->at.c, s->weights);
}

static bool is_better(const cq_sqp *s, const double *d, double part) {
  const double gain = merit(s, &s->at) - merit(s, &s->next);
  return gain >= -SUFFICIENT * part * s->slope ||
         (gain >= -NOISE * cq_sqp_size(s) &&
          fabs(lagrangian_slope(s, &s->next, d)) <= FALLEN * fabs(lagrangian_slope(s, &s->at, d)));
}

typedef enum trial { TRIAL_BETTER, TRIAL_WORSE, TRIAL_FAILED, TRIAL_STOPPED } trial;

/* s->next at the iterate and a part of d. */
static trial attempt(cq_sqp *s, const double *d, double part) {
  for (int j = 0; j < s->n; j++) {
    s->next.x[j] = fmin(fmax(s->at.x[j] + part * d[j], s->scaling.lower[j]), s->scaling.upper[j]);
  }
  cq_scaling_leave(&s->scaling, s->next.x);
  const cq_point *point = cq_evaluate(s->run->evaluator, s->scaling.full, true);
  if (point == NULL || point->failed) {
    return point == NULL ? TRIAL_STOPPED : TRIAL_FAILED;
  }
  cq_sqp_load(s, point, &s->next);
  return is_better(s, d, part) ? TRIAL_BETTER : TRIAL_WORSE;
}

/* Whether the constraints' curvature cost more than half of what the whole step promised. */
static bool left_constraints(const cq_sqp *s) {
  const double curved =
      cq_sqp_violation(s, s->next.c, s->weights) - cq_sqp_violation(s, s->corrected, s->weights);
  return curved > -0.5 * s->slope;
}

/* The whole step once more, with the constraints as they are at its end: Maratos' effect. */
static trial correct(cq_sqp *s) {
  linear_constraints(s, s->direction, s->corrected);
  for (int i = 0; i < s->m; i++) {
    s->corrected[i] = s->next.c[i] - (s->corrected[i] - s->at.c[i]);
  }
  set_problem(s, s->corrected);
  return cq_sqp_qp_solve(&s->qp) ? attempt(s, s->qp.d.x, 1) : TRIAL_WORSE;
}

/* The minimum of the parabola through slope and values, within limits. */
static double shorter(const cq_sqp *s, double part) {
  const double rise = merit(s, &s->next) - merit(s, &s->at) - part * s->slope;
  const double best = rise > 0 ? -0.5 * s->slope * part * part / rise : MOST_CUT * part;
  return fmin(fmax(best, LEAST_CUT * part), MOST_CUT * part);
}

static cq_sqp_outcome outcome_of(trial t) {
  return t == TRIAL_BETTER ? CQ_SQP_MOVED : t == TRIAL_STOPPED ? CQ_SQP_STOPPED : CQ_SQP_STUCK;
}

cq_sqp_outcome cq_sqp_search(cq_sqp *s) {
  const double length = cq_max_norm(s->n, s->direction);
  double part = 1;
  trial t = TRIAL_WORSE;
  s->reach = length < s->reach ? s->reach : LONGER * s->reach;
  for (int k = 0; k < MOST_TRIES && (k == 0 || -part * s->slope > HOPELESS * cq_sqp_size(s)); k++) {
    t = attempt(s, s->direction, part);
    if (t == TRIAL_FAILED) {
      s->reach = LONGER * FAILURE_CUT * part * length;
    }
    const double next = t == TRIAL_WORSE ? shorter(s, part) : FAILURE_CUT * part;
    if (k == 0 && t == TRIAL_WORSE && s->m > 0 && left_constraints(s)) {
      t = correct(s);
    }
    if (t == TRIAL_BETTER || t == TRIAL_STOPPED) {
      break;
    }
    part = next;
  }
  return outcome_of(t);
}
