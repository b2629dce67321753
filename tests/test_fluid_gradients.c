/* The heuristic gradients of the fluid engine: `rigid` is the derivative of a flight in which the
 * fluid does nothing, `local` has DiffFR's equations 14 and 15 beside it. */
#include "fluid_scene.h"

/* Position and velocity of some particles at the end. */
typedef struct seen {
  cq_group group;
  cq_channel channels[2];
  unsigned char *at; /* [steps + 1] */
} seen;

static void look_at(fluid_scene *s, seen *w, int count, const int *particles) {
  w->at = calloc((size_t)s->model.steps + 1, 1);
  w->at[s->model.steps] = 1;
  w->group = (cq_group){.count = count, .particles = particles};
  w->channels[0] = (cq_channel){.group = 0, .quantity = CQ_Q_POSITION, .at = w->at};
  w->channels[1] = (cq_channel){.group = 0, .quantity = CQ_Q_VELOCITY, .at = w->at};
  s->model.groups = &w->group;
  s->model.n_groups = 1;
  s->model.channels = w->channels;
  s->model.n_channels = 2;
}

/* what is seen, of a run from the inputs as they are */
static void run(fluid_scene *s, double *z) {
  scene_ready(s);
  CHECK_MSG(cq_sim_forward(s->sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  memcpy(z, cq_sim_observations(s->sim), 2 * (size_t)s->model.dim * sizeof *z);
}

/* what a direction changes of it */
static void tangent(fluid_scene *s, const double *direction, double *dz) {
  double du = 0.0;
  CHECK_MSG(cq_sim_tangents(s->sim, 1, direction, dz, &du) == CQ_OK, "%s", cq_ctx_error(s->ctx));
}

static double *direction_of(const fluid_scene *s) {
  return calloc(s->layout.total, sizeof(double));
}

/* A bar of rigid particles alone in the room, and some fluid far away. */
static cq_fluid_body *flight(fluid_scene *s, int dim, int steps, const char *gradient) {
  const double r = 0.02, away[3] = {5.0, 5.0, 5.0}, low[3] = {0.1, 0.2, 0.3};
  const int few[3] = {3, 3, 3}, bar[3] = {6, 3, 2};
  scene_begin(s, dim, 64, r, 5e-3, steps, 1);
  s->model.gradient = gradient;
  scene_fluid(s, away, few);
  cq_fluid_body *body = scene_box(s, low, bar, 700.0);
  scene_open(s);
  return body;
}

static void set_motion(fluid_scene *s, double *to, const double *v, double spin) {
  const cq_fluid_body *b = &s->bodies[0];
  const int dim = s->model.dim;
  double center[3] = {0};
  for (int p = b->first; p < b->first + b->count; p++) {
    for (int a = 0; a < dim; a++) {
      center[a] += s->particles.x[p * dim + a] / b->count;
    }
  }
  for (int p = b->first; p < b->first + b->count; p++) {
    for (int a = 0; a < dim; a++) {
      const double arm = s->particles.x[p * dim + (a ^ 1) % dim] - center[(a ^ 1) % dim];
      to[p * dim + a] = v[a] + (a == 0 ? -spin * arm : a == 1 ? spin * arm : 0.0);
    }
  }
}

/* In closed form: n steps of symplectic Euler, the first `held` of them in a hand, with a velocity
 * that grows linearly. */
static void test_flight(void) {
  enum { STEPS = 50 };
  for (int held = 0; held <= 20; held += 20) {
    fluid_scene s;
    seen w;
    cq_fluid_body *body = flight(&s, 2, STEPS, held == 0 ? "rigid" : "local");
    const double dt = s.model.dt, v[2] = {0.3, 0.7}, spin = 2.5, unit[2] = {0, 1};
    const int corner = body->first, loose = STEPS - held;
    const double part = held == 0 ? 0.0 : (held + 1) / 2.0; /* sum of k/held */
    body->release = held * dt;
    look_at(&s, &w, 1, &corner);
    set_motion(&s, scene_at(&s, CQ_FLUID_v), v, spin);
    scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
    double z[4], dz[4], *d = direction_of(&s);
    run(&s, z);
    /* the hand's velocity */
    set_motion(&s, d + s.layout.offset[CQ_FLUID_v], unit, 0.0);
    tangent(&s, d, dz);
    CHECK_NEAR(dz[0], 0.0, 1e-13);
    CHECK_NEAR(dz[1], (loose + part) * dt, 1e-13);
    CHECK_NEAR(dz[3], 1.0, 1e-13);
    /* the spin: the corner is on a circle around the centre */
    const double still[2] = {0, 0}, turned = spin * (loose + part) * dt;
    const double arm[2] = {-5 * s.fluid.radius, -2 * s.fluid.radius};
    set_motion(&s, d + s.layout.offset[CQ_FLUID_v], still, 1.0);
    tangent(&s, d, dz);
    CHECK_NEAR(dz[0], (-sin(turned) * arm[0] - cos(turned) * arm[1]) * (loose + part) * dt, 1e-12);
    CHECK_NEAR(dz[1], (cos(turned) * arm[0] - sin(turned) * arm[1]) * (loose + part) * dt, 1e-12);
    /* gravity */
    memset(d, 0, s.layout.total * sizeof *d);
    d[s.layout.offset[CQ_FLUID_gravity] + 1] = 1.0;
    tangent(&s, d, dz);
    CHECK_NEAR(dz[1], 0.5 * loose * (loose + 1) * dt * dt, 1e-13);
    CHECK_NEAR(dz[3], loose * dt, 1e-13);
    free(d);
    free(w.at);
    scene_close(&s);
  }
}

/* All inputs of a body, in a flight that tumbles: by differences. */
static void test_inputs(void) {
  static const cq_fluid_input inputs[] = {CQ_FLUID_x, CQ_FLUID_v, CQ_FLUID_density, CQ_FLUID_volume,
                                          CQ_FLUID_gravity};
  for (int dim = 2; dim <= 3; dim++) {
    fluid_scene s;
    seen w;
    int some[8];
    const cq_fluid_body *body = flight(&s, dim, 40, "rigid");
    for (int i = 0; i < 8; i++) {
      some[i] = body->first + i;
    }
    look_at(&s, &w, 8, some);
    cq_rng rng = cq_rng_seed(3);
    const double v[3] = {1.0, 2.0, -0.5};
    set_motion(&s, scene_at(&s, CQ_FLUID_v), v, 4.0);
    for (int p = body->first; p < body->first + body->count; p++) { /* about another axis, too */
      scene_at(&s, CQ_FLUID_v)[p * dim + dim - 1] += 3.0 * s.particles.x[p * dim];
      scene_at(&s, CQ_FLUID_density)[p] *= 1.0 + 0.2 * cq_rng_uniform(&rng);
    }
    scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
      const size_t at = s.layout.offset[inputs[i]], count = s.layout.count[inputs[i]];
      double *d = direction_of(&s), *in = s.inputs + at, ends[2][6], z[6], dz[6], most = 0.0;
      for (size_t k = 0; k < count; k++) {
        d[at + k] = (in[k] != 0.0 ? fabs(in[k]) : 1.0) * cq_rng_normal(&rng) * 0.1;
      }
      run(&s, z);
      tangent(&s, d, dz);
      const double eps = 1e-5;
      for (int side = -1; side <= 1; side += 2) {
        for (size_t k = 0; k < count; k++) {
          in[k] += side * eps * d[at + k];
        }
        run(&s, ends[side > 0]);
        for (size_t k = 0; k < count; k++) {
          in[k] -= side * eps * d[at + k];
        }
      }
      for (int k = 0; k < 2 * dim; k++) {
        most = fmax(most, fabs(dz[k]));
      }
      for (int k = 0; k < 2 * dim; k++) {
        CHECK_NEAR(dz[k] / most, (ends[1][k] - ends[0][k]) / (2.0 * eps) / most, 1e-7);
      }
      CHECK(most > 1e-3);
      free(d);
    }
    free(w.at);
    scene_close(&s);
  }
}

/* One particle of fluid under one sample of a body of two particles, for one step. */
typedef struct pair {
  double mass, moment, arm; /* of the body; the sample is so far from its centre */
  double g, factor;         /* V_b W' towards it; what the sample takes by g (g . dv_b), negated */
} pair;

/* By hand: all that the particle touches is the sample, so that its sum of gradients is g. */
static pair by_hand(const fluid_scene *s, double volume, double gap, double rho_body, int sweeps) {
  const double r = s->fluid.radius, h = 4.0 * r, q = gap / h, rho = 1000.0;
  const double peak = 40.0 / (7.0 * acos(-1.0) * h * h), cube = 4.0 * r * r;
  const double slope =
      peak * (q < 0.5 ? 18.0 * q * q - 12.0 * q : -6.0 * (1.0 - q) * (1.0 - q)) / h;
  pair p = {.mass = 2.0 * rho_body * cube, .arm = r};
  p.moment = p.mass * (r * r + cube / 6.0);
  p.g = -slope / peak;
  const double lift = p.g * p.g * (1.0 / p.mass + p.arm * p.arm / p.moment);
  const double gain = 0.5 / (p.g * p.g / rho + volume * lift); /* times dt^2 */
  p.factor = sweeps * gain * volume / (1.0 + gain / rho * p.g * p.g);
  return p;
}

/* rise: velocity of the particle; above 0 it comes nearer and is pressed on */
static void check_pair(const char *gradient, int sweeps, double rise, int active) {
  const double r = 0.02, gap = 0.03, rho_body = 400.0;
  const double places[3][2] = {{r, -gap}, {-r, 0.0}, {r, 0.0}};
  fluid_scene s;
  seen corner;
  scene_begin(&s, 2, 64, r, 1e-3, 1, 1);
  s.model.gradient = gradient;
  s.fluid.sweeps = sweeps;
  s.fluid.divergence_sweeps = 0;
  s.fluid.tolerance = 0.0;
  for (int p = 0; p < 3; p++) {
    CHECK(cq_points_add(s.ctx, 2, places[p], 100, &s.particles) == CQ_OK);
  }
  CHECK(cq_points_add(s.ctx, 2, places[2], 100, &s.samples) == CQ_OK);
  s.n_fluid = 1;
  s.fluid.n_bodies = 1;
  s.bodies[0] = (cq_fluid_body){.first = 1, .count = 2, .n_samples = 1};
  s.density[0] = rho_body;
  scene_open(&s);
  const int at_sample = 2;
  look_at(&s, &corner, 1, &at_sample);
  const double volume =
      7.0 * acos(-1.0) * 16.0 * r * r / 40.0; /* alone it is as dense as at rest */
  scene_at(&s, CQ_FLUID_volume)[0] = volume;
  scene_at(&s, CQ_FLUID_v)[1] = rise;
  double z[4], dz[4], *d = direction_of(&s), *state = malloc(s.layout.state_total * sizeof *state);
  run(&s, z);
  CHECK(cq_sim_final_state(s.sim, state) == CQ_OK);
  CHECK((scene_at(&s, CQ_FLUID_x)[5] < state[5]) == (active > 0)); /* the body is pushed, or not */
  const double arm[2] = {0.5 * (state[4] - state[2]), 0.5 * (state[5] - state[3])};
  const pair p = by_hand(&s, volume, gap, rho_body, active);
  const double v[2] = {0.4, -1.0}, spin = 3.0, dt = s.model.dt;
  set_motion(&s, d + s.layout.offset[CQ_FLUID_v], v, spin);
  tangent(&s, d, dz);
  const double pushed = p.factor * p.g * p.g * (v[1] + spin * p.arm);
  const double up = v[1] - pushed / p.mass, turned = spin - p.arm * pushed / p.moment;
  CHECK_NEAR(dz[0], dt * (v[0] - turned * arm[1]), 1e-13);
  CHECK_NEAR(dz[1], dt * (up + turned * arm[0]), 1e-13);
  CHECK((fabs(up - v[1]) > 0.01) == (active > 0));
  free(d);
  free(state);
  free(corner.at);
  scene_close(&s);
}

static void test_local(void) {
  check_pair("local", 1, 0.0, 1);
  check_pair("local", 3, 0.0, 3);   /* a sum over the sweeps */
  check_pair("local", 3, -20.0, 0); /* clamped: as if there was no fluid */
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_flight);
  RUN(test_inputs);
  RUN(test_local);
  return TEST_RESULT();
}
