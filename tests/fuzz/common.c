/* What the targets share. */
#define _XOPEN_SOURCE 700

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], path[256];

/* Every file is a few bytes of a name that the targets choose. */
static void remove_folder(void) {
  static const char *const names[] = {
      "run.json",   "history.csv", "evals.bin",     "evals.torn",      "history.torn",
      "starts.csv", "motion.bin",  "trajectory.h5", "trajectory.xdmf", "points.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[256];
    snprintf(file, sizeof file, "%s/%s", folder, names[i]);
    unlink(file);
  }
  rmdir(folder);
}

const char *fuzz_folder(void) {
  if (folder[0] == '\0') {
    snprintf(folder, sizeof folder, "%s/cqopt-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL) {
      perror(folder);
      exit(2);
    }
    atexit(remove_folder);
  }
  return folder;
}

const char *fuzz_file(const char *name, const void *data, size_t size) {
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
  FILE *const file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
  return path;
}

cq_ctx *fuzz_begin(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  if (ctx == NULL) {
    exit(2);
  }
  return ctx;
}

void fuzz_end(cq_ctx *ctx, cq_status status) {
  if (cq_ctx_bytes(ctx) != 0) {
    fprintf(stderr, "%zu bytes are still held\n", cq_ctx_bytes(ctx));
    abort();
  }
  if (status != CQ_OK && cq_ctx_error(ctx)[0] == '\0') {
    fprintf(stderr, "status %d has no sentence\n", (int)status);
    abort();
  }
  cq_ctx_destroy(ctx);
}

/* A size that is not there is an error of its caller, not of this process. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}

/* libconfig loses what it has read of a text when it finds an error in it. */
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void) {
  return "leak:libconfig\n";
}
