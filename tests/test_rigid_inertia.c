/* Volume, centre of mass and moment of every shape: against sums over a fine lattice, and closed
 * forms. */
#include "gear.h"
#include "inertia.h"
#include "test.h"

#define PI 3.14159265358979323846

/* the same by points: sums over the lattice of `n` cells along the longest edge */
static cq_inertia by_points(const cq_shape *shape, int n) {
  double low[3] = {0}, size[3] = {0}, longest = 0.0;
  const cq_shape plain = cq_shape_unturned(shape); /* a lattice turns with its shape */
  cq_shape_bounds(&plain, low, size);
  for (int a = 0; a < shape->dim; a++) {
    longest = fmax(longest, size[a]);
  }
  cq_lattice lattice = {.dim = shape->dim, .offset = 0.5};
  double cell = 1.0;
  for (int a = 0; a < shape->dim; a++) {
    lattice.low[a] = low[a];
    lattice.count[a] = (int)ceil(n * size[a] / longest);
    lattice.spacing[a] = size[a] / lattice.count[a];
    cell *= lattice.spacing[a];
  }
  const size_t points = cq_lattice_points(&lattice, shape, NULL), dim = (size_t)shape->dim;
  double *x = calloc(points * dim + 1, sizeof *x);
  cq_lattice_points(&lattice, shape, x);
  cq_inertia r = {.volume = cell * (double)points};
  double xx[3][3] = {{0}};
  for (size_t a = 0; a < dim; a++) {
    for (size_t i = 0; i < points; i++) {
      r.center[a] += x[i * dim + a] / (double)points;
    }
  }
  for (size_t i = 0; i < points; i++) {
    for (size_t a = 0; a < dim; a++) {
      for (size_t b = 0; b < dim; b++) {
        xx[a][b] += cell * (x[i * dim + a] - r.center[a]) * (x[i * dim + b] - r.center[b]);
      }
    }
  }
  free(x);
  const double trace = xx[0][0] + xx[1][1] + xx[2][2];
  for (int a = 0; a < 3 && dim == 3; a++) {
    r.moment[a] = trace - xx[a][a];
  }
  if (dim == 2) {
    r.moment[0] = trace;
  } else {
    r.moment[3] = -xx[0][1];
    r.moment[4] = -xx[0][2];
    r.moment[5] = -xx[1][2];
  }
  return r;
}

/* volume, centre in units of the radius of gyration, moment in units of its largest */
static void check_same(const char *what, const cq_inertia *a, const cq_inertia *b,
                       double tolerance) {
  double largest = 0.0;
  for (int i = 0; i < 6; i++) {
    largest = fmax(largest, fabs(b->moment[i]));
  }
  const double length = sqrt(largest / b->volume);
  CHECK_MSG(fabs(a->volume / b->volume - 1.0) <= tolerance, "%s: volume %.9g, not %.9g", what,
            a->volume, b->volume);
  for (int i = 0; i < 3; i++) {
    CHECK_MSG(fabs(a->center[i] - b->center[i]) <= tolerance * length,
              "%s: center[%d] %.9g, not %.9g", what, i, a->center[i], b->center[i]);
  }
  for (int i = 0; i < 6; i++) {
    CHECK_MSG(fabs(a->moment[i] - b->moment[i]) <= tolerance * largest,
              "%s: moment[%d] %.9g, not %.9g", what, i, a->moment[i], b->moment[i]);
  }
}

static const double triangle[] = {1.0, 1.0, 3.0, 1.5, 1.2, 2.0};
static const double ell[] = {0.0, 0.0, 0.0, 2.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 3.0, 0.0};
static const double ends_2d[] = {0.2, 0.1, 1.0, 0.7}, ends_3d[] = {0.2, 0.1, 0.3, 1.0, 0.7, 0.5};

static const cq_shape shapes_2d[] = {
    {.kind = CQ_SHAPE_box, .dim = 2, .center = {1.0, 2.0}, .size = {0.3, 0.5}},
    {.kind = CQ_SHAPE_ball, .dim = 2, .center = {1.0, 2.0}, .radius = 0.4},
    {.kind = CQ_SHAPE_polygon, .dim = 2, .n_points = 3, .points = triangle},
    {.kind = CQ_SHAPE_polygon, .dim = 2, .n_points = 6, .points = ell},
    {.kind = CQ_SHAPE_capsule, .dim = 2, .n_points = 2, .points = ends_2d, .radius = 0.2}};
static const cq_shape shapes_3d[] = {
    {.kind = CQ_SHAPE_box, .dim = 3, .center = {1.0, 2.0, -1.0}, .size = {0.3, 0.5, 0.2}},
    {.kind = CQ_SHAPE_ball, .dim = 3, .center = {1.0, 2.0, 3.0}, .radius = 0.4},
    {.kind = CQ_SHAPE_capsule, .dim = 3, .n_points = 2, .points = ends_3d, .radius = 0.2}};

static cq_shape gear(int dim) {
  cq_shape s = {.kind = CQ_SHAPE_gear, .dim = dim, .center = {1.0, 2.0, -1.0}};
  s.gear = cq_gear_make(9, 0.1, 0.35, dim == 3 ? 0.4 : 0.0, dim == 3 ? 0.3 : 0.0, 0.1);
  return s;
}

/* straight and helical teeth, some of them with roots outside the base circle */
static void test_gears(void) {
  const double rotation[3] = {0.5, -0.8, 0.4};
  for (int dim = 2; dim <= 3; dim++) {
    for (int k = 0; k < 2; k++) {
      cq_shape shape = gear(dim);
      if (k == 1) {
        shape.gear = cq_gear_make(60, 0.02, 0.35, 0.0, dim == 3 ? 0.3 : 0.0, 0.0);
      }
      cq_shape_turn(&shape, rotation);
      const cq_inertia exact = cq_inertia_of(&shape), sum = by_points(&shape, dim == 2 ? 400 : 80);
      check_same("gear", &exact, &sum, 5e-3);
      CHECK(exact.error == 0.0);
    }
  }
}

static void test_closed_forms_against_points(void) {
  for (size_t i = 0; i < sizeof shapes_2d / sizeof shapes_2d[0]; i++) {
    const cq_inertia exact = cq_inertia_of(&shapes_2d[i]), sum = by_points(&shapes_2d[i], 400);
    check_same("2D", &exact, &sum, 3e-3);
    CHECK(exact.error == 0.0);
  }
  for (size_t i = 0; i < sizeof shapes_3d / sizeof shapes_3d[0]; i++) {
    const cq_inertia exact = cq_inertia_of(&shapes_3d[i]), sum = by_points(&shapes_3d[i], 80);
    check_same("3D", &exact, &sum, 3e-3);
    CHECK(exact.error == 0.0);
  }
}

static void test_turned(void) {
  const double angle = 0.7, rotation[3] = {0.5, -0.8, 0.4};
  for (size_t i = 0; i < sizeof shapes_2d / sizeof shapes_2d[0]; i++) {
    cq_shape shape = shapes_2d[i];
    cq_shape_turn(&shape, &angle);
    const cq_inertia exact = cq_inertia_of(&shape), sum = by_points(&shape, 400);
    check_same("2D, turned", &exact, &sum, 3e-3);
  }
  for (size_t i = 0; i < sizeof shapes_3d / sizeof shapes_3d[0]; i++) {
    cq_shape shape = shapes_3d[i];
    cq_shape_turn(&shape, rotation);
    const cq_inertia exact = cq_inertia_of(&shape), sum = by_points(&shape, 80);
    check_same("3D, turned", &exact, &sum, 3e-3);
  }
}

static void test_textbook(void) {
  const cq_inertia ball = cq_inertia_of(&shapes_3d[1]);
  CHECK_NEAR(ball.moment[0], 0.4 * ball.volume * 0.16, 1e-14);
  CHECK_NEAR(ball.center[2], 3.0, 1e-14);
  const cq_inertia disc = cq_inertia_of(&shapes_2d[1]);
  CHECK_NEAR(disc.moment[0], 0.5 * PI * 0.16 * 0.16, 1e-14);
  const cq_inertia box = cq_inertia_of(&shapes_3d[0]);
  CHECK_NEAR(box.moment[0], 0.03 * (0.25 + 0.04) / 12.0, 1e-15);
  CHECK_NEAR(box.moment[4], 0.0, 1e-15);
  /* a capsule along z about its long axis: cylinder m r^2/2 and ball 2/5 m r^2 */
  const double ends[] = {0.0, 0.0, -1.0, 0.0, 0.0, 1.0};
  const cq_shape shape = {
      .kind = CQ_SHAPE_capsule, .dim = 3, .n_points = 2, .points = ends, .radius = 0.5};
  const cq_inertia capsule = cq_inertia_of(&shape);
  const double cylinder = 2.0 * PI * 0.25, caps = 4.0 / 3.0 * PI * 0.125;
  CHECK_NEAR(capsule.moment[2], 0.5 * cylinder * 0.25 + 0.4 * caps * 0.25, 1e-14);
  CHECK_NEAR(capsule.moment[0],
             cylinder * (4.0 / 12.0 + 0.25 / 4.0) + caps * (0.4 * 0.25 + 1.0 + 2.0 * 0.375 * 0.5),
             1e-14);
}

/* two boxes that touch are the polygon around them, exactly */
static void test_parts_that_touch(void) {
  const cq_part parts[] = {
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {0.5, 1.0}, .size = {1.0, 2.0}}},
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {2.0, 0.5}, .size = {2.0, 1.0}}},
      {.shape = {.kind = CQ_SHAPE_ball, .dim = 2, .center = {5.0, 5.0}, .radius = 1.0},
       .subtract = true}};
  const cq_shape both = {.kind = CQ_SHAPE_composite, .dim = 2, .n_parts = 3, .parts = parts};
  const cq_inertia sum = cq_inertia_of(&both), around = cq_inertia_of(&shapes_2d[3]);
  CHECK(sum.error == 0.0);
  check_same("parts that touch", &sum, &around, 1e-14);
}

/* a hollow box, whose surface no cells follow: the error is within what is said, and that is small
 */
static void check_hollow(int dim, double most) {
  const double outer = 1.0, inner = 0.377;
  cq_part parts[2] = {{.shape = {.kind = CQ_SHAPE_box, .dim = dim, .size = {outer, outer, outer}}},
                      {.shape = {.kind = CQ_SHAPE_box, .dim = dim, .size = {inner, inner, inner}},
                       .subtract = true}};
  for (int a = 0; a < dim; a++) {
    parts[0].shape.center[a] = 0.5;
    parts[1].shape.center[a] = 0.3 + 0.1 * a;
  }
  const cq_shape hollow = {.kind = CQ_SHAPE_composite, .dim = dim, .n_parts = 2, .parts = parts};
  const cq_inertia cells = cq_inertia_of(&hollow);
  const cq_inertia whole = cq_inertia_of(&parts[0].shape), hole = cq_inertia_of(&parts[1].shape);
  cq_inertia exact = {.volume = whole.volume - hole.volume};
  double xx[3][3] = {{0}};
  for (int a = 0; a < dim; a++) {
    exact.center[a] = (0.5 * whole.volume - parts[1].shape.center[a] * hole.volume) / exact.volume;
  }
  for (int a = 0; a < dim; a++) {
    for (int b = 0; b < dim; b++) {
      const double of_whole = (0.5 - exact.center[a]) * (0.5 - exact.center[b]);
      const double of_hole = (parts[1].shape.center[a] - exact.center[a]) *
                             (parts[1].shape.center[b] - exact.center[b]);
      xx[a][b] = whole.volume * of_whole - hole.volume * of_hole;
      xx[a][b] += a == b ? (whole.volume - hole.volume * inner * inner) / 12.0 : 0.0;
    }
  }
  const double trace = xx[0][0] + xx[1][1] + xx[2][2];
  exact.moment[0] = dim == 2 ? trace : trace - xx[0][0];
  if (dim == 3) {
    exact.moment[1] = trace - xx[1][1];
    exact.moment[2] = trace - xx[2][2];
    exact.moment[3] = -xx[0][1];
    exact.moment[4] = -xx[0][2];
    exact.moment[5] = -xx[1][2];
  }
  printf("  hollow box in %dD: volume off by %.1e, said %.1e\n", dim,
         fabs(cells.volume / exact.volume - 1.0), cells.error);
  CHECK(cells.error > 0.0 && cells.error < most);
  check_same("hollow", &cells, &exact, cells.error);
}

static void test_parts_that_overlap(void) {
  check_hollow(2, 2e-3);
  check_hollow(3, 1e-2);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_closed_forms_against_points);
  RUN(test_turned);
  RUN(test_gears);
  RUN(test_textbook);
  RUN(test_parts_that_touch);
  RUN(test_parts_that_overlap);
  return TEST_RESULT();
}
