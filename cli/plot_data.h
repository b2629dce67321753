/* What 'cqopt plot' draws: two columns of the record of a run, or of any table. */
#ifndef CQ_CLI_PLOT_DATA_H
#define CQ_CLI_PLOT_DATA_H

#include "cqopt/base.h"

typedef struct cli_plot_def {
  const char *x, *y;         /* columns; NULL: by default */
  const char *const *wheres; /* [n_wheres] "COLUMN=VALUE": the rows of a table that count */
  int n_wheres;
} cli_plot_def;

typedef struct cli_plot_curve {
  char label[300];
  int count;
  double *x, *y; /* [count] by malloc; y NAN: a gap */
} cli_plot_curve;

typedef struct cli_plot_data {
  cq_ctx *ctx;
  int count;
  cli_plot_curve *curves; /* [count] by malloc */
  char x[128], y[128];    /* names of the columns */
} cli_plot_data;

/* Adds the curves of a run folder, of the runs in a folder of several, or of a table with a
 * heading, a curve for each combination of the words in its rows. A run has the columns of its
 * history.csv and evaluations, simulations, cost (in forward runs), time, objective and best (the
 * least objective of a feasible point so far). CQ_IO with path and reason, CQ_USAGE with the
 * nearest names for a column that is not there. */
cq_status cli_plot_read(const cli_plot_def *def, const char *path, cli_plot_data *data);
void cli_plot_free(cli_plot_data *data);

/* the same of one kind */
cq_status cli_plot_read_table(const cli_plot_def *def, const char *path, cli_plot_data *data);
cq_status cli_plot_read_run(const cli_plot_def *def, const char *folder, cli_plot_data *data);
/* A new curve, the last one; NULL: out of memory. */
cli_plot_curve *cli_plot_add(cli_plot_data *data, const char *label);
cq_status cli_plot_point(cli_plot_data *data, cli_plot_curve *curve, double x, double y);

/* A column of a table, or, beyond those, one of names[n]: 0, 1, ... of the table, -1 - i of names.
 * CQ_USAGE with the nearest. */
struct cli_table;
cq_status cli_plot_column(cq_ctx *ctx, const struct cli_table *table, const char *path,
                          const char *const *names, int n, const char *name, int *column);

#endif
