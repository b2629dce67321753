/* Turek and Hron's CSM3 (2006): an elastic beam behind a rigid cylinder swings under its own weight.
 * Radius 0.05, beam to x = 0.35 behind it, 0.02 high, E = 1.4e6, nu = 0.4, rho = 1000, g = 2, plane strain,
 * St. Venant-Kirchhoff. Published: tip u_x = -14.305 +- 14.305 mm, u_y = -63.607 +- 65.160 mm,
 * 1.0995 Hz. */
#include "validation.h"

static const double length = 0.35101, height = 0.02, density = 1000.0, modulus = 1.4e6, nu = 0.4;

enum { BEHIND = 3 };

typedef struct swing {
  double mean[2], amplitude[2], frequency, period_loss; /* mm, Hz */
} swing;

static swing run(int cells, int across, double courant, cq_material_kind kind, int periods) {
  const double cell = height / cells;
  const double sound = sqrt(modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / density);
  const double dt = courant * cell / sound;
  const int steps = (int)ceil(1.05 * periods / 1.0995 / dt);
  /* the last column of particles is at the end of the beam, half a spacing short */
  const int columns = (int)lround(across * (length / cell + BEHIND)), rows = across * cells;
  const int above = (int)ceil(0.16 / cell);
  const double end = (4 + BEHIND - validation_held) * cell + length;
  scene s;
  unsigned char *observe = malloc((size_t)steps + 1);
  memset(observe, 1, (size_t)steps + 1);
  scene_make(&s, 2, 64, 4 + BEHIND + (int)ceil(length / cell) + 6, cell, dt, steps, columns * rows, 1);
  s.model.grid[1] = above + cells + 12;
  s.model.memory = validation_memory;
  s.model.observe = observe;
  for (int row = 0; row < rows; row++) { /* the tip */
    s.particles[row] = (row + 1) * columns - 1;
  }
  s.groups[0].count = rows;
  s.boundaries[0] = (cq_boundary){.kind = CQ_BOUNDARY_sticky,
                                  .normal = {1.0, 0.0, 0.0},
                                  .point = {(4.5 + BEHIND) * cell, 0.0, 0.0}};
  s.model.n_boundaries = 1;
  scene_open(&s);
  const double low[2] = {end - columns * cell / across, (4 + above) * cell};
  validation_box(&s, 0, low, columns, rows, cell / across);
  validation_material(&s, kind, modulus, nu, density);
  scene_at(&s, CQ_INPUT_gravity)[1] = -2.0;
  scene_forward(&s);
  const double *z = cq_sim_observations(s.sim);
  double *y = malloc(sizeof(double) * ((size_t)steps + 1)), low_[2] = {0}, high[2] = {-1e9, -1e9};
  for (int i = 0; i <= steps; i++) {
    for (int a = 0; a < 2; a++) {
      const double u = 1e3 * (z[i * s.layout.n_z + a] - z[a]);
      low_[a] = fmin(low_[a], u);
      high[a] = fmax(high[a], i > steps / 2 / periods ? u : -1e9);
    }
    y[i] = z[i * s.layout.n_z + 3];
  }
  const oscillation o = validation_oscillation(y + 1, steps);
  swing w = {.frequency = 1.0 / (o.period * dt), .period_loss = o.loss};
  for (int a = 0; a < 2; a++) {
    printf("  axis %d low %.3f high %.3f\n", a, low_[a], high[a]);
    w.mean[a] = 0.5 * (low_[a] + high[a]);
    w.amplitude[a] = 0.5 * (high[a] - low_[a]);
  }
  free(y);
  scene_close(&s);
  free(observe);
  return w;
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  for (int across = 2; across <= 8; across *= 2)
  for (int cells = 2; cells <= 4; cells *= 2) {
    const swing w = run(cells, across, 0.8, CQ_MATERIAL_neo_hookean, 2);
    printf("cells %d across %d: f %.4f  loss %.4f\n", cells, across, w.frequency, w.period_loss);
  }
  return TEST_RESULT();
}
