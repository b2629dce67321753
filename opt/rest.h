/* What a record has behind the end of a run that was resumed from it. */
#ifndef CQ_OPT_REST_H
#define CQ_OPT_REST_H

#include "trace.h"

/* Reads on from where the run stopped: under a smaller budget it ends before its own record, which
 * may hold a better design than its result. That is the result then, of which no residual and no
 * multipliers are known, unless the end is a verified optimum: a warning then. Of a run that broke
 * nothing is changed. */
cq_status cq_rest_take_best(cq_ctx *ctx, cq_trace_reader *reader, double tolerance,
                            const cq_problem *problem, double *x, double *multipliers,
                            cq_result *result);

#endif
