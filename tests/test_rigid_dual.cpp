/* Every adjoint and tangent of the point headers of rigid bodies against dual numbers. */
#include "dual.h"

/* what numbers of turns need beside */
static inline Dual sqrt(Dual a) {
  return real_sqrt(a);
}
static inline Dual atan2(Dual y, Dual x) {
  return Dual(std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v));
}

#include "rigid_random.h"

#include "contact_law.h"
#include "ground.h"
#include "rigid_tangent.h"
#include "turn_numbers.h"

enum { TRIES = 20 };

static void test_points(void) {
  for (int i = 0; i < TRIES; i++) {
    const placed b = some<placed>();
    const vec x = some<vec>(), s = seed<vec>();
    placed db = placed_zero();
    vec dx = vec_zero();
    placed_point_adjoint(&b, x, s, &db, &dx);
    CHECK_NEAR(moved(s, placed_point(&b, x)), paired(db, b) + paired(dx, x), close_enough);

    db = placed_zero(), dx = vec_zero();
    placed_local_adjoint(&b, x, s, &db, &dx);
    CHECK_NEAR(moved(s, placed_local(&b, x)), paired(db, b) + paired(dx, x), close_enough);

    db = placed_zero(), dx = vec_zero();
    placed_direction_adjoint(&b, x, s, &db, &dx);
    CHECK_NEAR(moved(s, placed_direction(&b, x)), paired(db, b) + paired(dx, x), close_enough);

    db = placed_zero(), dx = vec_zero();
    placed_velocity_adjoint(&b, x, s, &db, &dx);
    CHECK_NEAR(moved(s, placed_velocity(&b, x)), paired(db, b) + paired(dx, x), close_enough);
  }
}

static void test_wrench(void) {
  for (int i = 0; i < TRIES; i++) {
    const placed b = some<placed>();
    const vec x = some<vec>(), f = some<vec>();
    const wrench s = seed<wrench>();
    placed db = placed_zero();
    vec dx = vec_zero(), df = vec_zero();
    placed_wrench_adjoint(&b, x, f, s, &db, &dx, &df);
    CHECK_NEAR(moved(s, placed_wrench(&b, x, f)), paired(db, b) + paired(dx, x) + paired(df, f),
               close_enough);
    /* power: the force times the velocity of its point */
    placed still = b;
    still.belt = vec_zero();
    const wrench r = placed_wrench(&b, x, f);
    CHECK_NEAR((vec_dot(f, placed_velocity(&still, x))).v,
               (vec_dot(r.f, b.v) + spin_dot(r.t, b.w)).v, close_enough);
  }
}

static void test_matrix_of_a_turn(void) {
  for (int i = 0; i < TRIES; i++) {
    const turn q = some_pose().q, p = some_pose().q;
    const mat R = turn_matrix(q), s = seed<mat>();
    const mat one = mat_mul_t(R, R);
    FOR_AXES(a) {
      FOR_AXES(b) {
        CHECK_NEAR(one.m[a][b].v, a == b, 1e-14);
      }
    }
    CHECK_NEAR(mat_det(R).v, 1.0, 1e-14);
    CHECK_NEAR(moved(s, R), paired(turn_matrix_adjoint(q, s), q), close_enough);

    const mat both = mat_sub(turn_matrix(turn_after(q, p)), mat_mul(R, turn_matrix(p)));
    CHECK_NEAR(mat_dot(both, both).v, 0.0, 1e-28);
    const turn t = seed<turn>();
    turn dq = turn_zero(), dp = turn_zero();
    turn_after_adjoint(q, p, t, &dq, &dp);
    CHECK_NEAR(moved(t, turn_after(q, p)), paired(dq, q) + paired(dp, p), close_enough);
    CHECK_NEAR(moved(t, turn_unit(q)), paired(turn_unit_adjoint(q, t), q), close_enough);
  }
}

static void test_step_of_a_turn(void) {
  for (int i = 0; i < TRIES; i++) {
    const turn q = some_pose().q, s = seed<turn>();
    const spin w = some<spin>();
    const double h = 0.3;
    turn dq = turn_zero();
    spin dw = spin_zero();
    turn_step_adjoint(q, w, h, s, &dq, &dw);
    CHECK_NEAR(moved(s, turn_step(q, w, h)), paired(dq, q) + paired(dw, w), close_enough);

    const mat R = some<mat>();
    const spin t = seed<spin>();
    mat dR = mat_zero();
    dw = spin_zero();
    spin_to_world_adjoint(R, w, t, &dR, &dw);
    CHECK_NEAR(moved(t, spin_to_world(R, w)), paired(dR, R) + paired(dw, w), close_enough);
    dR = mat_zero(), dw = spin_zero();
    spin_to_body_adjoint(R, w, t, &dR, &dw);
    CHECK_NEAR(moved(t, spin_to_body(R, w)), paired(dR, R) + paired(dw, w), close_enough);
  }
}

struct numbers_of_turn {
  Dual at[3];
};

/* Large and small turns, and none; quaternions of any length and sign. */
static void test_vector_of_a_turn(void) {
  for (int i = 0; i < 4 * TRIES; i++) {
    turn q = some_pose().q;
    for (int k = CQ_TURN == 1 ? 0 : 1; k < CQ_TURN; k++) {
      q.q[k].v *= i % 4 == 0 ? 1.0 : std::pow(10.0, -(i % 16) / 2.0);
    }
    const numbers_of_turn s = {{uniform(1.0), uniform(1.0), uniform(1.0)}};
    numbers_of_turn turns = {{0.0, 0.0, 0.0}};
    turn_vector(q, turns.at);
    const turn dq = turn_vector_adjoint(q, s.at);
    CHECK_NEAR(moved(s, turns), paired(dq, q), close_enough);
    double vector[3], again[CQ_TURN], across = 0.0, along = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
      vector[k] = turns.at[k].v;
    }
    turn_of_vector(CQ_DIM == 2 ? vector + 2 : vector, again);
    for (int k = 0; k < CQ_TURN; k++) {
      across += dq.q[k].v * q.q[k].v;
      along += again[k] * q.q[k].v;
      square += q.q[k].v * q.q[k].v;
    }
    CHECK_NEAR(along * along, CQ_DIM == 2 ? square * square : square, 1e-13 * square);
    CHECK(CQ_DIM == 2 || std::fabs(across) < 1e-13);
  }
  turn none = turn_zero();
  const Dual s[3] = {0.3, 0.7, -0.2};
  none.q[0] = CQ_DIM == 2 ? 0.0 : -1.0;
  const turn dq = turn_vector_adjoint(none, s);
  for (int k = 0; k < CQ_TURN; k++) {
    CHECK_NEAR(dq.q[k].v, CQ_DIM == 2 ? s[2].v : k == 0 ? 0.0 : -2.0 * s[k - 1].v, 0.0);
  }
}

static void test_placed(void) {
  for (int i = 0; i < TRIES; i++) {
    const pose p = some_pose();
    const twist t = some<twist>();
    const vec belt = some<vec>();
    const placed s = seed<placed>();
    pose dp = pose_zero();
    twist dt = twist_zero();
    vec dbelt = vec_zero();
    pose_placed_adjoint(p, belt, s, &dp, &dt, &dbelt);
    CHECK_NEAR(moved(s, pose_placed(p, t, belt)),
               paired(dp, p) + paired(dt, t) + paired(dbelt, belt), close_enough);
  }
}

static void test_kick(void) {
  for (int i = 0; i < TRIES; i++) {
    const heft m = some_heft();
    const mat R = some<mat>();
    const wrench f = some<wrench>();
    const twist s = seed<twist>();
    heft dm = heft_zero();
    mat dR = mat_zero();
    wrench df = wrench_zero();
    heft_kick_adjoint(&m, R, f, s, &dm, &dR, &df);
    CHECK_NEAR(moved(s, heft_kick(&m, R, f)), paired(dm, m) + paired(dR, R) + paired(df, f),
               close_enough);
  }
}

static void test_drift(void) {
  for (int i = 0; i < TRIES; i++) {
    const heft m = some_heft();
    motion a;
    a.p = some_pose();
    a.t = some<twist>(i < TRIES / 2 ? 1.0 : 4.0);
    const double h = 0.1;
    const motion s = seed<motion>();
    moment dI = nothing<moment>();
    const motion da = free_drift_adjoint(&m.I, a, h, s, &dI);
    CHECK_NEAR(moved(s, free_drift(&m.I, a, h)), paired(da, a) + paired(dI, m.I), 1e-11);
  }
}

static void test_tangents_at_points(void) {
  for (int i = 0; i < TRIES; i++) {
    const placed b = some<placed>(), db = along(b);
    const vec x = some<vec>(), dx = along(x), f = some<vec>();
    CHECK_NEAR(off(placed_point_tangent(&b, &db, x, dx), placed_point(&b, x)), 0, close_enough);
    CHECK_NEAR(off(placed_local_tangent(&b, &db, x, dx), placed_local(&b, x)), 0, close_enough);
    CHECK_NEAR(off(placed_direction_tangent(&b, &db, x, dx), placed_direction(&b, x)), 0,
               close_enough);
    CHECK_NEAR(off(placed_velocity_tangent(&b, &db, x, dx), placed_velocity(&b, x)), 0,
               close_enough);
    CHECK_NEAR(off(placed_wrench_tangent(&b, &db, x, dx, f, along(f)), placed_wrench(&b, x, f)), 0,
               close_enough);
  }
}

static void test_tangents_of_motion(void) {
  for (int i = 0; i < TRIES; i++) {
    const heft m = some_heft(), dm = along(m);
    motion a;
    a.p = some_pose();
    a.t = some<twist>(3.0);
    const vec belt = some<vec>();
    CHECK_NEAR(off(pose_placed_tangent(a.p, along(a.p), along(a.t), belt, along(belt)),
                   pose_placed(a.p, a.t, belt)),
               0, close_enough);
    const mat R = some<mat>();
    const wrench f = some<wrench>();
    CHECK_NEAR(off(heft_kick_tangent(&m, &dm, R, along(R), f, along(f)), heft_kick(&m, R, f)), 0,
               close_enough);
    const double h = 0.1;
    CHECK_NEAR(off(free_drift_tangent(&m.I, &dm.I, a, along(a), h), free_drift(&m.I, a, h)), 0,
               1e-11);
  }
}

static contact_law some_law(void) {
  contact_law l;
  l.stiffness = 30.0;
  l.depth = 0.2;
  l.damping = 0.5;
  l.slip = 0.1;
  l.roll = 0.3;
  return l;
}

/* apart, soft, firm; and flying off so fast that nothing holds */
static void test_contact_law(void) {
  const contact_law l = some_law();
  const double gaps[] = {0.1, -0.1, -0.5, -0.5};
  for (int i = 0; i < 4 * TRIES; i++) {
    contact c = some<contact>();
    c.n = vec_scale(Dual(1.0) / real_sqrt(vec_dot(c.n, c.n)), c.n);
    c.gap = Dual(gaps[i % 4], uniform(1.0));
    if (i % 4 == 3) {
      c.v = vec_axpy(c.v, Dual(5.0), c.n);
    }
    const wrench s = seed<wrench>(), f = contact_wrench(&l, &c);
    contact dc = contact_zero();
    contact_wrench_adjoint(&l, &c, s, &dc);
    CHECK_NEAR(moved(s, f), paired(dc, c), 1e-10);
    const contact direction = along(c);
    CHECK_NEAR(off(contact_wrench_tangent(&l, &c, &direction), f), 0.0, 1e-10);
    if (i % 4 == 0 || i % 4 == 3) {
      CHECK(vec_dot(f.f, f.f).v == 0.0);
    } else {
      CHECK(vec_dot(f.f, c.n).v > 0.0);
    }
  }
}

/* the spring is continuous together with its slope, and friction opposes sliding with mu times f_n
 */
static void test_contact_law_values(void) {
  const contact_law l = some_law();
  contact c = contact_zero();
  c.n.v[0] = 1.0;
  c.gap = -0.2;
  CHECK_NEAR(contact_wrench(&l, &c).f.v[0].v, 30.0 * 0.1, 1e-13);
  c.gap = -0.5;
  CHECK_NEAR(contact_wrench(&l, &c).f.v[0].v, 30.0 * 0.4, 1e-13);
  c.v.v[1] = 100.0;
  c.friction = 0.3;
  CHECK_NEAR(contact_wrench(&l, &c).f.v[1].v, -0.3 * 30.0 * 0.4, 1e-4);
  c.w.w[CQ_SPINS - 1] = 500.0;
  c.rolling = 0.01;
  CHECK_NEAR(contact_wrench(&l, &c).t.w[CQ_SPINS - 1].v, -0.01 * 30.0 * 0.4, 1e-5);
}

/* What a step takes of a speed is what the law says of the speed that is left; its derivative at
 * rest, in sliding and between. */
static void test_ground(void) {
  for (int i = 0; i < 6 * TRIES; i++) {
    ground g;
    g.rest = 0.05;
    g.arm = 0.3;
    g.slide = std::pow(10.0, -4.0 + 6.0 * cq_rng_uniform(&rigid_rng));
    g.turn = 1.7 * g.slide;
    const twist t = some<twist>(std::pow(10.0, -3.0 + 5.0 * cq_rng_uniform(&rigid_rng)));
    const twist s = seed<twist>(), left = ground_slow(&g, t);
    const double error = 1e-11 * (1.0 + 1.0 / g.rest);
    CHECK_NEAR(moved(s, left), paired(ground_slow_tangent(&g, t, s), t), error);
    CHECK_NEAR(off(ground_slow_tangent(&g, t, along(t)), left), 0.0, error);
    const double u = std::sqrt(vec_dot(t.v, t.v).v), v = std::sqrt(vec_dot(left.v, left.v).v);
    CHECK_NEAR(u - v, g.slide * v / std::hypot(v, g.rest), 1e-13 * (u + g.slide));
    const double w = g.arm * std::sqrt(spin_dot(t.w, t.w).v);
    const double z = g.arm * std::sqrt(spin_dot(left.w, left.w).v);
    CHECK_NEAR(w - z, g.turn * z / std::hypot(z, g.rest), 1e-13 * (w + g.turn));
    CHECK(vec_dot(t.v, left.v).v > 0.0 && spin_dot(t.w, left.w).v > 0.0);

    const twist still = ground_slow_tangent(&g, twist_zero(), s);
    CHECK_NEAR((still.v.v[0] * (1.0 + g.slide / g.rest)).v, s.v.v[0].v, 1e-14);
    CHECK_NEAR((still.w.w[0] * (1.0 + g.turn / g.rest)).v, s.w.w[0].v, 1e-14);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_points);
  RUN(test_wrench);
  RUN(test_matrix_of_a_turn);
  RUN(test_step_of_a_turn);
  RUN(test_vector_of_a_turn);
  RUN(test_placed);
  RUN(test_kick);
  RUN(test_drift);
  RUN(test_contact_law);
  RUN(test_contact_law_values);
  RUN(test_ground);
  RUN(test_tangents_at_points);
  RUN(test_tangents_of_motion);
  return TEST_RESULT();
}
