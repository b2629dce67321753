/* What walls do: slides down a slope without and with friction, a symmetric bounce, and
 * where a box and a ball hold nodes. */
#include "mpm_inputs.h"
#include "scene_builder.h"

static double mean(const scene *s, int which, int axis) {
  const int dim = s->model.dim, n = s->model.n_particles;
  double sum = 0.0;
  for (int p = 0; p < n; p++) {
    sum += s->state[s->layout.offset[which] + (size_t)(p * dim + axis)];
  }
  return sum / n;
}

/* particles of a disc of radius r, in rings half a cell apart: the same from all sides */
static int rings(scene *s, double cx, double cy, double r) {
  const double spacing = 0.5 * s->mpm.cell, pi = acos(-1.0);
  int n = 0;
  for (double at = 0.5 * spacing; at < r; at += spacing) {
    const int count = 4 * (int)floor(pi * at / (2.0 * spacing) + 0.5);
    for (int k = 0; k < count; k++, n++) {
      const double angle = 2.0 * pi * (k + 0.5) / count;
      if (s->inputs != NULL) {
        scene_at(s, CQ_INPUT_x)[2 * n] = cx + at * cos(angle);
        scene_at(s, CQ_INPUT_x)[2 * n + 1] = cy + at * sin(angle);
      }
    }
  }
  return n;
}

static void disc(scene *s, int steps, double dt, double cx, double cy, double r) {
  const scene empty = {.mpm.cell = 0.02};
  scene_make(s, 2, 64, 52, empty.mpm.cell, dt, steps, rings((scene *)&empty, cx, cy, r), 1);
}

static void open_disc(scene *s, double cx, double cy, double r) {
  scene_open(s);
  rings(s, cx, cy, r);
  scene_set_all(s, CQ_INPUT_volume, 1e-4);
  scene_set_all(s, CQ_INPUT_youngs_modulus, 100.0);
}

/* frictionless on a straight slope: a = g sin(angle) along it, and nothing across it */
static void test_slide(void) {
  for (int k = 1; k <= 3; k++) {
    const double slope = 0.2 * k, along = sqrt(1.0 + slope * slope), g = 2.0;
    const double x[3] = {0.1, 0.5, 0.9}, y[3] = {0.6, 0.6 - 0.4 * slope, 0.6 - 0.8 * slope};
    const double r = 0.06, cx = 0.3, cy = 0.6 - 0.2 * slope + (r + 0.03) * along;
    scene s;
    disc(&s, 600, 1e-3, cx, cy, r);
    s.boundaries[0] = scene_height_field(CQ_BOUNDARY_separate, 2, 3, x, y, s.pieces);
    s.model.n_boundaries = 1;
    open_disc(&s, cx, cy, r);
    scene_at(&s, CQ_INPUT_gravity)[1] = -g;
    scene_at(&s, CQ_INPUT_damping)[0] = 0.0;
    scene_forward(&s);
    const double vx = mean(&s, CQ_INPUT_v, 0), vy = mean(&s, CQ_INPUT_v, 1);
    const double speed = (vx - slope * vy) / along, wanted = g * slope / along * 0.6;
    printf("  slope %.1f: speed %.6f, not %.6f (%.1e); across %.1e\n", slope, speed, wanted,
           speed / wanted - 1.0, (vy + slope * vx) / along);
    CHECK_NEAR(speed, wanted, 1e-10 * wanted);
    CHECK_NEAR((vy + slope * vx) / along, 0.0, 0.1); /* it bounces a little */
    scene_close(&s);
  }
}

/* a block on a box turned by `angle`, that moves along it with `speed`: its velocity after steps of
 * a ms */
typedef struct slid {
  double along, across;
} slid;

static slid slide_block(double angle, double friction, double speed, double damping, int steps) {
  const double c = cos(angle), d = sin(angle), t[2] = {c, d}, n[2] = {-d, c};
  const int side = 8;
  scene s;
  scene_make(&s, 2, 64, 52, 0.02, 1e-3, steps, side * side, 1);
  s.boundaries[0] = scene_box_wall(CQ_BOUNDARY_separate, 2, 0.5, 0.4, 0.0, 0.2, angle);
  s.boundaries[0].shape.size[0] = 0.8;
  s.model.n_boundaries = 1;
  scene_open(&s);
  scene_set_all(&s, CQ_INPUT_volume, 1e-4);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, 100.0);
  scene_at(&s, CQ_INPUT_gravity)[1] = -2.0;
  scene_at(&s, CQ_INPUT_friction)[0] = friction;
  scene_at(&s, CQ_INPUT_damping)[0] = damping;
  for (int p = 0; p < side * side; p++) {
    const double u = 0.1 + 0.01 * (p % side), w = 0.1 + 0.025 + 0.01 * (p / side);
    for (int a = 0; a < 2; a++) {
      scene_at(&s, CQ_INPUT_x)[2 * p + a] = (a == 0 ? 0.5 : 0.4) + u * t[a] + w * n[a];
      scene_at(&s, CQ_INPUT_v)[2 * p + a] = speed * t[a];
    }
  }
  scene_forward(&s);
  const double v[2] = {mean(&s, CQ_INPUT_v, 0), mean(&s, CQ_INPUT_v, 1)};
  scene_close(&s);
  return (slid){v[0] * t[0] + v[1] * t[1], v[0] * n[0] + v[1] * n[1]};
}

/* Coulomb: sliding downhill (along < 0), friction takes its share of all that pressed the block on
 * the slope: g cos(angle) t, and what it bounces with */
static void test_friction(void) {
  const double angle = atan(0.3), g = 2.0, time = 0.4;
  for (int k = 0; k < 3; k++) {
    const double friction = 0.1 * k;
    const slid s = slide_block(angle, friction, -0.5, 0.0, 400);
    const double wanted =
        -0.5 - g * sin(angle) * time + friction * (g * cos(angle) * time + s.across);
    printf("  friction %.1f: %.6f m/s, not %.6f\n", friction, s.along, wanted);
    CHECK_NEAR(s.along, wanted, 1e-3 * fabs(wanted));
  }
  /* air that lets it slide at g sin(angle) / damping */
  const slid held = slide_block(angle, 0.6, 0.0, 20.0, 1600);
  const slid loose = slide_block(angle, 0.0, 0.0, 20.0, 1600);
  printf("  %.1e m/s with friction 0.6, %.4f without\n", held.along, loose.along);
  CHECK(fabs(held.along) < 1e-3);
  CHECK_NEAR(loose.along, -g * sin(angle) / 20.0, 1e-2 * 0.029);
}

/* a disc dropped on the top of a ball: up again, and to no side */
static void test_bounce(void) {
  scene s;
  disc(&s, 500, 1e-3, 0.5, 0.66, 0.06);
  s.boundaries[0] = scene_ball_wall(CQ_BOUNDARY_separate, 2, 0.5, 0.3, 0.0, 0.2);
  s.model.n_boundaries = 1;
  open_disc(&s, 0.5, 0.66, 0.06);
  scene_at(&s, CQ_INPUT_gravity)[1] = -2.0;
  scene_at(&s, CQ_INPUT_friction)[0] = 0.4;
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_INPUT_v)[2 * p + 1] = -0.5;
  }
  scene_forward(&s);
  const double vx = mean(&s, CQ_INPUT_v, 0), vy = mean(&s, CQ_INPUT_v, 1);
  printf("  velocity (%.1e, %.3f)\n", vx, vy);
  CHECK_NEAR(vx, 0.0, 1e-9);
  CHECK(vy > 0.1);
  scene_close(&s);
}

static void check_normal(const cq_boundary *b, double x, double y, double nx, double ny) {
  const double at[2] = {x, y};
  double normal[2] = {0.0, 0.0};
  CHECK_MSG(cq_shape_distance(&b->shape, at) < 0.0, "(%g, %g) is not held", x, y);
  cq_shape_normal(&b->shape, at, normal);
  CHECK_NEAR(normal[0], nx, 1e-15);
  CHECK_NEAR(normal[1], ny, 1e-15);
}

static void check_free(const cq_boundary *b, double x, double y) {
  const double at[2] = {x, y};
  CHECK_MSG(!(cq_shape_distance(&b->shape, at) < 0.0), "(%g, %g) is held", x, y);
}

static void test_box(void) {
  cq_boundary b = scene_box_wall(CQ_BOUNDARY_slip, 2, 0.5, 0.5, 0.0, 0.4, 0.0);
  b.shape.size[1] = 0.2;
  check_normal(&b, 0.5, 0.55, 0.0, 1.0);
  check_normal(&b, 0.5, 0.45, 0.0, -1.0);
  check_normal(&b, 0.68, 0.5, 1.0, 0.0);
  check_normal(&b, 0.32, 0.5, -1.0, 0.0);
  check_normal(&b, 0.5, 0.5, 0.0, 1.0); /* the middle: the upper face of the later axis */
  check_free(&b, 0.5, 0.61);
  check_free(&b, 0.71, 0.5);
  const double angle = acos(-1.0) / 6.0, c = cos(angle), s = sin(angle); /* 30 degrees */
  cq_shape_turn(&b.shape, &angle);
  check_normal(&b, 0.5 - 0.09 * s, 0.5 + 0.09 * c, -s, c);
  check_free(&b, 0.5 - 0.11 * s, 0.5 + 0.11 * c);
  check_normal(&b, 0.5 - 0.19 * c, 0.5 - 0.19 * s, -c, -s);
  check_free(&b, 0.5 - 0.21 * c, 0.5 - 0.21 * s);
  b.shape = (cq_shape){.kind = CQ_SHAPE_box, .dim = 2, .center = {0.5, 0.5}, .size = {0.5, 0.5}};
  check_normal(&b, 0.375, 0.625, 0.0, 1.0); /* a tie: the later axis */
}

static void test_ball(void) {
  const cq_boundary b = scene_ball_wall(CQ_BOUNDARY_slip, 2, 0.5, 0.4, 0.0, 0.25);
  check_normal(&b, 0.5 + 0.6 * 0.2, 0.4 - 0.8 * 0.2, 0.6, -0.8);
  check_normal(&b, 0.5, 0.4, 0.0, 1.0);
  check_free(&b, 0.75, 0.4);
}

int main(void) {
  RUN(test_slide);
  RUN(test_friction);
  RUN(test_bounce);
  RUN(test_box);
  RUN(test_ball);
  return TEST_RESULT();
}
