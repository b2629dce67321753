#include "trace.h"

#include "alloc.h"
#include "csv.h"
#include "hash.h"
#include "status.h"
#include "trace_format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cq_trace {
  cq_ctx *ctx;
  int n, m;
  FILE *bin, *csv;
  char *bin_path, *csv_path;
  unsigned char *record; /* room for the longest record */
};

static const char *const status_names[] = {
#define CQ_STATUS_NAME(name, exit_code, text) #name,
    CQ_STATUS_LIST(CQ_STATUS_NAME)
#undef CQ_STATUS_NAME
};

static cq_status io_error(const cq_trace *t, const char *what, const char *path) {
  return CQ_FAIL(t->ctx, CQ_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

static cq_status join(cq_ctx *ctx, const char *dir, const char *name, char **out) {
  const size_t size = strlen(dir) + strlen(name) + 2;
  CQ_TRY(CQ_ALLOC(ctx, *out, size));
  snprintf(*out, size, "%s/%s", dir, name);
  return CQ_OK;
}

/* x: an older record is never overwritten */
static cq_status open_new(const cq_trace *t, const char *path, FILE **out) {
  *out = fopen(path, "wbx");
  return *out != NULL ? CQ_OK : io_error(t, "create", path);
}

static cq_status write_header(cq_trace *t) {
  cq_trace_header header = {.magic = CQ_TRACE_MAGIC,
                            .version = CQ_TRACE_VERSION,
                            .byte_order = CQ_TRACE_BYTE_ORDER,
                            .n = (uint32_t)t->n,
                            .m = (uint32_t)t->m};
  if (fwrite(&header, sizeof header, 1, t->bin) != 1 || fflush(t->bin) != 0) {
    return io_error(t, "write", t->bin_path);
  }
  return CQ_OK;
}

static cq_status write_columns(cq_trace *t, const char *const *labels) {
  fputs("eval,kind,x_hash,f", t->csv);
  for (int i = 0; i < t->m; i++) {
    char label[24];
    snprintf(label, sizeof label, "c_%d", i);
    fputc(',', t->csv);
    cq_csv_text(t->csv, labels != NULL ? labels[i] : label);
  }
  fputs(",violation,status,eval_seconds,elapsed_seconds\n", t->csv);
  return fflush(t->csv) == 0 && !ferror(t->csv) ? CQ_OK : io_error(t, "write", t->csv_path);
}

static cq_status open_trace(cq_trace *t, const char *dir, const char *const *labels) {
  const size_t n = (size_t)t->n, m = (size_t)t->m;
  CQ_TRY(CQ_ALLOC(t->ctx, t->record, cq_trace_payload(n, m, 1) + 2 * sizeof(uint64_t)));
  CQ_TRY(join(t->ctx, dir, "evals.bin", &t->bin_path));
  CQ_TRY(join(t->ctx, dir, "history.csv", &t->csv_path));
  CQ_TRY(open_new(t, t->bin_path, &t->bin));
  CQ_TRY(open_new(t, t->csv_path, &t->csv));
  CQ_TRY(write_header(t));
  return write_columns(t, labels);
}

cq_status cq_trace_create(cq_ctx *ctx, const char *dir, int n, int n_constraints,
                          const char *const *labels, cq_trace **out) {
  cq_trace *t = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, t, 1));
  t->ctx = ctx;
  t->n = n;
  t->m = n_constraints;
  const cq_status status = open_trace(t, dir, labels);
  if (status != CQ_OK) {
    cq_trace_destroy(t);
    return status;
  }
  *out = t;
  return CQ_OK;
}

static unsigned char *put(unsigned char *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return to + bytes;
}

/* The whole record goes out in one write. */
static cq_status write_record(cq_trace *t, const cq_evaluation *e) {
  const size_t n = (size_t)t->n, m = (size_t)t->m;
  const uint64_t payload = cq_trace_payload(n, m, e->has_gradient);
  const cq_trace_record_head head = {.index = e->index,
                                     .has_gradient = e->has_gradient,
                                     .status = (int32_t)e->status,
                                     .f = e->f,
                                     .violation = e->violation};
  unsigned char *p = put(t->record, &payload, sizeof payload);
  p = put(p, &head, sizeof head);
  p = put(p, e->x, n * sizeof(double));
  if (m > 0) {
    p = put(p, e->c, m * sizeof(double));
  }
  if (e->has_gradient) {
    p = put(p, e->grad, n * sizeof(double));
  }
  if (e->has_gradient && m > 0) {
    p = put(p, e->jac, m * n * sizeof(double));
  }
  const uint64_t hash = cq_hash(t->record + sizeof payload, (size_t)payload);
  p = put(p, &hash, sizeof hash);
  const size_t bytes = (size_t)(p - t->record);
  if (fwrite(t->record, 1, bytes, t->bin) != bytes || fflush(t->bin) != 0 ||
      fsync(fileno(t->bin)) != 0) {
    return io_error(t, "write", t->bin_path);
  }
  return CQ_OK;
}

/* printf writes a NaN with its sign, which means nothing */
static void put_number(FILE *csv, double value) {
  if (isnan(value)) {
    fputs(",nan", csv);
  } else {
    fprintf(csv, ",%.17g", value);
  }
}

static cq_status write_row(cq_trace *t, const cq_evaluation *e) {
  fprintf(t->csv, "%d,%s,%016" PRIx64, e->index, e->has_gradient ? "fg" : "f",
          cq_hash(e->x, (size_t)t->n * sizeof(double)));
  put_number(t->csv, e->f);
  for (int i = 0; i < t->m; i++) {
    put_number(t->csv, e->c[i]);
  }
  put_number(t->csv, e->violation);
  fprintf(t->csv, ",%s,%.6f,%.6f\n", status_names[e->status], e->seconds, e->elapsed);
  return fflush(t->csv) == 0 && !ferror(t->csv) ? CQ_OK : io_error(t, "write", t->csv_path);
}

cq_status cq_trace_record(void *user, const cq_evaluation *evaluation) {
  cq_trace *t = user;
  CQ_CHECK(t->ctx, evaluation->n == t->n && evaluation->n_constraints == t->m, CQ_USAGE,
           "%s records %d variables and %d constraints, not %d and %d", t->bin_path, t->n, t->m,
           evaluation->n, evaluation->n_constraints);
  CQ_TRY(write_record(t, evaluation));
  return write_row(t, evaluation);
}

cq_status cq_trace_destroy(cq_trace *t) {
  if (t == NULL) {
    return CQ_OK;
  }
  cq_status status = CQ_OK;
  if (t->bin != NULL && fclose(t->bin) != 0) {
    status = io_error(t, "close", t->bin_path);
  }
  if (t->csv != NULL && fclose(t->csv) != 0) {
    status = io_error(t, "close", t->csv_path);
  }
  cq_ctx *ctx = t->ctx;
  cq_free(ctx, t->bin_path);
  cq_free(ctx, t->csv_path);
  cq_free(ctx, t->record);
  cq_free(ctx, t);
  return status;
}
