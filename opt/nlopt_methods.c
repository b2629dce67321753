#include "nlopt_run.h"

/* CQ_NLOPT(name, algorithm, local algorithm, feasible start, fields of cq_optimizer...): a row a
 * method. All of them take bounds. */
#define CQ_NLOPT(id, algorithm_, local_, feasible_start_, ...)                                     \
  static const cq_nlopt_kind kind_##id = {NLOPT_##algorithm_, NLOPT_##local_, feasible_start_};    \
  const cq_optimizer cq_optimizer_##id = {.name = #id,                                             \
                                          .handles_bounds = true,                                  \
                                          .run = cq_nlopt_run,                                     \
                                          .detail = &kind_##id,                                    \
                                          __VA_ARGS__};

#define BY_GRADIENT     .needs_gradient = true, .needs_exact_gradient = true
#define INEQUALITIES    .handles_inequality = true
#define ALL_CONSTRAINTS .handles_inequality = true, .handles_equality = true

CQ_NLOPT(LD_SLSQP, LD_SLSQP, NUM_ALGORITHMS, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .check = cq_slsqp_check,
         .help = "sequential quadratic programming (Kraft); first choice up to 300 variables",
         .good_n = "up to 300; more only with optimizer.force = true, 15,000 at most",
         .use = "Fewest evaluations of all (tens), any constraints, from any start.",
         .traps = "Time a step grows as n^3 and faster, and nothing can interrupt a step. It "
                  "claims success at points that are not optimal now and then: such claims "
                  "do not verify, and it is started again.")
CQ_NLOPT(LD_MMA, LD_MMA, NUM_ALGORITHMS, true, BY_GRADIENT, INEQUALITIES,
         .help = "method of moving asymptotes (Svanberg); many variables, few inequalities",
         .good_n = "10 to 100,000; cost a step grows as n",
         .use = "Many variables and few inequalities, as in topology and stiffness fields.",
         .traps = "Slow where the valley is narrow. From an infeasible start the violations "
                  "are minimised first. Two active constraints on two variables make its inner "
                  "iterations long.")
CQ_NLOPT(LD_CCSAQ, LD_CCSAQ, NUM_ALGORITHMS, true, BY_GRADIENT, INEQUALITIES,
         .help = "conservative convex separable quadratic approximations (Svanberg); as MMA",
         .good_n = "10 to 100,000; cost a step grows as n",
         .use = "As LD_MMA, often with fewer evaluations.", .traps = "As LD_MMA.")
CQ_NLOPT(LD_LBFGS, LD_LBFGS, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "limited-memory quasi-Newton with line search; bounds only",
         .good_n = "any; cost a step grows as n",
         .use = "First choice without constraints, above all in narrow valleys.",
         .traps = "A noisy gradient ends its line search; the run then ends as failed.")
CQ_NLOPT(AUGLAG_LBFGS, AUGLAG, LD_LBFGS, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .help = "augmented Lagrangian around LD_LBFGS; any constraints, many variables",
         .good_n = "any; cost a step grows as n", .use = "Equality constraints on many variables.",
         .traps = "Hundreds of evaluations: each change of the multipliers is a run of LD_LBFGS.")
CQ_NLOPT(AUGLAG_CCSAQ, AUGLAG, LD_CCSAQ, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .help = "augmented Lagrangian around LD_CCSAQ; any constraints, above 300 variables",
         .good_n = "any; cost a step grows as n",
         .use = "First choice with constraints above 300 variables; from any start.",
         .traps = "Hundreds of evaluations, as AUGLAG_LBFGS; slow where the valley is narrow.")
CQ_NLOPT(LN_COBYLA, LN_COBYLA, NUM_ALGORITHMS, false, ALL_CONSTRAINTS,
         .help = "linear approximations (Powell), no gradient; a few variables, any constraints",
         .good_n = "up to 10",
         .use = "No gradient, or one that is not to be trusted, with constraints.",
         .traps = "Nothing can be verified without a gradient: give a target. Choose the scale "
                  "of the variables, it is the first step.")
CQ_NLOPT(LN_NELDERMEAD, LN_NELDERMEAD, NUM_ALGORITHMS, false,
         .help = "simplex, no gradient; a few variables, bounds only", .good_n = "up to 10",
         .use = "No gradient, a rough objective, bounds only.",
         .traps = "As LN_COBYLA; it may stall short of an optimum.")
