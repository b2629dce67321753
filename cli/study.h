/* 'cqopt study': a problem solved on a grid of its settings. */
#ifndef CQ_CLI_STUDY_H
#define CQ_CLI_STUDY_H

#include "batch.h"

/* What is measured of a run, by name. */
typedef struct cli_metric {
  const char *name;
  double (*of)(const cli_start *end, bool feasible); /* INFINITY: worse than all, as of no point */
} cli_metric;

/* Metric i, or NULL past the end. */
const cli_metric *cli_metric_at(int i);

typedef struct cli_study {
  cq_ctx *ctx;
  const cli_axis *axes; /* [n_axes] */
  int n_axes;
  const cli_variants *cells;
  const double *tolerances; /* [cells] largest violation called feasible */
  int seeds;
  const char *title;
  const cli_metric *metric; /* of the picture */
  int axis;                 /* it is drawn against */
  cli_batch batch;          /* runs [seeds][cells] */
} cli_study;

int cli_study_run(const cli_study *study, int cell, int seed);
/* Quartiles of a metric over the seeds of a cell. */
void cli_study_quartiles(const cli_study *study, int cell, const cli_metric *metric,
                         double quartiles[3]);

/* cli_write_fn on a cli_study. */
cq_status cli_study_write_table(void *study, FILE *out); /* study.csv */
cq_status cli_study_write_runs(void *study, FILE *out);  /* runs.csv */
/* What a quiet study says. */
void cli_study_print_outcome(const cli_study *study, const char *name);
/* A cli_report_fn on one. */
void cli_study_print(FILE *out, const cli_style *style, void *study);
/* study.svg: the metric against the axis, a curve for each combination of the others. */
void cli_plot_study(const cli_study *study, const char *folder);

#endif
