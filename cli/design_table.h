/* The table of a design at the end of a solve: few variables one by one, many as their blocks. */
#ifndef CQ_CLI_DESIGN_TABLE_H
#define CQ_CLI_DESIGN_TABLE_H

#include "style.h"

#include "cqopt/problem.h"

typedef struct cli_design_table {
  const cq_scene *scene;
  const char *heading;
  const double *start, *best; /* [n] in the units of the file */
} cli_design_table;

void cli_design_print(FILE *out, const cli_style *style, const cli_design_table *table);

#endif
