/* Viscosity against flows that are known: Poiseuille between plates, Taylor and Green's vortices;
 * and the front of a dam that breaks. */
#include "fluid_scene.h"

/* How much of a flow that is known is in the velocities, by least squares: once a visited state. */
typedef struct share {
  const fluid_scene *s;
  void (*known)(const double *x, double *v); /* v 0: not looked at */
  double of[4];
  int n;
} share;

static cq_status project(void *user, int step, const double *state) {
  share *d = user;
  const double *v = state + d->s->layout.offset[CQ_FLUID_v];
  double top = 0.0, bottom = 0.0;
  (void)step;
  for (int p = 0; p < d->s->model.n_particles; p++) {
    double u[2];
    d->known(state + 2 * p, u);
    top += v[2 * p] * u[0] + v[2 * p + 1] * u[1];
    bottom += u[0] * u[0] + u[1] * u[1];
  }
  d->of[d->n++] = top / bottom;
  return CQ_OK;
}

/* four vortices in the unit square, which do not cross its sides */
static void vortices(const double *x, double *v) {
  const double k = 2.0 * acos(-1.0);
  v[0] = sin(k * x[0]) * cos(k * x[1]);
  v[1] = -cos(k * x[0]) * sin(k * x[1]);
}

/* They decay as exp(-2 nu k^2 t). The box is 3 % larger than its fluid: pressures are never below
 * 0, so that a full one has no room for the disorder of a flow, which a density cannot be 1 with.
 */
static void test_taylor_green(void) {
  enum { WIDE = 40, STEPS = 100, FROM = 10 };
  const double r = 0.5 / WIDE, low[3] = {0}, high[3] = {1.0, 1.0, 0};
  const int count[3] = {WIDE, WIDE, 0}, states[2] = {FROM, STEPS};
  const double dt = 2e-3, viscosity = 20.0, k = 2.0 * acos(-1.0);
  fluid_scene s;
  scene_begin(&s, 2, 64, r, dt, STEPS, 2);
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  scene_open(&s);
  for (int p = 0; p < s.model.n_particles; p++) {
    vortices(scene_at(&s, CQ_FLUID_x) + 2 * p, scene_at(&s, CQ_FLUID_v) + 2 * p);
    scene_at(&s, CQ_FLUID_v)[2 * p] *= 0.05;
    scene_at(&s, CQ_FLUID_v)[2 * p + 1] *= 0.05;
    scene_at(&s, CQ_FLUID_viscosity)[p] = viscosity;
    scene_at(&s, CQ_FLUID_volume)[p] *= 0.97;
  }
  share d = {.s = &s, .known = vortices};
  scene_visit(&s, states, 2, project, &d);
  const double rate = log(d.of[0] / d.of[1]) / ((STEPS - FROM) * dt);
  const double known = 2.0 * viscosity / 1000.0 * k * k;
  printf("  Taylor-Green at Reynolds' number 2.5: rate of decay %.4f of what is known\n",
         rate / known);
  CHECK_NEAR(rate / known, 1.0, 0.05);
  scene_close(&s);
}

enum { CHANNEL_STEPS = 640 };
static const double channel_wide = 0.4, channel_nu = 0.2, channel_dt = 4e-4, channel_g = 9.81;

/* between plates at 0 and channel_wide, driven by gravity from rest, at the end of the run */
static void poiseuille(const double *x, double *v) {
  const double pi = acos(-1.0), H = channel_wide, t = CHANNEL_STEPS * channel_dt;
  v[0] = v[1] = 0.0;
  if (fabs(x[1] - 0.2) < 0.1) { /* the middle of what falls has come there */
    v[1] = -channel_g / (2.0 * channel_nu) * x[0] * (H - x[0]);
    for (int n = 1; n < 20; n += 2) {
      const double k = n * pi / H;
      v[1] += 4.0 * channel_g / (channel_nu * H * k * k * k) * sin(k * x[0]) *
              exp(-channel_nu * k * k * t);
    }
  }
}

/* Fluid falls between two plates that drag at it; above and below it there is nothing. Layers that
 * slide want a little more room than a lattice has. */
static void test_poiseuille(void) {
  const double r = 0.01, low[3] = {0, 0, 0}, deep[3] = {0, -2.0, 0}, high[3] = {0.4, 1.5, 0};
  const int count[3] = {20, 40, 0}, states[1] = {CHANNEL_STEPS};
  fluid_scene s;
  scene_begin(&s, 2, 64, r, channel_dt, CHANNEL_STEPS, 2);
  scene_fluid(&s, low, count);
  scene_walls(&s, deep, high);
  scene_open(&s);
  memset(s.sticky, 1, s.samples.n);
  scene_at(&s, CQ_FLUID_gravity)[1] = -channel_g;
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 1000.0 * channel_nu;
    scene_at(&s, CQ_FLUID_volume)[p] *= 0.98;
  }
  share d = {.s = &s, .known = poiseuille};
  scene_visit(&s, states, 1, project, &d);
  printf("  Poiseuille: speed %.4f of what is known\n", d.of[0]);
  CHECK_NEAR(d.of[0], 1.0, 0.05);
  scene_close(&s);
}

/* Martin and Moyce (1952): where the front of a column twice as high as wide is, in widths, by time
 * in sqrt(width/2g); as digitised in PySPH. */
static const double front[][2] = {{0.849, 1.245}, {1.212, 1.443}, {1.602, 1.884}, {2.283, 2.689},
                                  {2.950, 3.728}, {3.598, 4.528}, {3.905, 4.999}, {4.592, 5.841},
                                  {4.961, 6.271}, {5.316, 6.717}};
enum { FRONTS = sizeof front / sizeof *front };

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct dam {
  const fluid_scene *s;
  double found[FRONTS], *x;
  int n;
} dam;

/* The front is where 99.5 % of the particles are behind it. */
static cq_status find_front(void *user, int step, const double *state) {
  dam *d = user;
  const int n = d->s->model.n_particles;
  (void)step;
  for (int p = 0; p < n; p++) {
    d->x[p] = state[2 * p];
  }
  qsort(d->x, (size_t)n, sizeof *d->x, ascending);
  d->found[d->n++] = d->x[(int)(0.995 * n)];
  return CQ_OK;
}

/* At the Reynolds number of the experiment, whose columns were 2.9 cm wide: of water that is 1 m
 * wide 0.2 Pa s, at walls that drag. (Walls that slip, without viscosity: 9 %.) */
static void test_dam_break(void) {
  enum { WIDE = 32 };
  const double r = 0.5 / WIDE, dt = 1e-3, g = 9.81, unit = sqrt(1.0 / (2.0 * g));
  const double low[3] = {0}, high[3] = {8.0, 3.0, 0};
  const int count[3] = {WIDE, 2 * WIDE, 0};
  int states[FRONTS];
  for (int k = 0; k < FRONTS; k++) {
    states[k] = (int)lround(front[k][0] * unit / dt);
  }
  fluid_scene s;
  scene_begin(&s, 2, 64, r, dt, states[FRONTS - 1], 2);
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  scene_open(&s);
  scene_at(&s, CQ_FLUID_gravity)[1] = -g;
  memset(s.sticky, 1, s.samples.n);
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 0.2;
  }
  dam d = {.s = &s, .x = malloc((size_t)s.model.n_particles * sizeof(double))};
  scene_visit(&s, states, FRONTS, find_front, &d);
  double sum = 0.0;
  printf("  dam break:");
  for (int k = 0; k < FRONTS; k++) {
    printf(" %.2f (%.2f)", d.found[k], front[k][1]);
    sum += pow(d.found[k] / front[k][1] - 1.0, 2) / FRONTS;
  }
  printf("; rms %.1f %%\n", 100.0 * sqrt(sum));
  CHECK(sqrt(sum) < 0.08);
  free(d.x);
  scene_close(&s);
}

/* The largest extent of a blob along four directions over the least, and its momentum. */
static double roundness(const fluid_scene *s, const double *state, double *momentum) {
  const double *v = state + s->layout.offset[CQ_FLUID_v];
  double least = 1e9, most = 0.0;
  momentum[0] = momentum[1] = 0.0;
  for (int k = 0; k < 4; k++) {
    const double angle = k * acos(-1.0) / 4.0;
    double low = 1e9, high = -1e9;
    for (int p = 0; p < s->model.n_particles; p++) {
      const double x = cos(angle) * state[2 * p] + sin(angle) * state[2 * p + 1];
      low = fmin(low, x);
      high = fmax(high, x);
      momentum[k % 2] += v[2 * p + k % 2];
    }
    least = fmin(least, high - low);
    most = fmax(most, high - low);
  }
  return most / least;
}

/* A square drop without weight becomes rounder. */
static void test_drop(void) {
  enum { WIDE = 16, STEPS = 800 };
  const double low[3] = {0.2, 0.2, 0};
  const int count[3] = {WIDE, WIDE, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, 0.02, 2e-3, STEPS, 1);
  scene_fluid(&s, low, count);
  s.fluid.surface_tension = 1.0;
  scene_open(&s);
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 20.0;
  }
  scene_ready(&s);
  double *state = malloc(s.layout.state_total * sizeof *state), momentum[2];
  const double square = roundness(&s, s.inputs, momentum);
  CHECK_MSG(cq_sim_forward(s.sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(s.ctx));
  CHECK(cq_sim_final_state(s.sim, state) == CQ_OK);
  const double drop = roundness(&s, state, momentum);
  printf("  drop: longest extent over shortest %.3f, then %.3f\n", square, drop);
  CHECK(square > 1.3 && drop < 1.2);
  CHECK_NEAR(momentum[0], 0.0, 1e-10);
  CHECK_NEAR(momentum[1], 0.0, 1e-10);
  free(state);
  scene_close(&s);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_taylor_green);
  RUN(test_poiseuille);
  RUN(test_dam_break);
  RUN(test_drop);
  return TEST_RESULT();
}
