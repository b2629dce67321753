/* Feasibility and stationarity of a point, computed by us and never taken from a method.
 *
 * In scaled variables (x_j / scale_j) and in units of f_scale, with multipliers lambda (>= 0 for
 * inequalities, free for equalities):
 *
 *   q_j = (df/dx_j + sum_i lambda_i dc_i/dx_j) scale_j / f_scale
 *   p_j = min(q_j, (x_j - lower_j) / scale_j)   where q_j > 0   (projection on the bounds)
 *         max(q_j, (x_j - upper_j) / scale_j)   where q_j < 0
 *   s_i = lambda_i max(-c_i, 0) / f_scale       over inequalities (complementarity)
 *
 *   residual = max(max_j |p_j|, max_i s_i)
 *
 * Where f is the largest of parts f_k (cq_problem.parts) its gradient in q is that of a mixture,
 * sum_k mu_k f_k with mu_k >= 0 that add up to 1, and s_k = mu_k (f - f_k) / f_scale is in the
 * residual, too: at a kink no part alone is stationary. Parts of an inequality are inequalities.
 *
 * A residual r says: to first order, a move of every variable by a small part t of its scale,
 * within bounds and constraints, lowers f by at most about r n t f_scale.
 *
 * The multipliers minimise the 2-norm of (q, s); components held by a bound they lie within 1e-3
 * scale of are left out of that minimisation. An inequality far from 0 gets no multiplier because s
 * charges for it. */
#ifndef CQ_OPT_KKT_H
#define CQ_OPT_KKT_H

#include "evaluator.h"

/* max over max(c_i, 0) and |h_j|; 0 without constraints, NAN when one of them is NAN */
double cq_violation(const cq_problem *problem, const double *c);

/* The residual at a point with gradient, in units of f_scale; inequalities that are slack by no
 * more than allowed count as 0. multipliers [n_inequality + n_equality + n_parts] are in user
 * units of f / c; of the parts of f they are the weights of the mixture.
 * CQ_MEMORY, or CQ_OPTIMIZER when the least squares fail; *residual is NAN then. */
cq_status cq_kkt_residual(cq_ctx *ctx, const cq_problem *problem, double f_scale, double allowed,
                          const cq_point *point, double *multipliers, double *residual);

/* The residual at a point of a run, which has a gradient, as verdicts need it:
 *
 * f_scale is the inf-norm of the gradient, in scaled variables, at the first point of the run, or
 * here if that is more. From a start far away it is too much: a residual of 1e-4 would leave a
 * quartic where f is 4e5 times its least value. So it is at most ten times what the gradient is or
 * changes by over the size of x, max(1, |x|), going by the differences of gradients between this
 * point and the recent ones: about what it would be from a start ten sizes of x away. And it is at
 * least a thousandth of that change, as from a start a thousandth of the size of x away: one that
 * is nearly an optimum would ask for less than rounding leaves. Points too near for a difference to
 * mean anything do not count. The value of f has no say, or a constant added to it would make any
 * point stationary; but for 1e-8 of the first |f|, below which a gradient is rounding.
 *
 * An inequality within the constraint tolerance of the margin that methods keep counts as 0: its
 * slack may cost what the violation that is allowed may buy. */
cq_status cq_kkt_judge(const cq_evaluator *evaluator, const cq_point *point, double *multipliers,
                       double *residual);
/* that f_scale */
double cq_kkt_unit(const cq_evaluator *evaluator, const cq_point *point);

/* inf-norm of the gradient in scaled variables over those whose descent no bound they lie on stops;
 * in units of f, for gradient_descent */
double cq_projected_gradient(const cq_problem *problem, const double *x, const double *grad);

#endif
