/* A bed of grains in a box, 20 layers that come to rest. Times are of the processor's clock, one
 * thread; those of all threads, and one thread beside them, of the clock on the wall. A
 * contact-iteration is the difference of runs with many and with few iterations, by their contacts;
 * the plain loop runs over the contacts that the engine has left. */
#include "grains.h"

#include "alloc.h"
#include "grains_naive.h"
#include "granular_inputs.h"
#include "granular_model.h"
#include "paper.h"
#include "rng.h"
#include "sim.h"
#include "simd_built.h"
#include "status.h"
#include "timer.h"

#include <math.h>
#include <string.h>

enum { LAYERS = 20, SIDES = 5, NAIVE_TURNS = 20 };

static const double radius = 0.02, density = 1000.0, time_step = 1e-3, settling = 0.4;
static const double friction = 0.5, rolling = 0.05, pi = 3.14159265358979323846;

/* How far a step goes, and with how many iterations. */
typedef struct pace {
  double dt;
  int iterations;
} pace;

static const pace few = {1e-3, 2}, many = {1e-3, 10}, longer = {2e-3, 8};

/* clang-format off */
static const cq_bench_bed beds[] = {
    {"grains_1k",       1000,   32, 200, 3, false, 0.0, 0.0},
    {"grains_4k",       4000,   32, 100, 3, true,  2.5, 1.5},
    {"grains_16k",      16000,  32, 40,  2, false, 2.5, 1.5},
    {"grains_64k",      64000,  32, 12,  1, false, 0.0, 0.0},
    {"grains_128k",     128000, 32, 8,   1, false, 1.8, 0.0},
    {"grains_4k_f64",   4000,   64, 60,  3, false, 1.8, 0.0},
    {"grains_16k_f64",  16000,  64, 40,  2, false, 0.0, 0.0},
};
/* clang-format on */
static const char growth_from[] = "grains_4k", growth_to[] = "grains_128k";

const cq_bench_bed *cq_bench_bed_at(int i) {
  return i < (int)(sizeof beds / sizeof *beds) ? &beds[i] : NULL;
}

/* --- the bed ---------------------------------------------------------------------------------- */

typedef struct bed {
  cq_ctx *ctx; /* of one thread */
  const cq_bench_bed *def;
  cq_model model;
  cq_granular_model own;
  cq_tool tool;
  cq_shape sides[SIDES];
  cq_group all;
  int *particles;
  double *inputs, *state;
  int begin;              /* step that the measured ones begin with */
  double seconds, passed; /* of them: of the processor, and on the wall */
} bed;

/* Layers that are shifted against each other, between four walls and a floor. */
static void place_grains(bed *b, const cq_layout *layout) {
  const int side = (int)ceil(sqrt((double)b->def->n / LAYERS));
  const double pitch = 2.04 * radius;
  cq_rng rng = cq_rng_seed(3);
  for (int i = 0; i < b->def->n; i++) {
    const int at[3] = {i % side, i / side % side, i / side / side};
    double *x = b->inputs + layout->offset[CQ_GRAIN_x] + 3 * (size_t)i;
    for (int a = 0; a < 3; a++) {
      x[a] = (at[a] + 0.5 + (a < 2 ? 0.25 * (at[2] % 2) : 0.0)) * pitch;
      x[a] += 0.01 * radius * cq_rng_uniform(&rng);
    }
    b->inputs[layout->offset[CQ_GRAIN_density] + (size_t)i] = density;
    b->inputs[layout->offset[CQ_GRAIN_volume] + (size_t)i] = 4.0 / 3.0 * pi * pow(radius, 3.0);
    b->inputs[layout->offset[CQ_GRAIN_grain_friction] + (size_t)i] = friction;
    b->inputs[layout->offset[CQ_GRAIN_rolling_friction] + (size_t)i] = rolling;
  }
  b->inputs[layout->offset[CQ_GRAIN_gravity] + 2] = -9.81;
  b->inputs[layout->offset[CQ_GRAIN_friction]] = friction;
  const double width = (side + 0.3) * pitch;
  for (int k = 0; k < SIDES; k++) {
    b->sides[k] = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = 3};
    b->sides[k].normal[k % 3] = k < 3 ? 1.0 : -1.0;
    b->sides[k].center[k % 3] = k < 3 ? 0.0 : width;
  }
}

/* The model of a bed and its inputs. */
static cq_status open_bed(const cq_bench_bed *def, cq_ctx *ctx, bed *b) {
  *b = (bed){.ctx = ctx, .def = def};
  b->tool = (cq_tool){
      .n_parts = SIDES, .parts = b->sides, .linear = {-1, -1, -1}, .angular = {-1, -1, -1}};
  b->own = (cq_granular_model){
      .warm = true, .spins = true, .damping = 1.0, .n_materials = 1, .tools = &b->tool};
  b->model = (cq_model){.engine = "granular",
                        .dim = 3,
                        .bits = def->bits,
                        .n_particles = def->n,
                        .n_boundaries = 1,
                        .n_groups = 1,
                        .groups = &b->all,
                        .length = 2.0 * radius,
                        .own = &b->own};
  for (int a = 0; a < 3; a++) {
    b->model.room.low[a] = -1.0;
    b->model.room.high[a] = 100.0;
  }
  const cq_layout layout = cq_model_layout(&b->model);
  CQ_TRY(CQ_ALLOC(ctx, b->particles, def->n));
  CQ_TRY(CQ_ALLOC(ctx, b->inputs, layout.total));
  CQ_TRY(CQ_ALLOC(ctx, b->state, layout.state_total));
  for (int i = 0; i < def->n; i++) {
    b->particles[i] = i;
  }
  b->all = (cq_group){.count = def->n, .particles = b->particles};
  place_grains(b, &layout);
  return CQ_OK;
}

static void close_bed(bed *b) {
  cq_free(b->ctx, b->particles);
  cq_free(b->ctx, b->inputs);
  cq_free(b->ctx, b->state);
}

static cq_status visit(void *user, int step, const double *state) {
  bed *b = user;
  if (step == b->begin) {
    b->seconds = cq_bench_cpu_seconds();
    b->passed = cq_now();
  } else {
    b->seconds = cq_bench_cpu_seconds() - b->seconds;
    b->passed = cq_now() - b->passed;
    const cq_layout layout = cq_model_layout(&b->model);
    memcpy(b->state, state, layout.state_total * sizeof *state);
  }
  return CQ_OK;
}

/* What a run tells. */
typedef struct told {
  double seconds, passed; /* of the measured steps, a step */
  double deepest;         /* penetration by radius, at the end */
  size_t state_bytes;
} told;

/* The bed comes to rest; the steps after that are measured. Of one more run the least stays. */
static cq_status run(bed *b, cq_ctx *ctx, const pace *at, told *t) {
  cq_sim *sim = NULL;
  b->begin = (int)lround(settling / at->dt);
  b->model.dt = at->dt;
  b->model.steps = b->begin + (int)lround(b->def->steps * time_step / at->dt);
  b->own.iterations = at->iterations;
  const int states[] = {b->begin, b->model.steps};
  CQ_TRY(cq_sim_create(ctx, &b->model, &sim));
  const cq_status status = cq_sim_visit(sim, b->inputs, states, 2, visit, b);
  const cq_sim_stats *stats = cq_sim_statistics(sim);
  const double steps = b->model.steps - b->begin;
  t->seconds = fmin(t->seconds, b->seconds / steps);
  t->passed = fmin(t->passed, b->passed / steps);
  t->state_bytes = stats->state_bytes;
  cq_sim_destroy(sim);
  return status;
}

/* --- the plain loop --------------------------------------------------------------------------- */

/* Pairs nearer than the engine feels them, in the order of their first grain: by cells of that
 * size; and the least square of a distance. first NULL: they are counted. */
static int find_pairs(const bed *b, const double *x, int *head, int *next, int *first, int *second,
                      double *least) {
  const double reach = 2.1 * radius, low = -1.0;
  enum { CELLS = 1 << 20 };
  int n = 0;
  *least = INFINITY;
  for (int k = 0; k < CELLS; k++) {
    head[k] = -1;
  }
  for (int i = 0; i < b->def->n; i++) {
    int at[3];
    for (int a = 0; a < 3; a++) {
      at[a] = (int)((x[3 * i + a] - low) / reach);
    }
    for (int k = 0; k < 27; k++) {
      const unsigned cell = (unsigned)(at[0] + k % 3 - 1) * 73856093u ^
                            (unsigned)(at[1] + k / 3 % 3 - 1) * 19349663u ^
                            (unsigned)(at[2] + k / 9 - 1) * 83492791u;
      for (int j = head[cell % CELLS]; j >= 0; j = next[j]) {
        double square = 0.0;
        bool here = true;
        for (int a = 0; a < 3; a++) {
          const double d = x[3 * i + a] - x[3 * j + a];
          const int step = a == 0 ? k % 3 : a == 1 ? k / 3 % 3 : k / 9;
          here = here && (int)((x[3 * j + a] - low) / reach) == at[a] + step - 1;
          square += d * d;
        }
        if (here && square < reach * reach) {
          if (first != NULL) {
            first[n] = i;
            second[n] = j;
          }
          *least = fmin(*least, square);
          n++;
        }
      }
    }
    const unsigned own =
        (unsigned)at[0] * 73856093u ^ (unsigned)at[1] * 19349663u ^ (unsigned)at[2] * 83492791u;
    next[i] = head[own % CELLS];
    head[own % CELLS] = i;
  }
  return n;
}

typedef struct plain {
  int *head, *next, *first, *second;
  double least;
  void *grains, *contacts;
} plain;

/* ns of an iteration of the plain loop, by its contacts; the least of some turns */
static cq_status run_plain(const bed *b, cq_simd level, plain *p, double *ns, int *n_pairs) {
  const cq_naive_grains *loops = cq_naive_grains_pick(b->def->bits, level);
  CQ_CHECK(b->ctx, loops != NULL, CQ_USAGE, "this build has no naive loops for SIMD level %s",
           cq_simd_names[level]);
  const cq_layout layout = cq_model_layout(&b->model);
  cq_naive_bed plain_bed = {.n = b->def->n,
                            .radius = radius,
                            .dt = time_step,
                            .friction = friction,
                            .rolling = rolling,
                            .mass = density * 4.0 / 3.0 * pi * pow(radius, 3.0),
                            .x = b->state + layout.offset[CQ_GRAIN_x],
                            .v = b->state + layout.offset[CQ_GRAIN_v],
                            .spin = b->state + layout.offset[CQ_GRAIN_spin]};
  plain_bed.n_pairs = find_pairs(b, plain_bed.x, p->head, p->next, NULL, NULL, &p->least);
  CQ_TRY(CQ_ALLOC(b->ctx, p->first, plain_bed.n_pairs));
  CQ_TRY(CQ_ALLOC(b->ctx, p->second, plain_bed.n_pairs));
  find_pairs(b, plain_bed.x, p->head, p->next, p->first, p->second, &p->least);
  plain_bed.first = p->first;
  plain_bed.second = p->second;
  CQ_TRY(cq_alloc(b->ctx, &p->grains, (size_t)plain_bed.n, loops->grain_bytes));
  CQ_TRY(cq_alloc(b->ctx, &p->contacts, (size_t)plain_bed.n_pairs, loops->contact_bytes));
  loops->load(&plain_bed, p->grains, p->contacts);
  *ns = INFINITY;
  *n_pairs = plain_bed.n_pairs;
  for (int turn = 0; turn < b->def->turns; turn++) {
    const double begin = cq_bench_cpu_seconds();
    for (int k = 0; k < NAIVE_TURNS; k++) {
      loops->iterate(&plain_bed, p->grains, p->contacts);
    }
    *ns = fmin(*ns, 1e9 * (cq_bench_cpu_seconds() - begin) / NAIVE_TURNS / plain_bed.n_pairs);
  }
  return CQ_OK;
}

/* How deep grains are in each other where the last run has left them, by radius. */
static double deepest(const bed *b, plain *p) {
  const cq_layout layout = cq_model_layout(&b->model);
  find_pairs(b, b->state + layout.offset[CQ_GRAIN_x], p->head, p->next, NULL, NULL, &p->least);
  return fmax(2.0 - sqrt(p->least) / radius, 0.0);
}

static void free_plain(cq_ctx *ctx, plain *p) {
  cq_free(ctx, p->head);
  cq_free(ctx, p->next);
  cq_free(ctx, p->first);
  cq_free(ctx, p->second);
  cq_free(ctx, p->grains);
  cq_free(ctx, p->contacts);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void add_bar(cq_bench *bench, const cq_bench_bed *def, const char *quantity, double value,
                    cq_bar sense, double bar) {
  cq_metrics_add(&bench->metrics, (cq_metric){.scene = def->name,
                                              .pass = "step",
                                              .quantity = quantity,
                                              .unit = "",
                                              .value = value,
                                              .sense = bar > 0.0 ? sense : CQ_BAR_NONE,
                                              .bar = bar});
}

static void add(cq_bench *bench, const cq_bench_bed *def, const char *pass, const char *quantity,
                const char *unit, double value) {
  cq_metrics_add(
      &bench->metrics,
      (cq_metric){
          .scene = def->name, .pass = pass, .quantity = quantity, .unit = unit, .value = value});
}

/* How much more a grain costs in the largest bed, where both have been measured. */
static void add_growth(cq_bench *bench, const cq_bench_bed *def, double ns) {
  const cq_metric *from = cq_metrics_find(&bench->metrics, growth_from, "step", "engine_1_thread");
  if (from != NULL && strcmp(def->name, growth_to) == 0) {
    add_bar(bench, def, "growth", ns / from->value, CQ_BAR_AT_MOST, 2.5);
  }
}

/* The runs of a bed, in turns; then the plain loop, which goes on from the last. */
static cq_status measure(cq_bench *bench, bed *b, plain *p) {
  enum { KINDS = 4 };
  const cq_bench_bed *def = b->def;
  const pace *paces[KINDS] = {&many, &few, &longer, &many}; /* the first with all threads */
  told t[KINDS];
  double ns = 0.0;
  int n_pairs = 0;
  CQ_TRY(CQ_ALLOC(b->ctx, p->head, 1 << 20));
  CQ_TRY(CQ_ALLOC(b->ctx, p->next, def->n));
  for (int k = 0; k < KINDS; k++) {
    t[k] = (told){.seconds = INFINITY, .passed = INFINITY};
  }
  for (int turn = 0; turn < (bench->quick ? 1 : def->turns); turn++) {
    for (int k = 0; k < KINDS; k++) {
      CQ_TRY(run(b, k == 0 ? bench->ctx : b->ctx, paces[k], &t[k]));
      t[k].deepest = deepest(b, p);
    }
  }
  CQ_TRY(run_plain(b, bench->level, p, &ns, &n_pairs));
  const told *all = &t[0], *usual = &t[3], *coarse = &t[2];
  const double grain = 1e9 / def->n, more = many.iterations - few.iterations;
  const double iteration = 1e9 * (usual->seconds - t[1].seconds) / (more * n_pairs);
  add(bench, def, "step", "engine_1_thread", "ns", grain * usual->seconds);
  add(bench, def, "step", "engine_all_threads", "ns", grain * all->passed);
  add_bar(bench, def, "speedup", usual->passed / all->passed, CQ_BAR_AT_LEAST,
          cq_ctx_threads(bench->ctx) == 2 ? def->speedup : 0.0);
  add(bench, def, "step", "contact_iteration", "ns", iteration);
  add(bench, def, "step", "naive", "ns", ns);
  add(bench, def, "step", "contacts", "", (double)n_pairs / def->n);
  add(bench, def, "step", "penetration", "radii", usual->deepest);
  add(bench, def, "step", "state_bytes", "B", (double)usual->state_bytes / def->n);
  add_bar(bench, def, "ratio", ns / iteration, CQ_BAR_AT_LEAST, def->ratio);
  add(bench, def, "longer_step", "engine_1_thread", "ns", grain * coarse->seconds);
  add(bench, def, "longer_step", "penetration", "radii", coarse->deepest);
  add_growth(bench, def, grain * usual->seconds);
  return CQ_OK;
}

cq_status cq_bench_grains(cq_bench *bench, const cq_bench_bed *def) {
  cq_ctx *one = cq_ctx_create(1, 1);
  CQ_CHECK(bench->ctx, one != NULL, CQ_MEMORY, "no memory for a context");
  bed b;
  plain p = {NULL};
  cq_status status = open_bed(def, one, &b);
  status = status == CQ_OK ? measure(bench, &b, &p) : status;
  free_plain(one, &p);
  close_bed(&b);
  if (status != CQ_OK) {
    CQ_FAIL(bench->ctx, status, "%s: %s", def->name, cq_ctx_error(one));
  }
  cq_ctx_destroy(one);
  return status;
}

#define DECLARE(name)                                                                              \
  extern const cq_naive_grains cq_naive_grains_f32_##name, cq_naive_grains_f64_##name;
CQ_SIMD_LIST(DECLARE)

/* Looks in a table, made by macros, of the levels in this build, each in both precisions. */
const cq_naive_grains *cq_naive_grains_pick(int bits, cq_simd level) {
  static const struct {
    cq_simd level;
    const cq_naive_grains *loops[2];
  } rows[] = {
#define ROW(name) {CQ_SIMD_##name, {&cq_naive_grains_f32_##name, &cq_naive_grains_f64_##name}},
      CQ_SIMD_BUILT(ROW)};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].level == level) {
      return rows[i].loops[bits == 64];
    }
  }
  return NULL;
}
