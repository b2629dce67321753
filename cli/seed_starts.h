/* Where the runs of a batch begin: the same points for whatever is compared. */
#ifndef CQ_CLI_SEED_STARTS_H
#define CQ_CLI_SEED_STARTS_H

#include "options.h"

#include "cqopt/file.h"

/* The starts of seeds first, first + 1, ... into x [count][n], for the optimizer. Where the
 * problem draws its start by the seed (weights of a controller), that of the seed; else the first
 * is the problem's own and the others are drawn as by optimizer.starts. *by_seed: which of them.
 * `scene` is of options and sets [n_sets], loaded with the first seed. */
cq_status cli_seed_starts(cq_ctx *ctx, const char *problem, const char *const *sets, int n_sets,
                          const cq_scene *scene, int count, double *x, bool *by_seed);

#endif
