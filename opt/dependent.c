#include "dependent.h"

#include "sqp_vector.h"

#include <stdlib.h>

/* part of a gradient that is left of it when it is none */
static const double NOTHING = 1e-9;

/* Takes the parts along the rows [rank][n] of length 1 out of row; what is left of its length. */
static double remove_parts(int n, int rank, const double *rows, double *row) {
  for (int twice = 0; twice < 2; twice++) {
    for (int i = 0; i < rank; i++) {
      const double *with = rows + (size_t)i * (size_t)n;
      cq_axpy(n, -cq_dot(n, with, row), with, row);
    }
  }
  return sqrt(cq_dot(n, row, row));
}

/* Gram and Schmidt on the rows: one with nothing left beside those before it depends on them. */
int cq_dependent_equality(const cq_problem *problem, const cq_point *point) {
  const int n = problem->n, m = problem->n_equality;
  double *rows = point->has_gradient && m > 1 ? calloc((size_t)m * (size_t)n, sizeof *rows) : NULL;
  int rank = 0, found = -1;
  for (int i = 0; rows != NULL && i < m && found < 0; i++) {
    const int which = problem->n_inequality + i;
    double *row = rows + (size_t)rank * (size_t)n;
    for (int j = 0; j < n; j++) {
      row[j] = point->jac[(size_t)which * (size_t)n + (size_t)j] * cq_problem_scale(problem, j);
    }
    const double before = sqrt(cq_dot(n, row, row)), after = remove_parts(n, rank, rows, row);
    if (before > 0 && after <= NOTHING * before) {
      found = which;
    } else if (before > 0) {
      for (int j = 0; j < n; j++) {
        row[j] /= after;
      }
      rank++;
    }
  }
  free(rows);
  return found;
}
