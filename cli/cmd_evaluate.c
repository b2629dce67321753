/* cqopt evaluate: objective, terms, constraints and gradients at given designs, for other programs.
 */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "designs.h"
#include "evaluated.h"
#include "options.h"
#include "plural.h"
#include "session.h"
#include "signals.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { REASON = 400 };

typedef struct evaluation {
  cq_ctx *ctx;
  const cli_options *options;
  cq_file *file;
  cq_scene *scene;
  const cq_problem *problem;
  int n, m, n_terms;
  cli_designs designs;
  double *x;          /* [count][n] of the optimizer */
  int block;          /* so many designs at a time, side by side; with gradients one */
  cq_answer *answers; /* [block] */
  char (*reasons)[REASON];
  double *terms, *c;           /* [block] of these */
  double *grad, *jac, *slopes; /* of one */
  cli_evaluated_writer writer;
  int failed, first_failed;
  cq_status status; /* of that one */
  char reason[REASON];
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
  CQ_TRY(cli_designs_read(e->ctx, e->file, e->options->at, &e->designs));
  CQ_TRY(CQ_ALLOC(e->ctx, e->x, (size_t)e->designs.count * n));
  for (size_t k = 0; k < (size_t)e->designs.count * n; k++) {
    const int i = (int)(k % n);
    const double x = cq_scene_optimizer_value(e->scene, i, e->designs.values[k]);
    e->x[k] = fmin(fmax(x, e->problem->lower[i]), e->problem->upper[i]) + 0.0;
  }
  return CQ_OK;
}

/* Gradients by the values of the file. */
static cq_status transform_gradients(const evaluation *e, const double *x) {
  CQ_TRY(cq_file_slopes(e->file, x, e->slopes, e->n));
  for (int i = 0; i < e->n; i++) {
    e->grad[i] /= e->slopes[i];
    for (int j = 0; j < e->m; j++) {
      e->jac[(size_t)j * (size_t)e->n + (size_t)i] /= e->slopes[i];
    }
  }
  return CQ_OK;
}

static void note_failure(evaluation *e, int number, const cq_answer *answer) {
  if (e->failed++ == 0) {
    e->first_failed = number;
    e->status = answer->status;
    snprintf(e->reason, sizeof e->reason, "%s", answer->reason);
  }
}

/* One design, printed. A failure of its simulation is a row like any other. */
static cq_status put(evaluation *e, int k, const cq_answer *answer) {
  const size_t at = (size_t)k * (size_t)e->n;
  if (answer->status != CQ_OK) {
    note_failure(e, k + 1, answer);
  } else if (e->options->gradient) {
    CQ_TRY(transform_gradients(e, e->x + at));
  }
  const cli_evaluated done = {.number = k + 1, .values = e->designs.values + at, .answer = answer};
  return cli_evaluated_put(e->ctx, &e->writer, &done);
}

/* What design k is asked for, as number i of a block. */
static cq_answer question(const evaluation *e, int k, int i) {
  const bool gradient = e->options->gradient;
  return (cq_answer){.struct_size = sizeof(cq_answer),
                     .status = CQ_N_STATUSES, /* not evaluated yet */
                     .c = e->c + (size_t)i * (size_t)e->m,
                     .n_c = e->m,
                     .terms = e->terms + (size_t)i * (size_t)e->n_terms,
                     .n_terms = e->n_terms,
                     .grad = gradient ? e->grad : NULL,
                     .n_grad = e->n,
                     .jac = gradient ? e->jac : NULL,
                     .n_jac = e->m * e->n,
                     .evaluation = k + 1,
                     .retry = true,
                     .reason = e->reasons[i],
                     .n_reason = REASON};
}

/* The designs from k on that fit in a block; of one that is stopped those that are done. */
static cq_status evaluate_block(evaluation *e, int k, int count) {
  for (int i = 0; i < count; i++) {
    e->answers[i] = question(e, k + i, i);
  }
  const cq_status status =
      cq_file_evaluate_many(e->file, e->x + (size_t)k * (size_t)e->n, count, e->n, e->answers);
  for (int i = 0; i < count; i++) {
    const cq_status is = e->answers[i].status;
    if (is == CQ_OK || (is != CQ_N_STATUSES && cq_status_is_numeric(is))) {
      CQ_TRY(put(e, k + i, &e->answers[i]));
    }
  }
  return status;
}

/* Values of many designs are simulated side by side, some at a time so that rows come as they are
 * made. */
static cq_status evaluate_all(evaluation *e) {
  const int count = e->designs.count;
  for (int k = 0; k < count; k += e->block) {
    CQ_TRY(cq_ctx_stop_requested(e->ctx));
    CQ_TRY(evaluate_block(e, k, k + e->block < count ? e->block : count - k));
  }
  CQ_CHECK(e->ctx, e->failed == 0, e->status,
           "%d of %d design%s could not be simulated; design %d: %s", e->failed, count,
           cq_plural(count), e->first_failed, e->reason);
  return CQ_OK;
}

static cq_status allocate(evaluation *e) {
  const size_t n = (size_t)e->n, m = (size_t)e->m, block = (size_t)e->block;
  CQ_TRY(CQ_ALLOC(e->ctx, e->answers, block));
  CQ_TRY(CQ_ALLOC(e->ctx, e->reasons, block));
  CQ_TRY(CQ_ALLOC(e->ctx, e->terms, block * (size_t)e->n_terms));
  CQ_TRY(CQ_ALLOC(e->ctx, e->c, block * m));
  if (!e->options->gradient) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(e->ctx, e->slopes, n));
  CQ_TRY(CQ_ALLOC(e->ctx, e->grad, n));
  return CQ_ALLOC(e->ctx, e->jac, m * n);
}

static cq_status run(evaluation *e) {
  const int threads = cq_ctx_threads(e->ctx);
  e->block = e->options->gradient || threads == 1 ? 1 : 4 * threads;
  CQ_TRY(e->options->at != NULL ? take_designs(e) : take_start(e));
  CQ_TRY(allocate(e));
  cli_evaluated_begin(&e->writer);
  const cq_status status = evaluate_all(e);
  cli_evaluated_end(&e->writer);
  return status;
}

static void free_all(evaluation *e) {
  cq_free(e->ctx, e->answers);
  cq_free(e->ctx, e->reasons);
  cq_free(e->ctx, e->terms);
  cq_free(e->ctx, e->c);
  cq_free(e->ctx, e->slopes);
  cq_free(e->ctx, e->grad);
  cq_free(e->ctx, e->jac);
  cq_free(e->ctx, e->x);
  cli_designs_free(e->ctx, &e->designs);
}

/* Nothing but the table or the object goes to stdout. */
cq_status cmd_evaluate(cq_ctx *ctx, const cli_options *options) {
  cli_session session;
  const unsigned gradient = options->gradient ? SESSION_GRADIENT : 0;
  CQ_TRY(cli_session_open(ctx, options, "evaluate", SESSION_DESIGN | gradient, &session));
  const cq_problem *const problem = cq_scene_problem(session.scene);
  evaluation e = {.ctx = ctx,
                  .options = options,
                  .file = session.file,
                  .scene = session.scene,
                  .problem = problem,
                  .n = problem->n,
                  .m = problem->n_inequality + problem->n_equality,
                  .n_terms = cq_scene_term_count(session.scene),
                  .writer = {.out = stdout,
                             .scene = session.scene,
                             .gradient = options->gradient,
                             .format = options->format}};
  cli_signals_begin(ctx);
  const cq_status status = run(&e);
  cli_signals_end();
  free_all(&e);
  return cli_session_close(&session, status);
}
