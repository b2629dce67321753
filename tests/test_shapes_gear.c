/* Gears: beside dense samples of their flanks, which are written here by the rolling line, beside
 * the span over teeth that a workshop measures, and as a surface of triangles. */
#include "gear.h"
#include "mesh_maker.h"

static const double pi = 3.14159265358979323846;

static cq_shape gear(int dim, int teeth, double helix) {
  const double degrees = pi / 180.0;
  return (cq_shape){
      .kind = CQ_SHAPE_gear,
      .dim = dim,
      .center = {0.3, -0.2, 0.1},
      .gear = cq_gear_make(teeth, 1.0, 20.0 * degrees, helix * degrees, dim == 3 ? 4.0 : 0.0, 2.0)};
}

/* A point of the flank that is on one side of the first tooth: the end of a line that rolls off the
 * base circle by the angle `roll` (below 0: on the radial line), at `along` of the width. */
static void flank_point(const cq_gear *g, double roll, double side, double along, double *x) {
  const double start = -g->half, r = g->base; /* where the line begins, below the middle */
  double p[2];
  if (roll < 0.0) {
    p[0] = r * (1.0 + roll) * cos(start);
    p[1] = r * (1.0 + roll) * sin(start);
  } else {
    const double at = start + roll;
    p[0] = r * (cos(at) + roll * sin(at));
    p[1] = r * (sin(at) - roll * cos(at));
  }
  const double turn = along * g->twist;
  x[0] = p[0] * cos(turn) + side * p[1] * -sin(turn);
  x[1] = p[0] * sin(turn) + side * p[1] * cos(turn);
  x[2] = along;
}

/* Distance from the nearest of many points of both flanks of the first tooth, with neighbours. */
static double by_samples(const cq_shape *s, const double *x) {
  const cq_gear *g = &s->gear;
  const double y[3] = {x[0] - s->center[0], x[1] - s->center[1],
                       s->dim == 3 ? x[2] - s->center[2] : 0.0};
  const int layers = s->dim == 3 && g->twist != 0.0 ? 161 : 1, points = layers > 1 ? 600 : 4000;
  const double tooth = 2.0 * pi / g->teeth, reach = sqrt(pow(g->tip / g->base, 2.0) - 1.0);
  double least = INFINITY;
  for (int layer = 0; layer < layers; layer++) {
    const double along = y[2] + (layers == 1 ? 0.0 : 1.2 * ((layer + 0.5) / layers - 0.5));
    const double angle = atan2(y[1], y[0]) - along * g->twist;
    const double back = tooth * round(angle / tooth);
    const double c = cos(back), t = sin(back);
    for (int i = 0; i <= points; i++) {
      const double roll = g->root / g->base - 1.0 + (reach + 1.0 - g->root / g->base) * i / points;
      for (int side = -1; side <= 1; side += 2) {
        double p[3];
        flank_point(g, roll, side, along, p);
        const double d[3] = {c * p[0] - t * p[1] - y[0], t * p[0] + c * p[1] - y[1], p[2] - y[2]};
        least = fmin(least, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      }
    }
  }
  return sqrt(least);
}

/* Near a flank, away from tips, roots and ends, the distance is exact; of a helical one below its
 * base circle a bound. */
static void test_flanks(void) {
  static const struct {
    int dim, teeth;
    double helix, tolerance;
  } cases[] = {{2, 18, 0.0, 1e-5}, {2, 8, 0.0, 1e-5}, {2, 60, 0.0, 1e-5}, {3, 18, 25.0, 3e-4}};
  cq_rng rng = cq_rng_seed(5);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const cq_shape s = gear(cases[k].dim, cases[k].teeth, cases[k].helix);
    const double low = fmax(s.gear.root, cases[k].helix > 0.0 ? s.gear.base : 0.0) + 0.25;
    int n = 0;
    double worst = 0.0;
    while (n < (cases[k].dim == 2 ? 120 : 30)) {
      const double r = low + (s.gear.tip - 0.25 - low) * cq_rng_uniform(&rng);
      const double angle = 2.0 * pi * cq_rng_uniform(&rng);
      const double x[3] = {s.center[0] + r * cos(angle), s.center[1] + r * sin(angle),
                           s.center[2] + 2.0 * (cq_rng_uniform(&rng) - 0.5)};
      const double d = cq_shape_distance(&s, x);
      if (fabs(d) > 0.05 && fabs(d) < 0.2) { /* nearer the samples are too coarse */
        worst = fmax(worst, fabs(fabs(d) - by_samples(&s, x)));
        n++;
      }
    }
    printf("  %d teeth, helix %g: off by %.1e of a module\n", cases[k].teeth, cases[k].helix,
           worst);
    CHECK_MSG(worst < cases[k].tolerance, "%d teeth: %.1e", cases[k].teeth, worst);
  }
}

/* Tangents of the base circle meet flanks squarely: over k teeth they span m cos(a) ((k - 1/2) pi +
 * z inv(a)), which tables have: 7.6324 for 3 of 18 teeth of module 1, 10.7106 for 4 of 27. */
static void test_span(void) {
  static const struct {
    int teeth, k;
    double span;
  } tables[] = {{18, 3, 7.6324}, {27, 4, 10.7106}};
  for (int t = 0; t < 2; t++) {
    const cq_shape s = gear(2, tables[t].teeth, 0.0);
    double ends[2][16], before = 1.0;
    int n[2] = {0, 0}, spans = 0;
    const double turn = 0.123, c = cos(turn), q = sin(turn), step = 1e-3;
    for (double y = -12.0; y < 12.0; y += step) {
      const double at[2] = {s.center[0] + s.gear.base * c - y * q,
                            s.center[1] + s.gear.base * q + y * c};
      const double d = cq_shape_distance(&s, at);
      double normal[2];
      cq_shape_normal(&s, at, normal);
      const double square = -normal[0] * q + normal[1] * c;
      const double zero = y - step * d / (d - before);
      if (d * before < 0.0 && fabs(square) > 0.9999 && (square > 0.0) == (zero > 0.0)) {
        const int which = zero > 0.0;
        CHECK(n[which] < 16);
        ends[which][n[which]++] = zero;
      }
      before = d;
    }
    for (int i = 0; i < n[0]; i++) {
      for (int j = 0; j < n[1]; j++) {
        const double span = ends[1][j] - ends[0][i], a = pi / 9.0;
        const double k = (span / cos(a) - tables[t].teeth * (tan(a) - a)) / pi + 0.5;
        CHECK_NEAR(k, round(k), 1e-9);
        if ((int)lround(k) == tables[t].k) {
          CHECK_NEAR(span, tables[t].span, 5e-5);
          spans++;
        }
      }
    }
    CHECK_MSG(spans > 0, "no span over %d teeth", tables[t].k);
  }
}

/* A fine surface of triangles of a spur gear, with roots outside the base circle, has its
 * distances, outside and near it, but for what is cut off by chords. */
static void test_mesh(void) {
  enum { TEETH = 45, FLANK = 24, N = 2 * TEETH * FLANK };
  static double outline[N][2];
  static const double still[3] = {0.0, 0.0, 0.0};
  cq_shape s = gear(3, TEETH, 0.0), mesh = {.kind = CQ_SHAPE_mesh, .dim = 3};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  s.gear.bore = 0.0;
  memcpy(s.center, still, sizeof still);
  for (int i = 0; i < N; i++) {
    const int tooth = i / (2 * FLANK), k = i % (2 * FLANK), up = k < FLANK ? k : 2 * FLANK - 1 - k;
    const double reach = sqrt(pow(s.gear.tip / s.gear.base, 2.0) - 1.0);
    const double low = s.gear.root / s.gear.base - 1.0, share = (double)up / (FLANK - 1);
    double p[3];
    flank_point(&s.gear, low + (reach - low) * share, k < FLANK ? 1.0 : -1.0, 0.0, p);
    const double c = cos(2.0 * pi * tooth / TEETH), q = sin(2.0 * pi * tooth / TEETH);
    outline[i][0] = c * p[0] - q * p[1];
    outline[i][1] = q * p[0] + c * p[1];
  }
  cq_surface surface = maker_extrude(ctx, N, (const double(*)[2])outline, s.gear.width);
  void *memory = NULL;
  int turned;
  for (int i = 0; i < surface.n_vertices; i++) {
    surface.vertices[3 * i + 2] -= 0.5 * s.gear.width;
  }
  CHECK_MSG(cq_surface_mend(ctx, "gear", &surface, &turned) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_alloc(ctx, &memory, cq_mesh_bytes(&surface), 1) == CQ_OK);
  CHECK(cq_mesh_make(ctx, &surface, 1.0, still, memory, &mesh.mesh) == CQ_OK);
  CHECK_NEAR(cq_shape_volume(&mesh), cq_shape_volume(&s), 0.02 * cq_shape_volume(&s));
  cq_rng rng = cq_rng_seed(9);
  double worst = 0.0;
  for (int n = 0; n < 120;) {
    const double r = s.gear.root + 0.3 + 1.6 * cq_rng_uniform(&rng);
    const double angle = 2.0 * pi * cq_rng_uniform(&rng);
    const double x[3] = {r * cos(angle), r * sin(angle), 2.0 * (cq_rng_uniform(&rng) - 0.5)};
    const double own = cq_shape_distance(&s, x), other = cq_shape_distance(&mesh, x);
    CHECK(own < other + 0.02); /* chords of tips and roots lie inside */
    if (r < s.gear.tip - 0.3 && fabs(own) < 0.2) {
      worst = fmax(worst, fabs(own - other));
      n++;
    }
  }
  printf("  a mesh is off by %.1e of a module on its flanks\n", worst);
  CHECK_MSG(worst < 1e-3, "%.1e", worst);
  cq_surface_free(ctx, &surface);
  cq_free(ctx, memory);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_flanks);
  RUN(test_span);
  RUN(test_mesh);
  return TEST_RESULT();
}
