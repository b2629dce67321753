/* Free motion of a rigid body against what is known of it. */
#include "rigid_free.h"
#include "test.h"

static const moment top = {{{1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 3.0}}};

static heft heft_of(moment I) {
  const heft m = {1.5, I};
  return m;
}

static motion spinning(double w0, double w1, double w2) {
  motion s = {{{{0.0, 0.0, 0.0}}, turn_none()}, {{{0.1, 0.2, 0.3}}, {{w0, w1, w2}}}};
  s.p.q.q[1] = 0.4; /* turned somehow, and not of length 1 */
  s.t.w = spin_to_world(turn_matrix(s.p.q), s.t.w);
  return s;
}

static double distance(spin a, spin b) {
  const spin d = spin_axpy(a, -1.0, b);
  return sqrt(spin_dot(d, d));
}

/* 10 s at 10 rad/s in steps of a millisecond */
static void test_invariants(void) {
  const heft m = heft_of(top);
  motion s = spinning(5.0, 6.0, 6.2);
  const double energy = heft_energy(&m, turn_matrix(s.p.q), s.t);
  const spin momentum = heft_momentum(&m, turn_matrix(s.p.q), s.t.w);
  const double size = sqrt(spin_dot(momentum, momentum));
  double worst_energy = 0.0, worst_momentum = 0.0;
  for (int i = 0; i < 10000; i++) {
    s = free_drift(&m.I, s, 1e-3);
    const mat R = turn_matrix(s.p.q);
    worst_energy = fmax(worst_energy, fabs(heft_energy(&m, R, s.t) / energy - 1.0));
    worst_momentum = fmax(worst_momentum, distance(heft_momentum(&m, R, s.t.w), momentum) / size);
  }
  printf("  energy %.1e, angular momentum %.1e\n", worst_energy, worst_momentum);
  CHECK(worst_energy < 1e-11);
  CHECK(worst_momentum < 1e-11);
  CHECK_NEAR(s.p.x.v[2], 3.0, 1e-11);
  CHECK_NEAR(turn_dot(s.p.q, s.p.q), 1.0, 1e-12);
}

/* also where it turns by 1 rad a step */
static void test_large_steps(void) {
  const heft m = heft_of(top);
  motion s = spinning(5.0, 6.0, 6.2);
  const double energy = heft_energy(&m, turn_matrix(s.p.q), s.t);
  for (int i = 0; i < 100; i++) {
    s = free_drift(&m.I, s, 0.1);
    CHECK_NEAR(heft_energy(&m, turn_matrix(s.p.q), s.t) / energy, 1.0, 1e-12);
  }
}

/* Dzhanibekov: about the intermediate axis the body turns over, about the others it does not */
static void test_intermediate_axis(void) {
  for (int axis = 0; axis < 3; axis++) {
    double w[3] = {0.01, 0.01, 0.01};
    w[axis] = 10.0;
    motion s = spinning(w[0], w[1], w[2]);
    double least = 10.0, most = -10.0;
    for (int i = 0; i < 10000; i++) {
      s = free_drift(&top, s, 1e-3);
      const double along = spin_to_body(turn_matrix(s.p.q), s.t.w).w[axis];
      least = fmin(least, along);
      most = fmax(most, along);
    }
    CHECK(axis == 1 ? least < -9.99 && most > 9.99 : least > 9.99);
  }
}

/* dq/dt and dW/dt of Euler's equations, in the body's frame */
static void euler(turn q, spin W, turn *dq, spin *dW) {
  const spin L = moment_times(top, W);
  *dW = moment_solve(top, vec_spin(vec_turn(L.w, spin_vec(W))));
  *dq = turn_after(q, turn_of(0.0, vec_scale(0.5, spin_vec(W))));
}

/* a step of the classical fourth-order method */
static void runge_kutta(turn *q, spin *W, double h) {
  turn kq[4], at_q = *q;
  spin kw[4], at_w = *W;
  for (int k = 0; k < 4; k++) {
    euler(at_q, at_w, &kq[k], &kw[k]);
    const double part = k < 2 ? 0.5 * h : h;
    for (int i = 0; i < 4; i++) {
      at_q.q[i] = q->q[i] + part * kq[k].q[i];
    }
    at_w = spin_axpy(*W, part, kw[k]);
  }
  for (int k = 0; k < 4; k++) {
    const double weight = h * (k == 0 || k == 3 ? 1.0 : 2.0) / 6.0;
    for (int i = 0; i < 4; i++) {
      q->q[i] += weight * kq[k].q[i];
    }
    *W = spin_axpy(*W, weight, kw[k]);
  }
}

/* difference from Runge and Kutta's method, steps of 1e-4, in the orientation after 1 s */
static double tumble_error(int steps) {
  motion s = spinning(3.0, 4.0, -2.0);
  turn q = turn_unit(s.p.q);
  spin W = spin_to_body(turn_matrix(q), s.t.w);
  for (int i = 0; i < 10000; i++) {
    runge_kutta(&q, &W, 1e-4);
  }
  for (int i = 0; i < steps; i++) {
    s = free_drift(&top, s, 1.0 / steps);
  }
  const mat d = mat_sub(turn_matrix(s.p.q), turn_matrix(q));
  return sqrt(mat_dot(d, d));
}

static void test_against_runge_kutta(void) {
  const double coarse = tumble_error(1000), fine = tumble_error(2000);
  printf("  difference %.2e at 1 ms, %.2e at half\n", coarse, fine);
  CHECK(coarse < 2e-4);
  CHECK_NEAR(coarse / fine, 4.0, 0.02); /* of second order */
}

/* a body of revolution precesses about its angular momentum at L/I1 */
static void test_precession(void) {
  const moment I = {{{2.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 1.0}}};
  const heft m = heft_of(I);
  motion s = spinning(3.0, 0.0, 4.0);
  const spin momentum = heft_momentum(&m, turn_matrix(s.p.q), s.t.w);
  const double L = sqrt(spin_dot(momentum, momentum)), period = 2.0 * acos(-1.0) / (L / 2.0);
  const vec axis = {{0.0, 0.0, 1.0}};
  const vec before = mat_vec(turn_matrix(s.p.q), axis);
  const int steps = 4000;
  for (int i = 0; i < steps; i++) {
    s = free_drift(&I, s, period / steps);
  }
  const vec d = vec_sub(mat_vec(turn_matrix(s.p.q), axis), before);
  CHECK(sqrt(vec_dot(d, d)) < 1e-5);
}

/* a kick changes energy by the work of the impulse at the mean velocity */
static void test_kick(void) {
  const heft m = heft_of(top);
  const motion s = spinning(1.0, 2.0, 3.0);
  const mat R = turn_matrix(s.p.q);
  const wrench p = {{{0.3, -0.2, 0.5}}, {{0.1, 0.7, -0.4}}};
  const twist d = heft_kick(&m, R, p);
  const twist after = {vec_add(s.t.v, d.v), spin_add(s.t.w, d.w)};
  const double work =
      vec_dot(p.f, vec_axpy(s.t.v, 0.5, d.v)) + spin_dot(p.t, spin_axpy(s.t.w, 0.5, d.w));
  CHECK_NEAR(heft_energy(&m, R, after) - heft_energy(&m, R, s.t), work, 1e-13);
  CHECK(distance(spin_axpy(heft_momentum(&m, R, after.w), -1.0, heft_momentum(&m, R, s.t.w)), p.t) <
        1e-14);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_invariants);
  RUN(test_large_steps);
  RUN(test_intermediate_axis);
  RUN(test_against_runge_kutta);
  RUN(test_precession);
  RUN(test_kick);
  return TEST_RESULT();
}
