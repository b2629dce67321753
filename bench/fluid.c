/* A lattice of particles that falls freely. A particle-iteration is a sweep of the solver for the
 * density: the difference of runs with many sweeps and with few, by their particles, on the
 * processor's clock of one thread; the plain loop runs over the same lattice. Threads are judged by
 * the clock on the wall. */
#include "fluid.h"

#include "alloc.h"
#include "fluid_inputs.h"
#include "fluid_model.h"
#include "fluid_naive.h"
#include "sim.h"
#include "simd_built.h"
#include "status.h"

#include <math.h>
#include <time.h>

enum { STEPS = 20, QUICK = 3, FEW = 2, MANY = 32, TURNS = 5, USUAL = 10 };

static const double radius = 0.01, density = 1000.0, time_step = 1e-3;

static const cq_bench_block blocks[] = {
    {"fluid_2d_f32", 2, 32, 70, false, 0.0}, {"fluid_2d_f64", 2, 64, 70, true, 2.0},
    {"fluid_3d_f32", 3, 32, 20, true, 2.5},  {"fluid_3d_f64", 3, 64, 20, false, 1.8},
    {"fluid_3d_64k", 3, 32, 40, false, 0.0},
};

const cq_bench_block *cq_bench_block_at(int i) {
  return i < (int)(sizeof blocks / sizeof *blocks) ? &blocks[i] : NULL;
}

typedef struct block {
  const cq_bench_block *def;
  cq_ctx *ctx;
  int n;
  cq_model model;
  cq_fluid_model own;
  double *x, *inputs; /* [n][dim]; the engine's */
} block;

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void place(block *b, const cq_layout *layout) {
  const int dim = b->def->dim, side = b->def->side;
  double *of_engine = b->inputs + layout->offset[CQ_FLUID_x];
  for (int i = 0; i < b->n; i++) {
    const int at[3] = {i % side, i / side % side, i / side / side};
    for (int a = 0; a < dim; a++) {
      b->x[i * dim + a] = of_engine[i * dim + a] = (at[a] + 0.5) * 2.0 * radius;
    }
    b->inputs[layout->offset[CQ_FLUID_density] + (size_t)i] = density;
    b->inputs[layout->offset[CQ_FLUID_volume] + (size_t)i] = pow(2.0 * radius, dim);
  }
  b->inputs[layout->offset[CQ_FLUID_gravity] + (size_t)dim - 1] = -9.81;
}

/* The model of a block and its inputs. */
static cq_status open_block(const cq_bench_block *def, cq_ctx *ctx, block *b) {
  *b = (block){.def = def, .ctx = ctx, .n = (int)pow(def->side, def->dim)};
  b->own = (cq_fluid_model){.radius = radius, .divergence_sweeps = 1};
  b->model = (cq_model){.engine = "fluid",
                        .dim = def->dim,
                        .bits = def->bits,
                        .dt = time_step,
                        .steps = STEPS,
                        .n_particles = b->n,
                        .length = 2.0 * radius,
                        .own = &b->own};
  for (int a = 0; a < 3; a++) {
    b->model.room.low[a] = -10.0;
    b->model.room.high[a] = 10.0;
  }
  const cq_layout layout = cq_model_layout(&b->model);
  CQ_TRY(CQ_ALLOC(ctx, b->x, b->n * def->dim));
  CQ_TRY(CQ_ALLOC(ctx, b->inputs, layout.total));
  place(b, &layout);
  return CQ_OK;
}

static cq_status ignore(void *user, int step, const double *state) {
  (void)user;
  (void)step;
  (void)state;
  return CQ_OK;
}

/* Lowers *best to the seconds of a run. */
static cq_status run(block *b, cq_ctx *ctx, int sweeps, clockid_t clock, double *best) {
  const int last = b->model.steps;
  cq_sim *sim = NULL;
  b->own.sweeps = sweeps;
  cq_status status = cq_sim_create(ctx, &b->model, &sim);
  if (status == CQ_OK) {
    const double begin = seconds(clock);
    status = cq_sim_visit(sim, b->inputs, &last, 1, ignore, NULL);
    *best = fmin(*best, seconds(clock) - begin);
  }
  cq_sim_destroy(sim);
  return status == CQ_OK ? CQ_OK
                         : CQ_FAIL(b->ctx, status, "%s: %s", b->def->name, cq_ctx_error(ctx));
}

static void add_to(cq_bench *bench, const block *b, const char *pass, const char *quantity,
                   const char *unit, double value, double bar) {
  cq_metrics_add(&bench->metrics, (cq_metric){.scene = b->def->name,
                                              .pass = pass,
                                              .quantity = quantity,
                                              .unit = unit,
                                              .value = value,
                                              .sense = bar > 0.0 ? CQ_BAR_AT_LEAST : CQ_BAR_NONE,
                                              .bar = bar});
}

static void add(cq_bench *bench, const block *b, const char *quantity, const char *unit,
                double value, double bar) {
  add_to(bench, b, "step", quantity, unit, value, bar);
}

/* On a device, by the clock on the wall: a step of 1 + 10 sweeps, and of its time a sweep. The
 * first turn warms up. */
static cq_status measure_on_device(cq_bench *bench, block *b) {
  double usual = INFINITY, many = INFINITY;
  b->model.device = CQ_ON_CUDA;
  b->model.steps = bench->quick ? QUICK : STEPS;
  for (int turn = 0; turn < (bench->quick ? 2 : TURNS); turn++) {
    CQ_TRY(run(b, b->ctx, USUAL, CLOCK_MONOTONIC, &usual));
    CQ_TRY(run(b, b->ctx, MANY, CLOCK_MONOTONIC, &many));
  }
  const double step = usual / b->model.steps;
  const double sweep = (many - usual) / b->model.steps / (MANY - USUAL);
  add_to(bench, b, "forward", "engine", "ns", 1e9 * step / b->n, 0.0);
  add_to(bench, b, "forward", "step", "us", 1e6 * step, 0.0);
  add_to(bench, b, "forward", "particle_iteration", "ns", 1e9 * sweep / b->n, 0.0);
  return CQ_OK;
}

/* Runs of few and of many sweeps and the plain loop in turns, then runs of all threads. */
static cq_status measure(cq_bench *bench, block *b, cq_ctx *one) {
  cq_naive_fluid *loop = cq_naive_fluid_pick(b->def->dim, b->def->bits, bench->level);
  double few = INFINITY, many = INFINITY, plain = INFINITY, alone = INFINITY, all = INFINITY;
  CQ_CHECK(b->ctx, loop != NULL, CQ_USAGE, "this build has no naive loops for SIMD level %s",
           cq_simd_names[bench->level]);
  for (int turn = 0; turn < TURNS; turn++) {
    CQ_TRY(run(b, one, FEW, CLOCK_PROCESS_CPUTIME_ID, &few));
    CQ_TRY(run(b, one, MANY, CLOCK_PROCESS_CPUTIME_ID, &many));
    const double time = loop(b->n, b->x, radius, time_step, MANY - FEW);
    CQ_CHECK(b->ctx, time >= 0.0, CQ_MEMORY, "no memory for the plain loop");
    plain = fmin(plain, time);
    CQ_TRY(run(b, one, USUAL, CLOCK_MONOTONIC, &alone));
    CQ_TRY(run(b, b->ctx, USUAL, CLOCK_MONOTONIC, &all));
  }
  const double each = 1e9 / ((double)b->n * STEPS), sweep = each * (many - few) / (MANY - FEW);
  const int threads = cq_ctx_threads(b->ctx);
  add(bench, b, "particle_iteration", "ns", sweep, 0.0);
  add(bench, b, "naive", "ns", 1e9 * plain, 0.0);
  add(bench, b, "ratio", "", 1e9 * plain / sweep, b->def->ratio);
  add(bench, b, "step", "ns", each * few + (USUAL - FEW) * sweep, 0.0);
  add(bench, b, "speedup", "", alone / all, threads > 1 && b->def->ratio > 0.0 ? 1.7 : 0.0);
  return CQ_OK;
}

cq_status cq_bench_fluid(cq_bench *bench, const cq_bench_block *def) {
  block b;
  cq_ctx *one = cq_ctx_create(1, 1);
  CQ_CHECK(bench->ctx, one != NULL, CQ_MEMORY, "no memory for a context");
  cq_status status = open_block(def, bench->ctx, &b);
  if (status == CQ_OK) {
    status = bench->on_cuda ? measure_on_device(bench, &b) : measure(bench, &b, one);
  }
  cq_free(bench->ctx, b.x);
  cq_free(bench->ctx, b.inputs);
  cq_ctx_destroy(one);
  return status;
}

#define FOR_VARIANTS(X, level)    X(2, 32, level) X(2, 64, level) X(3, 32, level) X(3, 64, level)
#define DECLARE(dim, bits, level) extern cq_naive_fluid cq_naive_fluid_##dim##d_f##bits##_##level;
#define DECLARE_LEVEL(name)       FOR_VARIANTS(DECLARE, name)
CQ_SIMD_LIST(DECLARE_LEVEL)

/* Looks in a table, made by macros: all dimensions and precisions at each level in this build. */
cq_naive_fluid *cq_naive_fluid_pick(int dim, int bits, cq_simd level) {
  static const struct {
    int dim, bits;
    cq_simd level;
    cq_naive_fluid *loop;
  } rows[] = {
#define ROW(dim, bits, level)                                                                      \
  {dim, bits, CQ_SIMD_##level, cq_naive_fluid_##dim##d_f##bits##_##level},
#define LEVEL_ROWS(name) FOR_VARIANTS(ROW, name)
      CQ_SIMD_BUILT(LEVEL_ROWS)};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].dim == dim && rows[i].bits == bits && rows[i].level == level) {
      return rows[i].loop;
    }
  }
  return NULL;
}
