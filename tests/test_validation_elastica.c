/* A slender beam, held at one end, bent by a dead load P at the other: the elastica, whose tip is
 * known in elliptic integrals (table below; Mattiasson 1981). L/h = 20, plane strain, EI = E
 * h^3/12/(1 - nu^2).
 *
 * The load is given to one column of particles as kicks of velocity between runs of a few steps,
 * and the beam is damped to rest; L reaches to that column. */
#include "mpm_inputs.h"
#include "validation.h"

enum { BEHIND = 3, SLENDER = 20, CHUNK = 20, LOADS = 5 };

/* P L^2/(EI), deflection and shortening over L */
static const double elastica[LOADS][3] = {{1.0, 0.30172, 0.05643},
                                          {2.0, 0.49346, 0.16064},
                                          {3.0, 0.60325, 0.25442},
                                          {5.0, 0.71379, 0.38763},
                                          {10.0, 0.81061, 0.55500}};

static const double modulus = 1000.0, nu = 0.3; /* density 1, cell 1 */

typedef struct beam {
  int cells, across;        /* cells in the height, particles across a cell */
  double length, stiffness; /* L, EI */
  scene s;
  int columns, rows, loaded; /* particles along the beam, the column with the load */
  double rest[2];            /* where that column was */
} beam;

static void make(beam *b, double courant) {
  scene *s = &b->s;
  const double h = b->cells;
  b->length = SLENDER * h;
  b->stiffness = modulus / (1.0 - nu * nu) * h * h * h / 12.0;
  const double sound = sqrt(modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)));
  b->loaded = b->across * ((int)b->length + BEHIND);
  b->columns = b->loaded + 1;
  b->rows = b->across * b->cells;
  const int held = 4 + BEHIND;
  scene_make(s, 2, 64, held + (int)b->length + 8, 1.0, courant / sound, CHUNK, b->columns * b->rows,
             1);
  s->mpm.grid[1] = (int)(0.9 * b->length) + b->cells + 8;
  s->boundaries[0] = scene_half_space(CQ_BOUNDARY_sticky, 2, 1.0, 0.0, 0.0, held + 0.5, 0.0);
  s->model.n_boundaries = 1;
  scene_open(s);
  const double low[2] = {held - validation_held - BEHIND - 0.5 / b->across, 4.0};
  validation_box(s, 0, low, b->columns, b->rows, 1.0 / b->across);
  validation_material(s, CQ_MATERIAL_fixed_corotated, modulus, nu, 1.0);
  /* critical for the first mode of small swings */
  scene_set_all(s, CQ_INPUT_damping, 2.0 * 3.516 * sqrt(b->stiffness / (h * pow(b->length, 4))));
}

/* mean position of the column */
static void tip(const beam *b, double *x) {
  x[0] = x[1] = 0.0;
  for (int row = 0; row < b->rows; row++) {
    for (int a = 0; a < 2; a++) {
      x[a] += b->s.inputs[2 * (row * b->columns + b->loaded) + a] / b->rows;
    }
  }
}

/* to rest under the load, for so many units of 1/omega */
static void settle(beam *b, double load, double time) {
  scene *s = &b->s;
  const double dt = s->model.dt, omega = 0.5 * scene_at(s, CQ_INPUT_damping)[0];
  const double mass = (double)b->rows / (b->across * b->across);
  for (int i = 0; i * CHUNK * dt * omega < time; i++) {
    for (int row = 0; row < b->rows; row++) {
      scene_at(s, CQ_INPUT_v)[2 * (row * b->columns + b->loaded) + 1] += CHUNK * dt * load / mass;
    }
    scene_forward(s);
    validation_continue(s);
  }
}

/* share by which deflection and shortening are off, by load; every `skip`-th load */
static void bend(int cells, int across, int skip, double error[LOADS][2], FILE *table) {
  beam b = {.cells = cells, .across = across};
  make(&b, 0.8);
  double rest[2], x[2];
  tip(&b, rest);
  for (int i = 0; i < LOADS; i += skip) {
    settle(&b, elastica[i][0] * b.stiffness / (b.length * b.length), 10.0);
    tip(&b, x);
    const double w = (x[1] - rest[1]) / b.length, u = (rest[0] - x[0]) / b.length;
    error[i][0] = w / elastica[i][1] - 1.0;
    error[i][1] = u / elastica[i][2] - 1.0;
    printf(
        "  %d cells, %d particles across a cell, P L^2/EI = %2.0f: w/L %.4f (%+.1f %%), u/L %.4f "
        "(%+.1f %%)\n",
        cells, across, elastica[i][0], w, 100.0 * error[i][0], u, 100.0 * error[i][1]);
    VALIDATION_ROW(table, "%d,%d,%.0f,%.5f,%.5f,%.5f,%.5f\n", cells, across, elastica[i][0], w, u,
                   elastica[i][1], elastica[i][2]);
  }
  scene_close(&b.s);
}

/* The beam bends too far: the strain of its outermost particles fades while they cross cells, and
 * less so the more particles there are. */
static void test_two_cells(void) {
  double few[LOADS][2], more[LOADS][2];
  bend(2, 2, 2, few, NULL);
  bend(2, 4, 2, more, NULL);
  const double bounds[LOADS] = {0.13, 0.0, 0.065, 0.0, 0.02};
  for (int i = 0; i < LOADS; i += 2) {
    CHECK(more[i][0] > -0.01 && more[i][0] < bounds[i]);
    CHECK(few[i][0] > 1.3 * more[i][0] && few[i][1] > 1.3 * more[i][1]);
  }
}

static void test_refined(void) {
  static const int choices[][2] = {{2, 2}, {2, 4}, {2, 8}, {4, 2}, {4, 4}, {4, 6}};
  FILE *table = validation_table("validation_elastica", "cells,across,load,w,u,w_theory,u_theory");
  double error[LOADS][2], before[LOADS][2];
  for (int k = 0; k < 6; k++) {
    bend(choices[k][0], choices[k][1], 1, error, table);
    for (int i = 0; i < LOADS; i++) {
      CHECK(k % 3 == 0 || fabs(error[i][0]) < fabs(before[i][0]));
    }
    memcpy(before, error, sizeof before);
  }
  CHECK(error[0][0] < 0.07 && error[3][0] < 0.02 && error[4][0] < 0.02);
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
