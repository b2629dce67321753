/* The tables at the end of a solve. */
#ifndef CQ_CLI_SUMMARY_H
#define CQ_CLI_SUMMARY_H

#include "half_step.h"
#include "health.h"
#include "inactive.h"
#include "outcome.h"
#include "style.h"
#include "uncertainty.h"

typedef struct cli_summary {
  const cli_outcome *outcome;
  const cli_half_step *half_step;
  const cli_health *health;
  const cq_tear *tear;
  const cli_inactive *inactive;
  const cli_uncertainty *uncertainty;
  const cli_folder *folder;
  cq_status status;
  bool with_picture; /* convergence.svg is there */
  bool with_failure; /* so is failed_state.csv */
  bool with_trajectory;
} cli_summary;

/* A cli_report_fn on a cli_summary. */
void cli_summary_print(FILE *out, const cli_style *style, void *summary);
/* A line on how to go on after a stop or a failed simulation, where there is something to go on
 * with. */
void cli_summary_go_on(FILE *out, const cli_style *style, cq_status status, bool has_point,
                       const char *folder);
/* "verified optimum" and its like for the status of a run. */
const char *cli_summary_word(cq_status status, bool reached_target);

#endif
