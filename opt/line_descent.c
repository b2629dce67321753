/* The search is along the projection arc z(a) = P(x - a g) (Bertsekas 1976): z(a) is taken when
 *
 *   f(z) <= max of the last `window` f - SIGMA g.(x - z)
 *
 * "armijo" asks for a decrease at every step (window 1) and tries a longer step next time.
 * "barzilai_borwein" begins with the length s.s / s.y of the last two iterates, which knows the
 * curvature between them, and needs the window: such steps are good because f may rise for a while
 * (Grippo, Lampariello and Lucidi 1986; Birgin, Martinez and Raydan 2000).
 *
 * Whether a trial asks for the gradient at once: a simulation costs 1, one with its gradient about
 * 3.5, and a gradient fetched later simulates again. A trial that is taken with probability p costs
 * 1 + 3.5 p without the gradient and 3.5 with it: asking at once is cheaper from p = 5/7 on. A
 * length from the curvature, one that was good a step ago and one shortened by interpolation are
 * taken more often than that, a length grown on trust is taken half the time. */
#include "line_descent.h"

#include "alloc.h"
#include "descent.h"
#include "kkt.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SIGMA = 1e-4;
/* one rejection shortens the step to between these parts of it */
static const double SHORTEN_LEAST = 0.5, SHORTEN_MOST = 0.1;
/* how much longer the next step may be tried: until a trial has been rejected, and after that */
static const double GROW_FIRST = 10, GROW = 2;
/* and at most, by curvature */
static const double GROW_MOST = 1e4;
/* MAX_TRIALS shortens by 1e15 at least */
enum { MAX_WINDOW = 10, MAX_TRIALS = 50 };

struct cq_line_rule {
  int window;
  bool spectral; /* first trial by Barzilai and Borwein */
};

const cq_line_rule cq_line_armijo = {.window = 1, .spectral = false};
const cq_line_rule cq_line_barzilai_borwein = {.window = MAX_WINDOW, .spectral = true};

typedef struct search {
  cq_run *run;
  const cq_line_rule *rule;
  double *x, *g, *z;         /* [n] iterate, its gradient, trial */
  double f;                  /* at x */
  double length;             /* of the next first trial, then of the step taken */
  double recent[MAX_WINDOW]; /* the last f, in a ring */
  int iterates;              /* so far, x is one */
  int rejected;              /* trials before the step was found */
  bool was_rejected;         /* some trial of the run */
  bool is_longer;            /* length, than that of the step before, on trust */
} search;

/* z = P(x - a g); what the gradient promises of it, 0 when it does not move. */
static double place(search *s, double a) {
  const cq_problem *problem = s->run->problem;
  double promised = 0;
  for (int j = 0; j < problem->n; j++) {
    s->z[j] = cq_descent_project(problem, j, s->x[j] - a * s->g[j]);
    promised += s->g[j] * (s->x[j] - s->z[j]);
  }
  return promised;
}

static double highest(const search *s) {
  double most = s->f;
  for (int i = 0; i < s->rule->window && i < s->iterates; i++) {
    most = fmax(most, s->recent[i]);
  }
  return most;
}

/* The least of the parabola through f, its slope and the rejected trial, kept within limits. */
static double shorten(const search *s, double a, double promised, double f) {
  const double part = 0.5 * promised / (f - s->f + promised);
  return a * fmin(fmax(part, SHORTEN_MOST), SHORTEN_LEAST);
}

/* A length from which on z stays where the bounds are met; INFINITY without bounds. */
static double reach(const search *s) {
  const cq_problem *problem = s->run->problem;
  double longest = 0;
  for (int j = 0; j < problem->n; j++) {
    const double room = s->g[j] > 0 ? s->x[j] - problem->lower[j] : problem->upper[j] - s->x[j];
    longest = fmax(longest, s->g[j] != 0 ? room / fabs(s->g[j]) : 0);
  }
  return 2 * longest; /* rounding must not keep z from a bound */
}

/* Places the first trial of a search. Before the first step nothing is known but learning_rate, and
 * one too short to move x is no reason to end; later it is. */
static double place_first(search *s, double *a) {
  *a = fmin(fmin(*a, DBL_MAX), reach(s));
  double promised = place(s, *a);
  while (s->iterates == 1 && promised == 0 && *a < DBL_MAX / GROW_FIRST) {
    *a *= GROW_FIRST;
    promised = place(s, *a);
  }
  while (!isfinite(promised) && *a > 0) { /* z is not either */
    *a *= SHORTEN_MOST;
    promised = place(s, *a);
  }
  return promised;
}

/* Simulates the trial; a point that is taken has its gradient. False: the run has ended. */
static bool try(search *s, double promised, bool gradient, const cq_point **point, bool *taken) {
  const double limit = highest(s) - SIGMA * promised;
  *point = cq_evaluate(s->run->evaluator, s->z, gradient);
  *taken = *point != NULL && (*point)->f <= limit;
  if (*taken && !(*point)->has_gradient) {
    /* asks again: an evaluation whose gradient fails may be shown with another f */
    *point = cq_evaluate(s->run->evaluator, s->z, true);
    *taken = *point != NULL && (*point)->f <= limit;
  }
  return *point != NULL;
}

/* Finds the step from x. False: the run or the search has ended. */
static bool find_step(search *s, const cq_point **point) {
  double a = s->length, promised = place_first(s, &a);
  if (promised == 0) {
    cq_descent_claim(s->run, CQ_CLAIM_CONVERGED, "the steps fell below the rounding of x");
    return false;
  }
  for (int trial = 0; trial < MAX_TRIALS; trial++, promised = place(s, a)) {
    bool taken = false;
    /* what is promised drowns in the rounding of f */
    if (trial > 0 && promised <= DBL_EPSILON * fabs(s->f)) {
      break;
    }
    if (!try(s, promised, trial > 0 || !s->is_longer, point, &taken)) {
      return false;
    }
    if (taken) {
      s->length = a;
      s->rejected = trial;
      return true;
    }
    s->was_rejected = true;
    a = shorten(s, a, promised, (*point)->f);
  }
  cq_descent_claim(s->run, CQ_CLAIM_FAILED, "no step along the gradient lowers f");
  return false;
}

/* of the first trial from `to` */
static double spectral_length(const search *s, const cq_point *to) {
  double ss = 0, sy = 0;
  for (int j = 0; j < s->run->problem->n; j++) {
    const double d = to->x[j] - s->x[j];
    ss += d * d;
    sy += d * (to->grad[j] - s->g[j]);
  }
  /* f curves down along the step: there is no best length, a longer one is worth a try */
  return sy > 0 ? fmin(ss / sy, s->length * GROW_MOST) : s->length * GROW_FIRST;
}

/* Makes `to` the iterate; z keeps the one before. */
static void move(search *s, const cq_point *to) {
  const size_t bytes = (size_t)s->run->problem->n * sizeof *s->x;
  memcpy(s->z, s->x, bytes);
  memcpy(s->x, to->x, bytes);
  memcpy(s->g, to->grad, bytes);
  s->f = to->f;
  s->recent[s->iterates++ % s->rule->window] = to->f;
}

/* Sets the length to try from `to`, where the step from x has led. */
static void set_length(search *s, const cq_point *to) {
  s->is_longer = !s->rule->spectral && s->rejected == 0;
  if (s->rule->spectral) {
    s->length = spectral_length(s, to);
  } else if (s->is_longer) {
    s->length *= s->was_rejected ? GROW : GROW_FIRST;
  }
}

/* A step whose length is searched for, and the first length of the next search. */
static void iterate(search *s) {
  cq_run *run = s->run;
  const cq_point *point = cq_evaluate(run->evaluator, run->evaluator->best.x, true);
  if (point == NULL) {
    return;
  }
  for (;;) {
    const double before = s->f;
    move(s, point);
    if (s->iterates > 1 &&
        (cq_descent_f_settled(run, s->f, before) || cq_descent_x_settled(run, s->x, s->z))) {
      return;
    }
    if (cq_projected_gradient(run->problem, s->x, s->g) == 0) {
      cq_descent_claim(run, CQ_CLAIM_CONVERGED, "the projected gradient is zero");
      return;
    }
    if (!find_step(s, &point)) {
      return;
    }
    set_length(s, point);
  }
}

cq_status cq_line_descend(cq_run *run, const cq_line_rule *rule) {
  const size_t n = (size_t)run->problem->n;
  search s = {.run = run, .rule = rule, .length = run->def->learning_rate};
  CQ_TRY(CQ_ALLOC(run->ctx, s.x, 3 * n));
  s.g = s.x + n;
  s.z = s.x + 2 * n;
  iterate(&s);
  cq_free(run->ctx, s.x);
  return CQ_OK;
}
