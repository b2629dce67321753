/* cqopt/trace.h: reading the record of a run, evals.bin of a run folder, of the program or of
 * cq_file_solve; also while it is being written.
 *
 * A failure is a status with a sentence in the context, unless an earlier failure is pending there:
 * records are read beside runs that failed, and the first sentence is kept. */
#ifndef CQOPT_TRACE_H
#define CQOPT_TRACE_H

#include "cqopt/optimizer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of evals.bin before its first evaluation. */
enum { CQ_TRACE_HEAD = 32 };

/* Reads the whole records of an evals.bin in order. */
typedef struct cq_trace_reader cq_trace_reader;

/* Opens <folder>/evals.bin by its path. CQ_IO when it cannot be read or is none of ours; *out is
 * NULL then. */
CQ_API cq_status cq_trace_open(cq_ctx *ctx, const char *path, cq_trace_reader **out);
/* NULL is allowed. */
CQ_API void cq_trace_close(cq_trace_reader *reader);
/* Points *out at the next evaluation, valid until the next call, marked as replayed; NULL after the
 * last whole record. A value and its gradient may be two records of one index. Times are NAN: they
 * are in history.csv, whose rows are the records. extra has the weighted terms, where there are
 * several, then those of each scenario. A torn tail is no error: the info says so. reader is a
 * cq_trace_reader: this is a cq_replay.next. */
CQ_API cq_status cq_trace_next(void *reader, const cq_evaluation **out);

/* What a record is of, and how far it was read. */
typedef struct cq_trace_info {
  size_t struct_size;
  int n, n_constraints, n_extra, n_parts; /* as of cq_evaluation */
  int records;                            /* whole ones read so far */
  bool torn;                              /* something incomplete or damaged follows them */
  long long bytes;                        /* of header and whole records */
} cq_trace_info;
/* Fills *out, whose struct_size the caller has set. */
CQ_API cq_status cq_trace_reader_info(const cq_trace_reader *reader, cq_trace_info *out);

#ifdef __cplusplus
}
#endif
#endif
