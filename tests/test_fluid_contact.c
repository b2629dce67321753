/* Rigid bodies without fluid: the ramp before a release, contact with a floor and with each other.
 */
#include "fluid_scene.h"

static const double R = 0.02, DT = 5e-4;

/* where body b is, and how it moves, by its particles */
static void body_of(const fluid_scene *s, const double *state, int b, double *x, double *v) {
  const cq_fluid_body *body = &s->bodies[b];
  const double *all = state + s->layout.offset[CQ_FLUID_v];
  for (int a = 0; a < 2; a++) {
    x[a] = v[a] = 0.0;
    for (int p = body->first; p < body->first + body->count; p++) {
      x[a] += state[2 * p + a] / body->count;
      v[a] += all[2 * p + a] / body->count;
    }
  }
}

static void set_velocity(fluid_scene *s, int b, double vx, double vy) {
  for (int p = s->bodies[b].first; p < s->bodies[b].first + s->bodies[b].count; p++) {
    scene_at(s, CQ_FLUID_v)[2 * p] = vx;
    scene_at(s, CQ_FLUID_v)[2 * p + 1] = vy;
  }
}

static const double *run(fluid_scene *s) {
  double *state = malloc(s->layout.state_total * sizeof *state);
  scene_ready(s);
  CHECK_MSG(cq_sim_forward(s->sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  CHECK(cq_sim_final_state(s->sim, state) == CQ_OK);
  return state;
}

/* Speed grows linearly over a tenth of a second; then there is nothing but gravity. */
static void test_ramp(void) {
  enum { RAMP = 200, STEPS = 400 };
  const double low[3] = {1.0, 1.0, 0}, g = 9.81;
  const int count[3] = {4, 4, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, R, DT, STEPS, 1);
  scene_box(&s, low, count, 500.0)->release = RAMP * DT;
  scene_open(&s);
  set_velocity(&s, 0, 2.0, 1.0);
  scene_at(&s, CQ_FLUID_gravity)[1] = -g;
  const double *state = run(&s);
  double x[2], v[2];
  body_of(&s, state, 0, x, v);
  const double t = (STEPS - RAMP) * DT, ramp = 0.5 * (RAMP + 1) * DT; /* sum of k/RAMP dt */
  CHECK_NEAR(v[0], 2.0, 1e-12);
  CHECK_NEAR(v[1], 1.0 - g * t, 1e-12);
  CHECK_NEAR(x[0], 1.08 + 2.0 * (ramp + t), 1e-12);
  CHECK_NEAR(x[1], 1.08 + ramp + t - 0.5 * g * t * (t + DT), 1e-12);
  free((void *)state);
  scene_close(&s);
}

/* The floor as an obstacle, a body without particles. */
static void add_floor(fluid_scene *s) {
  const cq_shape shape = {
      .kind = CQ_SHAPE_box, .dim = 2, .center = {2.0, -0.2}, .size = {4.0, 0.4}};
  cq_fluid_body *body = &s->bodies[s->fluid.n_bodies++];
  *body = (cq_fluid_body){.first_sample = (int)s->samples.n, .driven = true, .center = {2.0, -0.2}};
  CHECK(cq_fluid_sample(s->ctx, &shape, -CQ_FLUID_INSET * R, 2.0 * R, 1u << 20, &s->samples) ==
        CQ_OK);
  body->n_samples = (int)s->samples.n - body->first_sample;
}

/* A box that slides along a floor: what carries it, what stops it. */
static void slide(bool obstacle) {
  enum { STEPS = 400 };
  const double low[3] = {0.4, 0.02, 0}, zero[3] = {0}, high[3] = {4.0, 1.0, 0};
  const double friction = 0.3;
  const int count[3] = {10, 6, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, R, DT, STEPS, 1);
  if (!obstacle) {
    scene_walls(&s, zero, high);
  }
  scene_box(&s, low, count, 500.0);
  if (obstacle) {
    add_floor(&s);
  }
  s.fluid.contact_stiffness = 4e5;
  s.fluid.contact_speed = 1e-3;
  scene_open(&s);
  scene_at(&s, CQ_FLUID_friction)[0] = friction;
  scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
  set_velocity(&s, 0, 1.0, 0.0);
  const double *state = run(&s);
  double x[2], v[2];
  body_of(&s, state, 0, x, v);
  /* it bounces a little: friction is that part of all that the floor has pushed */
  const double slowed = 1.0 - friction * (9.81 * STEPS * DT + v[1]);
  printf("  on %s: %.3f radii above it, speed %.4f (%.4f)\n",
         obstacle ? "an obstacle" : "the floor", (x[1] - 0.12) / R, v[0], slowed);
  CHECK(x[1] - 0.12 > -R && x[1] - 0.12 < 4.0 * R);
  CHECK_NEAR(v[0], slowed, 0.01);
  free((void *)state);
  scene_close(&s);
}

static void test_floor(void) {
  slide(false);
  slide(true);
}

/* Two boxes meet off centre: they part, and momenta are kept. */
static void test_collision(void) {
  enum { STEPS = 800 };
  const double a[3] = {0.4, 0.4, 0}, b[3] = {1.0, 0.5, 0};
  const int count[3] = {6, 6, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, R, DT, STEPS, 1);
  scene_box(&s, a, count, 500.0);
  scene_box(&s, b, count, 1000.0);
  s.fluid.contact_stiffness = 1e6;
  s.fluid.friction = 0.5;
  scene_open(&s);
  set_velocity(&s, 0, 2.0, 0.0);
  const double *state = run(&s);
  double xa[2], va[2], xb[2], vb[2];
  body_of(&s, state, 0, xa, va);
  body_of(&s, state, 1, xb, vb);
  CHECK_NEAR(va[0] + 2.0 * vb[0], 2.0, 1e-12);
  CHECK_NEAR(va[1] + 2.0 * vb[1], 0.0, 1e-12);
  CHECK(vb[0] > va[0] + 0.1); /* they have met, and part */
  CHECK(fabs(vb[1]) > 1e-3);
  free((void *)state);
  scene_close(&s);
}

/* A step that is too long ends the run, with what moved and how far. */
static void test_too_fast(void) {
  const double low[3] = {0.5, 0.5, 0}, zero[3] = {0}, high[3] = {2.0, 2.0, 0};
  const int count[3] = {4, 4, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, R, 1e-2, 10, 1);
  scene_fluid(&s, low, count);
  scene_walls(&s, zero, high);
  scene_open(&s);
  scene_at(&s, CQ_FLUID_v)[0] = -5.0;
  scene_ready(&s);
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_TOO_FAST);
  CHECK(cq_sim_failure(s.sim)->particle == 0 && cq_sim_failure(s.sim)->step == 0);
  CHECK(cq_sim_failure(s.sim)->value > 1.0);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "of its diameters in one step") != NULL, "%s",
            cq_ctx_error(s.ctx));
  cq_ctx_clear_error(s.ctx);
  scene_at(&s, CQ_FLUID_v)[10] = NAN;
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_NONFINITE);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "input v[10] of particle 5 is not finite") != NULL, "%s",
            cq_ctx_error(s.ctx));
  cq_ctx_clear_error(s.ctx);
  scene_close(&s);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_ramp);
  RUN(test_floor);
  RUN(test_collision);
  RUN(test_too_fast);
  return TEST_RESULT();
}
