#include "cqopt/uncertainty.h"

#include "alloc.h"
#include "quiet_gsl.h"
#include "reduce.h"
#include "status.h"
#include "uncertainty_reduced.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* of the largest singular value: what counts as none is this, or so many errors of the entries */
static const double ROUNDED = 1e-12, ERRORS = 100;
/* of a direction: a part that is rounding */
static const double NO_PART = 1e-4;
/* half of what a 95 % interval leaves out */
static const double ABOVE = 0.975;

/* Columns of R that are free to move, made 1 long, as U diag(values) V^T. */
typedef struct svd {
  int n, free;
  int *of;                                /* [free] which variable a column is */
  double *u, *v, *values, *work, *length; /* [n][free], [free][free], [free] each */
} svd;

static cq_status create(cq_ctx *ctx, int n, svd *s) {
  const size_t size = (size_t)n;
  *s = (svd){.n = n};
  CQ_TRY(CQ_ALLOC(ctx, s->u, 2 * size * size + 3 * size));
  s->v = s->u + size * size;
  s->values = s->v + size * size;
  s->work = s->values + size;
  s->length = s->work + size;
  return CQ_ALLOC(ctx, s->of, size);
}

static void destroy(cq_ctx *ctx, svd *s) {
  cq_free(ctx, s->u);
  cq_free(ctx, s->of);
}

/* Variables that may move, or with `held` those of them that are not on a bound, and their columns.
 */
static void take_columns(svd *s, const cq_problem *problem, const double *x, const double *R,
                         bool held) {
  const size_t n = (size_t)s->n;
  s->free = 0;
  for (int j = 0; j < s->n; j++) {
    const bool inside = x[j] > problem->lower[j] && x[j] < problem->upper[j];
    if (problem->lower[j] < problem->upper[j] && (inside || !held)) {
      s->of[s->free++] = j;
    }
  }
  for (int k = 0; k < s->free; k++) {
    double length = 0;
    for (size_t i = 0; i < n; i++) {
      length = hypot(length, R[i * n + (size_t)s->of[k]]);
    }
    s->length[k] = length > 0 ? length : 1;
    for (size_t i = 0; i < n; i++) {
      s->u[i * (size_t)s->free + (size_t)k] = R[i * n + (size_t)s->of[k]] / s->length[k];
    }
  }
}

static cq_status decompose(cq_ctx *ctx, const cq_problem *problem, const double *x, const double *R,
                           bool held, svd *s) {
  take_columns(s, problem, x, R, held);
  if (s->free == 0) {
    return CQ_OK;
  }
  const size_t f = (size_t)s->free;
  gsl_matrix_view u = gsl_matrix_view_array(s->u, (size_t)s->n, f);
  gsl_matrix_view v = gsl_matrix_view_array(s->v, f, f);
  gsl_vector_view values = gsl_vector_view_array(s->values, f);
  cq_quiet_gsl_begin();
  const int code = gsl_linalg_SV_decomp_jacobi(&u.matrix, &v.matrix, &values.vector);
  cq_quiet_gsl_end();
  CQ_CHECK(ctx, code == GSL_SUCCESS, CQ_OPTIMIZER,
           "no error bars: %s in the singular value decomposition", gsl_strerror(code));
  return CQ_OK;
}

static int rank_of(const svd *s, const cq_problem *problem) {
  const double least = fmax(ROUNDED, ERRORS * problem->jacobian_error);
  int rank = 0;
  while (rank < s->free && s->values[rank] > least * s->values[0]) {
    rank++;
  }
  return rank;
}

cq_status cq_reduced_is_singular(cq_ctx *ctx, const cq_problem *problem, const double *x,
                                 const double *R, bool *singular) {
  svd s;
  cq_status status = create(ctx, problem->n, &s);
  status = status == CQ_OK ? decompose(ctx, problem, x, R, false, &s) : status;
  *singular = status == CQ_OK && rank_of(&s, problem) < s.free;
  destroy(ctx, &s);
  return status;
}

/* In columns of length 1 the row is one long. */
void cq_hold_row(const cq_problem *problem, const double *jac, const double *row, double *out) {
  const size_t n = (size_t)problem->n;
  double size = 0;
  for (size_t j = 0; j < n; j++) {
    double length = 0;
    for (size_t i = 0; i < n; i++) {
      length = hypot(length, jac[i * n + j]);
    }
    size = fmax(size, fabs(row[j]) / (length > 0 ? length : 1));
  }
  for (size_t j = 0; j < n; j++) {
    out[j] = row[j] / (size > 0 ? size : 1);
  }
}

/* sum over what is determined of the products of two variables' parts over the squared values */
static double covariance(const svd *s, int rank, int a, int b) {
  double sum = 0;
  for (int k = 0; k < rank; k++) {
    const size_t f = (size_t)s->free, c = (size_t)k;
    sum += s->v[(size_t)a * f + c] * s->v[(size_t)b * f + c] / (s->values[k] * s->values[k]);
  }
  return sum / (s->length[a] * s->length[b]);
}

/* Whether a variable is part of a combination that is not determined. */
static bool is_open(const svd *s, int rank, int a) {
  bool open = false;
  for (int k = rank; k < s->free; k++) {
    open = open || fabs(s->v[(size_t)a * (size_t)s->free + (size_t)k]) > NO_PART;
  }
  return open;
}

/* Standard errors and correlations of what is determined. */
static void fill_errors(const svd *s, cq_uncertainty *u) {
  const size_t n = (size_t)u->n;
  for (size_t i = 0; i < n * n; i++) {
    u->correlation[i] = NAN;
    u->errors[i / n] = NAN;
  }
  for (int a = 0; a < s->free; a++) {
    const double variance = covariance(s, u->rank, a, a);
    u->errors[s->of[a]] = is_open(s, u->rank, a) ? INFINITY : u->deviation * sqrt(variance);
    for (int b = 0; b < s->free; b++) {
      const double other = covariance(s, u->rank, b, b);
      if (!is_open(s, u->rank, a) && !is_open(s, u->rank, b)) {
        u->correlation[(size_t)s->of[a] * n + (size_t)s->of[b]] =
            a == b ? 1 : covariance(s, u->rank, a, b) / sqrt(variance * other);
      }
    }
  }
}

static void fill_directions(const svd *s, cq_uncertainty *u) {
  for (int k = 0; k < s->free; k++) {
    u->singular[k] = s->values[k];
    for (int a = 0; a < s->free; a++) {
      u->directions[(size_t)k * (size_t)u->n + (size_t)s->of[a]] =
          s->v[(size_t)a * (size_t)s->free + (size_t)k] / s->length[a];
    }
  }
}

/* What follows from f and the numbers of residuals and variables. */
static void fill_statistics(cq_uncertainty *u) {
  const bool tells = u->degrees > 0;
  u->deviation = u->has_deviations ? 1 : tells ? sqrt(u->f / u->degrees) : NAN;
  u->chi_square = u->has_deviations ? u->f : NAN;
  u->probability = u->has_deviations && tells ? gsl_cdf_chisq_Q(u->f, u->degrees) : NAN;
  u->quantile = u->has_deviations ? gsl_cdf_ugaussian_Pinv(ABOVE)
                : tells           ? gsl_cdf_tdist_Pinv(ABOVE, u->degrees)
                                  : NAN;
}

/* Residuals and derivatives at x, then all that follows from them. */
static cq_status fill(cq_ctx *ctx, const cq_problem *problem, int level, const double *x,
                      double *room, cq_uncertainty *u) {
  const size_t m = (size_t)u->n_residuals, n = (size_t)u->n;
  double *const jac = room, *const reduced = jac + m * n, *const R = reduced + n * (n + 1);
  svd s;
  CQ_TRY(problem->residuals(problem->data, level, x, &u->f, u->residuals, jac));
  CQ_TRY(cq_reduce(ctx, (int)m, (int)n, u->residuals, jac, reduced));
  for (size_t i = 0; i < n; i++) {
    memcpy(R + i * n, reduced + i * (n + 1) + 1, n * sizeof *R);
  }
  CQ_CHECK(ctx, isfinite(R[0]), CQ_NONFINITE, "no error bars: the derivatives are not finite");
  cq_status status = create(ctx, u->n, &s);
  status = status == CQ_OK ? decompose(ctx, problem, x, R, false, &s) : status;
  if (status == CQ_OK && rank_of(&s, problem) == s.free) {
    status = decompose(ctx, problem, x, R, true, &s);
  }
  if (status == CQ_OK) {
    u->held = u->n - s.free;
    u->rank = rank_of(&s, problem);
    u->degrees = u->n_residuals - s.free;
    fill_statistics(u);
    fill_errors(&s, u);
    fill_directions(&s, u);
  }
  destroy(ctx, &s);
  return status;
}

/* One piece of memory for all numbers. */
static cq_status make(cq_ctx *ctx, const cq_problem *problem, cq_uncertainty **out) {
  const size_t m = (size_t)problem->n_residuals, n = (size_t)problem->n;
  CQ_TRY(CQ_ALLOC(ctx, *out, 1));
  cq_uncertainty *u = *out;
  u->n = problem->n;
  u->n_residuals = problem->n_residuals;
  u->has_deviations = problem->has_deviations;
  CQ_TRY(CQ_ALLOC(ctx, u->errors, 2 * n + 2 * n * n + m));
  u->singular = u->errors + n;
  u->correlation = u->singular + n;
  u->directions = u->correlation + n * n;
  u->residuals = u->directions + n * n;
  return CQ_OK;
}

/* The checks and the memory; a result is all there or NULL. */
cq_status cq_uncertainty_find(cq_ctx *ctx, const cq_problem *problem, int level, const double *x,
                              cq_uncertainty **out) {
  double *room = NULL;
  CQ_CHECK(ctx, ctx != NULL && problem != NULL && x != NULL && out != NULL, CQ_USAGE,
           "the problem, x or the room for the result is missing");
  const size_t m = (size_t)problem->n_residuals, n = (size_t)problem->n;
  *out = NULL;
  CQ_CHECK(ctx, m > 0, CQ_USAGE, "the problem has no residuals");
  cq_status status = make(ctx, problem, out);
  status = status == CQ_OK ? CQ_ALLOC(ctx, room, m * n + n * (n + 1) + n * n) : status;
  status = status == CQ_OK ? fill(ctx, problem, level, x, room, *out) : status;
  cq_free(ctx, room);
  if (status != CQ_OK) {
    cq_uncertainty_free(ctx, *out);
    *out = NULL;
  }
  return status;
}

void cq_uncertainty_free(cq_ctx *ctx, cq_uncertainty *u) {
  if (u != NULL) {
    cq_free(ctx, u->errors);
    cq_free(ctx, u);
  }
}
