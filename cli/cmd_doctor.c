/* cqopt doctor: what was built in and what this machine has, on one screen. */
#include "cqopt/cqopt.h"

#include "build_id.h"
#include "machine.h"
#include "options.h"
#include "plural.h"
#include "simd.h"
#include "style.h"
#include "threads.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(FILE *out, const char *name, const char *fmt, ...) CQ_PRINTF(3, 4);

static void put(FILE *out, const char *name, const char *fmt, ...) {
  va_list args;
  fprintf(out, "%-*s", CLI_HEADING, name);
  va_start(args, fmt);
  vfprintf(out, fmt, args);
  va_end(args);
  fputc('\n', out);
}

/* --- what was built in --- */

static void put_optimizers(FILE *out) {
  int n = 0, known = 0;
  for (; cq_optimizer_name(known) != NULL; known++) {
    n += cq_optimizer_facts_of(known).missing == NULL;
  }
  put(out, "optimizers", "%d of %d", n, known);
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const missing = cq_optimizer_facts_of(i).missing;
    if (missing != NULL) {
      put(out, cq_optimizer_name(i), "no: %s was not found when cqopt was built", missing);
    }
  }
}

static void put_build(FILE *out) {
  put(out, "cqopt", "%s (%s), %s, %s", CQ_VERSION, CQ_BUILD_ID, CQ_BUILD_TYPE, CLI_COMPILER);
  put(out, "OpenMP", CQ_OPENMP ? "yes" : "no: a simulation runs on one thread");
  put_optimizers(out);
#ifdef CQ_CAIRO
  put(out, "cairo", "yes");
#else
  put(out, "cairo", "no: 'cqopt render' draws nothing; install libcairo2-dev and build again");
#endif
#ifdef CQ_SQLITE
  put(out, "SQLite", "yes");
#else
  put(out, "SQLite", "no: studies have CSV tables alone; install libsqlite3-dev and build again");
#endif
}

/* --- programs that are called --- */

static bool on_path(const char *program, char path[CLI_PATH]) {
  const char *from = getenv("PATH");
  while (from != NULL && *from != '\0') {
    const int length = (int)strcspn(from, ":");
    snprintf(path, CLI_PATH, "%.*s/%s", length, from, program);
    if (access(path, X_OK) == 0) {
      return true;
    }
    from += length + (from[length] == ':');
  }
  return false;
}

static void put_program(FILE *out, const char *program, const char *without) {
  char path[CLI_PATH];
  if (on_path(program, path)) {
    put(out, program, "%s", path);
  } else {
    put(out, program, "not found: %s", without);
  }
}

/* --- what there is to run on --- */

static void put_cpu(FILE *out) {
  const cli_machine machine = cli_machine_query();
  const char *const level = cq_simd_level();
  const double gib = 0x1p30;
  const bool one = cq_simd_count() < CQ_N_SIMD;
  put(out, "CPU", "%s, %ld core%s, %s%s", machine.cpu, machine.cores, cq_plural(machine.cores),
      level != NULL ? level : "and CQ_SIMD names a level that is unknown or not there",
      one ? " alone: ./bootstrap build makes a cqopt for any machine" : "");
  cq_about_machine now = {.struct_size = sizeof now};
  cq_machine_info(NULL, &now);
  const cq_thread_rule threads = cq_threads_available();
  put(out, "threads", "%d, by %s; --threads N takes another number", threads.count, threads.text);
  put(out, "memory", "%.1f of %.1f GiB free", (double)now.free_memory / gib,
      (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / gib);
}

static const char *cuda_version(int version, char text[32]) {
  snprintf(text, 32, version > 0 ? "%d.%d" : "none", version / 1000, version % 1000 / 10);
  return text;
}

static void put_card(FILE *out, int i) {
  char name[16];
  cq_about_device card = {.struct_size = sizeof card};
  snprintf(name, sizeof name, "GPU %d", i);
  if (cq_device_info(NULL, i, &card) != CQ_OK) {
    put(out, name, "does not answer");
    return;
  }
  put(out, name, "%s, compute capability %d.%d, %d multiprocessor%s, %.1f of %.1f GiB free",
      card.name, card.major, card.minor, card.multiprocessors, cq_plural(card.multiprocessors),
      (double)card.free_memory / 0x1p30, (double)card.memory / 0x1p30);
}

/* Driver, cards, and what --device auto means here. */
static void put_cuda(FILE *out) {
  cq_about_machine cuda = {.struct_size = sizeof cuda};
  char driver[32], runtime[32];
  cq_machine_info(NULL, &cuda);
  if (cuda.has_cuda) {
    put(out, "CUDA", "driver %s, runtime %s", cuda_version(cuda.driver, driver),
        cuda_version(cuda.runtime, runtime));
  }
  for (int i = 0; i < cuda.devices; i++) {
    put_card(out, i);
  }
  if (cuda.no_cuda != NULL) {
    put(out, cuda.has_cuda ? "GPU" : "CUDA", "no: %s", cuda.no_cuda);
  }
  put(out, "--device", "%s",
      cuda.no_cuda == NULL ? "cpu or cuda; auto is cuda" : "cpu; auto is cpu");
}

static void put_all(FILE *out, const cli_style *style, void *user) {
  (void)style, (void)user;
  put_build(out);
  put_program(out, "gnuplot", "no plots; install it (Debian: apt install gnuplot-nox)");
  put_program(out, "ffmpeg", "no films; install it (Debian: apt install ffmpeg)");
  put_cpu(out);
  put_cuda(out);
}

cq_status cmd_doctor(cq_ctx *ctx, const cli_options *options) {
  static const cli_style plain = {"", "", "", "", "", ""};
  (void)ctx, (void)options;
  cli_style_wrapped(stdout, &plain, CLI_HEADING, put_all, NULL);
  return CQ_OK;
}
