/* The last few points a method asked for with gradient. They tell how the gradient changes near the
 * end, which verdicts need (kkt.h). And a method that converged may name another point than its
 * last (SLSQP: the least f among those within its tolerance, which a passing iterate bought by a
 * violation), and the best one may be such a point too. */
#ifndef CQ_OPT_RECENT_H
#define CQ_OPT_RECENT_H

#include "point.h"

enum { CQ_RECENT = 8 };

typedef struct cq_recent {
  int n, m, p;
  int next; /* where the next one goes */
  cq_point points[CQ_RECENT];
} cq_recent;

/* On failure nothing is held. */
cq_status cq_recent_create(cq_ctx *ctx, const cq_problem *problem, cq_recent *out);
void cq_recent_destroy(cq_ctx *ctx, cq_recent *recent);

/* Copies point, in the place of the oldest, unless it is there, has no gradient, or failed. */
void cq_recent_add(cq_recent *recent, const cq_point *point);
/* k = 0: the newest, ... CQ_RECENT - 1; NULL where there is none. */
const cq_point *cq_recent_at(const cq_recent *recent, int k);

#endif
