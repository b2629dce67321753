/* The parts of sqp: its matrix against dense BFGS, its quadratic problems against the conditions of
 * optimality. */
#include "sqp_qp.h"
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* [-1, 1) */
static double any(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += a[j] * b[j];
  }
  return sum;
}

enum { N = 12, PAIRS = 5, M = 2 };

/* B <- B + y y^T / (s^T y) - B s s^T B / (s^T B s) */
static void bfgs(double b[N][N], const double *s, const double *y) {
  double bs[N];
  for (int i = 0; i < N; i++) {
    bs[i] = dot(N, b[i], s);
  }
  const double sy = dot(N, s, y), sbs = dot(N, s, bs);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      b[i][j] += y[i] * y[j] / sy - bs[i] * bs[j] / sbs;
    }
  }
}

/* y = H s of a convex quadratic f and of two more in the constraints, with their multipliers. */
static void fill_pair(cq_sqp_hessian *h, uint64_t *state, double *s_copy, double *y_copy,
                      const double *multipliers) {
  double *s, *y;
  cq_sqp_hessian_add(h, &s, &y);
  for (int j = 0; j < N; j++) {
    s[j] = any(state);
  }
  for (int j = 0; j < N; j++) {
    y[j] = (1 + j) * s[j] + 0.3 * s[(j + 1) % N] + 0.3 * s[(j + N - 1) % N];
    y[N + j] = 0.5 * s[j];
    y[2 * N + j] = -0.1 * j * s[j];
    s_copy[j] = s[j];
    y_copy[j] = y[j] + multipliers[0] * y[N + j] + multipliers[1] * y[2 * N + j];
  }
}

static void test_is_bfgs(void) {
  uint64_t state = 5;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sqp_hessian h;
  CHECK(cq_sqp_hessian_create(ctx, N, M, PAIRS, 0, &h) == CQ_OK);
  double s[2 * PAIRS][N], y[2 * PAIRS][N];
  const double multipliers[M] = {0.7, 1.1};
  for (int pairs = 1; pairs <= 2 * PAIRS; pairs++) {
    fill_pair(&h, &state, s[pairs - 1], y[pairs - 1], multipliers);
    cq_sqp_hessian_build(&h, multipliers);
    const int first = pairs > PAIRS ? pairs - PAIRS : 0;
    double b[N][N] = {{0}}, x[N], out[N];
    for (int i = 0; i < N; i++) {
      b[i][i] = h.sigma;
      x[i] = any(&state);
    }
    for (int k = first; k < pairs; k++) {
      bfgs(b, s[k], y[k]);
    }
    cq_sqp_hessian_multiply(&h, x, out);
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(out[i], dot(N, b[i], x), 1e-10);
    }
    /* it knows the newest pair by heart, and sigma is a curvature of the matrix */
    cq_sqp_hessian_multiply(&h, s[pairs - 1], out);
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(out[i], y[pairs - 1][i], 1e-10);
    }
    CHECK(h.terms == pairs - first && h.sigma > 1 && h.sigma < N + 2);
  }
  cq_sqp_hessian_destroy(ctx, &h);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Steps of negative curvature: B stays positive definite. */
static void test_is_positive(void) {
  uint64_t state = 9;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sqp_hessian h;
  CHECK(cq_sqp_hessian_create(ctx, N, M, PAIRS, 0, &h) == CQ_OK);
  double s[N], y[N], out[N];
  const double multipliers[M] = {-20, 30};
  int negative = 0;
  for (int k = 0; k < 40; k++) {
    fill_pair(&h, &state, s, y, multipliers);
    negative += dot(N, s, y) < 0;
    cq_sqp_hessian_build(&h, multipliers);
    for (int l = 0; l < 100; l++) {
      for (int j = 0; j < N; j++) {
        s[j] = any(&state);
      }
      cq_sqp_hessian_multiply(&h, s, out);
      CHECK(dot(N, s, out) > 0);
    }
  }
  CHECK(negative > 10);
  cq_sqp_hessian_destroy(ctx, &h);
  cq_ctx_destroy(ctx);
}

/* Largest error of the conditions of optimality, computed here from the data alone. */
static double kkt_error(const cq_sqp_qp *q) {
  double *slope = malloc((size_t)q->n * sizeof *slope), most = 0;
  cq_sqp_hessian_multiply(q->hessian, q->d.x, slope);
  for (int i = 0; i < q->m; i++) {
    const double *row = q->a + (size_t)i * (size_t)q->n, l = q->l.x[i];
    const double r = q->c[i] + dot(q->n, row, q->d.x);
    const bool equality = i >= q->n_inequality;
    /* l is gamma where r > 0, 0 (-gamma) where r < 0 */
    most = fmax(most, fmax(r, 0) * (q->gamma - l) / q->gamma);
    most = fmax(most, fmax(-r, 0) * (equality ? q->gamma + l : l) / q->gamma);
    CHECK(l >= (equality ? -q->gamma : 0) && l <= q->gamma);
    for (int j = 0; j < q->n; j++) {
      slope[j] += l * row[j];
    }
  }
  for (int j = 0; j < q->n; j++) {
    const double down = slope[j] + q->g[j], x = q->d.x[j];
    const double p = down > 0 ? fmin(down, x - q->d.low[j]) : fmax(down, x - q->d.high[j]);
    CHECK(x >= q->d.low[j] && x <= q->d.high[j]);
    most = fmax(most, fabs(p));
  }
  free(slope);
  return most;
}

typedef struct shape {
  int n, m, n_inequality, pairs;
  double apart;  /* size of c: large ones cannot all hold */
  double narrow; /* size of the bounds */
  double size;   /* of g and B */
} shape;

static int infeasible; /* problems in which some constraint is left violated */

static void check_problem(const shape *s, uint64_t *state) {
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sqp_hessian h;
  cq_sqp_qp q;
  CHECK(cq_sqp_hessian_create(ctx, s->n, s->m, s->pairs + 1, 0, &h) == CQ_OK);
  CHECK(cq_sqp_qp_create(ctx, &h, s->n_inequality, &q) == CQ_OK);
  double *data = malloc((n + m + m * n) * sizeof *data), *c = data + n, *a = c + m;
  double *multipliers = calloc(m + 1, sizeof *multipliers);
  for (int k = 0; k < s->pairs; k++) {
    double *step, *y;
    cq_sqp_hessian_add(&h, &step, &y);
    memset(y, 0, (1 + m) * n * sizeof *y);
    for (size_t j = 0; j < n; j++) {
      step[j] = any(state);
      y[j] = s->size * (0.2 + (double)(j % 7)) * step[j];
    }
  }
  h.sigma = s->size;
  cq_sqp_hessian_build(&h, multipliers);
  for (size_t j = 0; j < n; j++) {
    data[j] = s->size * any(state);
    q.d.low[j] = j % 5 == 0 ? -INFINITY : j % 5 == 1 ? 0 : -s->narrow * fabs(any(state));
    q.d.high[j] = j % 3 == 0 ? INFINITY : s->narrow * fabs(any(state));
  }
  for (size_t i = 0; i < m; i++) {
    c[i] = s->apart * any(state);
  }
  for (size_t i = 0; i < m * n; i++) {
    a[i] = any(state);
  }
  q.g = data;
  q.c = c;
  q.a = a;
  q.gamma = 100 * s->size;
  const bool solved = cq_sqp_qp_solve(&q);
  const double error = kkt_error(&q);
  bool violated = false;
  for (int i = 0; i < s->m; i++) {
    const double r = c[i] + dot(s->n, a + (size_t)i * n, q.d.x);
    violated = violated || (i < s->n_inequality ? r : fabs(r)) > 1e-6;
  }
  infeasible += violated;
  CHECK_MSG(solved && error < 1e-6 * fmax(1, s->size) * fmax(1, s->apart),
            "n = %d, m = %d, %d pairs, c %g, bounds %g, size %g: error %g after %d steps", s->n,
            s->m, s->pairs, s->apart, s->narrow, s->size, error, q.steps);
  CHECK_MSG(q.steps < 40, "%d steps", q.steps);
  free(data);
  free(multipliers);
  cq_sqp_qp_destroy(ctx, &q);
  cq_sqp_hessian_destroy(ctx, &h);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_problems(void) {
  const int sizes[][4] = {{3, 0, 0, 0},  {5, 1, 1, 0},   {5, 2, 1, 2},     {20, 4, 3, 5},
                          {20, 0, 0, 5}, {50, 10, 5, 8}, {300, 20, 18, 10}};
  const double aparts[] = {0.01, 1, 100}, narrows[] = {1e-3, 1}, scales[] = {1e-8, 1, 1e6};
  uint64_t state = 3;
  for (int k = 0; k < 7 * 3 * 2 * 3; k++) {
    const int *p = sizes[k % 7];
    const shape s = {p[0],          p[1], p[2], p[3], aparts[k / 7 % 3], narrows[k / 21 % 2],
                     scales[k / 42]};
    for (int l = 0; l < 3; l++) {
      check_problem(&s, &state);
    }
  }
  printf("  %d of 378 problems have constraints that cannot all hold\n", infeasible);
  CHECK(infeasible > 50);
}

int main(void) {
  RUN(test_is_bfgs);
  RUN(test_is_positive);
  RUN(test_problems);
  return TEST_RESULT();
}
