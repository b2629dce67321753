/* A plate held at one end, in plane strain, vibrates in its first mode (Landau and Lifshitz, Theory
 * of elasticity, section 25; Gray, Monaghan, Swift 2001): L = 0.2, H = 0.02, rho = 1000, E = 2e6,
 * nu = 0.3975. Thin plate: omega = (1.875/L)^2 sqrt(E H^2/(12 rho (1 - nu^2))), 3.936 Hz. With
 * shear and rotatory inertia (Timoshenko; Huang 1961) it is 3.899 Hz.
 *
 * It starts straight with velocity vf c0 times the first mode, c0^2 = (bulk modulus)/rho, and
 * swings 11.5 vf L in theory. */
#include "mpm_inputs.h"
#include "validation.h"

static const double length = 0.2, height = 0.02, density = 1000.0, modulus = 2e6, nu = 0.3975;

enum { BEHIND = 3 }; /* cells of plate in the wall */

static double thin(void) {
  const double k = 1.8751040687119611 / length;
  return k * k * height * sqrt(modulus / (12.0 * density * (1.0 - nu * nu))) /
         (2.0 * validation_pi);
}

/* Huang's frequency equation of the clamped-free Timoshenko beam: zero at its frequencies */
static double huang(double frequency) {
  const double stiff = modulus / (1.0 - nu * nu), inertia = height * height / 12.0;
  const double omega = 2.0 * validation_pi * frequency;
  const double b2 = density * pow(length, 4) * omega * omega / (stiff * inertia), b = sqrt(b2);
  const double r2 = inertia / (length * length);
  const double s2 = r2 * stiff / (5.0 / 6.0 * modulus / (2.0 * (1.0 + nu)));
  const double root = sqrt((r2 - s2) * (r2 - s2) + 4.0 / b2);
  const double alpha = b * sqrt(0.5 * (root - r2 - s2)), beta = b * sqrt(0.5 * (root + r2 + s2));
  return 2.0 + (b2 * (r2 - s2) * (r2 - s2) + 2.0) * cosh(alpha) * cos(beta) -
         b * (r2 + s2) / sqrt(1.0 - b2 * r2 * s2) * sinh(alpha) * sin(beta);
}

static double thick(void) {
  double low = 0.5 * thin(), high = 1.01 * thin();
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(huang(middle) > 0.0 ? &low : &high) = middle;
  }
  return low;
}

/* first mode of a clamped-free beam, 1 at the tip */
static double mode(double x) {
  const double kl = 1.8751040687119611, k = kl / length * x;
  const double ratio = (cos(kl) + cosh(kl)) / (sin(kl) + sinh(kl));
  return 0.5 * (cosh(k) - cos(k) - ratio * (sinh(k) - sin(k)));
}

typedef struct measured {
  double frequency, loss, amplitude; /* Hz, of amplitude a period, of the first swing over L */
} measured;

static measured vibrate(int cells, double courant, double vf, int periods) {
  const double cell = height / cells;
  const double sound = sqrt(modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / density);
  const double dt = courant * cell / sound;
  const int steps = (int)ceil(1.05 * periods / thin() / dt);
  const int columns = 2 * ((int)lround(length / cell) + BEHIND), rows = 2 * cells;
  const double held = (4 + BEHIND - validation_held) * cell;
  const double swing = 15.0 * vf * length; /* a beam of small deflections swings 11.5 vf L */
  scene s;
  unsigned char *observe = malloc((size_t)steps + 1);
  memset(observe, 1, (size_t)steps + 1);
  scene_make(&s, 2, 64, columns / 2 + 12, cell, dt, steps, columns * rows, 1);
  s.mpm.grid[1] = cells + 8 + 2 * (int)ceil(swing / cell);
  s.model.memory = validation_memory;
  s.observe = observe;
  for (int row = 0; row < rows; row++) { /* the tip */
    s.particles[row] = (row + 1) * columns - 1;
  }
  s.groups[0].count = rows;
  s.boundaries[0] =
      scene_half_space(CQ_BOUNDARY_sticky, 2, 1.0, 0.0, 0.0, (4.5 + BEHIND) * cell, 0.0);
  s.model.n_boundaries = 1;
  scene_open(&s);
  const double low[2] = {held - BEHIND * cell, (4 + ceil(swing / cell)) * cell};
  validation_box(&s, 0, low, columns, rows, 0.5 * cell);
  validation_material(&s, CQ_MATERIAL_neo_hookean, modulus, nu, density);
  const double c0 = sqrt(modulus / (3.0 * (1.0 - 2.0 * nu)) / density);
  for (int p = 0; p < s.model.n_particles; p++) {
    const double x = scene_at(&s, CQ_INPUT_x)[2 * p] - held;
    if (x > 0.0) {
      scene_at(&s, CQ_INPUT_v)[2 * p + 1] = vf * c0 * mode(x);
    }
  }
  scene_forward(&s);
  const double *z = cq_sim_observations(s.sim);
  double *y = malloc(sizeof(double) * ((size_t)steps + 1));
  for (int i = 0; i <= steps; i++) {
    y[i] = z[i * s.layout.rows->longest + 1] - z[1];
  }
  const oscillation o = validation_oscillation(y + 1, steps);
  free(y);
  scene_close(&s);
  free(observe);
  return (measured){1.0 / (o.period * dt), o.loss, fabs(o.extremum) / length};
}

static measured row(FILE *table, int cells, double courant, double vf) {
  const measured m = vibrate(cells, courant, vf, 2);
  printf("  %2d cells, %.2f a step, vf %.3f: %.4f Hz (%+.2f %% of the thin plate's, %+.2f %% of "
         "the thick "
         "one's), amplitude %.4f L, -%.2f %% a period\n",
         cells, courant, vf, m.frequency, 100.0 * (m.frequency / thin() - 1.0),
         100.0 * (m.frequency / thick() - 1.0), m.amplitude, 100.0 * m.loss);
  VALIDATION_ROW(table, "%d,%.2f,%.3f,%.5f,%.5f,%.5f\n", cells, courant, vf, m.frequency,
                 m.amplitude, m.loss);
  CHECK_NEAR(m.frequency / 3.936, 1.0, 0.05);
  return m;
}

static void test_theory(void) {
  CHECK_NEAR(thin(), 3.936, 1e-3);
  CHECK_NEAR(thick(), 3.899, 1e-3);
  CHECK_NEAR(mode(length), 1.0, 1e-12);
}

/* Four cells in the thickness are enough for 1.2 percent; two are 3 percent soft. */
static void test_small_swing(void) {
  const measured coarse = row(NULL, 2, 0.8, 0.001), fine = row(NULL, 4, 0.8, 0.001);
  CHECK_NEAR(fine.frequency, thin(), 0.012 * thin());
  CHECK_NEAR(fine.frequency, thick(), 0.005 * thick());
  CHECK(fabs(coarse.frequency / thick() - 1.0) > 2.0 * fabs(fine.frequency / thick() - 1.0));
  CHECK_NEAR(fine.amplitude, 0.0115, 2e-4);
  CHECK(fine.loss < 3e-3);
}

/* The published pictures have a swing of about 0.115 L, which is vf = 0.01. */
static void test_large_swing(void) {
  const measured m = row(NULL, 4, 0.8, 0.01);
  CHECK_NEAR(m.amplitude, 0.115, 0.01);
  CHECK(m.loss < 0.06);
}

static void test_refined(void) {
  FILE *table =
      validation_table("validation_plate", "cells,cells_a_step,vf,frequency,amplitude,loss");
  for (int large = 0; large < 2; large++) {
    double before = 0.0, change = 1.0;
    for (int cells = 2; cells <= (large ? 8 : 16); cells *= 2) {
      const double frequency = row(table, cells, 0.8, large ? 0.01 : 0.001).frequency;
      if (before > 0.0) {
        CHECK(fabs(frequency - before) < 0.6 * change);
        change = fabs(frequency - before);
      }
      before = frequency;
    }
    CHECK_NEAR(before, 3.936, 0.01 * 3.936);
  }
  validation_close(table);
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  RUN(test_theory);
  RUN(test_small_swing);
  RUN(test_large_swing);
  if (validation_long) {
    RUN(test_refined);
  }
  return TEST_RESULT();
}
