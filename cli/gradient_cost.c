#include "gradient_cost.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LEAST_REPEATS = 4, MOST_REPEATS = 100 };

static const double ENOUGH = 0.5; /* [s] */

bool cli_takes_gradients(const char *name) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    if (strcmp(cq_optimizer_name(i), name) == 0) {
      return cq_optimizer_facts_of(i).needs_gradient;
    }
  }
  return false;
}

/* of all threads: what else the machine does is no part of it */
static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* a little off the start, another point each time: a motion that is kept costs nothing */
static void move(const cq_problem *problem, int number, double *x) {
  for (int j = 0; j < problem->n; j++) {
    const double scale = problem->scale != NULL ? problem->scale[j] : 1.0;
    const double step = 1e-6 * scale * number, start = problem->start[j];
    x[j] = start + step <= problem->upper[j] ? start + step : fmax(start - step, problem->lower[j]);
  }
}

typedef struct room {
  double *x, *c, *grad, *jac;
} room;

static cq_status evaluate(const cq_problem *problem, int number, bool gradient, const room *at,
                          double *least) {
  double f = NAN;
  move(problem, number, at->x);
  if (problem->draw != NULL) {
    problem->draw(problem->data, 1);
  }
  const double began = processor_time();
  CQ_TRY(problem->eval(problem->data, at->x, &f, at->c, gradient ? at->grad : NULL,
                       gradient ? at->jac : NULL));
  *least = fmin(*least, processor_time() - began);
  return CQ_OK;
}

static cq_status measure(const cq_problem *problem, const room *at, double *cost, double *seconds) {
  double value = INFINITY, both = INFINITY;
  const double began = processor_time();
  for (int i = 0; i < LEAST_REPEATS || (i < MOST_REPEATS && processor_time() - began < ENOUGH);
       i++) {
    CQ_TRY(evaluate(problem, 2 * i, false, at, &value));
    CQ_TRY(evaluate(problem, 2 * i + 1, true, at, &both));
  }
  *cost = fmax(1.0, round(10 * both / value) / 10);
  *seconds = value;
  return CQ_OK;
}

/* Room for the measurement. */
cq_status cli_gradient_cost_measure(cq_ctx *ctx, const cq_problem *problem, double *cost,
                                    double *seconds) {
  const size_t n = (size_t)problem->n;
  const size_t m = (size_t)problem->n_inequality + (size_t)problem->n_equality;
  room at = {.x = NULL};
  cq_status status = CQ_ALLOC(ctx, at.x, n);
  status = status == CQ_OK ? CQ_ALLOC(ctx, at.grad, n) : status;
  status = status == CQ_OK && m > 0 ? CQ_ALLOC(ctx, at.c, m) : status;
  status = status == CQ_OK && m > 0 ? CQ_ALLOC(ctx, at.jac, m * n) : status;
  status = status == CQ_OK ? measure(problem, &at, cost, seconds) : status;
  cq_free(ctx, at.x);
  cq_free(ctx, at.c);
  cq_free(ctx, at.grad);
  cq_free(ctx, at.jac);
  return status;
}
