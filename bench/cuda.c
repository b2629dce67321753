/* The falling cube on a CUDA device: the deterministic kernels and the naive ones in turns, timed
 * by the host around whole runs, of which a device has nothing to wait for. A long run and a short
 * one: the difference of the two is free of what a run costs once. */
#include "cases.h"
#include "devices.h"
#include "runs.h"
#include "status.h"
#include "timer.h"

enum { LONG, SHORT, N_LENGTHS };
enum { FAST, NAIVE, N_KERNELS };

typedef struct device_runs {
  cq_bench *bench;
  const cq_bench_case *c;
  int steps[N_LENGTHS];
  cq_engine_run runs[N_KERNELS][N_LENGTHS];
  double least[N_KERNELS][N_LENGTHS][CQ_N_PASSES]; /* seconds */
  double first; /* seconds of the first long forward run, which makes the graphs, too */
} device_runs;

/* Both kernels in both lengths, all open at once so that they can take turns. */
static cq_status open_runs(device_runs *d) {
  const cq_bench_case *const c = d->c;
  for (int kernels = 0; kernels < N_KERNELS; kernels++) {
    for (int length = 0; length < N_LENGTHS; length++) {
      const cq_bench_scene_def def = {.dim = c->dim,
                                      .bits = c->bits,
                                      .edge = {c->edge[0], c->edge[1], c->edge[2]},
                                      .grid = {c->grid[0], c->grid[1], c->grid[2]},
                                      .steps = d->steps[length],
                                      .device = CQ_ON_CUDA,
                                      .kernels = kernels == NAIVE ? CQ_KERNELS_REFERENCE
                                                                  : CQ_KERNELS_FAST};
      CQ_TRY(cq_engine_run_open(d->bench->ctx, &def, &d->runs[kernels][length]));
    }
  }
  return CQ_OK;
}

static void close_runs(device_runs *d) {
  for (int kernels = 0; kernels < N_KERNELS; kernels++) {
    for (int length = 0; length < N_LENGTHS; length++) {
      cq_engine_run_close(&d->runs[kernels][length]);
    }
  }
}

static void keep_least(double *least, double seconds) {
  *least = *least == 0.0 || seconds < *least ? seconds : *least;
}

/* The first round warms up: of it only the very first run gives a number, one of its own. */
static cq_status run_round(device_runs *d, bool first) {
  for (int kernels = 0; kernels < N_KERNELS; kernels++) {
    for (int length = 0; length < N_LENGTHS; length++) {
      double forward = 0.0, backward = 0.0;
      CQ_TRY(cq_engine_run_forward(&d->runs[kernels][length], &forward));
      CQ_TRY(cq_engine_run_backward(&d->runs[kernels][length], &backward));
      if (first) {
        d->first = d->first == 0.0 ? forward : d->first;
        continue;
      }
      keep_least(&d->least[kernels][length][CQ_FORWARD], forward);
      keep_least(&d->least[kernels][length][CQ_BACKWARD], backward);
    }
  }
  return CQ_OK;
}

static cq_status run_rounds(device_runs *d) {
  const double begin = cq_now(), enough = d->bench->quick ? 0.0 : 3.0;
  const int least = d->bench->quick ? 2 : 5, most = 30;
  CQ_TRY(run_round(d, true));
  for (int i = 0; i < most && (i < least || cq_now() - begin < enough); i++) {
    CQ_TRY(run_round(d, false));
  }
  return CQ_OK;
}

/* --- what came of it ------------------------------------------------------------------------- */

static void add(device_runs *d, const char *pass, const char *quantity, const char *unit,
                double value) {
  cq_metrics_add(
      &d->bench->metrics,
      (cq_metric){
          .scene = d->c->name, .pass = pass, .quantity = quantity, .unit = unit, .value = value});
}

/* ns a particle-step */
static double ns_of(const device_runs *d, int kernels, int pass) {
  const double seconds = d->least[kernels][LONG][pass] - d->least[kernels][SHORT][pass];
  const double steps = d->steps[LONG] - d->steps[SHORT];
  return 1e9 * seconds / (steps * d->runs[FAST][LONG].scene.model.n_particles);
}

static void add_pass(device_runs *d, int pass) {
  const char *const name = cq_pass_names[pass];
  const double particles = d->runs[FAST][LONG].scene.model.n_particles;
  const double ns = ns_of(d, FAST, pass), naive = ns_of(d, NAIVE, pass);
  const double copied =
      cq_metrics_find(&d->bench->metrics, "machine", "peak", "memory_copy")->value;
  const double floor = cq_bench_bytes(d->c->dim, d->c->bits, pass) / copied;
  add(d, name, "engine", "ns", ns);
  add(d, name, "naive", "ns", naive);
  add(d, name, "ratio", "", naive / ns);
  add(d, name, "of_bandwidth", "%", 100.0 * floor / ns);
  add(d, name, "step", "us", 1e-3 * ns * particles);
  add(d, name, "frame", "ms", 3e-6 * ns * particles);
  add(d, name, "run", "ms", 1e3 * d->least[FAST][LONG][pass]);
}

static void add_all(device_runs *d) {
  for (int pass = 0; pass < CQ_N_PASSES; pass++) {
    add_pass(d, pass);
  }
  const cq_sim_stats *const stats = cq_sim_statistics(d->runs[FAST][LONG].sim);
  add(d, "forward", "first_run", "ms", 1e3 * d->first);
  add(d, "step", "state_bytes", "B",
      (double)stats->state_bytes / d->runs[FAST][LONG].scene.model.n_particles);
}

cq_status cq_bench_device_case(cq_bench *bench, const cq_bench_case *c) {
  const int particles = c->edge[0] * c->edge[1] * c->edge[2];
  /* every state is kept, of both kernels: 20 GB of the largest case; after 180 steps the cube would
   * be at the end of the grid */
  const int most = particles > 200000 ? 80 : 140;
  device_runs d = {
      .bench = bench, .c = c, .steps = {bench->quick ? 12 : most, bench->quick ? 2 : 20}};
  cq_status status = open_runs(&d);
  if (status == CQ_OK) {
    status = run_rounds(&d);
  }
  if (status == CQ_OK) {
    add_all(&d);
  }
  close_runs(&d);
  return status;
}

cq_status cq_bench_device_machine(cq_bench *bench) {
  const size_t bytes = (size_t)(bench->quick ? 64 : 1024) << 20;
  CQ_TRY(cq_cuda_check(bench->ctx));
  cq_metrics_add(&bench->metrics, (cq_metric){.scene = "machine",
                                              .pass = "peak",
                                              .quantity = "memory_copy",
                                              .unit = "GB/s",
                                              .value = cq_cuda_copy_speed(bytes) / 1e9});
  return CQ_OK;
}
