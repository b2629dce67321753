/* A room without end along one axis. */
#include "granular_scene.h"
#include "rng.h"

static const double g_earth = 9.81;

/* The room along an axis, from `low` on. */
static void without_end(grain_scene *s, int axis, double low, double length) {
  s->model.room.low[axis] = low;
  s->model.room.high[axis] = low + length;
  s->own.cyclic = 1 + axis;
}

static double nearest(double d, double period) {
  return d - period * floor(d / period + 0.5);
}

/* n grains at random in a box, at rest. */
static grain_scene cloud(int dim, int bits, int n, double r, const double *size, int threads) {
  grain_scene s = grain_begin(dim, bits, n, r, 1e-3, 4);
  cq_rng rng = cq_rng_seed(11);
  cq_ctx_destroy(s.ctx);
  s.ctx = cq_ctx_create(threads, 1);
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < dim; a++) {
      grain_of(&s, CQ_GRAIN_x, i)[a] = size[a] * cq_rng_uniform(&rng);
    }
  }
  return s;
}

/* All pairs that are near are contacts, across the end, too, whichever axis it is, and however
 * short. */
static void test_list_is_whole(void) {
  enum { GRAINS = 600 };
  const double r = 0.02;
  for (int dim = 2; dim <= 3; dim++) {
    for (int axis = 0; axis < dim; axis++) {
      for (int k = 0; k < 3; k++) {
        const double period = k == 0 ? 2.0 : k == 1 ? 0.5 : 0.21;
        double size[3] = {0.4, 0.4, 0.3};
        size[axis] = period;
        grain_scene s = cloud(dim, 64, dim == 2 ? GRAINS / 5 : GRAINS, r, size, 1);
        without_end(&s, axis, 0.0, period);
        long long near = 0;
        for (int i = 0; i < s.model.n_particles; i++) {
          for (int j = 0; j < i; j++) {
            double square = 0.0;
            for (int a = 0; a < dim; a++) {
              double d = grain_of(&s, CQ_GRAIN_x, i)[a] - grain_of(&s, CQ_GRAIN_x, j)[a];
              d = a == axis ? nearest(d, period) : d;
              square += d * d;
            }
            near += sqrt(square) - 2.0 * r < 0.05 * 2.0 * r;
          }
        }
        s.own.iterations = 1;
        s.own.warm = false;
        grain_check_run(&s, 1);
        CHECK_MSG(grain_tally(&s, CQ_GRAIN_CONTACTS) == near, "%dD axis %d of %g m: %lld, not %lld",
                  dim, axis, period, grain_tally(&s, CQ_GRAIN_CONTACTS), near);
        grain_end(&s);
      }
    }
  }
}

/* Two grains that hit each other through the end share their speed, and what is seen of their place
 * goes on. */
static void test_hit(void) {
  grain_scene s = grain_begin(3, 64, 2, 0.02, 1e-3, 10);
  without_end(&s, 0, 0.0, 1.0);
  grain_of(&s, CQ_GRAIN_x, 0)[0] = 0.9;
  grain_of(&s, CQ_GRAIN_v, 0)[0] = 1.0;
  grain_of(&s, CQ_GRAIN_x, 1)[0] = 0.1;
  const cq_channel channel = {.quantity = CQ_Q_POSITION};
  s.model.channels = &channel;
  s.model.n_channels = 1;
  grain_check_run(&s, 3000);
  CHECK_NEAR(grain_after(&s, CQ_GRAIN_v, 0)[0], 0.5, 1e-9);
  CHECK_NEAR(grain_after(&s, CQ_GRAIN_v, 1)[0], 0.5, 1e-9);
  CHECK_NEAR(cq_sim_observations(s.sim)[3 * 3000], 0.5 + 0.5 * 3.0, 1e-9);
  for (int i = 0; i < 2; i++) { /* records show the room */
    const double x = grain_after(&s, CQ_GRAIN_x, i)[0];
    CHECK(x >= 0.0 && x < 1.0);
  }
  grain_end(&s);
}

/* Where along the axis a heap of grains stands changes nothing of how it falls. */
static void test_shifted(void) {
  enum { GRAINS = 150, STEPS = 250 };
  const double r = 0.02, size[3] = {0.3, 0.4, 0.2}, up[3] = {0.0, 1.0, 0.0}, at[3] = {0.0};
  const double shift[3] = {0.0, 0.43, 0.77}, period = 0.8;
  double x[3][GRAINS][3];
  for (int k = 0; k < 3; k++) {
    grain_scene s = cloud(3, 64, GRAINS, r, size, 1);
    without_end(&s, 0, 0.0, period);
    s.own.iterations = 200; /* so that their order does not matter */
    grain_plane(&s, at, up, 0.5);
    for (int i = 0; i < GRAINS; i++) {
      double *p = grain_of(&s, CQ_GRAIN_x, i);
      p[0] = 0.05 * (i % 6) + shift[k];
      p[0] -= period * floor(p[0] / period);
      p[1] = 0.03 + 0.05 * (i / 30);
      p[2] = 0.05 * (i / 6 % 5) + 0.01 * (i / 30 % 2);
    }
    grain_all(&s, CQ_GRAIN_grain_friction, 0.5);
    grain_gravity(&s)[0] = 1.0;
    grain_gravity(&s)[1] = -g_earth;
    grain_check_run(&s, STEPS);
    for (int i = 0; i < GRAINS; i++) {
      memcpy(x[k][i], grain_after(&s, CQ_GRAIN_x, i), sizeof x[k][i]);
    }
    grain_end(&s);
  }
  double most = 0.0;
  for (int k = 1; k < 3; k++) {
    for (int i = 0; i < GRAINS; i++) {
      most = fmax(most, fabs(nearest(x[k][i][0] - x[0][i][0] - shift[k], period)));
      most = fmax(most, fabs(x[k][i][1] - x[0][i][1]));
      most = fmax(most, fabs(x[k][i][2] - x[0][i][2]));
    }
  }
  printf("  a heap elsewhere is off by %.1e m\n", most);
  CHECK(most < 1e-4);
}

/* A grain that slides down a slope meets a hurdle at each lap: it stands in the middle of the room,
 * or in its end. */
static void test_tool(void) {
  for (int k = 0; k < 2; k++) {
    const double up[3] = {0.0, 1.0, 0.0}, at[3] = {0.0}, r = 0.02;
    grain_scene s = grain_begin(3, 64, 1, r, 1e-3, 20);
    without_end(&s, 0, 0.0, 1.0);
    grain_plane(&s, at, up, 0.0);
    grain_plane(&s, at, up, 0.0);
    s.parts[1] = (cq_shape){.kind = CQ_SHAPE_box, .dim = 3};
    s.parts[1].center[0] = s.tools[1].origin[0] = k == 0 ? 0.5 : 0.99;
    s.parts[1].size[0] = s.parts[1].size[1] = s.parts[1].size[2] = 0.1;
    grain_of(&s, CQ_GRAIN_x, 0)[0] = k == 0 ? 0.7 : 0.19;
    grain_of(&s, CQ_GRAIN_x, 0)[1] = r;
    grain_of(&s, CQ_GRAIN_v, 0)[0] = 1.0;
    grain_gravity(&s)[1] = -g_earth;
    grain_check_run(&s, 1000); /* 0.73 m to the hurdle */
    CHECK_NEAR(grain_after(&s, CQ_GRAIN_v, 0)[0], 0.0, 1e-9);
    CHECK_NEAR(grain_after(&s, CQ_GRAIN_x, 0)[0], (k == 0 ? 0.5 : 0.99) - 0.05 - r, 1e-3);
    grain_end(&s);
  }
}

/* Several units, the first and the last of which touch: the same bits for any number of threads. */
static void test_threads(void) {
  enum { GRAINS = 6000 };
  for (int bits = 32; bits <= 64; bits += 32) {
    grain_scene s[2];
    for (int k = 0; k < 2; k++) {
      const double size[3] = {2.4, 0.4, 0.4}, up[3] = {0.0, 1.0, 0.0}, at[3] = {0.0};
      s[k] = cloud(3, bits, GRAINS, 0.012, size, 1 + k);
      without_end(&s[k], 0, 0.0, 2.4);
      grain_plane(&s[k], at, up, 0.4);
      for (int i = 0; i < GRAINS; i++) {
        double *p = grain_of(&s[k], CQ_GRAIN_x, i);
        p[0] = 0.0255 * (i % 94);
        p[1] = 0.014 + 0.026 * (i / 94 / 8);
        p[2] = 0.026 * (i / 94 % 8);
      }
      grain_all(&s[k], CQ_GRAIN_grain_friction, 0.5);
      grain_gravity(&s[k])[0] = 3.0;
      grain_gravity(&s[k])[1] = -g_earth;
      grain_check_run(&s[k], 60);
    }
    CHECK(memcmp(s[0].state, s[1].state, s[0].layout.state_total * sizeof(double)) == 0);
    CHECK(grain_tally(&s[0], CQ_GRAIN_CONTACTS) > 20 * GRAINS);
    grain_end(&s[0]);
    grain_end(&s[1]);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_list_is_whole);
  RUN(test_hit);
  RUN(test_shifted);
  RUN(test_tool);
  RUN(test_threads);
  return TEST_RESULT();
}
