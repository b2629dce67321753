#include "alloc.h"
#include "hash.h"
#include "status.h"
#include "trace.h"
#include "trace_format.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* above this a header is damage, not a problem */
enum { MAX_SIZE = 1 << 28 };

typedef struct reader {
  cq_ctx *ctx;
  const char *path;
  FILE *file;
  size_t n, m;
  unsigned char *payload; /* room for the longest; 64-byte aligned, as are the doubles in it to 8 */
} reader;

static cq_status read_header(reader *r, cq_trace_info *info) {
  cq_trace_header header = {.n = 0};
  const size_t got = fread(&header, 1, sizeof header, r->file);
  CQ_CHECK(r->ctx, !ferror(r->file), CQ_IO, "cannot read %s: %s", r->path, strerror(errno));
  CQ_CHECK(r->ctx, got == sizeof header && memcmp(header.magic, CQ_TRACE_MAGIC, 8) == 0, CQ_IO,
           "%s is not an evaluation record (evals.bin)", r->path);
  CQ_CHECK(r->ctx, header.byte_order == CQ_TRACE_BYTE_ORDER, CQ_IO,
           "%s was written on a machine of another byte order; read it there", r->path);
  CQ_CHECK(r->ctx, header.version == CQ_TRACE_VERSION, CQ_IO,
           "%s has format %u, this version reads %d", r->path, header.version,
           (int)CQ_TRACE_VERSION);
  CQ_CHECK(r->ctx, header.n >= 1 && header.n <= MAX_SIZE && header.m <= MAX_SIZE, CQ_IO,
           "%s is damaged: %u variables, %u constraints", r->path, header.n, header.m);
  r->n = header.n;
  r->m = header.m;
  info->n = (int)header.n;
  info->n_constraints = (int)header.m;
  info->bytes = (long long)sizeof header;
  return CQ_OK;
}

/* One record into r->payload; false at the end of the file or at a torn record. */
static bool next_record(reader *r, cq_trace_info *info, uint64_t *bytes) {
  uint64_t hash = 0;
  const size_t got = fread(bytes, 1, sizeof *bytes, r->file);
  if (got == 0) {
    return false;
  }
  info->torn = true; /* until it proves whole */
  const size_t with = cq_trace_payload(r->n, r->m, 1), without = cq_trace_payload(r->n, r->m, 0);
  if (got != sizeof *bytes || (*bytes != with && *bytes != without) ||
      fread(r->payload, 1, (size_t)*bytes, r->file) != *bytes ||
      fread(&hash, 1, sizeof hash, r->file) != sizeof hash ||
      hash != cq_hash(r->payload, (size_t)*bytes)) {
    return false;
  }
  info->torn = false;
  return true;
}

static cq_evaluation unpack(const reader *r) {
  cq_trace_record_head head;
  memcpy(&head, r->payload, sizeof head);
  const double *x = (const double *)(const void *)(r->payload + sizeof head);
  const double *c = x + r->n, *grad = c + r->m;
  return (cq_evaluation){.index = head.index,
                         .has_gradient = head.has_gradient != 0,
                         .n = (int)r->n,
                         .n_constraints = (int)r->m,
                         .x = x,
                         .c = c,
                         .grad = head.has_gradient ? grad : NULL,
                         .jac = head.has_gradient ? grad + r->n : NULL,
                         .f = head.f,
                         .violation = head.violation,
                         .status = (cq_status)head.status,
                         .seconds = NAN,
                         .elapsed = NAN,
                         .best_f = NAN,
                         .best_violation = NAN};
}

static cq_status read_records(reader *r, cq_record_fn fn, void *user, cq_trace_info *info) {
  uint64_t bytes = 0;
  CQ_TRY(read_header(r, info));
  CQ_TRY(CQ_ALLOC(r->ctx, r->payload, cq_trace_payload(r->n, r->m, 1)));
  while (next_record(r, info, &bytes)) {
    info->records++;
    info->bytes += (long long)(bytes + 2 * sizeof bytes);
    const cq_evaluation evaluation = unpack(r);
    if (fn != NULL) {
      CQ_TRY(fn(user, &evaluation));
    }
  }
  CQ_CHECK(r->ctx, !ferror(r->file), CQ_IO, "cannot read %s: %s", r->path, strerror(errno));
  return CQ_OK;
}

cq_status cq_trace_read(cq_ctx *ctx, const char *path, cq_record_fn fn, void *user,
                        cq_trace_info *info) {
  reader r = {.ctx = ctx, .path = path};
  memset(info, 0, sizeof *info);
  r.file = fopen(path, "rb");
  CQ_CHECK(ctx, r.file != NULL, CQ_IO, "cannot open %s: %s", path, strerror(errno));
  const cq_status status = read_records(&r, fn, user, info);
  fclose(r.file);
  cq_free(ctx, r.payload);
  return status;
}
