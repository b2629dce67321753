/* Curvature in the span of a few directions: eigenvalues of a known matrix, directions that add
 * nothing, and what is conjugate to all that is known. */
#include "ritz.h"
#include "test.h"

enum { N = 4 };

static const double values[N] = {-2, 0.5, 3, 40};
/* orthonormal rows: eigenvectors of h() to these values */
static const double vectors[N][N] = {
    {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.5, 0.5, -0.5, -0.5}, {0.5, -0.5, -0.5, 0.5}};
/* no eigenvectors, not orthogonal, of any length */
static const double directions[N][N] = {
    {1, 0, 0, 0}, {30, 20, 0, 0}, {0.01, 0, 0.01, 0.02}, {-1, 2, -5, 1}};

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += a[j] * b[j];
  }
  return sum;
}

/* out := H d */
static void h(const double *d, double *out) {
  memset(out, 0, N * sizeof *out);
  for (int i = 0; i < N; i++) {
    const double along = values[i] * dot(N, vectors[i], d);
    for (int j = 0; j < N; j++) {
      out[j] += along * vectors[i][j];
    }
  }
}

static bool add(cq_ritz *ritz, const double *d) {
  double hd[N];
  h(d, hd);
  return cq_ritz_add(ritz, d, hd);
}

static void solve(cq_ritz *ritz) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  CHECK(cq_ritz_solve(ctx, ritz) == CQ_OK);
  cq_ctx_destroy(ctx);
}

/* All products: the matrix itself. */
static void test_whole(void) {
  double block[2 * CQ_RITZ_MOST * N], out[N];
  cq_ritz ritz;
  cq_ritz_open(&ritz, N, block);
  for (int i = 0; i < N; i++) {
    CHECK(add(&ritz, directions[i]));
  }
  solve(&ritz);
  CHECK(ritz.size == N);
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(ritz.values[i], values[i], 1e-11);
    cq_ritz_vector(&ritz, i, out);
    CHECK_NEAR(fabs(dot(N, out, vectors[i])), 1, 1e-11);
    CHECK_NEAR(dot(N, out, out), 1, 1e-13);
  }
}

/* Two or three products: values are those of H along the vectors, between the least and the largest
 * of H, and stationary in the span; a span of eigenvectors has theirs. */
static void test_span(void) {
  for (int size = 2; size < N; size++) {
    double block[2 * CQ_RITZ_MOST * N], out[N], hout[N];
    cq_ritz ritz;
    cq_ritz_open(&ritz, N, block);
    for (int i = 0; i < size; i++) {
      CHECK(add(&ritz, directions[i]));
    }
    solve(&ritz);
    for (int i = 0; i < size; i++) {
      cq_ritz_vector(&ritz, i, out);
      h(out, hout);
      CHECK(ritz.values[i] >= values[i] && ritz.values[i] <= values[i + N - size]);
      for (int k = 0; k < size; k++) {
        const double left =
            dot(N, directions[k], hout) - ritz.values[i] * dot(N, directions[k], out);
        CHECK_NEAR(left, 0, 1e-10);
      }
    }
  }
}

/* Sums of two eigenvectors span them. */
static void test_invariant(void) {
  double block[2 * CQ_RITZ_MOST * N], sum[N], difference[N];
  cq_ritz ritz;
  cq_ritz_open(&ritz, N, block);
  for (int j = 0; j < N; j++) {
    sum[j] = 5 * vectors[0][j] + vectors[3][j];
    difference[j] = vectors[0][j] - vectors[3][j];
  }
  CHECK(add(&ritz, sum) && add(&ritz, difference));
  solve(&ritz);
  CHECK_NEAR(ritz.values[0], values[0], 1e-12);
  CHECK_NEAR(ritz.values[1], values[3], 1e-12);
}

/* What is in the span already, or all but, is refused and changes nothing; so is the eleventh. */
static void test_refused(void) {
  double block[2 * CQ_RITZ_MOST * N], d[N];
  cq_ritz ritz;
  cq_ritz_open(&ritz, N, block);
  CHECK(add(&ritz, directions[0]) && add(&ritz, directions[1]));
  for (int k = 0; k < 2; k++) {
    for (int j = 0; j < N; j++) {
      d[j] = directions[0][j] - 2 * directions[1][j] + (j == 3 ? 0.1 * k : 0);
    }
    CHECK_MSG(!add(&ritz, d), "k = %d", k);
  }
  CHECK(!add(&ritz, (const double[N]){0, 0, 0, 0}));
  CHECK(ritz.size == 2);
  d[3] = 10;
  CHECK(add(&ritz, d) && ritz.size == 3);
}

static void test_full(void) {
  enum { MANY = CQ_RITZ_MOST + 1 };
  double block[2 * CQ_RITZ_MOST * MANY];
  cq_ritz ritz;
  cq_ritz_open(&ritz, MANY, block);
  for (int i = 0; i < MANY; i++) {
    double d[MANY] = {0};
    d[i] = 1;
    CHECK(cq_ritz_add(&ritz, d, d) == (i < CQ_RITZ_MOST));
  }
  CHECK(ritz.size == CQ_RITZ_MOST);
}

/* H along the conjugate of what is known has no part in it. */
static void test_conjugate(void) {
  for (int size = 1; size < N; size++) {
    double block[2 * CQ_RITZ_MOST * N], d[N] = {1, 2, 3, -1}, hd[N];
    cq_ritz ritz;
    cq_ritz_open(&ritz, N, block);
    for (int i = 0; i < size; i++) {
      CHECK(add(&ritz, directions[i]));
    }
    cq_ritz_conjugate(&ritz, d);
    h(d, hd);
    CHECK(dot(N, d, d) > 0.1);
    for (int i = 0; i < size; i++) {
      CHECK_NEAR(dot(N, directions[i], hd), 0, 1e-10);
    }
  }
}

/* What is left of a product beside others is no direction where it is what products are off by, nor
 * is a product of zero. */
static void test_conjugate_flat(void) {
  double block[2 * CQ_RITZ_MOST * N], d[N] = {1, 1, 1, 1};
  cq_ritz ritz;
  cq_ritz_open(&ritz, N, block);
  CHECK(cq_ritz_add(&ritz, (const double[N]){1, 0, 0, 0}, (const double[N]){0, 7, 0, 0}));
  CHECK(cq_ritz_add(&ritz, (const double[N]){0, 1, 0, 0}, (const double[N]){0, 7, 7e-6, 0}));
  CHECK(cq_ritz_add(&ritz, (const double[N]){0, 0, 1, 0}, (const double[N]){0, 0, 0, 0}));
  cq_ritz_conjugate(&ritz, d);
  CHECK(d[0] == 1 && d[1] == 0 && d[2] == 1 && d[3] == 1);
}

int main(void) {
  RUN(test_whole);
  RUN(test_span);
  RUN(test_invariant);
  RUN(test_refused);
  RUN(test_full);
  RUN(test_conjugate);
  RUN(test_conjugate_flat);
  return TEST_RESULT();
}
