/* The layout of evals.bin, shared by writer and reader; trace.h describes it. */
#ifndef CQ_OPT_TRACE_FORMAT_H
#define CQ_OPT_TRACE_FORMAT_H

#include "cqopt/trace.h"

#include <assert.h>

#define CQ_TRACE_MAGIC "cqevals" /* with its terminating 0: 8 bytes */

/* version 2 had no parts, and a 0 for p */
enum { CQ_TRACE_VERSION = 3, CQ_TRACE_OLDEST = 2, CQ_TRACE_BYTE_ORDER = 0x01020304 };

typedef struct cq_trace_header {
  char magic[8];
  uint32_t version, byte_order, n, m, k, p;
} cq_trace_header;
static_assert(sizeof(cq_trace_header) == CQ_TRACE_HEAD, "programs know it");

typedef struct cq_trace_record_head {
  int32_t index, has_gradient, status, refinement, simulations, probe;
  double f, violation;
} cq_trace_record_head;

/* bytes of a payload */
static inline size_t cq_trace_payload(size_t n, size_t m, size_t k, size_t p, int has_gradient) {
  const size_t doubles = n + m + k + p + (has_gradient ? n + (m + p) * n : 0);
  return sizeof(cq_trace_record_head) + doubles * sizeof(double);
}

#endif
