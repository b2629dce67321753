/* The pin of two bodies: what it asks for, and its derivatives against dual numbers. */
#include "dual.h"

#include "rigid_random.h"

#include "pin.h"

enum { TRIES = 20 };

static const double h = 0.1;

/* which of the bodies an impulse moves: both, one, the other */
static pin some_pin(int tries) {
  pin p;
  for (int k = 0; k < 2; k++) {
    p.side[k] = some<pin_side>();
    p.side[k].m = some_heft();
    p.side[k].R = turn_matrix(some_pose().q);
    p.moves[k] = tries % 3 != 2 - k;
  }
  pin_place(&p, h);
  return p;
}

/* Momentum and angular momentum are kept, and with them what is not pinned. */
static void test_impulse(void) {
  for (int i = 0; i < TRIES; i++) {
    const pin p = some_pin(i);
    twist t[2] = {some<twist>(), some<twist>()};
    const vec impulse = pin_impulse(&p, t);
    for (int k = 0; k < 2; k++) {
      const twist kick = heft_kick(&p.side[k].m, p.side[k].R, pin_wrench(&p, k, impulse));
      t[k].v = p.moves[k] ? vec_add(t[k].v, kick.v) : t[k].v;
      t[k].w = p.moves[k] ? spin_add(t[k].w, kick.w) : t[k].w;
    }
    const vec left =
        vec_sub(vec_sub(pin_velocity(&p, 0, t[0]), pin_velocity(&p, 1, t[1])), p.target);
    CHECK_NEAR(vec_dot(left, left).v, 0.0, 1e-22);
    const vec again = pin_impulse(&p, t);
    CHECK_NEAR(vec_dot(again, again).v, 0.0, 1e-22);
    const vec sum = vec_add(pin_wrench(&p, 0, impulse).f, pin_wrench(&p, 1, impulse).f);
    CHECK_NEAR(vec_dot(sum, sum).v, 0.0, 1e-30);
  }
}

/* Points that move on straight lines but for what spins bend meet at the end of the step. */
static void test_meets(void) {
  double far[2];
  for (int halves = 0; halves < 2; halves++) {
    const double step = halves == 0 ? 0.02 : 0.01;
    rigid_rng = cq_rng_seed(5);
    pin p = some_pin(0);
    twist t[2];
    pose q[2] = {some_pose(), some_pose()};
    for (int k = 0; k < 2; k++) {
      p.side[k].R = turn_matrix(q[k].q);
      p.r[k] = mat_vec(p.side[k].R, p.side[k].arm);
      t[k].v = vec_zero();
      t[k].w = p.side[k].w;
    }
    p.side[0].x = vec_sub(vec_add(p.side[1].x, p.r[1]), p.r[0]);
    pin_place(&p, step);
    const vec impulse = pin_impulse(&p, t);
    vec apart = vec_zero();
    for (int k = 0; k < 2; k++) {
      const twist kick = heft_kick(&p.side[k].m, p.side[k].R, pin_wrench(&p, k, impulse));
      t[k].v = vec_add(t[k].v, kick.v);
      const spin w = spin_to_body(p.side[k].R, p.side[k].w); /* as if none of it turned them */
      const vec arm = mat_vec(turn_matrix(turn_step(q[k].q, w, step)), p.side[k].arm);
      const vec lost = vec_scale(step, spin_turn(kick.w, p.r[k]));
      const vec at = vec_add(vec_axpy(p.side[k].x, step, t[k].v), vec_add(arm, lost));
      apart = vec_axpy(apart, pin_sign(k), at);
    }
    far[halves] = std::sqrt(vec_dot(apart, apart).v);
  }
  CHECK(far[0] > 0.0 && far[0] < 1e-4);
  CHECK_NEAR(far[0] / far[1], 8.0, 0.4);
}

struct two_twists {
  twist of[2];
};

/* Tangents of impulse and twists, and the adjoint beside them. */
static void test_derivatives(void) {
  for (int i = 0; i < TRIES; i++) {
    const pin p = some_pin(i);
    two_twists before = some<two_twists>(), after = before, dt, d = seed<two_twists>();
    const two_twists s = d;
    const vec impulse = pin_impulse(&p, before.of);
    pin_change c = nothing<pin_change>(), b = nothing<pin_change>();
    for (int k = 0; k < 2; k++) {
      const twist kick = heft_kick(&p.side[k].m, p.side[k].R, pin_wrench(&p, k, impulse));
      if (p.moves[k]) {
        after.of[k].v = vec_add(after.of[k].v, kick.v);
        after.of[k].w = spin_add(after.of[k].w, kick.w);
      }
      c.side[k] = along(p.side[k]);
    }
    pin_place_tangent(&p, h, &c);
    CHECK_NEAR(off(c.target, p.target), 0.0, 1e-10);
    dt = along(before);
    pin_tangent(&p, &c, impulse, after.of, dt.of);
    double size = 1.0;
    for (int n = 0; n < count(after); n++) {
      size += std::fabs(numbers(after)[n].d);
    }
    CHECK_NEAR(off(dt, after) / size, 0.0, close_enough);
    pin_adjoint(&p, impulse, after.of, d.of, &b);
    pin_place_adjoint(&p, h, &b);
    double sum = paired(d, before);
    for (int k = 0; k < 2; k++) {
      sum += paired(b.side[k], p.side[k]);
    }
    CHECK_NEAR(moved(s, after) / size, sum / size, close_enough);
  }
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_impulse);
  RUN(test_meets);
  RUN(test_derivatives);
  return TEST_RESULT();
}
