#include "damped.h"

#include "alloc.h"
#include "status.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* columns of A D^-1 have length 1 at most: damping that rounding would not notice */
static const double NO_DAMPING = 1e-20;
/* of the radius; of what a slope is added up of */
static const double NEAR = 0.1, ROUNDED = 1e-13;
enum { MOST_HALVINGS = 60 };

/* parts of the predicted decrease below and above which the radius shrinks and grows */
static const double POOR = 0.25, GOOD = 0.75;
/* of a rejected step: least and most of it that is the radius then, and after a failure */
static const double LEAST_CUT = 0.1, MOST_CUT = 0.5, FAILURE_CUT = 0.25, LONGER = 2;

/* One piece of memory for all numbers. */
cq_status cq_damped_create(cq_ctx *ctx, int n, cq_damped *out) {
  const size_t v = (size_t)n;
  *out = (cq_damped){.n = n};
  CQ_TRY(CQ_ALLOC(ctx, out->a, 3 * v * v + 11 * v));
  const cq_status status = CQ_ALLOC(ctx, out->side, v);
  if (status != CQ_OK) {
    cq_damped_destroy(ctx, out);
    return status;
  }
  out->rows = out->a + v * v;
  double **const parts[] = {&out->b, &out->d,   &out->low, &out->high,
                            &out->p, &out->tau, &out->half};
  double *next = out->rows + 2 * v * v;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i] = next;
    next += v;
  }
  out->rhs = next;
  out->rest = next + 2 * v;
  return CQ_OK;
}

void cq_damped_destroy(cq_ctx *ctx, cq_damped *q) {
  cq_free(ctx, q->a);
  cq_free(ctx, q->side);
  *q = (cq_damped){.n = 0};
}

/* A p + b of row i */
static double row_of(const cq_damped *q, int i) {
  double sum = q->b[i];
  for (int j = 0; j < q->n; j++) {
    sum += q->a[(size_t)i * (size_t)q->n + (size_t)j] * q->p[j];
  }
  return sum;
}

/* The least squares of the variables that are free, the others on their bounds: rows of A, then
 * those of the damping. */
static void solve_free(cq_damped *q, double damping) {
  const size_t n = (size_t)q->n;
  size_t f = 0;
  for (size_t j = 0; j < n; j++) {
    f += q->side[j] == 0;
    q->p[j] = q->side[j] == 0 ? 0 : q->side[j] < 0 ? q->low[j] : q->high[j];
  }
  if (f == 0) {
    return;
  }
  for (size_t i = 0; i < n; i++) {
    q->rhs[i] = -row_of(q, (int)i);
    q->rhs[n + i] = 0;
  }
  size_t column = 0;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n && q->side[j] == 0; i++) {
      q->rows[i * f + column] = q->a[i * n + j];
      q->rows[(n + i) * f + column] = i == column ? sqrt(damping) * q->d[j] : 0;
    }
    column += q->side[j] == 0;
  }
  gsl_matrix_view qr = gsl_matrix_view_array(q->rows, n + f, f);
  gsl_vector_view tau = gsl_vector_view_array(q->tau, f);
  gsl_vector_view rhs = gsl_vector_view_array(q->rhs, n + f);
  gsl_vector_view rest = gsl_vector_view_array(q->rest, n + f);
  gsl_vector_view x = gsl_vector_view_array(q->half, f);
  gsl_linalg_QR_decomp(&qr.matrix, &tau.vector);
  gsl_linalg_QR_lssolve(&qr.matrix, &tau.vector, &rhs.vector, &x.vector, &rest.vector);
  column = 0;
  for (size_t j = 0; j < n; j++) {
    if (q->side[j] == 0) {
      q->p[j] = q->half[column++];
    }
  }
}

/* Puts what has left the box onto its bound; false when nothing has. */
static bool hold(cq_damped *q) {
  bool held = false;
  for (int j = 0; j < q->n; j++) {
    if (q->side[j] == 0 && !(q->p[j] >= q->low[j] && q->p[j] <= q->high[j])) {
      q->side[j] = q->p[j] < q->low[j] ? -1 : 1;
      held = true;
    }
  }
  return held;
}

/* A p + b of all rows, and the sizes of what is added up there. */
static void set_rest(cq_damped *q) {
  for (int i = 0; i < q->n; i++) {
    q->rest[i] = row_of(q, i);
    q->half[i] = fabs(q->b[i]);
    for (int j = 0; j < q->n; j++) {
      q->half[i] += fabs(q->a[(size_t)i * (size_t)q->n + (size_t)j] * q->p[j]);
    }
  }
}

/* Frees the variable whose bound is most in the way, beyond rounding, which would have it go to and
 * fro along what A leaves open; false when none is. */
static bool release(cq_damped *q, double damping) {
  int most = -1;
  double steepest = 0;
  set_rest(q);
  for (int j = 0; j < q->n; j++) {
    double slope = damping * q->d[j] * q->d[j] * q->p[j], size = fabs(slope);
    for (int i = 0; i < q->n; i++) {
      const double a = q->a[(size_t)i * (size_t)q->n + (size_t)j];
      slope += a * q->rest[i];
      size += fabs(a) * q->half[i];
    }
    const double inward = q->low[j] < q->high[j] ? q->side[j] * slope : 0;
    if (inward > ROUNDED * size && inward / q->d[j] > steepest) {
      steepest = inward / q->d[j];
      most = j;
    }
  }
  if (most >= 0) {
    q->side[most] = 0;
  }
  return most >= 0;
}

/* An active set, as Lawson and Hanson's for signs: variables that leave the box are held on its
 * side, and let go again where that would lower the sum. It begins with the sides that there are.
 */
static void solve(cq_damped *q, double damping) {
  /* the bound on rounds only matters where rounding makes it cycle */
  for (int round = 0; round < 3 * q->n + 3; round++) {
    do {
      solve_free(q, damping);
    } while (hold(q));
    if (!release(q, damping)) {
      break;
    }
  }
  for (int j = 0; j < q->n; j++) {
    q->p[j] = fmin(fmax(q->p[j], q->low[j]), q->high[j]);
  }
}

void cq_damped_solve(cq_damped *q, double damping) {
  for (int j = 0; j < q->n; j++) {
    q->side[j] = q->low[j] < q->high[j] ? 0 : 1;
  }
  solve(q, damping);
}

double cq_damped_length(const cq_damped *q) {
  double sum = 0;
  for (int j = 0; j < q->n; j++) {
    sum = hypot(sum, q->d[j] * q->p[j]);
  }
  return sum;
}

/* A p of row i */
static double moved(const cq_damped *q, int i) {
  return row_of(q, i) - q->b[i];
}

double cq_damped_gain(const cq_damped *q) {
  double sum = 0;
  for (int i = 0; i < q->n; i++) {
    const double by = moved(q, i);
    sum -= by * (by + 2 * q->b[i]);
  }
  return sum;
}

double cq_damped_slope(const cq_damped *q) {
  double sum = 0;
  for (int i = 0; i < q->n; i++) {
    sum += 2 * q->b[i] * moved(q, i);
  }
  return sum;
}

/* |D^-1 A^T b|: damping times |D p| is at most that */
static double steepness(const cq_damped *q) {
  double all = 0;
  for (int j = 0; j < q->n; j++) {
    double sum = 0;
    for (int i = 0; i < q->n; i++) {
      sum += q->a[(size_t)i * (size_t)q->n + (size_t)j] * q->b[i];
    }
    all = hypot(all, sum / q->d[j]);
  }
  return all;
}

/* |D p| falls with the damping: by halves of its logarithm, each from the sides of the one before.
 */
bool cq_damped_within(cq_damped *q, double radius) {
  cq_damped_solve(q, NO_DAMPING);
  if (cq_damped_length(q) <= (1 + NEAR) * radius) {
    return false;
  }
  double low = NO_DAMPING, high = fmax(steepness(q) / radius, 2 * NO_DAMPING);
  for (int k = 0; k < MOST_HALVINGS; k++) {
    const double damping = sqrt(low) * sqrt(high);
    solve(q, damping);
    const double length = cq_damped_length(q);
    if (fabs(length - radius) <= NEAR * radius) {
      return true;
    }
    *(length > radius ? &low : &high) = damping;
  }
  solve(q, high);
  return true;
}

void cq_damped_load(cq_damped *q, const double *reduced) {
  const size_t n = (size_t)q->n;
  for (size_t i = 0; i < n; i++) {
    q->b[i] = reduced[i * (n + 1)];
    memcpy(q->a + i * n, reduced + i * (n + 1) + 1, n * sizeof *q->a);
  }
  for (size_t j = 0; j < n; j++) {
    double norm = 0;
    for (size_t i = 0; i <= j; i++) {
      norm = hypot(norm, q->a[i * n + j]);
    }
    q->d[j] = fmax(q->d[j], norm > 0 ? norm : DBL_MIN / DBL_EPSILON);
  }
}

double cq_damped_next_radius(const cq_damped *q, double radius, double gain, double f, double f_new,
                             bool failed, bool bounded) {
  const double length = cq_damped_length(q), slope = cq_damped_slope(q);
  const double ratio = failed ? 0 : (f - f_new) / gain;
  if (failed) {
    return FAILURE_CUT * length;
  }
  if (ratio < POOR) {
    const double least = -0.5 * slope / (f_new - f - slope); /* of the parabola through both */
    return fmin(fmax(least, LEAST_CUT), MOST_CUT) * length;
  }
  return ratio > GOOD || !bounded ? fmax(radius, LONGER * length) : radius;
}
