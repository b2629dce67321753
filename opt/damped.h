/* A damped linear least-squares problem in a box: what a step of gauss_newton solves. */
#ifndef CQ_OPT_DAMPED_H
#define CQ_OPT_DAMPED_H

#include "cqopt/base.h"

/* min over p of |A p + b|^2 + damping |D p|^2 with low <= p <= high, low <= 0 <= high. */
typedef struct cq_damped {
  int n;
  double *a, *b;      /* [n][n] row-major, [n] */
  double *d;          /* [n] > 0 */
  double *low, *high; /* [n] */
  double *p;          /* [n] the solution */
  /* work */
  int *side;                              /* [n] 0: free, -1, 1: on low, high */
  double *rows, *tau, *rhs, *rest, *half; /* [2n][n], [n], [2n], [2n], [n] */
} cq_damped;

/* All of it, zeros; CQ_MEMORY: nothing is held. */
cq_status cq_damped_create(cq_ctx *ctx, int n, cq_damped *out);
void cq_damped_destroy(cq_ctx *ctx, cq_damped *damped);
/* Solves for p. Damping > 0 makes the problem regular whatever A is. */
void cq_damped_solve(cq_damped *damped, double damping);
/* |D p| */
double cq_damped_length(const cq_damped *damped);
/* What p takes away from |b|^2: |b|^2 - |A p + b|^2. */
double cq_damped_gain(const cq_damped *damped);
/* 2 b^T A p: the slope of |A p + b|^2 along p. */
double cq_damped_slope(const cq_damped *damped);

/* Takes A and b from n rows of b_i, A_i (reduce.h), and grows D to the norms of A's columns where
 * these are larger: a variable that has mattered is not thrown far where it does not. */
void cq_damped_load(cq_damped *damped, const double *reduced);
/* The radius after p, whose predicted gain was this, has taken f to f_new; failed: to nothing;
 * bounded: the old radius has held it. */
double cq_damped_next_radius(const cq_damped *damped, double radius, double gain, double f,
                             double f_new, bool failed, bool bounded);

/* Solves with the least damping that keeps |D p| within a tenth of radius or below it. Returns
 * false when no damping was needed for that. */
bool cq_damped_within(cq_damped *damped, double radius);

#endif
