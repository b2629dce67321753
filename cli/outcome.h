/* What a solve keeps of its evaluations for the summary and design.csv. */
#ifndef CQ_CLI_OUTCOME_H
#define CQ_CLI_OUTCOME_H

#include "cqopt/cqopt.h"

#include <stdio.h>

typedef struct cli_outcome {
  cq_ctx *ctx;
  const cq_scene *scene;
  const cq_problem *problem;
  int n, n_constraints, n_terms;
  double *best, *last;              /* [n] */
  double *c_best;                   /* [n_constraints] at the best point */
  double *multipliers;              /* [n_constraints] */
  double *terms_start, *terms_best; /* [n_terms] weighted */
  double f_start, f_best;
  cq_result result;
} cli_outcome;

cq_status cli_outcome_create(cq_ctx *ctx, const cq_scene *scene, cli_outcome *out);
void cli_outcome_destroy(cli_outcome *outcome);
/* Takes note of an evaluation; to be called while it is the scene's last. */
void cli_outcome_note(cli_outcome *outcome, const cq_evaluation *evaluation);
/* design.csv; a cli_write_fn on a cli_outcome. */
cq_status cli_outcome_write_design(void *outcome, FILE *out);
/* The norm of a gradient in scaled variables; NAN without one. */
double cli_scaled_norm(const cq_problem *problem, const double *grad);

#endif
