/* What a free blob of fluid and a rigid body keep, and that bits do not depend on threads. */
#include "fluid_scene.h"

typedef struct kept {
  const fluid_scene *scene;
  double linear[3], angular[3], scale, turn; /* scale: sum m |v|; turn: sum m |x| |v| */
} kept;

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] += a[j] * b[k] - a[k] * b[j];
  }
}

/* Momenta of a state. A rigid particle is a cube, so that a body has its own angular momentum. */
static void sum_momenta(const fluid_scene *s, const double *state, kept *out) {
  const int dim = s->model.dim;
  const double *density = s->inputs + s->layout.offset[CQ_FLUID_density];
  const double *volume = s->inputs + s->layout.offset[CQ_FLUID_volume];
  const double *v = state + s->layout.offset[CQ_FLUID_v];
  memset(out, 0, sizeof *out);
  for (int p = 0; p < s->model.n_particles; p++) {
    const double m = density[p] * volume[p];
    double x3[3] = {0}, v3[3] = {0}, sx = 0.0, sv = 0.0;
    for (int a = 0; a < dim; a++) {
      x3[a] = state[p * dim + a];
      v3[a] = m * v[p * dim + a];
      out->linear[a] += v3[a];
      sx += x3[a] * x3[a];
      sv += v3[a] * v3[a];
    }
    cross(x3, v3, out->angular);
    out->scale += sqrt(sv);
    out->turn += sqrt(sx * sv);
  }
}

enum { WIDE = 4 }; /* particles along an edge of the body */

/* What the cubes of the body have about their own centres: their moment is s^2/6 for a mass of 1,
 * that of n x n points s^2 (n^2 - 1)/6, whatever the axis. */
static void add_own_spin(const fluid_scene *s, const double *state, double *angular) {
  const int dim = s->model.dim;
  const cq_fluid_body *b = &s->bodies[0];
  const double *v = state + s->layout.offset[CQ_FLUID_v];
  const double m = s->density[0] * pow(2.0 * s->fluid.radius, dim);
  double center[3] = {0};
  for (int p = b->first; p < b->first + b->count; p++) {
    for (int a = 0; a < dim; a++) {
      center[a] += state[p * dim + a] / b->count;
    }
  }
  for (int p = b->first; p < b->first + b->count; p++) {
    double arm[3] = {0}, push[3] = {0};
    for (int a = 0; a < dim; a++) {
      arm[a] = state[p * dim + a] - center[a];
      push[a] = v[p * dim + a] * m / (WIDE * WIDE - 1);
    }
    cross(arm, push, angular);
  }
}

static cq_status keep(void *user, int step, const double *state) {
  kept *k = user;
  const fluid_scene *s = k[0].scene;
  kept *to = step == 0 ? &k[1] : &k[2];
  sum_momenta(s, state, to);
  add_own_spin(s, state, to->angular);
  return CQ_OK;
}

/* A blob, `side` particles wide and in 3D 8 deep, that turns and shakes around a body in its
 * middle; no gravity, no walls. */
static void blob(fluid_scene *s, int dim, int side, int bits, int threads, int steps,
                 double viscosity) {
  const double r = 0.02, low[3] = {0}, in[3] = {4 * 2 * r, 4 * 2 * r, 2 * 2 * r};
  const int count[3] = {side, side, 8}, hole[3] = {WIDE, WIDE, WIDE};
  scene_begin(s, dim, bits, r, 1e-3, steps, threads);
  cq_points all = {0};
  scene_fluid(s, low, count);
  /* no fluid where the body is */
  const int n = s->n_fluid;
  for (int p = 0; p < n; p++) {
    const double *x = s->particles.x + p * dim;
    bool inside = true;
    for (int a = 0; a < dim; a++) {
      inside = inside && x[a] > in[a] && x[a] < in[a] + hole[a] * 2 * r;
    }
    if (!inside) {
      CHECK(cq_points_add(s->ctx, dim, x, 1u << 20, &all) == CQ_OK);
    }
  }
  cq_points_free(s->ctx, &s->particles);
  s->particles = all;
  s->n_fluid = (int)all.n;
  scene_box(s, in, hole, 300.0);
  scene_open(s);
  cq_rng rng = cq_rng_seed(7);
  double *x = scene_at(s, CQ_FLUID_x), *v = scene_at(s, CQ_FLUID_v);
  for (int p = 0; p < s->model.n_particles; p++) {
    scene_at(s, CQ_FLUID_viscosity)[p] = viscosity;
    for (int a = 0; a < dim; a++) {
      const double shake = s->body[p] < 0 ? 0.3 * cq_rng_normal(&rng) : 0.0;
      v[p * dim + a] = 0.5 + shake +
                       (a == 0   ? -2.0
                        : a == 1 ? 2.0
                                 : 0.0) *
                           x[p * dim + (a ^ 1) % dim];
    }
  }
  memset(s->sticky, 1, s->samples.n);
}

/* Linear and angular, with viscosity in the fluid and at the body, too. */
static void check_momentum(int dim, double viscosity) {
  const int steps = dim == 2 ? 200 : 40, ends[2] = {0, steps};
  fluid_scene s;
  blob(&s, dim, 12, 64, 1, steps, viscosity);
  kept k[3] = {{.scene = &s}};
  scene_visit(&s, ends, 2, keep, k);
  for (int a = 0; a < dim; a++) {
    CHECK_NEAR(k[2].linear[a] / k[1].scale, k[1].linear[a] / k[1].scale, 1e-13);
  }
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(k[2].angular[a] / k[1].turn, k[1].angular[a] / k[1].turn, 1e-13);
  }
  printf("  %dD, %g Pa s: linear %.1e, angular %.1e\n", dim, viscosity,
         fabs(k[2].linear[0] - k[1].linear[0]) / k[1].scale,
         fabs(k[2].angular[2] - k[1].angular[2]) / k[1].turn);
  scene_close(&s);
}

static void test_momentum_2d(void) {
  check_momentum(2, 0.0);
  check_momentum(2, 2.0);
}

static void test_momentum_3d(void) {
  check_momentum(3, 0.0);
  check_momentum(3, 2.0);
}

static void bits_of(int dim, int bits, int threads, double *state, size_t size) {
  fluid_scene s;
  blob(&s, dim, dim == 2 ? 28 : 12, bits, threads, 10, 2.0); /* enough for threads */
  CHECK(s.layout.state_total <= size);
  scene_ready(&s);
  CHECK_MSG(cq_sim_forward(s.sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(s.ctx));
  CHECK(cq_sim_final_state(s.sim, state) == CQ_OK);
  scene_close(&s);
}

static void test_threads(void) {
  enum { ROOM = 20000 };
  static double one[ROOM], more[ROOM];
  for (int dim = 2; dim <= 3; dim++) {
    for (int bits = 32; bits <= 64; bits += 32) {
      memset(one, 0, sizeof one);
      memset(more, 0, sizeof more);
      bits_of(dim, bits, 1, one, ROOM);
      for (int threads = 2; threads <= 4; threads++) {
        bits_of(dim, bits, threads, more, ROOM);
        CHECK(memcmp(one, more, sizeof one) == 0);
      }
    }
  }
}

/* Columns of fluid leave an emitter one after the other, and fall from then on; what waits, asleep
 * or not, goes straight on. */
static void test_emitter(void) {
  enum { COLUMNS = 20, ROWS = 4, STEPS = 400 };
  const double low[3] = {0}, dt = 1e-3, speed = 1.0, g = 9.81, r = 0.02;
  const int count[3] = {COLUMNS, ROWS, 0};
  const cq_fluid_emitter all = {0, COLUMNS * ROWS};
  fluid_scene s;
  scene_begin(&s, 2, 64, r, dt, STEPS, 1);
  scene_fluid(&s, low, count);
  s.fluid.n_emitters = 1;
  s.fluid.emitters = &all;
  scene_open(&s);
  scene_at(&s, CQ_FLUID_gravity)[1] = -g;
  for (int p = 0; p < COLUMNS * ROWS; p++) {
    scene_at(&s, CQ_FLUID_v)[2 * p] = speed;
  }
  scene_ready(&s);
  double *state = malloc(s.layout.state_total * sizeof *state);
  CHECK_MSG(cq_sim_forward(s.sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(s.ctx));
  CHECK(cq_sim_final_state(s.sim, state) == CQ_OK);
  const double *x0 = scene_at(&s, CQ_FLUID_x), *v = state + s.layout.offset[CQ_FLUID_v];
  double u[2] = {0}, fell = 0.0;
  int freed = 0;
  for (int p = 0; p < COLUMNS * ROWS; p++) {
    const int column = p / ROWS;
    const double since = STEPS * dt - r * (2 * (COLUMNS - 1 - column) + 1) / speed;
    if (since < 0.5 * dt) { /* still waits */
      CHECK_NEAR(state[2 * p], x0[2 * p] + STEPS * dt * speed, 1e-12);
      CHECK_NEAR(state[2 * p + 1], x0[2 * p + 1], 1e-12);
      continue;
    }
    freed++;
    fell -= g * since;
    u[0] += v[2 * p];
    u[1] += v[2 * p + 1];
  }
  printf("  emitter: %d let go, which go at %.4f of its speed and fall at %.4f of theirs\n", freed,
         u[0] / freed / speed, u[1] / fell);
  CHECK(freed == 10 * ROWS);
  CHECK_NEAR(u[0] / freed, speed, 0.02);
  CHECK_NEAR(u[1] / fell, 1.0, 0.02);
  free(state);
  scene_close(&s);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_momentum_2d);
  RUN(test_momentum_3d);
  RUN(test_threads);
  RUN(test_emitter);
  return TEST_RESULT();
}
