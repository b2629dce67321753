/* Pinned bodies: what a pair keeps in free flight, and the period of a pendulum. */
#include "fluid_scene.h"

enum { MOST = 3001 };

/* what is seen of each state */
typedef struct watch {
  fluid_scene *s;
  int n;
  double momentum[MOST][2], around[MOST], energy[MOST], apart[MOST], turned[MOST];
} watch;

/* Where body b has the point that is p when it is placed, and what its particles carry; each is a
 * cube with a moment of its own. */
static void add_body(watch *w, const double *state, int b, const double *p, double *at) {
  const fluid_scene *s = w->s;
  const cq_fluid_body *body = &s->bodies[b];
  const double *x = state + s->layout.offset[CQ_FLUID_x];
  const double *v = state + s->layout.offset[CQ_FLUID_v];
  const double side = 2.0 * s->fluid.radius, m = s->density[b] * side * side;
  double c[2] = {0, 0}, c0[2] = {0, 0}, u[2] = {0, 0};
  for (int i = body->first; i < body->first + body->count; i++) {
    for (int a = 0; a < 2; a++) {
      c[a] += x[2 * i + a] / body->count;
      u[a] += v[2 * i + a] / body->count;
      c0[a] += s->particles.x[2 * i + a] / body->count;
    }
  }
  const int i = body->first;
  const double r[2] = {x[2 * i] - c[0], x[2 * i + 1] - c[1]};
  const double r0[2] = {s->particles.x[2 * i] - c0[0], s->particles.x[2 * i + 1] - c0[1]};
  const double square = r[0] * r[0] + r[1] * r[1];
  const double spin = (r[0] * (v[2 * i + 1] - u[1]) - r[1] * (v[2 * i] - u[0])) / square;
  const double turn = atan2(r0[0] * r[1] - r0[1] * r[0], r0[0] * r[0] + r0[1] * r[1]);
  double moment = 0.0;
  for (int k = body->first; k < body->first + body->count; k++) {
    moment += m * (pow(x[2 * k] - c[0], 2) + pow(x[2 * k + 1] - c[1], 2) + side * side / 6.0);
  }
  const double mass = m * body->count, d[2] = {p[0] - c0[0], p[1] - c0[1]};
  at[0] = c[0] + cos(turn) * d[0] - sin(turn) * d[1];
  at[1] = c[1] + sin(turn) * d[0] + cos(turn) * d[1];
  w->momentum[w->n][0] += mass * u[0];
  w->momentum[w->n][1] += mass * u[1];
  w->around[w->n] += mass * (c[0] * u[1] - c[1] * u[0]) + moment * spin;
  w->energy[w->n] += 0.5 * (mass * (u[0] * u[0] + u[1] * u[1]) + moment * spin * spin);
  w->turned[w->n] = turn;
}

static cq_status see(void *user, int k, const double *state) {
  watch *w = user;
  const double *point = w->s->fluid.pins[0].point;
  double at[2][2];
  (void)k;
  w->momentum[w->n][0] = w->momentum[w->n][1] = w->around[w->n] = w->energy[w->n] = 0.0;
  add_body(w, state, 0, point, at[0]);
  add_body(w, state, 1, point, at[1]);
  w->apart[w->n] = hypot(at[0][0] - at[1][0], at[0][1] - at[1][1]);
  w->n++;
  return CQ_OK;
}

/* A cart and a pole on it, pinned, and some fluid far away. */
static void pair(fluid_scene *s, double dt, int steps, const cq_fluid_pin *pin) {
  const double away[3] = {5, 5, 0}, low[3] = {0, 0, 0}, on[3] = {0.18, 0.2, 0};
  const int few[3] = {3, 3, 0}, cart[3] = {10, 5, 0}, pole[3] = {1, 12, 0};
  scene_begin(s, 2, 64, 0.02, dt, steps, 1);
  scene_fluid(s, away, few);
  scene_box(s, low, cart, 400.0);
  s->density[1] = 150.0;
  s->bodies[1] = (cq_fluid_body){.first = (int)s->particles.n, .first_sample = (int)s->samples.n};
  s->bodies[1].count = scene_lattice(s, on, pole);
  s->fluid.n_bodies = 2;
  s->fluid.pins = pin;
  s->fluid.n_pins = 1;
  scene_open(s);
}

static void run(watch *w) {
  scene_visit(w->s, NULL, 0, see, w);
  CHECK(w->n == w->s->model.steps + 1);
}

/* Momentum to rounding; energy and the pin to second order in the step, and angular momentum as far
 * as the points of the pin, where the impulses act, are in one place. */
static void test_flight(void) {
  static const cq_fluid_pin pin = {{0, 1}, {0.2, 0.2, 0}};
  static watch w;
  double lost[2], apart[2];
  for (int halves = 0; halves < 2; halves++) {
    const double dt = halves == 0 ? 2e-3 : 1e-3;
    fluid_scene s;
    pair(&s, dt, halves == 0 ? 1000 : 2000, &pin);
    w = (watch){.s = &s};
    double *v = scene_at(&s, CQ_FLUID_v);
    const cq_fluid_body *pole = &s.bodies[1];
    for (int p = pole->first; p < pole->first + pole->count; p++) { /* turns about the pin */
      v[2 * p] = -3.0 * (s.particles.x[2 * p + 1] - pin.point[1]);
      v[2 * p + 1] = 3.0 * (s.particles.x[2 * p] - pin.point[0]);
    }
    run(&w);
    double around = 0.0, turned = 0.0;
    lost[halves] = apart[halves] = 0.0;
    for (int k = 0; k < w.n; k++) {
      CHECK_NEAR(w.momentum[k][0], w.momentum[0][0], 1e-11);
      CHECK_NEAR(w.momentum[k][1], w.momentum[0][1], 1e-11);
      around = fmax(around, fabs(w.around[k] / w.around[0] - 1.0));
      turned = fmax(turned, fabs(w.turned[k]));
      lost[halves] = fmax(lost[halves], fabs(w.energy[k] / w.energy[0] - 1.0));
      apart[halves] = fmax(apart[halves], w.apart[k]);
    }
    CHECK(around < 1e-7 && turned > 1.0);
    scene_close(&s);
  }
  printf("  energy off by %.2g, %.2g; points apart %.2g, %.2g m\n", lost[0], lost[1], apart[0],
         apart[1]);
  CHECK(lost[0] < 2e-5 && lost[1] < 0.3 * lost[0]);
  CHECK(apart[0] < 1e-7 && apart[1] < 0.2 * apart[0]);
}

/* A pole that hangs at a body that stands, on its side: T = 2 pi sqrt(I/(m g l)) (1 + a^2/16). */
static void test_period(void) {
  static const cq_fluid_pin pin = {{0, 1}, {0.2, 0.68, 0}};
  static watch w;
  const double g = 9.81, swing = 0.1, side = 0.04, length = 12 * side;
  fluid_scene s;
  pair(&s, 1e-3, 3000, &pin);
  w = (watch){.s = &s};
  s.bodies[0].driven = true;
  const cq_fluid_body *pole = &s.bodies[1];
  const double inertia = length * length / 3.0 + side * side / 12.0, l = 0.5 * length;
  const double period = 2.0 * acos(-1.0) * sqrt(inertia / (g * l)) * (1.0 + swing * swing / 16.0);
  const double rate = swing * sqrt(g * l / inertia); /* at the bottom */
  for (int p = pole->first; p < pole->first + pole->count; p++) {
    scene_at(&s, CQ_FLUID_v)[2 * p] = -rate * (s.particles.x[2 * p + 1] - pin.point[1]);
    scene_at(&s, CQ_FLUID_v)[2 * p + 1] = rate * (s.particles.x[2 * p] - pin.point[0]);
  }
  scene_at(&s, CQ_FLUID_gravity)[1] = -g;
  run(&w);
  double first = 0.0, last = 0.0;
  int crossings = 0;
  for (int k = 20; k < w.n; k++) { /* upwards */
    const double a = w.turned[k - 1], b = w.turned[k];
    if (a < 0.0 && b >= 0.0) {
      last = (k - 1 + a / (a - b)) * s.model.dt;
      first = crossings == 0 ? last : first;
      crossings++;
    }
  }
  CHECK(crossings >= 2);
  printf("  period %.6g s, in closed form %.6g s\n", last - first, (crossings - 1) * period);
  CHECK_NEAR((last - first) / ((crossings - 1) * period), 1.0, 1e-3);
  scene_close(&s);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_flight);
  RUN(test_period);
  return TEST_RESULT();
}
