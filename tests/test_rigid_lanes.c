/* rigid.h with a point in each lane: every lane is what a point alone is. */
#include "rigid.h"
#include "test.h"

/* velocity of the surface, in double and by hand */
static double velocity(const cq_placed *b, const double *x, int a) {
  const int i = (a + 1) % 3, k = (a + 2) % 3;
  return b->v[a] + b->belt[a] + b->w[i] * (x[k] - b->x[k]) - b->w[k] * (x[i] - b->x[i]);
}

static void test_lanes(void) {
  const cq_placed body = {{0.1, 0.2, 0.3},
                          {{0.6, -0.8, 0.0}, {0.8, 0.6, 0.0}, {0.0, 0.0, 1.0}},
                          {1.0, -2.0, 0.5},
                          {0.3, 0.7, -0.9},
                          {0.0, 0.25, 0.0}};
  const placed b = placed_read(&body);
  vec x;
  FOR_AXES(a) {
    for (int lane = 0; lane < LANES; lane++) {
      x.v[a][lane] = (scalar)(0.3 * a - 0.17 * lane);
    }
  }
  const vec v = placed_velocity(&b, x), local = placed_local(&b, x), back = placed_point(&b, local);
  for (int lane = 0; lane < LANES; lane++) {
    const double at[3] = {x.v[0][lane], x.v[1][lane], x.v[2][lane]};
    FOR_AXES(a) {
      CHECK_NEAR(v.v[a][lane], velocity(&body, at, a), 1e-6);
      CHECK_NEAR(back.v[a][lane], at[a], 1e-6);
    }
    CHECK_NEAR(local.v[0][lane], 0.6 * (at[0] - 0.1) + 0.8 * (at[1] - 0.2), 1e-6);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_lanes);
  return TEST_RESULT();
}
