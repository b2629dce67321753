/* The scaled problem NLopt's methods work on:
 *
 *   xs_k = x_j / scale_j      over the variables j = index[k] that are not fixed by their bounds
 *   fs = f / f_unit
 *   cs_i = (c_i + margin) / c_unit_i   inequalities; h_i / c_unit_i equalities
 *
 * While a feasible point is sought fs is 0, but for what a failed evaluation adds to f.
 *
 * Where f is the largest of parts f_k (cq_problem.parts), and the method takes constraints, it is
 * given a variable more, t, and smooth functions:
 *
 *   minimise t   subject to   (f_k - base) / f_unit - t <= 0   for each part of f
 *
 * base is f where the units are from: t is about 0 whatever constant f has in it. Each part of an
 * inequality is a constraint in its place. Evaluator, record and verdict know of x alone.
 *
 * f_unit and c_unit come from the evaluation the method starts at, so that f times any factor gives
 * the same run up to rounding, or from the settings of the run; with CQ_SCALING_NONE they and every
 * scale_j are 1. (Methods of NLopt 2.7.1 stop at hard-wired gradients of 1e-8, or take steps of
 * f'/1.) Fixed variables stay out because nlopt_force_stop is lost when NLopt takes them out
 * itself. The margin is constraint_margin, and half the constraint tolerance at first: without that
 * most iterates lie outside by an ulp or a tolerance of the method. */
#ifndef CQ_OPT_SCALING_H
#define CQ_OPT_SCALING_H

#include "evaluator.h"

typedef struct cq_scaling {
  const cq_evaluator *evaluator;
  const cq_problem *problem;
  int n, m;         /* variables, constraints of the method */
  int n_inequality; /* the first of these */
  int n_free;       /* the first variables: those that are not fixed; t follows if there is one */
  int *index;       /* [n_free] */
  int *row;         /* [m] k >= 0: the problem's constraint k; -1 - k: its part k */
  bool penalties;   /* the method turns constraints into penalties */
  bool seeking;     /* a feasible point, whatever f is */
  double f_unit, f_base;
  double level;                /* t of the point entered or left last */
  double *x_unit, *c_unit;     /* [n], [m] */
  double margin;               /* beside constraint_margin, in units of the constraints' sizes */
  double *tolerance;           /* [m] for NLopt: half the constraint tolerance, scaled */
  double *lower, *upper, *x;   /* [n] scaled bounds, and a scaled point for the method */
  double *full;                /* [problem->n] a point in user units */
  double *entered, *entered_x; /* [n] the point entered last, scaled and in user units: leaving it
                                  gives the same bits, so that it is not simulated again */
} cq_scaling;

/* The units the settings leave open are those of the gradient at the best point when it has one,
 * else 1. split: the method is given parts. The evaluator is borrowed. Zeroed on failure. */
cq_status cq_scaling_create(const cq_evaluator *evaluator, bool penalties, bool split,
                            cq_scaling *out);
void cq_scaling_destroy(cq_ctx *ctx, cq_scaling *scaling);
/* Units of f and the constraints anew, from another point. */
void cq_scaling_set_units(cq_scaling *scaling, const cq_point *point);
/* One line: what f, the constraints and the variables are divided by. */
void cq_scaling_log(cq_ctx *ctx, const cq_scaling *scaling);

/* x in user units, of the best or the last point, to scaling->x, inside the scaled bounds */
void cq_scaling_enter(cq_scaling *scaling, const double *x);
/* scaled xs to scaling->full; exactly on a bound where xs is */
void cq_scaling_leave(cq_scaling *scaling, const double *xs);
/* Values and slopes at point, the one entered or left last. */
double cq_scaling_objective(const cq_scaling *scaling, const cq_point *point);
/* Whether constraint i is a part of f less t. */
bool cq_scaling_is_level(const cq_scaling *scaling, int i);
/* (c_i + margin) / c_unit_i, h_i / c_unit_i, a part of f less t */
double cq_scaling_constraint(const cq_scaling *scaling, const cq_point *point, int i);
/* Of a point with reduced residuals: G [problem->n][n] with G^T G the Gauss-Newton matrix of the
 * scaled f. */
void cq_scaling_rows(const cq_scaling *scaling, const cq_point *point, double *out);
/* row i of the Jacobian (-1: gradient of the objective), scaled, to out [n] */
void cq_scaling_gradient(const cq_scaling *scaling, const cq_point *point, int i, double *out);

#endif
