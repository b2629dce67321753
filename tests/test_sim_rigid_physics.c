/* MPM with rigid bodies against what physics says of both: momentum and its moment, a body that
 * comes to rest on soft ground, and the bounce from an elastic rod. */
#include "mpm_rigid_scene.h"

/* --- what is kept ---------------------------------------------------------------------------- */

typedef struct kept {
  const rigid_scene *s;
  double first[6], off, size; /* momentum and moment of momentum, of x y z each */
  double body[3];             /* the last velocity of body 0 */
  double *speeds;             /* or all of them, upwards */
  double center[3], gravity;  /* where it is; along y */
  double falls;               /* momentum along y is off by that from what gravity makes it */
} kept;

/* momentum of particle p of the state, and its moment about the origin */
static void add_particle(const rigid_scene *s, const double *state, int p, double *sum,
                         double *size) {
  const int dim = s->model.dim;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + p * dim;
  const double *v = state + s->layout.offset[CQ_INPUT_v] + p * dim;
  const double *C = state + s->layout.offset[CQ_INPUT_C] + p * dim * dim;
  const double *in = s->inputs;
  const double mass = in[s->layout.offset[CQ_INPUT_density] + (size_t)p] *
                      in[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
  const double own =
      mass * s->mpm.cell * s->mpm.cell / 4.0; /* of the affine velocity on the grid */
  double r[3] = {0}, u[3] = {0};
  for (int a = 0; a < dim; a++) {
    r[a] = x[a];
    u[a] = mass * v[a];
    sum[a] += u[a];
    *size += fabs(u[a]);
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    sum[3 + a] += r[b] * u[c] - r[c] * u[b];
    sum[3 + a] += b < dim && c < dim ? own * (C[c * dim + b] - C[b * dim + c]) : 0.0;
  }
}

/* the same of body i, a ball, or in 2D anything: its particles lie evenly around its centre */
static void add_body(const rigid_scene *s, const double *state, int i, double *sum, double *v,
                     double *center) {
  const int dim = s->model.dim, n = s->rigid[i].count;
  const cq_inertia *I = &s->body[i].inertia;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + s->rigid[i].first * dim;
  const double *u = state + s->layout.offset[CQ_INPUT_v] + s->rigid[i].first * dim;
  double spread = 0.0, turning[3] = {0};
  const double mass =
      s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)s->rigid[i].first] * I->volume;
  memset(v, 0, 3 * sizeof *v);
  memset(center, 0, 3 * sizeof *center);
  for (int k = 0; k < n * dim; k++) {
    center[k % dim] += x[k] / n;
    v[k % dim] += u[k] / n;
  }
  for (int k = 0; k < n; k++) {
    double r[3] = {0}, w[3] = {0};
    for (int a = 0; a < dim; a++) {
      r[a] = x[k * dim + a] - center[a];
      w[a] = u[k * dim + a] - v[a];
      spread += r[a] * r[a];
    }
    for (int a = 0; a < 3; a++) {
      turning[a] += r[(a + 1) % 3] * w[(a + 2) % 3] - r[(a + 2) % 3] * w[(a + 1) % 3];
    }
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    /* corners of a square or a cube: sum r x (w x r) = w spread (2D), w 2/3 spread (3D) */
    const double spin = turning[a] / (dim == 2 ? spread : 2.0 / 3.0 * spread);
    sum[a] += mass * v[a];
    sum[3 + a] += mass * (center[b] * v[c] - center[c] * v[b]);
    sum[3 + a] += mass / I->volume * I->moment[0] * spin;
  }
}

static double mass_of(const rigid_scene *s) {
  double mass = 0.0;
  for (int p = 0; p < s->model.n_particles; p++) {
    mass += s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)p] *
            s->inputs[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
  }
  return mass;
}

static cq_status look(void *user, int step, const double *state) {
  kept *k = user;
  const rigid_scene *s = k->s;
  double sum[6] = {0}, size = 0.0;
  for (int p = 0; p < s->mpm.n_soft; p++) {
    add_particle(s, state, p, sum, &size);
  }
  for (int i = 0; i < s->rigids.n; i++) {
    double v[3], x[3];
    add_body(s, state, i, sum, v, x);
    if (i == 0) {
      memcpy(k->body, v, sizeof v);
      memcpy(k->center, x, sizeof x);
    }
  }
  if (step == 0) {
    memcpy(k->first, sum, sizeof sum);
    for (int a = 0; a < 6; a++) {
      k->size += fabs(sum[a]);
    }
  }
  for (int a = 0; a < 6; a++) {
    k->off = fmax(k->off, fabs(sum[a] - k->first[a]));
  }
  const double fallen = step * s->model.dt * k->gravity * mass_of(s);
  k->falls = fmax(k->falls, fabs(sum[1] - k->first[1] - fallen));
  return CQ_OK;
}

/* A turning body hits a soft block in free space, with friction, beside a second one: nothing is
 * lost in 300 steps, by the normals of the bodies or by those of the block. */
static void test_collision(void) {
  for (int i = 0; i < 6; i++) {
    static const unsigned char single[] = {1};
    const int dim = 2 + i / 2 % 2, soft = dim == 2 ? 10 : 8;
    rigid_scene s;
    rigid_scene_begin(&s, dim, 64, 300, soft);
    s.mpm.kernels = i % 2 == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    s.mpm.single = i < 4 ? NULL : single;
    const cq_shape hammer =
        dim == 2 ? rigid_box(0.5, 0.79, 0.5, 0.2, 0.16) : rigid_ball(0.5, 0.79, 0.5, 0.12);
    rigid_scene_add(&s, hammer, CQ_RIGID_FREE, CQ_BOUNDARY_separate, false);
    rigid_scene_add(&s, rigid_ball(0.72, 0.55, 0.55, 0.07), CQ_RIGID_FREE,
                    CQ_BOUNDARY_separate_stick, false);
    rigid_scene_end(&s, soft, (double[]){0.43, 0.43, 0.43}, 0.025);
    memset(rigid_scene_at(&s, CQ_INPUT_gravity), 0, (size_t)dim * sizeof(double));
    rigid_scene_throw(&s, 0, 0.0, 0.15, -0.5, 1.5);
    cq_sim *sim;
    CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
    kept k = {.s = &s};
    CHECK(cq_sim_visit(sim, s.inputs, NULL, s.model.steps + 1, look, &k) == CQ_OK);
    printf("  %dD: momentum is off by %.1e of %.1e; the body moved at -0.5, now at %.3f m/s\n", dim,
           k.off, k.size, k.body[1]);
    CHECK(k.off < 1e-13 * s.model.steps * k.size && k.size > 0.0);
    CHECK(k.body[1] > -0.25);
    cq_sim_destroy(sim);
    rigid_scene_free(&s);
  }
}

/* --- a bounce -------------------------------------------------------------------------------- */

enum { ROWS = 8 }; /* of particles, along the rod */

/* the velocity of body 0 at each state */
static cq_status note(void *user, int step, const double *state) {
  kept *k = user;
  double sum[6] = {0}, v[3], x[3];
  add_body(k->s, state, 0, sum, v, x);
  k->speeds[step] = v[1];
  return CQ_OK;
}

/* A rod of length 1 in `cells`, steps refined with them squared, in which waves take a time of 1
 * from end to end, glued to the floor, and a body of its mass above it that falls at `speed`.
 * Without Poisson's ratio it is a line. */
static void make_rod(rigid_scene *s, int cells, double speed) {
  const double h = 1.0 / cells, floor = 3.5 * h, left = 10.0 * h;
  const int up = 2 * cells;
  rigid_scene_begin(s, 2, 64, 5 * cells * cells, (int)sqrt(ROWS * up) + 1);
  s->model.dt = 0.8 * h * h;
  s->mpm.cell = h;
  s->mpm.grid[1] = cells + 20;
  s->mpm.n_soft = s->model.n_particles = ROWS * up;
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_sticky, 3, 4, 3);
  s->model.n_boundaries = s->mpm.n_walls = 1;
  const cq_shape box = rigid_box(12.0 * h, floor + 1.0 + 4.0 * h, 0.0, 12.0 * h, 8.0 * h);
  rigid_scene_add(s, box, CQ_RIGID_FREE, CQ_BOUNDARY_separate, false);
  rigid_scene_end(s, ROWS, (double[]){left, floor}, 0.5 * h);
  for (int p = 0; p < s->mpm.n_soft; p++) {
    const double x[2] = {left + 0.5 * h * (p % ROWS + 0.5), floor + 0.5 * h * (p / ROWS + 0.5)};
    rigid_scene_particle(s, p, x, 0.25 * h * h);
    rigid_scene_at(s, CQ_INPUT_youngs_modulus)[p] = 1.0;
    rigid_scene_at(s, CQ_INPUT_poisson_ratio)[p] = 0.0;
    rigid_scene_at(s, CQ_INPUT_density)[p] = 1.0;
  }
  for (int k = 0; k < s->rigid[0].count; k++) {
    rigid_scene_at(s, CQ_INPUT_density)[s->rigid[0].first + k] =
        0.5 * ROWS * h / s->body[0].inertia.volume;
  }
  memset(rigid_scene_at(s, CQ_INPUT_gravity), 0, 2 * sizeof(double));
  rigid_scene_throw(s, 0, 0.0, 0.0, -speed, 0.0);
}

/* The body's velocity, over that of its fall, before the wave comes back and after it has parted.
 */
static void bounce(int cells, double *during, double *after) {
  const double speed = 0.001;
  rigid_scene s;
  cq_sim *sim;
  make_rod(&s, cells, speed);
  const int steps = s.model.steps;
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
  kept k = {.s = &s, .speeds = calloc((size_t)steps + 1, sizeof(double))};
  CHECK(cq_sim_visit(sim, s.inputs, NULL, steps + 1, note, &k) == CQ_OK);
  *during = k.speeds[steps / 10] / speed;
  *after = k.speeds[9 * steps / 10] / speed;
  free(k.speeds);
  cq_sim_destroy(sim);
  rigid_scene_free(&s);
}

/* Saint-Venant's impact: the wave that the body sends down the rod slows it by dv/dt = -v. At t = 2
 * the wave is back from the floor; from then on, with s = t - 2, v = -e^-s (e^-2 - 2 s), until the
 * force between them is 0, at s = 1 + e^-2/2, and v = 2 e^-s. */
static void test_bounce(void) {
  const double during = -exp(-0.4), after = 2.0 * exp(-1.0 - 0.5 * exp(-2.0));
  double bound = 0.02;
  for (int cells = 8; cells <= 32; cells *= 2, bound *= 0.4) {
    double v[2];
    bounce(cells, &v[0], &v[1]);
    printf("  %d cells: %.4f on the way down, bounces at %.4f\n", cells, v[0], v[1]);
    CHECK_NEAR(v[0], during, bound);
    CHECK_NEAR(v[1], after, bound);
  }
  printf("  exactly:  %.4f and %.4f\n", during, after);
}

/* --- on soft ground -------------------------------------------------------------------------- */

/* Ball and block fall freely and meet: all momentum is that of gravity. Then the same on a floor:
 * the ball comes to rest on the block. */
static void test_ground(void) {
  for (int on_floor = 0; on_floor < 2; on_floor++) {
    const int soft = 12, steps = on_floor ? 1500 : 200;
    rigid_scene s;
    rigid_scene_begin(&s, 2, 64, steps, soft);
    if (on_floor) {
      rigid_scene_walls(&s);
    }
    rigid_scene_add(&s, rigid_ball(0.6, on_floor ? 0.6 : 0.8, 0.5, 0.08), CQ_RIGID_FREE,
                    CQ_BOUNDARY_separate, false);
    rigid_scene_end(&s, soft, (double[]){0.46, on_floor ? 0.19 : 0.4}, 0.025);
    double *gravity = rigid_scene_at(&s, CQ_INPUT_gravity);
    gravity[1] = on_floor ? -2.0 : -0.5;
    rigid_scene_at(&s, CQ_INPUT_damping)[0] = on_floor ? 2.0 : 0.0;
    rigid_scene_throw(&s, 0, 0.0, 0.0, on_floor ? 0.0 : -0.5, 0.0);
    cq_sim *sim;
    CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
    kept k = {.s = &s, .gravity = gravity[1]};
    CHECK(cq_sim_visit(sim, s.inputs, NULL, steps + 1, look, &k) == CQ_OK);
    if (on_floor) {
      printf("  the ball is at %.4f m and moves at %.1e m/s\n", k.center[1], k.body[1]);
      /* the block's upper face is at 0.4775 m before it is pressed */
      CHECK(hypot(k.body[0], k.body[1]) < 2e-3);
      CHECK_NEAR(k.center[1], 0.4775 + 0.08, 0.1 * s.mpm.cell);
    } else {
      CHECK(k.falls < 1e-13 * steps * k.size);
      CHECK(k.body[1] > -0.5 - 0.8 * 0.5 * steps * s.model.dt);
    }
    cq_sim_destroy(sim);
    rigid_scene_free(&s);
  }
}

/* --- a grip ---------------------------------------------------------------------------------- */

enum { ACROSS = 5, ALONG = 8 }; /* particles of a finger */

/* two plates that close on soft fingers, with a free box between them */
static void make_grip(rigid_scene *s, int steps, double friction) {
  const double spacing = 0.025, width = ACROSS * spacing, press = 0.03;
  rigid_scene_begin(s, 2, 64, steps, 13);
  s->model.dt = 5e-4;
  s->mpm.n_soft = s->model.n_particles = 2 * ACROSS * ALONG;
  for (int i = 0; i < 2; i++) {
    const double x = 0.6 + (i == 0 ? -1.0 : 1.0) * (0.2 + width + 0.01);
    rigid_scene_add(s, rigid_box(x, 0.6, 0.0, 0.2, 0.6), CQ_RIGID_DRIVEN, CQ_BOUNDARY_sticky,
                    false);
    rigid_scene_track(s, i, 2);
  }
  s->times[1] = 0.1;
  rigid_scene_add(s, rigid_box(0.6, 0.6, 0.0, 0.2, 0.2), CQ_RIGID_FREE, CQ_BOUNDARY_separate,
                  false);
  rigid_scene_end(s, 13, (double[]){0.1, 0.1}, spacing);
  for (int p = 0; p < s->model.n_particles; p++) {
    const int q = p % (ACROSS * ALONG);
    const double out = 0.1 + spacing * (q % ACROSS + 0.5);
    const double x[2] = {0.6 + (p < ACROSS * ALONG ? -out : out),
                         0.6 + spacing * (q / ACROSS - ALONG / 2 + 0.5)};
    if (p < s->mpm.n_soft) {
      rigid_scene_particle(s, p, x, spacing * spacing);
    }
    rigid_scene_at(s, CQ_INPUT_youngs_modulus)[p] = 2e4;
    rigid_scene_at(s, CQ_INPUT_density)[p] = p < s->mpm.n_soft ? 1000.0 : 500.0;
  }
  double *knots = rigid_scene_at(s, CQ_INPUT_track);
  for (int k = 0; k < 4; k++) {
    knots[3 * k] = s->placed_center[k / 2 * 2] + (k % 2) * (k < 2 ? press : -press);
    knots[3 * k + 1] = s->placed_center[k / 2 * 2 + 1];
  }
  rigid_scene_at(s, CQ_INPUT_friction)[2] = friction;
  rigid_scene_at(s, CQ_INPUT_damping)[0] = 1.0;
}

/* where and how fast the box is in the end */
static cq_status follow(void *user, int step, const double *state) {
  kept *k = user;
  double sum[6] = {0};
  (void)step;
  add_body(k->s, state, 2, sum, k->body, k->center);
  return CQ_OK;
}

/* Soft fingers hold a box by friction for 2 s, and do not without. */
static void test_grip(void) {
  for (int holds = 1; holds >= 0; holds--) {
    const int steps = holds ? 4000 : 600;
    rigid_scene s;
    make_grip(&s, steps, holds ? 1.0 : 0.02);
    cq_sim *sim;
    CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
    kept k = {.s = &s};
    CHECK_MSG(cq_sim_visit(sim, s.inputs, &steps, 1, follow, &k) == CQ_OK, "%s",
              cq_ctx_error(s.ctx));
    printf("  after %g s the box is %.4f m down, and moves at %.1e m/s\n", steps * s.model.dt,
           0.6 - k.center[1], k.body[1]);
    CHECK(holds ? 0.6 - k.center[1] < 0.05 && fabs(k.body[1]) < 2e-3 : 0.6 - k.center[1] > 0.15);
    CHECK_NEAR(k.center[0], 0.6, 1e-6);
    cq_sim_destroy(sim);
    rigid_scene_free(&s);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_collision);
  RUN(test_ground);
  RUN(test_bounce);
  RUN(test_grip);
  return TEST_RESULT();
}
