/* cqopt evaluate: objective, terms, constraints and gradients at given designs, for other programs.
 */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "attempt.h"
#include "designs.h"
#include "evaluated.h"
#include "options.h"
#include "plural.h"
#include "session.h"
#include "signals.h"
#include "status.h"

#include <math.h>
#include <string.h>

typedef struct evaluation {
  cq_ctx *ctx;
  const cli_options *options;
  cq_scene *scene;
  const cq_problem *problem;
  cli_designs designs;
  double *x; /* [count][n] of the optimizer */
  double *terms;
  cq_point point;
  cli_evaluated_writer writer;
  int failed, first_failed;
  cq_status status; /* of that one */
  char reason[400];
} evaluation;

/* The start as the problem has it: a transform there and back may cost the last bit. */
static cq_status take_start(evaluation *e) {
  const int n = e->problem->n;
  e->designs.count = 1;
  CQ_TRY(CQ_ALLOC(e->ctx, e->designs.values, n));
  CQ_TRY(CQ_ALLOC(e->ctx, e->x, n));
  for (int i = 0; i < n; i++) {
    e->designs.values[i] = cq_scene_variable(e->scene, i).start;
    e->x[i] = e->problem->start[i];
  }
  return CQ_OK;
}

/* The optimizer's x of each design; on the bounds where the transform rounds beyond them. */
static cq_status take_designs(evaluation *e) {
  const size_t n = (size_t)e->problem->n;
  CQ_TRY(cli_designs_read(e->ctx, e->scene, e->options->at, &e->designs));
  CQ_TRY(CQ_ALLOC(e->ctx, e->x, (size_t)e->designs.count * n));
  for (size_t k = 0; k < (size_t)e->designs.count * n; k++) {
    const int i = (int)(k % n);
    const double x = cq_scene_optimizer_value(e->scene, i, e->designs.values[k]);
    e->x[k] = fmin(fmax(x, e->problem->lower[i]), e->problem->upper[i]) + 0.0;
  }
  return CQ_OK;
}

/* Gradients by the values of the file. */
static void transform_gradients(evaluation *e) {
  cq_point *const p = &e->point;
  const size_t n = (size_t)e->problem->n, m = (size_t)cq_problem_constraints(e->problem);
  for (size_t i = 0; i < n; i++) {
    const double slope = cq_scene_user_slope(e->scene, (int)i, p->x[i]);
    p->grad[i] /= slope;
    for (size_t j = 0; j < m; j++) {
      p->jac[j * n + i] /= slope;
    }
  }
}

static void note_failure(evaluation *e, int number, cq_status status, const char *reason) {
  if (e->failed++ == 0) {
    e->first_failed = number;
    e->status = status;
    snprintf(e->reason, sizeof e->reason, "%s", reason);
  }
}

/* One design, printed. A failure of its simulation is a row like any other. */
static cq_status evaluate(evaluation *e, int k) {
  const size_t n = (size_t)e->problem->n;
  char reason[400] = "";
  int simulations = 0;
  const bool gradient = e->options->gradient;
  memcpy(e->point.x, e->x + (size_t)k * n, n * sizeof(double));
  e->point.index = k + 1;
  const cq_status status = cq_attempt(e->ctx, e->problem, cq_scene_optimizer(e->scene), 0, gradient,
                                      &e->point, &simulations);
  if (status != CQ_OK && !cq_status_is_numeric(status)) {
    return status;
  }
  if (status != CQ_OK) {
    snprintf(reason, sizeof reason, "%s", cq_ctx_error(e->ctx));
    cq_ctx_clear_error(e->ctx);
    note_failure(e, k + 1, status, reason);
  } else if (gradient) {
    transform_gradients(e);
  }
  for (int i = 0; i < cq_scene_term_count(e->scene); i++) {
    e->terms[i] = status == CQ_OK ? cq_scene_term_value(e->scene, i) : NAN;
  }
  const cli_evaluated done = {.number = k + 1,
                              .values = e->designs.values + (size_t)k * n,
                              .status = status,
                              .reason = reason,
                              .terms = e->terms,
                              .point = &e->point};
  return cli_evaluated_put(e->ctx, &e->writer, &done);
}

/* Values of many designs are simulated side by side, some at a time so that rows come as they are
 * made. */
static cq_status evaluate_all(evaluation *e) {
  const int count = e->designs.count, block = 4 * cq_ctx_threads(e->ctx);
  const bool ahead = count > 1 && !e->options->gradient && e->problem->ahead != NULL;
  for (int k = 0; k < count; k++) {
    if (ahead && k % block == 0) {
      e->problem->ahead(e->problem->data, k + block < count ? block : count - k,
                        e->x + (size_t)k * (size_t)e->problem->n);
    }
    CQ_TRY(cq_ctx_stop_requested(e->ctx));
    CQ_TRY(evaluate(e, k));
  }
  CQ_CHECK(e->ctx, e->failed == 0, e->status,
           "%d of %d design%s could not be simulated; design %d: %s", e->failed, count,
           cq_plural(count), e->first_failed, e->reason);
  return CQ_OK;
}

static cq_status run(evaluation *e) {
  CQ_TRY(e->options->at != NULL ? take_designs(e) : take_start(e));
  CQ_TRY(CQ_ALLOC(e->ctx, e->terms, cq_scene_term_count(e->scene)));
  CQ_TRY(cq_point_create(e->ctx, e->problem, &e->point));
  cli_evaluated_begin(&e->writer);
  const cq_status status = evaluate_all(e);
  cli_evaluated_end(&e->writer);
  return status;
}

cq_status cmd_evaluate(cq_ctx *ctx, const cli_options *options) {
  cli_session session;
  const unsigned gradient = options->gradient ? SESSION_GRADIENT : 0;
  CQ_TRY(cli_session_open(ctx, options, "evaluate", SESSION_DESIGN | gradient, &session));
  evaluation e = {.ctx = ctx,
                  .options = options,
                  .scene = session.scene,
                  .problem = cq_scene_problem(session.scene),
                  .writer = {.out = stdout,
                             .scene = session.scene,
                             .gradient = options->gradient,
                             .format = options->format}};
  cli_signals_begin(ctx);
  const cq_status status = run(&e);
  cli_signals_end();
  cq_point_destroy(ctx, &e.point);
  cq_free(ctx, e.terms);
  cq_free(ctx, e.x);
  cli_designs_free(ctx, &e.designs);
  return cli_session_close(&session, status);
}
