/* The evaluations of a run folder, for its report: columns, and the designs that are shown. */
#ifndef CQ_CLI_REPORT_EVALS_H
#define CQ_CLI_REPORT_EVALS_H

#include "json.h"

#include "cqopt/cqopt.h"

/* One evaluation in full; index 0: there is none. */
typedef struct cli_design {
  int index, refinement;
  cq_status status;
  double f;
  bool has_gradient;
  double *x, *gradient; /* [n] */
  double *terms, *c;    /* [n_terms], [n_constraints] */
  double *own;          /* [n_scenarios][n_terms] */
} cli_design;

typedef struct cli_evals {
  cq_ctx *ctx;
  const cq_scene *scene;
  int n, n_terms, n_constraints;
  int n_scenarios; /* whose terms the record has */
  cli_design first, best, last;
  int rows, width, room;
  double *table; /* [rows][width] */
} cli_evals;

/* Reads evals.bin and the times of history.csv of a folder. best: the evaluation that run.json
 * calls so, or 0: the least f of those that violate least. CQ_IO when evals.bin cannot be read;
 * nothing is held then. */
cq_status cli_evals_read(cq_ctx *ctx, const cq_scene *scene, const char *folder, int best,
                         cli_evals *evals);
void cli_evals_free(cli_evals *evals);
/* The columns as an object of lists, and those that failed. Of very many evaluations some: a page
 * has room for so many runs. CQ_MEMORY. */
cq_status cli_evals_json(const cli_evals *evals, int share, cq_json *json);

#endif
