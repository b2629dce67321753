/* Settings of a method, and any function minimised by them. */
#include "settings.h"

#include "cqopt/optimizer.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

enum { MOST_SETS = 64, SET = 320 };

struct cq_settings {
  cq_ctx *ctx;
  int n;
  char (*sets)[SET];            /* [MOST_SETS] "optimizer.key=value", in their order */
  cq_optimizer_settings *whole; /* as all of them together say */
};

/* Reads the first n sets anew; the old settings stay where that fails. */
static cq_status read_sets(cq_settings *s, int n) {
  const char *sets[MOST_SETS];
  cq_optimizer_settings *whole = NULL;
  for (int i = 0; i < n; i++) {
    sets[i] = s->sets[i];
  }
  CQ_TRY(cq_optimizer_settings_read(s->ctx, sets, n, &whole));
  cq_optimizer_settings_free(s->whole);
  s->whole = whole;
  s->n = n;
  return CQ_OK;
}

/* Settings without assignments. */
cq_status cq_settings_create(cq_ctx *ctx, cq_settings **out) {
  cq_settings *s = NULL;
  CQ_TRY(cq_api_begin_ctx(ctx));
  CQ_CHECK(ctx, out != NULL, CQ_USAGE, "there is nowhere to put the settings");
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, s, 1));
  s->ctx = ctx;
  cq_status status = CQ_ALLOC(ctx, s->sets, MOST_SETS);
  status = status == CQ_OK ? read_sets(s, 0) : status;
  if (status != CQ_OK) {
    cq_settings_destroy(s);
    return status;
  }
  *out = s;
  return CQ_OK;
}

void cq_settings_destroy(cq_settings *s) {
  if (s != NULL) {
    cq_ctx *const ctx = s->ctx;
    cq_optimizer_settings_free(s->whole);
    cq_free(ctx, s->sets);
    cq_free(ctx, s);
  }
}

cq_status cq_settings_set(cq_settings *s, const char *assignment) {
  CQ_TRY(cq_api_begin_ctx(s != NULL ? s->ctx : NULL));
  CQ_CHECK(s->ctx, assignment != NULL, CQ_USAGE, "the setting is missing");
  CQ_CHECK(s->ctx, s->n < MOST_SETS, CQ_USAGE, "there are %d settings already", s->n);
  CQ_CHECK(s->ctx, strlen(assignment) < SET - 16, CQ_USAGE, "the setting is too long");
  snprintf(s->sets[s->n], SET, "optimizer.%s", assignment);
  return read_sets(s, s->n + 1);
}

const cq_optimizer_def *cq_settings_def(const cq_settings *s) {
  return cq_optimizer_settings_def(s->whole);
}

/* --- any function -------------------------------------------------------------------------------
 */

/* A function as a problem of the optimization layer. */
typedef struct function {
  cq_function_def def;
  double *lower, *upper;
} function;

static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  const function *const fn = data;
  return fn->def.function(fn->def.user, x, f, c, grad, jac);
}

/* The fields that the first callers know. */
enum { LEAST_FUNCTION = offsetof(cq_function_def, user) + sizeof(void *) };

static cq_status check(cq_ctx *ctx, const cq_function_def *def, const cq_settings *settings,
                       const double *x, int n) {
  CQ_CHECK(ctx, def != NULL, CQ_USAGE, "there is no function");
  CQ_CHECK(ctx, def->struct_size >= LEAST_FUNCTION, CQ_USAGE,
           "struct_size of the function is %zu: set it to sizeof(cq_function_def)",
           def->struct_size);
  CQ_CHECK(ctx, def->function != NULL && def->start != NULL, CQ_USAGE,
           "the function or its start is missing");
  CQ_CHECK(ctx, def->n > 0 && def->n_inequality >= 0 && def->n_equality >= 0, CQ_USAGE,
           "a function of %d variables with %d and %d constraints cannot be minimised", def->n,
           def->n_inequality, def->n_equality);
  CQ_CHECK(ctx, settings == NULL || settings->ctx == ctx, CQ_USAGE,
           "the settings are of another context");
  return cq_api_length(ctx, "x", x, (size_t)n, (size_t)def->n);
}

static cq_status make_bounds(cq_ctx *ctx, function *fn) {
  CQ_TRY(CQ_ALLOC(ctx, fn->lower, fn->def.n));
  CQ_TRY(CQ_ALLOC(ctx, fn->upper, fn->def.n));
  for (int i = 0; i < fn->def.n; i++) {
    fn->lower[i] = fn->def.lower != NULL ? fn->def.lower[i] : -INFINITY;
    fn->upper[i] = fn->def.upper != NULL ? fn->def.upper[i] : INFINITY;
    CQ_CHECK(ctx, fn->def.start[i] >= fn->lower[i] && fn->def.start[i] <= fn->upper[i], CQ_USAGE,
             "start[%d] is %g, outside its bounds %g and %g", i, fn->def.start[i], fn->lower[i],
             fn->upper[i]);
  }
  return CQ_OK;
}

/* The function as a problem, by a method. */
static cq_status minimise(cq_ctx *ctx, function *fn, const cq_settings *settings,
                          cq_record_fn record, void *user, double *x, cq_outcome *out) {
  CQ_TRY(make_bounds(ctx, fn));
  const cq_problem problem = {.n = fn->def.n,
                              .n_inequality = fn->def.n_inequality,
                              .n_equality = fn->def.n_equality,
                              .lower = fn->lower,
                              .upper = fn->upper,
                              .start = fn->def.start,
                              .scale = fn->def.scale,
                              .eval = evaluate,
                              .gradient = fn->def.has_gradient ? CQ_GRADIENT_EXACT_REVERSE
                                                               : CQ_GRADIENT_NONE,
                              .data = fn};
  const cq_optimizer_def defaults = cq_optimizer_default();
  const cq_optimizer_def def =
      cq_optimizer_resolve(settings != NULL ? cq_settings_def(settings) : &defaults, &problem);
  cq_result result = {.status = CQ_OK};
  const cq_status status = cq_optimize(ctx, &problem, &def, record, user, x, NULL, &result);
  CQ_TRY(cq_outcome_of(ctx, &result, out));
  return status;
}

cq_status cq_minimise(cq_ctx *ctx, const cq_function_def *def, const cq_settings *settings,
                      cq_record_fn record, void *user, double *x, int n, cq_outcome *out) {
  const cq_result nothing = {.status = CQ_USAGE, .reason = "nothing was evaluated"};
  CQ_TRY(cq_api_begin_ctx(ctx));
  CQ_TRY(check(ctx, def, settings, x, n));
  CQ_TRY(cq_outcome_of(ctx, &nothing, out));
  function fn = {.def = *def};
  const cq_status status = minimise(ctx, &fn, settings, record, user, x, out);
  cq_free(ctx, fn.lower);
  cq_free(ctx, fn.upper);
  return status;
}

/* The part of a result that the library promises. */
cq_status cq_outcome_of(cq_ctx *ctx, const cq_result *result, cq_outcome *out) {
  cq_outcome o = {.status = result->status,
                  .has_point = result->has_point,
                  .reached_target = result->reached_target,
                  .f = result->has_point ? result->f : NAN,
                  .violation = result->has_point ? result->violation : NAN,
                  .kkt_residual = result->has_point ? result->kkt_residual : NAN,
                  .best_index = result->best_index,
                  .evaluations = result->evaluations,
                  .simulations = result->simulations,
                  .gradients = result->gradients,
                  .failures = result->failures,
                  .seconds = result->seconds,
                  .replayed = result->replayed,
                  .probes = result->probes,
                  .recovered = result->recovered,
                  .eval_seconds = result->eval_seconds,
                  .repeats = result->repeats,
                  .repeats_failed = result->repeats_failed,
                  .f_mean = result->repeats > 0 ? result->f_mean : NAN,
                  .f_deviation = result->repeats > 0 ? result->f_deviation : NAN,
                  .f_worst = result->repeats > 0 ? result->f_worst : NAN};
  memcpy(o.reason, result->reason, sizeof o.reason);
  return CQ_GIVE(ctx, out, o);
}
