/* Designs drawn uniformly between the bounds. */
#include "alloc.h"
#include "evaluate_many.h"
#include "method.h"
#include "rng.h"
#include "status.h"

enum { POPULATION = 16 };

/* Uniform points in the box, until a budget ends it; a population at a time, so that they may go
 * ahead side by side. */
static cq_status run(cq_run *run) {
  const cq_problem *problem = run->problem;
  const int count = run->def->population > 0 ? run->def->population : POPULATION;
  const size_t total = (size_t)count * (size_t)problem->n;
  cq_rng rng = cq_rng_seed(cq_ctx_seed(run->ctx));
  double *x = NULL;
  cq_candidate *values = NULL;
  CQ_TRY(CQ_ALLOC(run->ctx, x, total));
  const cq_status status = CQ_ALLOC(run->ctx, values, count);
  while (status == CQ_OK && run->evaluator->end == CQ_END_NONE) {
    for (size_t i = 0; i < total; i++) {
      const size_t j = i % (size_t)problem->n;
      x[i] = problem->lower[j] + cq_rng_uniform(&rng) * (problem->upper[j] - problem->lower[j]);
    }
    cq_evaluate_many(run->evaluator, count, x, values);
  }
  cq_free(run->ctx, x);
  cq_free(run->ctx, values);
  return status;
}

const cq_optimizer cq_optimizer_random_search = {
    .name = "random_search",
    .help = "designs drawn uniformly between the bounds; a box",
    .handles_bounds = true,
    .handles_inequality = true,
    .asks_many = true,
    .needs_box = true,
    .needs_budget = true,
    .run = run,
    .good_n = "up to 5",
    .use = "What any other method should beat; a first look at an objective.",
    .traps = "Learns nothing from what it sees.",
};
