/* The curve through points: it meets them, is smooth, and close to what they were taken from. */
#include "curve.h"
#include "test.h"

#include <stdbool.h>

enum { MOST = 200 };

static cq_cubic pieces[MOST + 1];

/* points of sin at unequal distances, or 2 + 3 x */
static cq_curve make(int n, double *x, double *y, bool straight) {
  for (int i = 0; i < n; i++) {
    x[i] = 6.0 * i / (n - 1) + 0.4 / n * sin(5.0 * i);
    y[i] = straight ? 2.0 + 3.0 * x[i] : sin(x[i]);
  }
  cq_curve_fit(n, x, y, pieces);
  return (cq_curve){n, pieces};
}

static void test_points_and_smoothness(void) {
  double x[9], y[9];
  const cq_curve c = make(9, x, y, false);
  for (int i = 0; i < 9; i++) {
    const cq_curve_point below = cq_curve_at(&c, nextafter(x[i], -1e9));
    const cq_curve_point at = cq_curve_at(&c, x[i]);
    CHECK_NEAR(at.y, y[i], 1e-15);
    CHECK_NEAR(below.y, y[i], 1e-14);
    CHECK_NEAR(below.slope, at.slope, 1e-13);
    CHECK_NEAR(below.bend, at.bend, 1e-13);
  }
  CHECK_NEAR(cq_curve_at(&c, x[0]).bend, 0.0, 1e-15);
  CHECK_NEAR(cq_curve_at(&c, x[8]).bend, 0.0, 1e-15);
}

static void test_derivatives(void) {
  double x[9], y[9];
  const double h = 1e-5;
  const cq_curve c = make(9, x, y, false);
  for (double t = -1.0; t < 8.0; t += 0.37) {
    const cq_curve_point low = cq_curve_at(&c, t - h), high = cq_curve_at(&c, t + h);
    const cq_curve_point at = cq_curve_at(&c, t);
    CHECK_NEAR(at.slope, (high.y - low.y) / (2.0 * h), 1e-9);
    CHECK_NEAR(at.bend, (high.slope - low.slope) / (2.0 * h), 1e-9);
  }
}

static void test_straight(void) {
  double x[9], y[9];
  for (int n = 2; n <= 9; n++) {
    const cq_curve c = make(n, x, y, true);
    for (double t = -3.0; t < 10.0; t += 0.25) {
      const cq_curve_point at = cq_curve_at(&c, t);
      CHECK_NEAR(at.y, 2.0 + 3.0 * t, 1e-13);
      CHECK_NEAR(at.slope, 3.0, 1e-13);
      CHECK_NEAR(at.bend, 0.0, 1e-12);
    }
  }
}

/* lines in the direction of the ends go on outside */
static void test_outside(void) {
  double x[9], y[9];
  const cq_curve c = make(9, x, y, false);
  const cq_curve_point end = cq_curve_at(&c, x[8]), start = cq_curve_at(&c, x[0]);
  CHECK_NEAR(cq_curve_at(&c, x[8] + 2.0).y, y[8] + 2.0 * end.slope, 1e-14);
  CHECK_NEAR(cq_curve_at(&c, x[0] - 2.0).y, y[0] - 2.0 * start.slope, 1e-14);
}

/* in the middle of the range the error falls with the fourth power of the distance */
static void test_order(void) {
  static double x[MOST], y[MOST];
  double error[3] = {0};
  for (int k = 0; k < 3; k++) {
    const cq_curve c = make(25 << k, x, y, false);
    for (double t = 2.0; t < 4.0; t += 0.01) {
      error[k] = fmax(error[k], fabs(cq_curve_at(&c, t).y - sin(t)));
    }
  }
  printf("  errors %.2e %.2e %.2e\n", error[0], error[1], error[2]);
  CHECK(error[1] < error[0] / 11.0 && error[2] < error[1] / 11.0 && error[2] < 1e-7);
}

int main(void) {
  RUN(test_points_and_smoothness);
  RUN(test_derivatives);
  RUN(test_straight);
  RUN(test_outside);
  RUN(test_order);
  return TEST_RESULT();
}
