/* What is known exactly of a few grains. */
#include "granular_scene.h"

#include "rng.h"

static const double g_earth = 9.81;

/* Two equal grains head on share their velocity, and give it on if they are elastic. */
static void test_equal_grains(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int elastic = 0; elastic < 2; elastic++) {
      grain_scene g = grain_begin(dim, 64, 2, 0.02, 1e-3, 10);
      grain_of(&g, CQ_GRAIN_x, 1)[0] = 0.045;
      grain_of(&g, CQ_GRAIN_v, 0)[0] = 1.0;
      grain_all(&g, CQ_GRAIN_restitution, elastic);
      grain_check_run(&g, 20);
      CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 0)[0], elastic ? 0.0 : 0.5, 1e-12);
      CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 1)[0], elastic ? 1.0 : 0.5, 1e-12);
      grain_end(&g);
    }
  }
}

/* Unequal ones keep their momentum, and part with e times the speed they met with. */
static void test_restitution(void) {
  grain_scene g = grain_begin(3, 64, 2, 0.02, 1e-3, 10);
  *grain_of(&g, CQ_GRAIN_volume, 1) = grain_volume(3, 0.03);
  *grain_of(&g, CQ_GRAIN_density, 1) = 500.0;
  grain_of(&g, CQ_GRAIN_x, 1)[0] = 0.06;
  grain_of(&g, CQ_GRAIN_v, 0)[0] = 1.0;
  grain_of(&g, CQ_GRAIN_v, 1)[0] = -0.5;
  grain_all(&g, CQ_GRAIN_restitution, 0.6);
  grain_check_run(&g, 40);
  const double m0 = 1000.0 * grain_volume(3, 0.02), m1 = 500.0 * grain_volume(3, 0.03);
  const double v0 = grain_after(&g, CQ_GRAIN_v, 0)[0], v1 = grain_after(&g, CQ_GRAIN_v, 1)[0];
  CHECK_NEAR(m0 * v0 + m1 * v1, m0 - 0.5 * m1, 1e-14);
  CHECK_NEAR((v1 - v0) / 1.5, 0.6, 1e-12);
  grain_end(&g);
}

/* A touching pair that falls has no impulse between it. */
static void test_free_fall(void) {
  grain_scene g = grain_begin(3, 64, 2, 0.02, 1e-3, 10);
  grain_of(&g, CQ_GRAIN_x, 1)[2] = 0.04;
  grain_all(&g, CQ_GRAIN_grain_friction, 0.5);
  grain_gravity(&g)[2] = -g_earth;
  grain_check_run(&g, 100);
  CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 0)[2], -0.1 * g_earth, 1e-12);
  CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 1)[2], -0.1 * g_earth, 1e-12);
  grain_end(&g);
}

/* On an incline: without spin a grain sticks, or slides by g (sin - mu cos); with it, it rolls by
 * 5/7 g sin (a disc by 2/3), or slides where that needs more friction than there is. */
static void test_inclines(void) {
  const double mu = 0.5, time = 0.4;
  for (int dim = 2; dim <= 3; dim++) {
    for (int spins = 0; spins < 2; spins++) {
      for (int degrees = 10; degrees <= 70; degrees += 20) {
        const double t = degrees * GRAIN_PI / 180.0;
        const double roll = dim == 2 ? 2.0 / 3.0 : 5.0 / 7.0;
        const double slide = g_earth * (sin(t) - mu * cos(t));
        const double grip = spins ? roll * g_earth * sin(t) : 0.0;
        grain_scene g = grain_begin(dim, 64, 1, 0.02, 1e-3, 10);
        g.own.spins = spins != 0;
        const double normal[3] = {sin(t), dim == 2 ? cos(t) : 0.0, cos(t)};
        const double point[3] = {0.0};
        grain_plane(&g, point, normal, mu);
        for (int a = 0; a < dim; a++) {
          grain_of(&g, CQ_GRAIN_x, 0)[a] = 0.02 * normal[a];
        }
        grain_gravity(&g)[dim - 1] = -g_earth;
        grain_check_run(&g, 400);
        const double *v = grain_after(&g, CQ_GRAIN_v, 0);
        const double along = v[0] * cos(t) - v[dim - 1] * sin(t);
        CHECK_NEAR(along, time * fmax(slide, grip), 1e-5 * time * g_earth);
        grain_end(&g);
      }
    }
  }
}

/* A grain that slides on a floor comes to roll at 5/7 of its speed, at t = 2 v / (7 mu g). */
static void test_slip_to_roll(void) {
  const double mu = 0.3, v0 = 1.0, dt = 1e-3;
  const double up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0};
  for (int steps = 50; steps <= 300; steps += 125) {
    grain_scene g = grain_begin(3, 64, 1, 0.02, dt, 10);
    grain_plane(&g, origin, up, mu);
    grain_of(&g, CQ_GRAIN_x, 0)[2] = 0.02;
    grain_of(&g, CQ_GRAIN_v, 0)[0] = v0;
    grain_gravity(&g)[2] = -g_earth;
    grain_check_run(&g, steps);
    const double slips = fmin(steps * dt, 2.0 * v0 / (7.0 * mu * g_earth));
    CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 0)[0], v0 - mu * g_earth * slips, 1e-5);
    CHECK_NEAR(grain_after(&g, CQ_GRAIN_spin, 0)[1], 2.5 * mu * g_earth * slips / 0.02, 1e-3);
    grain_end(&g);
  }
}

/* Rolling friction slows a rolling grain by 5/7 mu_r g, and stops it. */
static void test_rolling_friction(void) {
  const double up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0};
  for (int stops = 0; stops < 2; stops++) {
    const double rolling = stops ? 0.4 : 0.02, v0 = 1.0;
    grain_scene g = grain_begin(3, 64, 1, 0.02, 1e-3, 10);
    grain_plane(&g, origin, up, 0.8);
    grain_of(&g, CQ_GRAIN_x, 0)[2] = 0.02;
    grain_of(&g, CQ_GRAIN_v, 0)[0] = v0;
    grain_of(&g, CQ_GRAIN_spin, 0)[1] = v0 / 0.02;
    grain_all(&g, CQ_GRAIN_rolling_friction, rolling);
    grain_gravity(&g)[2] = -g_earth;
    grain_check_run(&g, 500);
    const double v = stops ? 0.0 : v0 - 5.0 / 7.0 * rolling * g_earth * 0.5;
    CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, 0)[0], v, 1e-5);
    grain_end(&g);
  }
}

/* An oblique hit with gross sliding: mu (1 + e) v_n of tangential speed is lost, 5/2 of it over r
 * is spin; energy does not grow at any angle. */
static void test_oblique_hit(void) {
  const double mu = 0.1, e = 0.8, r = 0.02, up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0};
  for (int degrees = 5; degrees <= 85; degrees += 20) {
    const double t = degrees * GRAIN_PI / 180.0, vt = 3.0 * sin(t), vn = 3.0 * cos(t);
    grain_scene g = grain_begin(3, 64, 1, r, 1e-4, 10);
    grain_plane(&g, origin, up, mu);
    grain_of(&g, CQ_GRAIN_x, 0)[2] = 1.1 * r;
    grain_of(&g, CQ_GRAIN_v, 0)[0] = vt;
    grain_of(&g, CQ_GRAIN_v, 0)[2] = -vn;
    grain_all(&g, CQ_GRAIN_restitution, e);
    grain_check_run(&g, 400);
    const double lost = fmin(mu * (1.0 + e) * vn, 2.0 / 7.0 * vt);
    const double *v = grain_after(&g, CQ_GRAIN_v, 0), w = grain_after(&g, CQ_GRAIN_spin, 0)[1];
    CHECK_NEAR(v[2], e * vn, 1e-10);
    CHECK_NEAR(v[0], vt - lost, 1e-10);
    CHECK_NEAR(w, 2.5 * lost / r, 1e-8);
    CHECK(v[0] * v[0] + v[2] * v[2] + 0.4 * r * r * w * w <= 9.0 + 1e-9);
    grain_end(&g);
  }
}

/* Two materials have numbers of their own in place of the mean: an oblique hit loses by sliding
 * what their friction is, or what the mean of frictions is. */
static void test_pairs(void) {
  const double vt = 2.0, vn = 1.0, own_friction = 0.05, own_bounce = 0.5;
  const cq_granular_pair mean = {NAN, NAN, NAN, NAN};
  const cq_granular_pair own = {own_friction, NAN, own_bounce, NAN};
  const cq_granular_pair table[4] = {mean, own, own, mean};
  for (int with = 0; with < 2; with++) {
    const unsigned char material[2] = {0, 1};
    grain_scene g = grain_begin(3, 64, 2, 0.02, 1e-4, 20);
    g.own.n_materials = 2;
    g.own.material = material;
    g.own.pairs = with ? table : NULL;
    grain_of(&g, CQ_GRAIN_x, 1)[0] = 0.0401;
    grain_of(&g, CQ_GRAIN_v, 0)[0] = vn;
    grain_of(&g, CQ_GRAIN_v, 0)[1] = vt;
    *grain_of(&g, CQ_GRAIN_grain_friction, 0) = 0.04;
    *grain_of(&g, CQ_GRAIN_grain_friction, 1) = 0.25;
    grain_check_run(&g, 10);
    const double friction = with ? own_friction : 0.1, bounce = with ? own_bounce : 0.0;
    const double *a = grain_after(&g, CQ_GRAIN_v, 0), *b = grain_after(&g, CQ_GRAIN_v, 1);
    /* the line of centres turns a little before they meet */
    CHECK_NEAR(b[0] - a[0], bounce * vn, 0.03);
    CHECK_NEAR(a[1] - b[1], vt - friction * (1.0 + bounce) * vn, 0.03);
    grain_end(&g);
  }
}

/* Grains that cohere part where they are pulled with more than their cohesion. */
static void test_cohesion(void) {
  const double force = 0.01, m = 1000.0 * grain_volume(3, 0.02), down[3] = {0.0, 0.0, -1.0};
  const double origin[3] = {0.0};
  for (int more = 0; more < 2; more++) { /* it hangs from a ceiling, or falls */
    grain_scene g = grain_begin(3, 64, 1, 0.02, 1e-3, 10);
    grain_plane(&g, origin, down, 0.0);
    grain_of(&g, CQ_GRAIN_x, 0)[2] = -0.02;
    grain_all(&g, CQ_GRAIN_cohesion, force);
    grain_gravity(&g)[2] = -(more ? 1.01 : 0.99) * force / m;
    grain_check_run(&g, 1000);
    CHECK((grain_after(&g, CQ_GRAIN_x, 0)[2] < -0.021) == (more == 1));
    grain_end(&g);
  }
}

/* A stack of 20 on a floor: at rest after 3 s, and as high as it is. */
static void test_stack(void) {
  const double r = 0.02, up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0};
  grain_scene g = grain_begin(3, 64, 20, r, 1e-3, 10);
  grain_plane(&g, origin, up, 0.5);
  for (int i = 0; i < 20; i++) {
    grain_of(&g, CQ_GRAIN_x, i)[2] = (2 * i + 1) * r;
  }
  grain_all(&g, CQ_GRAIN_grain_friction, 0.5);
  grain_gravity(&g)[2] = -g_earth;
  grain_check_run(&g, 3000);
  for (int i = 0; i < 20; i++) {
    const double below = i > 0 ? grain_after(&g, CQ_GRAIN_x, i - 1)[2] : -r;
    CHECK_NEAR(grain_after(&g, CQ_GRAIN_x, i)[2] - below, 2.0 * r, 0.003 * r);
    CHECK_NEAR(grain_after(&g, CQ_GRAIN_v, i)[2], 0.0, 1e-8);
  }
  CHECK(grain_tally(&g, CQ_GRAIN_PENETRATION) < 3000);
  grain_end(&g);
}

/* The paper's algorithm has the faults that are known of it. */
static void test_paper(void) {
  grain_scene g = grain_begin(3, 64, 2, 0.02, 1e-3, 3);
  g.own.solver = CQ_GRANULAR_PAPER;
  grain_of(&g, CQ_GRAIN_x, 1)[2] = 0.0399;
  grain_gravity(&g)[2] = -9.8;
  g.own.warm = false;
  grain_check_run(&g, 1);
  /* the upper one lags by g dt, and by what mends its overlap */
  CHECK(grain_after(&g, CQ_GRAIN_v, 1)[2] > -0.5 * 9.8e-3);
  grain_end(&g);
}

/* --- many grains ------------------------------------------------------------------------------ */

/* A cluster that implodes, with spins of its own. */
static grain_scene cluster(int dim, int bits, int n, int threads) {
  grain_scene g = grain_begin(dim, bits, n, 0.02, 1e-3, 10);
  cq_rng rng = cq_rng_seed(7);
  cq_ctx_set_threads(g.ctx, threads);
  const int side = (int)ceil(pow(n, 1.0 / dim));
  for (int i = 0; i < n; i++) {
    const int at[3] = {i % side, i / side % side, dim == 3 ? i / side / side : 0};
    *grain_of(&g, CQ_GRAIN_volume, i) = grain_volume(dim, 0.015 + 0.005 * cq_rng_uniform(&rng));
    for (int a = 0; a < dim; a++) {
      const double x = 0.042 * (at[a] - 0.5 * side);
      grain_of(&g, CQ_GRAIN_x, i)[a] = x + 0.0005 * cq_rng_uniform(&rng);
      grain_of(&g, CQ_GRAIN_v, i)[a] = -2.0 * x + cq_rng_normal(&rng);
    }
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
      grain_of(&g, CQ_GRAIN_spin, i)[k] = 10.0 * cq_rng_normal(&rng);
    }
  }
  grain_all(&g, CQ_GRAIN_grain_friction, 0.5);
  grain_all(&g, CQ_GRAIN_rolling_friction, 0.1);
  grain_all(&g, CQ_GRAIN_restitution, 0.3);
  return g;
}

/* momentum, then angular momentum; scale: sums of what they are made of */
static void momenta(const grain_scene *g, const double *x, const double *v, const double *w,
                    double *sum, double *scale) {
  const int dim = g->model.dim;
  memset(sum, 0, 6 * sizeof *sum);
  memset(scale, 0, 2 * sizeof *scale);
  for (int i = 0; i < g->model.n_particles; i++) {
    const double volume = g->inputs[g->layout.offset[CQ_GRAIN_volume] + (size_t)i];
    const double r = dim == 2 ? sqrt(volume / GRAIN_PI) : cbrt(0.75 * volume / GRAIN_PI);
    const double m = 1000.0 * volume, inertia = (dim == 2 ? 0.5 : 0.4) * m * r * r;
    double p[3] = {0}, q[3] = {0}, s[3] = {0};
    for (int a = 0; a < dim; a++) {
      p[a] = x[i * dim + a];
      q[a] = v[i * dim + a];
    }
    for (int a = dim == 2 ? 2 : 0; a < 3; a++) {
      s[a] = w[dim == 2 ? i : i * 3 + a];
    }
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const double l = m * (p[b] * q[c] - p[c] * q[b]) + inertia * s[a];
      sum[a] += m * q[a];
      sum[3 + a] += l;
      scale[0] += m * fabs(q[a]);
      scale[1] += fabs(l);
    }
  }
}

static void check_momenta(grain_scene *g, int steps, double tolerance) {
  double before[6], after[6], scale[2];
  grain_check_run(g, steps);
  momenta(g, grain_of(g, CQ_GRAIN_x, 0), grain_of(g, CQ_GRAIN_v, 0), grain_of(g, CQ_GRAIN_spin, 0),
          before, scale);
  momenta(g, grain_after(g, CQ_GRAIN_x, 0), grain_after(g, CQ_GRAIN_v, 0),
          grain_after(g, CQ_GRAIN_spin, 0), after, scale);
  for (int k = 0; k < 6; k++) {
    CHECK_NEAR((after[k] - before[k]) / scale[k / 3], 0.0, tolerance);
  }
  CHECK(grain_tally(g, CQ_GRAIN_CONTACTS) > 10 * g->model.n_particles);
  grain_end(g);
}

static void test_momentum(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      grain_scene g = cluster(dim, 64, 1000, 1);
      g.own.solver = jacobi ? CQ_GRANULAR_JACOBI : CQ_GRANULAR_NCP;
      g.own.warm = !jacobi;
      check_momenta(&g, 300, 1e-12);
      g = cluster(dim, 32, 1000, 1);
      check_momenta(&g, 300, 1e-5);
    }
  }
}

/* The same cluster in a train: the same motion but for the train's. */
static void test_galilei(void) {
  const int n = 200, steps = 100;
  grain_scene still = cluster(3, 64, n, 1), train = cluster(3, 64, n, 1);
  for (int i = 0; i < n; i++) {
    grain_of(&train, CQ_GRAIN_v, i)[0] += 16.0;
  }
  grain_check_run(&still, steps);
  grain_check_run(&train, steps);
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    const double *a = grain_after(&still, CQ_GRAIN_x, i), *b = grain_after(&train, CQ_GRAIN_x, i);
    worst = fmax(worst, fabs(b[0] - a[0] - 16.0 * steps * 1e-3));
    worst = fmax(worst, fabs(b[2] - a[2]));
  }
  /* rounding grows by a hundred in these steps */
  CHECK_MSG(worst < 1e-8, "%g m", worst);
  grain_end(&still);
  grain_end(&train);
}

/* The same bits for any number of threads: units, what is between them, and walls. Eight units are
 * four pairs, which threads share evenly, unevenly, and with one to spare. */
static void test_threads(void) {
  static const int threads[] = {1, 2, 3, 5};
  for (int bits = 32; bits <= 64; bits += 32) {
    for (int solver = 0; solver < 3; solver++) {
      grain_scene g[4];
      for (int k = 0; k < 4; k++) {
        const double up[3] = {0.0, 0.0, 1.0}, low[3] = {0.0, 0.0, -0.5};
        g[k] = cluster(3, bits, 8000, threads[k]);
        g[k].own.solver = (cq_granular_solver)solver;
        g[k].own.warm = solver == CQ_GRANULAR_NCP;
        g[k].own.iterations = 4;
        grain_plane(&g[k], low, up, 0.4);
        grain_check_run(&g[k], 12);
      }
      for (int k = 1; k < 4; k++) {
        CHECK(memcmp(g[0].state, g[k].state, g[0].layout.state_total * sizeof(double)) == 0);
        grain_end(&g[k]);
      }
      grain_end(&g[0]);
    }
  }
}

/* Cells by a hash table are the same cells: the same bits, also where some grains are fast. */
static void test_hash(void) {
  for (int dim = 2; dim <= 3; dim++) {
    grain_scene g[2];
    for (int k = 0; k < 2; k++) {
      g[k] = cluster(dim, 64, 2000, 1);
      g[k].own.hashed = k == 1;
      grain_of(&g[k], CQ_GRAIN_v, 7)[0] = 30.0;
      grain_check_run(&g[k], 60);
      CHECK(grain_tally(&g[k], CQ_GRAIN_LISTS) > 0);
    }
    CHECK(memcmp(g[0].state, g[1].state, g[0].layout.state_total * sizeof(double)) == 0);
    grain_end(&g[0]);
    grain_end(&g[1]);
  }
}

/* --- what is refused -------------------------------------------------------------------------- */

static void check_refused(grain_scene g, const char *words) {
  CHECK(grain_run(&g, 1) != CQ_OK);
  CHECK_MSG(strstr(cq_ctx_error(g.ctx), words) != NULL, "%s", cq_ctx_error(g.ctx));
  grain_end(&g);
}

static void test_refused(void) {
  check_refused(grain_begin(3, 64, 2, 0.02, 1e-3, 1), "adds energy");
  grain_scene g = grain_begin(3, 64, 2, 0.02, 1e-3, 4);
  g.own.solver = CQ_GRANULAR_JACOBI;
  check_refused(g, "at least 5");
  g = grain_begin(3, 64, 60, 0.02, 1e-3, 4); /* all in one place */
  check_refused(g, "lie in each other");
  g = grain_begin(3, 64, 1, 0.02, 1e-3, 4);
  g.model.room.high[1] = 0.001;
  grain_of(&g, CQ_GRAIN_v, 0)[1] = 2.0;
  check_refused(g, "left the room");
  g = grain_begin(3, 64, 1, 0.02, 1e-3, 4);
  grain_of(&g, CQ_GRAIN_v, 0)[1] = NAN;
  check_refused(g, "v of particle 0 is not finite");
}

int main(void) {
  RUN(test_equal_grains);
  RUN(test_restitution);
  RUN(test_free_fall);
  RUN(test_inclines);
  RUN(test_slip_to_roll);
  RUN(test_rolling_friction);
  RUN(test_oblique_hit);
  RUN(test_pairs);
  RUN(test_cohesion);
  RUN(test_stack);
  RUN(test_paper);
  RUN(test_momentum);
  RUN(test_galilei);
  RUN(test_threads);
  RUN(test_hash);
  RUN(test_refused);
  return TEST_RESULT();
}
