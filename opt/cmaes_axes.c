/* The covariance matrix C of CMA-ES and its axes. */
#include "cmaes.h"

#include <math.h>
#include <string.h>

/* Should rounding have made an eigenvalue of C negative, C is lifted by what the smallest was. */
static void lift(cq_cmaes *es, double least_before) {
  const size_t n = (size_t)es->setup.n;
  const double by = pow(least_before, 2) - fmin(es->axes[0], 0);
  for (size_t j = 0; j < n; j++) {
    es->c[j * n + j] += by;
    es->axes[j] += by;
  }
}

/* The eigenvectors and square roots of the eigenvalues of C. It costs n^3, and so is left for some
 * generations. */
void cq_cmaes_decompose(cq_cmaes *es) {
  const size_t n = (size_t)es->setup.n;
  if (es->square == 0 || es->generation == es->decomposed ||
      es->generation < es->decomposed + es->gap) {
    return;
  }
  const double least = es->axes[0];
  memcpy(es->work, es->c, es->square * sizeof *es->c);
  gsl_matrix_view c = gsl_matrix_view_array(es->work, n, n);
  gsl_matrix_view b = gsl_matrix_view_array(es->b, n, n);
  gsl_vector_view axes = gsl_vector_view_array(es->axes, n);
  gsl_eigen_symmv(&c.matrix, &axes.vector, &b.matrix, es->eigen);
  gsl_eigen_symmv_sort(&axes.vector, &b.matrix, GSL_EIGEN_SORT_VAL_ASC);
  if (!(es->axes[0] > 0)) {
    lift(es, least);
  }
  for (size_t j = 0; j < n; j++) {
    es->axes[j] = sqrt(es->axes[j]);
  }
  es->decomposed = es->generation;
}

void cq_cmaes_rotate(const cq_cmaes *es, const double *v, bool back, double *out) {
  const size_t n = (size_t)es->setup.n;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
      sum += (back ? es->b[j * n + i] : es->b[i * n + j]) * v[j];
    }
    out[i] = sum;
  }
}

void cq_cmaes_whiten(const cq_cmaes *es, const double *v, bool only_length, double *out) {
  const int n = es->setup.n;
  double *const z = es->work + es->square; /* scratch of n */
  if (es->square == 0) {
    for (int j = 0; j < n; j++) {
      out[j] = v[j] / es->axes[j];
    }
    return;
  }
  cq_cmaes_rotate(es, v, true, z);
  for (int j = 0; j < n; j++) {
    z[j] /= es->axes[j];
  }
  if (only_length) {
    memcpy(out, z, (size_t)n * sizeof *z);
  } else {
    cq_cmaes_rotate(es, z, false, out);
  }
}

double cq_cmaes_deviation(const cq_cmaes *es, int j) {
  const size_t k = (size_t)j * (size_t)es->setup.n + (size_t)j;
  return es->sigma * (es->square > 0 ? sqrt(es->c[k]) : es->axes[j]);
}
