/* What methods that follow the gradient share: settings that make sense, steps within the bounds,
 * ends, and the loop of those whose steps have a given length. */
#ifndef CQ_OPT_DESCENT_H
#define CQ_OPT_DESCENT_H

#include "method.h"

typedef struct cq_descent {
  cq_run *run;
  double *x;         /* [n] the iterate */
  double *memory[2]; /* [n] the method's own: velocity, moments; zeros at first */
  int steps;         /* this one is the first, second, ... */
} cq_descent;

/* Moves d->x by one step along what it makes of grad; false when x did not move and never will. */
typedef bool (*cq_step_fn)(cq_descent *d, const double *grad, double rate);

/* A cq_optimizer.run: steps from the best point with the rates of the schedule. */
cq_status cq_descend(cq_run *run, cq_step_fn step);

/* learning_rate, clip, schedule */
cq_status cq_descent_check(cq_ctx *ctx, const cq_optimizer_def *def);

/* g within [-clip, clip] */
double cq_descent_clip(const cq_optimizer_def *def, double g);

/* to, on the bounds of variable j where it is outside */
double cq_descent_project(const cq_problem *problem, int j, double to);

/* True when the rule of ftol_rel or xtol_rel ends the run, which has been claimed then. */
bool cq_descent_f_settled(cq_run *run, double f, double before);
bool cq_descent_x_settled(cq_run *run, const double *x, const double *before);

/* words: short, see cq_run */
void cq_descent_claim(cq_run *run, cq_claim claim, const char *words);

#endif
