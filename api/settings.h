/* Settings of a method as the optimization layer has them, and its results as the API has them. */
#ifndef CQ_API_SETTINGS_H
#define CQ_API_SETTINGS_H

#include "cqopt/solve.h"

#include "api.h"

const cq_optimizer_def *cq_settings_def(const cq_settings *settings);
cq_status cq_outcome_of(cq_ctx *ctx, const cq_result *result, cq_outcome *out);

#endif
