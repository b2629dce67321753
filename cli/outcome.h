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
  int n_scenarios;                  /* whose own terms are kept; 0: there are none, or too many */
  int n_values;                     /* n_terms, and as many for each of these scenarios */
  double *best, *last;              /* [n] */
  double *c_start, *c_best;         /* [n_constraints] */
  double *multipliers;              /* [n_constraints] */
  double *terms_start, *terms_best; /* [n_values] weighted */
  double f_start, f_best, violation_best;
  double step;    /* what the last one changed, as a part of the size of the block of the design
                     that it changed most; NAN: there was none */
  int best_index; /* its evaluation; 0: none */
  int best_refinement; /* level of cq_problem.refined that gave it; 0: none */
  int evaluations, gradients, failures, recovered, replayed, simulations;
  const double *errors; /* [n] standard errors of the best design, in the units of the file,
                           borrowed; NULL: not known */
  double eval_seconds;  /* of the evaluations of this process */
  cq_outcome result;
} cli_outcome;

cq_status cli_outcome_create(cq_ctx *ctx, const cq_scene *scene, cli_outcome *out);
void cli_outcome_destroy(cli_outcome *outcome);
/* The values of the objective's terms at an evaluation, by its record, into terms [n_values]: as
 * they are combined, then those of each scenario. NAN after a failure. */
void cli_outcome_terms(const cli_outcome *outcome, const cq_evaluation *evaluation, double *terms);
/* Takes note of an evaluation, with the values of its terms. */
void cli_outcome_note(cli_outcome *outcome, const cq_evaluation *evaluation, const double *terms);
/* Makes an evaluation the best one: the verdict may prefer another than was best by f. */
void cli_outcome_set_best(cli_outcome *outcome, const cq_evaluation *evaluation,
                          const double *terms);
/* design.csv; a cli_write_fn on a cli_outcome. */
cq_status cli_outcome_write_design(void *outcome, FILE *out);
/* The norm of a gradient in scaled variables; NAN without one. */
double cli_scaled_norm(const cq_problem *problem, const double *grad);

#endif
