/* When a run of CMA-ES has ended by itself: the rules of pycma 4.4 with its defaults. The value of
 * a candidate is f, or where the best of a generation violates constraints, its violation. */
#include "cmaes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOL_X = 1e-11, TOL_FUN = 1e-11, TOL_FUN_HIST = 1e-12, TOL_FAC_UP_X = 1e3,
                    TOL_UP_SIGMA = 1e20, TOL_CONDITION = 1e14;
enum { TOL_FLAT = 1 };

const char *cq_cmaes_stop_name(cq_cmaes_stop stop) {
  static const char *const names[] = {"",
#define CQ_CMAES_STOP_NAME(name, converged) #name,
                                      CQ_CMAES_STOP_LIST(CQ_CMAES_STOP_NAME)
#undef CQ_CMAES_STOP_NAME
  };
  return names[stop];
}

bool cq_cmaes_stop_is_convergence(cq_cmaes_stop stop) {
  static const bool converged_[] = {false,
#define CQ_CMAES_STOP_KIND(name, converged) converged,
                                    CQ_CMAES_STOP_LIST(CQ_CMAES_STOP_KIND)
#undef CQ_CMAES_STOP_KIND
  };
  return converged_[stop];
}

static const cq_candidate *ranked(const cq_cmaes *es, const cq_candidate *values, int i) {
  return &values[es->order[i]];
}

static bool is_feasible(const cq_candidate *c) {
  return !c->failed && c->violation <= 0;
}

/* Least and largest value of a generation, and its median; NAN, NAN where candidates of different
 * kinds do not compare. */
typedef struct summary {
  bool feasible;
  double least, largest, median;
} summary;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static summary summarize(cq_cmaes *es, const cq_candidate *values) {
  summary s = {.feasible = is_feasible(ranked(es, values, 0))};
  bool alike = true;
  for (int i = 0; i < es->lambda; i++) {
    const cq_candidate *c = ranked(es, values, i);
    alike = alike && !c->failed && is_feasible(c) == s.feasible;
    es->sorted[i] = s.feasible  ? is_feasible(c) ? c->f : INFINITY
                    : c->failed ? INFINITY
                                : c->violation;
  }
  s.median = median(es->sorted, es->lambda);
  s.least = es->sorted[0];
  s.largest = alike ? es->sorted[es->lambda - 1] : INFINITY;
  return s;
}

/* Appends value to a history of so many; the oldest makes room. */
static int push(double *history, int count, int room, double value) {
  if (count == room) {
    count--;
    memmove(history, history + 1, (size_t)count * sizeof *history);
  }
  history[count] = value;
  return count + 1;
}

/* A generation in the histories; they begin anew where feasible candidates appear or are gone,
 * since values do not compare. */
static void note(cq_cmaes *es, const summary *s) {
  if (s->feasible != es->was_feasible) {
    es->was_feasible = s->feasible;
    es->n_recent = es->n_long = 0;
    es->best_value = INFINITY;
  }
  if (s->least < es->best_value) {
    es->best_value = s->least;
    es->best_generation = es->generation;
  }
  es->n_recent = push(es->recent, es->n_recent, es->recent_room, s->least);
  if (es->generation % 5 == 0) {
    push(es->medians, es->n_long, es->long_room, s->median);
    es->n_long = push(es->bests, es->n_long, es->long_room, s->least);
  }
  es->flat = es->sorted[0] < es->sorted[3 * es->lambda / 4] || isinf(s->least) ? 0 : es->flat + 1;
}

static double range_of(const double *values, int count) {
  double least = INFINITY, largest = -INFINITY;
  for (int i = 0; i < count; i++) {
    least = fmin(least, values[i]);
    largest = fmax(largest, values[i]);
  }
  return largest - least;
}

/* whether the median of the newest l is no better than that of the l before */
static bool stands_still(cq_cmaes *es, const double *history, int l) {
  double *const newest = es->sorted + es->lambda, *const before = newest + l;
  memcpy(newest, history + es->n_long - l, (size_t)l * sizeof *newest);
  memcpy(before, history + es->n_long - 2 * l, (size_t)l * sizeof *before);
  return median(newest, l) >= median(before, l);
}

static bool stagnates(cq_cmaes *es) {
  const double tolerance = es->tolstagnation;
  const double l = fmax(tolerance / 10, es->n_long / 10.0);
  return es->generation > es->setup.n * (5 + 100.0 / es->lambda) &&
         es->generation - es->best_generation > tolerance / 2 && es->n_long > 100 &&
         2 * (int)l < es->n_long && stands_still(es, es->medians, (int)l) &&
         stands_still(es, es->bests, (int)l);
}

static bool x_is_settled(const cq_cmaes *es) {
  double size = 0;
  for (int j = 0; j < es->setup.n; j++) {
    size += fabs(es->mean[j]) / es->setup.n;
  }
  const double tolerance = fmax(TOL_X * es->setup.x_tolerance, es->setup.x_relative * size);
  for (int j = 0; j < es->setup.n; j++) {
    const double path = es->sigma * fabs(es->pc[j]) * (es->square > 0 ? 1 : es->axes[j]);
    if (!(cq_cmaes_deviation(es, j) < tolerance && path < tolerance)) {
      return false;
    }
  }
  return true;
}

/* A change of a fifth of a deviation that mean + change does not show. */
static bool coordinate_is_lost(const cq_cmaes *es) {
  for (int j = 0; j < es->setup.n; j++) {
    if (es->mean[j] == es->mean[j] + 0.2 * cq_cmaes_deviation(es, j)) {
      return true;
    }
  }
  return false;
}

/* The same along one axis of C, each generation another. */
static bool axis_is_lost(const cq_cmaes *es) {
  const int n = es->setup.n, i = es->generation % n;
  for (int j = 0; j < n; j++) {
    const double change = 0.1 * es->sigma * es->axes[i] *
                          (es->square > 0 ? es->b[(size_t)j * (size_t)n + (size_t)i] : 0);
    if (es->mean[j] != es->mean[j] + change) {
      return false;
    }
  }
  return es->square > 0;
}

static bool has_grown(const cq_cmaes *es) {
  for (int j = 0; j < es->setup.n; j++) {
    if (cq_cmaes_deviation(es, j) > es->setup.sigma * es->first_axes[j] * TOL_FAC_UP_X) {
      return true;
    }
  }
  return false;
}

static cq_cmaes_stop f_is_settled(const cq_cmaes *es, const summary *s) {
  const double tolerance = es->setup.f_tolerance, relative = es->setup.f_relative * fabs(s->least);
  const double history = range_of(es->recent, es->n_recent);
  if (fmax(s->largest - s->least, history) < fmax(TOL_FUN * tolerance, relative)) {
    return CQ_CMAES_tolfun;
  }
  if (es->n_recent > 9 && history < TOL_FUN_HIST * tolerance) {
    return CQ_CMAES_tolfunhist;
  }
  return es->flat > TOL_FLAT ? CQ_CMAES_tolflatfitness : CQ_CMAES_GOES_ON;
}

/* ps and C grow apart: "creeping" */
static bool sigma_creeps(const cq_cmaes *es) {
  return es->square > 0 && es->sigma / es->axes[es->setup.n - 1] > es->setup.sigma * TOL_UP_SIGMA;
}

static bool is_ill_conditioned(const cq_cmaes *es) {
  return es->square > 0 && es->axes[es->setup.n - 1] > sqrt(TOL_CONDITION) * es->axes[0];
}

static cq_cmaes_stop judge(cq_cmaes *es, const summary *s) {
  const cq_cmaes_stop settled = f_is_settled(es, s);
  return x_is_settled(es)                               ? CQ_CMAES_tolx
         : settled != CQ_CMAES_GOES_ON                  ? settled
         : has_grown(es)                                ? CQ_CMAES_tolfacupx
         : sigma_creeps(es)                             ? CQ_CMAES_tolupsigma
         : is_ill_conditioned(es)                       ? CQ_CMAES_tolconditioncov
         : coordinate_is_lost(es)                       ? CQ_CMAES_noeffectcoord
         : axis_is_lost(es)                             ? CQ_CMAES_noeffectaxis
         : stagnates(es)                                ? CQ_CMAES_tolstagnation
         : es->generation >= es->setup.most_generations ? CQ_CMAES_maxiter
                                                        : CQ_CMAES_GOES_ON;
}

void cq_cmaes_watch(cq_cmaes *es, const cq_candidate *values) {
  const summary s = summarize(es, values);
  note(es, &s);
  es->stop = judge(es, &s);
}
