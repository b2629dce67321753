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
  long long first_seed;
  int seeds;
  cli_curve_def counted;
  int n; /* variables */
  const char *title;
  cli_batch batch;   /* runs [seeds][methods] */
  cli_curve *curves; /* of the runs */
  cli_score *scores; /* [methods] */
  double optimum;    /* NAN: not known */
  double share;      /* of the gap, above best, where a target is chosen */
  double best;       /* the optimum, or the least feasible f of all runs if that is less */
  double gap;        /* median over the runs of |f - best| at the start; NAN: there is no best */
  double target;     /* NAN: there is nothing to aim at */
  const char *aim;   /* where the target is from, in words */
} cli_compare;

enum { CLI_TARGETS = 51 };

/* Run of a method from a seed's start; both from 0. */
int cli_compare_run(const cli_compare *compare, int method, int seed);
/* Fills best, gap, target (unless there is one) and scores. */
void cli_compare_score(cli_compare *compare);

/* cli_write_fn on a cli_compare. */
cq_status cli_compare_write_table(void *compare, FILE *out);  /* compare.csv */
cq_status cli_compare_write_runs(void *compare, FILE *out);   /* runs.csv */
cq_status cli_compare_write_curves(void *compare, FILE *out); /* curves.csv */
/* What a quiet comparison says. */
void cli_compare_print_outcome(const cli_compare *compare, const char *name);
/* A cli_report_fn on one. */
void cli_compare_print(FILE *out, const cli_style *style, void *compare);
/* What the longest of a method's runs spent. */
double cli_compare_longest(const cli_compare *compare, int method, cli_unit unit);
/* "simulations", "simulation" where there is 1. */
void cli_compare_unit(const cli_compare *compare, double count, char text[32]);
/* curves.svg from curves.csv. */
void cli_plot_compare(const cli_compare *compare, const char *folder);

/* Pairs of a run and a target, of one problem or several, counted together. */
typedef struct cli_pairs {
  int count;
  const cli_compare *compares; /* [count] of the same methods, seeds and unit */
  bool per_variable;           /* what was spent is divided by the number of variables */
  const char *title;
} cli_pairs;

/* Target i of CLI_TARGETS: from best + gap on, ten to a decade of what is left of the gap. */
double cli_compare_target(const cli_compare *compare, int i);
/* The share of the pairs that a method reached. */
double cli_pairs_share(const cli_pairs *pairs, int method);
/* ecdf.csv; a cli_write_fn on a cli_pairs. */
cq_status cli_pairs_write(void *pairs, FILE *out);
/* ecdf.svg from it. */
void cli_plot_pairs(const cli_pairs *pairs, const char *folder);

/* Closed-form functions in place of a problem (opt/closed_form.h), solved in this process, which
 * takes seconds; `compare` says what is the same for all of them, `sets` [n_sets] are those of
 * every run. */
cq_status cli_compare_set(const cli_compare *compare, const cli_options *options,
                          const char *const *sets, int n_sets);

#endif
