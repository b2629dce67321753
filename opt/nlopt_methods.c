#include "nlopt_run.h"

/* CQ_NLOPT(name, algorithm, local algorithm, inequality, equality, gradient, help): a row a method.
 * All of them take bounds. */
#define CQ_NLOPT(id, algorithm_, local_, inequality, equality, gradient, help_)                    \
  static const cq_nlopt_kind kind_##id = {NLOPT_##algorithm_, NLOPT_##local_};                     \
  const cq_optimizer cq_optimizer_##id = {.name = #id,                                             \
                                          .help = help_,                                           \
                                          .needs_gradient = gradient,                              \
                                          .handles_bounds = true,                                  \
                                          .handles_inequality = inequality,                        \
                                          .handles_equality = equality,                            \
                                          .run = cq_nlopt_run,                                     \
                                          .detail = &kind_##id};

CQ_NLOPT(LD_SLSQP, LD_SLSQP, NUM_ALGORITHMS, true, true, true,
         "sequential quadratic programming (Kraft); the first choice up to about 300 variables")
CQ_NLOPT(LD_MMA, LD_MMA, NUM_ALGORITHMS, true, false, true,
         "method of moving asymptotes (Svanberg); many variables, few inequalities, start feasible")
CQ_NLOPT(LD_CCSAQ, LD_CCSAQ, NUM_ALGORITHMS, true, false, true,
         "conservative convex separable quadratic approximations (Svanberg); as MMA")
CQ_NLOPT(LD_LBFGS, LD_LBFGS, NUM_ALGORITHMS, false, false, true,
         "limited-memory quasi-Newton with line search; bounds only")
CQ_NLOPT(AUGLAG_LBFGS, AUGLAG, LD_LBFGS, true, true, true,
         "augmented Lagrangian around LD_LBFGS; any constraints, many variables")
CQ_NLOPT(AUGLAG_CCSAQ, AUGLAG, LD_CCSAQ, true, true, true,
         "augmented Lagrangian around LD_CCSAQ; any constraints, above 300 variables")
CQ_NLOPT(LN_COBYLA, LN_COBYLA, NUM_ALGORITHMS, true, true, false,
         "linear approximations (Powell), no gradient; a few variables, any constraints")
CQ_NLOPT(LN_NELDERMEAD, LN_NELDERMEAD, NUM_ALGORITHMS, false, false, false,
         "simplex, no gradient; a few variables, bounds only")
