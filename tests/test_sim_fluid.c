/* Viscosity and liquids against theory: the decay of a bar's oscillation, the pressure in a column
 * at rest. */
#include "mpm_inputs.h"
#include "scene_builder.h"
#include "walls.h"

/* A box of particles half a cell apart: counts of them, the low corner in cells. */
static void fill(scene *s, int nx, int ny, double low_x, double low_y, double density) {
  const double h = 0.5 * s->mpm.cell;
  for (int p = 0; p < s->model.n_particles; p++) {
    scene_at(s, CQ_INPUT_x)[2 * p] = low_x * s->mpm.cell + h * (0.5 + p % nx);
    scene_at(s, CQ_INPUT_x)[2 * p + 1] = low_y * s->mpm.cell + h * (0.5 + p / nx % ny);
  }
  scene_set_all(s, CQ_INPUT_density, density);
  scene_set_all(s, CQ_INPUT_volume, h * h);
}

/* Amplitude of the first longitudinal mode of a free bar after one period. */
static double amplitude(double viscosity, double length, double modulus) {
  enum { NX = 100, NY = 12, N = NX * NY };
  static double viscosities[N];
  const double cell = 0.02, dt = 2.5e-4, period = 2.0 * length / sqrt(modulus);
  const double pi = 3.14159265358979323846;
  scene s;
  scene_make(&s, 2, 64, 70, cell, dt, (int)(period / dt + 0.5), N, 1);
  for (int p = 0; p < N; p++) {
    viscosities[p] = viscosity;
  }
  s.mpm.viscosity = viscosities;
  scene_open(&s);
  fill(&s, NX, NY, 10, 20, 1.0);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, modulus);
  scene_set_all(&s, CQ_INPUT_poisson_ratio, 0.0);
  double mode[N], sum = 0.0;
  for (int p = 0; p < N; p++) {
    mode[p] = cos(pi * (scene_at(&s, CQ_INPUT_x)[2 * p] - 10 * cell) / length);
    scene_at(&s, CQ_INPUT_v)[2 * p] = 1e-3 * mode[p];
  }
  scene_forward(&s);
  for (int p = 0; p < N; p++) {
    sum += mode[p] * s.state[s.layout.offset[CQ_INPUT_v] + 2 * (size_t)p];
  }
  scene_close(&s);
  return sum / (1e-3 * N / 2);
}

/* sigma = E e + 2 eta de/dt: the mode of wave number k = pi/L decays as exp(-eta k^2 t/rho); what
 * the grid takes away by itself stands in the run without viscosity. */
static void damped_bar(void) {
  const double length = 1.0, modulus = 100.0, period = 0.2, k = 3.14159265358979323846 / length;
  const double plain = amplitude(0.0, length, modulus);
  for (double eta = 0.05; eta < 0.25; eta *= 2.0) {
    const double damped = amplitude(eta, length, modulus);
    const double rate = log(plain / damped) / period, theory = eta * k * k;
    printf("  viscosity %.2f: amplitude %.4f (without %.4f), rate %.4f, theory %.4f 1/s\n", eta,
           damped, plain, rate, theory);
    CHECK_NEAR(rate, theory, 0.05 * theory);
  }
}

/* 1/J = 1 + rho g s/k at the depth s of the fluid before it was compressed, away from walls and
 * surface. */
static void column(void) {
  enum { NX = 16, NY = 40, N = NX * NY };
  const double cell = 0.02, k = 100.0, g = 10.0, height = 0.5 * cell * NY;
  scene s;
  scene_make(&s, 2, 64, 40, cell, 1e-3, 700, N, 1);
  memset(s.material, CQ_MATERIAL_liquid, N);
  s.mpm.grid[0] = NX / 2 + 5; /* the column fills the room between the walls */
  s.boundaries[0] = scene_domain(&s.mpm, CQ_BOUNDARY_slip, 3, 3, 3);
  s.model.n_boundaries = 1;
  scene_open(&s);
  fill(&s, NX, NY, 2, 2, 1.0);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, k);
  scene_set_all(&s, CQ_INPUT_poisson_ratio, 1.0 / 3.0);
  scene_at(&s, CQ_INPUT_gravity)[1] = -g;
  scene_at(&s, CQ_INPUT_damping)[0] = 20.0;
  scene_forward(&s);
  double worst = 0.0, speed = 0.0;
  for (int row = 10; row < NY - 4; row++) {
    double pressure = 0.0;
    for (int i = NX / 4; i < NX - NX / 4; i++) {
      const int p = row * NX + i;
      const double *F = s.state + s.layout.offset[CQ_INPUT_F] + 4 * p;
      const double *v = s.state + s.layout.offset[CQ_INPUT_v] + 2 * p;
      pressure += k * (1.0 / (F[0] * F[3] - F[1] * F[2]) - 1.0) / (NX / 2);
      speed = fmax(speed, hypot(v[0], v[1]));
    }
    const double depth = height - 0.5 * cell * (0.5 + row);
    worst = fmax(worst, fabs(pressure - g * depth) / (g * height));
    if (row % 8 == 2) {
      printf("  depth %.3f m: pressure %.4f Pa, theory %.4f\n", depth, pressure, g * depth);
    }
  }
  printf("  worst row: %.1e of the largest pressure; fastest particle %.1e m/s\n", worst, speed);
  CHECK(worst <= 0.03);
  scene_close(&s);
}

int main(void) {
  RUN(damped_bar);
  RUN(column);
  return TEST_RESULT();
}
