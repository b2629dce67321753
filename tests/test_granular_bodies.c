/* Rigid bodies among grains, against what must hold exactly. */
#include "granular_kernels.h"
#include "granular_scene.h"
#include "rng.h"

static const double g_earth = 9.81;

enum { MOST = 8 };

/* A scene whose walls are rigid bodies, too. */
typedef struct body_scene {
  grain_scene s;
  int n_grains, next; /* particle of the next body */
  cq_rigids rigids;
  cq_rigid bodies[MOST];
  cq_granular_rigid rigid[MOST];
  double placed[MOST * 8 * 3];
  int first_body;
} body_scene;

static int points_of(int dim) {
  return dim == 2 ? 4 : 8;
}

/* n grains of radius r, and room for the points of n_bodies bodies behind them. */
static void bodies_begin(body_scene *b, int dim, int n, int n_bodies, double r, double dt,
                         int iterations) {
  memset(b, 0, sizeof *b);
  b->s = grain_begin(dim, 64, n + n_bodies * points_of(dim), r, dt, iterations);
  b->n_grains = b->next = n;
  b->rigids.dim = dim;
}

static int add(body_scene *b, cq_shape shape, cq_rigid_motion motion, double friction) {
  const int i = b->rigids.n++;
  grain_scene *s = &b->s;
  const double up[3] = {0.0, 1.0, 0.0};
  shape.dim = s->model.dim;
  grain_plane(s, shape.center, up, friction); /* a tool, whose shape comes now */
  s->parts[i] = shape;
  CHECK(cq_rigid_make(s->ctx, &s->parts[i], 0.05, 1e-3, &b->bodies[i]) == CQ_OK);
  b->bodies[i].name = "body";
  b->bodies[i].motion = motion;
  memcpy(s->tools[i].origin, b->bodies[i].inertia.center, sizeof s->tools[i].origin);
  b->rigid[i] = (cq_granular_rigid){.tool = i, .first = s->model.n_particles};
  return i;
}

/* A body of density 1000 at its shape's centre, with these velocities. */
static int add_body(body_scene *b, cq_shape shape, cq_rigid_motion motion, double friction,
                    const double *v, const double *w) {
  grain_scene *s = &b->s;
  const int i = add(b, shape, motion, friction), dim = s->model.dim;
  b->rigid[i].first = b->next;
  b->rigid[i].count = points_of(dim);
  for (int p = 0; p < points_of(dim); p++, b->next++) {
    double r[3] = {0}, u[3];
    for (int a = 0; a < dim; a++) {
      r[a] = (p >> a & 1) != 0 ? 0.01 : -0.01;
    }
    u[0] = v[0] + w[1] * r[2] - w[2] * r[1];
    u[1] = v[1] + w[2] * r[0] - w[0] * r[2];
    u[2] = v[2] + w[0] * r[1] - w[1] * r[0];
    for (int a = 0; a < dim; a++) {
      const double x = b->bodies[i].inertia.center[a] + r[a];
      grain_of(s, CQ_GRAIN_x, b->next)[a] = x;
      grain_of(s, CQ_GRAIN_v, b->next)[a] = u[a];
      b->placed[(b->next - b->n_grains) * dim + a] = x;
    }
  }
  return i;
}

static int add_plane(body_scene *b, double friction) {
  return add(b, (cq_shape){.kind = CQ_SHAPE_half_space, .normal = {0.0, 1.0, 0.0}}, CQ_RIGID_FIXED,
             friction);
}

/* The model is whole; grains may then be placed, since the inputs do not move any more. */
static void bodies_settle(body_scene *b) {
  cq_rigids_usual(&b->rigids, 1.0, g_earth, 0.1 * b->s.model.length);
  b->rigids.bodies = b->bodies;
  b->s.own.rigids = &b->rigids;
  b->s.own.rigid = b->rigid;
  b->s.own.n_grains = b->n_grains;
  b->s.own.placed = b->placed;
}

static void bodies_end(body_scene *b) {
  for (int i = 0; i < b->rigids.n; i++) {
    cq_rigid_free(b->s.ctx, &b->bodies[i]);
  }
  grain_end(&b->s);
}

/* centre and velocity of a body after a run, by its points */
static void mean_of(body_scene *b, int i, int input, double *mean) {
  memset(mean, 0, 3 * sizeof *mean);
  for (int p = b->rigid[i].first; p < b->rigid[i].first + b->rigid[i].count; p++) {
    for (int a = 0; a < b->s.model.dim; a++) {
      mean[a] += grain_after(&b->s, input, p)[a] / b->rigid[i].count;
    }
  }
}

static void cross_add(const double *a, const double *b, double scale, double *c) {
  c[0] += scale * (a[1] * b[2] - a[2] * b[1]);
  c[1] += scale * (a[2] * b[0] - a[0] * b[2]);
  c[2] += scale * (a[0] * b[1] - a[1] * b[0]);
}

/* Momentum, and angular momentum about the origin, of the first state or of the last; bodies are
 * balls or discs, whose moment is one number. */
static void sum(body_scene *b, bool last, double *p, double *l) {
  grain_scene *s = &b->s;
  const int dim = s->model.dim, spins = dim == 2 ? 1 : 3;
  double *(*of)(grain_scene *, int, int) = last ? grain_after : grain_of;
  memset(p, 0, 3 * sizeof *p);
  memset(l, 0, 3 * sizeof *l);
  for (int i = 0; i < b->n_grains; i++) {
    const double volume = grain_of(s, CQ_GRAIN_volume, i)[0], m = 1000.0 * volume;
    const double r = dim == 2 ? sqrt(volume / GRAIN_PI) : cbrt(0.75 * volume / GRAIN_PI);
    double x[3] = {0}, v[3] = {0};
    memcpy(x, of(s, CQ_GRAIN_x, i), (size_t)dim * sizeof *x);
    memcpy(v, of(s, CQ_GRAIN_v, i), (size_t)dim * sizeof *v);
    for (int a = 0; a < 3; a++) {
      p[a] += m * v[a];
    }
    cross_add(x, v, m, l);
    for (int k = 0; k < spins; k++) {
      l[3 - spins + k] += m * (dim == 2 ? 0.5 : 0.4) * r * r * of(s, CQ_GRAIN_spin, i)[k];
    }
  }
  for (int i = 0; i < b->rigids.n; i++) {
    const cq_rigid *body = &b->bodies[i];
    const int n = b->rigid[i].count;
    const double m = 1000.0 * body->inertia.volume, I = 1000.0 * body->inertia.moment[0];
    double x[3] = {0}, v[3] = {0}, w[3] = {0}, square = 0.0;
    for (int q = b->rigid[i].first; q < b->rigid[i].first + n; q++) {
      for (int a = 0; a < dim; a++) {
        x[a] += of(s, CQ_GRAIN_x, q)[a] / n;
        v[a] += of(s, CQ_GRAIN_v, q)[a] / n;
      }
    }
    /* points at the corners of a cube: w = sum r x v / sum of 2/3 r^2, in a plane of r^2 */
    for (int q = b->rigid[i].first; q < b->rigid[i].first + n; q++) {
      double r[3] = {0}, u[3] = {0};
      for (int a = 0; a < dim; a++) {
        r[a] = of(s, CQ_GRAIN_x, q)[a] - x[a];
        u[a] = of(s, CQ_GRAIN_v, q)[a];
        square += r[a] * r[a];
      }
      cross_add(r, u, 1.0, w);
    }
    for (int a = 0; a < 3; a++) {
      p[a] += m * v[a];
      l[a] += I * w[a] / square * (dim == 2 ? 1.0 : 1.5);
    }
    cross_add(x, v, m, l);
  }
}

/* A ball flies into a cloud of grains, and another ball behind it, all with friction. */
static void check_momentum(int dim) {
  enum { GRAINS = 60 };
  body_scene b;
  const double r = 0.02, v[3] = {-2.0, 0.1, 0.0}, w[3] = {0.0, 0.0, 5.0}, no[3] = {0};
  cq_shape ball = {.kind = CQ_SHAPE_ball, .radius = 0.1, .center = {0.3, 0.02, 0.0}};
  bodies_begin(&b, dim, GRAINS, 2, r, 1e-3, 10);
  add_body(&b, ball, CQ_RIGID_FREE, 0.5, v, w);
  ball.center[0] = -0.2;
  add_body(&b, ball, CQ_RIGID_FREE, 0.5, no, w);
  bodies_settle(&b);
  cq_rng rng = cq_rng_seed(3);
  for (int i = 0; i < GRAINS; i++) {
    grain_of(&b.s, CQ_GRAIN_x, i)[0] = 0.05 * (i % 4);
    grain_of(&b.s, CQ_GRAIN_x, i)[1] = 0.05 * (dim == 2 ? i / 4 - 7 : i / 4 % 4 - 2);
    if (dim == 3) {
      grain_of(&b.s, CQ_GRAIN_x, i)[2] = 0.05 * (i / 16 - 2);
    }
    for (int a = 0; a < dim; a++) {
      grain_of(&b.s, CQ_GRAIN_v, i)[a] = 0.2 * (cq_rng_uniform(&rng) - 0.5);
    }
  }
  grain_all(&b.s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(&b.s, CQ_GRAIN_rolling_friction, 0.1);
  double p[2][3], l[2][3], size_p = 0.0, size_l = 0.0, off_p = 0.0, off_l = 0.0;
  sum(&b, false, p[0], l[0]);
  grain_check_run(&b.s, 400);
  sum(&b, true, p[1], l[1]);
  double moved[3];
  mean_of(&b, 0, CQ_GRAIN_v, moved);
  CHECK(moved[0] > -1.9); /* it has met them */
  mean_of(&b, 1, CQ_GRAIN_v, moved);
  CHECK(moved[0] < -0.01);
  for (int a = 0; a < 3; a++) {
    size_p = fmax(size_p, fabs(p[0][a]));
    size_l = fmax(size_l, fabs(l[0][a]));
    off_p = fmax(off_p, fabs(p[1][a] - p[0][a]));
    off_l = fmax(off_l, fabs(l[1][a] - l[0][a]));
  }
  printf("  %dD: momentum %.1e, angular momentum %.1e\n", dim, off_p / size_p, off_l / size_l);
  CHECK(off_p < 1e-12 * size_p);
  CHECK(off_l < 1e-12 * size_l);
  bodies_end(&b);
}

static void test_momentum(void) {
  check_momentum(2);
  check_momentum(3);
}

/* A grain that lies on a falling body falls with it: contacts ask for nothing. */
static void test_free_fall(void) {
  body_scene b;
  const double no[3] = {0};
  const cq_shape box = {.kind = CQ_SHAPE_box, .size = {0.2, 0.1, 0.2}};
  bodies_begin(&b, 3, 1, 1, 0.02, 1e-3, 10);
  const int i = add_body(&b, box, CQ_RIGID_FREE, 0.5, no, no);
  bodies_settle(&b);
  grain_of(&b.s, CQ_GRAIN_x, 0)[0] = 0.07;
  grain_of(&b.s, CQ_GRAIN_x, 0)[1] = 0.07;
  grain_gravity(&b.s)[1] = -g_earth;
  grain_check_run(&b.s, 100);
  double v[3];
  mean_of(&b, i, CQ_GRAIN_v, v);
  CHECK_NEAR(v[1], -0.1 * g_earth, 1e-12);
  CHECK_NEAR(grain_after(&b.s, CQ_GRAIN_v, 0)[1], -0.1 * g_earth, 1e-12);
  CHECK_NEAR(grain_after(&b.s, CQ_GRAIN_x, 0)[0], 0.07, 1e-15);
  bodies_end(&b);
}

/* A wheel rolls down a slope without slipping: 2/3 g sin as a disc, 5/7 as a ball; with too little
 * friction it slides by g (sin - mu cos). A grain is far away. */
static void test_rolling(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int slips = 0; slips < 2; slips++) {
      body_scene b;
      const double no[3] = {0}, angle = 0.4, mu = slips ? 0.05 : 0.8;
      const cq_shape wheel = {.kind = CQ_SHAPE_ball, .radius = 0.1, .center = {0.0, 0.1, 0.0}};
      bodies_begin(&b, dim, 1, 1, 0.02, 1e-3, 10);
      add_plane(&b, mu);
      const int i = add_body(&b, wheel, CQ_RIGID_FREE, mu, no, no);
      bodies_settle(&b);
      grain_of(&b.s, CQ_GRAIN_x, 0)[1] = 100.0;
      grain_gravity(&b.s)[0] = g_earth * sin(angle);
      grain_gravity(&b.s)[1] = -g_earth * cos(angle);
      grain_check_run(&b.s, 500);
      double v[3];
      mean_of(&b, i, CQ_GRAIN_v, v);
      const double rolls = (dim == 2 ? 2.0 / 3.0 : 5.0 / 7.0) * sin(angle);
      const double slides = sin(angle) - mu * cos(angle);
      CHECK_NEAR(v[0], 0.5 * g_earth * (slips ? slides : rolls), 1e-4 * v[0]);
      bodies_end(&b);
    }
  }
}

/* A wheel that is turned on a floor, and not pushed: friction moves it by no more than mu g, the
 * torque by no more than it has; then it rolls as fast as it turns. */
static void test_wheel(void) {
  for (int weak = 0; weak < 2; weak++) {
    body_scene b;
    const double no[3] = {0}, mu = 0.5, radius = 0.1, rate = -20.0, dt = 1e-3;
    const cq_shape wheel = {.kind = CQ_SHAPE_ball, .radius = radius, .center = {0.0, radius, 0.0}};
    bodies_begin(&b, 2, 1, 1, 0.02, dt, 20);
    add_plane(&b, mu);
    const int i = add_body(&b, wheel, CQ_RIGID_DRIVEN, mu, no, no);
    const double mass = 1000.0 * b.bodies[i].inertia.volume, most = 0.2 * mass * g_earth * radius;
    b.bodies[i].max_force = 0.0;
    b.bodies[i].max_torque = weak ? most : INFINITY;
    b.bodies[i].drive = (drive){.n_controls = 1, .component = {2}};
    bodies_settle(&b);
    grain_of(&b.s, CQ_GRAIN_x, 0)[1] = 100.0;
    grain_gravity(&b.s)[1] = -g_earth;
    grain_settle(&b.s);
    void *work = NULL;
    const cq_host_steps *engine = &cq_grains_2d_f64;
    b.s.model.n_controls = b.s.model.n_drives = 1;
    CHECK(engine->create(b.s.ctx, &b.s.model, &b.s.layout, &work) == CQ_OK);
    char *slab = aligned_alloc(64, (engine->state_bytes(work) + 63) / 64 * 64);
    CHECK(engine->upload(work, b.s.inputs, slab) == CQ_OK);
    double speed[3];
    for (int k = 0; k < 2000; k++) {
      CHECK(engine->step(work, k, slab, slab, &rate, true) == CQ_OK);
      if (k == 99) {
        engine->download(work, slab, b.s.state);
        mean_of(&b, i, CQ_GRAIN_v, speed);
        /* at full slip, or rolling: m a = f, I w' = T - f r, a = w' r, I = m r^2 / 2 */
        const double a = weak ? most / (1.5 * mass * radius) : mu * g_earth;
        CHECK_NEAR(speed[0], 0.1 * a, 0.02 * a);
      }
    }
    engine->download(work, slab, b.s.state);
    mean_of(&b, i, CQ_GRAIN_v, speed);
    CHECK_NEAR(speed[0], -rate * radius, 1e-6);
    engine->destroy(work);
    free(slab);
    bodies_end(&b);
  }
}

/* A boulder of 50 times the mass of a grain comes to rest on a bed of them, which weighs on the
 * floor with all of its weight. */
static void test_boulder(void) {
  enum { ROW = 8, GRAINS = ROW * ROW * 2 };
  body_scene b;
  const double r = 0.02, no[3] = {0};
  const cq_shape ball = {.kind = CQ_SHAPE_ball, .radius = 0.075, .center = {0.0, 0.2, 0.0}};
  bodies_begin(&b, 3, GRAINS, 1, r, 2e-3, 10);
  add_plane(&b, 0.5);
  const int i = add_body(&b, ball, CQ_RIGID_FREE, 0.5, no, no);
  for (int side = 0; side < 4; side++) { /* a trough */
    cq_shape wall = {.kind = CQ_SHAPE_half_space};
    wall.normal[side / 2 * 2] = side % 2 == 0 ? 1.0 : -1.0;
    wall.center[side / 2 * 2] = side % 2 == 0 ? -0.18 : 0.18;
    add(&b, wall, CQ_RIGID_FIXED, 0.3);
  }
  bodies_settle(&b);
  cq_rng rng = cq_rng_seed(5);
  for (int k = 0; k < GRAINS; k++) {
    double *x = grain_of(&b.s, CQ_GRAIN_x, k);
    x[0] = 0.043 * (k % ROW - 3.5) + 2e-3 * (cq_rng_uniform(&rng) - 0.5);
    x[1] = 0.021 + 0.045 * (k / (ROW * ROW));
    x[2] = 0.043 * (k / ROW % ROW - 3.5) + 2e-3 * (cq_rng_uniform(&rng) - 0.5);
  }
  grain_all(&b.s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(&b.s, CQ_GRAIN_rolling_friction, 0.1);
  grain_gravity(&b.s)[1] = -g_earth;
  const cq_channel channel[2] = {{.quantity = CQ_GRAIN_WRENCH + 1},
                                 {.quantity = CQ_GRAIN_WRENCH + 1, .group = 1}};
  cq_group groups[2];
  grain_settle(&b.s);
  groups[0] = groups[1] = b.s.all;
  groups[0].parameter = 1;
  groups[1].parameter = i + 1;
  b.s.model.channels = channel;
  b.s.model.n_channels = 2;
  b.s.model.n_groups = 2;
  b.s.model.steps = 2000;
  b.s.model.memory = (size_t)1 << 28;
  b.s.model.groups = groups;
  CHECK(cq_sim_create(b.s.ctx, &b.s.model, &b.s.sim) == CQ_OK);
  CHECK_MSG(cq_sim_forward(b.s.sim, b.s.inputs) == CQ_OK, "%s", cq_ctx_error(b.s.ctx));
  CHECK(cq_sim_final_state(b.s.sim, b.s.state) == CQ_OK);
  double x[3], v[3];
  mean_of(&b, i, CQ_GRAIN_x, x);
  mean_of(&b, i, CQ_GRAIN_v, v);
  const double *z = cq_sim_observations(b.s.sim);
  const double ball_weight = g_earth * 1000.0 * b.bodies[i].inertia.volume;
  const double weight = ball_weight + g_earth * GRAINS * 1000.0 * grain_volume(3, r);
  const double deepest = 1e-6 * (double)grain_tally(&b.s, CQ_GRAIN_PENETRATION);
  printf("  at rest to %.1e m/s at %.3f m; the floor bears %.6f of the weight, the bed %.6f of the "
         "boulder; penetration %.4f radii\n",
         fabs(v[1]), x[1], -z[2 * 2000] / weight, z[2 * 2000 + 1] / ball_weight, deepest);
  CHECK(x[1] > 0.075 + r && x[1] < 0.2); /* on grains, not on the floor */
  CHECK(fabs(v[1]) < 1e-6);              /* and dies away */
  CHECK_NEAR(-z[2 * 2000], weight, 1e-2 * weight);
  CHECK_NEAR(z[2 * 2000 + 1], ball_weight, 1e-6 * ball_weight);
  bodies_end(&b);
}

/* Grains in several units, a ball that falls on them and a paddle that turns: the same bits for any
 * number of threads, in both precisions. */
static void test_threads(void) {
  enum { ROW = 16, GRAINS = ROW * ROW * 12 };
  for (int bits = 32; bits <= 64; bits += 32) {
    double *states[2];
    size_t total = 0;
    for (int k = 0; k < 2; k++) {
      body_scene b;
      const double r = 0.02, no[3] = {0}, v[3] = {0.0, -2.0, 0.0}, w[3] = {0.0, 0.0, 30.0};
      cq_shape ball = {.kind = CQ_SHAPE_ball, .radius = 0.15, .center = {0.0, 0.75, 0.0}};
      bodies_begin(&b, 3, GRAINS, 2, r, 2e-3, 6);
      cq_ctx_destroy(b.s.ctx);
      b.s.ctx = cq_ctx_create(1 + k, 1);
      b.s.model.bits = bits;
      add_plane(&b, 0.5);
      add_body(&b, ball, CQ_RIGID_FREE, 0.5, v, w);
      ball.center[0] = 0.31;
      add_body(&b, ball, CQ_RIGID_FREE, 0.5, v, no);
      bodies_settle(&b);
      for (int i = 0; i < GRAINS; i++) {
        double *x = grain_of(&b.s, CQ_GRAIN_x, i);
        x[0] = 0.041 * (i % ROW - 7.5) + 0.01 * (i / (ROW * ROW) % 2);
        x[1] = 0.021 + 0.045 * (i / (ROW * ROW));
        x[2] = 0.041 * (i / ROW % ROW - 7.5);
      }
      grain_all(&b.s, CQ_GRAIN_grain_friction, 0.5);
      grain_gravity(&b.s)[1] = -g_earth;
      grain_check_run(&b.s, 40);
      total = b.s.layout.state_total;
      states[k] = b.s.state;
      b.s.state = NULL;
      double moved[3];
      memcpy(moved, states[k] + b.s.layout.offset[CQ_GRAIN_v] + 3 * (size_t)b.rigid[1].first,
             sizeof moved);
      CHECK(fabs(moved[1] + 2.0 + 0.08 * g_earth) > 0.1); /* it has met them */
      bodies_end(&b);
    }
    CHECK(memcmp(states[0], states[1], total * sizeof **states) == 0);
    free(states[0]);
    free(states[1]);
  }
}

/* A blade that is driven against grains and a wall behind them jams: it stands, and pushes with the
 * limit of its drive. The work that it has done does not depend on the step. */
static double jam(double dt, double most, double *force, double *speed) {
  body_scene b;
  const double r = 0.02, no[3] = {0}, v[3] = {0.2, 0.0, 0.0};
  cq_shape box = {.kind = CQ_SHAPE_box, .size = {0.04, 0.2, 0.2}, .center = {-0.1, 0.0, 0.0}};
  bodies_begin(&b, 3, 4, 1, r, dt, 20);
  const int blade = add_body(&b, box, CQ_RIGID_DRIVEN, 0.5, v, no);
  b.bodies[blade].max_force = most;
  const double times[2] = {0.0, 2.0};
  double knots[14] = {-0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 1.0};
  const track t = {.n_knots = 2, .times = times, .knots = knots, .axis = {0.0, 0.0, 1.0}};
  b.bodies[blade].track = &t;
  box.center[0] = 0.12;
  const int wall = add(&b, box, CQ_RIGID_FIXED, 0.5);
  b.s.model.n_knots = 2;
  b.s.layout = cq_model_layout(&b.s.model);
  grain_of(&b.s, CQ_GRAIN_friction, 0)[blade] = grain_of(&b.s, CQ_GRAIN_friction, 0)[wall] = 0.5;
  double *in = b.s.inputs + b.s.layout.offset[CQ_GRAIN_track];
  memset(in, 0, 12 * sizeof *in);
  in[0] = -0.1;
  in[6] = 0.3;
  bodies_settle(&b);
  for (int k = 0; k < 4; k++) {
    grain_of(&b.s, CQ_GRAIN_x, k)[0] = 0.005 + 0.045 * (k % 2);
    grain_of(&b.s, CQ_GRAIN_x, k)[1] = 0.05 * (k / 2) - 0.025;
  }
  grain_all(&b.s, CQ_GRAIN_grain_friction, 0.5);
  const int steps = (int)(1.5 / dt + 0.5);
  const cq_channel channel[3] = {
      {.quantity = CQ_Q_VELOCITY}, {.quantity = CQ_GRAIN_WRENCH}, {.quantity = CQ_GRAIN_WORK}};
  cq_group group = {.count = b.rigid[blade].count,
                    .particles = b.s.particles + b.rigid[blade].first,
                    .parameter = blade + 1};
  grain_settle(&b.s);
  b.s.model.channels = channel;
  b.s.model.n_channels = 3;
  b.s.model.steps = steps;
  b.s.model.memory = (size_t)1 << 28;
  b.s.model.groups = &group;
  CHECK(cq_sim_create(b.s.ctx, &b.s.model, &b.s.sim) == CQ_OK);
  CHECK_MSG(cq_sim_forward(b.s.sim, b.s.inputs) == CQ_OK, "%s", cq_ctx_error(b.s.ctx));
  CHECK(cq_sim_final_state(b.s.sim, b.s.state) == CQ_OK);
  const double *z = cq_sim_observations(b.s.sim);
  double work = 0.0;
  for (int k = 1; k <= steps; k++) {
    work -= dt * z[5 * k + 3] * 0.5 * (z[5 * k] + z[5 * k - 5]);
  }
  double moves[3];
  mean_of(&b, blade, CQ_GRAIN_v, moves);
  *force = z[5 * steps + 3];
  CHECK_NEAR(z[5 * steps + 4], work, 1e-6 * work);
  *speed = moves[0];
  CHECK(grain_tally(&b.s, CQ_GRAIN_JAMS) == 0);
  bodies_end(&b);
  return work;
}

static void test_limited_force(void) {
  const double most = 5.0;
  double force[3], speed[3], work[3];
  for (int k = 0; k < 3; k++) {
    work[k] = jam(4e-3 / (1 << k), most, &force[k], &speed[k]);
    printf("  step %g s: pushed back by %.6f N at %.1e m/s, work %.5f J\n", 4e-3 / (1 << k),
           force[k], speed[k], work[k]);
    CHECK_NEAR(force[k], -most, 1e-4 * most);
    CHECK_NEAR(speed[k], 0.0, 1e-6);
  }
  CHECK(fabs(work[2] - work[1]) < fabs(work[1] - work[0]));
  CHECK_NEAR(work[1], work[2], 0.02 * work[2]);
}

/* Bodies that grains move need the solver that moves them, and must stay in the room. */
static void test_refused(void) {
  body_scene b;
  const double no[3] = {0}, v[3] = {1e4, 0.0, 0.0};
  const cq_shape box = {.kind = CQ_SHAPE_box, .size = {0.2, 0.1, 0.2}};
  bodies_begin(&b, 3, 1, 1, 0.02, 1e-3, 10);
  add_body(&b, box, CQ_RIGID_FREE, 0.5, no, no);
  bodies_settle(&b);
  grain_of(&b.s, CQ_GRAIN_x, 0)[1] = 1.0;
  b.s.own.solver = CQ_GRANULAR_JACOBI;
  CHECK(grain_run(&b.s, 1) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(b.s.ctx), "\"body\" is moved by grains") != NULL);
  cq_ctx_clear_error(b.s.ctx);
  bodies_end(&b);

  bodies_begin(&b, 3, 1, 1, 0.02, 1e-3, 10);
  add_body(&b, box, CQ_RIGID_FREE, 0.5, v, no);
  bodies_settle(&b);
  grain_of(&b.s, CQ_GRAIN_x, 0)[1] = 1.0;
  CHECK(grain_run(&b.s, 200) == CQ_OUT_OF_ROOM);
  CHECK(strstr(cq_ctx_error(b.s.ctx), "rigid body \"body\" at (") != NULL);
  bodies_end(&b);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_momentum);
  RUN(test_free_fall);
  RUN(test_rolling);
  RUN(test_wheel);
  RUN(test_boulder);
  RUN(test_threads);
  RUN(test_limited_force);
  RUN(test_refused);
  return TEST_RESULT();
}
