/* The evaluation record of a run folder: <dir>/evals.bin and <dir>/history.csv.
 *
 * evals.bin is the source of truth, in the byte order of the machine:
 *   header  char[8] "cqevals", uint32 version, uint32 byte order mark, uint32 n, uint32 m
 *   record  uint64 bytes of the payload; payload; uint64 cq_hash of the payload
 *   payload int32 index, has_gradient, status, 0; double f, violation, x[n], c[m] and with a
 *           gradient grad[n], jac[m][n]
 * Each record is on the disk (fsync) before its row goes to history.csv, so that after a kill at
 * any moment evals.bin has every row of the CSV, and at most a torn record after them.
 *
 * history.csv: eval, kind (f | fg), x_hash (cq_hash of x's bytes, 16 hex digits), f, one column a
 * constraint, violation, status (a name of CQ_STATUS_LIST), eval_seconds, elapsed_seconds. Two
 * equal runs differ in the last two columns alone. evals.bin holds no times. */
#ifndef CQ_OPT_TRACE_H
#define CQ_OPT_TRACE_H

#include "cqopt/optimizer.h"

typedef struct cq_trace cq_trace;

/* Creates both files in dir, which exists and holds neither. labels [n_constraints] head the
 * constraint columns; NULL: c_0, c_1, ... CQ_IO with path and reason; nothing is held then. */
cq_status cq_trace_create(cq_ctx *ctx, const char *dir, int n, int n_constraints,
                          const char *const *labels, cq_trace **out);

/* A cq_record_fn: user is the cq_trace. CQ_IO with path and reason when the disk is full. */
cq_status cq_trace_record(void *user, const cq_evaluation *evaluation);

/* Closes and frees; NULL is allowed. CQ_IO when closing shows that something was not written. */
cq_status cq_trace_destroy(cq_trace *trace);

typedef struct cq_trace_info {
  int n, n_constraints;
  int records;     /* whole ones */
  bool torn;       /* something incomplete or damaged follows them */
  long long bytes; /* of header and whole records: where an appending run would cut */
} cq_trace_info;

/* Hands every whole record of an evals.bin to fn (may be NULL) in order; seconds, elapsed, is_best
 * and best_* are NAN or false. Stops at a torn tail, which is no error: info says so. CQ_IO when
 * the file cannot be read or is none of ours; a status of fn other than CQ_OK ends the reading. */
cq_status cq_trace_read(cq_ctx *ctx, const char *path, cq_record_fn fn, void *user,
                        cq_trace_info *info);

#endif
