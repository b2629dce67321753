#include "sqp_hessian.h"

#include "alloc.h"
#include "sqp_vector.h"
#include "status.h"

#include <float.h>
#include <string.h>

/* curvature along a step, as a part of B's, below which it is damped (Powell) */
static const double LEAST_CURVATURE = 0.2;
/* sigma as a part of |y| / |s|, where the curvature along s is less or negative */
static const double LEAST_SIGMA = 1e-3;
/* sigma beside a base, as a part of its size: what rounding does not notice in steps */
static const double NO_SIGMA = 1e-9;
/* sigma stays within this of what it was */
static const double MOST_CHANGE = 1e3;

/* Room for the pairs; s and y are pointers, so that the oldest can make way. */
cq_status cq_sqp_hessian_create(cq_ctx *ctx, int n, int m, int most, int n_base,
                                cq_sqp_hessian *out) {
  const size_t size = (size_t)n, pair = (size_t)(2 + m) * size, base = (size_t)n_base;
  const size_t count = (size_t)most, terms = count + base;
  cq_sqp_hessian h = {.n = n, .m = m, .most = most, .n_base = n_base, .sigma = 1};
  double *doubles = NULL;
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, doubles, count * pair + (2 * terms + base + 1) * size));
  const cq_status status = CQ_ALLOC(ctx, h.s, 2 * count);
  if (status != CQ_OK) {
    cq_free(ctx, doubles);
    return status;
  }
  h.y = h.s + count;
  h.plus = doubles;
  h.minus = h.plus + terms * size;
  h.row = h.minus + terms * size;
  h.base = h.row + size + count * pair;
  for (int i = 0; i < most; i++) {
    h.s[i] = h.row + size + (size_t)i * pair;
    h.y[i] = h.s[i] + size;
  }
  *out = h;
  return CQ_OK;
}

void cq_sqp_hessian_destroy(cq_ctx *ctx, cq_sqp_hessian *h) {
  cq_free(ctx, h->plus); /* the block of all doubles */
  cq_free(ctx, h->s);
  memset(h, 0, sizeof *h);
}

void cq_sqp_hessian_reset(cq_sqp_hessian *h) {
  h->count = 0;
  h->terms = 0;
}

/* A B that is not regular would have no steps. */
void cq_sqp_hessian_rebase(cq_sqp_hessian *h) {
  const double size = cq_sqp_hessian_size(h);
  h->sigma = size > 0 ? fmax(NO_SIGMA * size, DBL_MIN / DBL_EPSILON) : 1;
}

double cq_sqp_hessian_size(const cq_sqp_hessian *h) {
  const int count = h->n_base * h->n;
  return h->n_base > 0 ? cq_dot(count, h->base, h->base) / h->n : h->sigma;
}

void cq_sqp_hessian_add(cq_sqp_hessian *h, double **s, double **y) {
  if (h->count == h->most) {
    double *const oldest_s = h->s[0], *const oldest_y = h->y[0];
    memmove(h->s, h->s + 1, (size_t)(h->most - 1) * sizeof *h->s);
    memmove(h->y, h->y + 1, (size_t)(h->most - 1) * sizeof *h->y);
    h->s[h->most - 1] = oldest_s;
    h->y[h->most - 1] = oldest_y;
  } else {
    h->count++;
  }
  *s = h->s[h->count - 1];
  *y = h->y[h->count - 1];
}

/* change of the Lagrangian's gradient over pair i, to out */
static void change(const cq_sqp_hessian *h, int i, const double *multipliers, double *out) {
  memcpy(out, h->y[i], (size_t)h->n * sizeof *out);
  for (int k = 0; k < h->m; k++) {
    cq_axpy(h->n, multipliers[k], h->y[i] + (size_t)(1 + k) * (size_t)h->n, out);
  }
}

/* What has not been explored gets the newest pair's curvature along its step. L-BFGS takes y^T y /
 * s^T y, the largest curvature that the pair shows; constraints curve strongly in few directions,
 * and with that steps are short in all of them. */
static void set_sigma(cq_sqp_hessian *h, const double *multipliers) {
  const double *s = h->s[h->count - 1];
  change(h, h->count - 1, multipliers, h->row);
  const double ss = cq_dot(h->n, s, s), size = sqrt(cq_dot(h->n, h->row, h->row) / ss);
  const double sigma = fmax(cq_dot(h->n, s, h->row) / ss, LEAST_SIGMA * size);
  if (sigma > 0 && isfinite(sigma)) {
    h->sigma = fmin(fmax(sigma, h->sigma / MOST_CHANGE), h->sigma * MOST_CHANGE);
  }
}

/* The terms of pair i, from B with the terms there are. */
static void add_terms(cq_sqp_hessian *h, int i, const double *multipliers) {
  double *y = h->plus + (size_t)h->terms * (size_t)h->n;
  double *bs = h->minus + (size_t)h->terms * (size_t)h->n;
  change(h, i, multipliers, y);
  cq_sqp_hessian_multiply(h, h->s[i], bs);
  const double sbs = cq_dot(h->n, h->s[i], bs);
  double sy = cq_dot(h->n, h->s[i], y);
  if (!(sbs > 0)) {
    return;
  }
  if (sy < LEAST_CURVATURE * sbs) {
    const double part = (1 - LEAST_CURVATURE) * sbs / (sbs - sy);
    for (int j = 0; j < h->n; j++) {
      y[j] = part * y[j] + (1 - part) * bs[j];
    }
    sy = LEAST_CURVATURE * sbs;
  }
  for (int j = 0; j < h->n; j++) {
    y[j] /= sqrt(sy);
    bs[j] /= sqrt(sbs);
  }
  h->terms++;
}

void cq_sqp_hessian_build(cq_sqp_hessian *h, const double *multipliers) {
  h->terms = h->n_base;
  memcpy(h->plus, h->base, (size_t)(h->n_base * h->n) * sizeof *h->plus);
  memset(h->minus, 0, (size_t)(h->n_base * h->n) * sizeof *h->minus);
  if (h->count > 0) {
    set_sigma(h, multipliers);
  }
  for (int i = 0; i < h->count; i++) {
    add_terms(h, i, multipliers);
  }
}

void cq_sqp_hessian_multiply(const cq_sqp_hessian *h, const double *x, double *out) {
  for (int j = 0; j < h->n; j++) {
    out[j] = h->sigma * x[j];
  }
  for (int i = 0; i < h->terms; i++) {
    const double *plus = h->plus + (size_t)i * (size_t)h->n;
    const double *minus = h->minus + (size_t)i * (size_t)h->n;
    cq_axpy(h->n, cq_dot(h->n, plus, x), plus, out);
    cq_axpy(h->n, -cq_dot(h->n, minus, x), minus, out);
  }
}
