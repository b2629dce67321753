/* Statistics of a few runs. A run that has no value counts as INFINITY. */
#ifndef CQ_CLI_STATISTICS_H
#define CQ_CLI_STATISTICS_H

#include <stdbool.h>

/* Sorts values [n], upwards. */
void cli_sort(double *values, int n);
/* Quantile p of sorted values [n], between neighbours linear in the rank; NAN for n = 0. */
double cli_quantile(const double *sorted, int n, double p);

/* The two-sided p value of Mann and Whitney's U (1947): that two samples as different in rank, or
 * more, come from one distribution. Exact without ties up to 20 values each, else by the normal
 * distribution with corrections for ties and continuity. NAN when one is empty. */
double cli_mann_whitney(const double *a, int n_a, const double *b, int n_b);

/* Expected running time to a target (Hansen et al., COCO, 2021): what all runs spent, those that
 * reached it until they did, over the number of those. INFINITY when none did. */
double cli_expected_running_time(const double *spent, const bool *reached, int n);

#endif
