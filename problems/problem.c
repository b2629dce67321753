/* The optimization problem of a scene: x -> inputs -> run -> objective and constraints, and back.
 */
#include "control.h"
#include "scenarios.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_FUNCTIONS = 64 };

static cq_status run(cq_scene *scene, const double *x) {
  cq_design_apply(&scene->design, x, scene->current);
  const long long before = cq_sim_statistics(scene->sim)->steps_forward;
  const cq_status status = cq_sim_forward(scene->sim, scene->current);
  const bool ran = cq_sim_statistics(scene->sim)->steps_forward > before;
  const bool failed = cq_status_is_numeric(status);
  scene->simulations += ran || failed;
  scene->failures += failed;
  return status;
}

/* d(inputs) of a function of the controls alone, whose controller is a table */
static void pull_controls(const cq_scene *scene, const double *du, double *d_inputs) {
  const cq_model *model = &scene->model;
  double *dtheta = d_inputs + scene->layout.offset[CQ_INPUT_theta];
  const double *theta = scene->current + scene->layout.offset[CQ_INPUT_theta];
  memset(d_inputs, 0, scene->layout.total * sizeof *d_inputs);
  for (int k = 0; k < model->steps && du != NULL; k++) {
    control_adjoint(&model->controller, theta, NULL, k, du + (size_t)k * (size_t)model->n_controls,
                    dtheta, NULL);
  }
}

/* Gradient of every function, in one adjoint sweep. */
static cq_status differentiate(cq_scene *scene, const double *x, double *grad, double *jac) {
  cq_objective *o = &scene->objective;
  const size_t total = scene->layout.total;
  if (scene->gradients == NULL) {
    CQ_TRY(CQ_ARENA(&scene->arena, scene->gradients, (size_t)o->n_functions * total));
  }
  cq_objective_seed(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim));
  if (o->n_seeds > 0) {
    CQ_TRY(cq_sim_backward(scene->sim, o->n_seeds, o->seeds, scene->gradients));
    scene->gradient_sweeps++;
  }
  for (int s = o->n_seeds; s < o->n_functions; s++) {
    pull_controls(scene, o->seeds[s].du, scene->gradients + (size_t)s * total);
  }
  const size_t n = (size_t)scene->design.n;
  for (int i = 0; i < o->n_functions; i++) {
    double *row = i == 0 ? grad : (jac != NULL ? jac + (size_t)(i - 1) * n : NULL);
    if (row != NULL) {
      cq_design_pull(&scene->design, x, scene->gradients + (size_t)o->seeded[i] * total, row);
    }
  }
  return CQ_OK;
}

static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  cq_scene *scene = data;
  cq_objective *o = &scene->objective;
  double values[1 + MOST_FUNCTIONS];
  scene->evaluated = scene;
  CQ_TRY(run(scene, x));
  cq_objective_value(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim), values);
  *f = values[0];
  if (c != NULL) {
    memcpy(c, values + 1, (size_t)(o->n_functions - 1) * sizeof *c);
  }
  return grad != NULL ? differentiate(scene, x, grad, jac) : CQ_OK;
}

static void take_optimizer(cq_scene *scene) {
  const cq_optimizer_keys *keys = &scene->config.optimizer;
  cq_optimizer_def *def = &scene->optimizer;
  *def = cq_optimizer_default();
  const bool chosen = strcmp(keys->name, "auto") == 0;
  def->name = chosen ? cq_optimizer_for(&scene->problem) : keys->name;
  def->max_evaluations = keys->max_evaluations;
  def->max_simulations = keys->max_simulations;
  def->max_time = keys->max_time;
  def->stagnation = keys->stagnation;
  def->phases = (cq_phases)keys->phases;
  def->feasibility_evaluations = keys->feasibility_evaluations;
  def->ftol_rel = keys->ftol_rel;
  def->xtol_rel = keys->xtol_rel;
  def->gradient_tolerance = keys->gradient_tolerance;
  def->target = keys->target;
  def->stop_at_target = keys->stop_at_target;
  def->constraint_tolerance = keys->constraint_tolerance;
  def->constraint_margin = keys->constraint_margin;
  def->optimality_tolerance = keys->optimality_tolerance;
  def->restarts = keys->restarts;
  def->stall_time = keys->stall_time;
  def->force = keys->force;
  def->allow_heuristic = keys->allow_heuristic;
  def->on_failure = (cq_failure_policy)keys->on_failure;
  def->scaling = (cq_scaling_mode)keys->scaling;
  def->objective_scale = keys->objective_scale;
  def->constraint_scale = keys->constraint_scale.values;
  def->n_constraint_scale = keys->constraint_scale.count;
  def->learning_rate = keys->learning_rate;
  def->momentum = keys->momentum;
  def->clip = keys->clip;
  def->step_rule = (cq_step_rule)keys->step_rule;
  def->schedule = (cq_schedule)keys->schedule;
  def->schedule_period = keys->schedule_period;
  def->beta_1 = keys->beta_1;
  def->beta_2 = keys->beta_2;
  def->epsilon = keys->epsilon;
}

cq_status cq_scene_build_problem(cq_scene *scene) {
  const cq_design *design = &scene->design;
  const cq_objective *o = &scene->objective;
  CQ_CHECK(scene->ctx, o->n_functions <= 1 + MOST_FUNCTIONS, CQ_CONFIG,
           "%d constraints are more than the %d there can be", o->n_functions - 1, MOST_FUNCTIONS);
  scene->problem = (cq_problem){
      .n = design->n,
      .n_inequality = o->n_inequality,
      .n_equality = o->n_equality,
      .lower = design->lower,
      .upper = design->upper,
      .start = design->start,
      .scale = design->scale,
      .eval = evaluate,
      .refined = cq_scene_evaluate_refined,
      .data = scene,
  };
  take_optimizer(scene);
  return cq_scenarios_build(scene);
}

const cq_problem *cq_scene_problem(const cq_scene *scene) {
  return &scene->problem;
}

const cq_optimizer_def *cq_scene_optimizer(const cq_scene *scene) {
  return &scene->optimizer;
}

/* what a scene in smaller steps did is part of what this one did */
static void add_refined(const cq_scene *scene, cq_scene_stats *stats, long long *failures) {
  for (int i = 0; i < CQ_MOST_REFINED; i++) {
    const cq_scene *finer = scene->refined[i];
    if (finer == NULL) {
      continue;
    }
    const cq_sim_stats *sim = cq_sim_statistics(finer->sim);
    stats->simulations += finer->simulations;
    stats->gradients += finer->gradient_sweeps;
    stats->forward_seconds += sim->forward_seconds;
    stats->backward_seconds += sim->backward_seconds;
    stats->memo_bytes += sim->memo_bytes;
    *failures += finer->failures;
  }
}

cq_scene_stats cq_scene_statistics(const cq_scene *scene) {
  const cq_sim_stats *sim = cq_sim_statistics(scene->sim);
  long long failures = scene->failures;
  cq_scene_stats stats = {.simulations = scene->simulations,
                          .gradients = scene->gradient_sweeps,
                          .forward_seconds = sim->forward_seconds,
                          .backward_seconds = sim->backward_seconds,
                          .inverted = sim->tally.inverted,
                          .clamped = sim->tally.clamped,
                          .memo_states = sim->memo_states,
                          .memo_bytes = sim->memo_bytes};
  add_refined(scene, &stats, &failures);
  if (scene->scenarios != NULL) {
    cq_scenarios_statistics(scene->scenarios, &stats, &failures);
  }
  if (stats.simulations > 0) {
    stats.failed_fraction = (double)failures / (double)stats.simulations;
  }
  return stats;
}
