/* The method IPOPT, as far as it does not need the library, which ipopt_run.c does. */
#include "ipopt_run.h"

#include "status.h"

const cq_optimizer cq_optimizer_IPOPT = {
    .name = "IPOPT",
    .help = "interior point with limited-memory BFGS; any constraints, many variables",
#ifdef CQ_IPOPT
    .run = cq_ipopt_run,
#else
    .missing = "coinor-libipopt-dev",
#endif
    .needs_gradient = true,
    .needs_exact_gradient = true,
    .handles_bounds = true,
    .handles_inequality = true,
    .handles_equality = true,
    .good_n = "any (tried to 3,000); a step costs as much as 40 n numbers, and n m more",
    .use = "Many variables with any constraints, from any start: some 20 to 70 evaluations.",
    .traps = "Iterates stay inside the bounds: a start on a bound is moved off it. In narrow "
             "valleys (a chained Rosenbrock function) it may take a thousand evaluations.",
};
