#include "bench.h"

#include "cases.h"
#include "fluid.h"
#include "grains.h"
#include "nearest.h"
#include "paper.h"
#include "peak.h"
#include "status.h"

#include <string.h>

static const cq_bench_case cases[] = {
#define LIST(...)                                                                                  \
  { __VA_ARGS__ }
#define CQ_BENCH_CASE(name, dim, bits, edge, grid, steps, quick, ratio, naive, step)               \
  {#name, dim, bits, LIST edge, LIST grid, LIST steps, quick, LIST ratio, LIST naive, LIST step},
#include "case_list.h"
#undef CQ_BENCH_CASE
};

enum { N_FALLING = sizeof cases / sizeof cases[0] };

/* What is left of the limit serves the engine, the inputs and the program. */
static const cq_bench_long longs[] = {
    {"gradient_64k", {40, 40, 40}, {50, 70, 50}, {1600, 48}, 2.0, false},
    {"gradient_512k", {80, 80, 80}, {100, 120, 100}, {5000, 400}, 6.0, true},
};

enum { N_LONG = sizeof longs / sizeof longs[0] };

/* Run only when they are asked for. */
static const struct {
  const char *name;
  cq_status (*measure)(cq_bench *bench);
} figures[] = {{"paper_table", cq_bench_paper_table},
               {"paper_schedules", cq_bench_paper_schedules},
               {"paper_bodies", cq_bench_paper_bodies},
               {"paper_particles", cq_bench_paper_particles}};

enum { N_FIGURES = sizeof figures / sizeof figures[0] };

const char *cq_bench_case_name(int i) {
  if (i < N_FIGURES) {
    return figures[i].name;
  }
  i -= N_FIGURES;
  if (i < N_LONG) {
    return longs[i].name;
  }
  if (i < N_LONG + N_FALLING) {
    return cases[i - N_LONG].name;
  }
  i -= N_LONG + N_FALLING;
  int beds = 0;
  while (cq_bench_bed_at(beds) != NULL) {
    beds++;
  }
  if (i < beds) {
    return cq_bench_bed_at(i)->name;
  }
  const cq_bench_block *block = cq_bench_block_at(i - beds);
  return block != NULL ? block->name : NULL;
}

static bool wanted(const cq_bench *bench, const char *name, bool quick) {
  if (bench->only != NULL) {
    return strncmp(name, bench->only, strlen(bench->only)) == 0;
  }
  return quick || !bench->quick;
}

static cq_status check_only(const cq_bench *bench) {
  if (bench->only == NULL) {
    return CQ_OK;
  }
  cq_nearest nearest = cq_nearest_begin(bench->only);
  for (int i = 0; cq_bench_case_name(i) != NULL; i++) {
    if (bench->only[0] != '\0' && wanted(bench, cq_bench_case_name(i), true)) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, cq_bench_case_name(i));
  }
  return CQ_FAIL(bench->ctx, CQ_USAGE, "no case is called \"%s\"; %s", bench->only,
                 cq_nearest_text(&nearest));
}

static void add(cq_bench *bench, const char *quantity, const char *unit, double value) {
  cq_metrics_add(
      &bench->metrics,
      (cq_metric){
          .scene = "machine", .pass = "peak", .quantity = quantity, .unit = unit, .value = value});
}

static cq_status measure_machine(cq_bench *bench) {
  if (bench->on_cuda) {
    CQ_TRY(cq_bench_device_machine(bench));
    bench->done(bench->user, bench, "machine");
    return CQ_OK;
  }
  const int threads = cq_ctx_threads(bench->ctx);
  add(bench, "threads", "", threads);
  add(bench, "float", "GFLOP/s", cq_peak_flops(bench->level, 32));
  add(bench, "double", "GFLOP/s", cq_peak_flops(bench->level, 64));
  add(bench, "memory_1_thread", "GB/s", cq_peak_bandwidth(bench->ctx, 1));
  add(bench, "memory_all_threads", "GB/s", cq_peak_bandwidth(bench->ctx, threads));
  bench->done(bench->user, bench, "machine");
  return CQ_OK;
}

cq_status cq_bench_run(cq_bench *bench) {
  CQ_TRY(cq_simd_choose(bench->ctx, &bench->level));
  CQ_TRY(check_only(bench));
  CQ_TRY(measure_machine(bench));
  /* the first, so that the largest memory of the process so far is their own */
  for (int i = 0; i < N_LONG; i++) {
    if (wanted(bench, longs[i].name, false) && (bench->only != NULL || !longs[i].named)) {
      CQ_TRY(cq_bench_gradient(bench, &longs[i]));
      bench->done(bench->user, bench, longs[i].name);
    }
  }
  for (int i = 0; i < N_FALLING; i++) {
    if (wanted(bench, cases[i].name, cases[i].quick)) {
      CQ_TRY(bench->on_cuda ? cq_bench_device_case(bench, &cases[i])
                            : cq_bench_falling(bench, &cases[i]));
      bench->done(bench->user, bench, cases[i].name);
    }
  }
  const cq_bench_bed *bed = NULL;
  for (int i = 0; (bed = cq_bench_bed_at(i)) != NULL && !bench->on_cuda; i++) {
    if (wanted(bench, bed->name, bed->quick)) {
      CQ_TRY(cq_bench_grains(bench, bed));
      bench->done(bench->user, bench, bed->name);
    }
  }
  const cq_bench_block *block = NULL;
  for (int i = 0; (block = cq_bench_block_at(i)) != NULL; i++) {
    if (wanted(bench, block->name, block->quick)) {
      CQ_TRY(cq_bench_fluid(bench, block));
      bench->done(bench->user, bench, block->name);
    }
  }
  for (int i = 0; i < N_FIGURES; i++) {
    if (bench->only != NULL && !bench->on_cuda && wanted(bench, figures[i].name, false)) {
      CQ_TRY(figures[i].measure(bench));
      bench->done(bench->user, bench, figures[i].name);
    }
  }
  return CQ_OK;
}
