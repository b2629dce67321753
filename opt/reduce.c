#include "reduce.h"

#include "alloc.h"
#include "status.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static bool is_finite(const double *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) {
    finite = finite && isfinite(values[i]);
  }
  return finite;
}

/* Householder's QR in place; fewer residuals than variables are filled up with zeros. */
static void decompose(size_t rows, size_t n, double *a, double *b, double *tau, double *reduced) {
  gsl_matrix_view qr = gsl_matrix_view_array(a, rows, n);
  gsl_vector_view t = gsl_vector_view_array(tau, n), rhs = gsl_vector_view_array(b, rows);
  gsl_linalg_QR_decomp(&qr.matrix, &t.vector);
  gsl_linalg_QR_QTvec(&qr.matrix, &t.vector, &rhs.vector);
  for (size_t i = 0; i < n; i++) {
    double *row = reduced + i * (n + 1);
    row[0] = b[i];
    for (size_t j = 0; j < n; j++) {
      row[1 + j] = j < i ? 0 : a[i * n + j];
    }
  }
}

/* Works on copies, for the QR is in place; one number that is not finite makes all of them NAN. */
cq_status cq_reduce(cq_ctx *ctx, int m, int n, const double *r, const double *jac,
                    double *reduced) {
  const size_t rows = (size_t)(m > n ? m : n), v = (size_t)n, given = (size_t)m;
  double *room = NULL;
  if (!is_finite(r, given) || !is_finite(jac, given * v)) {
    for (size_t i = 0; i < v * (v + 1); i++) {
      reduced[i] = NAN;
    }
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(ctx, room, rows * v + rows + v));
  memcpy(room, jac, given * v * sizeof *room);
  memcpy(room + rows * v, r, given * sizeof *room);
  decompose(rows, v, room, room + rows * v, room + rows * (v + 1), reduced);
  cq_free(ctx, room);
  return CQ_OK;
}

cq_status cq_reduce_at(cq_ctx *ctx, const cq_problem *problem, int level, const double *x,
                       double *f, double *reduced) {
  const size_t m = (size_t)problem->n_residuals, n = (size_t)problem->n;
  double *r = NULL;
  CQ_TRY(CQ_ALLOC(ctx, r, m * (n + 1)));
  cq_status status = problem->residuals(problem->data, level, x, f, r, r + m);
  status = status == CQ_OK ? cq_reduce(ctx, (int)m, (int)n, r, r + m, reduced) : status;
  cq_free(ctx, r);
  return status;
}
