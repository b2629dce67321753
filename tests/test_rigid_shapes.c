/* Points of a body's surface, and derivatives of distances and normals. */
#include "gear.h"
#include "mesh_maker.h"
#include "rng.h"
#include "shape_bend.h"
#include "skin.h"
#include "test.h"

static const double ell[] = {0.0, 0.0, 0.0, 2.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 3.0, 0.0};
static const double ends_2d[] = {0.2, 0.1, 1.0, 0.7}, ends_3d[] = {0.2, 0.1, 0.3, 1.0, 0.7, 0.5};

static cq_shape box(int dim, double x, double y, double z, double edge) {
  return (cq_shape){.kind = CQ_SHAPE_box,
                    .dim = dim,
                    .center = {x, y, z},
                    .size = {edge, 1.2 * edge, 0.8 * edge}};
}

static cq_shape ball(int dim) {
  return (cq_shape){.kind = CQ_SHAPE_ball, .dim = dim, .center = {0.3, 0.4, 0.5}, .radius = 0.6};
}

static cq_shape capsule(int dim) {
  return (cq_shape){.kind = CQ_SHAPE_capsule,
                    .dim = dim,
                    .n_points = 2,
                    .points = dim == 2 ? ends_2d : ends_3d,
                    .radius = 0.2};
}

static cq_shape polygon(void) {
  return (cq_shape){.kind = CQ_SHAPE_polygon, .dim = 2, .n_points = 6, .points = ell};
}

static cq_rng rng;

static double uniform(double low, double high) {
  return low + (high - low) * cq_rng_uniform(&rng);
}

/* worst error of g and H against central differences at random points around */
static double bend_error(const cq_shape *s) {
  const double h = 1e-6;
  double worst = 0.0;
  for (int i = 0; i < 300; i++) {
    double x[3], g[3], H[3][3];
    for (int a = 0; a < 3; a++) {
      x[a] = uniform(-1.0, 3.0);
    }
    cq_shape_bend(s, x, g, H);
    for (int b = 0; b < s->dim; b++) {
      double before[3], after[3], n[2][3];
      memcpy(before, x, sizeof x);
      memcpy(after, x, sizeof x);
      before[b] -= h;
      after[b] += h;
      const double d = (cq_shape_distance(s, after) - cq_shape_distance(s, before)) / (2.0 * h);
      worst = fmax(worst, fabs(d - g[b]));
      cq_shape_normal(s, before, n[0]);
      cq_shape_normal(s, after, n[1]);
      for (int a = 0; a < s->dim; a++) {
        worst = fmax(worst, fabs((n[1][a] - n[0][a]) / (2.0 * h) - H[a][b]));
      }
    }
  }
  return worst;
}

static cq_shape gear(int dim) {
  cq_shape s = {.kind = CQ_SHAPE_gear, .dim = dim, .center = {1.0, 0.9, 0.8}};
  s.gear = cq_gear_make(9, 0.1, 0.35, dim == 3 ? 0.4 : 0.0, dim == 3 ? 0.5 : 0.0, 0.1);
  return s;
}

/* every kind, as it stands and turned if it can be */
static void test_bends(void) {
  const double angle = 0.6, rotation[3] = {0.3, -0.5, 0.9};
  const cq_part parts[] = {{.shape = ball(3)},
                           {.shape = box(3, 1.0, 1.0, 1.0, 0.9)},
                           {.shape = capsule(3), .subtract = true}};
  cq_cubic pieces[5];
  const double at[] = {-1.0, 0.0, 1.5, 3.0}, height[] = {0.2, 0.9, 0.1, 0.5};
  const double hills[27] = {0.0, 0.2, 0.0, 1.1, 0.9, 0.0, 2.2, 0.1, 0.0, 0.0, 0.5, 1.1, 1.1, 0.3,
                            1.1, 2.2, 0.6, 1.1, 0.0, 0.4, 2.2, 1.1, 0.1, 2.2, 2.2, 0.7, 2.2};
  cq_curve_fit(4, at, height, pieces);
  cq_shape shapes[] = {
      box(2, 1.0, 0.8, 0.0, 0.7),
      box(3, 1.0, 0.8, 0.6, 0.7),
      ball(2),
      ball(3),
      capsule(2),
      capsule(3),
      polygon(),
      {.kind = CQ_SHAPE_half_space, .dim = 3, .normal = {0.6, 0.0, 0.8}},
      {.kind = CQ_SHAPE_domain, .dim = 3, .center = {1.0, 1.0, 1.0}, .size = {4.5, 4.5, 4.5}},
      {.kind = CQ_SHAPE_height_field, .dim = 3, .curve = {4, pieces}},
      {.kind = CQ_SHAPE_height_field, .dim = 3, .n_points = 9, .points = hills},
      {.kind = CQ_SHAPE_composite, .dim = 3, .n_parts = 3, .parts = parts},
      gear(2),
      gear(3)};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    rng = cq_rng_seed(7);
    const double plain = bend_error(&shapes[i]);
    CHECK_MSG(plain < 2e-5, "shape %d: %.1e", (int)i, plain);
    if (i < 7 || i >= 11) {
      rng = cq_rng_seed(8);
      cq_shape_turn(&shapes[i], shapes[i].dim == 2 ? &angle : rotation);
      const double turned = bend_error(&shapes[i]);
      CHECK_MSG(turned < 2e-5, "shape %d, turned: %.1e", (int)i, turned);
    }
  }
}

/* Every ball around a point reaches the surface and not beyond. Returns how many there are. */
static int check_skin(cq_ctx *ctx, const cq_shape *s, double pitch, double rounding) {
  const double center[3] = {0.1, 0.2, 0.3};
  cq_skin skin;
  CHECK(cq_skin_make(ctx, s, center, pitch, rounding, &skin) == CQ_OK);
  for (int i = 0; i < skin.n; i++) {
    double x[3] = {0};
    for (int a = 0; a < s->dim; a++) {
      x[a] = skin.x[i * s->dim + a] + center[a];
    }
    CHECK_NEAR(cq_shape_distance(s, x), -skin.radius[i], 1e-12);
  }
  const int n = skin.n;
  cq_skin_free(ctx, &skin);
  return n;
}

/* A mesh, and the same by distances on a grid; turned as well. */
static void test_meshes(void) {
  const double low[3] = {0.2, 0.3, 0.4}, high[3] = {1.4, 1.1, 1.3}, still[3] = {0};
  const double rotation[3] = {0.3, -0.5, 0.9};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int k = 0; k < 4; k++) {
    cq_surface s = k % 2 == 0 ? maker_box(ctx, low, high) : maker_gear(ctx, 5, 0.6, 0.9, 0.4);
    cq_shape shape = {.kind = CQ_SHAPE_mesh, .dim = 3};
    void *memory = NULL, *grid = NULL;
    int turned;
    CHECK(cq_surface_mend(ctx, "test", &s, &turned) == CQ_OK);
    CHECK(cq_alloc(ctx, &memory, cq_mesh_bytes(&s), 1) == CQ_OK);
    CHECK(cq_mesh_make(ctx, &s, 1.0, still, memory, &shape.mesh) == CQ_OK);
    if (k >= 2) {
      CHECK(cq_alloc(ctx, &grid, cq_sdf_bytes(&shape, 20), 1) == CQ_OK);
      shape.sdf = cq_sdf_make(&shape, 20, grid);
    }
    for (int turn = 0; turn < 2; turn++) {
      if (turn == 1) {
        cq_shape_turn(&shape, rotation);
      }
      rng = cq_rng_seed(7);
      const double error = bend_error(&shape);
      CHECK_MSG(error < 2e-5, "mesh %d, turned %d: %.1e", k, turn, error);
      CHECK(k >= 2 || check_skin(ctx, &shape, 0.25, 0.01) > 50);
    }
    cq_surface_free(ctx, &s);
    cq_free(ctx, memory);
    cq_free(ctx, grid);
  }
  cq_ctx_destroy(ctx);
}

static void test_skins(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const double angle = 0.6, rotation[3] = {0.3, -0.5, 0.9};
  cq_shape shapes[] = {box(2, 1.0, 0.8, 0.0, 0.5),
                       box(3, 1.0, 0.8, 0.6, 0.5),
                       ball(2),
                       ball(3),
                       capsule(2),
                       capsule(3),
                       polygon()};
  /* edges of 0.5, 0.6, 0.4, pieces of at most 0.25: 2, 3 and 2 of them */
  const int n[] = {10, 36 - 2, 1, 1, 5, 6, 34 + 5};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    const int found = check_skin(ctx, &shapes[i], 0.25, 0.01);
    CHECK_MSG(found == n[i], "shape %d: %d points, not %d", (int)i, found, n[i]);
    cq_shape_turn(&shapes[i], shapes[i].dim == 2 ? &angle : rotation);
    CHECK(check_skin(ctx, &shapes[i], 0.25, 0.01) == n[i]);
  }
  for (int dim = 2; dim <= 3; dim++) {
    cq_shape shape = gear(dim);
    cq_shape_turn(&shape, dim == 2 ? &angle : rotation);
    const int found = check_skin(ctx, &shape, 0.1, 0.01);
    CHECK_MSG(found > (dim == 2 ? 40 : 200), "gear: %d points", found);
  }
  cq_skin skin;
  const double center[3] = {0};
  CHECK(cq_skin_make(ctx, &shapes[0], center, 0.0, 0.01, &skin) == CQ_USAGE);
  cq_ctx_destroy(ctx);
}

/* an L of two boxes has no points where they touch, and those of the hollow box are on both faces
 */
static void test_skins_of_composites(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const double center[3] = {0};
  const cq_part both[] = {
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {0.5, 1.0}, .size = {1.0, 2.0}}},
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {2.0, 0.5}, .size = {2.0, 1.0}}}};
  const cq_shape corner = {.kind = CQ_SHAPE_composite, .dim = 2, .n_parts = 2, .parts = both};
  cq_skin skin;
  CHECK(cq_skin_make(ctx, &corner, center, 0.25, 0.01, &skin) == CQ_OK);
  int seen = 0;
  for (int i = 0; i < skin.n; i++) {
    const double *x = skin.x + 2 * i;
    CHECK(!(fabs(x[0] - 1.0) < 0.02 && x[1] > 0.05 && x[1] < 0.95));
    seen += x[0] > 1.5;
  }
  CHECK(seen > 10);
  cq_skin_free(ctx, &skin);

  const cq_part parts[] = {
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .size = {2.0, 2.0}}},
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .size = {1.0, 1.0}}, .subtract = true}};
  const cq_shape frame = {.kind = CQ_SHAPE_composite, .dim = 2, .n_parts = 2, .parts = parts};
  CHECK(cq_skin_make(ctx, &frame, center, 0.25, 0.01, &skin) == CQ_OK);
  int outer = 0, inner = 0;
  for (int i = 0; i < skin.n; i++) {
    const double far = fmax(fabs(skin.x[2 * i]), fabs(skin.x[2 * i + 1]));
    CHECK(fabs(far - 0.99) < 1e-12 || fabs(far - 0.51) < 1e-12);
    outer += far > 0.9;
    inner += far < 0.6;
  }
  CHECK(outer == 32);
  CHECK(inner == 20);
  cq_skin_free(ctx, &skin);
  cq_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_bends);
  RUN(test_meshes);
  RUN(test_skins);
  RUN(test_skins_of_composites);
  return TEST_RESULT();
}
