/* The engine on a CUDA device against the one on the CPU, field by field: after one step and after
 * many, every material, boundary and actuation model, 2D and 3D, float and double, and the
 * gradients; by the deterministic kernels and by the naive ones. The same bits from every run,
 * every memo. What stops a run stops it at the same step and particle.
 *
 * Two programs: with the CUDA runtime, skipped where there is no device, and with the shim. */
#include "collision_scene.h"
#include "devices.h"
#include "engine_compare.h"
#include "mpm_inputs.h"

/* After one step. A real device contracts multiply-adds, which the shim does not: a gradient
 * differs by more rounding errors. */
static engine_bounds step_bounds(int bits) {
  cq_cuda_device device = {.name = ""};
  const engine_bounds bounds =
      bits == 64 ? (engine_bounds){1e-12, 1e-12} : (engine_bounds){1e-5, 1e-5};
  cq_cuda_device_at(0, &device);
  const double more = strcmp(device.name, "shim") == 0 ? 1.0 : 10.0;
  return (engine_bounds){bounds.state, more * bounds.gradient};
}

/* From now on blocks and threads come in another order, where the shim chooses it. */
static void change_order(void) {
  static int seed = 1;
  char text[16];
  snprintf(text, sizeof text, "%d", ++seed);
  setenv("CQ_SHIM_SEED", text, 1);
}

static engine_run run_on(contact_scene *s, cq_backend device, cq_kernels kernels) {
  s->model.device = device;
  s->mpm.kernels = kernels;
  return engine_run_make(s, 1);
}

static void compare(contact_scene *s, engine_bounds bounds) {
  const engine_run cpu = run_on(s, CQ_ON_CPU, CQ_KERNELS_FAST);
  const engine_run device = run_on(s, CQ_ON_CUDA, CQ_KERNELS_FAST);
  const engine_run naive = run_on(s, CQ_ON_CUDA, CQ_KERNELS_REFERENCE);
  engine_compare("deterministic", s, &device, &cpu, bounds);
  engine_compare("naive", s, &naive, &cpu, bounds);
  engine_run_free(&cpu);
  engine_run_free(&device);
  engine_run_free(&naive);
}

static void compare_variants(int steps, engine_bounds twice, engine_bounds single) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    const int bits = variant < 2 ? 64 : 32;
    contact_scene_make(&s, 2 + variant % 2, bits, steps);
    compare(&s, bits == 64 ? twice : single);
    free(s.inputs);
  }
}

static void test_one_step(void) {
  compare_variants(1, step_bounds(64), step_bounds(32));
}

static void test_smooth_gradient(void) {
  compare_variants(10, (engine_bounds){1e-11, 1e-10}, (engine_bounds){1e-4, 1e-3});
}

static void test_many_steps(void) {
  /* in float a node may take the other branch of a contact: gradients are compared in double */
  compare_variants(25, (engine_bounds){1e-9, 1e-9}, (engine_bounds){1e-3, INFINITY});
}

static void test_pic(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 5);
    s.mpm.transfer = CQ_TRANSFER_PIC;
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

static void test_each_wall(void) {
  for (int k = 0; k < CONTACT_SINGLE_WALLS; k++) {
    contact_scene s;
    contact_scene_one_wall(&s, k, 3);
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

static void test_touch(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 5);
    contact_scene_touch(&s);
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

/* Friction by the mean of the pressure, also at walls that ask for the mass of nodes. */
static void test_mean_pressure(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    contact_scene_make(&s, 2 + variant % 2, 64, 12);
    contact_scene_mean_pressure(&s);
    if (variant >= 2) {
      contact_scene_touch(&s);
    }
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

static void test_far_apart(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    const int bits = variant < 2 ? 64 : 32;
    contact_scene_far_apart(&s, 2 + variant % 2, bits, 3);
    compare(&s, bits == 64 ? (engine_bounds){1e-11, 1e-10} : (engine_bounds){1e-4, 1e-3});
    free(s.inputs);
  }
}

/* --- more particles than a block has threads -------------------------------------------------- */

static scene collide(int dim, int bits, cq_backend device, cq_kernels kernels) {
  scene s;
  collision_scene_prepare(&s, dim, bits, 3, 2);
  s.model.device = device;
  s.mpm.kernels = kernels;
  collision_scene_open(&s);
  scene_forward(&s);
  scene_backward(&s);
  return s;
}

static void compare_collisions(const char *label, const scene *a, const scene *b, double bound) {
  const double state = engine_relative(a->state, b->state, a->layout.state_total);
  const double z = engine_relative(scene_z(a), scene_z(b), (size_t)a->layout.rows->longest);
  double worst = 0.0;
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    const size_t at = a->layout.offset[i];
    const double error = engine_relative(a->gradient + at, b->gradient + at, a->layout.count[i]);
    CHECK_MSG(error <= 10.0 * bound, "gradient of %s: %.1e", cq_mpm_inputs[i].name, error);
    worst = fmax(worst, error);
  }
  CHECK_MSG(state <= bound && z <= bound, "state %.1e, z %.1e", state, z);
  printf("  %-13s %dD f%d %d particles: state %.1e gradient %.1e\n", label, a->model.dim,
         a->model.bits, a->model.n_particles, state, worst);
}

static void test_many_particles(void) {
  for (int variant = 0; variant < 4; variant++) {
    const int dim = 2 + variant % 2, bits = variant < 2 ? 64 : 32;
    const double bound = bits == 64 ? 1e-12 : 1e-5;
    scene cpu = collide(dim, bits, CQ_ON_CPU, CQ_KERNELS_FAST);
    scene device = collide(dim, bits, CQ_ON_CUDA, CQ_KERNELS_FAST);
    change_order();
    scene again = collide(dim, bits, CQ_ON_CUDA, CQ_KERNELS_FAST);
    scene naive = collide(dim, bits, CQ_ON_CUDA, CQ_KERNELS_REFERENCE);
    compare_collisions("deterministic", &device, &cpu, bound);
    compare_collisions("naive", &naive, &cpu, bound);
    CHECK(memcmp(device.state, again.state, cpu.layout.state_total * sizeof(double)) == 0);
    CHECK(memcmp(device.gradient, again.gradient, cpu.layout.total * sizeof(double)) == 0);
    scene_close(&cpu);
    scene_close(&device);
    scene_close(&again);
    scene_close(&naive);
  }
}

/* --- the same bits --------------------------------------------------------------------------- */

static void same_bits(const char *what, const contact_scene *s, const engine_run *a,
                      const engine_run *b, int n_seeds) {
  CHECK_MSG(memcmp(a->state, b->state, s->layout.state_total * sizeof(double)) == 0,
            "%s: the state differs", what);
  CHECK_MSG(memcmp(a->z, b->z, engine_z_size(s) * sizeof(double)) == 0, "%s: z differs", what);
  CHECK_MSG(memcmp(a->gradient, b->gradient, (size_t)n_seeds * s->layout.total * sizeof(double)) ==
                0,
            "%s: the gradient differs", what);
}

/* one simulator runs twice, with other inputs between */
static void run_again(contact_scene *s, const engine_run *expected) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_sim *sim = NULL;
  engine_run r = engine_run_alloc(s, 1);
  change_order();
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  if (sim != NULL) {
    double *const gravity = scene_input(s, CQ_INPUT_gravity), kept = gravity[0];
    engine_run_sim(ctx, sim, s, 1, &r);
    same_bits("first run", s, &r, expected, 1);
    gravity[0] += 0.1;
    engine_run_sim(ctx, sim, s, 1, &r);
    CHECK(memcmp(r.state, expected->state, s->layout.state_total * sizeof(double)) != 0);
    gravity[0] = kept;
    engine_run_sim(ctx, sim, s, 1, &r);
    same_bits("same simulator", s, &r, expected, 1);
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  engine_run_free(&r);
}

static void run_memo(contact_scene *s, const engine_run *expected, const char *memo,
                     size_t memory) {
  s->model.memo = memo;
  s->model.memory = memory;
  change_order();
  const engine_run r = engine_run_make(s, 1);
  same_bits(memo != NULL ? memo : "binomial", s, &r, expected, 1);
  engine_run_free(&r);
}

/* Bytes of n states of the scene, as the engine on the device stores them, and of what it observes.
 */
static size_t bytes_of(const contact_scene *s, size_t n) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sim *sim = NULL;
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  size_t bytes = 0;
  if (sim != NULL) {
    bytes = n * cq_sim_statistics(sim)->state_bytes + cq_sim_statistics(sim)->z_bytes;
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  return bytes;
}

static void test_same_bits(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    contact_scene_make(&s, 2 + variant % 2, variant < 2 ? 64 : 32, 8);
    if (variant >= 2) {
      contact_scene_mean_pressure(&s);
    }
    const engine_run first = run_on(&s, CQ_ON_CUDA, CQ_KERNELS_FAST);
    run_again(&s, &first);
    run_memo(&s, &first, "sqrt", 0);
    run_memo(&s, &first, "full", 0);
    run_memo(&s, &first, NULL, bytes_of(&s, 4));
    run_memo(&s, &first, "sqrt", bytes_of(&s, 6));
    engine_run_free(&first);
    free(s.inputs);
  }
}

/* a seed's gradient is the same alone and beside others */
static void test_seeds(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 4);
    contact_scene_mean_pressure(&s);
    s.model.device = CQ_ON_CUDA;
    const engine_run one = engine_run_make(&s, 1), three = engine_run_make(&s, 3);
    same_bits("one of three seeds", &s, &three, &one, 1);
    s.model.device = CQ_ON_CPU;
    const engine_run cpu = engine_run_make(&s, 3);
    for (int i = 1; i < 3; i++) {
      const size_t at = (size_t)i * s.layout.total;
      CHECK(engine_relative(three.gradient + at, cpu.gradient + at, s.layout.total) <= 1e-10);
    }
    engine_run_free(&one);
    engine_run_free(&three);
    engine_run_free(&cpu);
    free(s.inputs);
  }
}

/* --- what a sweep and a run show ------------------------------------------------------------- */

enum { SHOWN_STEPS = 6 };

typedef struct shown {
  int n, state[SHOWN_STEPS + 1];
  cq_adjoint_norms norms[SHOWN_STEPS + 1];
  cq_contact_count contacts[SHOWN_STEPS + 1];
} shown;

static void show(void *user, int state, const cq_adjoint_norms *norms,
                 const cq_contact_count *contacts) {
  shown *const all = user;
  all->state[all->n] = state;
  all->norms[all->n] = norms[0];
  all->contacts[all->n] = contacts != NULL ? *contacts : (cq_contact_count){-1, -1};
  all->n++;
}

static shown watch(contact_scene *s, cq_backend device, int every) {
  shown all = {0};
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_sim *sim = NULL;
  double *w = engine_weights(s, 0), *gradient = calloc(s->layout.total, sizeof(double));
  const cq_seed seed = {.terminal = w};
  const cq_watch watching = {every, true, show, &all};
  s->model.device = device;
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  if (sim != NULL) {
    CHECK(cq_sim_forward(sim, s->inputs) == CQ_OK);
    CHECK_MSG(cq_sim_backward_watched(sim, 1, &seed, &watching, gradient) == CQ_OK, "%s",
              cq_ctx_error(ctx));
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  free(w);
  free(gradient);
  return all;
}

static void test_watched(void) {
  for (int k = 0; k < 4; k++) {
    contact_scene s;
    contact_scene_make(&s, 2 + k % 2, 64, SHOWN_STEPS);
    if (k >= 2) {
      contact_scene_mean_pressure(&s);
    }
    const int every = k < 2 ? 1 : 4;
    const shown cpu = watch(&s, CQ_ON_CPU, every), device = watch(&s, CQ_ON_CUDA, every);
    CHECK(cpu.n > 0 && cpu.n == device.n);
    for (int i = 0; i < cpu.n; i++) {
      const double *const a = cpu.norms[i].of, *const b = device.norms[i].of;
      CHECK(cpu.state[i] == device.state[i]);
      for (int j = 0; j < s.layout.n_states; j++) {
        CHECK_NEAR(b[j], a[j], 1e-10 * a[j]);
      }
      CHECK_MSG(cpu.contacts[i].pressing == device.contacts[i].pressing &&
                    cpu.contacts[i].switched == device.contacts[i].switched,
                "contacts at state %d", cpu.state[i]);
    }
    free(s.inputs);
  }
}

typedef struct visited {
  contact_scene *s;
  cq_sim *sim;
  double *states, *stress;
} visited;

static cq_status visit(void *user, int step, const double *state) {
  visited *const v = user;
  const size_t total = v->s->layout.state_total, n = (size_t)v->s->model.n_particles;
  memcpy(v->states + (size_t)step * total, state, total * sizeof *state);
  cq_sim_field(v->sim, 0, v->s->inputs, state, v->stress + (size_t)step * n);
  return CQ_OK;
}

static visited visit_all(contact_scene *s, cq_backend device) {
  const size_t states = (size_t)s->model.steps + 1;
  visited v = {.s = s};
  v.states = calloc(states * s->layout.state_total, sizeof(double));
  v.stress = calloc(states * (size_t)s->model.n_particles, sizeof(double));
  cq_ctx *ctx = cq_ctx_create(2, 1);
  s->model.device = device;
  CHECK(cq_sim_create(ctx, &s->model, &v.sim) == CQ_OK);
  if (v.sim != NULL) {
    CHECK_MSG(cq_sim_visit(v.sim, s->inputs, NULL, 0, visit, &v) == CQ_OK, "%s", cq_ctx_error(ctx));
  }
  cq_sim_destroy(v.sim);
  cq_ctx_destroy(ctx);
  return v;
}

static void test_visit(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 4);
    const visited cpu = visit_all(&s, CQ_ON_CPU), device = visit_all(&s, CQ_ON_CUDA);
    const size_t states = (size_t)s.model.steps + 1;
    CHECK(engine_relative(device.states, cpu.states, states * s.layout.state_total) <= 1e-11);
    CHECK(engine_relative(device.stress, cpu.stress, states * (size_t)s.model.n_particles) <= 1e-9);
    const engine_run run = run_on(&s, CQ_ON_CUDA, CQ_KERNELS_FAST);
    CHECK(memcmp(run.state, device.states + (states - 1) * s.layout.state_total,
                 s.layout.state_total * sizeof(double)) == 0);
    engine_run_free(&run);
    free(cpu.states);
    free(cpu.stress);
    free(device.states);
    free(device.stress);
    free(s.inputs);
  }
}

/* --- what stops a run ------------------------------------------------------------------------ */

typedef struct fault {
  cq_status status;
  int input, at; /* an entry of particle 5 in 2D */
  double value;
} fault;

static cq_failure failure_of(contact_scene *s, cq_backend device, double *state, char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sim *sim = NULL;
  cq_failure failure = {0};
  s->model.device = device;
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  if (sim != NULL) {
    const cq_status status = cq_sim_forward(sim, s->inputs);
    failure = *cq_sim_failure(sim);
    CHECK(status != CQ_OK && status == failure.status);
    snprintf(message, 512, "%s", cq_ctx_error(ctx));
    CHECK(cq_sim_final_state(sim, state) == CQ_OK);
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  return failure;
}

static void compare_failures(contact_scene *s, const fault *f) {
  double *const states[2] = {calloc(s->layout.state_total, sizeof(double)),
                             calloc(s->layout.state_total, sizeof(double))};
  char messages[2][512] = {"", ""};
  const cq_failure cpu = failure_of(s, CQ_ON_CPU, states[0], messages[0]);
  const cq_failure device = failure_of(s, CQ_ON_CUDA, states[1], messages[1]);
  printf("  %s\n", messages[1]);
  CHECK(cpu.status == f->status && device.status == f->status);
  CHECK_MSG(device.step == cpu.step, "step %d, not %d", device.step, cpu.step);
  CHECK_MSG(device.particle == cpu.particle, "particle %d, not %d", device.particle, cpu.particle);
  CHECK_STR(messages[1], messages[0]);
  if (f->status != CQ_NONFINITE) {
    CHECK(engine_relative(states[1], states[0], s->layout.state_total) <= 1e-9);
  }
  free(states[0]);
  free(states[1]);
}

static void test_failures_agree(void) {
  const fault faults[] = {
      {CQ_OUT_OF_ROOM, CQ_INPUT_x, 10, -1.0},       {CQ_OUT_OF_ROOM, CQ_INPUT_v, 10, -15.0},
      {CQ_TOO_FAST, CQ_INPUT_v, 11, 60.0},          {CQ_DEFORMED, CQ_INPUT_F, 20, -1.0},
      {CQ_NONFINITE, CQ_INPUT_C, 21, NAN},          {CQ_NONFINITE, CQ_INPUT_density, 5, NAN},
      {CQ_NONFINITE, CQ_INPUT_gravity, 0, INFINITY}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    contact_scene s;
    contact_scene_make(&s, 2, 64, 30);
    contact_scene_keep_walls(&s, 0, 0);
    /* alone and far from the others, where it keeps its velocity */
    scene_input(&s, CQ_INPUT_x)[10] = 0.3;
    scene_input(&s, CQ_INPUT_x)[11] = 0.7;
    scene_input(&s, faults[i].input)[faults[i].at] = faults[i].value;
    compare_failures(&s, &faults[i]);
    free(s.inputs);
  }
}

static cq_tally tally_of(contact_scene *s, cq_backend device) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sim *sim = NULL;
  cq_tally tally = {{0}};
  s->model.device = device;
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  if (sim != NULL) {
    CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
    tally = cq_sim_statistics(sim)->tally;
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  return tally;
}

static void test_inversion_continues(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 3);
    s.mpm.on_inversion = CQ_INVERSION_CONTINUE;
    memset(s.material, CQ_MATERIAL_fixed_corotated, sizeof s.material);
    for (int p = 0; p < 3; p++) {
      scene_input(&s, CQ_INPUT_F)[7 * p * dim * dim] = -0.8;
    }
    const cq_tally cpu = tally_of(&s, CQ_ON_CPU), device = tally_of(&s, CQ_ON_CUDA);
    CHECK_MSG(device.of[CQ_TALLY_INVERTED] > 0 &&
                  device.of[CQ_TALLY_INVERTED] == cpu.of[CQ_TALLY_INVERTED] &&
                  device.of[CQ_TALLY_CLAMPED] == cpu.of[CQ_TALLY_CLAMPED],
              "%lld, %lld and not %lld, %lld", device.of[CQ_TALLY_INVERTED],
              device.of[CQ_TALLY_CLAMPED], cpu.of[CQ_TALLY_INVERTED], cpu.of[CQ_TALLY_CLAMPED]);
    compare(&s, (engine_bounds){1e-11, 1e-9});
    free(s.inputs);
  }
}

/* "short": every kernel once, for tools that make each step a thousand times as long */
int main(int argc, char **argv) {
  const cq_cuda cuda = cq_cuda_look();
  if (cuda.problem != NULL) {
    printf("skipped: %s\n", cuda.problem);
    return 77;
  }
  RUN(test_one_step);
  RUN(test_many_particles);
  RUN(test_each_wall);
  RUN(test_seeds);
  RUN(test_watched);
  RUN(test_visit);
  RUN(test_failures_agree);
  RUN(test_inversion_continues);
  if (argc < 2 || strcmp(argv[1], "short") != 0) {
    RUN(test_smooth_gradient);
    RUN(test_many_steps);
    RUN(test_pic);
    RUN(test_touch);
    RUN(test_mean_pressure);
    RUN(test_far_apart);
    RUN(test_same_bits);
  }
  return TEST_RESULT();
}
