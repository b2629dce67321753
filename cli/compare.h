/* 'cqopt compare': several methods on one problem, from the same starts, on the same budget. */
#ifndef CQ_CLI_COMPARE_H
#define CQ_CLI_COMPARE_H

#include "batch.h"
#include "run_curve.h"

/* what one method made of its runs */
typedef struct cli_score {
  double f[3]; /* quartiles of the best feasible objective; INFINITY: of no feasible point */
  int successes;
  double expected;         /* running time to the target, in the budget's unit */
  double hit, hit_seconds; /* medians over those that reached it */
  double p;                /* that the final values are those of the first method; NAN: it is it */
} cli_score;

typedef struct cli_compare {
  cq_ctx *ctx;
  const cli_variants *methods;
  int first_seed, seeds;
  cli_curve_def counted;
  int n; /* variables */
  const char *title;
  cli_batch batch;   /* runs [seeds][methods] */
  cli_curve *curves; /* of the runs */
  cli_score *scores; /* [methods] */
  double best;       /* least feasible f of all runs; INFINITY: there is none */
  double reference;  /* median over the runs of their first feasible f */
  double target;     /* NAN: there is nothing to aim at */
  const char *aim;   /* where the target is from, in words */
} cli_compare;

enum { CLI_TARGETS = 51 };

/* Run of a method from a seed's start; both from 0. */
int cli_compare_run(const cli_compare *compare, int method, int seed);
/* Fills best, reference, target and aim (unless a target is there), and scores. */
void cli_compare_score(cli_compare *compare);
/* Target i of CLI_TARGETS: between reference and best, the gap to best a tenth every ten. */
double cli_compare_target(const cli_compare *compare, int i);
/* The spendings at which runs of a method reached a target, upwards, into hits [CLI_TARGETS *
 * seeds]; their number. */
int cli_compare_hits(const cli_compare *compare, int method, double *hits);

/* cli_write_fn on a cli_compare. */
cq_status cli_compare_write_table(void *compare, FILE *out);  /* compare.csv */
cq_status cli_compare_write_runs(void *compare, FILE *out);   /* runs.csv */
cq_status cli_compare_write_curves(void *compare, FILE *out); /* curves.csv */
cq_status cli_compare_write_ecdf(void *compare, FILE *out);   /* ecdf.csv */
/* A cli_report_fn on one. */
void cli_compare_print(FILE *out, const cli_style *style, void *compare);

/* curves.svg and ecdf.svg from these files. */
void cli_plot_compare(const cli_compare *compare, const char *folder);

#endif
