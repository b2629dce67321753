/* The layout of evals.bin, shared by writer and reader; trace.h describes it. */
#ifndef CQ_OPT_TRACE_FORMAT_H
#define CQ_OPT_TRACE_FORMAT_H

#include "cqopt/trace.h"

#include <assert.h>

#define CQ_TRACE_MAGIC "cqevals" /* with its terminating 0: 8 bytes */

/* version 2 had no parts, and a 0 for p; 3 no reduced residuals; 4 no residuals */
enum { CQ_TRACE_VERSION = 5, CQ_TRACE_OLDEST = 2, CQ_TRACE_BYTE_ORDER = 0x01020304 };

typedef struct cq_trace_header {
  char magic[8];
  uint32_t version, byte_order, n, m, k, p;
} cq_trace_header;
static_assert(sizeof(cq_trace_header) == CQ_TRACE_HEAD, "programs know it");

typedef struct cq_trace_record_head {
  int32_t index, has_gradient, status, refinement, simulations, probe;
  double f, violation;
} cq_trace_record_head;

/* What a record has of derivatives (has_gradient). */
enum {
  CQ_TRACE_VALUE,
  CQ_TRACE_GRADIENT,
  CQ_TRACE_REDUCED,
  CQ_TRACE_RESIDUALS, /* none: as many residuals as there is room for behind a value */
  CQ_TRACE_KINDS
};

/* bytes of a payload; of CQ_TRACE_RESIDUALS without the residuals */
static inline size_t cq_trace_payload(size_t n, size_t m, size_t k, size_t p, int kind) {
  const size_t of_kind[CQ_TRACE_KINDS] = {0, n + (m + p) * n, 1 + n * (n + 1), 0};
  const size_t doubles = n + m + k + p + of_kind[kind];
  return sizeof(cq_trace_record_head) + doubles * sizeof(double);
}

#endif
