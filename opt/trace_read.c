#include "alloc.h"
#include "give.h"
#include "hash.h"
#include "open.h"
#include "status.h"
#include "trace.h"
#include "trace_format.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* above these it is damage, not a problem */
enum { MAX_SIZE = 1 << 28, MOST_REFINEMENT = 16 };

struct cq_trace_reader {
  cq_ctx *ctx;
  char *path;
  FILE *file;
  size_t n, m, k, p;
  unsigned char *payload; /* 64-byte aligned, as are the doubles in it to 8 */
  size_t room;            /* of it, no more than a record of the file has needed */
  int kind;               /* of the record in it: CQ_TRACE_... */
  size_t n_residuals;     /* in it */
  cq_evaluation evaluation;
  cq_trace_info info;
};

/* Each way in which a file can be no record of ours has its own words. */
static cq_status read_header(cq_trace_reader *r) {
  cq_trace_header header = {.n = 0};
  const size_t got = fread(&header, 1, sizeof header, r->file);
  CQ_CHECK(r->ctx, !ferror(r->file), CQ_IO, "cannot read %s: %s", r->path, strerror(errno));
  CQ_CHECK(r->ctx, got >= 16 && memcmp(header.magic, CQ_TRACE_MAGIC, 8) == 0, CQ_IO,
           "%s is not an evaluation record (evals.bin)", r->path);
  CQ_CHECK(r->ctx, header.byte_order == CQ_TRACE_BYTE_ORDER, CQ_IO,
           "%s was written on a machine of another byte order; read it there", r->path);
  CQ_CHECK(r->ctx, header.version >= CQ_TRACE_OLDEST && header.version <= CQ_TRACE_VERSION, CQ_IO,
           "%s has format %u, this version reads %d", r->path, header.version,
           (int)CQ_TRACE_VERSION);
  CQ_CHECK(r->ctx,
           got == sizeof header && header.n >= 1 && header.n <= MAX_SIZE && header.m <= MAX_SIZE &&
               header.k <= MAX_SIZE && header.p <= MAX_SIZE,
           CQ_IO, "%s is damaged: %u variables, %u constraints, %u parts, %u more values", r->path,
           header.n, header.m, header.p, header.k);
  r->n = header.n;
  r->m = header.m;
  r->k = header.k;
  r->p = header.p;
  r->info = (cq_trace_info){.n = (int)header.n,
                            .n_constraints = (int)header.m,
                            .n_extra = (int)header.k,
                            .n_parts = (int)header.p,
                            .bytes = (long long)sizeof header};
  return CQ_OK;
}

static cq_status open_file(cq_trace_reader *r, const char *path) {
  const size_t size = strlen(path) + 1;
  CQ_TRY(CQ_ALLOC(r->ctx, r->path, size));
  memcpy(r->path, path, size);
  r->file = cq_open_read(path);
  CQ_CHECK(r->ctx, r->file != NULL, CQ_IO, "cannot open %s: %s", path, cq_open_error(errno));
  return read_header(r);
}

/* The header is read and checked here. */
cq_status cq_trace_open(cq_ctx *ctx, const char *path, cq_trace_reader **out) {
  cq_trace_reader *r = NULL;
  if (ctx == NULL) {
    return CQ_USAGE;
  }
  CQ_CHECK(ctx, path != NULL && out != NULL, CQ_USAGE, "the path of a record is missing");
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, r, 1));
  r->ctx = ctx;
  const cq_status status = open_file(r, path);
  if (status != CQ_OK) {
    cq_trace_close(r);
    return status;
  }
  *out = r;
  return CQ_OK;
}

void cq_trace_close(cq_trace_reader *r) {
  if (r == NULL) {
    return;
  }
  if (r->file != NULL) {
    fclose(r->file);
  }
  cq_free(r->ctx, r->path);
  cq_free(r->ctx, r->payload);
  cq_free(r->ctx, r);
}

/* Room for a record that the file is long enough to hold: a damaged header asks for no memory. */
static cq_status make_room(cq_trace_reader *r, size_t bytes, bool *holds) {
  struct stat info;
  CQ_CHECK(r->ctx, fstat(fileno(r->file), &info) == 0, CQ_IO, "cannot read %s: %s", r->path,
           strerror(errno));
  *holds = r->info.bytes + (long long)bytes <= (long long)info.st_size;
  if (!*holds || bytes <= r->room) {
    return CQ_OK;
  }
  cq_free(r->ctx, r->payload);
  r->room = 0;
  CQ_TRY(CQ_ALLOC(r->ctx, r->payload, bytes));
  r->room = bytes;
  return CQ_OK;
}

/* Reads so many bytes and their hash. */
static bool read_payload(cq_trace_reader *r, size_t bytes) {
  uint64_t hash = 0;
  return fread(r->payload, 1, bytes, r->file) == bytes &&
         fread(&hash, 1, sizeof hash, r->file) == sizeof hash && hash == cq_hash(r->payload, bytes);
}

/* Whether a record of this kind may be of so many bytes. */
static bool may_be(const cq_trace_reader *r, int kind, uint64_t bytes) {
  const size_t least = cq_trace_payload(r->n, r->m, r->k, r->p, kind);
  return kind == CQ_TRACE_RESIDUALS
             ? bytes > least && bytes - least <= (uint64_t)MAX_SIZE * sizeof(double) &&
                   (bytes - least) % sizeof(double) == 0
             : bytes == least;
}

/* One record into r->payload; not *found at the end of the file or at a torn record. */
static cq_status read_record(cq_trace_reader *r, bool *found) {
  uint64_t bytes = 0;
  const size_t got = fread(&bytes, 1, sizeof bytes, r->file);
  int kind = CQ_TRACE_VALUE;
  while (kind < CQ_TRACE_KINDS && !may_be(r, kind, bytes)) {
    kind++;
  }
  bool holds = got == sizeof bytes && kind < CQ_TRACE_KINDS;
  *found = false;
  if (got == 0) {
    return CQ_OK;
  }
  if (holds) {
    CQ_TRY(make_room(r, (size_t)bytes, &holds));
  }
  *found = holds && read_payload(r, (size_t)bytes);
  r->info.torn = !*found;
  if (*found) {
    r->info.records++;
    r->info.bytes += (long long)(bytes + 2 * sizeof bytes);
    int32_t said = 0; /* two kinds may be of one length */
    memcpy(&said, r->payload + offsetof(cq_trace_record_head, has_gradient), sizeof said);
    const bool may = said >= 0 && said < CQ_TRACE_KINDS && may_be(r, said, bytes);
    r->kind = may ? said : CQ_TRACE_KINDS;
    r->n_residuals = said == CQ_TRACE_RESIDUALS && may
                         ? (bytes - cq_trace_payload(r->n, r->m, r->k, r->p, said)) / sizeof(double)
                         : 0;
  }
  return CQ_OK;
}

/* A record whose hash is right and whose content is not: none of ours. */
static cq_status check_record(const cq_trace_reader *r) {
  cq_trace_record_head head;
  memcpy(&head, r->payload, sizeof head);
  const bool right = head.status >= 0 && head.status < CQ_N_STATUSES && head.index >= 1 &&
                     head.refinement >= 0 && head.refinement <= MOST_REFINEMENT &&
                     r->kind < CQ_TRACE_KINDS;
  CQ_CHECK(r->ctx, right, CQ_IO,
           "%s is damaged: record %d has evaluation %d, status %d, refinement %d", r->path,
           r->info.records, head.index, head.status, head.refinement);
  return CQ_OK;
}

/* Pointers into the record that was read; times are not in it. */
static void unpack(cq_trace_reader *r) {
  cq_trace_record_head head;
  memcpy(&head, r->payload, sizeof head);
  const double *x = (const double *)(const void *)(r->payload + sizeof head);
  const double *c = x + r->n, *extra = c + r->m, *parts = extra + r->k;
  const double *grad = parts + r->p, *jac = grad + r->n;
  const bool gradient = r->kind == CQ_TRACE_GRADIENT, reduced = r->kind == CQ_TRACE_REDUCED;
  r->evaluation = (cq_evaluation){.index = head.index,
                                  .has_gradient = gradient,
                                  .n = (int)r->n,
                                  .n_constraints = (int)r->m,
                                  .n_extra = (int)r->k,
                                  .n_parts = (int)r->p,
                                  .x = x,
                                  .c = c,
                                  .extra = extra,
                                  .grad = gradient ? grad : NULL,
                                  .jac = gradient ? jac : NULL,
                                  .parts = parts,
                                  .part_slopes = gradient ? jac + r->m * r->n : NULL,
                                  .reduced = reduced ? grad + 1 : NULL,
                                  .jacobian_cost = reduced ? *grad : 0,
                                  .residuals = r->n_residuals > 0 ? grad : NULL,
                                  .n_residuals = (int)r->n_residuals,
                                  .f = head.f,
                                  .violation = head.violation,
                                  .status = (cq_status)head.status,
                                  .refinement = head.refinement,
                                  .simulations = head.simulations,
                                  .probe = head.probe != 0,
                                  .is_best = head.probe == 2,
                                  .replayed = true,
                                  .seconds = NAN,
                                  .elapsed = NAN,
                                  .best_f = NAN,
                                  .best_violation = NAN};
}

/* Nothing is read behind a torn record. */
cq_status cq_trace_next(void *reader, const cq_evaluation **out) {
  cq_trace_reader *r = reader;
  bool found = false;
  if (r == NULL || out == NULL) {
    return CQ_USAGE;
  }
  *out = NULL;
  if (!r->info.torn) {
    CQ_TRY(read_record(r, &found));
  }
  CQ_CHECK(r->ctx, !ferror(r->file), CQ_IO, "cannot read %s: %s", r->path, strerror(errno));
  if (found) {
    CQ_TRY(check_record(r));
    unpack(r);
    *out = &r->evaluation;
  }
  return CQ_OK;
}

cq_status cq_trace_reader_info(const cq_trace_reader *r, cq_trace_info *out) {
  return r != NULL ? CQ_GIVE(r->ctx, out, r->info) : CQ_USAGE;
}
