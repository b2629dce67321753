/* The falling cube: engine and naive loops in turns, so that a machine whose speed drifts drifts
 * for both; of every time the least one counts. */
#include "cases.h"
#include "peak.h"
#include "runs.h"
#include "status.h"
#include "timer.h"

#include <math.h>

enum { ONE, ALL, N_THREADS };
enum { LONG, SHORT, N_LENGTHS };

typedef struct falling {
  cq_bench *bench;
  const cq_bench_case *c;
  cq_ctx *one; /* a context of one thread */
  bool with_all;
  cq_engine_run engine[N_THREADS][N_LENGTHS];
  cq_naive_run naive;
  /* least seconds so far */
  double engine_time[N_THREADS][N_LENGTHS][CQ_N_PASSES], naive_time[CQ_N_PASSES];
  double peak, best_peak; /* GFLOP/s of the precision at the level in use; of f32 at the best one */
} falling;

static void keep_least(double *least, double seconds) {
  *least = *least == 0.0 || seconds < *least ? seconds : *least;
}

/* --- running --------------------------------------------------------------------------------- */

/* The engine in two lengths, whose difference is timed; the naive loops in one. */
static cq_status open_runs(falling *f) {
  const cq_bench_case *const c = f->c;
  cq_bench_scene_def def = {.dim = c->dim, .bits = c->bits};
  for (int a = 0; a < 3; a++) {
    def.edge[a] = c->edge[a];
    def.grid[a] = c->grid[a];
  }
  for (int length = 0; length < N_LENGTHS; length++) {
    def.steps = c->steps[length];
    CQ_TRY(cq_engine_run_open(f->one, &def, &f->engine[ONE][length]));
    if (f->with_all) {
      CQ_TRY(cq_engine_run_open(f->bench->ctx, &def, &f->engine[ALL][length]));
    }
  }
  return cq_naive_run_open(f->one, &f->engine[ONE][LONG].scene, f->bench->level, &f->naive);
}

static void close_runs(falling *f) {
  cq_naive_run_close(&f->naive);
  for (int threads = 0; threads < N_THREADS; threads++) {
    for (int length = 0; length < N_LENGTHS; length++) {
      cq_engine_run_close(&f->engine[threads][length]);
    }
  }
}

static cq_status run_engine(falling *f, int threads) {
  for (int length = 0; length < N_LENGTHS; length++) {
    double seconds = 0.0;
    double *const least = f->engine_time[threads][length];
    CQ_TRY(cq_engine_run_forward(&f->engine[threads][length], &seconds));
    keep_least(&least[CQ_FORWARD], seconds);
    CQ_TRY(cq_engine_run_backward(&f->engine[threads][length], &seconds));
    keep_least(&least[CQ_BACKWARD], seconds);
  }
  return CQ_OK;
}

static cq_status run_round(falling *f) {
  double seconds = 0.0;
  f->peak = fmax(f->peak, cq_peak_flops(f->bench->level, f->c->bits));
  f->best_peak = fmax(f->best_peak, cq_peak_flops(cq_simd_widest(), 32));
  CQ_TRY(run_engine(f, ONE));
  cq_naive_run_forward(&f->naive, &seconds);
  keep_least(&f->naive_time[CQ_FORWARD], seconds);
  cq_naive_run_backward(&f->naive, &seconds);
  keep_least(&f->naive_time[CQ_BACKWARD], seconds);
  return f->with_all ? run_engine(f, ALL) : CQ_OK;
}

static cq_status run_rounds(falling *f) {
  const double begin = cq_now(), enough = f->bench->quick ? 2.0 : 8.0;
  const int least = f->bench->quick ? 3 : 5, most = 40;
  for (int i = 0; i < most && (i < least || cq_now() - begin < enough); i++) {
    CQ_TRY(run_round(f));
  }
  return CQ_OK;
}

/* --- what came of it ------------------------------------------------------------------------- */

static double particles(const falling *f) {
  return f->engine[ONE][LONG].scene.model.n_particles;
}

/* ns a particle-step without what a run costs once: copying the inputs in and the results out */
static double engine_ns(const falling *f, int threads, int pass) {
  const double(*const time)[CQ_N_PASSES] = f->engine_time[threads];
  const int steps = f->c->steps[LONG] - f->c->steps[SHORT];
  return 1e9 * (time[LONG][pass] - time[SHORT][pass]) / (particles(f) * steps);
}

static double naive_ns(const falling *f, int pass) {
  return 1e9 * f->naive_time[pass] / (particles(f) * f->c->steps[LONG]);
}

static void add(falling *f, const char *pass, const char *quantity, const char *unit, double value,
                cq_bar sense, double bar) {
  cq_metrics_add(&f->bench->metrics,
                 (cq_metric){f->c->name, pass, quantity, unit, value, sense, bar});
}

static void add_threads(falling *f, int pass, double one) {
  const char *const name = cq_pass_names[pass];
  const double all = engine_ns(f, f->with_all ? ALL : ONE, pass), frame = 3e-6 * particles(f);
  const double speedup = f->with_all && particles(f) >= 64000 ? 1.5 : 0.0;
  add(f, name, "engine_all_threads", "ns", all, CQ_BAR_NONE, 0.0);
  add(f, name, "speedup", "", one / all, CQ_BAR_AT_LEAST, speedup);
  add(f, name, "frame_1_thread", "ms", frame * one, CQ_BAR_NONE, 0.0);
  add(f, name, "frame_all_threads", "ms", frame * all, CQ_BAR_NONE, 0.0);
}

static void add_fractions(falling *f, int pass, double one) {
  const char *const name = cq_pass_names[pass];
  const double operations = cq_bench_operations(f->c->dim, pass);
  const double bytes = cq_bench_bytes(f->c->dim, f->c->bits, pass);
  const double memory =
      cq_metrics_find(&f->bench->metrics, "machine", "peak", "memory_1_thread")->value;
  const bool has_bar = f->c->dim == 3 && f->c->bits == 32 && particles(f) == 8000;
  add(f, name, "of_peak", "%", 100.0 * operations / one / f->peak, CQ_BAR_AT_LEAST,
      has_bar ? 25.0 : 0.0);
  add(f, name, "of_bandwidth", "%", memory > 0.0 ? 100.0 * bytes / one / memory : 0.0, CQ_BAR_NONE,
      0.0);
}

static void add_pass(falling *f, int pass) {
  /* FMA peak of the machine the naive column comes from [GFLOP/s] */
  const double reference_peak = 177.0;
  const char *const name = cq_pass_names[pass];
  const double one = engine_ns(f, ONE, pass), naive = naive_ns(f, pass);
  add(f, name, "engine_1_thread", "ns", one, CQ_BAR_NONE, 0.0);
  add(f, name, "naive", "ns", naive, CQ_BAR_NONE, 0.0);
  add(f, name, "ratio", "", naive / one, CQ_BAR_AT_LEAST, f->c->ratio[pass]);
  add_threads(f, pass, one);
  add_fractions(f, pass, one);
  add(f, name, "step", "us", 1e-3 * one * particles(f), CQ_BAR_AT_MOST, f->c->step_us[pass]);
  if (f->c->naive_ns[pass] > 0.0) {
    const double fair = f->c->naive_ns[pass] * reference_peak / f->best_peak;
    add(f, name, "naive_guard", "", naive / fair, CQ_BAR_AT_MOST, 1.3);
  }
}

static void add_all(falling *f) {
  for (int pass = 0; pass < CQ_N_PASSES; pass++) {
    add_pass(f, pass);
  }
  const cq_sim_stats *const stats = cq_sim_statistics(f->engine[ONE][LONG].sim);
  const double bytes = (double)stats->memo_bytes / stats->memo_states / particles(f);
  const bool has_bar = f->c->dim == 3 && f->c->bits == 32 && particles(f) >= 64000;
  add(f, "step", "memo_bytes", "B", bytes, CQ_BAR_AT_MOST, has_bar ? 104.0 : 0.0);
  add(f, "step", "backward_over_forward", "",
      engine_ns(f, ONE, CQ_BACKWARD) / engine_ns(f, ONE, CQ_FORWARD), CQ_BAR_AT_MOST, 2.5);
}

/* Runs of one thread have a context of their own, whose error is passed on to the caller's. */
cq_status cq_bench_falling(cq_bench *bench, const cq_bench_case *c) {
  falling f = {.bench = bench, .c = c, .one = cq_ctx_create(1, 1)};
  CQ_CHECK(bench->ctx, f.one != NULL, CQ_MEMORY, "out of memory");
  f.with_all = cq_ctx_threads(bench->ctx) > 1;
  cq_status status = open_runs(&f);
  if (status == CQ_OK) {
    status = run_rounds(&f);
  }
  if (status == CQ_OK) {
    add_all(&f);
  } else if (cq_ctx_error(f.one)[0] != '\0') {
    status = CQ_FAIL(bench->ctx, status, "%s: %s", c->name, cq_ctx_error(f.one));
  }
  close_runs(&f);
  cq_ctx_destroy(f.one);
  return status;
}
