/* Contacts by impulses against closed forms, in 2D and 3D. */
#include "alloc.h"
#include "mesh_maker.h"
#include "rigid_world.h"

static const double g = 9.81;

/* gravity along a slope that falls towards +x, seen from the slope */
static void tilt(world *w, double angle) {
  w->gravity[0] = g * sin(angle);
  w->gravity[1] = -g * cos(angle);
}

/* momentum and angular momentum about the origin of all bodies */
static void sum_momentum(world *w, double *p, double *l) {
  const int dim = w->r.dim;
  memset(p, 0, 3 * sizeof *p);
  memset(l, 0, 3 * sizeof *l);
  for (int i = 0; i < w->r.n; i++) {
    const double *x = world_pose(w, i), *v = world_twist(w, i), m = w->mass[i];
    const double *I = w->bodies[i].inertia.moment, unit = m / w->bodies[i].inertia.volume;
    for (int a = 0; a < dim; a++) {
      p[a] += m * v[a];
    }
    l[2] += m * (x[0] * v[1] - x[1] * v[0]);
    if (dim == 2) {
      l[2] += unit * I[0] * v[2];
      continue;
    }
    l[0] += m * (x[1] * v[2] - x[2] * v[1]);
    l[1] += m * (x[2] * v[0] - x[0] * v[2]);
    /* R I R^T w by the quaternion's matrix; here all moments are along the axes */
    const double *q = x + 3, n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double R[3][3];
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      R[a][a] = 1.0 - 2.0 * (q[1 + b] * q[1 + b] + q[1 + c] * q[1 + c]) / n;
      R[a][b] = 2.0 * (q[1 + a] * q[1 + b] - q[0] * q[1 + c]) / n;
      R[a][c] = 2.0 * (q[1 + a] * q[1 + c] + q[0] * q[1 + b]) / n;
    }
    for (int a = 0; a < 3; a++) {
      double own = 0.0;
      for (int b = 0; b < 3; b++) {
        own += R[b][a] * v[3 + b];
      }
      for (int b = 0; b < 3; b++) {
        l[b] += R[b][a] * unit * I[a] * own;
      }
    }
  }
}

/* rolls without slipping: a = g sin/(1 + I/(m r^2)), 5/7 g sin for a ball and 2/3 for a disc */
static void test_rolling(void) {
  for (int dim = 2; dim <= 3; dim++) {
    world w;
    world_begin(&w, dim, g, 1e-3);
    world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.6, 0.0, 0.0, 0.0);
    const int ball = world_add(&w, world_ball(0.2), CQ_RIGID_FREE, 0.6, 0.0, 0.2, 0.0);
    tilt(&w, 0.5);
    world_run(&w, 500);
    const double a = (dim == 3 ? 5.0 / 7.0 : 2.0 / 3.0) * g * sin(0.5);
    CHECK_NEAR(world_twist(&w, ball)[0], 0.5 * a, 1e-10);
    CHECK_NEAR(world_twist(&w, ball)[dim == 3 ? 5 : 2], -0.5 * a / 0.2, 1e-9);
    CHECK_NEAR(world_pose(&w, ball)[1], 0.2, 1e-12);
    /* the force that turns it is friction */
    CHECK_NEAR(w.contact[ball * cq_rigid_twist_size(dim)], a - g * sin(0.5), 1e-9);
    world_end(&w);
  }
}

/* too steep to roll: slides with a = g (sin - mu cos) and spins up by friction alone */
static void test_rolling_that_slips(void) {
  for (int dim = 2; dim <= 3; dim++) {
    world w;
    world_begin(&w, dim, g, 1e-3);
    world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.1, 0.0, 0.0, 0.0);
    const int ball = world_add(&w, world_ball(0.2), CQ_RIGID_FREE, 0.1, 0.0, 0.2, 0.0);
    tilt(&w, 0.5);
    world_run(&w, 500);
    const double inertia = dim == 3 ? 0.4 : 0.5;
    CHECK_NEAR(world_twist(&w, ball)[0], 0.5 * g * (sin(0.5) - 0.1 * cos(0.5)), 1e-10);
    CHECK_NEAR(world_twist(&w, ball)[dim == 3 ? 5 : 2], -0.5 * 0.1 * g * cos(0.5) / (inertia * 0.2),
               1e-9);
    world_end(&w);
  }
}

/* rolling friction: a ball on level ground slows down by mu_r g/r (1 + ...): held if the slope is
 * small */
static void test_rolling_friction(void) {
  for (int steep = 0; steep < 2; steep++) {
    world w;
    world_begin(&w, 3, g, 1e-3);
    world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.6, 0.0, 0.0, 0.0);
    const int ball = world_add(&w, world_ball(0.2), CQ_RIGID_FREE, 0.6, 0.0, 0.2, 0.0);
    w.bodies[0].rolling = w.bodies[ball].rolling = 0.02; /* tan of the angle: 0.02/0.2 */
    const double angle = steep ? 0.2 : 0.09;
    tilt(&w, angle);
    world_run(&w, 200);
    /* m a = m g sin - F, I a/r = F r - mu_r m g cos */
    const double a = steep ? (g * sin(angle) - 0.1 * g * cos(angle)) * 5.0 / 7.0 : 0.0;
    CHECK_NEAR(world_twist(&w, ball)[0], 0.2 * a, 1e-9);
    world_end(&w);
  }
}

/* a block sticks below the friction angle and slides with g (sin - mu cos) above it */
static void test_block_at_the_friction_angle(void) {
  const double mu = 0.5, limit = atan(0.5);
  for (int dim = 2; dim <= 3; dim++) {
    for (int steep = 0; steep < 2; steep++) {
      world w;
      world_begin(&w, dim, g, 1e-3);
      world_add(&w, world_ground(), CQ_RIGID_FIXED, mu, 0.0, 0.0, 0.0);
      const int block = world_add(&w, world_box(1.0, 0.4, 0.8), CQ_RIGID_FREE, mu, 0.0, 0.2, 0.0);
      const double angle = limit + (steep ? 0.01 : -0.01);
      tilt(&w, angle);
      world_remember(&w);
      world_run(&w, 300);
      const double a = steep ? g * (sin(angle) - mu * cos(angle)) : 0.0;
      CHECK_NEAR(world_twist(&w, block)[0], 0.3 * a, 1e-9);
      CHECK_NEAR(world_pose(&w, block)[1], 0.2, 1e-9);
      CHECK_NEAR(w.contact[block * cq_rigid_twist_size(dim) + 1], g * cos(angle), 1e-6);
      world_end(&w);
    }
  }
}

/* sliding obliquely: friction is opposed to the motion, whatever the block's shape */
static void test_friction_opposes_sliding(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.3, 0.0, 0.0, 0.0);
  const int ball = world_add(&w, world_box(2.0, 0.02, 0.5), CQ_RIGID_FREE, 0.3, 0.0, 0.01, 0.0);
  world_twist(&w, ball)[0] = 3.0;
  world_twist(&w, ball)[2] = 4.0;
  world_remember(&w);
  world_run(&w, 500);
  const double left = 5.0 - 0.5 * 0.3 * g;
  CHECK_NEAR(world_twist(&w, ball)[0], 0.6 * left, 2e-3);
  CHECK_NEAR(world_twist(&w, ball)[2], 0.8 * left, 2e-3);
  world_end(&w);
}

/* The end of a rod that comes down obliquely holds on to the ground: what friction is found with
 * covers all directions, though the rod gives way four times as easily across as along. */
static void test_rod(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 5.0, 0.0, 0.0, 0.0);
  const double ends[] = {-0.5, 0.0, 0.0, 0.5, 0.0, 0.0};
  const cq_shape shape = {.kind = CQ_SHAPE_capsule, .n_points = 2, .points = ends, .radius = 0.01};
  const int rod = world_add(&w, shape, CQ_RIGID_FREE, 5.0, 0.0, 0.06, 0.0);
  world_pose(&w, rod)[3] = cos(0.05);
  world_pose(&w, rod)[6] = sin(0.05);
  world_twist(&w, rod)[1] = -1.0;
  world_twist(&w, rod)[2] = 0.1;
  world_step(&w);
  CHECK(w.step.contacts > 0);
  CHECK(w.step.change <= w.r.tolerance);
  CHECK(w.step.iterations < 200);
  const double *v = world_twist(&w, rod);
  /* at its end, x = -1/2 cos and y = -1/2 sin - 0.01, v + w x r is 0 across the ground */
  const double x = -0.5 * cos(0.1), y = -0.5 * sin(0.1) - 0.01;
  CHECK_NEAR(v[0] - v[5] * y, 0.0, 2e-3);
  CHECK_NEAR(v[2] + v[3] * y - v[4] * x, 0.0, 5e-3);
  world_end(&w);
}

/* a box that is thrown and tumbles: steps of velocity and place one after the other give
 * v t - g t (t + h)/2, and what it spins with stays */
static void test_flight(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  const int box = world_add(&w, world_box(0.3, 0.2, 0.1), CQ_RIGID_FREE, 0.0, 0.0, 0.0, 0.0);
  double p[3], l[3], p1[3], l1[3];
  const double start[] = {1.0, 2.0, -0.5, 6.0, 7.0, -5.0};
  memcpy(world_twist(&w, box), start, sizeof start);
  sum_momentum(&w, p, l);
  world_run(&w, 2000);
  sum_momentum(&w, p1, l1);
  const double t = 2.0, *x = world_pose(&w, box);
  CHECK_NEAR(x[0], t, 1e-12);
  CHECK_NEAR(x[1], 2.0 * t - 0.5 * g * t * (t + 1e-3), 1e-11);
  /* about the centre of mass: that of the motion as a whole, x x p, is taken off */
  l1[0] -= x[1] * p1[2] - x[2] * p1[1];
  l1[1] -= x[2] * p1[0] - x[0] * p1[2];
  l1[2] -= x[0] * p1[1] - x[1] * p1[0];
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(l1[a], l[a], 1e-13);
  }
  world_end(&w);
}

/* five boxes stand for two seconds */
static void test_stack(void) {
  for (int dim = 2; dim <= 3; dim++) {
    world w;
    world_begin(&w, dim, g, 2e-3);
    world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
    for (int i = 0; i < 5; i++) {
      world_add(&w, world_box(0.4, 0.3, 0.4), CQ_RIGID_FREE, 0.5, 0.0, 0.15 + 0.3 * i, 0.0);
    }
    w.r.iterations = 200;
    world_remember(&w);
    double overlap = 0.0, drift = 0.0, turn = 0.0;
    int most = 0;
    for (int k = 0; k < 1000; k++) {
      world_step(&w);
      overlap = fmax(overlap, w.step.overlap);
      most = w.step.iterations > most ? w.step.iterations : most;
    }
    for (int i = 1; i <= 5; i++) {
      const double *p = world_pose(&w, i);
      drift = fmax(drift, fmax(fabs(p[0]), fabs(p[1] - (0.15 + 0.3 * (i - 1)))));
      for (int a = dim == 2 ? 2 : 4; a < cq_rigid_pose_size(dim); a++) {
        turn = fmax(turn, fabs(p[a]));
      }
    }
    printf("  %dD: overlap %.1e m, drift %.1e m, turned by %.1e, at most %d sweeps\n", dim, overlap,
           drift, turn, most);
    CHECK(overlap < 1e-6);
    CHECK(drift < 1e-6);
    CHECK(turn < 1e-6);
    /* the ground carries all of them */
    CHECK_NEAR(w.contact[1], -5.0 * g, 1e-4);
    world_end(&w);
  }
}

/* comes back with e times the speed, and again and again, and is at rest in the end */
static void test_bounce(void) {
  const double e = 0.7, height = 0.5, dt = 1e-4;
  world w;
  world_begin(&w, 3, g, dt);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.0, 0.0, 0.0, 0.0);
  const int ball = world_add(&w, world_ball(0.1), CQ_RIGID_FREE, 0.0, 0.0, 0.1 + height, 0.0);
  w.bodies[ball].restitution = e;
  double before = 0.0, top = 0.0;
  bool up = false;
  world_remember(&w);
  for (int i = 0; i < 6000; i++) {
    const double v = world_twist(&w, ball)[1];
    world_step(&w);
    const double after = world_twist(&w, ball)[1];
    if (!up && after > 0.0) {
      up = true;
      before = v - dt * g;
      CHECK_NEAR(after, -e * before, 1e-12);
    }
    top = up ? fmax(top, world_pose(&w, ball)[1] - 0.1) : 0.0;
  }
  CHECK_NEAR(-before, sqrt(2.0 * g * height), 1e-3);
  CHECK_NEAR(top, e * e * height, 1e-3);
  for (size_t i = 0; i < cq_rigids_memory(&w.r); i++) {
    CHECK(w.memory[i] == 0.0); /* an impulse is not remembered in the air */
  }
  world_run(&w, 40000);
  CHECK_NEAR(world_pose(&w, ball)[1], 0.1, 1e-6);
  CHECK_NEAR(world_twist(&w, ball)[1], 0.0, 1e-9);
  world_end(&w);
}

/* two bodies meet in flight, with friction, off centre and tumbling: by impulses and by springs */
static void check_collision(int dim, bool smooth) {
  world w;
  world_begin(&w, dim, 0.0, 1e-3);
  w.r.smooth = smooth;
  world_add(&w, world_box(0.4, 0.3, 0.2), CQ_RIGID_FREE, 0.4, 0.0, 0.0, 0.0);
  world_add(&w, world_box(0.3, 0.3, 0.5), CQ_RIGID_FREE, 0.4, 0.6, 0.11, 0.07);
  w.mass[1] = 2.5;
  w.bodies[0].restitution = 0.5;
  world_twist(&w, 0)[0] = 1.5;
  for (int a = dim; a < cq_rigid_twist_size(dim); a++) {
    world_twist(&w, 0)[a] = 0.5 * a - 1.4;
    world_twist(&w, 1)[a] = 0.8;
  }
  double p[3], l[3], p1[3], l1[3];
  sum_momentum(&w, p, l);
  bool met = false, together = true;
  for (int i = 0; i < 600; i++) {
    world_step(&w);
    double most = 0.0;
    const int n = cq_rigid_twist_size(dim);
    for (int a = 0; a < dim; a++) {
      most = fmax(most, fabs(w.contact[a]));
      together = together && fabs(w.contact[a] + w.contact[n + a]) <= 1e-12 * (1.0 + most);
    }
    met = met || most > 0.0;
  }
  sum_momentum(&w, p1, l1);
  CHECK(met);
  CHECK(together);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(p1[a], p[a], 1e-12);
    CHECK_NEAR(l1[a], l[a], 1e-12);
  }
  world_end(&w);
}

static void test_collision(void) {
  check_collision(2, false);
  check_collision(3, false);
  check_collision(2, true);
  check_collision(3, true);
}

/* two balls of unequal masses head on: Newton's velocities */
static void test_head_on(void) {
  world w;
  world_begin(&w, 3, 0.0, 1e-3);
  world_add(&w, world_ball(0.1), CQ_RIGID_FREE, 0.0, 0.0, 0.0, 0.0);
  world_add(&w, world_ball(0.2), CQ_RIGID_FREE, 0.0, 0.5, 0.0, 0.0);
  w.mass[1] = 3.0;
  w.bodies[1].restitution = 0.6;
  world_twist(&w, 0)[0] = 2.0;
  world_run(&w, 300);
  CHECK_NEAR(world_twist(&w, 0)[0], 2.0 * (1.0 - 3.0 * 0.6) / 4.0, 1e-13);
  CHECK_NEAR(world_twist(&w, 1)[0], 2.0 * 1.6 / 4.0, 1e-13);
  world_end(&w);
}

/* a belt takes a box along until it has its speed, and a driven wall pushes a ball before it */
static void test_movers(void) {
  world w;
  world_begin(&w, 2, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.4, 0.0, 0.0, 0.0);
  w.bodies[0].belt[0] = 0.8;
  const int box = world_add(&w, world_box(0.3, 0.2, 0.0), CQ_RIGID_FREE, 0.4, 0.0, 0.1, 0.0);
  world_run(&w, 100);
  CHECK_NEAR(world_twist(&w, box)[0], 0.1 * 0.4 * g, 1e-9);
  world_run(&w, 900);
  CHECK_NEAR(world_twist(&w, box)[0], 0.8, 1e-9);
  world_end(&w);

  world_begin(&w, 2, 0.0, 1e-3);
  const double times[] = {0.0}, knots[] = {0.0, 0.0, 0.0};
  const track along = {.n_knots = 1, .times = times, .knots = knots, .velocity = {0.5, 0.0, 0.0}};
  const int wall = world_add(&w, world_box(0.1, 1.0, 0.0), CQ_RIGID_DRIVEN, 0.0, 0.0, 0.0, 0.0);
  w.bodies[wall].track = &along;
  const int ball = world_add(&w, world_ball(0.1), CQ_RIGID_FREE, 0.0, 0.2, 0.1, 0.0);
  world_run(&w, 1000);
  CHECK_NEAR(world_pose(&w, wall)[0], 0.5, 1e-12);
  CHECK_NEAR(world_twist(&w, ball)[0], 0.5, 1e-12);
  CHECK_NEAR(world_pose(&w, ball)[0], 0.5 + 0.15, 1e-9);
  world_end(&w);
}

/* driven by controls, then let go: it flies on with what it had, and falls */
static void test_release(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  const int body = world_add(&w, world_box(0.1, 0.2, 0.3), CQ_RIGID_DRIVEN, 0.0, 0.0, 0.0, 0.0);
  const double u[] = {2.0, 1.0};
  w.bodies[body].drive = (drive){.n_controls = 2, .component = {0, 4}};
  w.bodies[body].release = 0.5;
  w.step.controls = u;
  world_run(&w, 500);
  CHECK_NEAR(world_pose(&w, body)[0], 1.0, 1e-12);
  CHECK_NEAR(world_pose(&w, body)[3], cos(0.25), 1e-9);
  CHECK_NEAR(world_pose(&w, body)[1], 0.0, 1e-15);
  world_run(&w, 500);
  CHECK_NEAR(world_pose(&w, body)[0], 2.0, 1e-12);
  CHECK_NEAR(world_twist(&w, body)[1], -0.5 * g, 1e-12);
  CHECK_NEAR(world_twist(&w, body)[4], 1.0, 1e-12);
  world_end(&w);
}

/* an arm of two links on a moving base, by the rates of its joints: it stays together, and its end
 * is where the angles say */
static void test_arm(void) {
  const joint shoulder = {JOINT_HINGE, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.5, 0.0, 0.0}};
  const joint elbow = {JOINT_HINGE, {0.5, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.25, 0.0, 0.0}};
  const double u[] = {0.2, 1.0, -2.0};
  for (int dim = 2; dim <= 3; dim++) {
    world w;
    world_begin(&w, dim, 0.0, 1e-3);
    world_add(&w, world_box(0.1, 0.1, 0.1), CQ_RIGID_DRIVEN, 0.0, 0.0, 0.0, 0.0);
    world_add(&w, world_box(1.0, 0.1, 0.1), CQ_RIGID_DRIVEN, 0.0, 0.5, 0.0, 0.0);
    world_add(&w, world_box(0.5, 0.1, 0.1), CQ_RIGID_DRIVEN, 0.0, 1.25, 0.0, 0.0);
    w.bodies[0].drive = (drive){.n_controls = 1, .component = {1}};
    for (int i = 1; i < 3; i++) {
      w.bodies[i].joint = i == 1 ? &shoulder : &elbow;
      w.bodies[i].parent = i - 1;
      w.bodies[i].first_control = i;
    }
    w.step.controls = u;
    world_run(&w, 1000);
    const double *p = world_pose(&w, 2);
    CHECK_NEAR(p[0], cos(1.0) + 0.25 * cos(-1.0), 1e-12);
    CHECK_NEAR(p[1], 0.2 + sin(1.0) + 0.25 * sin(-1.0), 1e-12);
    cq_placed at[3];
    CHECK(cq_rigids_place(w.ctx, &w.r, &w.step, at) == CQ_OK);
    CHECK_NEAR(at[2].v[0], -sin(1.0) + 0.25 * sin(-1.0), 1e-12);
    CHECK_NEAR(at[2].v[1], 0.2 + cos(1.0) - 0.25 * cos(-1.0), 1e-12);
    CHECK_NEAR(at[2].w[dim == 2 ? 0 : 2], -1.0, 1e-12);
    CHECK_NEAR(at[2].R[0][1], sin(1.0), 1e-12);
    world_end(&w);
  }
}

/* overlap at the start is taken back without a throw */
static void test_overlap_is_taken_back(void) {
  world w;
  world_begin(&w, 2, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
  const int box = world_add(&w, world_box(0.4, 0.4, 0.0), CQ_RIGID_FREE, 0.5, 0.0, 0.19, 0.0);
  double fastest = 0.0;
  for (int i = 0; i < 200; i++) {
    world_step(&w);
    fastest = fmax(fastest, fabs(world_twist(&w, box)[1]));
  }
  CHECK_NEAR(world_pose(&w, box)[1], 0.2, 1.1 * w.r.overlap);
  CHECK(fastest < 1e-9);
  world_end(&w);
}

/* A box tips over its edge on a steep slope with much friction; a flat one does not. */
static void test_tipping(void) {
  for (int flat = 0; flat < 2; flat++) {
    world w;
    world_begin(&w, 2, g, 1e-3);
    world_add(&w, world_ground(), CQ_RIGID_FIXED, 2.0, 0.0, 0.0, 0.0);
    const double height = flat ? 0.3 : 0.8;
    const int box =
        world_add(&w, world_box(0.4, height, 0.0), CQ_RIGID_FREE, 2.0, 0.0, 0.5 * height, 0.0);
    tilt(&w, 0.6); /* tips if tan 0.6 = 0.68 is more than width/height, 0.5 or 1.33 */
    world_run(&w, 300);
    CHECK(flat ? fabs(world_pose(&w, box)[2]) < 1e-9 : world_pose(&w, box)[2] < -0.1);
    world_end(&w);
  }
}

/* --- seen from above: the ground slows what slides and what turns
 * --------------------------------- */

/* arms of a disc and a box; a polygon and a composite of the same box */
static void test_arms_on_ground(void) {
  static const double corners[] = {-0.2, -0.1, 0.2, -0.1, 0.2, 0.1, -0.2, 0.1};
  const cq_part halves[] = {
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {-0.1}, .size = {0.2, 0.2}}},
      {.shape = {.kind = CQ_SHAPE_box, .dim = 2, .center = {0.1}, .size = {0.2, 0.2}}}};
  const double a = 0.2, b = 0.1, c = hypot(a, b);
  const double box = (c + (a * a * asinh(b / a) / b + b * b * asinh(a / b) / a) / 2.0) / 3.0;
  world w;
  world_begin(&w, 2, 0.0, 1e-3);
  world_add(&w, world_ball(0.3), CQ_RIGID_FREE, 0.0, 1.0, 2.0, 0.0);
  world_add(&w, world_box(0.4, 0.2, 0.0), CQ_RIGID_FREE, 0.0, 1.0, 2.0, 0.0);
  world_add(&w, (cq_shape){.kind = CQ_SHAPE_polygon, .n_points = 4, .points = corners},
            CQ_RIGID_FREE, 0.0, 1.0, 2.0, 0.0);
  world_add(&w, (cq_shape){.kind = CQ_SHAPE_composite, .n_parts = 2, .parts = halves},
            CQ_RIGID_FREE, 0.0, 1.0, 2.0, 0.0);
  for (int i = 0; i < 4; i++) {
    cq_rigid_on_ground(&w.bodies[i], 3.0);
    CHECK_NEAR(w.bodies[i].ground_arm, i == 0 ? 0.2 : box, 2e-6);
  }
  world_end(&w);
}

/* A box that slides stops after v^2/(2 mu g), and one that turns after I w/(m mu g r), both at
 * whatever mass, and both at once. Steps are implicit: their sums are shorter by half a step. */
static void test_stopping_on_ground(void) {
  const double slowing = 0.4 * g, v = 1.2, spin = 9.0, steps[] = {1e-4, 1e-5};
  for (int k = 0; k < 4; k++) {
    world w;
    world_begin(&w, 2, 0.0, steps[k % 2]);
    w.r.smooth = k < 2;
    w.r.ground_rest = 1e-6;
    const int box = world_add(&w, world_box(0.4, 0.2, 0.0), CQ_RIGID_FREE, 0.5, 0.0, 0.0, 0.0);
    w.mass[box] = k % 2 == 0 ? 2.0 : 0.3;
    cq_rigid_on_ground(&w.bodies[box], slowing);
    const double turning = w.bodies[box].ground_arm * slowing / ((0.16 + 0.04) / 12.0);
    double *p = world_pose(&w, box), *t = world_twist(&w, box), stood = 0.0, slid = 0.0;
    t[0] = 0.6 * v;
    t[1] = -0.8 * v;
    t[2] = spin;
    for (int i = 0; i < (int)(0.5 / w.step.dt); i++) {
      world_step(&w);
      slid = slid == 0.0 && hypot(t[0], t[1]) < 1e-5 ? w.step.time : slid;
      stood = stood == 0.0 && fabs(t[2]) < 1e-4 ? w.step.time : stood;
    }
    const double dt = w.step.dt, error = 2.0 * dt;
    CHECK_NEAR(slid, v / slowing, error);
    CHECK_NEAR(stood, spin / turning, error);
    CHECK_NEAR(hypot(p[0], p[1]), v * v / (2.0 * slowing) - 0.5 * v * dt, 1e-3 * dt + 1e-9);
    CHECK_NEAR(p[2], spin * spin / (2.0 * turning) - 0.5 * spin * dt, 1e-3 * dt + 1e-7);
    CHECK_NEAR(p[1], -4.0 / 3.0 * p[0], 1e-12);
    world_end(&w);
  }
}

/* A push below the friction moves it no faster than the law is smooth, and no step is too long. */
static void test_push_on_ground(void) {
  for (int k = 0; k < 2; k++) {
    world w;
    world_begin(&w, 2, 0.0, 0.01);
    w.r.smooth = true;
    w.r.ground_rest = 1e-4;
    world_add(&w, world_box(0.4, 0.2, 0.0), CQ_RIGID_FREE, 0.5, 0.0, 0.0, 0.0);
    w.mass[0] = 2.0;
    cq_rigid_on_ground(&w.bodies[0], 3.0);
    const double push[3] = {k == 0 ? 3.0 : 9.0};
    w.step.wrench = push;
    world_run(&w, 100);
    if (k == 0) { /* half of what holds it */
      CHECK_NEAR(w.twist[0], 1e-4 * 0.5 / sqrt(0.75), 1e-12);
    } else {
      CHECK_NEAR(w.twist[0], 9.0 / 2.0 - 3.0, 1e-5);
    }
    world_end(&w);
  }
}

/* --- meshes
 * ------------------------------------------------------------------------------------------ */

/* In 2D a regular outline, in 3D a ball of triangles. */
static cq_surface round_surface(cq_ctx *ctx, int dim, double radius) {
  enum { CORNERS = 96 };
  if (dim == 3) {
    return maker_sphere(ctx, radius, CORNERS / 2, NULL);
  }
  cq_surface s = maker_begin(ctx, 2, CORNERS, CORNERS);
  for (int i = 0; i < CORNERS; i++) {
    const double angle = 2.0 * maker_pi * i / CORNERS;
    maker_vertex(&s, radius * cos(angle), radius * sin(angle), 0.0);
    maker_face(&s, i, (i + 1) % CORNERS, 0);
  }
  return s;
}

static cq_surface box_surface(cq_ctx *ctx, int dim, double x, double y, double z) {
  const double low[3] = {-0.5 * x, -0.5 * y, -0.5 * z}, high[3] = {0.5 * x, 0.5 * y, 0.5 * z};
  if (dim == 3) {
    return maker_box(ctx, low, high);
  }
  cq_surface s = maker_begin(ctx, 2, 4, 4);
  for (int i = 0; i < 4; i++) {
    maker_vertex(&s, i == 1 || i == 2 ? high[0] : low[0], i < 2 ? low[1] : high[1], 0.0);
    maker_face(&s, i, (i + 1) % 4, 0);
  }
  return s;
}

/* On the ground: 1 the shape, 2 the mesh of the surface, which is taken. */
typedef struct mesh_world {
  world w;
  cq_ctx *ctx;
  void *memory, *grid;
} mesh_world;

/* case k of 8: dimension, a grid of distances or exact ones, the law of contact */
static void mesh_world_begin(mesh_world *m, int k, double friction, cq_shape shape,
                             cq_surface (*surface)(cq_ctx *ctx, int dim), double height) {
  const int dim = 2 + k % 2;
  const double still[3] = {0.0, 0.0, 0.0};
  int turned;
  *m = (mesh_world){.ctx = cq_ctx_create(1, 1)};
  cq_shape mesh = {.kind = CQ_SHAPE_mesh, .dim = dim};
  cq_surface s = surface(m->ctx, dim);
  CHECK(cq_surface_mend(m->ctx, "test", &s, &turned) == CQ_OK);
  CHECK(cq_alloc(m->ctx, &m->memory, cq_mesh_bytes(&s), 1) == CQ_OK);
  CHECK(cq_mesh_make(m->ctx, &s, 1.0, still, m->memory, &mesh.mesh) == CQ_OK);
  cq_surface_free(m->ctx, &s);
  if (k / 2 % 2 == 1) {
    CHECK(cq_alloc(m->ctx, &m->grid, cq_sdf_bytes(&mesh, 40), 1) == CQ_OK);
    mesh.sdf = cq_sdf_make(&mesh, 40, m->grid);
  }
  world_begin(&m->w, dim, g, 1e-3);
  m->w.r.smooth = k >= 4;
  world_add(&m->w, world_ground(), CQ_RIGID_FIXED, friction, 0.0, 0.0, 0.0);
  world_add(&m->w, shape, CQ_RIGID_FREE, friction, 0.0, height, 0.0);
  world_add(&m->w, mesh, CQ_RIGID_FREE, friction, 10.0, height, 0.0);
}

static void mesh_world_end(mesh_world *m) {
  world_end(&m->w);
  cq_free(m->ctx, m->memory);
  cq_free(m->ctx, m->grid);
  CHECK(cq_ctx_bytes(m->ctx) == 0);
  cq_ctx_destroy(m->ctx);
}

static cq_surface small_box(cq_ctx *ctx, int dim) {
  return box_surface(ctx, dim, 0.5, 0.2, 0.4);
}

static cq_surface tall_box(cq_ctx *ctx, int dim) {
  return box_surface(ctx, dim, 0.4, 0.8, 0.4);
}

static cq_surface small_ball(cq_ctx *ctx, int dim) {
  return round_surface(ctx, dim, 0.2);
}

/* A box as a mesh has the inertia of the box, sinks in no deeper by either law, and slides as fast.
 */
static void test_box_of_a_mesh(void) {
  for (int k = 0; k < 8; k++) {
    mesh_world m;
    mesh_world_begin(&m, k, 0.3, world_box(0.5, 0.2, 0.4), small_box, 0.1);
    world *w = &m.w;
    const cq_inertia *a = &w->bodies[1].inertia, *b = &w->bodies[2].inertia;
    CHECK_NEAR(b->volume, a->volume, 1e-15);
    for (int i = 0; i < 6; i++) {
      CHECK_NEAR(b->moment[i], a->moment[i], 1e-16);
      CHECK(i >= 3 || fabs(b->center[i]) < 1e-16);
    }
    world_run(w, k < 4 ? 50 : 500);
    const double down = 0.1 - world_pose(w, 2)[1], before = world_twist(w, 2)[0];
    CHECK_MSG(down > (k < 4 ? -1e-12 : 1e-6) && down < (k < 4 ? 1e-12 : w->r.depth), "%d: %g m", k,
              down);
    tilt(w, 0.5);
    world_run(w, 300);
    const double slides = 0.3 * g * (sin(0.5) - 0.3 * cos(0.5));
    CHECK_NEAR((world_twist(w, 2)[0] - before) / slides, 1.0, k < 4 ? 1e-10 : 0.01);
    mesh_world_end(&m);
  }
}

/* The corners of a mesh are there: it tips over its edge where the box does. */
static void test_mesh_that_tips(void) {
  for (int k = 0; k < 4; k++) {
    for (int steep = 0; steep < 2; steep++) {
      mesh_world m;
      mesh_world_begin(&m, k, 2.0, world_box(0.4, 0.8, 0.4), tall_box, 0.4);
      tilt(&m.w, steep ? 0.52 : 0.42); /* it tips if the tangent is more than 0.5, of 0.464 */
      world_run(&m.w, 400);
      const int at = k % 2 == 0 ? 2 : 6; /* 3D: sine of half the angle */
      const double turn = world_pose(&m.w, 2)[at] * (k % 2 + 1);
      CHECK_MSG(steep ? turn < -0.02 : fabs(turn) < 5e-3, "%d %d: %g", k, steep, turn);
      mesh_world_end(&m);
    }
  }
}

/* A ball of a mesh has spots a sixteenth of its width apart, and rolls like the round one but for
 * some hundredths that it loses from spot to spot. */
static void test_ball_of_a_mesh(void) {
  for (int k = 0; k < 8; k++) {
    mesh_world m;
    mesh_world_begin(&m, k, 0.6, world_ball(0.2), small_ball, 0.2);
    tilt(&m.w, 0.2);
    world_run(&m.w, 600);
    const double rolls = 0.6 * g * sin(0.2) * (k % 2 == 1 ? 5.0 / 7.0 : 2.0 / 3.0);
    CHECK_NEAR(world_twist(&m.w, 2)[0] / rolls, 1.0, 0.05);
    CHECK_NEAR(world_pose(&m.w, 2)[1], 0.2, 2.0 * m.w.r.depth);
    mesh_world_end(&m);
  }
}

/* the same bits from the same state, and memory that fails is said */
static void test_pure(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
  world_add(&w, world_box(0.4, 0.4, 0.4), CQ_RIGID_FREE, 0.5, 0.0, 0.25, 0.0);
  world_twist(&w, 1)[3] = 1.0;
  world_run(&w, 150);
  CHECK(w.step.contacts > 0);
  CHECK(cq_rigids_step(w.ctx, &w.r, &w.step) == CQ_OK);
  double again[6];
  memcpy(again, w.next_twist + 6, sizeof again);
  CHECK(cq_rigids_step(w.ctx, &w.r, &w.step) == CQ_OK);
  CHECK(memcmp(again, w.next_twist + 6, sizeof again) == 0);
  for (int n = 1; n <= 6; n++) {
    cq_alloc_fail_nth(w.ctx, n);
    CHECK(cq_rigids_step(w.ctx, &w.r, &w.step) == CQ_MEMORY);
  }
  cq_alloc_fail_nth(w.ctx, 0);
  cq_ctx_clear_error(w.ctx);
  w.bodies[1].name = "box";
  w.twist[6] = NAN;
  CHECK(cq_rigids_step(w.ctx, &w.r, &w.step) == CQ_NONFINITE);
  CHECK(strstr(cq_ctx_error(w.ctx), "\"box\" is not finite") != NULL);
  cq_rigid_adjoint d = {0};
  CHECK(cq_rigids_adjoint(w.ctx, &w.r, &w.step, &d) == CQ_USAGE);
  world_end(&w);
}

/* A drive with a limit: below it the body goes as it is told, held against a wall it pushes with
 * the limit and no more, and it takes back what it has lost of its track without going beyond. */
static void test_limited(void) {
  for (int dim = 2; dim <= 3; dim++) {
    const double times[2] = {0.0, 1.0}, most = 30.0;
    double knots[14] = {0}, controls[1] = {0.5};
    world w;
    world_begin(&w, dim, g, 1e-3);
    const int box = world_add(&w, world_box(0.2, 0.2, 0.2), CQ_RIGID_DRIVEN, 0.3, 0.0, 0.0, 0.0);
    const int wall = world_add(&w, world_box(0.1, 1.0, 1.0), CQ_RIGID_FIXED, 0.3, 0.35, 0.0, 0.0);
    const int size = cq_rigid_pose_size(dim);
    w.bodies[box].max_force = most;
    w.bodies[box].drive = (drive){.n_controls = 1, .component = {0}};
    w.step.controls = controls;
    world_twist(&w, box)[0] = 0.5;
    world_remember(&w);
    world_run(&w, 10);
    CHECK_NEAR(world_pose(&w, box)[0], 10 * 0.5e-3, 1e-12);
    world_run(&w, 990); /* 0.5 m, and there are 0.2 m to the wall */
    CHECK_NEAR(world_pose(&w, box)[0], 0.2, 1e-5);
    CHECK_NEAR(world_twist(&w, box)[0], 0.0, 1e-9);
    CHECK_NEAR(w.contact[wall * cq_rigid_twist_size(dim)], most, 1e-6 * most);
    CHECK_NEAR(world_pose(&w, box)[1], 0.0, 1e-6); /* its weight is carried */

    /* the same by a track that ends in the wall, and then the wall is gone */
    knots[size] = 0.3;
    if (dim == 3) {
      knots[3] = knots[size + 3] = 1.0;
    }
    track t = {.n_knots = 2, .times = times, .knots = knots, .axis = {0.0, 0.0, 1.0}};
    w.bodies[box].track = &t;
    world_run(&w, 200);
    CHECK_NEAR(w.contact[wall * cq_rigid_twist_size(dim)], most, 1e-6 * most);
    world_pose(&w, wall)[0] = 5.0;
    double far = 0.0;
    for (int k = 0; k < 600; k++) {
      world_run(&w, 1);
      far = fmax(far, world_pose(&w, box)[0]);
    }
    CHECK_NEAR(world_pose(&w, box)[0], 0.3, 1e-6);
    CHECK(far < 0.3 + 1e-4);
    world_end(&w);
  }
}

/* A step in parts is the step, if it has as many sweeps. */
static void test_parts(void) {
  world w;
  world_begin(&w, 3, g, 1e-3);
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
  world_add(&w, world_box(0.2, 0.2, 0.2), CQ_RIGID_FREE, 0.5, 0.0, 0.1001, 0.0);
  world_remember(&w);
  w.r.iterations = 7;
  w.r.tolerance = 0.0;
  world_run(&w, 20);
  const size_t n = cq_rigids_memory(&w.r);
  double *memory = malloc((n + 1) * sizeof *memory), pose[7 * WORLD_MOST], twist[6 * WORLD_MOST];
  memcpy(memory, w.memory, n * sizeof *memory);
  CHECK(cq_rigids_step(w.ctx, &w.r, &w.step) == CQ_OK);
  memcpy(pose, w.next_pose, sizeof pose);
  memcpy(twist, w.next_twist, sizeof twist);
  cq_rigid_sweeps *sweeps = NULL;
  cq_rigid_mover movers[2];
  w.step.memory = memory;
  CHECK(cq_rigids_begin(w.ctx, &w.r, &w.step, &sweeps) == CQ_OK);
  cq_rigids_movers(&w.r, sweeps, movers);
  CHECK(movers[0].inverse_mass == 0.0 && movers[1].inverse_mass == 1.0);
  cq_rigids_push(&w.r, sweeps, movers);
  for (int k = 0; k < 7; k++) {
    cq_rigids_sweep(&w.r, sweeps);
  }
  CHECK(cq_rigids_end(w.ctx, &w.r, &w.step, sweeps) == CQ_OK);
  CHECK(memcmp(pose, w.next_pose, sizeof pose) == 0);
  CHECK(memcmp(twist, w.next_twist, sizeof twist) == 0);
  CHECK(memcmp(memory, w.memory, n * sizeof *memory) == 0);
  free(memory);
  world_end(&w);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_rolling);
  RUN(test_rolling_that_slips);
  RUN(test_rolling_friction);
  RUN(test_block_at_the_friction_angle);
  RUN(test_friction_opposes_sliding);
  RUN(test_rod);
  RUN(test_flight);
  RUN(test_stack);
  RUN(test_bounce);
  RUN(test_collision);
  RUN(test_head_on);
  RUN(test_movers);
  RUN(test_release);
  RUN(test_arm);
  RUN(test_overlap_is_taken_back);
  RUN(test_tipping);
  RUN(test_arms_on_ground);
  RUN(test_stopping_on_ground);
  RUN(test_push_on_ground);
  RUN(test_box_of_a_mesh);
  RUN(test_mesh_that_tips);
  RUN(test_ball_of_a_mesh);
  RUN(test_limited);
  RUN(test_parts);
  RUN(test_pure);
  return TEST_RESULT();
}
