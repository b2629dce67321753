/* A few linear equations, in double. */
#ifndef CQ_MATH_SMALL_SOLVE_H
#define CQ_MATH_SMALL_SOLVE_H

#include <math.h>
#include <stdbool.h>

enum { CQ_SMALL_SOLVE = 6 };

static inline void small_swap(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

typedef struct small_matrix {
  double a[CQ_SMALL_SOLVE][CQ_SMALL_SOLVE];
} small_matrix;

/* A x = b of order n by elimination with row pivots; x takes the place of b. false: A is singular
 * or not finite. */
static inline bool small_solve(int n, small_matrix matrix, double *b) {
  double(*A)[CQ_SMALL_SOLVE] = matrix.a;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
    }
    if (!(fabs(A[pivot][k]) > 0.0) || !isfinite(A[pivot][k])) {
      return false;
    }
    for (int j = k; j < n && pivot != k; j++) {
      small_swap(&A[k][j], &A[pivot][j]);
    }
    small_swap(&b[k], &b[pivot]);
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) {
        A[i][j] -= factor * A[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) {
      b[k] -= A[k][j] * b[j];
    }
    b[k] /= A[k][k];
  }
  return true;
}

#endif
