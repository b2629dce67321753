/* A class of large problems with an answer that can be judged: a chain of coupled least squares,
 * bounds, two inequalities.
 *
 *   phi_i = x_i + 0.3 sin(2 x_i) - 0.25 x_{i+1}^2 - t_i                      (x_{n+1} = x_1)
 *   f     = (1/2) sum_i phi_i^2
 *   c_1   = (1/n) sum_i x_i^2 - r_1                    (an energy)
 *   c_2   = r_2 - (1/n) sum_i (x_i + 0.3 sin(2 x_i)) w_i        (not convex)
 *
 * t and w are random. Neither f nor c_2 is convex, and both constraints are active at the optimum;
 * still, all methods that solve a problem of the class from either start find one and the same
 * point (with x_i^3 for the sine in c_2, or 0.4 for 0.25, they do not). */
#ifndef CQ_TESTS_OPT_CLASS_H
#define CQ_TESTS_OPT_CLASS_H

#include "cqopt/optimizer.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct chain {
  int n;
  double *t, *w, *lower, *upper, *start;
  double r_1, r_2, factor;
  int calls;
} chain;

/* [-1, 1), the same on every machine */
static double chain_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

static cq_status chain_eval(void *data, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  chain *p = data;
  const int n = p->n;
  double sum = 0, energy = 0, work = 0;
  p->calls++;
  for (int i = 0; grad != NULL && i < n; i++) {
    grad[i] = 0;
  }
  for (int i = 0; i < n; i++) {
    const int next = i + 1 < n ? i + 1 : 0;
    const double phi = x[i] + 0.3 * sin(2 * x[i]) - 0.25 * x[next] * x[next] - p->t[i];
    sum += 0.5 * phi * phi;
    energy += x[i] * x[i] / n;
    work += (x[i] + 0.3 * sin(2 * x[i])) * p->w[i] / n;
    if (grad != NULL) {
      grad[i] += p->factor * phi * (1 + 0.6 * cos(2 * x[i]));
      grad[next] -= p->factor * phi * 0.5 * x[next];
      jac[i] = 2 * x[i] / n;
      jac[n + i] = -(1 + 0.6 * cos(2 * x[i])) * p->w[i] / n;
    }
  }
  *f = p->factor * sum;
  c[0] = energy - p->r_1;
  c[1] = p->r_2 - work;
  return CQ_OK;
}

/* The start is near 0.35 w, which is feasible, or random within the bounds, which violates both. */
static chain chain_make(int n, int seed, bool feasible, double factor) {
  chain p = {.n = n, .r_1 = 0.16, .r_2 = 0.12, .factor = factor};
  uint64_t state = 77 + 1000003u * (uint64_t)seed + (uint64_t)n;
  p.t = malloc(5 * (size_t)n * sizeof(double));
  p.w = p.t + n;
  p.lower = p.w + n;
  p.upper = p.lower + n;
  p.start = p.upper + n;
  for (int i = 0; i < 20; i++) {
    chain_random(&state);
  }
  for (int i = 0; i < n; i++) {
    p.t[i] = 1.4 * chain_random(&state);
    p.w[i] = chain_random(&state);
    p.lower[i] = -1;
    p.upper[i] = 1;
  }
  for (int i = 0; i < n; i++) {
    p.start[i] = feasible ? 0.35 * p.w[i] + 0.05 * chain_random(&state) : chain_random(&state);
  }
  return p;
}

static void chain_free(chain *p) {
  free(p->t);
}

static cq_problem chain_problem(chain *p) {
  return (cq_problem){.n = p->n,
                      .n_inequality = 2,
                      .lower = p->lower,
                      .upper = p->upper,
                      .start = p->start,
                      .eval = chain_eval,
                      .data = p};
}

#endif
