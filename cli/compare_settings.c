#include "compare_settings.h"

#include "alloc.h"
#include "gradient_cost.h"
#include "status.h"

#include "cqopt/cqopt.h"

#include <string.h>

/* The budget of the comparison and no other; and every run goes on past the target. */
void cli_compare_settings_make(const cli_curve_def *counted, const double *target,
                               cli_compare_settings *out) {
  static const char *const keys[CLI_N_UNITS] = {"max_cost", "max_evaluations", "max_time"};
  static const char *const none[] = {"optimizer.max_simulations=0",
                                     "optimizer.stop_at_target=false", "optimizer.starts=1"};
  static const char *const off[CLI_N_UNITS] = {
      "optimizer.max_cost=0", "optimizer.max_evaluations=0", "optimizer.max_time=0"};
  out->n = 0;
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    out->sets[out->n++] = none[i];
  }
  for (int u = 0; u < CLI_N_UNITS; u++) {
    out->sets[out->n++] = u == (int)counted->unit ? out->budget : off[u];
  }
  snprintf(out->budget, sizeof out->budget, "optimizer.%s=%.15g", keys[counted->unit],
           counted->budget);
  snprintf(out->cost, sizeof out->cost, "optimizer.gradient_cost=%.15g", counted->gradient_cost);
  out->sets[out->n++] = out->cost;
  if (target != NULL) {
    snprintf(out->target, sizeof out->target, "optimizer.target=%.17g", *target);
    out->sets[out->n++] = out->target;
  }
}

static cq_status check_method(cq_ctx *ctx, const cli_options *o, const cli_variant *method,
                              const cli_compare_settings *settings) {
  const char **sets = NULL;
  cq_file *file = NULL;
  int n = 0;
  CQ_TRY(cli_variant_sets(ctx, o, method, settings->sets, settings->n, &sets, &n));
  cq_status status = cq_file_load(ctx, o->argument, sets, n, &file);
  const cq_scene *const scene = cq_file_scene(file);
  status = status == CQ_OK
               ? cq_optimizer_accepts(ctx, cq_scene_optimizer(scene), cq_scene_problem(scene))
               : status;
  cq_file_destroy(file);
  cq_free(ctx, sets);
  return status;
}

cq_status cli_compare_settings_check(cq_ctx *ctx, const cli_options *options,
                                     const cli_variants *methods,
                                     const cli_compare_settings *settings) {
  const uint64_t seed = cq_ctx_seed(ctx);
  for (int m = 0; m < methods->count; m++) {
    CQ_TRY(check_method(ctx, options, &methods->items[m], settings));
    cq_ctx_set_seed(ctx, seed); /* loading takes that of the file */
  }
  return CQ_OK;
}

bool cli_compare_needs_gradient(const cli_variants *methods) {
  for (int m = 0; m < methods->count; m++) {
    char name[CLI_LABEL];
    snprintf(name, sizeof name, "%s", strchr(methods->items[m].sets[0], '=') + 1);
    if (cli_takes_gradients(name)) {
      return true;
    }
  }
  return false;
}
