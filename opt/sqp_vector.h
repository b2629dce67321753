/* Loops over vectors that sqp and the probes share. */
#ifndef CQ_OPT_SQP_VECTOR_H
#define CQ_OPT_SQP_VECTOR_H

#include <math.h>

/* Four sums side by side: one alone waits for each addition. */
static inline double cq_dot(int n, const double *a, const double *b) {
  double sum[4] = {0, 0, 0, 0};
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    for (int k = 0; k < 4; k++) {
      sum[k] += a[j + k] * b[j + k];
    }
  }
  for (; j < n; j++) {
    sum[0] += a[j] * b[j];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* y += factor x */
static inline void cq_axpy(int n, double factor, const double *x, double *y) {
  for (int j = 0; factor != 0 && j < n; j++) {
    y[j] += factor * x[j];
  }
}

static inline double cq_max_norm(int n, const double *x) {
  double most = 0;
  for (int j = 0; j < n; j++) {
    most = fmax(most, fabs(x[j]));
  }
  return most;
}

#endif
