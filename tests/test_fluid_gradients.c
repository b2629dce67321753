/* The gradients of the fluid engine. Of the heuristic ones `rigid` is the derivative of a flight in
 * which the fluid does nothing, `local` has DiffFR's equations 14 and 15 beside it, `complete` its
 * equation 7; the exact ones are held against differences and against each other. */
#include "fluid_scene.h"

/* Position and velocity of some particles at the end; turn and spin of a body. */
typedef struct seen {
  cq_group group[2];
  cq_channel channels[8];
  unsigned char *at; /* [steps + 1] */
} seen;

enum { SEES = 12 }; /* numbers at most */

static void look_at(fluid_scene *s, seen *w, int count, const int *particles) {
  w->at = calloc((size_t)s->model.steps + 1, 1);
  w->at[s->model.steps] = 1;
  w->group[0] = (cq_group){.count = count, .particles = particles};
  w->channels[0] = (cq_channel){.group = 0, .quantity = CQ_Q_POSITION, .at = w->at};
  w->channels[1] = (cq_channel){.group = 0, .quantity = CQ_Q_VELOCITY, .at = w->at};
  s->model.groups = w->group;
  s->model.n_groups = 1;
  s->model.channels = w->channels;
  s->model.n_channels = 2;
}

/* and the turn and spin of the body that particle p is of */
static void look_at_turns(fluid_scene *s, seen *w, const int *p) {
  w->group[1] = (cq_group){.count = 1, .particles = p};
  s->model.n_groups = 2;
  for (int k = 0; k < 6; k++) {
    if (s->model.dim == 3 || k % 3 == 2) {
      w->channels[s->model.n_channels++] = (cq_channel){
          .group = 1, .quantity = CQ_N_SHARED_QUANTITIES + CQ_FLUID_TURN + k, .at = w->at};
    }
  }
}

static size_t sees(const fluid_scene *s) {
  return (size_t)(2 * s->model.dim + s->model.n_channels - 2);
}

/* what is seen, of a run from the inputs as they are */
static void run(fluid_scene *s, double *z) {
  scene_ready(s);
  CHECK_MSG(cq_sim_forward(s->sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  memcpy(z, cq_sim_observations(s->sim), sees(s) * sizeof *z);
}

/* what a direction changes of it */
static void tangent(fluid_scene *s, const double *direction, double *dz) {
  double *du = calloc((size_t)(s->model.steps * s->model.n_controls) + 1, sizeof *du);
  CHECK_MSG(cq_sim_tangents(s->sim, 1, direction, dz, du) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  free(du);
}

static double *direction_of(const fluid_scene *s) {
  return calloc(s->layout.total, sizeof(double));
}

enum { DRIVES = 3, HOLD = 4 };

/* Thrusts by a table, a row every HOLD steps. */
static void thrust_by_table(fluid_scene *s, const cq_fluid_thrust *thrusts, int steps) {
  s->fluid.thrusts = thrusts;
  s->model.n_controls = s->model.n_drives = DRIVES;
  s->model.controller = (cq_controller){.kind = CQ_CONTROLLER_open_loop,
                                        .n_controls = DRIVES,
                                        .hold = HOLD,
                                        .dt = s->model.dt,
                                        .n_parameters = (steps + HOLD - 1) / HOLD * DRIVES};
}

/* A bar of rigid particles alone in the room, or with a stick that is pinned to it, and some fluid
 * far away. */
static cq_fluid_body *flight(fluid_scene *s, int dim, int steps, const char *gradient,
                             bool pinned) {
  static const cq_fluid_thrust thrusts[DRIVES] = {
      {0, {1, 0, 0}}, {0, {0, 1, 0}}, {1, {0.6, 0.8, 0}}};
  static const cq_fluid_pin pin = {{0, 1}, {0.22, 0.34, 0.33}};
  const double r = 0.02, away[3] = {5.0, 5.0, 5.0}, low[3] = {0.1, 0.2, 0.3};
  const int few[3] = {3, 3, 3}, bar[3] = {6, 3, 2}, stick[3] = {2, 5, 2};
  const double on[3] = {0.18, 0.36, 0.3};
  scene_begin(s, dim, 64, r, 5e-3, steps, 1);
  s->model.gradient = gradient;
  scene_fluid(s, away, few);
  cq_fluid_body *body = scene_box(s, low, bar, 700.0);
  if (pinned) {
    scene_box(s, on, stick, 200.0);
    s->fluid.pins = &pin;
    s->fluid.n_pins = 1;
    thrust_by_table(s, thrusts, steps);
  }
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
    cq_fluid_body *body = flight(&s, 2, STEPS, held == 0 ? "rigid" : "local", false);
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

/* All inputs of a body, in a flight that tumbles, alone and pinned to another one: by differences.
 */
static void test_inputs(void) {
  static const cq_fluid_input inputs[] = {CQ_FLUID_x,      CQ_FLUID_v,       CQ_FLUID_density,
                                          CQ_FLUID_volume, CQ_FLUID_gravity, CQ_FLUID_theta};
  for (int kind = 0; kind < 4; kind++) {
    const int dim = 2 + kind % 2;
    const bool pinned = kind >= 2;
    fluid_scene s;
    seen w;
    int some[8];
    const cq_fluid_body *body = flight(&s, dim, 40, "rigid", pinned);
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
    for (int i = 0; i < s.model.controller.n_parameters; i++) {
      scene_at(&s, CQ_FLUID_theta)[i] = 5.0 * cq_rng_normal(&rng);
    }
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs - !pinned; i++) {
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

/* Beyond a horizon controls do nothing to the end; within, what they do is the same. */
static void test_horizon(void) {
  enum { STEPS = 40, CUT = 20 };
  double ends[2][STEPS / HOLD][4];
  for (int cut = 0; cut < 2; cut++) {
    fluid_scene s;
    seen w;
    double z[4];
    flight(&s, 2, STEPS, "rigid", true);
    s.fluid.horizon = cut ? CUT : 0;
    look_at(&s, &w, 1, &s.bodies[1].first);
    scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
    run(&s, z);
    for (int row = 0; row < STEPS / HOLD; row++) {
      double *d = direction_of(&s);
      d[s.layout.offset[CQ_FLUID_theta] + (size_t)(row * DRIVES)] = 1.0;
      tangent(&s, d, ends[cut][row]);
      free(d);
    }
    free(w.at);
    scene_close(&s);
  }
  for (int row = 0; row < STEPS / HOLD; row++) {
    for (int a = 0; a < 4; a++) {
      CHECK(ends[1][row][a] == (row * HOLD < CUT ? 0.0 : ends[0][row][a]));
    }
    CHECK(fabs(ends[0][row][0]) > 1e-6);
  }
}

/* One particle of fluid under one sample of a body of two particles, for one step. */
typedef struct pair {
  double mass, moment, arm; /* of the body; the sample is so far from its centre */
  double g, gain,
      factor; /* V_b W' towards it; factor: what the sample takes by g (g . dv_b), negated */
} pair;

enum { PAIR_BODY = 400, PAIR_WATER = 1000 };
static const double pair_radius = 0.02, pair_gap = 0.03;

/* the kernel, as parts of its value at 0, and its derivatives by the distance */
static double kernel_of(double gap, int derivative) {
  const double h = 4.0 * pair_radius, q = gap / h;
  const double near[3] = {6.0 * q * q * q - 6.0 * q * q + 1.0, 18.0 * q * q - 12.0 * q,
                          36.0 * q - 12.0};
  const double far[3] = {2.0 * pow(1.0 - q, 3), -6.0 * (1.0 - q) * (1.0 - q), 12.0 * (1.0 - q)};
  return (q < 0.5 ? near : far)[derivative] / pow(h, derivative);
}

/* By hand: all that the particle touches is the sample, so that its sum of gradients is g. gain:
 * times dt^2. */
static pair by_hand(double volume, int sweeps) {
  const double r = pair_radius, cube = 4.0 * r * r;
  pair p = {.mass = 2.0 * PAIR_BODY * cube, .arm = r};
  p.moment = p.mass * (r * r + cube / 6.0);
  p.g = -kernel_of(pair_gap, 1);
  const double lift = p.g * p.g * (1.0 / p.mass + p.arm * p.arm / p.moment);
  p.gain = 0.5 / (p.g * p.g / PAIR_WATER + volume * lift);
  p.factor = sweeps * p.gain * volume / (1.0 + p.gain / PAIR_WATER * p.g * p.g);
  return p;
}

/* rise: velocity of the particle; above 0 it comes nearer and is pressed on. */
static double open_pair(fluid_scene *s, const char *gradient, int sweeps, double rise,
                        seen *corner) {
  static const int at_sample = 2;
  const double r = pair_radius;
  const double places[3][2] = {{r, -pair_gap}, {-r, 0.0}, {r, 0.0}};
  const double volume =
      7.0 * acos(-1.0) * 16.0 * r * r / 40.0; /* alone it is as dense as at rest */
  scene_begin(s, 2, 64, r, 1e-3, 1, 1);
  s->model.gradient = gradient;
  s->fluid.sweeps = sweeps;
  s->fluid.divergence_sweeps = 0;
  s->fluid.tolerance = 0.0;
  for (int p = 0; p < 3; p++) {
    CHECK(cq_points_add(s->ctx, 2, places[p], 100, &s->particles) == CQ_OK);
  }
  CHECK(cq_points_add(s->ctx, 2, places[2], 100, &s->samples) == CQ_OK);
  s->n_fluid = 1;
  s->fluid.n_bodies = 1;
  s->bodies[0] = (cq_fluid_body){.first = 1, .count = 2, .n_samples = 1};
  s->density[0] = PAIR_BODY;
  scene_open(s);
  look_at(s, corner, 1, &at_sample);
  scene_at(s, CQ_FLUID_volume)[0] = volume;
  scene_at(s, CQ_FLUID_v)[1] = rise;
  return volume;
}

static void close_pair(fluid_scene *s, seen *corner, double *state, double *direction) {
  free(direction);
  free(state);
  free(corner->at);
  scene_close(s);
}

static double *final_state(fluid_scene *s) {
  double z[SEES], *state = malloc(s->layout.state_total * sizeof *state);
  run(s, z);
  CHECK(cq_sim_final_state(s->sim, state) == CQ_OK);
  return state;
}

static void check_pair(const char *gradient, int sweeps, double rise, int active) {
  fluid_scene s;
  seen corner;
  const double volume = open_pair(&s, gradient, sweeps, rise, &corner);
  double dz[SEES], *d = direction_of(&s), *state = final_state(&s);
  CHECK((scene_at(&s, CQ_FLUID_x)[5] < state[5]) == (active > 0)); /* the body is pushed, or not */
  const double arm[2] = {0.5 * (state[4] - state[2]), 0.5 * (state[5] - state[3])};
  const pair p = by_hand(volume, active);
  const double v[2] = {0.4, -1.0}, spin = 3.0, dt = s.model.dt;
  set_motion(&s, d + s.layout.offset[CQ_FLUID_v], v, spin);
  tangent(&s, d, dz);
  const double pushed = p.factor * p.g * p.g * (v[1] + spin * p.arm);
  const double up = v[1] - pushed / p.mass, turned = spin - p.arm * pushed / p.moment;
  CHECK_NEAR(dz[0], dt * (v[0] - turned * arm[1]), 1e-13);
  CHECK_NEAR(dz[1], dt * (up + turned * arm[0]), 1e-13);
  CHECK((fabs(up - v[1]) > 0.01) == (active > 0));
  close_pair(&s, &corner, state, d);
}

/* A body that starts nearer: share of the change of the density that counts. */
static void check_place(const char *gradient, int sweeps, double share) {
  fluid_scene s;
  seen corner;
  const double rise = 0.5, up = -1e-3, volume = open_pair(&s, gradient, sweeps, rise, &corner);
  double dz[SEES], *d = direction_of(&s), *state = final_state(&s);
  const double *const v = state + s.layout.offset[CQ_FLUID_v], dt = s.model.dt;
  const double along[2] = {state[4] - state[2], state[5] - state[3]};
  const double spin = (along[0] * (v[5] - v[3]) - along[1] * (v[4] - v[2])) /
                      (along[0] * along[0] + along[1] * along[1]);
  const pair p = by_hand(volume, sweeps);
  const double lifted = 0.5 * (v[3] + v[5]), pressure = p.mass * lifted / (dt * volume * p.g);
  const double nearer = v[1] - lifted - spin * p.arm, dg = -kernel_of(pair_gap, 2) * up;
  const double error = sweeps * (dt * nearer * dg - share * p.g * up);
  const double change = p.factor / (sweeps * volume * dt * dt) * error -
                        4.0 * p.gain / PAIR_WATER * pressure * p.g * dg;
  const double pushed = dt * volume * (change * p.g + pressure * dg);
  d[s.layout.offset[CQ_FLUID_x] + 3] = d[s.layout.offset[CQ_FLUID_x] + 5] = up;
  tangent(&s, d, dz);
  const double turned = p.arm * pushed / p.moment;
  CHECK(pressure > 0.0 && fabs(pushed) > 1e-9);
  CHECK_NEAR(dz[0], -dt * turned * 0.5 * along[1], 1e-13);
  CHECK_NEAR(dz[1], up + dt * (pushed / p.mass + turned * 0.5 * along[0]), 1e-13);
  close_pair(&s, &corner, state, d);
}

static void test_local(void) {
  check_pair("local", 1, 0.0, 1);
  check_pair("local", 3, 0.0, 3);   /* a sum over the sweeps */
  check_pair("local", 3, -20.0, 0); /* clamped: as if there was no fluid */
}

/* The same by velocities, and by places; as published a density is divided by one once too often.
 */
static void test_complete(void) {
  check_pair("complete", 3, 0.0, 3);
  for (int sweeps = 1; sweeps <= 3; sweeps += 2) {
    check_place("complete", sweeps, 1.0);
    check_place("complete_published", sweeps, 1.0 / PAIR_WATER);
  }
}

/* A pool with walls, a box that a hand lets go in it, one that lies against the floor, and one that
 * is pinned to that: all that the exact gradients know, in some steps. */
static void pool(fluid_scene *s, int dim, int steps, const char *gradient) {
  static const cq_fluid_thrust thrusts[DRIVES] = {
      {0, {1, 0, 0}}, {0, {0.6, 0.8, 0}}, {2, {0, 1, 0}}};
  static const cq_fluid_pin pin = {{1, 2}, {0.34, 0.17, 0.02}};
  const double r = 0.02, low[3] = {0, 0, 0}, high[3] = {0.4, 0.4, 0.16};
  const double under[3] = {0, 0, 0}, ball[3] = {0.12, 0.18, 0.0}, leg[3] = {0.28, 0.01, 0.0};
  const double top[3] = {0.29, 0.2, 0.0};
  const int water[3] = {dim == 2 ? 10 : 7, 4, 4}, box[3] = {4, 3, 4}, post[3] = {2, 4, 3};
  scene_begin(s, dim, 64, r, 1e-3, steps, 1);
  s->model.gradient = gradient;
  s->fluid.sweeps = 4;
  s->fluid.divergence_sweeps = 2;
  s->fluid.tolerance = s->fluid.divergence_tolerance = 0.0;
  s->fluid.contact_stiffness = 1e4;
  s->fluid.contact_speed = 0.01;
  s->fluid.surface_tension = dim == 2 ? 0.3 : 2.0;
  s->fluid.xsph = 0.05;
  scene_fluid(s, under, water);
  scene_walls(s, low, high);
  cq_fluid_body *body = scene_box(s, ball, box, 600.0);
  body->release = 0.002;
  scene_box(s, leg, post, 1500.0);
  scene_box(s, top, post, 300.0);
  s->fluid.pins = &pin;
  s->fluid.n_pins = 1;
  thrust_by_table(s, thrusts, steps);
  scene_open(s);
  for (size_t i = 0; i < s->samples.n; i++) {
    s->sticky[i] = i % 3 != 0;
  }
  cq_rng rng = cq_rng_seed(5);
  for (int p = 0; p < s->model.n_particles; p++) {
    for (int a = 0; a < dim; a++) {
      scene_at(s, CQ_FLUID_x)[p * dim + a] += s->body[p] < 0 ? 1e-3 * cq_rng_normal(&rng) : 0.0;
      scene_at(s, CQ_FLUID_v)[p * dim + a] = s->body[p] < 0 ? 0.2 * cq_rng_normal(&rng) : 0.0;
    }
    scene_at(s, CQ_FLUID_viscosity)[p] = 2.0 + cq_rng_uniform(&rng);
    scene_at(s, CQ_FLUID_volume)[p] *= 1.0 + 0.02 * cq_rng_uniform(&rng);
    scene_at(s, CQ_FLUID_density)[p] *= 1.0 + 0.1 * cq_rng_uniform(&rng);
  }
  const double v[3] = {0.5, -1.0, 0.1};
  set_motion(s, scene_at(s, CQ_FLUID_v), v, 2.0);
  scene_at(s, CQ_FLUID_gravity)[1] = -9.81;
  scene_at(s, CQ_FLUID_friction)[0] = 0.3;
  for (int i = 0; i < s->model.controller.n_parameters; i++) {
    scene_at(s, CQ_FLUID_theta)[i] = 20.0 * cq_rng_normal(&rng);
  }
}

enum { PARAMETERS = 30, SEEN = 64 };

/* A pool, what is seen of it, and directions of inputs of every kind, of the fluid's particles and
 * of those of bodies in turn. */
typedef struct exact_case {
  fluid_scene s;
  seen w;
  int some[SEEN];
  double *directions; /* [PARAMETERS][layout.total] */
} exact_case;

static void open_case(exact_case *k, int dim, int steps, const char *gradient) {
  static const cq_fluid_input inputs[] = {CQ_FLUID_x,        CQ_FLUID_v,         CQ_FLUID_density,
                                          CQ_FLUID_volume,   CQ_FLUID_viscosity, CQ_FLUID_gravity,
                                          CQ_FLUID_friction, CQ_FLUID_theta};
  const size_t kinds = sizeof inputs / sizeof *inputs;
  pool(&k->s, dim, steps, gradient);
  const size_t particles = (size_t)k->s.model.n_particles;
  for (size_t i = 0; i < SEEN; i++) {
    k->some[i] = (int)(i * (particles - 1) / (SEEN - 1));
  }
  look_at(&k->s, &k->w, SEEN, k->some);
  look_at_turns(&k->s, &k->w, &k->s.bodies[2].first);
  k->directions = calloc(PARAMETERS * k->s.layout.total, sizeof(double));
  cq_rng rng = cq_rng_seed(3);
  for (size_t i = 0; i < PARAMETERS; i++) {
    const cq_fluid_input input = inputs[i % kinds];
    const size_t at = k->s.layout.offset[input], count = k->s.layout.count[input];
    double *d = k->directions + i * k->s.layout.total + at;
    for (size_t n = 0; n < count; n++) {
      const bool of_fluid = count < particles || k->s.body[n * particles / count] < 0;
      const double size = fabs(k->s.inputs[at + n]);
      if (of_fluid == (i / kinds % 2 == 0) || count < particles) {
        d[n] = (size > 0.0 ? size : 1.0) * cq_rng_normal(&rng) * 0.1;
      }
    }
  }
}

static void close_case(exact_case *k) {
  free(k->directions);
  free(k->w.at);
  scene_close(&k->s);
}

/* what direction i changes of what is seen, by central differences */
static void difference(exact_case *k, size_t i, double eps, double *dz) {
  const double *d = k->directions + i * k->s.layout.total;
  double ends[2][SEES];
  for (int side = 0; side < 2; side++) {
    const double step = side == 0 ? -eps : eps;
    for (size_t n = 0; n < k->s.layout.total; n++) {
      k->s.inputs[n] += step * d[n];
    }
    run(&k->s, ends[side]);
    for (size_t n = 0; n < k->s.layout.total; n++) {
      k->s.inputs[n] -= step * d[n];
    }
  }
  for (size_t n = 0; n < sees(&k->s); n++) {
    dz[n] = (ends[1][n] - ends[0][n]) / (2.0 * eps);
  }
}

/* Tangents are those of differences, and the adjoint is their transpose. */
static void test_exact(void) {
  for (int dim = 2; dim <= 3; dim++) {
    exact_case k, back;
    double z[SEES], dz[PARAMETERS * SEES], du[PARAMETERS * 8 * DRIVES], by_steps[SEES], seed[SEES];
    open_case(&k, dim, 8, "tangent");
    const size_t n = sees(&k.s);
    run(&k.s, z);
    CHECK(cq_sim_tangents(k.s.sim, PARAMETERS, k.directions, dz, du) == CQ_OK);
    open_case(&back, dim, 8, "exact");
    run(&back.s, by_steps);
    CHECK(memcmp(z, by_steps, n * sizeof *z) == 0);
    cq_rng rng = cq_rng_seed(7);
    for (size_t i = 0; i < n; i++) {
      seed[i] = cq_rng_normal(&rng);
    }
    double *gradient = calloc(back.s.layout.total, sizeof *gradient);
    const cq_seed seeds = {.dz = seed};
    CHECK_MSG(cq_sim_backward(back.s.sim, 1, &seeds, gradient) == CQ_OK, "%s",
              cq_ctx_error(back.s.ctx));
    double worst = 0.0, apart = 0.0;
    for (size_t i = 0; i < PARAMETERS; i++) {
      double most = 0.0, error = 0.0, forward = 0.0, backward = 0.0, size = 0.0;
      for (size_t a = 0; a < n; a++) {
        most = fmax(most, fabs(dz[i * n + a]));
        forward += seed[a] * dz[i * n + a];
        size += fabs(seed[a] * dz[i * n + a]);
      }
      error =
          INFINITY; /* a clamp may switch within a longer step; a shorter one has more rounding */
      for (double step = 1e-2; step > 1e-7; step *= 0.1) {
        double far = 0.0;
        difference(&k, i, step, by_steps);
        for (size_t a = 0; a < n; a++) {
          far = fmax(far, fabs(dz[i * n + a] - by_steps[a]));
        }
        error = fmin(error, far);
      }
      for (size_t j = 0; j < back.s.layout.total; j++) {
        backward += gradient[j] * k.directions[i * k.s.layout.total + j];
      }
      worst = fmax(worst, most > 0.0 ? error / most : error);
      apart = fmax(apart, fabs(forward - backward) / fmax(size, 1e-3));
    }
    printf("  %dD: tangent %.2g from differences, adjoint %.2g from tangent\n", dim, worst, apart);
    CHECK(worst < 1e-6 && apart < 1e-10);
    free(gradient);
    close_case(&k);
    close_case(&back);
  }
}

/* A dam that breaks on a box, large enough for threads to share: gradients of two functions, of all
 * inputs. */
static void dam(exact_case *k, const char *gradient, int threads, size_t memory, double *out) {
  const double r = 0.02, low[3] = {0, 0, 0}, high[3] = {1.6, 1.2, 0}, at[3] = {1.0, 0.02, 0};
  const int water[3] = {24, 24, 0}, box[3] = {4, 4, 0};
  fluid_scene *s = &k->s;
  scene_begin(s, 2, 64, r, 1e-3, 12, threads);
  s->model.gradient = gradient;
  s->model.memory = memory;
  s->model.n_seeds = 2;
  s->fluid.sweeps = 3;
  s->fluid.divergence_sweeps = 1;
  s->fluid.tolerance = s->fluid.divergence_tolerance = 0.0;
  s->fluid.contact_stiffness = 1e4;
  s->fluid.contact_speed = 0.01;
  scene_fluid(s, low, water);
  scene_walls(s, low, high);
  scene_box(s, at, box, 700.0);
  scene_open(s);
  for (int p = 0; p < s->model.n_particles; p++) {
    scene_at(s, CQ_FLUID_viscosity)[p] = 1.0;
  }
  scene_at(s, CQ_FLUID_gravity)[1] = -9.81;
  k->some[0] = 20;
  k->some[1] = s->model.n_particles - 1;
  look_at(s, &k->w, 2, k->some);
  double z[4];
  run(s, z);
  if (strcmp(gradient, "exact") == 0) {
    const double ones[2][4] = {{1, 0, 0, 0.5}, {0, 0, 2, 1}};
    const cq_seed seeds[2] = {{.dz = ones[0]}, {.dz = ones[1]}};
    CHECK(cq_sim_backward(s->sim, 2, seeds, out) == CQ_OK);
  } else {
    double du = 0.0;
    k->directions = calloc(5 * s->layout.total, sizeof(double));
    cq_rng rng = cq_rng_seed(9);
    for (size_t i = 0; i < 5 * s->layout.total; i++) {
      k->directions[i] = 1e-2 * cq_rng_normal(&rng);
    }
    CHECK(cq_sim_tangents(s->sim, 5, k->directions, out, &du) == CQ_OK);
  }
}

/* The same bits by any threads and memory; more directions than go at a time. */
static void test_bits(void) {
  exact_case one = {.directions = NULL}, many = {.directions = NULL};
  static double first[16000], second[16000], ways[2][32];
  dam(&one, "exact", 1, 0, first);
  const cq_sim_stats *stats = cq_sim_statistics(one.s.sim);
  CHECK(2 * one.s.layout.total < 16000 && one.s.n_fluid > 512);
  dam(&many, "exact", 3, stats->z_bytes + 4 * (stats->state_bytes + 256), second);
  CHECK(cq_sim_statistics(many.s.sim)->memo_states < 12);
  CHECK(memcmp(first, second, 2 * one.s.layout.total * sizeof *first) == 0);
  close_case(&one);
  close_case(&many);
  dam(&one, "tangent", 1, 0, ways[0]);
  dam(&many, "tangent", 3, 0, ways[1]);
  CHECK(memcmp(ways[0], ways[1], 20 * sizeof(double)) == 0);
  /* and of both grades the same numbers: of the first function, then of the second */
  for (size_t i = 0; i < 5; i++) {
    const double *dz = ways[0] + 4 * i;
    double sum[2] = {0.0, 0.0};
    for (size_t j = 0; j < one.s.layout.total; j++) {
      const double d = one.directions[i * one.s.layout.total + j];
      sum[0] += first[j] * d;
      sum[1] += first[one.s.layout.total + j] * d;
    }
    CHECK_NEAR(sum[0] / (dz[0] + 0.5 * dz[3]), 1.0, 1e-10);
    CHECK_NEAR(sum[1] / (2.0 * dz[2] + dz[3]), 1.0, 1e-10);
  }
  close_case(&one);
  close_case(&many);
}

/* What is said of the last state itself is what is said of it as it is seen. */
static void test_last_state(void) {
  for (int rigid = 0; rigid < 2; rigid++) {
    exact_case k;
    open_case(&k, 2, 4, "exact");
    const size_t total = k.s.layout.total;
    const int p = rigid ? k.s.model.n_particles - 1 : 3;
    double z[SEES], ones[SEES] = {0.7, -0.2, 0.1, 0.4};
    k.w.group[0] = (cq_group){.count = 1, .particles = &p};
    run(&k.s, z);
    double *seen_so = calloc(3 * total, sizeof(double)), *itself = seen_so + total,
           *terminal = itself + total;
    const cq_seed by_z = {.dz = ones}, by_state = {.terminal = terminal};
    for (size_t a = 0; a < 2; a++) {
      terminal[k.s.layout.offset[CQ_FLUID_x] + 2 * (size_t)p + a] = ones[a];
      terminal[k.s.layout.offset[CQ_FLUID_v] + 2 * (size_t)p + a] = ones[2 + a];
    }
    CHECK(cq_sim_backward(k.s.sim, 1, &by_z, seen_so) == CQ_OK);
    CHECK(cq_sim_backward(k.s.sim, 1, &by_state, itself) == CQ_OK);
    for (size_t i = 0; i < total; i++) {
      CHECK_NEAR(itself[i], seen_so[i], 1e-12 * (1.0 + fabs(seen_so[i])));
    }
    free(seen_so);
    close_case(&k);
  }
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_flight);
  RUN(test_inputs);
  RUN(test_horizon);
  RUN(test_local);
  RUN(test_complete);
  RUN(test_exact);
  RUN(test_bits);
  RUN(test_last_state);
  return TEST_RESULT();
}
