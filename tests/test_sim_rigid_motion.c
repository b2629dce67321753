/* What rigid bodies do in MPM: momentum is kept, free flight is exact, bits do not depend on
 * threads and memory, and bodies that leave the grid are named. */
#include "mpm_rigid_scene.h"

#include "alloc.h"
#include "memo.h"

/* --- momentum --------------------------------------------------------------------------------- */

typedef struct momentum {
  double p[3], around, mass; /* around z and the origin */
} momentum;

typedef struct watch {
  rigid_scene *s;
  momentum last;
  double worst, worst_around, size, size_around;
  bool spins; /* no gravity: angular momentum is kept */
} watch;

/* of a particle, with the affine part of its velocity (APIC: a quarter of a cell squared) */
static void add_particle(const rigid_scene *s, const double *state, int p, momentum *m) {
  const int dim = s->model.dim;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + (size_t)(p * dim);
  const double *v = state + s->layout.offset[CQ_INPUT_v] + (size_t)(p * dim);
  const double *C = state + s->layout.offset[CQ_INPUT_C] + (size_t)(p * dim * dim);
  const double mass = s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)p] *
                      s->inputs[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
  const double cell = s->mpm.cell;
  for (int a = 0; a < dim; a++) {
    m->p[a] += mass * v[a];
  }
  m->around += mass * (x[0] * v[1] - x[1] * v[0] + 0.25 * cell * cell * (C[dim] - C[1]));
  m->mass += mass;
}

/* of a body, whose particles stand around its centre of mass; 2D: with its spin */
static void add_body(const rigid_scene *s, const double *state, int i, momentum *m) {
  const int dim = s->model.dim, n = s->rigid[i].count, first = s->rigid[i].first;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + (size_t)(first * dim);
  const double *v = state + s->layout.offset[CQ_INPUT_v] + (size_t)(first * dim);
  const double density = s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)first];
  const double mass = density * s->body[i].inertia.volume;
  double center[3] = {0}, velocity[3] = {0};
  for (int k = 0; k < n * dim; k++) {
    center[k % dim] += x[k] / n;
    velocity[k % dim] += v[k] / n;
  }
  for (int a = 0; a < dim; a++) {
    m->p[a] += mass * velocity[a];
  }
  m->mass += mass;
  const double arm[2] = {x[0] - center[0], x[1] - center[1]};
  const double spin = (arm[0] * (v[1] - velocity[1]) - arm[1] * (v[0] - velocity[0])) /
                      (arm[0] * arm[0] + arm[1] * arm[1]);
  m->around += mass * (center[0] * velocity[1] - center[1] * velocity[0]) +
               density * s->body[i].inertia.moment[0] * spin;
}

static cq_status look(void *user, int step, const double *state) {
  watch *w = user;
  const rigid_scene *s = w->s;
  momentum now = {.mass = 0.0};
  for (int p = 0; p < s->mpm.n_soft; p++) {
    add_particle(s, state, p, &now);
  }
  for (int i = 0; i < s->rigids.n; i++) {
    if (s->body[i].motion == CQ_RIGID_FREE) {
      add_body(s, state, i, &now);
    }
  }
  for (int a = 0; a < s->model.dim && step > 0; a++) {
    const double g = s->inputs[s->layout.offset[CQ_INPUT_gravity] + (size_t)a];
    w->worst = fmax(w->worst, fabs(now.p[a] - w->last.p[a] - now.mass * s->model.dt * g));
    w->size = fmax(w->size, fabs(now.p[a]));
  }
  w->worst_around = step > 0 ? fmax(w->worst_around, fabs(now.around - w->last.around)) : 0.0;
  w->size_around = fmax(w->size_around, fabs(now.around));
  w->last = now;
  return CQ_OK;
}

static void visit(rigid_scene *s, const double *inputs, cq_visit_fn fn, void *user) {
  cq_sim *sim = NULL;
  CHECK_MSG(cq_sim_create(s->ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  CHECK_MSG(cq_sim_visit(sim, inputs, NULL, 0, fn, user) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  cq_sim_destroy(sim);
}

/* A block that two free bodies hit from two sides, in one cell too, in mid-air. */
static void air_scene(rigid_scene *s, int dim, int bits, int steps, double density) {
  const int soft = dim == 2 ? 9 : 5;
  const double spacing = dim == 2 ? 0.025 : 0.04, corner[3] = {0.42, 0.42, 0.42};
  const double top = corner[1] + spacing * (soft - 1);
  rigid_scene_begin(s, dim, bits, steps, soft);
  const int box = rigid_scene_add(s, rigid_box(0.47, top + 0.08, 0.5, 0.1, 0.1), CQ_RIGID_FREE,
                                  CQ_BOUNDARY_separate, CARRY_EVENLY);
  const int ball = rigid_scene_add(s, rigid_ball(0.60, top + 0.08, 0.5, 0.05), CQ_RIGID_FREE,
                                   CQ_BOUNDARY_sticky, CARRY_EVENLY);
  rigid_scene_end(s, soft, corner, spacing);
  for (int i = 0; i < 2; i++) {
    rigid_scene_throw(s, i == 0 ? box : ball, 0.1, 0.2 - 0.5 * i, -1.5, 3.0);
    for (int k = 0; k < s->rigid[i].count; k++) {
      rigid_scene_at(s, CQ_INPUT_density)[s->rigid[i].first + k] = density;
    }
  }
}

static void check_momentum(int dim, cq_kernels kernels, double density, double gravity) {
  rigid_scene s;
  air_scene(&s, dim, 64, 60, density);
  s.mpm.kernels = kernels;
  rigid_scene_at(&s, CQ_INPUT_gravity)[1] = gravity;
  watch w = {.s = &s, .spins = gravity == 0.0};
  visit(&s, s.inputs, look, &w);
  printf("  %dD density %g: momentum of %.1e off by %.1e a step", dim, density, w.size, w.worst);
  CHECK_MSG(w.worst <= 1e-14 * w.size, "momentum off by %.1e of %.1e", w.worst, w.size);
  if (w.spins && dim == 2) {
    printf(", angular momentum of %.1e by %.1e", w.size_around, w.worst_around);
    CHECK_MSG(w.worst_around <= 1e-14 * w.size, "angular momentum off by %.1e of %.1e",
              w.worst_around, w.size_around);
  }
  printf("\n");
  rigid_scene_free(&s);
}

/* Bodies lighter and heavier than what they hit. */
static void test_momentum(void) {
  for (int dim = 2; dim <= 3; dim++) {
    check_momentum(dim, CQ_KERNELS_FAST, 1.5, -9.8);
    check_momentum(dim, CQ_KERNELS_FAST, 0.01, 0.0);
    check_momentum(dim, CQ_KERNELS_FAST, 100.0, 0.0);
    check_momentum(dim, CQ_KERNELS_REFERENCE, 1.5, 0.0);
  }
}

/* --- free flight, and nothing else ------------------------------------------------------------ */

typedef struct flight {
  rigid_scene *s;
  double worst, x[3], v[3], angle, spin;
} flight;

/* the rule of a step: v += dt g, x += dt v; the angle of the Cayley map */
static cq_status look_flight(void *user, int step, const double *state) {
  flight *f = user;
  const rigid_scene *s = f->s;
  const int dim = s->model.dim;
  const double turns = dim == 2 ? f->spin * s->model.dt : 2.0 * atan(0.5 * f->spin * s->model.dt);
  for (int a = 0; a < dim && step > 0; a++) {
    f->v[a] += s->model.dt * s->inputs[s->layout.offset[CQ_INPUT_gravity] + (size_t)a];
    f->x[a] += s->model.dt * f->v[a];
  }
  f->angle += step > 0 ? turns : 0.0;
  for (int k = 0; k < s->rigid[0].count; k++) {
    const size_t at = (size_t)((s->rigid[0].first + k) * dim);
    const double *y = s->placed + k * dim, *c = s->placed_center;
    const double r[3] = {cos(f->angle) * (y[0] - c[0]) - sin(f->angle) * (y[1] - c[1]),
                         sin(f->angle) * (y[0] - c[0]) + cos(f->angle) * (y[1] - c[1]),
                         dim == 3 ? y[2] - c[2] : 0.0};
    const double u[3] = {-f->spin * r[1], f->spin * r[0], 0.0};
    for (int a = 0; a < dim; a++) {
      const double x = state[s->layout.offset[CQ_INPUT_x] + at + (size_t)a];
      const double v = state[s->layout.offset[CQ_INPUT_v] + at + (size_t)a];
      f->worst = fmax(f->worst, fmax(fabs(x - f->x[a] - r[a]), fabs(v - f->v[a] - u[a])));
    }
  }
  return CQ_OK;
}

/* There is no material in the scene. */
static void check_flight(int dim, cq_kernels kernels) {
  rigid_scene s;
  const double corner[3] = {0.0, 0.0, 0.0};
  rigid_scene_begin(&s, dim, 64, 100, 0);
  s.mpm.kernels = kernels;
  rigid_scene_add(&s, rigid_box(0.5, 0.6, 0.5, 0.1, 0.2), CQ_RIGID_FREE, CQ_BOUNDARY_separate,
                  CARRY_LOPSIDED);
  rigid_scene_end(&s, 0, corner, 0.1);
  rigid_scene_throw(&s, 0, 0.3, 0.7, 0.8, 5.0);
  flight f = {.s = &s, .v = {0.7, 0.8, 0.0}, .angle = 0.3, .spin = 5.0};
  memcpy(f.x, s.placed_center, (size_t)dim * sizeof *f.x);
  visit(&s, s.inputs, look_flight, &f);
  printf("  %dD: off by %.1e\n", dim, f.worst);
  CHECK_MSG(f.worst <= 1e-12, "off by %.1e", f.worst);
  rigid_scene_free(&s);
}

static void test_free_flight(void) {
  for (int dim = 2; dim <= 3; dim++) {
    check_flight(dim, CQ_KERNELS_FAST);
    check_flight(dim, CQ_KERNELS_REFERENCE);
  }
}

/* --- bits ------------------------------------------------------------------------------------- */

/* gradient of two seeds in one sweep, at the end and on the way */
static double *sweep(rigid_scene *s, int threads, const char *policy, size_t memory, int n_seeds) {
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  cq_sim *sim = NULL;
  s->model.memo = policy;
  s->model.memory = 0;
  CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (memory > 0) {
    s->model.memory =
        memory * cq_sim_statistics(sim)->state_bytes + cq_sim_statistics(sim)->z_bytes;
    cq_sim_destroy(sim);
    CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  }
  const size_t n_z = cq_sim_layout(sim)->rows->begin[s->model.steps + 1];
  double *dz = malloc(n_z * sizeof *dz), *terminal = malloc(s->layout.state_total * sizeof(double));
  double *gradient = calloc(2 * s->layout.total, sizeof *gradient);
  for (size_t i = 0; i < n_z; i++) {
    dz[i] = 0.1 * (double)(i % 7) - 0.3;
  }
  for (size_t i = 0; i < s->layout.state_total; i++) {
    terminal[i] = 0.1 * (double)(i % 5) - 0.2;
  }
  const cq_seed seeds[2] = {{dz, NULL, terminal}, {NULL, NULL, terminal}};
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_sim_backward(sim, n_seeds, seeds, gradient) == CQ_OK, "%s", cq_ctx_error(ctx));
  free(dz);
  free(terminal);
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return gradient;
}

/* enough particles for threads to be woken; a ball falls on them, a box is driven through */
static void many_scene(rigid_scene *s, int bits, cq_kernels kernels) {
  const double corner[3] = {0.3, 0.2, 0.3}, top = corner[1] + 0.0125 * 35;
  rigid_scene_begin(s, 2, bits, 25, 36);
  s->model.dt = 1e-3;
  s->mpm.kernels = kernels;
  rigid_scene_walls(s);
  rigid_scene_add(s, rigid_ball(0.45, top + 0.06, 0.5, 0.07), CQ_RIGID_FREE, CQ_BOUNDARY_separate,
                  CARRY_LOPSIDED);
  const int box = rigid_scene_add(s, rigid_box(0.72, top - 0.05, 0.5, 0.1, 0.15), CQ_RIGID_DRIVEN,
                                  CQ_BOUNDARY_separate, CARRY_EVENLY);
  rigid_scene_drive(s, box);
  rigid_scene_end(s, 36, corner, 0.0125);
  rigid_scene_throw(s, 0, 0.0, 0.2, -1.0, 4.0);
  for (size_t i = 0; i < s->layout.count[CQ_INPUT_theta]; i++) {
    rigid_scene_at(s, CQ_INPUT_theta)[i] = i % 2 == 0 ? -0.8 : 2.0;
  }
}

static void check_bits(int bits, cq_kernels kernels) {
  rigid_scene s;
  many_scene(&s, bits, kernels);
  const size_t bytes = s.layout.total * sizeof(double);
  double *const expected = sweep(&s, 1, NULL, 0, 2);
  for (int threads = 2; threads <= 4; threads++) {
    double *const other = sweep(&s, threads, NULL, 0, 2);
    CHECK_MSG(memcmp(expected, other, 2 * bytes) == 0, "other bits by %d threads", threads);
    free(other);
  }
  for (int i = 0; cq_memo_policy_at(i) != NULL; i++) {
    const char *const name = cq_memo_policy_at(i)->name;
    for (size_t states = 4; states <= 30; states += 13) {
      double *const other = sweep(&s, 2, name, states, 1);
      CHECK_MSG(memcmp(expected, other, bytes) == 0, "%s with %zu states: other bits", name,
                states);
      free(other);
    }
  }
  free(expected);
  rigid_scene_free(&s);
}

static void test_same_bits(void) {
  check_bits(64, CQ_KERNELS_FAST);
  check_bits(32, CQ_KERNELS_FAST);
  check_bits(64, CQ_KERNELS_REFERENCE);
}

/* --- bodies as they start --------------------------------------------------------------------- */

typedef struct start {
  const rigid_scene *s;
  double bound;
} start;

static cq_status first_state(void *user, int step, const double *state) {
  const start *of = user;
  for (size_t i = 0; step == 0 && i < of->s->layout.state_total; i++) {
    CHECK_NEAR(state[i], of->s->inputs[i], of->bound);
  }
  return CQ_OK;
}

/* Body 0 turned about x, too, and turning about some axis. */
static void tumble(rigid_scene *s, double angle) {
  const double *c = s->placed_center, w[3] = {1.0, -2.0, 0.5};
  for (int p = s->rigid[0].first; p < s->rigid[0].first + s->rigid[0].count; p++) {
    double *x = rigid_scene_at(s, CQ_INPUT_x) + 3 * p, *v = rigid_scene_at(s, CQ_INPUT_v) + 3 * p;
    const double y = x[1] - c[1], z = x[2] - c[2];
    x[1] = c[1] + cos(angle) * y - sin(angle) * z;
    x[2] = c[2] + sin(angle) * y + cos(angle) * z;
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      v[a] = 0.3 + w[b] * (x[d] - c[d]) - w[d] * (x[b] - c[b]);
    }
  }
}

static void check_start(int dim, carry how, double angle, double bound) {
  rigid_scene s;
  const double corner[3] = {0.8, 0.8, 0.8};
  const bool turned = how == CARRY_EVENLY || how == CARRY_LOPSIDED;
  rigid_scene_begin(&s, dim, 64, 1, 2);
  rigid_scene_add(&s, rigid_box(0.5, 0.6, 0.5, 0.1, 0.2), CQ_RIGID_FREE, CQ_BOUNDARY_slip, how);
  rigid_scene_end(&s, 2, corner, 0.05);
  rigid_scene_throw(&s, 0, turned ? angle : 0.0, 0.4, -0.2, turned ? 3.0 : 0.0);
  if (dim == 3 && turned) {
    tumble(&s, angle);
  }
  start of = {&s, bound};
  visit(&s, s.inputs, first_state, &of);
  rigid_scene_free(&s);
}

/* State 0 is what the inputs say, whichever way a body is turned and moves. One particle, or in 3D
 * a row, says less than that: the body starts as it was placed. */
static void test_starts_as_the_inputs_say(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int k = 0; k < 12; k++) {
      check_start(dim, CARRY_EVENLY, 0.6 * k - 3.0, 2e-15);
      check_start(dim, CARRY_LOPSIDED, 0.6 * k - 3.0, 2e-15);
    }
    check_start(dim, CARRY_ONE, 0.0, 1e-15);
    check_start(dim, CARRY_ROW, 0.0, 1e-9);
  }
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static void test_leaves_the_grid(void) {
  rigid_scene s;
  const double corner[3] = {0.5, 0.5, 0.5};
  cq_sim *sim = NULL;
  rigid_scene_begin(&s, 2, 64, 400, 3);
  rigid_scene_add(&s, rigid_box(0.2, 0.6, 0.5, 0.1, 0.1), CQ_RIGID_FREE, CQ_BOUNDARY_separate,
                  CARRY_EVENLY);
  s.body[0].name = "crate";
  rigid_scene_end(&s, 3, corner, 0.02);
  rigid_scene_at(&s, CQ_INPUT_gravity)[1] = 0.0;
  rigid_scene_throw(&s, 0, 0.0, -2.0, 0.0, 0.0);
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
  CHECK(cq_sim_forward(sim, s.inputs) == CQ_OUT_OF_ROOM);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "\"crate\"") != NULL &&
                strstr(cq_ctx_error(s.ctx), "left the grid") != NULL,
            "%s", cq_ctx_error(s.ctx));
  const cq_failure *f = cq_sim_failure(sim);
  CHECK(f->status == CQ_OUT_OF_ROOM && f->particle == s.rigid[0].first);
  /* it reaches 0.0707 m from its centre, 0.2 m away */
  CHECK_NEAR((f->step + 1) * s.model.dt, 0.2707 / 2.0, 2.0 * s.model.dt);
  cq_ctx_clear_error(s.ctx);
  rigid_scene_at(&s, CQ_INPUT_v)[2 * s.rigid[0].first] = NAN;
  CHECK(cq_sim_forward(sim, s.inputs) == CQ_NONFINITE);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "\"crate\"") != NULL, "%s", cq_ctx_error(s.ctx));
  cq_sim_destroy(sim);
  rigid_scene_free(&s);
}

/* A cable that is anchored to a carried particle. */
static void test_no_cable(void) {
  rigid_scene s;
  cq_sim *sim = NULL;
  cq_anchor anchors[2 * CQ_ANCHORS] = {{0}};
  air_scene(&s, 2, 64, 1, 1.0);
  for (int k = 0; k < 2 * CQ_ANCHORS; k++) {
    anchors[k] = (cq_anchor){k < CQ_ANCHORS ? 0 : s.rigid[0].first, 1.0 / CQ_ANCHORS};
  }
  s.actuators[0] = (cq_actuator){.kind = CQ_ACTUATION_cable, .n_points = 2, .anchors = anchors};
  s.mpm.actuators = s.actuators;
  s.model.n_actuators = 1;
  cq_actuators_number(&s.model, s.actuators);
  s.model.controller = (cq_controller){
      .kind = CQ_CONTROLLER_open_loop, .n_controls = 1, .hold = 1, .n_parameters = 1};
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_USAGE);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "a rigid body carries") != NULL, "%s", cq_ctx_error(s.ctx));
  rigid_scene_free(&s);
}

/* Wherever memory ends, nothing is left behind. */
static void test_short_of_memory(void) {
  rigid_scene s;
  many_scene(&s, 64, CQ_KERNELS_FAST);
  s.model.steps = 3;
  s.model.controller.n_parameters = 4;
  const cq_layout layout = cq_model_layout(&s.model);
  double *const terminal = calloc(layout.state_total, sizeof(double));
  double *const gradient = calloc(layout.total, sizeof(double));
  const cq_seed seed = {NULL, NULL, terminal};
  int failed = 0;
  for (int nth = 1; nth < 1000; nth++) {
    cq_ctx *const ctx = cq_ctx_create(1, 1);
    cq_sim *sim = NULL;
    cq_alloc_fail_nth(ctx, nth);
    cq_status status = cq_sim_create(ctx, &s.model, &sim);
    status = status != CQ_OK ? status : cq_sim_forward(sim, s.inputs);
    status = status != CQ_OK ? status : cq_sim_backward(sim, 1, &seed, gradient);
    cq_sim_destroy(sim);
    CHECK(status == CQ_OK || status == CQ_MEMORY);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
    if (status == CQ_OK) {
      break;
    }
    failed++;
  }
  printf("  memory ended in %d places\n", failed);
  CHECK(failed > 100 && failed < 999);
  free(terminal);
  free(gradient);
  rigid_scene_free(&s);
}

/* a word to the CPU */
static void test_no_device(void) {
  rigid_scene s;
  cq_sim *sim = NULL;
  air_scene(&s, 2, 64, 1, 1.0);
  s.model.device = CQ_ON_CUDA;
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_DEVICE);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "rigid bodies") != NULL, "%s", cq_ctx_error(s.ctx));
  rigid_scene_free(&s);
}

int main(void) {
  RUN(test_momentum);
  RUN(test_free_flight);
  RUN(test_same_bits);
  RUN(test_starts_as_the_inputs_say);
  RUN(test_leaves_the_grid);
  RUN(test_no_cable);
  RUN(test_short_of_memory);
  RUN(test_no_device);
  return TEST_RESULT();
}
