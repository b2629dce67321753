/* What cqopt profile has found of a fit, and its files. */
#ifndef CQ_CLI_PROFILE_H
#define CQ_CLI_PROFILE_H

#include "folder.h"
#include "style.h"

#include "cqopt/cqopt.h"

enum { CLI_MOST_PROFILES = 4 };

typedef struct cli_profile {
  cq_ctx *ctx;
  const cq_scene *scene;
  const double *x; /* [n] the best design */
  const cq_uncertainty *u;
  cq_profile *profiles[CLI_MOST_PROFILES];
  int count;
  cq_bootstrap *bootstrap; /* NULL: none */
} cli_profile;

/* A table of intervals, by error bars, profiles and bootstrap. */
void cli_profile_print(FILE *out, const cli_style *style, void *profile);
/* intervals.csv, profile.csv with profile.svg, bootstrap.csv: as far as there is something for
 * them. */
cq_status cli_profile_write(cli_profile *profile, cli_folder *folder);

#endif
