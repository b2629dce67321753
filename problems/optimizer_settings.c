/* The section optimizer as settings of a run, of a problem file or without one. */
#include "alloc.h"
#include "scene.h"
#include "status.h"

/* Key by key: the struct is public, the keys are the schema's. */
cq_optimizer_def cq_optimizer_of(const cq_optimizer_keys *keys) {
  cq_optimizer_def def = cq_optimizer_default();
  def.name = keys->name;
  def.max_evaluations = keys->max_evaluations;
  def.max_simulations = keys->max_simulations;
  def.max_cost = keys->max_cost;
  def.gradient_cost = keys->gradient_cost;
  def.max_time = keys->max_time;
  def.stagnation = keys->stagnation;
  def.phases = (cq_phases)keys->phases;
  def.feasibility_evaluations = keys->feasibility_evaluations;
  def.ftol_rel = keys->ftol_rel;
  def.xtol_rel = keys->xtol_rel;
  def.gradient_tolerance = keys->gradient_tolerance;
  def.target = keys->target;
  def.stop_at_target = keys->stop_at_target;
  def.constraint_tolerance = keys->constraint_tolerance;
  def.constraint_margin = keys->constraint_margin;
  def.optimality_tolerance = keys->optimality_tolerance;
  def.verify = (cq_verify)keys->verify;
  def.restarts = keys->restarts;
  def.stall_time = keys->stall_time;
  def.force = keys->force;
  def.allow_heuristic = keys->allow_heuristic;
  def.on_failure = (cq_failure_policy)keys->on_failure;
  def.scaling = (cq_scaling_mode)keys->scaling;
  def.objective_scale = keys->objective_scale;
  def.constraint_scale = keys->constraint_scale.values;
  def.n_constraint_scale = keys->constraint_scale.count;
  def.learning_rate = keys->learning_rate;
  def.momentum = keys->momentum;
  def.clip = keys->clip;
  def.step_rule = (cq_step_rule)keys->step_rule;
  def.schedule = (cq_schedule)keys->schedule;
  def.schedule_period = keys->schedule_period;
  def.beta_1 = keys->beta_1;
  def.beta_2 = keys->beta_2;
  def.epsilon = keys->epsilon;
  def.population = keys->population;
  def.repeats = keys->repeats > 0 ? keys->repeats : 0; /* INT_MIN: not given */
  def.repeat_jitter = keys->repeat_jitter;
  def.sigma = keys->sigma;
  def.difference_step = keys->difference_step;
  def.bounds_handling = (cq_bounds_handling)keys->bounds_handling;
  return def;
}

cq_status cq_optimizer_take_name(cq_arena *arena, cq_optimizer_keys *keys) {
  const char *const name = cq_optimizer_canonical(keys->name);
  char text[200];
  if (name == NULL) {
    cq_optimizer_suggest(keys->name, text, sizeof text);
    return CQ_BAD(arena->ctx, keys, name, "there is no optimizer \"%s\"; %s", keys->name, text);
  }
  keys->name = name;
  return cq_config_complete(arena, keys->node, "name", CQ_NODE_TEXT, 0, name);
}

struct cq_optimizer_settings {
  cq_arena arena;
  cq_optimizer_def def;
};

static cq_status read_settings(cq_arena *arena, const char *const *sets, int n_sets,
                               cq_optimizer_def *def) {
  cq_node *root = NULL;
  cq_optimizer_keys keys;
  CQ_TRY(cq_tree_parse(arena, "", "--set", &root));
  for (int i = 0; i < n_sets; i++) {
    CQ_TRY(cq_tree_set(arena, root, sets[i]));
  }
  CQ_TRY(cq_config_read_optimizer(arena, root, &keys));
  CQ_TRY(cq_optimizer_take_name(arena, &keys));
  *def = cq_optimizer_of(&keys);
  return CQ_OK;
}

cq_status cq_optimizer_settings_read(cq_ctx *ctx, const char *const *sets, int n_sets,
                                     cq_optimizer_settings **out) {
  cq_optimizer_settings *settings = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, settings, 1));
  settings->arena.ctx = ctx;
  const cq_status status = read_settings(&settings->arena, sets, n_sets, &settings->def);
  if (status != CQ_OK) {
    cq_optimizer_settings_free(settings);
    return status;
  }
  *out = settings;
  return CQ_OK;
}

const cq_optimizer_def *cq_optimizer_settings_def(const cq_optimizer_settings *settings) {
  return &settings->def;
}

void cq_optimizer_settings_free(cq_optimizer_settings *settings) {
  if (settings != NULL) {
    cq_ctx *const ctx = settings->arena.ctx;
    cq_arena_release(&settings->arena);
    cq_free(ctx, settings);
  }
}
