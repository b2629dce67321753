#include "nlopt_run.h"

/* CQ_NLOPT(name, algorithm, local algorithm, feasible start, fields of cq_optimizer...): a row a
 * method. All of them take bounds. LD_AUGLAG, AUGLAG, AUGLAG_EQ, G_MLSL and G_MLSL_LDS are here
 * with a local method each. Of NLopt 2.7.1's other algorithms these are missing: LN_NEWUOA, which
 * takes no bounds and which LN_BOBYQA succeeds; GN_ORIG_DIRECT and GN_ORIG_DIRECT_L, which read
 * outside of their arrays when they are stopped before a first valid point, and loop for ever
 * without a call where none is feasible; GN_AGS, GD_STOGO, GD_STOGO_RAND and LD_LBFGS_NOCEDAL,
 * which Debian's library does not hold. */
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
/* Searches all of a box for the lowest of several minima, and may do so for ever. */
#define GLOBAL .needs_box = true, .needs_budget = true

CQ_NLOPT(LD_SLSQP, LD_SLSQP, NUM_ALGORITHMS, false, BY_GRADIENT, ALL_CONSTRAINTS,
         .check = cq_slsqp_check, .most_n = 300,
         .help = "sequential quadratic programming; up to 300 variables",
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
CQ_NLOPT(LN_BOBYQA, LN_BOBYQA, NUM_ALGORITHMS, false, .least_n = 2, .most_n = 200,
         .help = "quadratic models in a trust region, no gradient; bounds only",
         .good_n = "2 to 30; work a step grows as n^2, memory too",
         .use = "No gradient, a smooth objective, bounds only.",
         .traps = "Takes 2 n + 1 evaluations before its first step. A bumpy objective ends it far "
                  "from an optimum.")
CQ_NLOPT(LN_NEWUOA_BOUND, LN_NEWUOA_BOUND, NUM_ALGORITHMS, false, .least_n = 2, .most_n = 200,
         .help = "as LN_BOBYQA, an older way to keep the bounds", .good_n = "2 to 30",
         .use = "To compare with LN_BOBYQA.",
         .traps = "As LN_BOBYQA, which is better on bounds. Where the objective is huge (1e20) a "
                  "step may take seconds, or for ever.")
CQ_NLOPT(LN_SBPLX, LN_SBPLX, NUM_ALGORITHMS, false, .most_n = 1000,
         .help = "Nelder-Mead on subspaces, no gradient; bounds only", .good_n = "up to 30",
         .use = "No gradient, a bumpy objective, more variables than LN_NELDERMEAD takes.",
         .traps = "Many evaluations; no proof that it ends at an optimum.")
CQ_NLOPT(LN_PRAXIS, LN_PRAXIS, NUM_ALGORITHMS, false, .least_n = 2, .most_n = 300,
         .help = "searches along principal axes, no gradient; bounds only",
         .good_n = "2 to 20; memory grows as n^2",
         .use = "No gradient, a smooth objective, optimum away from the bounds.",
         .traps = "Bounds are walls of infinite height to it: at them it ends short of an optimum.")
CQ_NLOPT(LN_AUGLAG, AUGLAG, LN_NELDERMEAD, false, ALL_CONSTRAINTS, .most_n = 200,
         .help = "augmented Lagrangian around LN_NELDERMEAD; no gradient", .good_n = "up to 10",
         .use = "No gradient, constraints, where LN_COBYLA fails.",
         .traps = "Thousands of evaluations.")
CQ_NLOPT(LN_AUGLAG_EQ, AUGLAG_EQ, LN_COBYLA, false, ALL_CONSTRAINTS, .most_n = 200,
         .help = "penalties for equalities alone, around LN_COBYLA", .good_n = "up to 10",
         .use = "No gradient, equalities that LN_COBYLA alone does not meet.",
         .traps = "As LN_COBYLA, many times over.")
CQ_NLOPT(LD_AUGLAG_EQ, AUGLAG_EQ, LD_CCSAQ, true, BY_GRADIENT, ALL_CONSTRAINTS,
         .help = "penalties for equalities alone, around LD_CCSAQ",
         .good_n = "any; a step costs as much as n m numbers",
         .use = "Many variables, inequalities and a few equalities.",
         .traps = "As AUGLAG_CCSAQ; from an infeasible start the violations are minimised first.")
CQ_NLOPT(LD_VAR2, LD_VAR2, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "limited-memory variable metric, rank 2; bounds only",
         .good_n = "any; a step costs as much as 40 n numbers", .use = "As LD_LBFGS.",
         .traps = "As LD_LBFGS.")
CQ_NLOPT(LD_VAR1, LD_VAR1, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "limited-memory variable metric, rank 1; bounds only",
         .good_n = "any; a step costs as much as 40 n numbers", .use = "As LD_LBFGS.",
         .traps = "As LD_LBFGS.")
CQ_NLOPT(LD_TNEWTON_PRECOND_RESTART, LD_TNEWTON_PRECOND_RESTART, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "truncated Newton, preconditioned, restarts; bounds only", .good_n = "any",
         .use =
             "Bounds only and a gradient without noise; on Rosenbrock's function 73 evaluations, "
             "where the other three take 175 to 255.",
         .traps = "Second derivatives are differences of gradients: several evaluations a step, "
                  "and noise in the gradient ends it.")
CQ_NLOPT(LD_TNEWTON_PRECOND, LD_TNEWTON_PRECOND, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "truncated Newton, preconditioned; bounds only", .good_n = "any",
         .use = "As LD_TNEWTON_PRECOND_RESTART.", .traps = "As LD_TNEWTON_PRECOND_RESTART.")
CQ_NLOPT(LD_TNEWTON_RESTART, LD_TNEWTON_RESTART, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "truncated Newton, restarts; bounds only", .good_n = "any",
         .use = "As LD_TNEWTON_PRECOND_RESTART.", .traps = "As LD_TNEWTON_PRECOND_RESTART.")
CQ_NLOPT(LD_TNEWTON, LD_TNEWTON, NUM_ALGORITHMS, false, BY_GRADIENT,
         .help = "truncated Newton; bounds only", .good_n = "any",
         .use = "As LD_TNEWTON_PRECOND_RESTART.", .traps = "As LD_TNEWTON_PRECOND_RESTART.")
CQ_NLOPT(GD_MLSL_LDS, G_MLSL_LDS, LD_LBFGS, false, BY_GRADIENT, GLOBAL, .most_n = 1000,
         .help = "many starts of LD_LBFGS, spread evenly; a box", .good_n = "up to 30",
         .use = "Several minima, and a gradient.",
         .traps = "It goes on to the end of the budget. Each start is a whole run of LD_LBFGS, and "
                  "one that fails ends the search; optimizer.starts does the same with any method, "
                  "side by side.")
CQ_NLOPT(GD_MLSL, G_MLSL, LD_LBFGS, false, BY_GRADIENT, GLOBAL, .most_n = 1000,
         .help = "many starts of LD_LBFGS, drawn at random; a box", .good_n = "up to 30",
         .use = "As GD_MLSL_LDS.", .traps = "As GD_MLSL_LDS.")
CQ_NLOPT(GN_MLSL_LDS, G_MLSL_LDS, LN_NELDERMEAD, false, GLOBAL, .most_n = 200,
         .help = "many starts of LN_NELDERMEAD, spread evenly; a box", .good_n = "up to 10",
         .use = "Several minima, no gradient.",
         .traps = "It goes on to the end of the budget, which is thousands of evaluations.")
CQ_NLOPT(GN_MLSL, G_MLSL, LN_NELDERMEAD, false, GLOBAL, .most_n = 200,
         .help = "many starts of LN_NELDERMEAD, at random; a box", .good_n = "up to 10",
         .use = "As GN_MLSL_LDS.", .traps = "As GN_MLSL_LDS.")
CQ_NLOPT(GN_CRS2_LM, GN_CRS2_LM, NUM_ALGORITHMS, false, GLOBAL, .most_n = 200,
         .help = "controlled random search with local mutation; a box", .good_n = "up to 20",
         .use =
             "Several minima, no gradient: finds the place, then the digits (two variables: some "
             "800 evaluations).",
         .traps = "Begins with 10 (n + 1) random designs.")
CQ_NLOPT(GN_DIRECT_L, GN_DIRECT_L, NUM_ALGORITHMS, false, GLOBAL, .most_n = 50,
         .help = "dividing rectangles, biased to the best; a box", .good_n = "up to 6",
         .use = "Few variables, no gradient, several minima; not random.",
         .traps = "Finds the valley soon and its bottom late: end with a local method. The start "
                  "is evaluated and not used.")
CQ_NLOPT(GN_DIRECT_L_RAND, GN_DIRECT_L_RAND, NUM_ALGORITHMS, false, GLOBAL, .most_n = 50,
         .help = "GN_DIRECT_L that breaks ties at random; a box", .good_n = "up to 6",
         .use = "As GN_DIRECT_L.", .traps = "As GN_DIRECT_L.")
CQ_NLOPT(GN_DIRECT, GN_DIRECT, NUM_ALGORITHMS, false, GLOBAL, .most_n = 50,
         .help = "dividing rectangles, without bias; a box", .good_n = "up to 4",
         .use = "As GN_DIRECT_L where there are very many minima.", .traps = "As GN_DIRECT_L.")
CQ_NLOPT(GN_DIRECT_NOSCAL, GN_DIRECT_NOSCAL, NUM_ALGORITHMS, false, GLOBAL, .most_n = 50,
         .help = "GN_DIRECT with the box as it is, not made a cube", .good_n = "up to 4",
         .use = "As GN_DIRECT.",
         .traps = "As GN_DIRECT_L. In NLopt 2.7.1 the three _NOSCAL take the same steps.")
CQ_NLOPT(GN_DIRECT_L_NOSCAL, GN_DIRECT_L_NOSCAL, NUM_ALGORITHMS, false, GLOBAL, .most_n = 50,
         .help = "GN_DIRECT_L with the box as it is, not made a cube", .good_n = "up to 6",
         .use = "As GN_DIRECT_L.",
         .traps = "As GN_DIRECT_L. In NLopt 2.7.1 the three _NOSCAL take the same steps.")
CQ_NLOPT(GN_DIRECT_L_RAND_NOSCAL, GN_DIRECT_L_RAND_NOSCAL, NUM_ALGORITHMS, false, GLOBAL,
         .most_n = 50, .help = "GN_DIRECT_L_RAND with the box as it is", .good_n = "up to 6",
         .use = "As GN_DIRECT_L.",
         .traps = "As GN_DIRECT_L. In NLopt 2.7.1 the three _NOSCAL take the same steps.")
CQ_NLOPT(GN_ISRES, GN_ISRES, NUM_ALGORITHMS, false, GLOBAL, ALL_CONSTRAINTS, .most_n = 200,
         .help = "evolution with stochastic ranking, any constraints; a box", .good_n = "up to 20",
         .use = "Several minima, no gradient, constraints.",
         .traps = "20 (n + 1) designs a generation, thousands of evaluations; equalities are met "
                  "roughly.")
CQ_NLOPT(GN_ESCH, GN_ESCH, NUM_ALGORITHMS, false, GLOBAL, .most_n = 200,
         .help = "evolution, 60 children a generation; a box", .good_n = "up to 20",
         .use = "Several minima, no gradient, an objective of no shape at all.",
         .traps = "Never refines: two or three digits, then a local method.")
