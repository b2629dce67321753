#include "sqp_step.h"

#include "sqp_vector.h"

#include <string.h>

enum { MOST_GAMMAS = 6, MOST_SWEEPS = 10 };

/* violations left by the quadratic problem that are its rounding; part of a tolerance that is none
 */
static const double ROUGH = 1e-6, FINISHED = 0.1;
/* of the merit function: a slope that is none */
static const double NO_SLOPE = 1e-13;

/* gamma begins at a multiple of the slopes of f, or of the multipliers that were well within it; it
 * is raised until the quadratic problem takes enough of the violations away, and while that lowers
 * the rest by a part worth it */
static const double FIRST_GAMMA = 10, WITHIN = 0.9, ENOUGH = 0.2;
static const double RAISE = 10, LARGEST_GAMMA = 1e10, WORTHWHILE = 0.1;
/* part of the decrease that the slope promises */
static const double SUFFICIENT = 1e-4;
/* of the merit function: differences that may be noise of f, where the slope is to have fallen to a
 * part (Hager and Zhang, SIAM J. Optim. 16, 2005) */
static const double NOISE = 1e-7, FALLEN = 0.5;
/* [scale], or of x where that is more: a step over which a change of the slopes is rounding */
static const double SHORT = 1e-8;
/* of the reach: what it grows by when a step as long gains a good part of what its slope promises;
 * of a rejected step: least and most of it that is the reach then, and after a failure */
static const double LONGER = 4, AT_REACH = 0.99, GOOD = 0.5;
static const double LEAST_CUT = 0.1, MOST_CUT = 0.5, FAILURE_CUT = 0.25;

void cq_sqp_load(const cq_sqp *s, const cq_point *point, cq_sqp_point *out) {
  out->f = cq_scaling_objective(&s->scaling, point);
  cq_scaling_gradient(&s->scaling, point, -1, out->slopes);
  for (int i = 0; i < s->m; i++) {
    out->c[i] = cq_scaling_constraint(&s->scaling, point, i);
    cq_scaling_gradient(&s->scaling, point, i, out->slopes + (size_t)(1 + i) * (size_t)s->n);
  }
  if (s->newton) {
    cq_scaling_rows(&s->scaling, point, out->rows);
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

static void solve_with(cq_sqp *s, double gamma) {
  s->gamma = gamma;
  set_problem(s, s->at.c);
  cq_sqp_qp_solve(&s->qp);
  linear_constraints(s, s->qp.d.x, s->corrected);
  s->linear = cq_sqp_violation(s, s->corrected, NULL);
}

static double first_gamma(const cq_sqp *s) {
  double size = cq_max_norm(s->n, s->at.slopes);
  for (int i = 0; i < s->m; i++) {
    const double l = fabs(s->multipliers[i]);
    size = l < WITHIN * s->gamma ? fmax(size, l) : size;
  }
  return fmax(s->gamma / RAISE, FIRST_GAMMA * (size > 0 ? size : 1));
}

static void solve(cq_sqp *s) {
  const double all = cq_sqp_violation(s, s->at.c, NULL);
  const double few = fmax((1 - ENOUGH) * all, 0.1 * s->run->def->constraint_tolerance);
  solve_with(s, first_gamma(s));
  for (int k = 0; k < MOST_GAMMAS && s->linear > few && s->gamma < LARGEST_GAMMA; k++) {
    const double before = s->linear;
    solve_with(s, RAISE * s->gamma);
    if (s->linear > (1 - WORTHWHILE) * before) {
      solve_with(s, s->gamma / RAISE);
      return;
    }
  }
}

/* Where a step was rejected the merit function stays as it is: within a short reach the constraints
 * cost as much as gamma lets them, and the matrix, made of multipliers, would grow with gamma. */
static void solve_again(cq_sqp *s) {
  solve_with(s, fmax(cq_max_norm(s->n, s->at.slopes), cq_max_norm(s->m, s->weights)));
}

static double merit_slope(const cq_sqp *s) {
  return cq_dot(s->n, s->at.slopes, s->direction) + cq_sqp_violation(s, s->corrected, s->weights) -
         cq_sqp_violation(s, s->at.c, s->weights);
}

static bool is_violated(const cq_sqp *s) {
  bool violated = false;
  for (int i = 0; i < s->m; i++) {
    const double c = i < s->qp.n_inequality ? s->at.c[i] : fabs(s->at.c[i]);
    violated = violated || c > s->scaling.tolerance[i];
  }
  return violated;
}

/* The quadratic problem is solved to some nine digits. Where the tolerance of a constraint asks for
 * more, by projections on what is violated, one after the other. */
static void polish(cq_sqp *s) {
  for (int sweep = 0; s->linear > 0 && s->linear <= ROUGH && sweep < MOST_SWEEPS; sweep++) {
    for (int i = 0; i < s->m; i++) {
      const double *row = s->at.slopes + (size_t)(1 + i) * (size_t)s->n;
      const double c = s->at.c[i] + cq_dot(s->n, row, s->direction);
      const double r = i < s->qp.n_inequality ? fmax(c, 0) : c, size = cq_dot(s->n, row, row);
      if (fabs(r) > FINISHED * s->scaling.tolerance[i] && size > 0) {
        cq_axpy(s->n, -r / size, row, s->direction);
      }
    }
    for (int j = 0; j < s->n; j++) {
      s->direction[j] = fmin(fmax(s->direction[j], s->qp.d.low[j]), s->qp.d.high[j]);
    }
  }
}

void cq_sqp_direct(cq_sqp *s) {
  if (s->newton) {
    memcpy(s->hessian.base, s->at.rows,
           (size_t)(s->hessian.n_base * s->n) * sizeof *s->hessian.base);
    cq_sqp_hessian_rebase(&s->hessian);
  }
  cq_sqp_hessian_build(&s->hessian, s->multipliers);
  (s->rejected > 0 ? solve_again : solve)(s);
  memcpy(s->direction, s->qp.d.x, (size_t)s->n * sizeof *s->direction);
  polish(s);
  for (int i = 0; i < s->m; i++) {
    const double l = fabs(s->qp.l.x[i]);
    s->multipliers[i] = s->qp.l.x[i];
    s->weights[i] = fmax(l, 0.5 * (s->weights[i] + l));
  }
  linear_constraints(s, s->direction, s->corrected);
  s->slope = merit_slope(s);
  /* at a minimum but for a violation, which with weights that are the multipliers costs as much as
   * it brings */
  if (-s->slope <= NO_SLOPE * cq_sqp_size(s) && is_violated(s)) {
    for (int i = 0; i < s->m; i++) {
      s->weights[i] *= 2;
    }
    s->slope = merit_slope(s);
  }
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

static double gain(const cq_sqp *s) {
  return merit(s, &s->at) - merit(s, &s->next);
}

static bool is_better(const cq_sqp *s, const double *d) {
  return gain(s) >= -SUFFICIENT * s->slope ||
         (gain(s) >= -NOISE * cq_sqp_size(s) &&
          fabs(lagrangian_slope(s, &s->next, d)) <= FALLEN * fabs(lagrangian_slope(s, &s->at, d)));
}

/* Beside a Gauss-Newton matrix nothing is: steps far from the optimum say more wrong than right of
 * what it lacks (measured: 7 evaluations without pairs, 9 to 13 with 1 to 8 of them, on fits whose
 * constraints cost the data little). Without an objective multipliers have no size of their own,
 * and nor has the Lagrangian's curvature: steps are the shortest to the linear constraints then,
 * and nothing is remembered. */
static bool says_something(const cq_sqp *s) {
  double length = 0;
  for (int j = 0; j < s->n; j++) {
    length = fmax(length, fabs(s->next.x[j] - s->at.x[j]));
  }
  return !s->newton && !s->scaling.seeking && cq_max_norm(s->n, s->next.slopes) > 0 &&
         length > SHORT * fmax(1, cq_max_norm(s->n, s->at.x));
}

void cq_sqp_remember(cq_sqp *s) {
  const size_t size = (size_t)(1 + s->m) * (size_t)s->n;
  double *step, *change;
  if (!says_something(s)) {
    return;
  }
  cq_sqp_hessian_add(&s->hessian, &step, &change);
  for (int j = 0; j < s->n; j++) {
    step[j] = s->next.x[j] - s->at.x[j];
  }
  for (size_t k = 0; k < size; k++) {
    change[k] = s->next.slopes[k] - s->at.slopes[k];
  }
}

typedef enum trial { TRIAL_BETTER, TRIAL_WORSE, TRIAL_FAILED, TRIAL_STOPPED } trial;

/* s->next at the end of d. */
static trial attempt(cq_sqp *s, const double *d) {
  for (int j = 0; j < s->n; j++) {
    s->next.x[j] = fmin(fmax(s->at.x[j] + d[j], s->scaling.lower[j]), s->scaling.upper[j]);
  }
  cq_scaling_leave(&s->scaling, s->next.x);
  const cq_point *point = s->newton ? cq_evaluate_jacobian(s->run->evaluator, s->scaling.full)
                                    : cq_evaluate(s->run->evaluator, s->scaling.full, true);
  if (point == NULL || point->failed || (s->newton && !point->has_jacobian)) {
    return point == NULL ? TRIAL_STOPPED : TRIAL_FAILED;
  }
  cq_sqp_load(s, point, &s->next);
  return is_better(s, d) ? TRIAL_BETTER : TRIAL_WORSE;
}

/* Whether the constraints' curvature cost more than half of what the whole step promised. */
static bool left_constraints(const cq_sqp *s) {
  const double curved =
      cq_sqp_violation(s, s->next.c, s->weights) - cq_sqp_violation(s, s->corrected, s->weights);
  return curved > -0.5 * s->slope;
}

/* The whole step once more, with the constraints as they are at its end (Maratos' effect), where
 * that does not cost what the step was for. */
static trial correct(cq_sqp *s) {
  linear_constraints(s, s->direction, s->corrected);
  for (int i = 0; i < s->m; i++) {
    s->corrected[i] = s->next.c[i] - (s->corrected[i] - s->at.c[i]);
  }
  set_problem(s, s->corrected);
  if (!cq_sqp_qp_solve(&s->qp)) {
    return TRIAL_WORSE;
  }
  const double promised =
      cq_sqp_violation(s, s->at.c, s->weights) - cq_dot(s->n, s->at.slopes, s->qp.d.x);
  return promised >= -0.5 * s->slope ? attempt(s, s->qp.d.x) : TRIAL_WORSE;
}

/* The part of the whole step where the parabola through slope and values has its minimum, within
 * limits. */
static double shorter(const cq_sqp *s) {
  const double rise = merit(s, &s->next) - merit(s, &s->at) - s->slope;
  return fmin(fmax(rise > 0 ? -0.5 * s->slope / rise : MOST_CUT, LEAST_CUT), MOST_CUT);
}

cq_sqp_outcome cq_sqp_try(cq_sqp *s) {
  const double length = cq_max_norm(s->n, s->direction);
  double reach = s->reach;
  trial t = attempt(s, s->direction);
  if (t == TRIAL_BETTER && length >= AT_REACH * reach && gain(s) >= -GOOD * s->slope) {
    reach *= LONGER;
  }
  if (t == TRIAL_FAILED) {
    reach = FAILURE_CUT * length;
  } else if (t == TRIAL_WORSE) {
    /* what is learned shortens the next direction, the reach only what is wrong still */
    const double part = s->rejected > 0 ? shorter(s) : MOST_CUT;
    cq_sqp_remember(s);
    t = left_constraints(s) ? correct(s) : TRIAL_WORSE;
    reach = t == TRIAL_BETTER ? reach : part * length;
  }
  s->reach = reach;
  s->rejected = t == TRIAL_BETTER ? 0 : s->rejected + 1;
  return t == TRIAL_BETTER ? CQ_SQP_MOVED : t == TRIAL_STOPPED ? CQ_SQP_STOPPED : CQ_SQP_REJECTED;
}
