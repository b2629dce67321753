/* Feasibility and stationarity of a point, computed by us and never taken from a method.
 *
 * In scaled variables (scale_j is a part `reach` of the problem's) and in units of f_scale, with
 * multipliers lambda (>= 0 for inequalities, free for equalities):
 *
 *   q_j = (df/dx_j + sum_i lambda_i dc_i/dx_j) scale_j / f_scale
 *   p_j = min(q_j, (x_j - lower_j) / scale_j)   where q_j > 0   (projection on the bounds)
 *         max(q_j, (x_j - upper_j) / scale_j)   where q_j < 0
 *   d_i = max(-c_i - allowed_i, 0) / sum_j |dc_i/dx_j scale_j|   over inequalities (distance)
 *   s_i = min(lambda_i max_j |dc_i/dx_j scale_j| / f_scale, d_i)  (complementarity)
 *
 *   residual = max(max_j |p_j|, max_i s_i)
 *
 * Where f is the largest of parts f_k (cq_problem.parts) its gradient in q is that of a mixture,
 * sum_k w_k f_k with w_k >= 0 that add up to 1: at a kink no part alone is stationary. In the
 * residual and the minimisation below a part is what an inequality is, at the distance
 *
 *   d_k = (f - f_k) / sum_j |(df_k/dx_j - df/dx_j) scale_j|   with s_k = min(w_k, d_k)
 *
 * An inequality that has parts is told by them, each an inequality of its own.
 *
 * A residual r says: to first order, a move of every variable by a small part t of its scale,
 * within bounds and constraints, lowers f by at most about r n t f_scale.
 *
 * The multipliers minimise the 2-norm of (q, mu d), mu in the units of s; components held by a
 * bound they lie within 1e-3 scale of are left out of that minimisation, and an inequality farther
 * than 1e-3 from 0 has the multiplier 0. Distances are in scales of the variables as those to
 * bounds are: what lambda times the slack is worth depends on f_scale, and where that is large an
 * inequality that does not matter would cancel the gradient for nothing. */
#ifndef CQ_OPT_KKT_H
#define CQ_OPT_KKT_H

#include "evaluator.h"

/* The residual at a point with gradient, in units of f_scale, with nothing allowed.
 * multipliers [n_inequality + n_equality + n_parts] are in user units of f / c; of the parts of f
 * they are the weights of the mixture. CQ_MEMORY, or CQ_OPTIMIZER when the least squares fail;
 * *residual is NAN then. */
cq_status cq_kkt_residual(cq_ctx *ctx, const cq_problem *problem, double f_scale,
                          const cq_point *point, double *multipliers, double *residual);

/* The residual at a point of a run, which has a gradient, as verdicts need it: the larger one of
 * those with the scales of the problem and with the sizes of the variables (cq_kkt_sizes).
 *
 * f_scale is what the gradient, in scaled variables, changes by over the reach of the run, going by
 * the nearest point whose gradient is known (that of the part that changes most, where f has
 * parts), or what it is at the point itself if that is more. So from near an optimum the residual
 * is the way that is left as a part of the reach. Far points have no say: from a start where the
 * gradient is huge any other point would look stationary. Nor have points so near that their
 * difference is rounding, or across a kink, nor f: a constant added to it would matter. Variables
 * that lie on the bound they are pushed against do not count, but beside them slopes of the others
 * that f cannot show, as those of variables that do not act, are none.
 *
 * An inequality within its tolerance of the margin that methods keep counts as 0. A gradient made
 * of differences adds what their rounding may hide. */
cq_status cq_kkt_judge(const cq_evaluator *evaluator, const cq_point *point, double *multipliers,
                       double *residual);
/* sizes [n] := what each variable matters by at point, in units of x: its own size or the way it
 * has come, where that is known; not more than its range. Variables in units that differ much have
 * no one reach. */
void cq_kkt_sizes(const cq_evaluator *evaluator, const cq_point *point, double *sizes);
/* that f_scale */
double cq_kkt_unit(const cq_evaluator *evaluator, const cq_point *point);
/* How far from point the run has come from or been lately, in scales; 1 at most, and where it has
 * not moved. Where scales are much too large, as by bounds that mean none, this is the size that x
 * matters by. */
double cq_kkt_reach(const cq_evaluator *evaluator, const cq_point *point);
/* Whether no gradient is known from which the curvature at point can be told; settled: because all
 * that are known are of one place. */
bool cq_kkt_is_blind(const cq_evaluator *evaluator, const cq_point *point, bool settled);

/* Whether the gradient at another point tells the curvature at this one: it is not so near that the
 * difference is rounding, nor beyond a kink. */
bool cq_kkt_tells(const cq_evaluator *evaluator, const cq_point *point, const cq_point *other);

/* Whether f has a kink between two points: it is no parabola there, and what it is off by is what
 * the gradients differ by, not noise. */
bool cq_kkt_is_kink(const cq_evaluator *evaluator, const cq_point *point, const cq_point *other);

/* Distance of inequality i from 0 at point, d_i of above; 0 for equalities. */
double cq_kkt_distance(const cq_evaluator *evaluator, const cq_point *point, int i);

/* inf-norm of the gradient in scaled variables over those whose descent no bound they lie on stops;
 * in units of f, for gradient_descent */
double cq_projected_gradient(const cq_problem *problem, const double *x, const double *grad);

#endif
