/* How far simulations are, told while they run. */
#ifndef CQ_BASE_PACE_H
#define CQ_BASE_PACE_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A context of so many threads for work beside the owner's, which outlives it: with its seed, and
 * who hears of its steps hears of these. NULL when out of memory. */
cq_ctx *cq_ctx_beside(cq_ctx *owner, int threads);
/* A step has been made, or its adjoint. From any thread. */
void cq_stepped(cq_ctx *ctx, bool backward);

#ifdef __cplusplus
}
#endif

#endif
