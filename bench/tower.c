/* A tower without end, between four walls, in which helical gears turn at random speeds and grains
 * fall: the engine's steps by hand, one thread, the processor's clock. */
#include "alloc.h"
#include "gear.h"
#include "granular_inputs.h"
#include "granular_kernels.h"
#include "granular_model.h"
#include "paper.h"
#include "rng.h"
#include "sim.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_GEARS = 16, WALLS = 4, ROW = 4, SETTLE = 60, STEPS = 40 };

static const double radius = 0.012, density = 1000.0, time_step = 1e-3;
static const double width = 0.5, height = 2.0, pi = 3.14159265358979323846;

typedef struct tower {
  cq_model model;
  cq_granular_model own;
  cq_tool tools[1 + MOST_GEARS];
  cq_shape walls[WALLS], gears[MOST_GEARS];
  double spins[MOST_GEARS];
  double *inputs;
} tower;

/* Rows of four side by side, each turned so that its axis is level. */
static void place_gears(tower *t, int n) {
  const double level[3] = {0.5 * pi, 0.0, 0.0};
  cq_rng rng = cq_rng_seed(2);
  for (int k = 0; k < n; k++) {
    cq_shape *s = &t->gears[k];
    *s = (cq_shape){.kind = CQ_SHAPE_gear, .dim = 3};
    s->gear = cq_gear_make(18, 0.02, pi / 9.0, 25.0 * pi / 180.0, 0.1, 0.0);
    s->center[0] = width * (k % 2 == 0 ? 0.45 : 0.55);
    s->center[1] = width * (k % ROW + 0.5) / ROW;
    s->center[2] = height * (k / ROW + 0.5) / ceil((double)n / ROW);
    cq_shape_turn(s, level);
    t->tools[1 + k] =
        (cq_tool){.n_parts = 1, .parts = s, .linear = {-1, -1, -1}, .angular = {-1, k, -1}};
    memcpy(t->tools[1 + k].origin, s->center, sizeof s->center);
    t->spins[k] = 2.0 * pi * (2.0 * cq_rng_uniform(&rng) - 1.0);
  }
}

/* Is there room for a grain? */
static bool is_free(const tower *t, const double *x) {
  bool is = true;
  for (int k = 0; k < t->model.n_drives; k++) {
    is = is && cq_shape_distance(&t->gears[k], x) > 1.05 * radius;
  }
  return is;
}

/* The first n places of a lattice that are free; its layers are spread over the height. */
static cq_status place_grains(cq_ctx *ctx, tower *t, int n) {
  const cq_layout layout = cq_model_layout(&t->model);
  const double pitch = 2.1 * radius;
  const int side = (int)((width - 2.0 * radius) / pitch);
  const int layers = (int)fmin(floor(height / pitch), ceil(4.0 * n / (side * side)));
  int placed = 0;
  CQ_TRY(CQ_ALLOC(ctx, t->inputs, layout.total));
  for (int k = 0; k < side * side * layers && placed < n; k++) {
    const double x[3] = {(k % side + 0.8) * pitch, (k / side % side + 0.8) * pitch,
                         (k / (side * side) + 0.5) * height / layers};
    if (is_free(t, x)) {
      memcpy(t->inputs + layout.offset[CQ_GRAIN_x] + 3 * (size_t)placed++, x, sizeof x);
    }
  }
  CQ_CHECK(ctx, placed == n, CQ_USAGE, "the tower has room for %d grains, not %d", placed, n);
  for (int i = 0; i < n; i++) {
    t->inputs[layout.offset[CQ_GRAIN_density] + (size_t)i] = density;
    t->inputs[layout.offset[CQ_GRAIN_volume] + (size_t)i] = 4.0 / 3.0 * pi * pow(radius, 3.0);
    t->inputs[layout.offset[CQ_GRAIN_grain_friction] + (size_t)i] = 0.5;
  }
  t->inputs[layout.offset[CQ_GRAIN_gravity] + 2] = -9.81;
  for (int k = 0; k < t->model.n_boundaries; k++) {
    t->inputs[layout.offset[CQ_GRAIN_friction] + (size_t)k] = 0.3;
  }
  return CQ_OK;
}

/* The tower with so many gears and grains. */
static cq_status open_tower(cq_ctx *ctx, int gears, int n, tower *t) {
  *t = (tower){.own = {.iterations = 10,
                       .warm = true,
                       .spins = true,
                       .damping = 1.0,
                       .n_materials = 1,
                       .cyclic = 3,
                       .tools = t->tools},
               .model = {.engine = "granular",
                         .dim = 3,
                         .bits = 32,
                         .dt = time_step,
                         .steps = SETTLE + STEPS,
                         .n_particles = n,
                         .n_boundaries = 1 + gears,
                         .n_drives = gears,
                         .n_controls = gears,
                         .length = 2.0 * radius,
                         .room = {{0.0, 0.0, 0.0}, {width, width, height}},
                         .own = &t->own}};
  for (int k = 0; k < WALLS; k++) {
    t->walls[k] = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = 3};
    t->walls[k].normal[k % 2] = k < 2 ? 1.0 : -1.0;
    t->walls[k].center[k % 2] = k < 2 ? 0.0 : width;
  }
  t->tools[0] = (cq_tool){
      .n_parts = WALLS, .parts = t->walls, .linear = {-1, -1, -1}, .angular = {-1, -1, -1}};
  place_gears(t, gears);
  return place_grains(ctx, t, n);
}

/* All steps, in place; the last ones are timed. */
static cq_status run_tower(tower *t, void *work, void *state, double *speed) {
  double begin = 0.0;
  CQ_TRY(cq_grains_3d_f32.upload(work, t->inputs, state));
  for (int k = 0; k < SETTLE + STEPS; k++) {
    begin = k == SETTLE ? cq_bench_cpu_seconds() : begin;
    CQ_TRY(cq_grains_3d_f32.step(work, k, state, state, t->spins, true));
  }
  *speed = STEPS * time_step / (cq_bench_cpu_seconds() - begin);
  return CQ_OK;
}

static cq_status measure(cq_ctx *ctx, int gears, int n, double *speed) {
  tower t;
  void *work = NULL, *state = NULL;
  cq_status status = open_tower(ctx, gears, n, &t);
  const cq_layout layout = cq_model_layout(&t.model);
  status = status == CQ_OK ? cq_grains_3d_f32.create(ctx, &t.model, &layout, &work) : status;
  status = status == CQ_OK ? cq_alloc(ctx, &state, cq_grains_3d_f32.state_bytes(work), 1) : status;
  status = status == CQ_OK ? run_tower(&t, work, state, speed) : status;
  if (work != NULL) {
    cq_grains_3d_f32.destroy(work);
  }
  cq_free(ctx, state);
  cq_free(ctx, t.inputs);
  return status;
}

/* With one thread, and the error of its context in the bench's. */
static cq_status add(cq_bench *bench, const char *scene, const char *pass, int gears, int n) {
  cq_ctx *one = cq_ctx_create(1, 1);
  double speed = 0.0;
  CQ_CHECK(bench->ctx, one != NULL, CQ_MEMORY, "no memory for a context");
  const cq_status status = measure(one, gears, n, &speed);
  if (status != CQ_OK) {
    CQ_FAIL(bench->ctx, status, "%s %s: %s", scene, pass, cq_ctx_error(one));
  }
  cq_ctx_destroy(one);
  cq_metrics_add(
      &bench->metrics,
      (cq_metric){
          .scene = scene, .pass = pass, .quantity = "of_real_time", .unit = "", .value = speed});
  return status;
}

cq_status cq_bench_paper_bodies(cq_bench *bench) {
  static const char *const names[] = {"0", "1", "2", "4", "8", "16"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    CQ_TRY(add(bench, "paper_bodies", names[k], k == 0 ? 0 : 1 << (k - 1), 4000));
  }
  return CQ_OK;
}

cq_status cq_bench_paper_particles(cq_bench *bench) {
  static const char *const names[] = {"1000", "2000", "4000", "8000", "16000"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    CQ_TRY(add(bench, "paper_particles", names[k], 8, 1000 << k));
  }
  return CQ_OK;
}
