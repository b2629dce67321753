/* 'cqopt study': a problem solved with many settings. */
#ifndef CQ_CLI_STUDY_H
#define CQ_CLI_STUDY_H

#include "batch.h"
#include "plan.h"

/* What is measured of a run, by name. */
typedef struct cli_metric {
  const char *name;
  /* INFINITY: worse than all, as of no point; NULL: it is a column of the run's history.csv, at
   * its best design */
  double (*of)(const cli_start *end, bool feasible);
} cli_metric;

/* Metric i of those that every run has, or NULL past the end. */
const cli_metric *cli_metric_at(int i);

typedef struct cli_study {
  cq_ctx *ctx;
  const cli_plan *plan;
  const double *tolerances; /* [cells] largest violation called feasible */
  int seeds;
  const char *title;
  cli_metric *wanted; /* [n_wanted] by --metric, at least one; the first is that of the picture */
  int n_wanted;
  double *columns; /* [n_wanted][runs] of those that are columns of a history, NAN elsewhere */
  int axis;        /* the picture is drawn against */
  cli_batch batch; /* runs [seeds][cells] */
} cli_study;

int cli_study_run(const cli_study *study, int cell, int seed);
/* The metrics by these names, or f. CQ_USAGE with the nearest one, of those of every run and of
 * what a run of this scene records. */
cq_status cli_study_want(cli_study *study, const char *const *names, int n, const cq_scene *scene);
/* Reads what is wanted from the histories of the runs that have ended. */
cq_status cli_study_read_columns(cli_study *study);
/* Of a run that has ended. */
double cli_study_value(const cli_study *study, const cli_metric *metric, int cell, int seed);
/* Quartiles of a metric over the runs of a cell that have ended; NAN when none has. */
void cli_study_quartiles(const cli_study *study, int cell, const cli_metric *metric,
                         double quartiles[3]);
/* How many runs of a cell have ended; and, of these, at a verified optimum or at the target. */
int cli_study_ended(const cli_study *study, int cell);
int cli_study_successes(const cli_study *study, int cell);

/* cli_write_fn on a cli_study. */
cq_status cli_study_write_table(void *study, FILE *out); /* study.csv */
cq_status cli_study_write_runs(void *study, FILE *out);  /* runs.csv */
/* What a quiet study says. */
void cli_study_print_outcome(const cli_study *study, const char *name);
/* A cli_report_fn on one. */
void cli_study_print(FILE *out, const cli_style *style, void *study);
/* study.svg: the first metric against the axis, in a grid a curve for each combination of the
 * others. */
void cli_plot_study(const cli_study *study, const char *folder);

#endif
