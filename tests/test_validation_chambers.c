/* Chambers under pressure, in plane strain: the walls of a thick tube move as Lame says, and what a
 * pressure does on them is what the body gets, neither momentum nor more energy. */
#include "mpm_inputs.h"
#include "validation.h"

/* A tube of rubber, 1 m wide outside, with a round chamber of soft foam. */
static const double inner = 0.25, outer = 0.5, rubber = 1000.0, foam = 100.0, nu = 0.3;
static const double stiffness = 2000.0; /* of the liquid [Pa] */

static FILE *table; /* NULL, or validation_chambers.csv */

static void row(const char *quantity, int cells, double value) {
  VALIDATION_ROW(table, "%s,%d,%.5g\n", quantity, cells, value);
}

typedef struct tube {
  scene s;
  cq_actuator actuator;
  int *chamber; /* its particles, group 0 */
  unsigned char *observe;
  double middle[2]; /* of the tube */
  double a, b;      /* radii that have the areas of the particles */
} tube;

/* The lattice's points within the radius, chamber first counted; `x` may be NULL. */
static int lattice(const tube *t, double spacing, double aside, double *x, bool *in_chamber,
                   int *n_chamber) {
  const int half = (int)(outer / spacing) + 1;
  int n = 0;
  *n_chamber = 0;
  for (int i = -half; i < half; i++) {
    for (int j = -half; j < half; j++) {
      const double dx = (i + 0.5) * spacing, dy = (j + 0.5) * spacing;
      if (hypot(dx, dy) >= outer) {
        continue;
      }
      const bool inside = hypot(dx - aside, dy) < inner;
      *n_chamber += inside;
      if (x != NULL) {
        x[2 * n] = t->middle[0] + dx;
        x[2 * n + 1] = t->middle[1] + dy;
        in_chamber[n] = inside;
      }
      n++;
    }
  }
  return n;
}

/* So many cells in the inner radius, 2 x 2 particles each; the chamber is `aside` of the middle. */
static void tube_make(tube *t, cq_actuation_kind kind, int cells, double aside, double courant,
                      double time) {
  const double cell = inner / cells, spacing = 0.5 * cell,
               dt = courant * cell / sqrt(1.35 * rubber);
  memset(t, 0, sizeof *t);
  t->middle[0] = t->middle[1] = (2 * cells + 6) * cell;
  int n_chamber;
  const int n = lattice(t, spacing, aside, NULL, NULL, &n_chamber);
  scene *s = &t->s;
  scene_make(s, 2, 64, 4 * cells + 14, cell, dt, (int)ceil(time / dt), n, 1);
  s->model.memory = validation_memory;
  double *x = malloc(2 * sizeof *x * (size_t)n);
  bool *inside = malloc((size_t)n);
  lattice(t, spacing, aside, x, inside, &n_chamber);
  t->chamber = malloc(sizeof *t->chamber * (size_t)n_chamber);
  for (int p = 0, k = 0; p < n; p++) {
    s->actuator[p] = inside[p] ? 0 : -1;
    if (inside[p]) {
      t->chamber[k++] = p;
    }
  }
  s->groups[0] = (cq_group){.count = n_chamber, .particles = t->chamber};
  t->a = spacing * sqrt(n_chamber / validation_pi);
  t->b = spacing * sqrt(n / validation_pi);
  t->actuator.kind = kind;
  if (kind == CQ_ACTUATION_hydraulic) {
    t->actuator.stiffness = stiffness;
    t->actuator.first_z = 2 * 2 + 2; /* behind what is shared */
    s->own[0] = 1u << CQ_Q_VOLUME;
    t->observe = malloc((size_t)s->model.steps + 1);
    s->observe = memset(t->observe, 1, (size_t)s->model.steps + 1);
  }
  scene_actuate(s, &t->actuator, 1);
  s->model.controller.joined = 1; /* a line between two rows */
  s->model.controller.n_parameters = 2;
  scene_open(s);
  memcpy(scene_at(s, CQ_INPUT_x), x, 2 * sizeof *x * (size_t)n);
  free(x);
  scene_set_all(s, CQ_INPUT_volume, spacing * spacing);
  validation_material(s, CQ_MATERIAL_fixed_corotated, rubber, nu, 1.0);
  for (int p = 0; p < n; p++) {
    scene_at(s, CQ_INPUT_youngs_modulus)[p] = inside[p] ? foam : rubber;
  }
  free(inside);
}

static void tube_close(tube *t) {
  scene_close(&t->s);
  free(t->chamber);
  free(t->observe);
}

/* The strain of the inner radius by a pressure of 1 Pa on the wall, and how far radius r moves. */
static double lame_move(const tube *t, double r) {
  const double a2 = t->a * t->a, b2 = t->b * t->b;
  return (1.0 + nu) * a2 / (rubber * (b2 - a2)) * ((1.0 - 2.0 * nu) * r + b2 / r);
}

static double lame_strain(const tube *t) {
  return lame_move(t, t->a) / t->a;
}

/* The pressure that widens the foam to a relative volume of 1 + 1. */
static double foam_modulus(void) {
  const lame l = lame_parameters(foam, nu);
  return l.lambda + l.mu;
}

/* How far the outermost particles have moved outwards, over what they would by 1 Pa on the wall */
static double wall_pressure(tube *t) {
  const double spacing = sqrt(scene_at(&t->s, CQ_INPUT_volume)[0]);
  double moved = 0.0, unit = 0.0;
  for (int p = 0; p < t->s.model.n_particles; p++) {
    const double *x0 = scene_at(&t->s, CQ_INPUT_x) + 2 * p, *x = t->s.state + 2 * p;
    const double r = hypot(x0[0] - t->middle[0], x0[1] - t->middle[1]);
    if (r > outer - spacing) {
      moved += hypot(x[0] - t->middle[0], x[1] - t->middle[1]) - r;
      unit += lame_move(t, r);
    }
  }
  return moved / unit;
}

static void settle(tube *t, double control) {
  scene_set_all(&t->s, CQ_INPUT_theta, control);
  scene_at(&t->s, CQ_INPUT_damping)[0] = 60.0;
  scene_forward(&t->s);
}

/* p = (K_foam + 1/(2 strain)) (V - 1): the foam's share, and that of the wall */
static void test_lame(void) {
  for (int cells = 4; cells <= (validation_long ? 16 : 8); cells *= 2) {
    tube t;
    const double p = 2.0;
    tube_make(&t, CQ_ACTUATION_pneumatic, cells, 0.0, 0.5, 0.4);
    settle(&t, p);
    const double whole = foam_modulus() + 0.5 / lame_strain(&t);
    const double volume = (scene_chamber_volume(&t.s, t.s.state) - 1.0) / (p / whole);
    const double moved = wall_pressure(&t) / (p * 0.5 / lame_strain(&t) / whole);
    printf("  %2d cells in the inner radius: the chamber widens by %.4f of what Lame says, the "
           "outer wall moves by %.4f\n",
           cells, volume, moved);
    row("tube_volume", cells, volume);
    row("tube_outside", cells, moved);
    CHECK_NEAR(volume, 1.0, cells == 4 ? 0.03 : 0.01);
    CHECK_NEAR(moved, 1.0, cells == 4 ? 0.02 : 0.005);
    tube_close(&t);
  }
}

/* k (u - V) = (K_foam + 1/(2 strain)) (V - 1): the liquid is squeezed a little */
static void test_liquid(void) {
  for (int sign = -1; sign <= 1; sign += 2) {
    tube t;
    const double u = 1.0 + 0.004 * sign;
    tube_make(&t, CQ_ACTUATION_hydraulic, 8, 0.0, 0.3, 0.4);
    settle(&t, u);
    const double whole = foam_modulus() + 0.5 / lame_strain(&t);
    const double pressure = stiffness * (u - 1.0) / (1.0 + stiffness / whole);
    const double volume = scene_chamber_volume(&t.s, t.s.state);
    const double p = stiffness * (u - volume);
    printf("  filled to %.3f: volume %+.5f, pressure %+.4f Pa, of Lame's tube %.4f, %.4f\n", u,
           volume - 1.0, p, (volume - 1.0) / (pressure / whole), p / pressure);
    row(sign > 0 ? "filled_volume" : "emptied_volume", 8, (volume - 1.0) / (pressure / whole));
    row(sign > 0 ? "filled_pressure" : "emptied_pressure", 8, p / pressure);
    CHECK_NEAR((volume - 1.0) / (pressure / whole), 1.0, 0.005);
    CHECK_NEAR(p / pressure, 1.0, 0.015);
    tube_close(&t);
  }
}

/* along a run, without damping; a metre of depth */
typedef struct budget {
  tube *t;
  double volume, pressure; /* of the state before */
  double work;             /* what the pressure has done on the walls */
  double highest, lowest;  /* of kinetic and strain energy, less the work */
} budget;

static cq_status watch(void *user, int step, const double *state) {
  budget *b = user;
  const scene *s = &b->t->s;
  const double *theta = b->t->s.inputs + s->layout.offset[CQ_INPUT_theta];
  const double u = theta[0] + (theta[1] - theta[0]) * step / s->model.steps;
  const double volume = scene_chamber_volume(s, state);
  b->work +=
      step == 0 ? 0.0 : b->pressure * (volume - b->volume) * validation_pi * b->t->a * b->t->a;
  b->volume = volume;
  b->pressure = b->t->actuator.kind == CQ_ACTUATION_pneumatic ? u : stiffness * (u - volume);
  const double energy = energies_total(validation_energies(&b->t->s, state));
  b->highest = fmax(b->highest, energy - b->work);
  b->lowest = fmin(b->lowest, energy - b->work);
  return CQ_OK;
}

/* the mean velocity, and twice the mean of what the areas of particles sweep a second */
static void motion(const scene *s, double *linear, double *angular) {
  const double *x = s->state, *v = s->state + s->layout.offset[CQ_INPUT_v];
  const double *C = s->state + s->layout.offset[CQ_INPUT_C];
  const double d = 0.25 * s->mpm.cell * s->mpm.cell;
  const int n = s->model.n_particles;
  linear[0] = linear[1] = *angular = 0.0;
  for (int p = 0; p < n; p++) {
    linear[0] += v[2 * p] / n;
    linear[1] += v[2 * p + 1] / n;
    *angular += (x[2 * p] * v[2 * p + 1] - x[2 * p + 1] * v[2 * p]) / n;
    *angular += d * (C[4 * p + 2] - C[4 * p + 1]) / n;
  }
}

/* A chamber aside of the middle of a free tube is filled within 0.05 s, evenly or at once, to 20 Pa
 * or by 4 %. The tube breathes within 0.02 s. */
static budget fill(cq_actuation_kind kind, double courant, bool at_once) {
  tube t;
  const bool gas = kind == CQ_ACTUATION_pneumatic;
  const double time = 0.05, rest = gas ? 0.0 : 1.0, full = gas ? 20.0 : 1.04;
  tube_make(&t, kind, 8, 0.11, courant, time);
  budget b = {.t = &t};
  scene_at(&t.s, CQ_INPUT_theta)[0] = at_once ? full : rest;
  scene_at(&t.s, CQ_INPUT_theta)[1] = full;
  CHECK(cq_sim_visit(t.s.sim, t.s.inputs, NULL, 0, watch, &b) == CQ_OK);
  scene_forward(&t.s);
  double linear[2], angular;
  motion(&t.s, linear, &angular);
  /* what the last pressure on half of the chamber's wall alone would have done */
  const double push = b.pressure * 2.0 * t.a * time / (validation_pi * t.b * t.b);
  const double most = fmax(hypot(linear[0], linear[1]), fabs(angular)) / push;
  printf("  momentum %.1e of a push on half of the wall\n", most);
  CHECK(most < 1e-13);
  tube_close(&t);
  return b;
}

/* What the pressure does is strain and motion of the body, but for what the transfers lose. */
static void balance(const char *name, cq_actuation_kind kind, bool at_once, double tolerance) {
  for (double courant = 0.4; courant > (at_once ? 0.3 : 0.15); courant *= 0.5) {
    const budget b = fill(kind, courant, at_once);
    const double low = b.lowest / b.work, high = b.highest / b.work;
    printf("  %s at %.1f cells a step: the chamber does %.4f J; the energies are off by %+.2f to "
           "%+.2f %% of it\n",
           name, courant, b.work, 100.0 * low, 100.0 * high);
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%s_%.1f", name, courant);
    row(quantity, 8, fmax(-low, high));
    CHECK(b.work > 0.0 && low > -tolerance && high < 0.004);
  }
}

static void test_energy(void) {
  balance("gas", CQ_ACTUATION_pneumatic, false, 0.004);
  balance("liquid", CQ_ACTUATION_hydraulic, false, 0.025);
}

/* A pressure that begins at once starts waves as thin as a cell, and those are lost. */
static void test_energy_at_once(void) {
  balance("gas_at_once", CQ_ACTUATION_pneumatic, true, 0.08);
  balance("liquid_at_once", CQ_ACTUATION_hydraulic, true, 0.65);
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  table = validation_table("validation_chambers", "quantity,cells,value");
  RUN(test_lame);
  RUN(test_liquid);
  RUN(test_energy);
  RUN(test_energy_at_once);
  validation_close(table);
  return TEST_RESULT();
}
