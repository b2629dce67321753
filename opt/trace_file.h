/* An open trace, and what its writer shares with the code that mends one (trace_append.c). */
#ifndef CQ_OPT_TRACE_FILE_H
#define CQ_OPT_TRACE_FILE_H

#include "trace.h"

#include <stdio.h>

struct cq_trace {
  cq_ctx *ctx;
  int n, m, k, p;
  int n_residuals;
  int bin;         /* descriptor of evals.bin, locked; -1: not open */
  long long bytes; /* of evals.bin, whole records */
  FILE *csv;
  char *bin_path, *csv_path;
  unsigned char *record; /* room for the longest record */
};

/* A trace without files. cq_trace_destroy frees it. */
cq_status cq_trace_begin(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out);
cq_status cq_trace_join(cq_ctx *ctx, const char *dir, const char *name, char **out);
/* CQ_IO "cannot <what> <path>: <reason by errno>" */
cq_status cq_trace_error(const cq_trace *trace, const char *what, const char *path);
/* Locks evals.bin for this process. */
cq_status cq_trace_lock(cq_trace *trace);
/* The heading and a row of history.csv. */
void cq_trace_put_columns(const cq_trace_def *def, FILE *csv);
void cq_trace_put_row(const cq_evaluation *evaluation, FILE *csv);

#endif
