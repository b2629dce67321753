/* The evaluation record of a run folder: <dir>/evals.bin and <dir>/history.csv.
 *
 * evals.bin is the source of truth, in the byte order of the machine:
 *   header  char[8] "cqevals", uint32 version, byte order mark, n, m, k, p
 *   record  uint64 bytes of the payload; payload; uint64 cq_hash of the payload
 *   payload int32 index, has_gradient, status, refinement, simulations, probe; double f, violation,
 *           x[n], c[m], extra[k], parts[p] and with a gradient grad[n], jac[m][n], slopes of the
 *           parts[p][n]; where has_gradient is 2 what jac cost, and reduced residuals [n][1 + n]
 *           (cq_evaluation) instead; where it is 3 residuals, as many as the payload has room for
 *           probe: 0 no, 1 yes, 2 yes and the best point then
 * Each record is on the disk (fsync) before its row goes to history.csv, so that after a kill at
 * any moment evals.bin has every row of the CSV, and at most a torn record after them.
 *
 * history.csv: eval, kind (f | fg | fj | probe), x_hash (cq_hash of x's bytes, 16 hex digits), f,
 * one column an extra value, one a constraint, violation, status (a name of CQ_STATUS_LIST),
 * refinement, eval_seconds, elapsed_seconds. Two equal runs differ in the last two columns alone.
 * evals.bin holds no times. */
#ifndef CQ_OPT_TRACE_H
#define CQ_OPT_TRACE_H

#include "cqopt/trace.h"

typedef struct cq_trace cq_trace;

/* What a record is of. Labels head the columns; NULL: c_0, c_1, ... and extra_0, ... */
typedef struct cq_trace_def {
  int n, n_constraints, n_parts;
  int n_residuals; /* that may be recorded, as they are or reduced; 0: none are */
  int n_extra;     /* values the recorder adds to each evaluation (cq_evaluation.extra) */
  const char *const *constraint_labels, *const *extra_labels;
} cq_trace_def;

/* Creates both files in dir, which exists and holds neither. CQ_IO with path and reason; nothing is
 * held then. While a trace is open no other process can open its folder. */
cq_status cq_trace_create(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out);

/* What an earlier run had recorded. */
typedef struct cq_trace_past {
  int records;
  double elapsed, eval_seconds; /* [s], of history.csv */
} cq_trace_past;

/* Opens both files of dir to go on after their last whole record. A torn tail is appended to
 * evals.torn or history.torn and cut; rows of records that history.csv lacks are written. CQ_IO
 * when another process records there, or when the files cannot be mended; they are as before then.
 * CQ_CONFIG when they are of another problem. */
cq_status cq_trace_append(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out,
                          cq_trace_past *past);

/* A cq_record_fn: user is the cq_trace. Replayed evaluations are there already and are skipped.
 * CQ_IO with path and reason when the disk is full; the record is whole then. */
cq_status cq_trace_record(void *user, const cq_evaluation *evaluation);

/* Closes and frees; NULL is allowed. CQ_IO when closing shows that something was not written. */
cq_status cq_trace_destroy(cq_trace *trace);

#endif
