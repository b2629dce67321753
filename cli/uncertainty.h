/* Error bars of a fit: how well the data determine its best design. */
#ifndef CQ_CLI_UNCERTAINTY_H
#define CQ_CLI_UNCERTAINTY_H

#include "json.h"
#include "outcome.h"
#include "session.h"
#include "style.h"

typedef struct cli_uncertainty {
  const cq_scene *scene;
  const double *x;    /* [n] the best design; the outcome's */
  cq_uncertainty *of; /* NULL: none */
  double *errors;     /* [n] standard errors in the units of the file; NULL without `of` */
  char note[256];     /* why there is none though it is wanted; "" */
} cli_uncertainty;

/* By optimizer.error_bars: simulates where they are wanted, gives outcome its errors, and warns of
 * what is not determined. What goes wrong is a warning. */
void cli_uncertainty_find(cli_session *session, cli_outcome *outcome, cli_uncertainty *u);
/* CQ_FLAT in place of a verified optimum, with the reason, where the data leave a combination of
 * the design open: other methods than gauss_newton do not see it themselves. */
cq_status cli_uncertainty_judge(const cli_uncertainty *u, cq_outcome *result, cq_status status);
void cli_uncertainty_destroy(cq_ctx *ctx, cli_uncertainty *u);
/* A table and sentences below it; nothing where there is nothing. */
void cli_uncertainty_print(FILE *out, const cli_style *style, const cli_uncertainty *u);
void cli_uncertainty_print_sentences(FILE *out, const cli_style *style, const cli_uncertainty *u);
void cli_uncertainty_json(cq_json *json, const cli_uncertainty *u);
/* uncertainty.csv, a cli_write_fn on a cli_uncertainty: a row a variable, its error, its interval
 * and its correlations with all of them. */
cq_status cli_uncertainty_write(void *uncertainty, FILE *out);

#endif
