/* What `cqopt evaluate` prints of designs: JSON or CSV. */
#ifndef CQ_CLI_EVALUATED_H
#define CQ_CLI_EVALUATED_H

#include "json.h"
#include "options.h"

#include "cqopt/file.h"

/* one design, evaluated */
typedef struct cli_evaluated {
  int number;           /* 1, 2, ... */
  const double *values; /* [n] in the units of the file */
  /* of a numeric failure or none; gradients are those by the values, not by the optimizer's x */
  const cq_answer *answer;
} cli_evaluated;

typedef struct cli_evaluated_writer {
  FILE *out;
  const cq_scene *scene;
  bool gradient;
  cli_format format;
  cq_json json;
} cli_evaluated_writer;

/* The names of everything. */
void cli_evaluated_begin(cli_evaluated_writer *writer);
/* CQ_IO when it cannot be written. */
cq_status cli_evaluated_put(cq_ctx *ctx, cli_evaluated_writer *writer, const cli_evaluated *e);
void cli_evaluated_end(cli_evaluated_writer *writer);

#endif
