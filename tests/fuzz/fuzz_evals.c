/* evals.bin: read as it is, with its hashes put right, and as the record that a run goes on in. */
#include "fuzz.h"

#include "hash.h"
#include "trace.h"
#include "trace_file.h"
#include "trace_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a reader may touch of an evaluation. */
static double use(const cq_evaluation *e) {
  double sum = e->f + e->violation + (double)strlen(cq_status_text(e->status));
  for (int i = 0; i < e->n; i++) {
    sum += e->x[i] + (e->grad != NULL ? e->grad[i] : 0.0);
  }
  for (int i = 0; i < e->n_constraints; i++) {
    sum += e->c[i] + (e->jac != NULL ? e->jac[(size_t)i * (size_t)e->n] : 0.0);
  }
  for (int i = 0; i < e->n_extra; i++) {
    sum += e->extra[i];
  }
  return sum;
}

static volatile double touched;

static void read_all(const char *path) {
  cq_ctx *const ctx = fuzz_begin();
  cq_trace_reader *reader = NULL;
  const cq_evaluation *e = NULL;
  FILE *const out = fopen("/dev/null", "w");
  cq_status status = cq_trace_open(ctx, path, &reader);
  while (status == CQ_OK && (status = cq_trace_next(reader, &e)) == CQ_OK && e != NULL) {
    touched = use(e);
    cq_trace_put_row(e, out);
  }
  fclose(out);
  cq_trace_close(reader);
  fuzz_end(ctx, status);
}

/* A run of 2 variables, 1 constraint and 1 more value goes on in it. */
static void append(void) {
  cq_ctx *const ctx = fuzz_begin();
  const cq_trace_def def = {.n = 2, .n_constraints = 1, .n_extra = 1};
  cq_trace *trace = NULL;
  cq_trace_past past;
  static const char *const left[] = {"history.csv", "evals.torn"};
  char path[256];
  for (int i = 0; i < 2; i++) { /* of the input before */
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), left[i]);
    unlink(path);
  }
  const cq_status status = cq_trace_append(ctx, fuzz_folder(), &def, &trace, &past);
  cq_trace_destroy(trace);
  fuzz_end(ctx, status);
}

/* Records with hashes that are right get behind the door. */
static void mend(uint8_t *data, size_t size) {
  uint64_t bytes = 0, hash = 0;
  for (size_t at = sizeof(cq_trace_header); at + sizeof bytes <= size; at += sizeof hash) {
    memcpy(&bytes, data + at, sizeof bytes);
    at += sizeof bytes;
    if (bytes > size - at || size - at - bytes < sizeof hash) {
      return;
    }
    hash = cq_hash(data + at, bytes);
    at += bytes;
    memcpy(data + at, &hash, sizeof hash);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *const mended = malloc(size + 1);
  if (mended == NULL) {
    return 0;
  }
  read_all(fuzz_file("evals.bin", data, size));
  memcpy(mended, data, size);
  mend(mended, size);
  read_all(fuzz_file("evals.bin", mended, size));
  append();
  free(mended);
  return 0;
}
