/* Motion that is given: tracks, controls, chains of joints. Twists against differences of poses,
 * adjoints and tangents against dual numbers. */
#include "dual.h"
#include "rigid_random.h"

#include "driven_tangent.h"

enum { KNOTS = 5, SWAYS = 2 };

static const double times[KNOTS] = {0.5, 1.0, 1.2, 2.0, 2.7};

struct Moving {
  wide knots[KNOTS * CQ_POSE];
  track_sway sways[SWAYS];
  track t;
};

/* knots, a steady motion and two sinusoids, all with directions */
static void make(Moving *m) {
  for (int i = 0; i < KNOTS; i++) {
    for (int j = 0; j < CQ_POSE; j++) {
      m->knots[i * CQ_POSE + j] = Dual(uniform(0.4) + (j == CQ_DIM ? 1.0 : 0.0), uniform(1.0));
    }
  }
  for (int k = 0; k < SWAYS; k++) {
    FOR_AXES(a) {
      m->sways[k].amplitude[a] = Dual(uniform(0.2), uniform(1.0));
    }
    m->sways[k].angle = Dual(uniform(0.3), uniform(1.0));
    m->sways[k].frequency = 0.7 + k;
    m->sways[k].phase = 0.3 * k;
  }
  m->t = track();
  m->t.n_knots = KNOTS;
  m->t.times = times;
  m->t.knots = m->knots;
  FOR_AXES(a) {
    m->t.velocity[a] = Dual(uniform(0.5), uniform(1.0));
    m->t.axis[a] = a == 0 ? 0.6 : a == 1 ? 0.8 : 0.0;
  }
  m->t.rate = Dual(0.8, uniform(1.0));
  m->t.n_sways = SWAYS;
  m->t.sways = m->sways;
}

/* Rate of a pose by central differences, as a twist: w from dR R^T. `at` gives the pose at a time.
 */
template <class Function> static twist rate_of(Function at, double time, double h) {
  const pose a = at(time - h), b = at(time + h), here = at(time);
  twist r;
  FOR_AXES(i) {
    r.v.v[i] = (b.x.v[i] - a.x.v[i]) / Dual(2.0 * h);
  }
  mat d = mat_sub(turn_matrix(b.q), turn_matrix(a.q));
  d = mat_mul_t(mat_scale(Dual(0.5 / h), d), turn_matrix(here.q));
#if CQ_DIM == 2
  r.w.w[0] = d.m[1][0];
#else
  FOR_AXES(i) {
    r.w.w[i] = d.m[(i + 2) % 3][(i + 1) % 3];
  }
#endif
  return r;
}

static double apart(twist a, twist b) {
  double most = 0.0;
  for (int i = 0; i < count(a); i++) {
    most = std::fmax(most, std::fabs(numbers(a)[i].v - numbers(b)[i].v));
  }
  return most;
}

static pose pose_at(const track *t, double time) {
  pose p;
  twist v;
  track_at(t, time, &p, &v);
  return p;
}

static void test_twist_is_the_rate(void) {
  Moving m;
  make(&m);
  for (double time = 0.1; time < 3.2; time += 0.1307) {
    pose p;
    twist v;
    track_at(&m.t, time, &p, &v);
    const twist rate = rate_of([&](double s) { return pose_at(&m.t, s); }, time, 1e-5);
    CHECK_NEAR(apart(rate, v), 0.0, 1e-7);
  }
}

/* poses go through the knots, twists have no jumps and the motion begins and ends at rest */
static void test_knots(void) {
  Moving m;
  make(&m);
  m.t.n_sways = 0;
  m.t.rate = 0.0;
  FOR_AXES(a) {
    m.t.velocity[a] = 0.0;
  }
  for (int i = 0; i < KNOTS; i++) {
    pose p, before, after;
    twist v, left, right;
    track_at(&m.t, times[i], &p, &v);
    track_at(&m.t, times[i] - 1e-9, &before, &left);
    track_at(&m.t, times[i] + 1e-9, &after, &right);
    FOR_AXES(a) {
      CHECK_NEAR(p.x.v[a].v, m.knots[i * CQ_POSE + a].v, 1e-14);
    }
    CHECK_NEAR(apart(left, right), 0.0, 1e-6);
    if (i == 0 || i == KNOTS - 1) {
      CHECK_NEAR(apart(v, twist_zero()), 0.0, 1e-14);
    } else {
      CHECK(apart(v, twist_zero()) > 1e-2);
    }
  }
  /* inside it follows a parabola exactly: the slope of three neighbours is that of the parabola */
  for (int i = 0; i < KNOTS; i++) {
    m.knots[i * CQ_POSE] = times[i] * times[i];
  }
  pose p;
  twist v;
  track_at(&m.t, 1.1, &p, &v);
  CHECK_NEAR(p.x.v[0].v, 1.21, 1e-13);
  CHECK_NEAR(v.v.v[0].v, 2.2, 1e-13);
}

/* in all pieces, before and after them */
static void test_track_adjoint(void) {
  for (double time = 0.1; time < 3.2; time += 0.17) {
    Moving m;
    make(&m);
    pose p, dp = seed<pose>();
    twist v, dv = seed<twist>();
    track_at(&m.t, time, &p, &v);
    wide knots[KNOTS * CQ_POSE];
    track_sway sways[SWAYS];
    for (int i = 0; i < KNOTS * CQ_POSE; i++) {
      knots[i] = 0.0;
    }
    track_gradient g;
    g.knots = knots;
    g.rate = 0.0;
    g.sways = sways;
    for (int k = 0; k < SWAYS; k++) {
      sways[k].angle = 0.0;
      FOR_AXES(a) {
        sways[k].amplitude[a] = 0.0;
      }
    }
    FOR_AXES(a) {
      g.velocity[a] = 0.0;
    }
    track_adjoint(&m.t, time, dp, dv, &g);
    double sum = g.rate.v * m.t.rate.d;
    for (int i = 0; i < KNOTS * CQ_POSE; i++) {
      sum += knots[i].v * m.knots[i].d;
    }
    FOR_AXES(a) {
      sum += g.velocity[a].v * m.t.velocity[a].d;
    }
    for (int k = 0; k < SWAYS; k++) {
      sum += sways[k].angle.v * m.sways[k].angle.d;
      FOR_AXES(a) {
        sum += sways[k].amplitude[a].v * m.sways[k].amplitude[a].d;
      }
    }
    CHECK_NEAR(moved(dp, p) + moved(dv, v), sum, 1e-11);
  }
}

static void test_alignment(void) {
  double knots[2 * CQ_POSE] = {0.0};
  knots[CQ_DIM] = 1.0;
  knots[CQ_POSE + CQ_DIM] = -1.0;
  track_align(2, knots);
  CHECK(knots[CQ_POSE + CQ_DIM] == (CQ_DIM == 3 ? 1.0 : -1.0));
}

static drive some_drive(int own) {
  drive m;
  m.own = own;
  m.n_controls = 2;
  m.component[0] = 1;
  m.component[1] = CQ_TWIST - 1;
  return m;
}

static void test_drive(void) {
  for (int own = 0; own < 2; own++) {
    const drive m = some_drive(own);
    const pose p = some_pose();
    wide u[2] = {Dual(0.7, uniform(1.0)), Dual(-0.9, uniform(1.0))}, du[2] = {0.0, 0.0};
    const twist s = seed<twist>();
    pose dp = pose_zero();
    drive_twist_adjoint(&m, p, u, s, &dp, du);
    CHECK_NEAR(moved(s, drive_twist(&m, p, u)), paired(dp, p) + du[0].v * u[0].d + du[1].v * u[1].d,
               close_enough);

    const twist t = some<twist>();
    const pose seed_of_pose = seed<pose>();
    twist dt = twist_zero();
    dp = pose_zero();
    drive_move_adjoint(p, t, 0.2, seed_of_pose, &dp, &dt);
    CHECK_NEAR(moved(seed_of_pose, drive_move(p, t, 0.2)), paired(dp, p) + paired(dt, t),
               close_enough);
  }
}

/* a vehicle that drives and turns at steady rates goes round a circle, once in 2 pi / spin */
static void test_circle(void) {
  drive m = some_drive(1);
  m.component[0] = 0;
  const wide u[2] = {Dual(1.0), Dual(2.0)};
  pose p = pose_zero();
  p.q = turn_none();
  const int steps = 1000;
  double farthest = 0.0;
  for (int i = 0; i < steps; i++) {
    p = drive_move(p, drive_twist(&m, p, u), Dual(std::acos(-1.0) / steps));
    farthest = std::fmax(farthest, std::sqrt(vec_dot(p.x, p.x).v));
  }
  CHECK_NEAR(farthest, 1.0, 1e-3); /* the diameter: u/spin = 1/2 is the radius */
  CHECK_NEAR(std::sqrt(vec_dot(p.x, p.x).v), 0.0, 1e-9);
  mat turned = mat_sub(turn_matrix(p.q), mat_identity());
  CHECK_NEAR(mat_dot(turned, turned).v, 0.0, 1e-18);
}

static joint some_joint(joint_kind kind) {
  joint j;
  double square = 0.0;
  j.kind = kind;
  for (int a = 0; a < 3; a++) {
    j.anchor[a] = uniform(1.0);
    j.arm[a] = uniform(1.0);
    j.axis[a] = a < CQ_DIM ? uniform(1.0) : 0.0;
    square += j.axis[a] * j.axis[a];
  }
  for (int a = 0; a < 3; a++) {
    j.axis[a] /= std::sqrt(square);
  }
  return j;
}

enum { JOINTS = 4 };

struct Arm {
  joint joints[JOINTS];
  link_state base, links[JOINTS];
  real s[JOINTS], r[JOINTS];
};

static void make_arm(Arm *arm) {
  for (int i = 0; i < JOINTS; i++) {
    arm->joints[i] = some_joint(i == 2 ? JOINT_SLIDER : JOINT_HINGE);
    arm->s[i] = Dual(uniform(1.0), uniform(1.0));
    arm->r[i] = Dual(uniform(1.0), uniform(1.0));
  }
  arm->base = link_state();
  arm->base.p = some_pose();
  arm->base.t = some<twist>();
}

static void test_linkage_adjoint(void) {
  for (int i = 0; i < 20; i++) {
    Arm arm;
    make_arm(&arm);
    linkage_links(JOINTS, arm.joints, &arm.base, arm.s, arm.r, arm.links);
    link_state d[JOINTS], dbase = link_zero();
    real ds[JOINTS], dr[JOINTS];
    double carried = 0.0, sum = 0.0;
    for (int k = 0; k < JOINTS; k++) {
      d[k] = seed<link_state>();
      carried += moved(d[k], arm.links[k]);
      ds[k] = dr[k] = 0.0;
    }
    linkage_adjoint(JOINTS, arm.joints, &arm.base, arm.s, arm.r, arm.links, d, &dbase, ds, dr);
    sum = paired(dbase, arm.base);
    for (int k = 0; k < JOINTS; k++) {
      sum += ds[k].v * arm.s[k].d + dr[k].v * arm.r[k].d;
    }
    CHECK_NEAR(carried, sum, 1e-11);
  }
}

/* the last link's twist is the rate of its pose, while the base moves, too */
static void test_twist_of_a_link(void) {
  Arm arm;
  make_arm(&arm);
  arm.base.p.q = turn_unit(arm.base.p.q);
  const auto last = [&](double time) {
    Arm at = arm;
    at.base.p = drive_move(arm.base.p, arm.base.t, Dual(time));
    for (int k = 0; k < JOINTS; k++) {
      at.s[k] = arm.s[k] + Dual(time) * arm.r[k];
    }
    linkage_links(JOINTS, at.joints, &at.base, at.s, at.r, at.links);
    return at.links[JOINTS - 1].p;
  };
  linkage_links(JOINTS, arm.joints, &arm.base, arm.s, arm.r, arm.links);
  CHECK_NEAR(apart(rate_of(last, 0.0, 1e-5), arm.links[JOINTS - 1].t), 0.0, 1e-8);
}

/* two rods of lengths 1 and 0.5 in a plane: the tip is at sums of sines and cosines */
static void test_two_rods(void) {
  joint j[2];
  for (int i = 0; i < 2; i++) {
    j[i] = joint();
    j[i].kind = JOINT_HINGE;
    j[i].axis[2] = 1.0;
    j[i].arm[0] = i == 0 ? 0.5 : 0.25; /* the middle of a rod */
  }
  j[1].anchor[0] = 0.5; /* the end of the first */
  link_state base = link_zero(), links[2];
  base.p.q = turn_none();
  const real s[2] = {Dual(0.3), Dual(0.9)}, r[2] = {Dual(2.0), Dual(-1.0)};
  linkage_links(2, j, &base, s, r, links);
  vec end = vec_zero();
  end.v[0] = 0.25;
  const placed rod = pose_placed(links[1].p, links[1].t, vec_zero());
  const vec tip = placed_point(&rod, end), v = placed_velocity(&rod, tip);
  CHECK_NEAR(tip.v[0].v, std::cos(0.3) + 0.5 * std::cos(1.2), 1e-14);
  CHECK_NEAR(tip.v[1].v, std::sin(0.3) + 0.5 * std::sin(1.2), 1e-14);
  CHECK_NEAR(v.v[0].v, -2.0 * std::sin(0.3) - 0.5 * std::sin(1.2), 1e-14);
  CHECK_NEAR(v.v[1].v, 2.0 * std::cos(0.3) + 0.5 * std::cos(1.2), 1e-14);
}

/* A link is where the joint puts it, goes where it puts it next, and moves by its rate. */
static void test_links_of_a_step(void) {
  for (int i = 0; i < 20; i++) {
    const joint j = some_joint(i % 2 ? JOINT_HINGE : JOINT_SLIDER);
    link_state base;
    base.p = some_pose();
    base.p.q = turn_unit(base.p.q);
    base.t = some<twist>();
    const Dual s(uniform(1.0)), r(uniform(1.0)), h(0.01);
    const link_state link = joint_link(&j, &base, s, r);
    CHECK_NEAR(apart(link_twist(&j, base.p, base.t, link.p, r), link.t), 0.0, 1e-13);
    link_state next;
    next.p = drive_move(base.p, base.t, h);
    next.t = base.t;
    link_state there = joint_link(&j, &next, s + h * r, r);
    pose went = link_move(&j, base.p, link.p, next.p, h * r);
    for (int k = 0; k < CQ_POSE; k++) {
      CHECK_NEAR(numbers(went)[k].v, numbers(there.p)[k].v, 1e-13);
    }
  }
}

static void test_links_adjoint(void) {
  for (int i = 0; i < 20; i++) {
    const joint j = some_joint(i % 2 ? JOINT_HINGE : JOINT_SLIDER);
    const pose b = some_pose(), p = some_pose(), next = some_pose();
    const twist t = some<twist>();
    const Dual r(uniform(1.0), uniform(1.0));
    const twist s = seed<twist>();
    pose db = pose_zero(), dp = pose_zero(), dnext = pose_zero();
    twist dt = twist_zero();
    real dr = 0.0;
    link_twist_adjoint(&j, b, t, p, r, s, &db, &dt, &dp, &dr);
    CHECK_NEAR(moved(s, link_twist(&j, b, t, p, r)),
               paired(db, b) + paired(dt, t) + paired(dp, p) + dr.v * r.d, 1e-11);
    const pose sp = seed<pose>();
    db = dp = pose_zero();
    dr = 0.0;
    link_move_adjoint(&j, b, p, next, r, sp, &db, &dp, &dnext, &dr);
    CHECK_NEAR(moved(sp, link_move(&j, b, p, next, r)),
               paired(db, b) + paired(dp, p) + paired(dnext, next) + dr.v * r.d, 1e-11);
  }
}

static void test_tangents(void) {
  for (int i = 0; i < 20; i++) {
    const joint j = some_joint(i % 2 ? JOINT_HINGE : JOINT_SLIDER);
    const pose b = some_pose(), p = some_pose(), next = some_pose();
    const twist t = some<twist>();
    const Dual r(uniform(1.0), uniform(1.0)), dr(r.d), h(0.2);
    CHECK_NEAR(off(link_twist_tangent(&j, b, along(b), t, along(t), p, along(p), r, dr),
                   link_twist(&j, b, t, p, r)),
               0.0, 1e-11);
    CHECK_NEAR(off(link_move_tangent(&j, b, along(b), p, along(p), next, along(next), r, dr),
                   link_move(&j, b, p, next, r)),
               0.0, 1e-11);
    CHECK_NEAR(off(drive_move_tangent(p, along(p), t, along(t), h), drive_move(p, t, h)), 0.0,
               1e-11);
    const drive m = some_drive(i % 2);
    const wide u[2] = {r, Dual(uniform(1.0), uniform(1.0))}, du[2] = {dr, Dual(u[1].d)};
    CHECK_NEAR(off(drive_twist_tangent(&m, p, along(p), u, du), drive_twist(&m, p, u)), 0.0, 1e-11);
  }
}

static void test_track_tangent(void) {
  for (double time = 0.1; time < 3.2; time += 0.17) {
    Moving m;
    make(&m);
    pose p, dp;
    twist v, dv;
    wide knots[KNOTS * CQ_POSE];
    track_sway sways[SWAYS];
    for (int i = 0; i < KNOTS * CQ_POSE; i++) {
      knots[i] = m.knots[i].d;
    }
    track d = m.t;
    d.knots = knots;
    d.sways = sways;
    d.rate = m.t.rate.d;
    FOR_AXES(a) {
      d.velocity[a] = m.t.velocity[a].d;
    }
    for (int k = 0; k < SWAYS; k++) {
      sways[k] = track_sway();
      sways[k].angle = m.sways[k].angle.d;
      FOR_AXES(a) {
        sways[k].amplitude[a] = m.sways[k].amplitude[a].d;
      }
    }
    track_at(&m.t, time, &p, &v);
    track_tangent(&m.t, &d, time, &dp, &dv);
    CHECK_NEAR(off(dp, p), 0.0, 1e-11);
    CHECK_NEAR(off(dv, v), 0.0, 1e-11);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_twist_is_the_rate);
  RUN(test_knots);
  RUN(test_track_adjoint);
  RUN(test_alignment);
  RUN(test_drive);
  RUN(test_circle);
  RUN(test_linkage_adjoint);
  RUN(test_twist_of_a_link);
  RUN(test_two_rods);
  RUN(test_links_of_a_step);
  RUN(test_links_adjoint);
  RUN(test_tangents);
  RUN(test_track_tangent);
  return TEST_RESULT();
}
