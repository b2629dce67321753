#include "sqp_qp.h"

#include "alloc.h"
#include "sqp_vector.h"
#include "status.h"

#include <string.h>

enum { MOST_STEPS = 60 };

/* what is left of the optimality conditions, relative to the sizes of the data: as good as it gets,
 * what it may end at when it no longer falls, and what is still an answer */
static const double PRECISE = 1e-12, ENOUGH = 1e-8, USEFUL = 1e-4;
/* part of the way to the nearest wall that is gone */
static const double NEAR = 1e-7;
static const double TO_WALL = 0.995;
/* least decrease of the products by a whole step, and what they become by a centred one instead */
static const double LEAST_GAIN = 0.3, CENTRED = 0.3;
/* the first d is as far from a bound, as a part of the range and at most */
static const double INSIDE = 0.1;
/* a wall pushes by as much at first, as a part of the size of g */
static const double FIRST_PUSH = 0.1;

static bool has_wall(const cq_sqp_boxed *b, int side, int k) {
  return isfinite(side == 0 ? b->low[k] : b->high[k]);
}

/* sum of gap times push after a part of the step, and the number of walls */
static double complementarity(const cq_sqp_boxed *b, double part, int *walls) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < b->n; k++) {
      if (has_wall(b, side, k)) {
        const double dgap = side == 0 ? b->dx[k] : -b->dx[k];
        sum += (b->gap[side][k] + part * dgap) * (b->push[side][k] + part * b->dpush[side][k]);
        ++*walls;
      }
    }
  }
  return sum;
}

/* What the walls add to the diagonal of the Newton system. */
static void set_diagonal(cq_sqp_boxed *b) {
  for (int k = 0; k < b->n; k++) {
    b->diagonal[k] = 0;
    for (int side = 0; side < 2; side++) {
      b->diagonal[k] += has_wall(b, side, k) ? b->push[side][k] / b->gap[side][k] : 0;
    }
  }
}

/* What the walls add to the right side, when gap times push is to become mu. */
static double wanted(const cq_sqp_boxed *b, int k, double mu) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    if (has_wall(b, side, k)) {
      const double more = (mu - b->product[side][k]) / b->gap[side][k] - b->push[side][k];
      sum += side == 0 ? more : -more;
    }
  }
  return sum;
}

/* dpush for dx */
static void complete(cq_sqp_boxed *b, double mu) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < b->n; k++) {
      const double dgap = side == 0 ? b->dx[k] : -b->dx[k];
      b->dpush[side][k] =
          has_wall(b, side, k)
              ? (mu - b->product[side][k] - b->push[side][k] * dgap) / b->gap[side][k] -
                    b->push[side][k]
              : 0;
    }
  }
}

static void set_products(cq_sqp_boxed *b, bool predicted) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < b->n; k++) {
      const double dgap = side == 0 ? b->dx[k] : -b->dx[k];
      b->product[side][k] = predicted ? dgap * b->dpush[side][k] : 0;
    }
  }
}

/* Largest part of the step, at most `most`, that keeps gaps and pushes at 0 or above. */
static double reach(const cq_sqp_boxed *b, double most) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < b->n; k++) {
      const double dgap = side == 0 ? b->dx[k] : -b->dx[k], dpush = b->dpush[side][k];
      if (has_wall(b, side, k)) {
        most = dgap < 0 ? fmin(most, -b->gap[side][k] / dgap) : most;
        most = dpush < 0 ? fmin(most, -b->push[side][k] / dpush) : most;
      }
    }
  }
  return most;
}

static void go(cq_sqp_boxed *b, double part) {
  for (int k = 0; k < b->n; k++) {
    b->x[k] += part * b->dx[k];
    b->gap[0][k] += part * b->dx[k];
    b->gap[1][k] -= part * b->dx[k];
    b->push[0][k] += part * b->dpush[0][k];
    b->push[1][k] += part * b->dpush[1][k];
  }
}

/* g + B d + A^T l - push + push, c + A d + slack - violation */
static void set_residuals(cq_sqp_qp *q) {
  cq_sqp_hessian_multiply(q->hessian, q->d.x, q->d.residual);
  for (int j = 0; j < q->n; j++) {
    q->d.residual[j] += q->g[j] - q->d.push[0][j] + q->d.push[1][j];
  }
  for (int i = 0; i < q->m; i++) {
    const double *row = q->a + (size_t)i * (size_t)q->n;
    cq_axpy(q->n, q->l.x[i], row, q->d.residual);
    q->l.residual[i] = q->c[i] + cq_dot(q->n, row, q->d.x) + q->l.push[0][i] - q->l.push[1][i];
  }
}

static void newton(cq_sqp_qp *q, double mu) {
  double *const b_1 = q->right, *const b_2 = q->right + q->n;
  for (int j = 0; j < q->n; j++) {
    b_1[j] = wanted(&q->d, j, mu) - q->d.residual[j];
  }
  for (int i = 0; i < q->m; i++) {
    b_2[i] = -wanted(&q->l, i, mu) - q->l.residual[i];
  }
  cq_sqp_newton_solve(&q->newton, b_1, b_2, q->d.dx, q->l.dx);
  complete(&q->d, mu);
  complete(&q->l, mu);
}

static double product_sum(const cq_sqp_qp *q, double part, int *walls) {
  *walls = 0;
  const double sum = complementarity(&q->d, part, walls);
  return sum + complementarity(&q->l, part, walls);
}

static double longest(const cq_sqp_qp *q) {
  return fmin(1, TO_WALL * reach(&q->l, reach(&q->d, 1 / TO_WALL)));
}

/* One predictor and corrector; the part of the step that was gone, 0 when there is none. The
 * corrector may go in circles: where it gains too little a centred step takes its place. */
static double advance(cq_sqp_qp *q) {
  int walls = 0;
  set_diagonal(&q->d);
  set_diagonal(&q->l);
  if (!cq_sqp_newton_factor(&q->newton, q->hessian->sigma, q->d.diagonal, q->l.diagonal)) {
    return 0;
  }
  set_products(&q->d, false);
  set_products(&q->l, false);
  newton(q, 0);
  const double before = product_sum(q, 0, &walls);
  if (walls > 0) {
    const double part = reach(&q->l, reach(&q->d, 1));
    const double ratio = product_sum(q, part, &walls) / before;
    set_products(&q->d, true);
    set_products(&q->l, true);
    newton(q, ratio * ratio * ratio * before / walls);
  }
  double part = longest(q);
  if (walls > 0 && product_sum(q, part, &walls) > (1 - LEAST_GAIN * part) * before) {
    set_products(&q->d, false);
    set_products(&q->l, false);
    newton(q, CENTRED * before / walls);
    part = longest(q);
  }
  if (!isfinite(part)) {
    return 0;
  }
  go(&q->d, part);
  go(&q->l, part);
  return part;
}

static void begin_d(cq_sqp_qp *q, double push) {
  cq_sqp_boxed *d = &q->d;
  for (int j = 0; j < q->n; j++) {
    const double inside = INSIDE * fmin(1, d->high[j] - d->low[j]);
    d->x[j] = fmin(fmax(0, d->low[j] + inside), d->high[j] - inside);
    d->push[0][j] = has_wall(d, 0, j) ? push : 0;
    d->push[1][j] = has_wall(d, 1, j) ? push : 0;
  }
}

static void begin_l(cq_sqp_qp *q, double push) {
  cq_sqp_boxed *l = &q->l;
  for (int i = 0; i < q->m; i++) {
    const double r = q->c[i] + cq_dot(q->n, q->a + (size_t)i * (size_t)q->n, q->d.x);
    l->low[i] = i < q->n_inequality ? 0 : -q->gamma;
    l->high[i] = q->gamma;
    l->x[i] = i < q->n_inequality ? fmin(push, 0.5 * q->gamma) : 0;
    l->push[0][i] = fmax(-r, 0) + INSIDE;
    l->push[1][i] = fmax(r, 0) + INSIDE;
  }
}

static void set_gaps(cq_sqp_boxed *b) {
  for (int k = 0; k < b->n; k++) {
    b->gap[0][k] = b->x[k] - b->low[k];
    b->gap[1][k] = b->high[k] - b->x[k];
  }
}

/* how far from optimal, relative to the sizes of the data */
static double error(const cq_sqp_qp *q, double size) {
  int walls = 0;
  const double products = product_sum(q, 0, &walls);
  cq_sqp_hessian_multiply(q->hessian, q->d.x, q->right);
  const double value = cq_dot(q->n, q->right, q->d.x) + fabs(cq_dot(q->n, q->g, q->d.x));
  double violation = 0;
  for (int i = 0; i < q->m; i++) {
    violation = fmax(violation, fabs(q->l.residual[i]) / fmax(1, fabs(q->c[i])));
  }
  return fmax(fmax(products / (value + 1e-9 * size), cq_max_norm(q->n, q->d.residual) / size),
              violation);
}

/* Onto the walls that push harder than they are far. */
static void snap(cq_sqp_boxed *d, double size) {
  for (int k = 0; k < d->n; k++) {
    if (has_wall(d, 0, k) && d->gap[0][k] * size < d->push[0][k] * NEAR) {
      d->x[k] = d->low[k];
    } else if (has_wall(d, 1, k) && d->gap[1][k] * size < d->push[1][k] * NEAR) {
      d->x[k] = d->high[k];
    }
    d->x[k] = fmin(fmax(d->x[k], d->low[k]), d->high[k]);
  }
}

/* Interior points, until the residuals are as small as rounding lets them be; true: they are small
 * enough to use. */
bool cq_sqp_qp_solve(cq_sqp_qp *q) {
  const double curvature = cq_sqp_hessian_size(q->hessian);
  const double size = fmax(
      fmax(cq_max_norm(q->n, q->g), 1e-3 * curvature * cq_max_norm(q->m, q->c)), 1e-12 * curvature);
  double left = INFINITY;
  cq_sqp_newton_set_rows(&q->newton, q->hessian, q->a);
  begin_d(q, FIRST_PUSH * size);
  begin_l(q, FIRST_PUSH * size);
  set_gaps(&q->d);
  set_gaps(&q->l);
  for (q->steps = 0; q->steps < MOST_STEPS; q->steps++) {
    set_residuals(q);
    const double before = left;
    left = error(q, size);
    if (left <= PRECISE || (left <= ENOUGH && left > 0.5 * before) ||
        (q->ends != NULL && q->ends(q->watch)) || advance(q) == 0) {
      break;
    }
  }
  snap(&q->d, size);
  snap(&q->l, 1);
  return left <= USEFUL;
}

static double *part_of(double **doubles, size_t n) {
  double *const part = *doubles;
  *doubles += n;
  return part;
}

static void lay_out(cq_sqp_boxed *b, int n, double **doubles) {
  double **const fields[] = {&b->gap[0],   &b->gap[1],   &b->low,        &b->high,
                             &b->x,        &b->push[0],  &b->push[1],    &b->dx,
                             &b->dpush[0], &b->dpush[1], &b->product[0], &b->product[1],
                             &b->diagonal, &b->residual};
  b->n = n;
  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
    *fields[k] = part_of(doubles, (size_t)n);
  }
}

/* Room for both sets of complementary pairs and for the Newton steps. */
cq_status cq_sqp_qp_create(cq_ctx *ctx, const cq_sqp_hessian *h, int n_inequality, cq_sqp_qp *out) {
  enum { FIELDS = 14 };
  cq_sqp_qp q = {.hessian = h, .n = h->n, .m = h->m, .n_inequality = n_inequality};
  const size_t both = (size_t)(h->n + h->m);
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, q.right, (1 + FIELDS) * both));
  const cq_status status = cq_sqp_newton_create(ctx, h->n, h->m, h->most + h->n_base, &q.newton);
  if (status != CQ_OK) {
    cq_free(ctx, q.right);
    return status;
  }
  double *next = q.right + both;
  lay_out(&q.d, q.n, &next);
  lay_out(&q.l, q.m, &next);
  *out = q;
  return CQ_OK;
}

void cq_sqp_qp_destroy(cq_ctx *ctx, cq_sqp_qp *q) {
  cq_sqp_newton_destroy(ctx, &q->newton);
  cq_free(ctx, q->right); /* the block of all doubles */
  memset(q, 0, sizeof *q);
}
