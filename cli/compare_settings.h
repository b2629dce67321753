/* The settings that make runs comparable. */
#ifndef CQ_CLI_COMPARE_SETTINGS_H
#define CQ_CLI_COMPARE_SETTINGS_H

#include "compare.h"

enum { CLI_COMPARE_SETS = 8 };

/* Settings of every run; sets point at the texts. */
typedef struct cli_compare_settings {
  char budget[48], cost[48], target[48];
  const char *sets[CLI_COMPARE_SETS];
  int n;
} cli_compare_settings;

/* The budget and no other, a target or NULL, and no end at it. */
void cli_compare_settings_make(const cli_curve_def *counted, const double *target,
                               cli_compare_settings *out);
/* Every method takes the problem with its settings, or nothing should begin: CQ_CONFIG in words.
 * The context keeps its seed. */
cq_status cli_compare_settings_check(cq_ctx *ctx, const cli_options *options,
                                     const cli_variants *methods,
                                     const cli_compare_settings *settings);
bool cli_compare_needs_gradient(const cli_variants *methods);

#endif
