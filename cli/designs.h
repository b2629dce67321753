/* evaluate --at: one design or many, as other programs write them. */
#ifndef CQ_CLI_DESIGNS_H
#define CQ_CLI_DESIGNS_H

#include "cqopt/file.h"

typedef struct cli_designs {
  int count;
  double *values; /* [count][n] in the units of the file; freed by cli_designs_free */
} cli_designs;

/* Reads the designs in path, "-" for the standard input: a run folder; a table like its design.csv;
 * a row of labels and a row of numbers for each design; or numbers alone, a row for each design or
 * one design as a column. CQ_CONFIG with file, line and name unless each design has every variable
 * once, inside its bounds; CQ_IO when it cannot be read. On failure there is nothing to free. */
cq_status cli_designs_read(cq_ctx *ctx, cq_file *file, const char *path, cli_designs *designs);
void cli_designs_free(cq_ctx *ctx, cli_designs *designs);

#endif
