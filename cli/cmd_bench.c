/* cqopt bench: prints what bench/ measures, case by case, for people or as CSV. */
#include "bench.h"

#include "cqopt/device.h"

#include "csv.h"
#include "machine.h"
#include "options.h"
#include "status.h"

#include <string.h>

static double value_of(const cq_bench *bench, const char *scene, const char *pass,
                       const char *quantity) {
  const cq_metric *const m = cq_metrics_find(&bench->metrics, scene, pass, quantity);
  return m != NULL ? m->value : 0.0;
}

/* --- for programs ---------------------------------------------------------------------------- */

/* The rows of one scene, as soon as they are there. */
static void print_csv(void *user, const cq_bench *bench, const char *scene) {
  (void)user;
  if (strcmp(scene, "machine") == 0) {
    printf("case,pass,quantity,value,unit,relation,bar,level\n");
  }
  for (int i = 0; i < bench->metrics.count; i++) {
    const cq_metric *const m = &bench->metrics.rows[i];
    if (strcmp(m->scene, scene) != 0) {
      continue;
    }
    printf("%s,%s,%s,%.6g,%s,", m->scene, m->pass, m->quantity, m->value, m->unit);
    if (m->sense != CQ_BAR_NONE) {
      printf("%s,%g", m->sense == CQ_BAR_AT_LEAST ? ">=" : "<=", m->bar);
    } else {
      printf(",");
    }
    printf(",%s\n", bench->on_cuda ? "cuda" : cq_simd_names[bench->level]);
  }
  fflush(stdout);
}

/* --- for people ------------------------------------------------------------------------------ */

/* What the machine can do, and the columns of what follows. */
static void print_heading(const cq_bench *bench) {
  const cli_machine machine = cli_machine_query();
  const int threads = cq_ctx_threads(bench->ctx);
  printf("machine   %s, %ld cores, SIMD level %s\n", machine.cpu, machine.cores,
         cq_simd_names[bench->level]);
  printf("FMA peak  float %.1f, double %.1f GFLOP/s a core\n",
         value_of(bench, "machine", "peak", "float"), value_of(bench, "machine", "peak", "double"));
  printf("memory    %.1f GB/s with 1 thread, %.1f GB/s with %d\n\n",
         value_of(bench, "machine", "peak", "memory_1_thread"),
         value_of(bench, "machine", "peak", "memory_all_threads"), threads);
  char all[24];
  snprintf(all, sizeof all, "%d threads", threads);
  printf("%21s %-24s %-18s %-11s %s\n", "", "ns a particle-step", "naive, 1 thread", "of peak",
         "ms for 3 steps");
  printf("%-12s %-8s %8s %9s %5s %6s %6s %4s %4s %6s %8s %9s\n", "case", "pass", "1 thread", all,
         "gain", "ns", "ratio", "bar", "FMA", "memory", "1 thread", all);
}

/* A row: times of the engine, of the naive loops, and what of the peaks that is. */
static void print_pass(const cq_bench *bench, const char *scene, const char *pass,
                       const char *label) {
  const cq_metric *const ratio = cq_metrics_find(&bench->metrics, scene, pass, "ratio");
  char bar[16] = "-";
  if (ratio->sense != CQ_BAR_NONE) {
    snprintf(bar, sizeof bar, "%.1f", ratio->bar);
  }
  printf("%-12s %-8s %8.1f %9.1f %5.2f %6.1f %6.2f %4s %3.0f%% %5.0f%% %8.3f %9.3f\n", label, pass,
         value_of(bench, scene, pass, "engine_1_thread"),
         value_of(bench, scene, pass, "engine_all_threads"),
         value_of(bench, scene, pass, "speedup"), value_of(bench, scene, pass, "naive"),
         ratio->value, bar, value_of(bench, scene, pass, "of_peak"),
         value_of(bench, scene, pass, "of_bandwidth"),
         value_of(bench, scene, pass, "frame_1_thread"),
         value_of(bench, scene, pass, "frame_all_threads"));
}

static void print_gradient(const cq_bench *bench, const char *scene) {
  const bool on_device = bench->on_cuda;
  printf("%-14s%.0f steps: %.2f s forward, %.2f s backward (%.0f %% of the steps run again), %.0f "
         "ns\n%-14sa particle-step, %.0f states, %s %.2f GiB\n",
         scene, value_of(bench, scene, "gradient", "steps"),
         value_of(bench, scene, "gradient", "forward"),
         value_of(bench, scene, "gradient", "backward"),
         value_of(bench, scene, "gradient", "replayed"), value_of(bench, scene, "gradient", "time"),
         "", value_of(bench, scene, "gradient", "states"), on_device ? "of" : "process",
         value_of(bench, scene, "gradient", on_device ? "states_memory" : "process_memory"));
}

/* the ratio of a step to the plain loop and its bar, if it has one */
static const char *ratio_of(const cq_bench *bench, const char *scene, char *text, size_t size) {
  const cq_metric *const ratio = cq_metrics_find(&bench->metrics, scene, "step", "ratio");
  if (ratio->sense != CQ_BAR_NONE) {
    snprintf(text, size, "%.2f (bar %.1f)", ratio->value, ratio->bar);
  } else {
    snprintf(text, size, "%.2f", ratio->value);
  }
  return text;
}

static void print_grains(const cq_bench *bench, const char *scene) {
  char ratio[32];
  printf("%-16s%.0f ns a grain and step of 10 iterations, %.1f contacts a grain; %.1f ns a contact "
         "and\n%-16siteration, the plain loop %.1f: ratio %s\n%-16slonger steps of 8 iterations "
         "%.0f ns; all threads %.0f ns, %.2fx; a state of %.0f bytes a grain\n",
         scene, value_of(bench, scene, "step", "engine_1_thread"),
         value_of(bench, scene, "step", "contacts"),
         value_of(bench, scene, "step", "contact_iteration"), "",
         value_of(bench, scene, "step", "naive"), ratio_of(bench, scene, ratio, sizeof ratio), "",
         value_of(bench, scene, "longer_step", "engine_1_thread"),
         value_of(bench, scene, "step", "engine_all_threads"),
         value_of(bench, scene, "step", "speedup"), value_of(bench, scene, "step", "state_bytes"));
}

/* All numbers of a figure, as they are. */
static void print_figure(const cq_bench *bench, const char *scene) {
  for (int i = 0; i < bench->metrics.count; i++) {
    const cq_metric *m = &bench->metrics.rows[i];
    if (strcmp(m->scene, scene) == 0) {
      printf("%-16s%-8s %-18s %10.4g\n", scene, m->pass, m->quantity, m->value);
    }
  }
}

static void print_fluid(const cq_bench *bench, const char *scene) {
  char ratio[32];
  printf("%-14s%.0f ns a particle and step of 1 + 10 sweeps, %d threads are %.2f times as fast; "
         "%.1f ns\n%-14sa particle and sweep, the plain loop %.1f: ratio %s\n",
         scene, value_of(bench, scene, "step", "step"), cq_ctx_threads(bench->ctx),
         value_of(bench, scene, "step", "speedup"),
         value_of(bench, scene, "step", "particle_iteration"), "",
         value_of(bench, scene, "step", "naive"), ratio_of(bench, scene, ratio, sizeof ratio));
}

/* --- of a device ----------------------------------------------------------------------------- */

static void print_device_heading(const cq_bench *bench) {
  cq_about_device device = {.struct_size = sizeof device, .name = "no device"};
  cq_device_info(NULL, 0, &device);
  printf("device    %s, compute capability %d.%d, %d multiprocessors, %.0f GiB\n", device.name,
         device.major, device.minor, device.multiprocessors, (double)device.memory / 0x1p30);
  printf("memory    %.0f GB/s read and written by a copy\n\n",
         value_of(bench, "machine", "peak", "memory_copy"));
  printf("%-12s %-8s %14s %10s %9s %14s %5s %14s\n", "case", "pass", "ns a particle", "us a step",
         "of memory", "naive ns", "gain", "ms for 3 steps");
}

static void print_device_pass(const cq_bench *bench, const char *scene, const char *pass,
                              const char *label) {
  printf("%-12s %-8s %14.3f %10.1f %8.0f%% %14.3f %5.2f %14.3f\n", label, pass,
         value_of(bench, scene, pass, "engine"), value_of(bench, scene, pass, "step"),
         value_of(bench, scene, pass, "of_bandwidth"), value_of(bench, scene, pass, "naive"),
         value_of(bench, scene, pass, "ratio"), value_of(bench, scene, pass, "frame"));
}

/* Told of each scene as soon as it is measured; its numbers show what kind of case it is. */
static void print_text(void *user, const cq_bench *bench, const char *scene) {
  const bool on_device = bench->on_cuda;
  void (*const pass)(const cq_bench *, const char *, const char *, const char *) =
      on_device ? print_device_pass : print_pass;
  (void)user;
  if (strcmp(scene, "machine") == 0) {
    (on_device ? print_device_heading : print_heading)(bench);
  } else if (cq_metrics_find(&bench->metrics, scene, "gradient", "steps") != NULL) {
    print_gradient(bench, scene);
  } else if (cq_metrics_find(&bench->metrics, scene, "step", "contact_iteration") != NULL) {
    print_grains(bench, scene);
  } else if (cq_metrics_find(&bench->metrics, scene, "step", "particle_iteration") != NULL) {
    print_fluid(bench, scene);
  } else if (cq_metrics_find(&bench->metrics, scene, "forward", "naive") == NULL) {
    print_figure(bench, scene);
  } else {
    pass(bench, scene, "forward", scene);
    pass(bench, scene, "backward", "");
  }
  fflush(stdout);
}

/* the bars that are no ratio to the naive loop, and the guard */
static void print_bars(const cq_bench *bench) {
  printf("\nOther bars\n");
  for (int i = 0; i < bench->metrics.count; i++) {
    const cq_metric *const m = &bench->metrics.rows[i];
    if (m->sense != CQ_BAR_NONE && strcmp(m->quantity, "ratio") != 0) {
      printf("  %-12s %-9s %-22s %8.4g %-3s  %s %4g  %s\n", m->scene, m->pass, m->quantity,
             m->value, m->unit, m->sense == CQ_BAR_AT_LEAST ? ">=" : "<=", m->bar,
             cq_metric_holds(m) ? "met" : "missed");
    }
  }
}

/* A ratio to loops that are too slow says nothing. */
static cq_status check_guard(cq_ctx *ctx, const cq_bench *bench) {
  for (int i = 0; i < bench->metrics.count; i++) {
    const cq_metric *const m = &bench->metrics.rows[i];
    if (strcmp(m->quantity, "naive_guard") == 0 && !cq_metric_holds(m)) {
      return CQ_FAIL(ctx, CQ_VERIFICATION,
                     "GUARD: %s %s: the naive loop takes %.2f times what it should by the FMA "
                     "peak (at most %g): the ratios flatter the engine, or the machine is busy",
                     m->scene, m->pass, m->value, m->bar);
    }
  }
  return CQ_OK;
}

static bool wants_cuda(const cli_options *options) {
  const char *const word = strchr(options->device_set, '=');
  cq_about_machine machine = {.struct_size = sizeof machine};
  return word != NULL && (strcmp(word, "=cuda") == 0 ||
                          (strcmp(word, "=auto") == 0 && cq_machine_info(NULL, &machine) == CQ_OK &&
                           machine.no_cuda == NULL));
}

/* A quick run is no measurement: what misses its bar is a warning there. */
cq_status cmd_bench(cq_ctx *ctx, const cli_options *options) {
  cq_bench bench = {.ctx = ctx,
                    .on_cuda = wants_cuda(options),
                    .quick = options->quick,
                    .only = options->only,
                    .done = options->csv ? print_csv : print_text};
  CQ_TRY(cq_bench_run(&bench));
  if (!options->csv && !bench.on_cuda) {
    print_bars(&bench);
  }
  const cq_status status = check_guard(ctx, &bench);
  if (status != CQ_OK && options->quick) {
    fprintf(stderr, "cqopt: warning: %s\n", cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
    return CQ_OK;
  }
  return status;
}
