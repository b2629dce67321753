/* What LD_SLSQP costs: it works on dense matrices, by n^3 operations a step. */
#include "nlopt_run.h"

#include "status.h"

#include <math.h>

enum {
  SLOW = 300,   /* variables above which it has to be asked for */
  LIMIT = 15000 /* its work array, 8.5 n^2 doubles, is indexed by an int */
};

/* Seconds a step of NLopt 2.7.1 outside the simulation, measured on one core (gcc -O2): faster than
 * n^3 grows once the matrices leave the caches. */
static const struct {
  double n, seconds;
} MEASURED[] = {{100, 1.35e-3}, {300, 0.035}, {1000, 1.72}, {2000, 44}, {3000, 358}};

enum { N_MEASURED = (int)(sizeof MEASURED / sizeof MEASURED[0]) };

/* power law between neighbours of the table, and beyond its ends */
static double seconds_a_step(double n) {
  int k = 1;
  while (k < N_MEASURED - 1 && n > MEASURED[k].n) {
    k++;
  }
  const double power =
      log(MEASURED[k].seconds / MEASURED[k - 1].seconds) / log(MEASURED[k].n / MEASURED[k - 1].n);
  return MEASURED[k].seconds * pow(n / MEASURED[k].n, power);
}

static double gigabytes(double n) {
  return 8.5 * sizeof(double) * n * n * 1e-9;
}

/* More variables than it can take are refused, and more than are sensible unless they are asked
 * for. */
cq_status cq_slsqp_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  const int n = cq_problem_free(problem);
  const char *instead = problem->n_equality > 0     ? "sqp, AUGLAG_LBFGS or AUGLAG_CCSAQ"
                        : problem->n_inequality > 0 ? "sqp, LD_CCSAQ or LD_MMA"
                                                    : "sqp, LD_LBFGS or LD_CCSAQ";
  CQ_CHECK(ctx, n <= LIMIT, CQ_CONFIG, "%s cannot take %d variables (limit %d); use %s", def->name,
           n, (int)LIMIT, instead);
  if (n <= SLOW) {
    return CQ_OK;
  }
  CQ_CHECK(ctx, def->force, CQ_CONFIG,
           "%s on %d variables would take about %.2g s and %.2g GB a step besides the simulation; "
           "use %s, or optimizer.force = true",
           def->name, n, seconds_a_step(n), gigabytes(n), instead);
  return CQ_OK;
}

void cq_slsqp_warn(const cq_run *run) {
  const int n = cq_problem_free(run->problem);
  if (n > SLOW) {
    cq_log(run->ctx, CQ_LOG_WARNING,
           "LD_SLSQP on %d variables: each step takes about %.2g s and %.2g GB besides the "
           "simulation, and a signal or max_time waits for its end",
           n, seconds_a_step(n), gigabytes(n));
  }
}
