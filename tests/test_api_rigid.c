/* What is observed of rigid bodies in a run, and seeded: turn, spin, force and torque. Products
 * against differences of runs, and the same bits however the run is cut. */
#include "test_api_run.h"

enum { STEPS = 300, SEEN = 2, NAMES = 5 };
static const int seen[SEEN] = {220, 300};
static const char *const names[NAMES] = {"piston.velocity", "piston.force_x", "piston.force_y",
                                         "piston.torque_z", "block.position"};

static double weight(int i, int k) {
  return 0.3 + sin(1.7 * i + k);
}

/* the piston's speed */
static void fill_controls(double *u) {
  for (int k = 0; k < STEPS; k++) {
    u[k] = -0.25 + 0.05 * sin(0.05 * k);
  }
}

static double loss(const run_world *w) {
  double sum = 0.0, z[2];
  for (int i = 0; i < NAMES; i++) {
    const int o = cq_run_find(w->run, CQ_OBSERVABLES, names[i]);
    const size_t n = numbers(w, CQ_OBSERVABLES, o);
    for (int s = 0; s < SEEN; s++) {
      MUST(w, cq_run_observe(w->run, o, seen[s], z, n));
      for (size_t a = 0; a < n; a++) {
        sum += weight(i, 3 * s + (int)a) * z[a];
      }
    }
  }
  return sum;
}

static void seed(const run_world *w) {
  for (int i = 0; i < NAMES; i++) {
    const int o = cq_run_find(w->run, CQ_OBSERVABLES, names[i]);
    const size_t n = numbers(w, CQ_OBSERVABLES, o);
    for (int s = 0; s < SEEN; s++) {
      const double dz[2] = {weight(i, 3 * s), weight(i, 3 * s + 1)};
      MUST(w, cq_run_seed(w->run, o, seen[s], dz, n));
    }
  }
}

/* L with controls moved by t along a smooth direction, in calls of `piece` steps */
static double loss_at(const run_world *w, double t, int piece) {
  double u[STEPS];
  fill_controls(u);
  MUST(w, cq_run_reset(w->run, NULL, 0));
  for (int k = 0; k < STEPS; k++) {
    u[k] += t * sin(0.02 * k);
  }
  for (int k = 0; k < STEPS; k += piece) {
    MUST(w, cq_run_advance(w->run, piece, u + k, (size_t)piece));
  }
  return loss(w);
}

static void test_pull(void) {
  run_world w = open_run("piston_2d", NULL, CQ_RUN_KEEP);
  double g[2][STEPS], slope = 0.0, best = INFINITY, pushed[1];
  for (int i = 0; i < 2; i++) {
    loss_at(&w, 0.0, i == 0 ? STEPS : 20);
    seed(&w);
    MUST(&w, cq_run_pull(w.run));
    MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g[i], STEPS));
  }
  CHECK(memcmp(g[0], g[1], sizeof g[0]) == 0);
  MUST(&w, cq_run_observe(w.run, cq_run_find(w.run, CQ_OBSERVABLES, names[1]), STEPS, pushed, 1));
  CHECK_MSG(pushed[0] > 1.0, "%g N", pushed[0]);
  for (int k = 0; k < STEPS; k++) {
    slope += g[0][k] * sin(0.02 * k);
  }
  for (double t = 1e-4; t > 1e-7; t *= 0.25) {
    const double difference = (loss_at(&w, t, STEPS) - loss_at(&w, -t, STEPS)) / (2 * t);
    best = fmin(best, fabs(difference - slope) / fabs(slope));
  }
  CHECK_MSG(best < 1e-6, "%.10g by the pull is off by %.1e", slope, best);
  close_run(&w);
}

enum { PUSHES = 400 };

/* how the T is turned and spins after some pushes, with controls moved by t along a direction */
static double turned_at(const run_world *w, double t) {
  double u[2 * PUSHES], z[2];
  for (int k = 0; k < 2 * PUSHES; k++) {
    u[k] = (k % 2 == 0 ? 0.18 : -0.02) + t * cos(0.005 * k);
  }
  MUST(w, cq_run_reset(w->run, NULL, 0));
  MUST(w, cq_run_advance(w->run, PUSHES, u, 2 * PUSHES));
  MUST(w, cq_run_observe(w->run, cq_run_find(w->run, CQ_OBSERVABLES, "tee.turn_z"), PUSHES, z, 1));
  MUST(w,
       cq_run_observe(w->run, cq_run_find(w->run, CQ_OBSERVABLES, "tee.spin_z"), PUSHES, z + 1, 1));
  return z[0] + 0.3 * z[1];
}

static void test_turn(void) {
  run_world w = open_run("push_t", NULL, CQ_RUN_KEEP);
  double g[2 * PUSHES], slope = 0.0, best = INFINITY;
  CHECK(fabs(turned_at(&w, 0.0)) > 1e-3);
  for (int i = 0; i < 2; i++) {
    const int o = cq_run_find(w.run, CQ_OBSERVABLES, i == 0 ? "tee.turn_z" : "tee.spin_z");
    MUST(&w, cq_run_seed(w.run, o, PUSHES, (double[1]){i == 0 ? 1.0 : 0.3}, 1));
  }
  MUST(&w, cq_run_pull(w.run));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g, 2 * PUSHES));
  for (int k = 0; k < 2 * PUSHES; k++) {
    slope += g[k] * cos(0.005 * k);
  }
  for (double t = 1e-4; t > 1e-7; t *= 0.25) {
    const double difference = (turned_at(&w, t) - turned_at(&w, -t)) / (2 * t);
    best = fmin(best, fabs(difference - slope) / fabs(slope));
  }
  CHECK_MSG(best < 1e-6, "%.10g by the pull is off by %.1e", slope, best);
  close_run(&w);
}

/* An obstacle has no particles, but is observed and seeded as bodies are. */
static const char *const coming =
    "simulation: { dimension = 2; grid = [20, 16]; cell = 0.05; time_step = 2e-3; steps = 60; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.31, 0.21]; size = [0.2, 0.2]; } );\n"
    "boundaries: { obstacles: ( { type = \"separate\"; shape = \"ball\"; center = [0.571, 0.31];\n"
    "  radius = 0.07; friction = 0.3; velocity = [-0.5, 0]; spin = 3; } ); };\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; } );\n"
    "objective: ( { term = \"height\"; body = \"A\"; } );\n";

static const char *const of_obstacle[] = {"obstacles.[0].force_x", "obstacles.[0].torque_z",
                                          "obstacles.[0].turn_z"};
enum { COMING = 30, OF_OBSTACLE = 3 };

/* what there is at the end, where the block begins to move with (t, t/2) */
static double coming_at(const run_world *w, double t, double *z) {
  const double v[2] = {t, 0.5 * t};
  double sum = 0.0;
  MUST(w, cq_run_reset(w->run, v, 2));
  MUST(w, cq_run_advance(w->run, COMING, NULL, 0));
  for (int i = 0; i < OF_OBSTACLE; i++) {
    const int o = cq_run_find(w->run, CQ_OBSERVABLES, of_obstacle[i]);
    MUST(w, cq_run_observe(w->run, o, COMING, &z[i], 1));
    sum += (1.0 + i) * z[i];
  }
  return sum;
}

static void test_obstacle(void) {
  run_world w = {.ctx = cq_ctx_create(1, 1)};
  double z[OF_OBSTACLE], g[2], best = INFINITY;
  MUST(&w, cq_file_parse(w.ctx, coming, "coming.cfg", ".", NULL, 0, &w.file));
  MUST(&w, cq_run_create(w.file, CQ_RUN_KEEP, &w.run));
  coming_at(&w, 0.0, z);
  CHECK_MSG(z[0] > 1e-2 && fabs(z[1]) > 1e-6, "%g N, %g N m", z[0], z[1]);
  CHECK_NEAR(z[2], 0.18, 1e-12);
  for (int i = 0; i < OF_OBSTACLE; i++) {
    const int o = cq_run_find(w.run, CQ_OBSERVABLES, of_obstacle[i]);
    MUST(&w, cq_run_seed(w.run, o, COMING, (double[1]){1.0 + i}, 1));
  }
  MUST(&w, cq_run_pull(w.run));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_DESIGN, g, 2));
  const double slope = g[0] + 0.5 * g[1];
  for (double t = 1e-3; t > 1e-8; t *= 0.25) {
    const double difference = (coming_at(&w, t, z) - coming_at(&w, -t, z)) / (2 * t);
    best = fmin(best, fabs(difference - slope) / fabs(slope));
  }
  CHECK_MSG(best < 1e-6, "%.10g by the pull is off by %.1e", slope, best);
  close_run(&w);
}

int main(void) {
  RUN(test_pull);
  RUN(test_turn);
  RUN(test_obstacle);
  return TEST_RESULT();
}
