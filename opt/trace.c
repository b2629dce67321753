#include "trace.h"

#include "alloc.h"
#include "hash.h"
#include "open.h"
#include "status.h"
#include "trace_file.h"
#include "trace_format.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

cq_status cq_trace_error(const cq_trace *t, const char *what, const char *path) {
  return CQ_FAIL(t->ctx, CQ_IO, "cannot %s %s: %s", what, path, cq_open_error(errno));
}

cq_status cq_trace_join(cq_ctx *ctx, const char *dir, const char *name, char **out) {
  const size_t size = strlen(dir) + strlen(name) + 2;
  CQ_TRY(CQ_ALLOC(ctx, *out, size));
  snprintf(*out, size, "%s/%s", dir, name);
  return CQ_OK;
}

static cq_status allocate(cq_trace *t, const char *dir) {
  const size_t n = (size_t)t->n, m = (size_t)t->m, k = (size_t)t->k, p = (size_t)t->p;
  const size_t gradient = cq_trace_payload(n, m, k, p, CQ_TRACE_GRADIENT);
  const size_t reduced = cq_trace_payload(n, m, k, p, t->n_residuals > 0 ? CQ_TRACE_REDUCED : 0);
  const size_t longest = gradient > reduced ? gradient : reduced;
  const size_t residuals = (size_t)t->n_residuals * sizeof(double);
  CQ_TRY(CQ_ALLOC(t->ctx, t->record, longest + residuals + 2 * sizeof(uint64_t)));
  CQ_TRY(cq_trace_join(t->ctx, dir, "evals.bin", &t->bin_path));
  return cq_trace_join(t->ctx, dir, "history.csv", &t->csv_path);
}

/* The recorder, whose files are opened by who called. */
cq_status cq_trace_begin(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out) {
  cq_trace *t = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, t, 1));
  t->ctx = ctx;
  t->n = def->n;
  t->m = def->n_constraints;
  t->k = def->n_extra;
  t->p = def->n_parts;
  t->n_residuals = def->n_residuals;
  t->bin = -1;
  const cq_status status = allocate(t, dir);
  if (status != CQ_OK) {
    cq_trace_destroy(t);
    return status;
  }
  *out = t;
  return CQ_OK;
}

/* The lock goes with the process, however it ends. */
cq_status cq_trace_lock(cq_trace *t) {
  if (cq_open_lock(t->bin)) {
    return CQ_OK;
  }
  CQ_CHECK(t->ctx, errno != EWOULDBLOCK, CQ_IO,
           "%s is being written by another process; wait for it or stop it", t->bin_path);
  return cq_trace_error(t, "lock", t->bin_path);
}

/* All of it or, with errno, nothing: what a full disk leaves of it is cut off again. */
static bool append(cq_trace *t, const void *from, size_t bytes) {
  const char *p = from;
  size_t left = bytes;
  while (left > 0) {
    const ssize_t wrote = write(t->bin, p, left);
    if (wrote < 0 && errno != EINTR) {
      break;
    }
    p += wrote > 0 ? wrote : 0;
    left -= wrote > 0 ? (size_t)wrote : 0;
  }
  if (left == 0 && fsync(t->bin) == 0) {
    t->bytes += (long long)bytes;
    return true;
  }
  const int reason = errno;
  if (ftruncate(t->bin, t->bytes) == 0) {
    lseek(t->bin, t->bytes, SEEK_SET);
  }
  errno = reason;
  return false;
}

/* Older files are never overwritten, nor is a link followed. */
static cq_status create_files(cq_trace *t, const cq_trace_def *def) {
  const cq_trace_header header = {.magic = CQ_TRACE_MAGIC,
                                  .version = CQ_TRACE_VERSION,
                                  .byte_order = CQ_TRACE_BYTE_ORDER,
                                  .n = (uint32_t)t->n,
                                  .m = (uint32_t)t->m,
                                  .k = (uint32_t)t->k,
                                  .p = (uint32_t)t->p};
  t->bin = cq_open(t->bin_path, O_WRONLY | O_CREAT | O_EXCL);
  if (t->bin < 0) {
    return cq_trace_error(t, "create", t->bin_path);
  }
  CQ_TRY(cq_trace_lock(t));
  t->csv = fopen(t->csv_path, "wbxe");
  if (t->csv == NULL) {
    return cq_trace_error(t, "create", t->csv_path);
  }
  if (!append(t, &header, sizeof header)) {
    return cq_trace_error(t, "write", t->bin_path);
  }
  cq_trace_put_columns(def, t->csv);
  return fflush(t->csv) == 0 ? CQ_OK : cq_trace_error(t, "write", t->csv_path);
}

cq_status cq_trace_create(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out) {
  CQ_TRY(cq_trace_begin(ctx, dir, def, out));
  const cq_status status = create_files(*out, def);
  if (status != CQ_OK) {
    cq_trace_destroy(*out);
    *out = NULL;
  }
  return status;
}

static unsigned char *put(unsigned char *to, const void *from, size_t bytes) {
  if (bytes > 0) {
    memcpy(to, from, bytes);
  }
  return to + bytes;
}

static int kind_of(const cq_evaluation *e) {
  return e->has_gradient        ? CQ_TRACE_GRADIENT
         : e->reduced != NULL   ? CQ_TRACE_REDUCED
         : e->residuals != NULL ? CQ_TRACE_RESIDUALS
                                : CQ_TRACE_VALUE;
}

/* The whole record goes out in one write. */
static cq_status write_record(cq_trace *t, const cq_evaluation *e) {
  const size_t n = (size_t)t->n, m = (size_t)t->m, k = (size_t)t->k, parts = (size_t)t->p;
  const int kind = kind_of(e);
  const size_t residuals = kind == CQ_TRACE_RESIDUALS ? (size_t)e->n_residuals * sizeof(double) : 0;
  const uint64_t payload = cq_trace_payload(n, m, k, parts, kind) + residuals;
  const cq_trace_record_head head = {.index = e->index,
                                     .has_gradient = kind,
                                     .status = (int32_t)e->status,
                                     .refinement = e->refinement,
                                     .simulations = e->simulations,
                                     .probe = e->probe ? 1 + e->is_best : 0,
                                     .f = e->f,
                                     .violation = e->violation};
  unsigned char *p = put(t->record, &payload, sizeof payload);
  p = put(p, &head, sizeof head);
  p = put(p, e->x, n * sizeof(double));
  p = put(p, e->c, m * sizeof(double));
  p = put(p, e->extra, k * sizeof(double));
  p = put(p, e->parts, parts * sizeof(double));
  if (e->has_gradient) {
    p = put(p, e->grad, n * sizeof(double));
    p = put(p, e->jac, m * n * sizeof(double));
    p = put(p, e->part_slopes, parts * n * sizeof(double));
  }
  if (kind == CQ_TRACE_REDUCED) {
    p = put(p, &e->jacobian_cost, sizeof(double));
    p = put(p, e->reduced, n * (n + 1) * sizeof(double));
  }
  p = put(p, e->residuals, residuals);
  const uint64_t hash = cq_hash(t->record + sizeof payload, (size_t)payload);
  p = put(p, &hash, sizeof hash);
  return append(t, t->record, (size_t)(p - t->record)) ? CQ_OK
                                                       : cq_trace_error(t, "write", t->bin_path);
}

/* evals.bin first, synced: history.csv can be made from it. */
cq_status cq_trace_record(void *user, const cq_evaluation *e) {
  cq_trace *t = user;
  if (e->replayed) {
    return CQ_OK;
  }
  CQ_CHECK(t->ctx,
           e->n == t->n && e->n_constraints == t->m && e->n_parts == t->p &&
               (e->extra != NULL ? e->n_extra : 0) == t->k &&
               (e->reduced == NULL || t->n_residuals > 0) &&
               (e->residuals == NULL || e->n_residuals == t->n_residuals),
           CQ_USAGE,
           "%s records %d variables, %d constraints, %d parts and %d more values, not %d, %d, %d "
           "and %d",
           t->bin_path, t->n, t->m, t->p, t->k, e->n, e->n_constraints, e->n_parts, e->n_extra);
  CQ_TRY(write_record(t, e));
  cq_trace_put_row(e, t->csv);
  return fflush(t->csv) == 0 && !ferror(t->csv) ? CQ_OK : cq_trace_error(t, "write", t->csv_path);
}

/* Closes, which may be where a full disk shows. */
cq_status cq_trace_destroy(cq_trace *t) {
  if (t == NULL) {
    return CQ_OK;
  }
  cq_status status = CQ_OK;
  if (t->bin >= 0 && close(t->bin) != 0) {
    status = cq_trace_error(t, "close", t->bin_path);
  }
  if (t->csv != NULL && fclose(t->csv) != 0) {
    status = cq_trace_error(t, "close", t->csv_path);
  }
  cq_ctx *ctx = t->ctx;
  cq_free(ctx, t->bin_path);
  cq_free(ctx, t->csv_path);
  cq_free(ctx, t->record);
  cq_free(ctx, t);
  return status;
}
