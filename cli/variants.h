/* What is varied between the runs of a batch: a list of settings with a name, in words and as a
 * folder. */
#ifndef CQ_CLI_VARIANTS_H
#define CQ_CLI_VARIANTS_H

#include "options.h"

enum { CLI_LABEL = 128, CLI_SETTING = 256, CLI_MOST_SETTINGS = 24 };

typedef struct cli_variant {
  char label[CLI_LABEL];  /* "adam(learning_rate=0.01; clip=1)" */
  char folder[CLI_LABEL]; /* "adam_learning_rate_0.01_clip_1" */
  char sets[CLI_MOST_SETTINGS][CLI_SETTING];
  int n_sets;
} cli_variant;

typedef struct cli_variants {
  int count;
  cli_variant *items; /* by malloc */
} cli_variants;

/* Cuts the next item off a list with commas, blanks around it left out. Commas in brackets or in
 * quotes do not separate. False at the end; CQ_USAGE is *status when the text is not balanced, or
 * an item is empty or longer than size. */
bool cli_list_next(cq_ctx *ctx, const char *what, const char **list, char *item, size_t size,
                   cq_status *status);

/* Methods with settings of theirs, "LD_SLSQP, adam(learning_rate=0.01, clip=1)": keys are those of
 * the section optimizer. CQ_USAGE when the list is wrong, or names one twice. */
cq_status cli_methods_parse(cq_ctx *ctx, const char *list, cli_variants *out);

/* The problem of a variant, where the axis `problem` names one; else NULL. */
const char *cli_variant_problem(const cli_variant *variant);
/* The settings of the command line, then those of a variant but for its problem, then more
 * [n_more]: sets [*n], whose texts are theirs. Free it with cq_free. */
cq_status cli_variant_sets(cq_ctx *ctx, const cli_options *options, const cli_variant *variant,
                           const char *const *more, int n_more, const char ***sets, int *n);

/* Adds a setting to a variant that is being made. */
cq_status cli_variant_set(cq_ctx *ctx, cli_variant *v, const char *prefix, const char *assignment);
/* Names its folder after its label. */
void cli_variant_name(cli_variant *v);
/* Adds a copy of it. CQ_USAGE when another one has its name. */
cq_status cli_variants_add(cq_ctx *ctx, cli_variants *all, const cli_variant *v);

#endif
