/* Bodies in the fluid: draughts, the release of a body that was held, contact with a floor. */
#include "fluid_scene.h"

/* Mean height and turn of body 0, and how both vary. */
typedef struct watch {
  const fluid_scene *s;
  int above; /* which of its particles is above its first */
  int states;
  double y, yy, tilt, fluid; /* fluid: its mean height */
} watch;

static cq_status look(void *user, int step, const double *state) {
  watch *w = user;
  const fluid_scene *s = w->s;
  const cq_fluid_body *b = &s->bodies[0];
  const int dim = s->model.dim;
  double y = 0.0;
  if (step == 0) {
    return CQ_OK;
  }
  for (int p = b->first; p < b->first + b->count; p++) {
    y += state[p * dim + 1] / b->count;
  }
  /* from the first particle to the last in the row above it */
  const double *first = state + b->first * dim;
  const double *second = state + (b->first + w->above) * dim;
  w->tilt = fmax(w->tilt, fabs((second[0] - first[0]) / (second[1] - first[1])));
  for (int p = 0; p < s->n_fluid; p++) {
    w->fluid += state[p * dim + 1] / s->n_fluid;
  }
  w->y += y;
  w->yy += y * y;
  w->states++;
  return CQ_OK;
}

/* A box of `wide` x `high` particles that swims in a tank; returns its draught over what Archimedes
 * says, from the mean of the last states. */
static double draught(int dim, double ratio, int steps, double dt, const int *tank, int depth,
                      const int *box) {
  const double r = 0.0125, a = 2 * r, low[3] = {0};
  const double high[3] = {tank[0] * a, (depth + box[1] + 8) * a, dim == 3 ? tank[2] * a : 0};
  const int count[3] = {tank[0], depth, tank[2]};
  fluid_scene s;
  scene_begin(&s, dim, 64, r, dt, steps, 2);
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  /* where it will swim, but on the lattice; the fluid that is there goes away */
  const int sunk = (int)lround(ratio * box[1]), side = (tank[0] - box[0]) / 2;
  const int behind = dim == 3 ? (tank[2] - box[2]) / 2 : 0;
  const double at[3] = {side * a, (depth - sunk) * a, behind * a};
  cq_points kept = {0};
  for (size_t p = 0; p < s.particles.n; p++) {
    const double *x = s.particles.x + p * (size_t)dim;
    bool inside = true;
    for (int i = 0; i < dim; i++) {
      inside = inside && x[i] > at[i] && x[i] < at[i] + box[i] * a;
    }
    if (!inside) {
      CHECK(cq_points_add(s.ctx, dim, x, 1u << 24, &kept) == CQ_OK);
    }
  }
  cq_points_free(s.ctx, &s.particles);
  s.particles = kept;
  s.n_fluid = (int)kept.n;
  scene_box(&s, at, box, ratio * 1000.0);
  scene_open(&s);
  scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 5.0;
  }
  int *states = malloc((size_t)steps * sizeof *states), n = 0;
  for (int k = steps / 2; k <= steps; k++) {
    states[n++] = k;
  }
  watch w = {.s = &s, .above = dim == 3 ? box[2] : 1};
  scene_visit(&s, states, n, look, &w);
  /* the surface s is where fluid from 0 to s beside a body from b up has the mean height m:
   * (T s - B (s - b)) m = T s^2/2 - B (s^2 - b^2)/2, T and B the bases of tank and body */
  double base = 1.0, rest = 1.0;
  for (int i = 0; i < dim; i += 2) {
    base *= box[i] * a;
    rest *= tank[i] * a;
  }
  rest -= base;
  const double y = w.y / w.states, bottom = y - 0.5 * box[1] * a, m = w.fluid / w.states;
  const double surface =
      m + sqrt(m * m + (2.0 * base * bottom * m - base * bottom * bottom) / rest);
  const double found = (surface - bottom) / (ratio * box[1] * a);
  printf(
      "  %dD, ratio %.1f: draught %.4f of Archimedes', height varies by %.1e, tilt %.1e, %d + %d "
      "particles\n",
      dim, ratio, found, sqrt(fmax(0.0, w.yy / w.states - y * y)), w.tilt, s.n_fluid,
      s.bodies[0].count);
  CHECK(w.tilt < (dim == 2 ? 0.03 : 0.06));
  free(states);
  scene_close(&s);
  return found;
}

#ifdef LONG_TESTS
static void test_draught_3d(void) {
  const int tank[3] = {28, 0, 28}, box[3] = {16, 12, 16}; /* a cube would turn over */
  CHECK_NEAR(draught(3, 0.2, 600, 1.5e-3, tank, 20, box), 1.0, 0.03);
  CHECK_NEAR(draught(3, 0.5, 600, 1.5e-3, tank, 20, box), 1.0, 0.03);
  CHECK_NEAR(draught(3, 0.8, 600, 1.5e-3, tank, 20, box), 1.0, 0.03);
}

#else
static void test_draught_2d(void) {
  const int tank[3] = {48, 0, 0}, box[3] = {24, 12, 0};
  CHECK_NEAR(draught(2, 0.2, 1600, 1e-3, tank, 30, box), 1.0, 0.03);
  CHECK_NEAR(draught(2, 0.5, 1600, 1e-3, tank, 30, box), 1.0, 0.03);
  CHECK_NEAR(draught(2, 0.8, 1600, 1e-3, tank, 30, box), 1.0, 0.03);
}

/* Positions of body 0, a state each. */
typedef struct path {
  const fluid_scene *s;
  double *y;
} path;

static cq_status follow(void *user, int step, const double *state) {
  path *p = user;
  const cq_fluid_body *b = &p->s->bodies[0];
  double y = 0.0;
  for (int i = b->first; i < b->first + b->count; i++) {
    y += state[2 * i + 1] / b->count;
  }
  p->y[step] = y;
  return CQ_OK;
}

/* A square deep in a tank, held for a quarter of a second and let go. *acceleration is what a
 * parabola through its path from .015 to .07 s says, over that of a square with the added mass of
 * unbounded fluid (1.19 times its displacement); the return is the rms of the path about it, as an
 * acceleration of a swing with a period of ten steps. */
static double release(double ratio, double *acceleration) {
  enum { STEPS = 330, HELD = 250, FROM = 265, TO = 320 };
  const double r = 0.02, a = 2 * r, low[3] = {0}, high[3] = {50 * a, 60 * a, 0};
  const int count[3] = {50, 50, 0}, box[3] = {8, 8, 0};
  const double at[3] = {21 * a, 21 * a, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, r, 1e-3, STEPS, 2);
  s.fluid.tolerance = 1e-4;
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  cq_points kept = {0};
  for (size_t p = 0; p < s.particles.n; p++) {
    const double *x = s.particles.x + 2 * p;
    if (!(x[0] > at[0] && x[0] < at[0] + 8 * a && x[1] > at[1] && x[1] < at[1] + 8 * a)) {
      CHECK(cq_points_add(s.ctx, 2, x, 1u << 24, &kept) == CQ_OK);
    }
  }
  cq_points_free(s.ctx, &s.particles);
  s.particles = kept;
  s.n_fluid = (int)kept.n;
  scene_box(&s, at, box, ratio * 1000.0)->release = HELD * 1e-3;
  scene_open(&s);
  scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 4.0; /* thinner, one run is another's by 0.2 */
  }
  double y[STEPS + 1], S[5] = {0}, T[3] = {0};
  path watched = {.s = &s, .y = y};
  scene_visit(&s, NULL, STEPS + 1, follow, &watched);
  CHECK(y[HELD] == y[0]);
  for (int k = FROM; k <= TO; k++) { /* least squares of c0 + c1 t + c2 t^2 */
    const double t = (k - 0.5 * (FROM + TO)) * 1e-3;
    double power = 1.0;
    for (int i = 0; i < 5; i++) {
      S[i] += power;
      if (i < 3) {
        T[i] += power * y[k];
      }
      power *= t;
    }
  }
  const double c2 = (S[0] * T[2] - S[2] * T[0]) / (S[0] * S[4] - S[2] * S[2]), c1 = T[1] / S[2];
  const double c0 = (T[0] - S[2] * c2) / S[0];
  double rms = 0.0;
  for (int k = FROM; k <= TO; k++) {
    const double t = (k - 0.5 * (FROM + TO)) * 1e-3, off = y[k] - c0 - c1 * t - c2 * t * t;
    rms += off * off / (TO - FROM + 1);
  }
  *acceleration = 2.0 * c2 / (9.81 * (1.0 - ratio) / (ratio + 1.19));
  scene_close(&s);
  return sqrt(rms);
}

static void test_release(void) {
  double acceleration = 0.0;
  const double ratios[] = {2.0, 0.5, 0.1};
  for (int i = 0; i < 3; i++) {
    const double rms = release(ratios[i], &acceleration);
    printf("  ratio %.1f: acceleration %.3f of that with the added mass, rms about the parabola "
           "%.1e m\n",
           ratios[i], acceleration, rms);
    /* light ones are stable; theirs is printed */
    CHECK(rms < 1e-3);
    CHECK(acceleration > (i < 2 ? 0.7 : 0.3) && acceleration < 1.3);
  }
}

#endif

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
#ifdef LONG_TESTS
  RUN(test_draught_3d);
#else
  RUN(test_draught_2d);
  RUN(test_release);
#endif
  return TEST_RESULT();
}
