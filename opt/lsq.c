#include "lsq.h"

#include "alloc.h"
#include "quiet_gsl.h"
#include "status.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static const double RANK_TOLERANCE = 1e-12;

typedef struct lsq {
  cq_ctx *ctx;
  int rows, cols, n_signed;
  const double *a, *b;
  bool *passive;            /* [cols] free to move; the others are 0 */
  int *column;              /* [cols] passive columns in order */
  double *u;                /* [rows][cols] work */
  double *v, *s, *work, *y; /* [cols][cols], [cols], [cols], [cols] */
  double *rhs;              /* [rows] */
  double *z;                /* [cols] solution on the passive columns, 0 elsewhere */
} lsq;

static cq_status decompose(cq_ctx *ctx, gsl_matrix *u, gsl_matrix *v, gsl_vector *s,
                           gsl_vector *work) {
  cq_quiet_gsl_begin();
  const int code = gsl_linalg_SV_decomp(u, v, s, work);
  cq_quiet_gsl_end();
  CQ_CHECK(ctx, code == GSL_SUCCESS, CQ_OPTIMIZER,
           "the multipliers cannot be computed: %s in the singular value decomposition",
           gsl_strerror(code));
  return CQ_OK;
}

/* Least squares on the passive columns into z. */
static cq_status solve_passive(lsq *q) {
  int p = 0;
  for (int k = 0; k < q->cols; k++) {
    q->z[k] = 0;
    if (q->passive[k]) {
      q->column[p++] = k;
    }
  }
  if (p == 0) {
    return CQ_OK;
  }
  for (int i = 0; i < q->rows; i++) {
    q->rhs[i] = -q->b[i];
    for (int k = 0; k < p; k++) {
      q->u[(size_t)i * (size_t)p + (size_t)k] =
          q->a[(size_t)i * (size_t)q->cols + (size_t)q->column[k]];
    }
  }
  gsl_matrix_view u = gsl_matrix_view_array(q->u, (size_t)q->rows, (size_t)p);
  gsl_matrix_view v = gsl_matrix_view_array(q->v, (size_t)p, (size_t)p);
  gsl_vector_view s = gsl_vector_view_array(q->s, (size_t)p);
  gsl_vector_view work = gsl_vector_view_array(q->work, (size_t)p);
  CQ_TRY(decompose(q->ctx, &u.matrix, &v.matrix, &s.vector, &work.vector));
  for (int k = 1; k < p; k++) {
    q->s[k] = q->s[k] > RANK_TOLERANCE * q->s[0] ? q->s[k] : 0; /* SV_solve skips zeros */
  }
  gsl_vector_view rhs = gsl_vector_view_array(q->rhs, (size_t)q->rows);
  gsl_vector_view y = gsl_vector_view_array(q->y, (size_t)p);
  gsl_linalg_SV_solve(&u.matrix, &v.matrix, &s.vector, &rhs.vector, &y.vector);
  for (int k = 0; k < p; k++) {
    q->z[q->column[k]] = q->y[k];
  }
  return CQ_OK;
}

/* The column at 0 whose growth lowers the sum of squares most; -1: none does. */
static int entering(const lsq *q, const double *mu, const bool *rejected) {
  int best = -1;
  double steepest = 0;
  for (int k = 0; k < q->n_signed; k++) {
    double slope = 0, size = 0;
    for (int i = 0; !q->passive[k] && !rejected[k] && i < q->rows; i++) {
      const double *row = q->a + (size_t)i * (size_t)q->cols;
      double r = q->b[i];
      for (int l = 0; l < q->cols; l++) {
        r += row[l] * mu[l];
      }
      slope -= row[k] * r;
      size += fabs(row[k] * r);
    }
    if (slope > 1e-12 * size && slope > steepest) {
      steepest = slope;
      best = k;
    }
  }
  return best;
}

/* Moves mu towards z until the first signed column reaches 0, which then leaves. True when z itself
 * was reached. */
static bool step(lsq *q, double *mu) {
  double alpha = 1;
  int blocking = -1;
  for (int k = 0; k < q->n_signed; k++) {
    if (q->passive[k] && q->z[k] <= 0 && mu[k] / (mu[k] - q->z[k]) < alpha) {
      alpha = mu[k] / (mu[k] - q->z[k]);
      blocking = k;
    }
  }
  for (int k = 0; k < q->cols; k++) {
    mu[k] += alpha * (q->z[k] - mu[k]);
  }
  if (blocking < 0) {
    return true;
  }
  mu[blocking] = 0;
  q->passive[blocking] = false;
  return false;
}

static cq_status solve(lsq *q, double *mu, bool *rejected) {
  memset(mu, 0, (size_t)q->cols * sizeof *mu);
  for (int k = q->n_signed; k < q->cols; k++) {
    q->passive[k] = true;
  }
  CQ_TRY(solve_passive(q));
  memcpy(mu, q->z, (size_t)q->cols * sizeof *mu);
  /* the bound only matters when rounding makes the active set cycle */
  for (int round = 0; round < 3 * q->cols + 3; round++) {
    const int k = entering(q, mu, rejected);
    if (k < 0) {
      return CQ_OK;
    }
    q->passive[k] = true;
    CQ_TRY(solve_passive(q));
    if (q->z[k] <= 0) {
      /* its slope was rounding */
      q->passive[k] = false;
      rejected[k] = true;
      continue;
    }
    memset(rejected, 0, (size_t)q->cols * sizeof *rejected);
    while (!step(q, mu)) {
      CQ_TRY(solve_passive(q));
    }
  }
  return CQ_OK;
}

/* Room for the active set method of solve(). */
cq_status cq_lsq_signed(cq_ctx *ctx, int rows, int cols, int n_signed, const double *a,
                        const double *b, double *mu) {
  const size_t m = (size_t)cols, r = (size_t)rows;
  lsq q = {.ctx = ctx, .rows = rows, .cols = cols, .n_signed = n_signed, .a = a, .b = b};
  bool *flags = NULL;
  double *doubles = NULL;
  cq_status status = CQ_ALLOC(ctx, flags, 2 * m);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, q.column, m);
  }
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, doubles, r * m + m * m + 4 * m + r);
  }
  if (status == CQ_OK) {
    q.passive = flags;
    q.u = doubles;
    q.v = q.u + r * m;
    q.s = q.v + m * m;
    q.work = q.s + m;
    q.y = q.work + m;
    q.z = q.y + m;
    q.rhs = q.z + m;
    status = solve(&q, mu, flags + m);
  }
  cq_free(ctx, doubles);
  cq_free(ctx, q.column);
  cq_free(ctx, flags);
  return status;
}
