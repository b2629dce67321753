#include "ritz.h"

#include "quiet_gsl.h"
#include "sqp_vector.h"
#include "status.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <string.h>

/* part of a direction that is left of it beside the span: less would be rounding, many times over
 */
static const double LEFT = 1e-2;
/* of a product that is left beside others: less is what products are off by */
static const double EXACT = 1e-4;

void cq_ritz_open(cq_ritz *ritz, int n, double *block) {
  *ritz = (cq_ritz){.n = n, .z = block, .hz = block + (size_t)CQ_RITZ_MOST * (size_t)n};
}

static double *row(double *rows, int n, int i) {
  return rows + (size_t)i * (size_t)n;
}

/* z := the part of d beside the span, and its length as a part of that of d; along [size] is what
 * has been taken out. */
static double beside(const cq_ritz *ritz, const double *d, double *z, double *along) {
  const int n = ritz->n;
  const double length = sqrt(cq_dot(n, d, d));
  memcpy(z, d, (size_t)n * sizeof *z);
  for (int twice = 0; twice < 2; twice++) {
    for (int i = 0; i < ritz->size; i++) {
      const double part = cq_dot(n, row(ritz->z, n, i), z);
      cq_axpy(n, -part, row(ritz->z, n, i), z);
      along[i] = part + (twice > 0 ? along[i] : 0);
    }
  }
  return length > 0 ? sqrt(cq_dot(n, z, z)) / length : 0;
}

/* The part of d beside the span, of length 1, and by linearity its product. */
bool cq_ritz_add(cq_ritz *ritz, const double *d, const double *hd) {
  const int n = ritz->n;
  double along[CQ_RITZ_MOST];
  if (ritz->size == CQ_RITZ_MOST) {
    return false;
  }
  double *const z = row(ritz->z, n, ritz->size), *const hz = row(ritz->hz, n, ritz->size);
  if (!(beside(ritz, d, z, along) > LEFT)) {
    return false;
  }
  memcpy(hz, hd, (size_t)n * sizeof *hz);
  for (int i = 0; i < ritz->size; i++) {
    cq_axpy(n, -along[i], row(ritz->hz, n, i), hz);
  }
  const double length = sqrt(cq_dot(n, z, z));
  for (int j = 0; j < n; j++) {
    z[j] /= length;
    hz[j] /= length;
  }
  ritz->size++;
  return true;
}

/* z_i' H z_k: the mean of both products */
static double entry(const cq_ritz *ritz, int i, int k) {
  const int n = ritz->n;
  return 0.5 * (cq_dot(n, row(ritz->z, n, i), row(ritz->hz, n, k)) +
                cq_dot(n, row(ritz->z, n, k), row(ritz->hz, n, i)));
}

/* The eigenvalues of z'H z, which the error of products makes a little unsymmetric. */
cq_status cq_ritz_solve(cq_ctx *ctx, cq_ritz *ritz) {
  const size_t size = (size_t)ritz->size;
  double a[CQ_RITZ_MOST * CQ_RITZ_MOST], v[CQ_RITZ_MOST * CQ_RITZ_MOST];
  cq_quiet_gsl_begin();
  gsl_eigen_symmv_workspace *const work = gsl_eigen_symmv_alloc(size);
  cq_quiet_gsl_end();
  CQ_CHECK(ctx, work != NULL, CQ_MEMORY, "out of memory for %d eigenvalues", ritz->size);
  for (int i = 0; i < ritz->size; i++) {
    for (int k = 0; k <= i; k++) {
      a[i * ritz->size + k] = a[k * ritz->size + i] = entry(ritz, i, k);
    }
  }
  gsl_matrix_view matrix = gsl_matrix_view_array(a, size, size);
  gsl_matrix_view vectors = gsl_matrix_view_array(v, size, size);
  gsl_vector_view values = gsl_vector_view_array(ritz->values, size);
  gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, work);
  gsl_eigen_symmv_sort(&values.vector, &vectors.matrix, GSL_EIGEN_SORT_VAL_ASC);
  gsl_eigen_symmv_free(work);
  for (int i = 0; i < ritz->size; i++) {
    for (int k = 0; k < ritz->size; k++) {
      ritz->vectors[i][k] = v[k * ritz->size + i];
    }
  }
  return CQ_OK;
}

void cq_ritz_vector(const cq_ritz *ritz, int i, double *out) {
  memset(out, 0, (size_t)ritz->n * sizeof *out);
  for (int k = 0; k < ritz->size; k++) {
    cq_axpy(ritz->n, ritz->vectors[i][k], row(ritz->z, ritz->n, k), out);
  }
}

void cq_ritz_conjugate(cq_ritz *ritz, double *d) {
  const int n = ritz->n;
  for (int i = 0; i <= ritz->size; i++) {
    double *const to = i < ritz->size ? row(ritz->hz, n, i) : d;
    const double before = sqrt(cq_dot(n, to, to));
    for (int k = 0; k < i; k++) {
      cq_axpy(n, -cq_dot(n, row(ritz->hz, n, k), to), row(ritz->hz, n, k), to);
    }
    const double left = sqrt(cq_dot(n, to, to));
    const double by = left > EXACT * before ? 1 / left : 0;
    for (int j = 0; i < ritz->size && j < n; j++) {
      to[j] *= by;
    }
  }
}
