/* Starts: inside the bounds, the same every time, independent of their number, evenly spread. */
#include "cqopt/optimizer.h"

#include "test.h"

enum { N = 5, MOST = 40 };

static const double lower[N] = {-1, 3, -INFINITY, 0, -INFINITY};
static const double upper[N] = {2, 3, INFINITY, INFINITY, 7};
static const double start[N] = {1.9, 3, 5, 0.25, 6.5};
static const double scale[N] = {3, 1, 2, 1, 1};
static const double least[N] = {-1, 3, 3, 0, 5.5}, largest[N] = {2, 3, 7, 1.25, 7};

static void draw(uint64_t seed, int count, double *x) {
  const cq_problem problem = {
      .n = N, .lower = lower, .upper = upper, .start = start, .scale = scale};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  CHECK(cq_draw_starts(ctx, &problem, seed, count, x) == CQ_OK);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_bounds(void) {
  double x[MOST][N];
  for (uint64_t seed = 0; seed < 50; seed++) {
    draw(seed, MOST, x[0]);
    CHECK(memcmp(x[0], start, sizeof start) == 0);
    for (int i = 1; i < MOST; i++) {
      for (int j = 0; j < N; j++) {
        CHECK(x[i][j] >= least[j] && x[i][j] <= largest[j]);
      }
    }
  }
}

static void test_prefix(void) {
  double x[MOST][N], y[MOST][N], z[MOST][N];
  draw(7, MOST, x[0]);
  draw(8, MOST, z[0]);
  CHECK(memcmp(x[1], z[1], sizeof x[1]) != 0);
  for (int count = 1; count <= MOST; count++) {
    draw(7, count, y[0]);
    CHECK(memcmp(x, y, (size_t)count * sizeof x[0]) == 0);
  }
}

/* one in each of 2^k parts, the problem's own start among them */
static void test_strata(void) {
  static const int variables[] = {0, 2};
  double x[32][N];
  draw(3, 32, x[0]);
  for (int v = 0; v < 2; v++) {
    const int j = variables[v];
    for (int parts = 1; parts <= 32; parts *= 2) {
      int seen[32] = {0};
      for (int i = 0; i < parts; i++) {
        seen[(int)((x[i][j] - least[j]) / (largest[j] - least[j]) * parts)]++;
      }
      for (int i = 0; i < parts; i++) {
        CHECK_MSG(seen[i] == 1, "variable %d, part %d of %d has %d", j, i, parts, seen[i]);
      }
    }
  }
}

/* two variables are drawn independently: all four quadrants come equally often */
static void test_independence(void) {
  int quadrant[4] = {0};
  double x[4][N];
  for (uint64_t seed = 0; seed < 500; seed++) {
    draw(seed, 4, x[0]);
    quadrant[(x[1][0] > 0.5) + 2 * (x[1][2] > 5)]++;
    quadrant[(x[2][0] > 0.5) + 2 * (x[2][2] > 5)]++;
    quadrant[(x[3][0] > 0.5) + 2 * (x[3][2] > 5)]++;
  }
  int total = 0;
  for (int q = 0; q < 4; q++) {
    total += quadrant[q];
    CHECK_MSG(quadrant[q] > 150, "quadrant %d: %d of 1500", q, quadrant[q]);
  }
  CHECK(total == 1500);
}

int main(void) {
  RUN(test_bounds);
  RUN(test_prefix);
  RUN(test_strata);
  RUN(test_independence);
  return TEST_RESULT();
}
