#include "sqp_newton.h"

#include "alloc.h"
#include "sqp_vector.h"
#include "status.h"

#include <string.h>

/* Room for the dense system, whose order is that of the pairs and rows and not n. */
cq_status cq_sqp_newton_create(cq_ctx *ctx, int n, int m, int most, cq_sqp_newton *out) {
  const size_t order = (size_t)(2 * most + m), size = (size_t)n;
  cq_sqp_newton s = {.n = n, .m = m};
  memset(out, 0, sizeof *out);
  cq_status status = CQ_ALLOC(ctx, s.inverse, 2 * size + order * order + order);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, s.rows, order + 1);
  }
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, s.pivot, order + 1);
  }
  if (status != CQ_OK) {
    cq_sqp_newton_destroy(ctx, &s);
    return status;
  }
  s.row = s.inverse + size;
  s.matrix = s.row + size;
  s.right = s.matrix + order * order;
  *out = s;
  return CQ_OK;
}

void cq_sqp_newton_destroy(cq_ctx *ctx, cq_sqp_newton *s) {
  cq_free(ctx, s->pivot);
  cq_free(ctx, s->rows);
  cq_free(ctx, s->inverse); /* the block of all doubles */
  memset(s, 0, sizeof *s);
}

void cq_sqp_newton_set_rows(cq_sqp_newton *s, const cq_sqp_hessian *h, const double *a) {
  const size_t n = (size_t)s->n;
  s->order = 2 * h->terms + s->m;
  for (int i = 0; i < h->terms; i++) {
    s->rows[i] = h->plus + (size_t)i * n;
    s->rows[h->terms + i] = h->minus + (size_t)i * n;
  }
  for (int i = 0; i < s->m; i++) {
    s->rows[2 * h->terms + i] = a + (size_t)i * n;
  }
}

/* Gauss' elimination with row exchanges, in place. */
static bool factor(int order, double *matrix, int *pivot) {
  const size_t size = (size_t)order;
  for (int k = 0; k < order; k++) {
    int best = k;
    for (int i = k + 1; i < order; i++) {
      best = fabs(matrix[i * size + k]) > fabs(matrix[best * size + k]) ? i : best;
    }
    pivot[k] = best;
    for (int j = 0; best != k && j < order; j++) {
      const double swap = matrix[k * size + j];
      matrix[k * size + j] = matrix[best * size + j];
      matrix[best * size + j] = swap;
    }
    const double p = matrix[k * size + k];
    if (!(fabs(p) > 0) || !isfinite(p)) {
      return false;
    }
    for (int i = k + 1; i < order; i++) {
      const double l = matrix[i * size + k] /= p;
      for (int j = k + 1; l != 0 && j < order; j++) {
        matrix[i * size + j] -= l * matrix[k * size + j];
      }
    }
  }
  return true;
}

/* x := solution, by the factors and the order of the pivots. */
static void substitute(int order, const double *matrix, const int *pivot, double *x) {
  const size_t size = (size_t)order;
  for (int k = 0; k < order; k++) {
    const double swap = x[pivot[k]];
    x[pivot[k]] = x[k];
    x[k] = swap;
  }
  for (int i = 0; i < order; i++) {
    for (int j = 0; j < i; j++) {
      x[i] -= matrix[i * size + j] * x[j];
    }
  }
  for (int i = order - 1; i >= 0; i--) {
    for (int j = i + 1; j < order; j++) {
      x[i] -= matrix[i * size + j] * x[j];
    }
    x[i] /= matrix[i * size + i];
  }
}

/* What is left when the n variables, which have a diagonal of their own, are eliminated. */
bool cq_sqp_newton_factor(cq_sqp_newton *s, double sigma, const double *d, const double *e) {
  const int terms = (s->order - s->m) / 2;
  const size_t order = (size_t)s->order;
  for (int j = 0; j < s->n; j++) {
    s->inverse[j] = 1 / (sigma + d[j]);
  }
  for (int i = 0; i < s->order; i++) {
    for (int j = 0; j < s->n; j++) {
      s->row[j] = s->rows[i][j] * s->inverse[j];
    }
    for (int k = 0; k <= i; k++) {
      s->matrix[i * order + k] = s->matrix[k * order + i] = cq_dot(s->n, s->row, s->rows[k]);
    }
    s->matrix[i * order + i] += i < terms ? 1 : i < 2 * terms ? -1 : e[i - 2 * terms];
  }
  return factor(s->order, s->matrix, s->pivot);
}

/* The small system first, then the variables from it. */
void cq_sqp_newton_solve(cq_sqp_newton *s, const double *b_1, const double *b_2, double *x,
                         double *l) {
  const int first = s->order - s->m;
  for (int j = 0; j < s->n; j++) {
    x[j] = b_1[j] * s->inverse[j];
  }
  for (int i = 0; i < s->order; i++) {
    s->right[i] = cq_dot(s->n, s->rows[i], x) - (i < first ? 0 : b_2[i - first]);
  }
  substitute(s->order, s->matrix, s->pivot, s->right);
  memcpy(s->row, b_1, (size_t)s->n * sizeof *s->row);
  for (int i = 0; i < s->order; i++) {
    cq_axpy(s->n, -s->right[i], s->rows[i], s->row);
  }
  for (int j = 0; j < s->n; j++) {
    x[j] = s->row[j] * s->inverse[j];
  }
  memcpy(l, s->right + first, (size_t)s->m * sizeof *l);
}
