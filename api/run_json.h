/* run.json of a solve. */
#ifndef CQ_API_RUN_JSON_H
#define CQ_API_RUN_JSON_H

#include "cqopt/solve.h"

#include "api.h"

/* What the run.json of cq_file_solve says; outcome NULL: it runs. */
typedef struct cq_run_json {
  const cq_file *file;
  const cq_outcome *outcome;
  const double *multipliers;
} cq_run_json;

void cq_run_json_write(const cq_run_json *run, FILE *out);

#endif
