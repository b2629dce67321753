/* What a run had found at what cost, from the record in its folder. */
#ifndef CQ_CLI_RUN_CURVE_H
#define CQ_CLI_RUN_CURVE_H

#include "folder.h"

#include "cqopt/optimizer.h"

/* what a budget is counted in */
typedef enum cli_unit { CLI_SIMULATIONS, CLI_EVALUATIONS, CLI_SECONDS, CLI_N_UNITS } cli_unit;

/* "simulations", "evaluations", "seconds" */
const char *cli_unit_name(cli_unit unit);
/* The unit of --budget-in; NULL: simulations. CQ_USAGE with the nearest. */
cq_status cli_unit_find(cq_ctx *ctx, const char *name, cli_unit *unit);

typedef struct cli_step {
  double spent[CLI_N_UNITS]; /* when it was found; simulations as cq_evaluation_cost counts */
  double f;                  /* the least of a feasible point, from here on */
} cli_step;

typedef struct cli_curve {
  int count;
  cli_step *steps;         /* [count] f falls; by malloc */
  double end[CLI_N_UNITS]; /* what was spent in all within the budget */
  double f_first;          /* of the first evaluation; NAN: it failed, or there is none */
  double violation;        /* the least; NAN: no evaluation succeeded */
} cli_curve;

typedef struct cli_curve_def {
  double constraint_tolerance, gradient_cost;
  cli_unit unit;
  double budget; /* what comes after is not counted */
} cli_curve_def;

/* Takes the evaluations of a run one by one. */
typedef struct cli_curve_taker {
  cq_ctx *ctx;
  const cli_curve_def *def;
  int index; /* of the evaluation before */
  double spent[CLI_N_UNITS];
  bool over; /* the budget is used up, nothing more counts */
  cli_curve *curve;
} cli_curve_taker;

cli_curve_taker cli_curve_begin(cq_ctx *ctx, const cli_curve_def *def, cli_curve *curve);
/* seconds since the run began; NAN: not known. */
cq_status cli_curve_take(cli_curve_taker *taker, const cq_evaluation *evaluation, double seconds);

/* A folder without a record gives a curve without steps. */
cq_status cli_curve_read(cq_ctx *ctx, const char *folder, const cli_curve_def *def, cli_curve *out);
void cli_curve_free(cli_curve *curve);
/* Least f known when so much was spent; INFINITY: none. */
double cli_curve_at(const cli_curve *curve, cli_unit unit, double spent);
/* What was spent when f was at most target; INFINITY: never. */
double cli_curve_hit(const cli_curve *curve, cli_unit unit, double target);

#endif
