/* Axial vibration of a bar, one end held and one free: L = 25, E = 100, rho = 1, initial velocity
 * v0 sin(pi x / 2L), v0 = 0.1 (Sulsky, Chen, Schreyer 1994). With nu = 0 fixed corotated elasticity
 * is linear here, so the theory is exact: omega = pi/(2L) sqrt(E/rho), mean velocity
 * (2/pi) v0 cos(omega t), mean displacement (2/pi) v0/omega sin(omega t).
 *
 * The held end is the middle of a bar twice as long, or a wall. */
#include "mpm_inputs.h"
#include "validation.h"

static const double length = 25.0, modulus = 100.0, speed = 0.1;

enum { ROWS = 2, PERIODS = 3 };

typedef struct bar {
  int cells;      /* in the length L */
  double courant; /* sound crosses so many cells a step */
  bool wall;      /* nodes up to where the bar is held are stuck, and the bar goes on behind them */
} bar;

typedef struct measured {
  oscillation velocity;
  double time_step, period_error;          /* relative */
  double mean_velocity, mean_displacement; /* largest differences from theory */
} measured;

/* mean of the half that the theory is about */
static void group_of_the_free_half(scene *s, int columns, int held) {
  int n = 0;
  for (int p = 0; p < s->model.n_particles; p++) {
    if (p % columns >= held) {
      s->particles[n++] = p;
    }
  }
  s->groups[0].count = n;
}

static measured vibrate(bar b) {
  const double cell = length / b.cells, dt = b.courant * cell / sqrt(modulus);
  const double omega = 0.5 * validation_pi / length * sqrt(modulus);
  const int steps = (int)ceil(PERIODS * 2.0 * validation_pi / omega / dt);
  const int behind = b.wall ? 3 * ROWS : 2 * b.cells, columns = behind + 2 * b.cells;
  const double held = (behind / 2 + 3 - (b.wall ? validation_held : 0.0)) * cell;
  scene s;
  unsigned char *observe = malloc((size_t)steps + 1);
  memset(observe, 1, (size_t)steps + 1);
  scene_make(&s, 2, 64, columns / 2 + 10, cell, dt, steps, columns * ROWS, 1);
  s.mpm.grid[1] = 9;
  s.observe = observe;
  s.model.memory = validation_memory;
  group_of_the_free_half(&s, columns, behind);
  if (b.wall) {
    s.boundaries[0] =
        scene_half_space(CQ_BOUNDARY_slip, 2, 1.0, 0.0, 0.0, (behind / 2 + 3.5) * cell, 0.0);
    s.model.n_boundaries = 1;
  }
  scene_open(&s);
  const double low[2] = {held - 0.5 * cell * behind, 4.0 * cell};
  validation_box(&s, 0, low, columns, ROWS, 0.5 * cell);
  validation_material(&s, CQ_MATERIAL_fixed_corotated, modulus, 0.0, 1.0);
  const double k = 0.5 * validation_pi / length;
  for (int p = 0; p < s.model.n_particles; p++) {
    const double x = scene_at(&s, CQ_INPUT_x)[2 * p] - held;
    if (x > 0.0 || !b.wall) {
      scene_at(&s, CQ_INPUT_v)[2 * p] = speed * sin(k * x);
      scene_at(&s, CQ_INPUT_C)[4 * p] = speed * k * cos(k * x);
    }
  }
  scene_forward(&s);
  const double *z = cq_sim_observations(s.sim);
  double *velocity = malloc(sizeof(double) * ((size_t)steps + 1));
  measured m = {.time_step = dt};
  for (int i = 0; i <= steps; i++) {
    /* the velocity of a step is that of its middle */
    const double t = i * dt, mean = 2.0 / validation_pi * speed;
    velocity[i] = z[i * s.layout.rows->longest + 2];
    m.mean_velocity = fmax(m.mean_velocity, fabs(velocity[i] - mean * cos(omega * (t - 0.5 * dt))));
    m.mean_displacement = fmax(m.mean_displacement, fabs(z[i * s.layout.rows->longest] - z[0] -
                                                         mean / omega * sin(omega * t)));
  }
  m.velocity = validation_oscillation(velocity, steps + 1);
  free(velocity);
  scene_close(&s);
  free(observe);
  return m;
}

enum { MOST = 6 };

/* every number of cells from `first` on, doubled each time */
static void refine(bool wall, double courant, int first, int n, measured *m, FILE *table) {
  const double theory = 4.0 * length / sqrt(modulus);
  for (int i = 0; i < n; i++) {
    const int cells = first << i;
    m[i] = vibrate((bar){cells, courant, wall});
    const double period = m[i].velocity.period * m[i].time_step;
    m[i].period_error = period / theory - 1.0;
    printf("  %s, %3d cells, %.2f cells a step: period %+.4f %%, amplitude -%.4f %% a period, mean "
           "velocity within %.1e, displacement %.1e\n",
           wall ? "wall  " : "middle", cells, courant, 100.0 * m[i].period_error,
           100.0 * m[i].velocity.loss, m[i].mean_velocity, m[i].mean_displacement);
    VALIDATION_ROW(table, "%s,%d,%.2f,%.6f,%.4e,%.4e,%.4e\n", wall ? "wall" : "middle", cells,
                   courant, period, m[i].velocity.loss, m[i].mean_velocity, m[i].mean_displacement);
    CHECK(m[i].velocity.crossings == 2 * PERIODS);
    if (cells >= 10) {
      CHECK_NEAR(m[i].period_error, 0.0, 5e-3);
    }
  }
}

/* 2 / pi v0 = 0.063662 and 2 / pi v0 / omega = 0.101321, at 20 cells and more to 1.3 percent of
 * these; the period is of second order, the loss of amplitude of third. */
static void test_the_middle_is_held(void) {
  measured m[3];
  refine(false, 0.4, 10, 3, m, NULL);
  for (int i = 1; i < 3; i++) {
    CHECK(m[i].mean_velocity < 0.013 * 0.063662 && m[i].mean_displacement < 0.013 * 0.101321);
    CHECK_NEAR(m[i - 1].period_error / m[i].period_error, 4.0, 0.4);
    CHECK(m[i - 1].velocity.loss > 6.0 * m[i].velocity.loss);
    CHECK(m[i].velocity.loss < 2e-4);
  }
  CHECK(m[2].mean_velocity < 0.004 * 0.063662 && m[2].mean_displacement < 0.004 * 0.101321);
}

/* A wall costs amplitude of second order, and holds the bar where validation_held says. */
static void test_a_wall_holds(void) {
  measured m[3];
  refine(true, 0.4, 10, 3, m, NULL);
  for (int i = 1; i < 3; i++) {
    CHECK(m[i - 1].velocity.loss > 3.5 * m[i].velocity.loss);
    CHECK_NEAR(m[i].period_error, 0.0, 8e-4); /* a hundredth of a cell and less */
  }
  CHECK(m[2].velocity.loss < 1e-3);
}

/* The loss goes with the number of steps: each transfer to the grid and back costs the same. */
static void test_all(void) {
  measured m[MOST];
  FILE *table = validation_table("validation_bar", "held,cells,cells_a_step,period,loss,dv,du");
  for (int wall = 0; wall < 2; wall++) {
    for (int i = 0; i < 4; i++) {
      refine(wall != 0, 0.8 / (1 << i), 5, MOST, m, table);
    }
  }
  validation_close(table);
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  RUN(test_the_middle_is_held);
  RUN(test_a_wall_holds);
  if (validation_long) {
    RUN(test_all);
  }
  return TEST_RESULT();
}
