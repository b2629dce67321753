/* The settings that a study solves its problem with: all combinations, samples of a space, or the
 * rows of a table. */
#ifndef CQ_CLI_PLAN_H
#define CQ_CLI_PLAN_H

#include "factor.h"

typedef struct cli_plan {
  int n_factors;
  cli_factor *factors; /* [n_factors] by cq_alloc */
  bool sampled;        /* the cells are points of a space: no two need have a value in common */
  char (*values)[CLI_SETTING]; /* [cells][n_factors] by malloc; "": a factor has none there */
  cli_variants cells;
} cli_plan;

/* How the samples of a plan are spread: "random", "latin_hypercube", "sobol", "halton"; NULL past
 * the end. */
const char *cli_sampling_name(int i);
/* Point i of a sampling in [0, 1)^n, for all i < count: u [count][n]. A longer sequence begins
 * with the shorter ones of its seed. CQ_USAGE: there is no such sampling, or not in so many
 * dimensions. latin_hypercube is one whenever count is a power of two; between, none of its
 * places has two of the next power. Sobol's and Halton's do not depend on the seed. */
cq_status cli_sampling_draw(cq_ctx *ctx, const char *name, uint64_t seed, int count, int n,
                            double *u);

typedef struct cli_plan_def {
  const char *const *vary; /* [n_vary] texts of cli_factor_parse */
  int n_vary;
  const char *plan; /* "grid", a sampling or a file with a heading of keys; NULL: a grid, or with
                       samples sobol */
  int samples;      /* 0: not given */
  uint64_t seed;
} cli_plan_def;

/* CQ_USAGE with what to do; CQ_IO when a table cannot be read. Free it with cli_plan_free, also
 * after an error. */
cq_status cli_plan_make(cq_ctx *ctx, const cli_plan_def *def, cli_plan *out);
void cli_plan_free(cq_ctx *ctx, cli_plan *plan);
const char *cli_plan_value(const cli_plan *plan, int cell, int factor);
/* What must not change when samples are added: the plan and what varies, cut to size. */
void cli_plan_describe(const cli_plan_def *def, const cli_plan *plan, char *text, size_t size);

#endif
