/* What a multi-start run says while it runs and at its end. */
#ifndef CQ_CLI_STARTS_REPORT_H
#define CQ_CLI_STARTS_REPORT_H

#include "half_step.h"
#include "start_process.h"

/* How it is done, and the heading of the lines that follow. */
void cli_starts_begin(const cli_start_plan *plan, const cli_starts *starts);
/* A line on a start that has ended. */
void cli_starts_progress(cli_session *session, const cli_start *start);
/* Takes the best start's design.csv to the run folder, records its motion, sums up into result,
 * multipliers [n_inequality + n_equality], half_step and tear, and prints it all unless the run is
 * quiet. Returns status unless something could not be written. */
cq_status cli_starts_report(cli_session *session, const cli_starts *starts, cq_status status,
                            cq_outcome *result, double *multipliers, cli_half_step *half_step,
                            cq_tear *tear);
/* All that a quiet run says, when it is known what became of its files. */
void cli_starts_say(const char *name, const char *folder, const cli_starts *starts,
                    const cq_outcome *result, cq_status status);

#endif
