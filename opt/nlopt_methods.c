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
         .check = cq_slsqp_check, .help = "sequential quadratic programming; up to 300 variables",
         .good_n = "up to 300; more only with optimizer.force = true, 15,000 at most",
         .use = "First choice: fewest evaluations of all (tens), any constraints, any start.",
         .traps = "Time a step grows as n^3 and faster, memory as n^2, and nothing can interrupt "
                  "a step. Now and then it claims success where nothing is optimal.")
CQ_NLOPT(LD_MMA, LD_MMA, NUM_ALGORITHMS, true, BY_GRADIENT, INEQUALITIES,
         .help = "moving asymptotes (Svanberg); many variables, inequalities",
         .good_n = "any (tried to 3,000); a step costs as much as n m numbers",
         .use = "Many variables and few inequalities, as in stiffness fields: 30 to 100 "
                "evaluations.",
         .traps = "Slow where the valley is narrow. From an infeasible start the violations are "
                  "minimised first, whatever the objective does meanwhile.")
CQ_NLOPT(LD_CCSAQ, LD_CCSAQ, NUM_ALGORITHMS, true, BY_GRADIENT, INEQUALITIES,
         .help = "conservative convex quadratic models (Svanberg); as LD_MMA",
         .good_n = "any (tried to 3,000); a step costs as much as n m numbers",
         .use = "As LD_MMA, which of the two is better depends on the problem.",
         .traps = "As LD_MMA.")
CQ_NLOPT(LD_LBFGS, LD_LBFGS, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "limited-memory quasi-Newton with line search; bounds only",
         .good_n = "any; a step costs as much as 40 n numbers",
         .use = "First choice without constraints, above all in narrow valleys.",
         .traps = "A noisy gradient ends its line search, and the run as failed.")
CQ_NLOPT(AUGLAG_LBFGS, AUGLAG, LD_LBFGS, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .help = "augmented Lagrangian around LD_LBFGS; any constraints",
         .good_n = "any (tried to 3,000)",
         .use = "Equality constraints on many variables; from any start.",
         .traps = "Hundreds of evaluations: each change of the multipliers is a run of LD_LBFGS. "
                  "Where the objective has no gradient it may walk there.")
CQ_NLOPT(AUGLAG_CCSAQ, AUGLAG, LD_CCSAQ, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .help = "augmented Lagrangian around LD_CCSAQ; any constraints",
         .good_n = "any (tried to 3,000)",
         .use = "Where LD_CCSAQ finds no feasible point, or LD_LBFGS fails on a noisy gradient.",
         .traps = "Three times the evaluations of AUGLAG_LBFGS, and more in narrow valleys.")
CQ_NLOPT(LN_COBYLA, LN_COBYLA, NUM_ALGORITHMS, false, ALL_CONSTRAINTS,
         .help = "linear models, no gradient; few variables, any constraints", .good_n = "up to 10",
         .use = "No gradient, or one that is not to be trusted, with constraints.",
         .traps = "The scale of the variables is its first step: choose it.")
CQ_NLOPT(LN_NELDERMEAD, LN_NELDERMEAD, NUM_ALGORITHMS, false,
         .help = "simplex, no gradient; few variables, bounds only", .good_n = "up to 10",
         .use = "No gradient, a rough objective, bounds only.",
         .traps = "As LN_COBYLA; it may stall short of an optimum.")
