/* What re-runs of the best design from other starts say: how much of what was seen is luck. */
#ifndef CQ_CLI_REPEATS_H
#define CQ_CLI_REPEATS_H

#include "compare.h"
#include "outcome.h"
#include "style.h"

/* "mean 0.0441, deviation 0.0013, worst 0.046 of 5 re-runs, ..."; nothing where there are none. */
void cli_repeats_print(FILE *out, const cli_style *style, const cli_outcome *outcome);
/* A row a method: medians of these over its seeds, and whether they differ from the first method's
 * by more than their deviation; nothing where no run has any. */
void cli_repeats_print_compare(FILE *out, const cli_style *style, const cli_compare *compare,
                               int width);
/* Medians over the seeds of a method of f_mean and f_deviation; NAN where a run has none. */
void cli_repeats_medians(const cli_compare *compare, int method, double *mean, double *deviation);

#endif
