/* What a fit leaves: its residuals, one by one and by marker and time. */
#ifndef CQ_CLI_RESIDUALS_H
#define CQ_CLI_RESIDUALS_H

#include "uncertainty.h"

/* residuals.csv, a cli_write_fn on a cli_uncertainty: a row a residual. */
cq_status cli_residuals_write(void *uncertainty, FILE *out);
/* Members residuals_by_marker and residuals_by_time: root mean squares in standard deviations. */
void cli_residuals_json(cq_json *json, const cli_uncertainty *u);

#endif
