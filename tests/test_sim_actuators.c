/* What actuators do to a free body, against what is known: thrust gives its acceleration, a push
 * its impulse, a cable neither momentum nor angular momentum, a torque the latter alone, a pressure
 * the volume of linear elasticity. Of every model: each control matters, and the results have the
 * same bits for any number of threads. */
#include "contact_scene.h"
#include "mpm_inputs.h"
#include "scene_builder.h"

enum { SIDE = 12 };

static const double cell = 0.05, dt = 1e-3;

typedef struct actuated {
  scene s;
  cq_actuator actuators[2];
  cq_anchor anchors[3 * CQ_ANCHORS];
  double theta[8];
} actuated;

/* A free box of SIDE particles a side, half a cell apart, E 10, nu 0.3, density 1. */
static void box_make(actuated *a, int dim, int side, int steps, int threads) {
  const int n = dim == 2 ? side * side : side * side * side;
  memset(a, 0, sizeof *a);
  scene_make(&a->s, dim, 64, 24 + side, cell, dt, steps, n, threads);
}

static void box_open(actuated *a, int side) {
  const int dim = a->s.model.dim;
  scene_open(&a->s);
  scene_set_all(&a->s, CQ_INPUT_volume, pow(0.5 * cell, dim));
  for (int p = 0; p < a->s.model.n_particles; p++) {
    int i = p;
    for (int k = 0; k < dim; k++, i /= side) {
      scene_at(&a->s, CQ_INPUT_x)[p * dim + k] = 0.5 + 0.5 * cell * (i % side + 0.3 * k);
    }
  }
}

static void thrust_gives_its_acceleration(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int along = 0; along < 2; along++) {
      actuated a;
      const double direction[3] = {0.6, dim == 2 ? 0.8 : 0.0, 0.8};
      box_make(&a, dim, dim == 2 ? SIDE : 6, 100, 1);
      a.actuators[0].kind = CQ_ACTUATION_thrust;
      a.actuators[0].along = along ? CQ_ALONG_DIRECTION : CQ_ALONG_AXES;
      memcpy(a.actuators[0].direction, direction, sizeof direction);
      memset(a.s.actuator, 0, (size_t)a.s.model.n_particles * sizeof(int));
      scene_actuate(&a.s, a.actuators, 1);
      CHECK(a.s.model.n_controls == (along ? 1 : dim) && a.s.model.n_drives == dim);
      box_open(&a, dim == 2 ? SIDE : 6);
      for (int k = 0; k < a.s.model.n_controls; k++) {
        scene_at(&a.s, CQ_INPUT_theta)[k] = 2.0 + k;
      }
      scene_forward(&a.s);
      for (int k = 0; k < dim; k++) {
        const double expected = (along ? 2.0 * direction[k] : 2.0 + k) * 100 * dt;
        CHECK_NEAR(scene_z(&a.s)[dim + k], expected, 1e-12);
      }
      scene_close(&a.s);
    }
  }
}

/* The momentum is force times time, though it begins and ends within steps. */
static void push_gives_its_impulse(int dim, int bits) {
  const double force[3] = {0.03, -0.02, 0.01}, from = 0.0123, until = 0.0417;
  const int side = dim == 2 ? SIDE : 6;
  actuated a;
  box_make(&a, dim, side, 60, 1);
  a.s.model.bits = bits;
  a.actuators[0] = (cq_actuator){
      .kind = CQ_ACTUATION_push, .first_z = 2 * dim + 1, .from = from, .until = until};
  memcpy(a.actuators[0].direction, force, sizeof force);
  memset(a.s.actuator, 0, (size_t)a.s.model.n_particles * sizeof(int));
  unsigned char observe[61];
  a.s.observe = memset(observe, 1, sizeof observe);
  scene_actuate(&a.s, a.actuators, 1);
  CHECK(a.s.model.n_controls == 0 && a.s.model.n_drives == dim);
  box_open(&a, side);
  scene_forward(&a.s);
  const double mass = scene_z(&a.s)[2 * dim + 1];
  for (int k = 0; k < dim; k++) {
    const double expected = force[k] * (until - from);
    CHECK_NEAR(mass * scene_z(&a.s)[dim + k], expected,
               (bits == 64 ? 1e-12 : 1e-5) * fabs(expected));
  }
  /* the body's mass and its speed, by its density */
  scene_last_dz(&a.s)[dim] = 1.0;
  const double *g = scene_backward(&a.s) + a.s.layout.offset[CQ_INPUT_density];
  double sum = 0.0;
  for (int p = 0; p < a.s.model.n_particles; p++) {
    sum += g[p];
  }
  const double slope = -force[0] * (until - from) / mass;
  CHECK_NEAR(sum, slope, (bits == 64 ? 1e-9 : 1e-3) * fabs(slope));
  scene_close(&a.s);
}

static void pushes(void) {
  for (int dim = 2; dim <= 3; dim++) {
    push_gives_its_impulse(dim, 64);
    push_gives_its_impulse(dim, 32);
  }
}

/* sum of m x cross v, and of what the affine velocities hold; the components of the plane (i, j) */
static double angular_momentum(const scene *s, int i, int j) {
  const int dim = s->model.dim;
  const double *x = s->state + s->layout.offset[CQ_INPUT_x];
  const double *v = s->state + s->layout.offset[CQ_INPUT_v];
  const double *C = s->state + s->layout.offset[CQ_INPUT_C];
  const double m = pow(0.5 * cell, dim);
  double sum = 0.0;
  for (int p = 0; p < s->model.n_particles; p++) {
    sum += m * (x[p * dim + i] * v[p * dim + j] - x[p * dim + j] * v[p * dim + i]);
    sum += m * 0.25 * cell * cell * (C[(p * dim + j) * dim + i] - C[(p * dim + i) * dim + j]);
  }
  return sum;
}

/* sum of m (x - c) x (u x (x - c)) at the start, along axis k; c is the mean of x */
static double inertia_times(scene *s, const double *u, int k) {
  const int dim = s->model.dim, n = s->model.n_particles;
  const double *x = scene_at(s, CQ_INPUT_x);
  double c[3] = {0}, sum = 0.0;
  for (int i = 0; i < n * dim; i++) {
    c[i % dim] += x[i] / n;
  }
  for (int p = 0; p < n; p++) {
    double r[3] = {0}, square = 0.0, along = 0.0;
    for (int i = 0; i < dim; i++) {
      r[i] = x[p * dim + i] - c[i];
      square += r[i] * r[i];
      along += r[i] * u[i];
    }
    sum += pow(0.5 * cell, dim) * (square * u[k] - along * r[k]);
  }
  return sum;
}

/* A torque u is the angular momentum I u a second, and no momentum. */
static void torque_turns(void) {
  for (int dim = 2; dim <= 3; dim++) {
    actuated a;
    enum { STEPS = 20 };
    const int side = dim == 2 ? SIDE : 6;
    const double u[3] = {dim == 2 ? 0.0 : 0.5, dim == 2 ? 0.0 : -1.0, 2.0};
    unsigned char observe[STEPS + 1];
    memset(observe, 1, sizeof observe);
    box_make(&a, dim, side, STEPS, 1);
    a.s.observe = observe;
    a.actuators[0].kind = CQ_ACTUATION_torque;
    memset(a.s.actuator, 0, (size_t)a.s.model.n_particles * sizeof(int));
    scene_actuate(&a.s, a.actuators, 1);
    CHECK(a.s.model.n_controls == (dim == 2 ? 1 : 3) && a.s.model.n_drives == 3 * (dim - 1));
    box_open(&a, side);
    memcpy(scene_at(&a.s, CQ_INPUT_theta), dim == 2 ? u + 2 : u,
           (size_t)a.s.model.n_controls * sizeof *u);
    scene_forward(&a.s);
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) {
      const double expected = inertia_times(&a.s, u, k) * STEPS * dt;
      CHECK_NEAR(angular_momentum(&a.s, (k + 1) % 3, (k + 2) % 3), expected, 1e-5 * fabs(expected));
    }
    for (int k = 0; k < dim; k++) {
      CHECK_NEAR(scene_z(&a.s)[dim + k], 0.0, 1e-14);
    }
    scene_close(&a.s);
  }
}

/* A cable from one side over a middle point to another side, through particles: a bent one. */
static void cable_pulls_on_itself(void) {
  for (int dim = 2; dim <= 3; dim++) {
    actuated a;
    const int side = dim == 2 ? SIDE : 6;
    const double tension = dim == 2 ? 1.0 : 0.05;
    box_make(&a, dim, side, 60, 1);
    a.actuators[0].kind = CQ_ACTUATION_cable;
    a.actuators[0].n_points = 3;
    a.actuators[0].anchors = a.anchors;
    const int at[3] = {side, side * (side / 2) + side - 1, side * (side - 1) + 1};
    for (int k = 0; k < 3 * CQ_ANCHORS; k++) {
      a.anchors[k] = (cq_anchor){at[k / CQ_ANCHORS] + k % 2, k % CQ_ANCHORS < 2 ? 0.5 : 0.0};
    }
    a.anchors[CQ_ANCHORS + 1].particle = at[1] - 1;
    scene_actuate(&a.s, a.actuators, 1);
    box_open(&a, side);
    double before[3], *state = scene_at(&a.s, CQ_INPUT_x);
    memcpy(before, state + at[0] * dim, sizeof before);
    scene_at(&a.s, CQ_INPUT_theta)[0] = tension;
    scene_forward(&a.s);
    const double lever = tension * 60 * dt * 0.1; /* what one force would have done at 0.1 m */
    for (int i = 0; i < dim; i++) {
      CHECK_NEAR(scene_z(&a.s)[dim + i], 0.0, 1e-14);
      for (int j = 0; j < i; j++) {
        CHECK_NEAR(angular_momentum(&a.s, j, i), 0.0, 1e-12 * lever);
      }
    }
    const double *x = a.s.state;
    double was = 0.0, is = 0.0;
    for (int i = 0; i < dim; i++) {
      const double d0 = state[at[0] * dim + i] - state[at[1] * dim + i];
      const double d1 = x[at[0] * dim + i] - x[at[1] * dim + i];
      was += d0 * d0;
      is += d1 * d1;
    }
    printf("  %dD: between two points %.4f m, then %.4f m\n", dim, sqrt(was), sqrt(is));
    CHECK(is < 0.98 * was);
    scene_close(&a.s);
  }
}

/* Where points meet, a cable has no direction: no force, and a finite gradient. */
static void cable_of_one_place(void) {
  actuated a;
  box_make(&a, 2, SIDE, 5, 1);
  a.actuators[0].kind = CQ_ACTUATION_cable;
  a.actuators[0].n_points = 3;
  a.actuators[0].anchors = a.anchors;
  for (int k = 0; k < 3 * CQ_ANCHORS; k++) {
    a.anchors[k] = (cq_anchor){7, k % CQ_ANCHORS == 0 ? 1.0 : 0.0};
  }
  scene_actuate(&a.s, a.actuators, 1);
  box_open(&a, SIDE);
  scene_at(&a.s, CQ_INPUT_theta)[0] = 5.0;
  scene_forward(&a.s);
  CHECK(scene_z(&a.s)[4] == 0.0);
  scene_last_dz(&a.s)[0] = 1.0;
  const double *g = scene_backward(&a.s);
  for (size_t i = 0; i < a.s.layout.total; i++) {
    CHECK(isfinite(g[i]));
  }
  scene_close(&a.s);
}

/* In plane strain p = (lambda + mu)(J - 1) for small p; in 3D p = (lambda + 2/3 mu)(J - 1). */
static void pressure_gives_the_volume(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      actuated a;
      const int side = dim == 2 ? SIDE : 8;
      const double p = 0.2 * sign, lambda = 10 * 0.3 / (1.3 * 0.4), mu = 10 / 2.6;
      box_make(&a, dim, side, 1500, 1);
      a.actuators[0].kind = CQ_ACTUATION_pneumatic;
      memset(a.s.actuator, 0, (size_t)a.s.model.n_particles * sizeof(int));
      scene_actuate(&a.s, a.actuators, 1);
      box_open(&a, side);
      scene_at(&a.s, CQ_INPUT_theta)[0] = p;
      scene_at(&a.s, CQ_INPUT_damping)[0] = 10.0;
      scene_forward(&a.s);
      const double mean = scene_chamber_volume(&a.s, a.s.state);
      const double expected = p / (lambda + (dim == 2 ? 1.0 : 2.0 / 3.0) * mu);
      printf("  %dD: p = %+.1f Pa: volume %+.4f, linear elasticity %+.4f\n", dim, p, mean - 1.0,
             expected);
      CHECK_NEAR(mean - 1.0, expected, 0.02 * fabs(expected));
      scene_close(&a.s);
    }
  }
}

/* The liquid's pressure k (u - V) holds the body's K (V - 1). */
static void liquid_gives_the_volume(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      actuated a;
      const int side = dim == 2 ? SIDE : 8;
      const double u = 1.0 + 0.03 * sign, k = 50.0;
      const double K = 10 * 0.3 / (1.3 * 0.4) + (dim == 2 ? 1.0 : 2.0 / 3.0) * 10 / 2.6;
      box_make(&a, dim, side, 1500, 1);
      a.actuators[0].kind = CQ_ACTUATION_hydraulic;
      a.actuators[0].stiffness = k;
      a.s.own[0] = 1u << CQ_Q_VOLUME;
      a.actuators[0].first_z = 2 * dim + 2; /* behind what is shared */
      unsigned char *observe = malloc(1501);
      a.s.observe = memset(observe, 1, 1501);
      memset(a.s.actuator, 0, (size_t)a.s.model.n_particles * sizeof(int));
      scene_actuate(&a.s, a.actuators, 1);
      box_open(&a, side);
      scene_at(&a.s, CQ_INPUT_theta)[0] = u;
      scene_at(&a.s, CQ_INPUT_damping)[0] = 10.0;
      scene_forward(&a.s);
      const double expected = (k * u + K) / (k + K) - 1.0,
                   volume = scene_chamber_volume(&a.s, a.s.state) - 1.0;
      printf("  %dD: filled to %.2f: volume %+.4f, linear elasticity %+.4f\n", dim, u, volume,
             expected);
      CHECK_NEAR(volume, expected, 0.02 * fabs(expected));
      CHECK_NEAR(scene_z(&a.s)[2 * dim + 2], volume + 1.0, 1e-12);
      scene_close(&a.s);
      free(observe);
    }
  }
}

/* What an actuator sees must be observed. */
static void unseen(void) {
  actuated a;
  cq_sim *sim = NULL;
  box_make(&a, 2, SIDE, 5, 1);
  box_open(&a, SIDE);
  a.actuators[0].kind = CQ_ACTUATION_hydraulic;
  scene_actuate(&a.s, a.actuators, 1);
  CHECK(cq_sim_create(a.s.ctx, &a.s.model, &sim) == CQ_USAGE);
  CHECK_STR(cq_ctx_error(a.s.ctx),
            "actuator 0 sees the relative_volume at number 0 of z, where it is not at state 0");
  scene_actuate(&a.s, a.actuators, 0);
  scene_close(&a.s);
}

/* Without a direct dependence on u, a control has a gradient only if its actuator moves something.
 */
static void every_control_matters(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 10);
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_sim *sim = NULL;
    cq_rng rng = cq_rng_seed(3);
    double *w = calloc(s.layout.state_total, sizeof(double));
    double *gradient = calloc(s.layout.total, sizeof(double));
    for (size_t i = 0; i < s.layout.state_total; i++) {
      w[i] = scene_random(&rng, 1.0);
    }
    CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_OK && cq_sim_forward(sim, s.inputs) == CQ_OK);
    const cq_seed seed = {.terminal = w};
    CHECK(cq_sim_backward(sim, 1, &seed, gradient) == CQ_OK);
    for (int i = 0; i < s.model.n_actuators; i++) {
      const cq_actuator *a = &s.actuators[i];
      for (int k = 0; k < a->n_controls; k++) {
        const double g = gradient[s.layout.offset[CQ_INPUT_theta] + (size_t)(a->first_control + k)];
        CHECK_MSG(g != 0.0, "control %d of %s does nothing", k, cq_actuations[a->kind].name);
      }
    }
    cq_sim_destroy(sim);
    cq_ctx_destroy(ctx);
    free(w);
    free(gradient);
    free(s.inputs);
  }
}

/* more particles than one thread does alone; a cable across, and a push */
static void same_bits(void) {
  enum { WIDE = 40 };
  double *kept = NULL, *kept_gradient = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    actuated a;
    box_make(&a, 2, WIDE, 20, threads);
    a.actuators[0].kind = CQ_ACTUATION_thrust;
    a.actuators[1].kind = CQ_ACTUATION_cable;
    a.actuators[1].n_points = 3;
    a.actuators[1].anchors = a.anchors;
    for (int k = 0; k < 3 * CQ_ANCHORS; k++) {
      a.anchors[k] = (cq_anchor){WIDE * (5 + 7 * (k / CQ_ANCHORS)) + 12 * (k / CQ_ANCHORS) + k % 4,
                                 k % CQ_ANCHORS < 4 ? 0.25 : 0.0};
    }
    for (int p = 0; p < a.s.model.n_particles; p++) {
      a.s.actuator[p] = p % 3 == 0 ? 0 : -1;
    }
    scene_actuate(&a.s, a.actuators, 2);
    a.s.model.memory = threads == 2 ? 1 << 20 : 0; /* grids are built again */
    box_open(&a, WIDE);
    for (int k = 0; k < 3; k++) {
      scene_at(&a.s, CQ_INPUT_theta)[k] = 1.0 - 0.4 * k;
    }
    scene_forward(&a.s);
    scene_last_dz(&a.s)[0] = 1.0;
    scene_last_dz(&a.s)[4] = 1.0;
    const double *g = scene_backward(&a.s);
    const size_t bytes = a.s.layout.state_total * sizeof(double);
    const size_t gradient_bytes = a.s.layout.total * sizeof(double);
    if (threads == 1) {
      kept = memcpy(malloc(bytes), a.s.state, bytes);
      kept_gradient = memcpy(malloc(gradient_bytes), g, gradient_bytes);
      CHECK(g[a.s.layout.offset[CQ_INPUT_theta] + 2] != 0.0);
    }
    CHECK(memcmp(kept, a.s.state, bytes) == 0);
    CHECK(memcmp(kept_gradient, g, gradient_bytes) == 0);
    scene_close(&a.s);
  }
  free(kept);
  free(kept_gradient);
}

int main(void) {
  RUN(thrust_gives_its_acceleration);
  RUN(pushes);
  RUN(torque_turns);
  RUN(cable_pulls_on_itself);
  RUN(cable_of_one_place);
  RUN(pressure_gives_the_volume);
  RUN(liquid_gives_the_volume);
  RUN(unseen);
  RUN(every_control_matters);
  RUN(same_bits);
  return TEST_RESULT();
}
