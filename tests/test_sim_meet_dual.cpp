/* How a grid node meets a rigid body (point/meet.h), and how two bodies of material meet at a node
 * (point/between.h), in dual numbers: adjoints, at the kinks of the conditions too, a Jacobian, and
 * what they may not do. */
#include "dual.h"
#include "rigid_random.h"

#include "point/between.h"
#include "point/lean.h"
#include "point/meet.h"

enum { TRIES = 40 };

static const scalar cell = 0.1, still = 1e-6;

/* every condition, and the last one also with friction by the mean of the pressure */
enum { GRIPS = CQ_N_BOUNDARIES + 1 };

static grip some_grip(int k) {
  const bool remembers = k == CQ_N_BOUNDARIES;
  return {remembers ? (int)CQ_BOUNDARY_separate : k, still, remembers, {0.1, 0.3}};
}

/* a mean that was kept: its weight is a part of 1; some begin here */
static pressed some_pressed(int i) {
  pressed p = some<pressed>();
  p.sum.v = i % 3 == 0 ? 0.0 : 0.5 * std::fabs(p.sum.v);
  p.weight.v = i % 3 == 0 ? 0.0 : 0.1 + 0.8 * std::fabs(p.weight.v);
  p.owed.v = i % 3 == 0 ? 0.0 : 0.3 * std::fabs(p.owed.v);
  return p;
}

/* a node at a body that it moves into, along or away from; the kinks are met exactly */
static met some_met(int i, const placed *b) {
  met m = some<met>();
  const double length = std::sqrt(vec_dot(m.n, m.n).v);
  FOR_AXES(a) {
    m.n.v[a].v /= length;
  }
  m.mass.v = 1.0 + 0.5 * m.mass.v;
  m.share.v = 0.5 + 0.5 * m.share.v;
  m.friction.v = i % 4 == 0 ? 0.0 : 1.5 * std::fabs(m.friction.v);
  m.before = some_pressed(i);
  if (i % 5 == 0) { /* along the surface, or at rest on it: the normal speed is 0 */
    FOR_AXES(a) {
      m.n.v[a].v = a == 0 ? 1.0 : 0.0;
    }
    const vec surface = placed_velocity(b, m.x);
    FOR_AXES(a) {
      m.v.v[a].v = a == 0 || i % 2 == 0 ? surface.v[a].v : m.v.v[a].v;
    }
  }
  return m;
}

static void test_adjoint(void) {
  for (int k = 0; k < GRIPS; k++) {
    for (int i = 0; i < TRIES; i++) {
      const grip g = some_grip(k);
      const placed b = some<placed>();
      const met m = some_met(i, &b);
      const vec s = seed<vec>();
      const wrench t = seed<wrench>();
      const pressed r = seed<pressed>();
      placed db = placed_zero();
      met dm = met_zero();
      pressed after;
      meet_adjoint(&g, &b, &m, s, t, &r, &db, &dm);
      const vec change = meet_change(&g, &b, &m, &after);
      const wrench impulse = meet_impulse(&b, &m, change);
      CHECK_NEAR(moved(s, change) + moved(t, impulse) + moved(r, after),
                 paired(db, b) + paired(dm, m), 1e-10);
    }
  }
}

static void test_share(void) {
  for (int i = 0; i <= 80; i++) {
    const Dual d((i - 20) / 40.0 * cell, 1.0), s = meet_share(d, cell);
    CHECK_NEAR(s.d, meet_share_slope(d, cell).v, 1e-13);
    CHECK_NEAR(s.v + meet_share(Dual(cell) - d, cell).v, 1.0, 1e-14);
    CHECK(s.v >= 0.0 && s.v <= 1.0 && s.d <= 0.0);
    CHECK(d.v > 0.0 || s.v == 1.0);
    CHECK(d.v < cell || s.v == 0.0);
    /* the slope, too, has no kink */
    const Dual e(d.v + 1e-9 * cell, 1.0);
    CHECK_NEAR(meet_share_slope(e, cell).d, meet_share_slope(d, cell).d, 1e-4);
  }
}

static double spline(double s) {
  return s < 0.5 ? 0.75 - s * s : 0.5 * (1.5 - s) * (1.5 - s);
}

/* of a node below a face: the weights of all that is above it */
static void test_depth(void) {
  enum { STEPS = 2000 };
  for (double cells = 0.0; cells < 1.6; cells += 0.05) {
    double sum = 0.0;
    for (int i = 0; i < STEPS && cells < 1.5; i++) {
      sum += spline(cells + (i + 0.5) / STEPS * (1.5 - cells)) * (1.5 - cells) / STEPS;
    }
    CHECK_NEAR(share_at_depth(cells), sum, 1e-6);
  }
}

/* The share of a node that leans, by distance, mass and density: none in a gap, all of it where
 * there is none. */
static void test_lean(void) {
  int parts = 0;
  for (int i = 0; i < 50 * TRIES; i++) {
    leaning l = some<leaning>();
    l.gap.v = uniform(1.3 * cell);
    l.mass.v = (i % 3 == 0 ? 0.2 : 1.2) * std::fabs(l.mass.v);
    l.full.v = 1.0 + 0.2 * l.full.v;
    const Dual s = lean_share(&l, cell), ds = Dual(1.0 + uniform(0.5));
    const leaning d = lean_share_adjoint(&l, cell, ds);
    CHECK_NEAR(ds.v * s.d, paired(d, l), 1e-10 / cell);
    const double theta = (l.mass * l.full).v, sum = theta + lean_theta(l.gap, cell).v;
    CHECK(s.v >= 0.0 && s.v <= meet_share(l.gap, cell).v);
    CHECK((sum > 0.92 && theta > 0.02) || s.v == 0.0);
    CHECK(sum < 0.95 || theta < 0.1 || s.v == meet_share(l.gap, cell).v);
    parts += s.v > 0.0 && s.v < meet_share(l.gap, cell).v;
  }
  CHECK(parts > 20);
}

/* what a body's velocity does to the push */
static void test_jacobian(void) {
  for (int k = 0; k < GRIPS; k++) {
    for (int i = 0; i < TRIES; i++) {
      const grip g = some_grip(k);
      placed b = seed<placed>();
      met m = some_met(i, &b);
      pressed after;
      for (int n = 0; n < count(m); n++) {
        numbers(m)[n].d = 0.0;
      }
      const vec direction = seed<vec>();
      FOR_AXES(a) {
        b.v.v[a].d = direction.v[a].v;
      }
      const vec q = meet_push(&g, &b, &m, &after);
      const vec expected = mat_vec(meet_jacobian(&g, &b, &m), direction);
      CHECK_NEAR(off(expected, q), 0.0, 1e-10);
    }
  }
}

/* No pull where it separates, friction within its cone, no work done by it, and what the node gets
 * the body loses. */
static void test_bounds(void) {
  for (int kind = 0; kind < CQ_N_BOUNDARIES; kind++) {
    for (int i = 0; i < 10 * TRIES; i++) {
      const placed b = some<placed>();
      const met m = some_met(i, &b);
      const grip g = some_grip(kind);
      pressed after;
      const vec u = meet_relative(&b, &m), q = meet_push(&g, &b, &m, &after);
      const double normal = vec_dot(q, m.n).v, speed = vec_dot(u, m.n).v;
      const vec across = vec_axpy(q, -vec_dot(q, m.n), m.n);
      const double friction = std::sqrt(vec_dot(across, across).v);
      CHECK(vec_dot(q, vec_add(u, vec_add(u, q))).v <= 1e-14);
      if (kind == CQ_BOUNDARY_separate) {
        CHECK(normal >= -1e-15);
        CHECK(friction <= m.friction.v * normal + 1e-14);
        CHECK(speed <= 0.0 || (normal < 1e-15 && friction < 1e-15));
      } else if (kind == CQ_BOUNDARY_separate_stick) {
        const vec left = vec_add(u, q);
        CHECK(speed < 0.0 ? vec_dot(left, left).v < 1e-28 : normal == 0.0 && friction == 0.0);
      } else if (kind == CQ_BOUNDARY_slip) {
        CHECK_NEAR(friction, 0.0, 1e-14);
        CHECK_NEAR(normal, -speed, 1e-14);
      } else {
        CHECK_NEAR(vec_dot(vec_add(u, q), vec_add(u, q)).v, 0.0, 1e-28);
      }
      const wrench got = meet_impulse(&b, &m, meet_change(&g, &b, &m, &after));
      FOR_AXES(a) {
        CHECK_NEAR(got.f.v[a].v, (-(m.mass * m.share * q.v[a])).v, 1e-14);
      }
    }
  }
}

static between_law some_law(int i) {
  between_law l;
  l.fused = i % 7 == 0;
  const int kind = i % 3 == 0 ? CQ_BOUNDARY_separate_stick : CQ_BOUNDARY_separate;
  l.held = some_grip(i % 3 == 1 ? (int)CQ_N_BOUNDARIES : kind);
  l.weight[0] = i % 6 == 1 ? 0.0 : 1.0;
  l.weight[1] = i % 6 == 2 ? 0.0 : 1.0;
  l.friction = Dual(i % 4 == 0 ? 0.0 : 1.5 * std::fabs(uniform(1.0)), uniform(1.0));
  l.full[0] = Dual(1.0 + uniform(0.3), uniform(1.0));
  l.full[1] = Dual(1.0 + uniform(0.3), uniform(1.0));
  return l;
}

/* A node that two bodies share: far apart, just near enough, and as one; they approach, slide,
 * hold, part, or keep the distance that they have. */
static between_node some_shared(const between_law *l, int i) {
  between_node n = some<between_node>();
  const double most[4] = {0.15, 0.6, 1.2, 0.05};
  n.before = some_pressed(i / 3);
  for (int k = 0; k < 2; k++) {
    n.mass[k].v = 0.02 + most[(i + k) % 4] * std::fabs(n.mass[k].v);
  }
  if (i % 5 == 0) { /* the same velocity along the normal, or both: the switches themselves */
    const vec normal = between_normal(l, &n);
    const double square = vec_dot(normal, normal).v;
    const vec u = between_velocity(&n, 0), w = vec_sub(between_velocity(&n, 1), u);
    FOR_AXES(a) {
      const double speed = i % 2 == 0 ? w.v[a].v : vec_dot(w, normal).v * normal.v[a].v / square;
      n.momentum[1].v[a].v -= n.mass[1].v * speed;
    }
  }
  return n;
}

/* By the mean, what friction gives and what it owes afterwards is what it may at most, the
 * coefficient being 1, and what it gives is never more than it owed and the step's own: none where
 * the node parts. */
static void test_mean_bounds(void) {
  const grip g = some_grip(CQ_N_BOUNDARIES);
  int pressed_on = 0;
  for (int i = 0; i < 10 * TRIES; i++) {
    const placed b = some<placed>();
    const met m = some_met(i, &b);
    pressed after;
    const vec u = meet_relative(&b, &m), q = meet_push(&g, &b, &m, &after);
    const double normal = vec_dot(q, m.n).v, press = m.mass.v * normal;
    const vec across = vec_axpy(q, -vec_dot(q, m.n), m.n);
    const double gave = m.mass.v * std::sqrt(vec_dot(across, across).v);
    const bool presses = vec_dot(u, m.n).v < 0.0;
    pressed_on += presses;
    CHECK(presses || std::fabs(normal) < 1e-15);
    CHECK(gave <= m.friction.v * (press + m.before.owed.v - after.owed.v) + 1e-14);
    CHECK(after.owed.v >= -1e-15 && after.weight.v >= m.before.weight.v && after.weight.v <= 1.0);
    CHECK((after.weight.v > 0.0) == (presses || m.before.weight.v > 0.0));
  }
  CHECK(pressed_on > 100);
}

/* The whole chain of a node: by momenta, masses, slopes and the law. */
static void test_between_adjoint(void) {
  int acting = 0, shared = 0;
  for (int i = 0; i < 20 * TRIES; i++) {
    const between_law l = some_law(i);
    const between_node n = some_shared(&l, i);
    const vec s = seed<vec>();
    if (!l.fused && !between_acts(&l, &n)) {
      continue;
    }
    const pressed r = seed<pressed>();
    pressed after;
    const between_due d = between_adjoint(&l, &n, s, &r);
    double found = paired(d.before, n.before), shares = 1.0;
    for (int k = 0; k < 2; k++) {
      const double sign = k == 0 ? 1.0 : -1.0, m = n.mass[k].v;
      const vec u = between_velocity(&n, k);
      FOR_AXES(a) {
        found += sign * d.relative.v[a].v / m * n.momentum[k].v[a].d;
        found -= sign * d.relative.v[a].v / m * u.v[a].v * n.mass[k].d;
        found += d.slope[k].v[a].v * n.slope[k].v[a].d;
      }
      found += d.mass[k].v * n.mass[k].d + d.full[k].v * l.full[k].d;
    }
    found += d.friction.v * l.friction.d;
    const vec given = between_impulse(&l, &n, &after);
    CHECK_NEAR(moved(s, given) + moved(r, after), found, 1e-10);
    real share[3];
    between_shares(&l, &n, share);
    for (int k = 0; k < 3; k++) {
      shares *= share[k].v;
    }
    acting++;
    shared += !l.fused && shares < 1.0;
  }
  CHECK(acting > 200 && shared > 20); /* also where the share is not all of it */
}

/* Nothing pulls, friction is within its cone, no work is done; turned round it is the opposite. */
static void test_between_bounds(void) {
  for (int i = 0; i < 20 * TRIES; i++) {
    between_law l = some_law(i);
    between_node n = some_shared(&l, i), back = n;
    l.fused = 0;
    if (!between_acts(&l, &n)) {
      continue;
    }
    const vec along = between_normal(&l, &n),
              w = vec_sub(between_velocity(&n, 0), between_velocity(&n, 1));
    const vec normal = vec_scale(Dual(-1.0) / real_sqrt(vec_dot(along, along)), along);
    pressed mean;
    const vec given = between_impulse(&l, &n, &mean);
    const double press = vec_dot(given, normal).v, approach = vec_dot(w, normal).v;
    const vec across = vec_axpy(given, -vec_dot(given, normal), normal);
    CHECK(press >= -1e-15 && (approach > 0.0 || press < 1e-15));
    CHECK(l.held.kind != CQ_BOUNDARY_separate || l.held.remembers ||
          std::sqrt(vec_dot(across, across).v) <= l.friction.v * press + 1e-14);
    const vec after = vec_axpy(w, -(Dual(1.0) / between_reduced(&n)), given);
    CHECK(vec_dot(after, after).v <= vec_dot(w, w).v + 1e-14);
    for (int k = 0; k < 2; k++) {
      back.mass[k] = n.mass[1 - k];
      back.momentum[k] = n.momentum[1 - k];
      back.slope[k] = n.slope[1 - k];
    }
    std::swap(l.full[0], l.full[1]);
    std::swap(l.weight[0], l.weight[1]);
    const vec other = between_impulse(&l, &back, &mean);
    FOR_AXES(a) {
      CHECK_NEAR(other.v[a].v, -given.v[a].v, 1e-14);
    }
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_adjoint);
  RUN(test_share);
  RUN(test_depth);
  RUN(test_lean);
  RUN(test_jacobian);
  RUN(test_bounds);
  RUN(test_mean_bounds);
  RUN(test_between_adjoint);
  RUN(test_between_bounds);
  return TEST_RESULT();
}
