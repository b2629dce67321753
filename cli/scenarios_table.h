/* What the objective is in each scenario, at the start and at the best design. */
#ifndef CQ_CLI_SCENARIOS_TABLE_H
#define CQ_CLI_SCENARIOS_TABLE_H

#include "outcome.h"
#include "style.h"

/* "Objective", or how it is made: "Objective, mean of 3", "batch of 2". */
void cli_scenarios_heading(const cq_scene *scene, char *text, size_t size);
/* Nothing where there are no scenarios, or none of them is kept. */
void cli_scenarios_print(FILE *out, const cli_style *style, const cli_outcome *outcome);

#endif
