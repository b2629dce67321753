/* Statistics of comparisons against tables and values by hand. */
#include "statistics.h"

#include "test.h"

static void test_quantiles(void) {
  double values[] = {7, 1, 3, 10, 2};
  cli_sort(values, 5);
  CHECK_NEAR(cli_quantile(values, 5, 0.25), 2, 0);
  CHECK_NEAR(cli_quantile(values, 5, 0.5), 3, 0);
  CHECK_NEAR(cli_quantile(values, 5, 0.75), 7, 0);
  CHECK_NEAR(cli_quantile(values, 4, 0.5), 2.5, 0);
  CHECK_NEAR(cli_quantile(values, 4, 0.25), 1.75, 1e-15);
  CHECK_NEAR(cli_quantile(values, 1, 0.75), 1, 0);
  CHECK(isnan(cli_quantile(values, 0, 0.5)));
}

/* runs without a value are the worst, and there is no middle between them and others */
static void test_quantiles_of_failures(void) {
  double values[] = {INFINITY, 2, INFINITY, 1};
  cli_sort(values, 4);
  CHECK_NEAR(cli_quantile(values, 4, 0.25), 1.75, 1e-15);
  CHECK(isinf(cli_quantile(values, 4, 0.5)));
  CHECK_NEAR(cli_quantile(values, 3, 0.5), 2, 0);
  CHECK(isinf(cli_quantile(values, 4, 1.0)));
}

/* two samples 1 ... n_a + n_b whose U, counted for the first, is u */
static double p_of(int n_a, int n_b, int u) {
  double a[20], b[20];
  for (int j = 0; j < n_b; j++) {
    b[j] = 1 + j;
  }
  for (int i = n_a - 1; i >= 0; i--) {
    const int above = u < n_b ? u : n_b; /* that many of b below it */
    a[i] = above + 0.5 + 1e-3 * i;
    u -= above;
  }
  return cli_mann_whitney(a, n_a, b, n_b);
}

/* The critical values of U at 5 percent, two-sided, of Mann and Whitney's table: the largest with
 * p <= 0.05. */
static void test_critical_values(void) {
  static const int table[][3] = {{4, 4, 0},     {5, 5, 2},  {6, 6, 5},    {7, 7, 8},
                                 {8, 8, 13},    {5, 8, 6},  {10, 10, 23}, {12, 12, 37},
                                 {20, 20, 127}, {4, 10, 5}, {15, 20, 90}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const int *const t = table[i];
    CHECK_MSG(p_of(t[0], t[1], t[2]) <= 0.05 && p_of(t[0], t[1], t[2] + 1) > 0.05,
              "n = %d, %d, U = %d: p = %g, %g", t[0], t[1], t[2], p_of(t[0], t[1], t[2]),
              p_of(t[0], t[1], t[2] + 1));
  }
  CHECK_NEAR(p_of(5, 5, 2), 2 * 4 / 252.0, 1e-15);
  CHECK_NEAR(p_of(3, 3, 0), 0.1, 1e-15);
  CHECK_NEAR(p_of(3, 3, 9), 0.1, 1e-15);
  CHECK_NEAR(p_of(2, 2, 2), 1, 0);
}

/* With ties: 1 2 2 against 2 3 4. Ranks 1, 3, 3 give U = 1; t = 3, so that the variance is
 * 9/12 (7 - 24/30) = 4.65; z = (4.5 - 1 - 0.5) / sqrt(4.65) = 1.39122, p = 0.16416 */
static void test_ties(void) {
  const double a[] = {1, 2, 2}, b[] = {2, 3, 4}, same[] = {5, 5, 5};
  const double failed[] = {INFINITY, INFINITY, INFINITY};
  CHECK_NEAR(cli_mann_whitney(a, 3, b, 3), erfc(3 / sqrt(4.65) / sqrt(2)), 1e-12);
  CHECK_NEAR(cli_mann_whitney(b, 3, a, 3), 0.16416, 1e-6);
  CHECK_NEAR(cli_mann_whitney(same, 3, same, 3), 1, 0);
  CHECK_NEAR(cli_mann_whitney(failed, 3, failed, 3), 1, 0);
  /* ranks 1 to 3 against 5, 5, 5: U = 0, variance 9/12 (7 - 24/30) */
  CHECK_NEAR(cli_mann_whitney((const double[]){1, 2, 3}, 3, failed, 3),
             erfc(4 / sqrt(4.65) / sqrt(2)), 1e-12);
  CHECK(isnan(cli_mann_whitney(a, 0, b, 3)));
}

/* more than the exact table holds: U = n_a n_b / 2 - 150 of 25 and 25, variance 625/12 51 */
static void test_many(void) {
  double a[25], b[25];
  for (int i = 0; i < 25; i++) {
    a[i] = i;
    b[i] = i + 0.5;
  }
  /* a[i] is above the i values b[0 .. i - 1]: U = 0 + 1 + ... + 24 = 300, the middle is 312.5 */
  CHECK_NEAR(cli_mann_whitney(a, 25, b, 25), erfc(12 / sqrt(625.0 / 12 * 51) / sqrt(2)), 1e-12);
}

static void test_expected_running_time(void) {
  const double spent[] = {100, 40, 60, 100};
  const bool two[] = {false, true, true, false}, none[4] = {false};
  CHECK_NEAR(cli_expected_running_time(spent, two, 4), 150, 0);
  CHECK(isinf(cli_expected_running_time(spent, none, 4)));
}

int main(void) {
  RUN(test_quantiles);
  RUN(test_quantiles_of_failures);
  RUN(test_critical_values);
  RUN(test_ties);
  RUN(test_many);
  RUN(test_expected_running_time);
  return TEST_RESULT();
}
