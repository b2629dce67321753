/* The derivatives of the fluid's point headers, against dual numbers. */
#include "dual.h"

#include "rigid_random.h"

#include "linear.h"
#include "penalty.h"

enum { TRIES = 50 };

/* some place within a support, and where it goes */
static vec some_place(double h, Dual *square) {
  vec d = some<vec>(0.6 * h);
  *square = vec_dot(d, d);
  return d;
}

/* W, W'/r and viscosity change along d as their rates say. */
static void test_rates(void) {
  const kernel k = kernel_make(0.08);
  for (int i = 0; i < TRIES; i++) {
    Dual square;
    const vec d = some_place(k.h, &square);
    const Dual r = real_sqrt(square), q = r * k.inverse;
    const double change = 0.5 * square.d; /* d . its change */
    const double slope = kernel_slope(&k, q).v, bend = kernel_bend(&k, q).v;
    const double size = std::fabs(slope) + 1.0;
    CHECK_NEAR(kernel_value(&k, q).d / size, slope * change / size, close_enough);
    const double steep = std::fabs(bend) + 1.0;
    CHECK_NEAR(kernel_slope(&k, q).d / steep, bend * change / steep, close_enough);
    const Dual viscosity = pair_viscosity(&k, 3.0, 2.0, square);
    const double thick = std::fabs(viscosity.v) + 1.0;
    CHECK_NEAR(viscosity.d / thick,
               viscosity.v * pair_viscosity_rate(&k, square.v).v * square.d / thick, close_enough);
    const Dual drag = pair_drag(&k, 1.0, kernel_slope(&k, q), square);
    const double rate = pair_drag_rate(&k, slope, bend, square.v).v;
    CHECK_NEAR(drag.d / (std::fabs(rate) + 1.0), rate * change / (std::fabs(rate) + 1.0),
               close_enough);
    const Dual pull = pair_cohesion(&k, r) / r;
    const double stretch = pair_cohesion_rate(&k, r.v).v;
    CHECK_NEAR(pull.d / (std::fabs(stretch) + 1.0), stretch * change / (std::fabs(stretch) + 1.0),
               close_enough);
    const vec g = seed<vec>();
    vec gradient = vec_scale(kernel_slope(&k, q), d), ways = d;
    const vec back = linear_pull(slope, bend, d, g);
    CHECK_NEAR(moved(g, gradient) / steep, paired(back, ways) / steep, close_enough);
  }
  CHECK(kernel_bend(&k, 0.0).v == 0.0 && kernel_bend(&k, 1.5).v == 0.0);
  CHECK(pair_viscosity_rate(&k, 0.0).v == 0.0);
}

static meeting some_meeting(void) {
  meeting m = some<meeting>();
  m.weight = Dual(1.0 + uniform(0.5), uniform(1.0));
  return m;
}

static void test_contact(void) {
  const contact_law law = {30.0, 0.01};
  for (int i = 0; i < TRIES; i++) {
    const vec v = some<vec>(), s = seed<vec>();
    const meeting m = some_meeting();
    const vec f = contact_force(&law, v, &m);
    const meeting dm = along(m);
    const vec df = contact_force_tangent(&law, v, along(v), &m, &dm);
    vec back = vec_zero();
    meeting all = meeting_zero();
    contact_force_adjoint(&law, v, &m, s, &back, &all);
    double size = 1.0;
    FOR_AXES(a) {
      size += std::fabs(f.v[a].d);
    }
    CHECK_NEAR(off(df, f) / size, 0.0, close_enough);
    CHECK_NEAR(moved(s, f) / size, (paired(back, v) + paired(all, m)) / size, close_enough);
  }
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_rates);
  RUN(test_contact);
  return TEST_RESULT();
}
