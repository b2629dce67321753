/* Shapes: distances, volumes, lattices, random points. */
#include "shapes.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

static cq_shape box(int dim) {
  return (cq_shape){.kind = CQ_SHAPE_box, .dim = dim, .center = {1, 2, 3}, .size = {2, 1, 0.5}};
}

static cq_shape ball(int dim) {
  return (cq_shape){.kind = CQ_SHAPE_ball, .dim = dim, .center = {1, 2, 3}, .radius = 0.5};
}

static void volumes(void) {
  const cq_shape b2 = box(2), b3 = box(3), d = ball(2), b = ball(3);
  CHECK_NEAR(cq_shape_volume(&b2), 2.0, 0);
  CHECK_NEAR(cq_shape_volume(&b3), 1.0, 0);
  CHECK_NEAR(cq_shape_volume(&d), pi / 4, 1e-15);
  CHECK_NEAR(cq_shape_volume(&b), pi / 6, 1e-15);
}

static void distances(void) {
  const cq_shape b = box(2), d = ball(3);
  CHECK_NEAR(cq_shape_distance(&b, (double[]){1, 2}), -0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&b, (double[]){3, 2}), 1.0, 1e-15);
  CHECK_NEAR(cq_shape_distance(&b, (double[]){2 + 3, 2.5 + 4}), 5.0, 1e-14);
  CHECK_NEAR(cq_shape_distance(&d, (double[]){1, 2, 4}), 0.5, 1e-15);
}

/* Points must be inside; their mean and variance must be those of the uniform distribution. */
static void check_moments(const cq_shape *shape, double variance) {
  enum { N = 40000 };
  cq_rng rng = cq_rng_seed(7);
  double sum[3] = {0}, square[3] = {0};
  for (int i = 0; i < N; i++) {
    double x[3];
    cq_shape_sample(shape, &rng, x);
    CHECK(cq_shape_distance(shape, x) <= 1e-12);
    for (int a = 0; a < shape->dim; a++) {
      sum[a] += x[a] - shape->center[a];
      square[a] += (x[a] - shape->center[a]) * (x[a] - shape->center[a]);
    }
  }
  for (int a = 0; a < shape->dim; a++) {
    const double expected =
        shape->kind == CQ_SHAPE_box ? shape->size[a] * shape->size[a] / 12 : variance;
    CHECK_NEAR(sum[a] / N, 0.0, 4 * sqrt(expected / N));
    CHECK_NEAR(square[a] / N, expected, 0.03 * expected);
  }
}

static void random_points(void) {
  const cq_shape shapes[] = {box(2), box(3), ball(2), ball(3)};
  /* of a coordinate in a disc R^2/4, in a ball R^2/5 */
  const double variance[] = {0, 0, 0.25 / 4, 0.25 / 5};
  for (int i = 0; i < 4; i++) {
    check_moments(&shapes[i], variance[i]);
  }
}

static void same_seed_same_points(void) {
  const cq_shape shape = ball(2);
  cq_rng a = cq_rng_seed(5), b = cq_rng_seed(5), c = cq_rng_seed(6);
  double x[2], y[2], z[2];
  cq_shape_sample(&shape, &a, x);
  cq_shape_sample(&shape, &b, y);
  cq_shape_sample(&shape, &c, z);
  CHECK(memcmp(x, y, sizeof x) == 0);
  CHECK(memcmp(x, z, sizeof x) != 0);
}

/* x = dx (i/2 + 10), y = dx (j/2 + 25): the last axis runs fastest */
static void box_lattice(void) {
  const double dx = 1.0 / 120.0;
  const cq_shape shape = {
      .kind = CQ_SHAPE_box, .dim = 2, .center = {30 * dx, 45 * dx}, .size = {1.0 / 3.0, 1.0 / 3.0}};
  const cq_lattice lattice = {.dim = 2,
                              .low = {10 * dx, 25 * dx},
                              .spacing = {dx / 2, dx / 2},
                              .count = {80, 80},
                              .offset = 0.0};
  static double x[6400][2];
  CHECK(cq_lattice_points(&lattice, &shape, NULL) == 6400);
  CHECK(cq_lattice_points(&lattice, &shape, &x[0][0]) == 6400);
  for (int i = 0; i < 80; i++) {
    for (int j = 0; j < 80; j++) {
      CHECK_NEAR(x[80 * i + j][0], dx * (0.5 * i + 10), 1e-16);
      CHECK_NEAR(x[80 * i + j][1], dx * (0.5 * j + 25), 1e-15);
    }
  }
}

static void ball_lattice(void) {
  const cq_shape shape = ball(3);
  cq_lattice lattice = {
      .dim = 3, .spacing = {0.05, 0.05, 0.05}, .count = {20, 20, 20}, .offset = 0.5};
  double size[3];
  cq_shape_bounds(&shape, lattice.low, size);
  const double n = (double)cq_lattice_points(&lattice, &shape, NULL);
  CHECK_NEAR(n * 0.05 * 0.05 * 0.05, cq_shape_volume(&shape), 0.02);
}

int main(void) {
  RUN(volumes);
  RUN(distances);
  RUN(random_points);
  RUN(same_seed_same_points);
  RUN(box_lattice);
  RUN(ball_lattice);
  return TEST_RESULT();
}
