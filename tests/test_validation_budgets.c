/* Budgets of momentum, angular momentum and energy, in 2D. (sim_motion has them for other scenes,
 * in 3D too.) */
#include "mpm_inputs.h"
#include "validation.h"

enum { SIDE = 32 };

/* a square block of SIDE x SIDE particles, two a cell across, away from everything but a wall
 * (walls = 1) */
static void block_at(scene *s, double dt, int steps, cq_material_kind kind, double modulus,
                     double nu, int walls, cq_boundary wall) {
  const double cell = 0.02;
  scene_make(s, 2, 64, 60, cell, dt, steps, SIDE * SIDE, 1);
  s->model.memory = validation_memory;
  s->boundaries[0] = wall;
  s->model.n_boundaries = walls;
  scene_open(s);
  const double low[2] = {20.3 * cell, 20.1 * cell};
  validation_box(s, 0, low, SIDE, SIDE, 0.5 * cell);
  validation_material(s, kind, modulus, nu, 1.0);
}

static void block(scene *s, double dt, int steps, cq_material_kind kind, double modulus,
                  double nu) {
  block_at(s, dt, steps, kind, modulus, nu, 0, (cq_boundary){0});
}

static double mass_of(scene *s) {
  return scene_at(s, CQ_INPUT_volume)[0] * scene_at(s, CQ_INPUT_density)[0];
}

typedef struct momenta {
  double linear[2], angular; /* angular: about the origin, with that of C */
} momenta;

static momenta momenta_of(scene *s, const double *state) {
  momenta m = {{0.0, 0.0}, 0.0};
  const double mass = mass_of(s), d = 0.25 * s->mpm.cell * s->mpm.cell;
  for (int p = 0; p < s->model.n_particles; p++) {
    const double *x = state + 2 * p, *v = state + s->layout.offset[CQ_INPUT_v] + 2 * p;
    const double *C = state + s->layout.offset[CQ_INPUT_C] + 4 * p;
    m.linear[0] += mass * v[0];
    m.linear[1] += mass * v[1];
    m.angular += mass * (x[0] * v[1] - x[1] * v[0] + d * (C[2] - C[1]));
  }
  return m;
}

/* x -> G x about the middle of the block: velocities, and C */
static void throw_and_strain(scene *s, const double *v, const double *G) {
  const double cell = s->mpm.cell;
  const double middle[2] = {(20.3 + 0.25 * SIDE) * cell, (20.1 + 0.25 * SIDE) * cell};
  for (int p = 0; p < s->model.n_particles; p++) {
    const double *x = scene_at(s, CQ_INPUT_x) + 2 * p;
    for (int a = 0; a < 2; a++) {
      scene_at(s, CQ_INPUT_v)[2 * p + a] =
          v[a] + G[2 * a] * (x[0] - middle[0]) + G[2 * a + 1] * (x[1] - middle[1]);
      scene_at(s, CQ_INPUT_C)[4 * p + 2 * a] = G[2 * a];
      scene_at(s, CQ_INPUT_C)[4 * p + 2 * a + 1] = G[2 * a + 1];
    }
  }
}

/* Thrown, spun and strained, it keeps both momenta to rounding over thousands of steps. */
static void test_momenta(void) {
  scene s;
  block(&s, 2e-4, 4000, CQ_MATERIAL_neo_hookean, 1000.0, 0.3);
  const double v[2] = {0.3, -0.2}, G[4] = {2.0, -1.5, 2.5, -1.0};
  throw_and_strain(&s, v, G);
  const momenta before = momenta_of(&s, s.inputs);
  scene_forward(&s);
  const momenta after = momenta_of(&s, s.state);
  const double size = hypot(before.linear[0], before.linear[1]);
  printf("  momentum changes by %.1e and %.1e of %.3g, angular momentum by %.1e of %.3g\n",
         after.linear[0] - before.linear[0], after.linear[1] - before.linear[1], size,
         after.angular - before.angular, before.angular);
  for (int a = 0; a < 2; a++) {
    CHECK_NEAR(after.linear[a], before.linear[a], 1e-12 * size);
  }
  CHECK_NEAR(after.angular, before.angular, 1e-12 * fabs(before.angular));
  scene_close(&s);
}

/* Angular momentum is a matter of the transfer: PIC throws away what C carries. */
static void test_pic_loses_spin(void) {
  scene s;
  block(&s, 2e-4, 400, CQ_MATERIAL_neo_hookean, 1000.0, 0.3);
  cq_sim_destroy(s.sim);
  s.mpm.transfer = CQ_TRANSFER_PIC;
  CHECK(cq_sim_create(s.ctx, &s.model, &s.sim) == CQ_OK);
  const double v[2] = {0.0, 0.0}, G[4] = {0.0, -2.0, 2.0, 0.0};
  throw_and_strain(&s, v, G);
  const double before = momenta_of(&s, s.inputs).angular;
  scene_forward(&s);
  CHECK(fabs(momenta_of(&s, s.state).angular) < 0.5 * before);
  scene_close(&s);
}

/* Free fall is exact: y falls by g dt^2 n (n + 1)/2, F and C stay what they were. */
static void test_free_fall(void) {
  scene s;
  const int steps = 1000;
  const double dt = 2e-4, g = -9.8;
  block(&s, dt, steps, CQ_MATERIAL_neo_hookean, 1000.0, 0.3);
  scene_at(&s, CQ_INPUT_gravity)[1] = g;
  const double v[2] = {0.5, 1.0}, G[4] = {0.0};
  throw_and_strain(&s, v, G);
  scene_forward(&s);
  double position = 0.0, strain = 0.0;
  for (int p = 0; p < s.model.n_particles; p++) {
    const double *x = s.state + 2 * p, *x0 = s.inputs + 2 * p;
    const double *F = s.state + s.layout.offset[CQ_INPUT_F] + 4 * p;
    const double fall = g * dt * dt * steps * (steps + 1) / 2.0;
    position = fmax(position, fabs(x[0] - x0[0] - 0.5 * dt * steps));
    position = fmax(position, fabs(x[1] - x0[1] - 1.0 * dt * steps - fall));
    strain = fmax(strain, fabs(F[0] - 1.0) + fabs(F[1]) + fabs(F[2]) + fabs(F[3] - 1.0));
  }
  printf("  free fall: positions within %.1e m, F within %.1e\n", position, strain);
  CHECK(position < 1e-12 && strain < 1e-11);
  scene_close(&s);
}

/* largest |F^T F - I| and error of the angle after a turn of 1 rad in so many steps */
static void turn(int steps, double modulus, double *strain, double *angle) {
  scene s;
  block(&s, 1.0 / steps, steps, CQ_MATERIAL_neo_hookean, modulus, 0.3);
  const double v[2] = {0.0, 0.0}, G[4] = {0.0, -1.0, 1.0, 0.0};
  throw_and_strain(&s, v, G);
  scene_forward(&s);
  *strain = *angle = 0.0;
  for (int p = 0; p < s.model.n_particles; p++) {
    const double *F = s.state + s.layout.offset[CQ_INPUT_F] + 4 * p;
    *strain = fmax(*strain, fabs(F[0] * F[0] + F[2] * F[2] - 1.0));
    *strain = fmax(*strain, fabs(F[1] * F[1] + F[3] * F[3] - 1.0));
    *strain = fmax(*strain, fabs(F[0] * F[1] + F[2] * F[3]));
    *angle = fmax(*angle, fabs(atan2(F[2] - F[1], F[0] + F[3]) - 1.0));
  }
  scene_close(&s);
}

/* Centrifugal forces strain it by about rho (omega R)^2/E; F is a rotation but for that. */
static void test_rotation(void) {
  for (double modulus = 100.0; modulus < 2000.0; modulus *= 10.0) {
    double strain, angle;
    turn(4000, modulus, &strain, &angle);
    const double radius = sqrt(0.5) * 0.01 * SIDE, pull = radius * radius / modulus;
    printf("  1 rad, E = %4.0f: |F^T F - I| up to %.1e (centrifugal %.1e), angle within %.1e\n",
           modulus, strain, pull, angle);
    CHECK(strain < pull && angle < pull);
  }
}

/* the block from 20.1 cells up hangs from node 34, so at 34.1515 cells */
enum { hanging_node = 34 };
static const double hanging_cells = 34.1515 - 20.1; /* validation_held */

/* energies along a run */
typedef struct budget {
  scene *s;
  double start, highest, end, strain; /* totals; the largest strain energy */
} budget;

static cq_status watch(void *user, int step, const double *state) {
  budget *b = user;
  const energies e = validation_energies(b->s, state);
  const double total = energies_total(e);
  b->start = step == 0 ? total : b->start;
  b->highest = step == 0 ? total : fmax(b->highest, total);
  b->strain = fmax(b->strain, e.strain);
  b->end = total;
  return CQ_OK;
}

/* a free block whose width and height swing in the first mode, which is exact with nu = 0, for so
 * many periods */
static budget swing(double courant, int periods) {
  scene s;
  const double modulus = 1000.0, dt = courant * 0.02 / sqrt(modulus), side = 0.01 * SIDE;
  const double period = 2.0 * side / sqrt(modulus), k = validation_pi / side;
  block(&s, dt, (int)lround(periods * period / dt), CQ_MATERIAL_fixed_corotated, modulus, 0.0);
  const double *corner = scene_at(&s, CQ_INPUT_x);
  const double low[2] = {corner[0] - 0.005, corner[1] - 0.005};
  for (int p = 0; p < s.model.n_particles; p++) {
    for (int a = 0; a < 2; a++) {
      const double x = scene_at(&s, CQ_INPUT_x)[2 * p + a] - low[a];
      scene_at(&s, CQ_INPUT_v)[2 * p + a] = 0.5 * cos(k * x);
      scene_at(&s, CQ_INPUT_C)[4 * p + 3 * a] = -0.5 * k * sin(k * x);
    }
  }
  budget b = {.s = &s};
  CHECK(cq_sim_visit(s.sim, s.inputs, NULL, 0, watch, &b) == CQ_OK);
  scene_close(&s);
  return b;
}

/* Particles have velocities half a step old, so the sum of energies swings, in proportion to dt.
 * What is lost for good is lost in the transfers: by step, not by time. */
static void test_energy_of_a_swing(void) {
  FILE *table =
      validation_table("validation_budgets", "cells_a_step,highest,one_period,ten_periods");
  double above = 0.0, lost = 0.0;
  for (double courant = 0.8; courant > (validation_long ? 0.02 : 0.09); courant *= 0.5) {
    const budget one = swing(courant, 1), ten = swing(courant, 10);
    const double highest = one.highest / one.start - 1.0;
    const double loss = 1.0 - one.end / one.start, loss_of_ten = 1.0 - ten.end / ten.start;
    printf("  %.3f cells a step: up to %+.2f %%, after a period -%.2f %%, after ten -%.2f %%\n",
           courant, 100.0 * highest, 100.0 * loss, 100.0 * loss_of_ten);
    VALIDATION_ROW(table, "%.3f,%.4e,%.4e,%.4e\n", courant, highest, loss, loss_of_ten);
    CHECK(loss > 0.0 && loss < 4e-3 + 1e-3 / courant);
    CHECK_NEAR(loss_of_ten, 1.0 - pow(1.0 - loss, 10.0), 0.06 * loss_of_ten);
    if (courant > 0.15 && above > 0.0) {
      CHECK_NEAR(above / highest, 2.0, 0.25);
    }
    CHECK(courant > 0.15 || loss > 1.6 * lost);
    above = highest;
    lost = loss;
  }
  validation_close(table);
}

/* hung up by its top and let go, for a period */
static budget hang(double courant) {
  scene s;
  const double dt = courant * 0.02 / sqrt(1000.0), length = hanging_cells * 0.02;
  const cq_boundary ceiling =
      scene_half_space(CQ_BOUNDARY_slip, 2, 0.0, -1.0, 0.0, 0.0, (hanging_node - 0.5) * 0.02);
  block_at(&s, dt, (int)lround(4.0 * length / sqrt(1000.0) / dt), CQ_MATERIAL_fixed_corotated,
           1000.0, 0.0, 1, ceiling);
  scene_at(&s, CQ_INPUT_gravity)[1] = -9.8;
  budget b = {.s = &s};
  CHECK(cq_sim_visit(s.sim, s.inputs, NULL, 0, watch, &b) == CQ_OK);
  scene_close(&s);
  return b;
}

/* Its weight stretches it to twice the rest length's strain, which takes 4 (rho g)^2 L^3/(6 E) a
 * width, and gives it back: kinetic energy, strain and weight stay in balance. */
static void test_energy_of_a_weight(void) {
  const double length = hanging_cells * 0.02;
  const double theory = 4.0 * 9.8 * 9.8 * pow(length, 3) / 6000.0 * 0.01 * SIDE;
  for (double courant = 0.8; courant > 0.15; courant *= 0.5) {
    const budget b = hang(courant);
    printf("  %.2f cells a step: strain energy up to %.4e J (%+.2f %%); the balance is off by "
           "%+.2f %% "
           "of it after a period\n",
           courant, b.strain, 100.0 * (b.strain / theory - 1.0),
           100.0 * (b.end - b.start) / b.strain);
    CHECK_NEAR(b.strain, theory, 0.01 * theory);
    CHECK_NEAR(b.end, b.start, 0.015 * theory);
    CHECK(b.highest - b.start < 0.015 * theory);
  }
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  RUN(test_momenta);
  RUN(test_pic_loses_spin);
  RUN(test_free_fall);
  RUN(test_rotation);
  RUN(test_energy_of_a_swing);
  RUN(test_energy_of_a_weight);
  return TEST_RESULT();
}
