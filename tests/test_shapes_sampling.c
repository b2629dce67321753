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

/* an L of area 3 - 0.5, clockwise, with a corner in the middle of an edge */
static const double corners[] = {0, 0, 0, 2, 1, 2, 1, 1, 1.5, 0.5, 1.5, 0, 0.5, 0};

static cq_shape polygon(void) {
  return (cq_shape){.kind = CQ_SHAPE_polygon, .dim = 2, .n_points = 7, .points = corners};
}

static const double ends[] = {1, 2, 3, 1.6, 2.8, 3};

static cq_shape capsule(int dim) {
  static const double flat[] = {1, 2, 1.6, 2.8};
  return (cq_shape){.kind = CQ_SHAPE_capsule,
                    .dim = dim,
                    .radius = 0.5,
                    .n_points = 2,
                    .points = dim == 2 ? flat : ends};
}

/* A box and a ball on its right face, a hole, and a ball put back into the hole. */
static cq_shape composite(int dim) {
  static cq_part parts[2][4];
  cq_part *p = parts[dim - 2];
  p[0] = (cq_part){.shape = box(dim)};
  p[1] = (cq_part){.shape = ball(dim)};
  p[1].shape.center[0] = 2;
  p[2] = (cq_part){.shape = ball(dim), .subtract = true};
  p[2].shape.radius = 0.2;
  p[3] = (cq_part){.shape = ball(dim)};
  p[3].shape.radius = 0.1;
  return (cq_shape){.kind = CQ_SHAPE_composite, .dim = dim, .n_parts = 4, .parts = p};
}

static void more_volumes(void) {
  const cq_shape p = polygon(), c2 = capsule(2), c3 = capsule(3), c = composite(2);
  CHECK_NEAR(cq_shape_volume(&p), 2 + 0.5 * (1 + 0.5) * 0.5, 1e-15);
  CHECK_NEAR(cq_shape_volume(&c2), pi / 4 + 1.0, 1e-15);
  CHECK_NEAR(cq_shape_volume(&c3), pi / 6 + pi / 4, 1e-15);
  CHECK(isnan(cq_shape_volume(&c)));
}

static void more_distances(void) {
  const cq_shape p = polygon(), c2 = capsule(2), c3 = capsule(3), c = composite(2);
  CHECK_NEAR(cq_shape_distance(&p, (double[]){0.25, 1}), -0.25, 1e-15);
  CHECK_NEAR(cq_shape_distance(&p, (double[]){1.25, 0.75}), 0.0, 1e-15);
  CHECK_NEAR(cq_shape_distance(&p, (double[]){1.5, 1}), sqrt(0.125), 1e-15); /* of the slope */
  CHECK_NEAR(cq_shape_distance(&p, (double[]){0.2, 2.5}), 0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&p, (double[]){-3, -4}), 5.0, 1e-15);
  CHECK_NEAR(cq_shape_distance(&p, (double[]){1.25, 0}), 0.0, 1e-15);
  CHECK_NEAR(cq_shape_distance(&c2, (double[]){1.3, 2.4}), -0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&c2, (double[]){1.3 - 0.8, 2.4 + 0.6}), 0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&c2, (double[]){1 - 0.6, 2 - 0.8}), 0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&c3, (double[]){1.6, 2.8, 4}), 0.5, 1e-15);
  CHECK_NEAR(cq_shape_distance(&c, (double[]){1, 2}), -0.1, 1e-15);     /* put back */
  CHECK_NEAR(cq_shape_distance(&c, (double[]){1.15, 2}), 0.05, 1e-15);  /* the hole */
  CHECK_NEAR(cq_shape_distance(&c, (double[]){1.25, 2}), -0.05, 1e-15); /* around it */
  CHECK_NEAR(cq_shape_distance(&c, (double[]){2.4, 2}), -0.1, 1e-15);   /* the ball */
}

/* Random points of a shape are inside; their share in a part of the bounds is its volume's, by a
 * fine lattice. */
static void check_samples(const cq_shape *shape) {
  enum { N = 20000 };
  double low[3] = {0}, size[3] = {0}, half[3];
  cq_shape_bounds(shape, low, size);
  const int fine = shape->dim == 2 ? 400 : 80;
  cq_lattice lattice = {.dim = shape->dim, .offset = 0.5};
  for (int a = 0; a < shape->dim; a++) {
    lattice.low[a] = low[a];
    lattice.count[a] = fine;
    lattice.spacing[a] = size[a] / fine;
    half[a] = low[a] + 0.5 * size[a];
  }
  const size_t n = cq_lattice_points(&lattice, shape, NULL);
  double *x = malloc(n * (size_t)shape->dim * sizeof *x);
  cq_lattice_points(&lattice, shape, x);
  double cell = 1.0;
  for (int a = 0; a < shape->dim; a++) {
    cell *= lattice.spacing[a];
  }
  if (!isnan(cq_shape_volume(shape))) {
    CHECK_NEAR((double)n * cell, cq_shape_volume(shape), 5e-3 * cq_shape_volume(shape));
  }
  cq_rng rng = cq_rng_seed(3);
  int drawn[3] = {0};
  for (int i = 0; i < N; i++) {
    double y[3];
    cq_shape_sample(shape, &rng, y);
    CHECK(cq_shape_distance(shape, y) <= 0.0);
    for (int a = 0; a < shape->dim; a++) {
      drawn[a] += y[a] < half[a];
      if (i == 0) {
        CHECK(y[a] >= low[a] && y[a] <= low[a] + size[a]);
      }
    }
  }
  for (int a = 0; a < shape->dim; a++) {
    double share = 0.0;
    for (size_t i = 0; i < n; i++) {
      share += x[i * (size_t)shape->dim + (size_t)a] < half[a] ? 1.0 / (double)n : 0.0;
    }
    CHECK_NEAR((double)drawn[a] / N, share, 4 * sqrt(share * (1 - share) / N) + 2e-3);
  }
  free(x);
}

static void more_random_points(void) {
  const cq_shape shapes[] = {polygon(), capsule(2), capsule(3), composite(2), composite(3)};
  for (int i = 0; i < 5; i++) {
    check_samples(&shapes[i]);
  }
}

static void bounds(void) {
  const cq_shape p = polygon(), k = capsule(3), c = composite(2);
  double low[3], size[3];
  cq_shape_bounds(&p, low, size);
  CHECK(low[0] == 0 && low[1] == 0 && size[0] == 1.5 && size[1] == 2);
  cq_shape_bounds(&k, low, size);
  CHECK_NEAR(low[0], 0.5, 1e-15);
  CHECK_NEAR(size[1], 1.8, 1e-15);
  CHECK_NEAR(size[2], 1.0, 1e-15);
  cq_shape_bounds(&c, low, size);
  CHECK_NEAR(low[0], 0.0, 1e-15);
  CHECK_NEAR(size[0], 2.5, 1e-15);
  CHECK_NEAR(size[1], 1.0, 1e-15);
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

/* Points that keep apart: inside, nearly as far from each other as a lattice would be, and as many
 * in each half as belong there. */
static void blue_noise(void) {
  enum { N = 800 };
  const cq_shape shapes[] = {polygon(), ball(2), capsule(3), composite(2), composite(3)};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int k = 0; k < 5; k++) {
    const cq_shape *s = &shapes[k];
    const size_t dim = (size_t)s->dim;
    double x[3 * N], again[3 * N], low[3] = {0}, size[3] = {0}, nearest = INFINITY;
    cq_rng rng = cq_rng_seed(4), same = cq_rng_seed(4), other = cq_rng_seed(9);
    int left = 0, drawn = 0;
    CHECK(cq_shape_blue_noise(ctx, s, N, &rng, x) == CQ_OK);
    CHECK(cq_shape_blue_noise(ctx, s, N, &same, again) == CQ_OK);
    CHECK(memcmp(x, again, N * dim * sizeof *x) == 0);
    cq_shape_bounds(s, low, size);
    for (size_t i = 0; i < N; i++) {
      double free[3];
      CHECK(cq_shape_distance(s, x + dim * i) <= 0.0);
      left += x[dim * i] < low[0] + 0.5 * size[0];
      cq_shape_sample(s, &other, free);
      drawn += free[0] < low[0] + 0.5 * size[0];
      for (size_t j = 0; j < i; j++) {
        double square = 0.0;
        for (size_t a = 0; a < dim; a++) {
          square += (x[dim * i + a] - x[dim * j + a]) * (x[dim * i + a] - x[dim * j + a]);
        }
        nearest = fmin(nearest, sqrt(square));
      }
    }
    CHECK_NEAR(left, drawn, 70); /* four deviations of the drawn ones */
    const double volume = cq_shape_volume(s), spacing = pow(volume / N, 1.0 / (double)dim);
    CHECK_MSG(isnan(volume) || nearest > 0.62 * spacing, "shape %d: %g of %g", k, nearest, spacing);
    CHECK(nearest > 0.0);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
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
  RUN(more_volumes);
  RUN(more_distances);
  RUN(more_random_points);
  RUN(bounds);
  RUN(distances);
  RUN(random_points);
  RUN(blue_noise);
  RUN(same_seed_same_points);
  RUN(box_lattice);
  RUN(ball_lattice);
  return TEST_RESULT();
}
