/* Turek and Hron's CSM3 (2006): an elastic beam behind a rigid cylinder swings under its own
 * weight. Radius 0.05, beam to x = 0.35 behind it, 0.02 high, E = 1.4e6, nu = 0.4, rho = 1000, g =
 * 2, plane strain, St. Venant-Kirchhoff. Published: tip u_x = -14.305 +- 14.305 mm, u_y = -63.607
 * +- 65.160 mm, 1.0995 Hz. */
#include "mpm_inputs.h"
#include "validation.h"

static const double length = 0.35101, height = 0.02, density = 1000.0, modulus = 1.4e6, nu = 0.4;

enum { BEHIND = 3 };

typedef struct swing {
  double low[2], high[2]; /* displacement of the tip [mm] in the first swing and after it */
  double frequency, loss; /* [Hz], of amplitude a period */
} swing;

static swing run(int cells, int across) {
  const int periods = 2;
  const double cell = height / cells;
  const double sound = sqrt(modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / density);
  const double dt = 0.8 * cell / sound;
  const int steps = (int)ceil(1.05 * periods / 1.0995 / dt);
  /* the last column of particles is at the end of the beam, half a spacing short */
  const int columns = (int)lround(across * (length / cell + BEHIND)), rows = across * cells;
  const int above = (int)ceil(0.16 / cell);
  const double end = (4 + BEHIND - validation_held) * cell + length;
  scene s;
  unsigned char *observe = malloc((size_t)steps + 1);
  memset(observe, 1, (size_t)steps + 1);
  scene_make(&s, 2, 64, 4 + BEHIND + (int)ceil(length / cell) + 6, cell, dt, steps, columns * rows,
             1);
  s.mpm.grid[1] = above + cells + 12;
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
  const double low[2] = {end - columns * cell / across, (4 + above) * cell};
  validation_box(&s, 0, low, columns, rows, cell / across);
  validation_material(&s, CQ_MATERIAL_st_venant_kirchhoff, modulus, nu, density);
  scene_at(&s, CQ_INPUT_gravity)[1] = -2.0;
  scene_forward(&s);
  const double *z = cq_sim_observations(s.sim);
  double *vy = malloc(sizeof(double) * ((size_t)steps + 1));
  swing w = {.high = {-1e9, -1e9}};
  for (int i = 0; i <= steps; i++) {
    for (int a = 0; a < 2; a++) {
      const double u = 1e3 * (z[i * s.layout.rows->longest + a] - z[a]);
      w.low[a] = fmin(w.low[a], u);
      w.high[a] = fmax(w.high[a], i > steps / (2 * periods) ? u : -1e9);
    }
    vy[i] = z[i * s.layout.rows->longest + 3];
  }
  const oscillation o = validation_oscillation(vy + 1, steps);
  w.frequency = 1.0 / (o.period * dt);
  w.loss = o.loss;
  free(vy);
  scene_close(&s);
  free(observe);
  return w;
}

static swing row(FILE *table, int cells, int across) {
  const swing w = run(cells, across);
  printf("  %d cells, %d particles across a cell: u_x %.2f to %.2f mm, u_y %.2f to %.2f mm, %.4f "
         "Hz, -%.1f %% "
         "a period\n",
         cells, across, w.low[0], w.high[0], w.low[1], w.high[1], w.frequency, 100.0 * w.loss);
  VALIDATION_ROW(table, "%d,%d,%.3f,%.3f,%.3f,%.3f,%.4f,%.4f\n", cells, across, w.low[0], w.high[0],
                 w.low[1], w.high[1], w.frequency, w.loss);
  return w;
}

/* As the elastica it sinks too far, less so with more particles. */
static void test_two_cells(void) {
  const swing few = row(NULL, 2, 2), more = row(NULL, 2, 4);
  CHECK_NEAR(more.frequency, 1.0995, 0.03 * 1.0995);
  CHECK_NEAR(more.low[1], -63.607 - 65.160, 0.08 * 128.767);
  CHECK_NEAR(more.low[0], -2.0 * 14.305, 0.2 * 28.61);
  CHECK_NEAR(more.high[1], -63.607 + 65.160, 0.12 * 128.767);
  CHECK(fabs(few.low[1] + 128.767) > 1.5 * fabs(more.low[1] + 128.767));
}

static void test_refined(void) {
  FILE *table = validation_table("validation_csm3",
                                 "cells,across,ux_low,ux_high,uy_low,uy_high,frequency,loss");
  for (int cells = 2; cells <= 4; cells *= 2) {
    for (int across = 2; across <= 8; across *= 2) {
      const swing w = row(table, cells, across);
      if (across == 8) {
        CHECK_NEAR(w.frequency, 1.0995, 0.02 * 1.0995);
        CHECK_NEAR(w.low[1], -63.607 - 65.160, 0.035 * 128.767);
      }
    }
  }
  validation_close(table);
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  RUN(test_two_cells);
  if (validation_long) {
    RUN(test_refined);
  }
  return TEST_RESULT();
}
