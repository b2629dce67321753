/* The optimization problem of a scene: x -> inputs -> run -> objective and constraints, and back.
 */
#include "ahead.h"
#include "control.h"
#include "engine.h"
#include "scenarios.h"
#include "scene_tear.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_FUNCTIONS = 64 };

static cq_status run(cq_scene *scene, const double *x) {
  cq_design_apply(&scene->design, x, scene->current);
  const long long before = cq_sim_statistics(scene->sim)->steps_forward;
  const cq_status whole = cq_scene_refuse_tear(scene);
  const cq_status status = whole == CQ_OK ? cq_sim_forward(scene->sim, scene->current) : whole;
  const bool ran = cq_sim_statistics(scene->sim)->steps_forward > before;
  const bool failed = cq_status_is_numeric(status);
  scene->simulations += ran || failed;
  scene->failures += failed;
  return failed ? cq_scene_explain(scene, cq_sim_failure(scene->sim), status) : status;
}

/* d(inputs) of a function of the controls alone, whose controller is a table */
static void pull_controls(const cq_scene *scene, const double *du, double *d_inputs) {
  const cq_model *model = &scene->model;
  double *dtheta = d_inputs + cq_layout_offset(&scene->layout, "theta");
  const double *theta = scene->current + cq_layout_offset(&scene->layout, "theta");
  double room[CQ_CONTROL_ROOM];
  memset(d_inputs, 0, scene->layout.total * sizeof *d_inputs);
  for (int k = 0; k < model->steps && du != NULL; k++) {
    control_adjoint(&model->controller, theta, NULL, k, du + (size_t)k * (size_t)model->n_controls,
                    dtheta, NULL, room);
  }
}

/* dL/d(inputs) of all functions that need an adjoint sweep, in one. */
static cq_status sweep(cq_scene *scene, const cq_watch *watch) {
  cq_objective *o = &scene->objective;
  if (scene->gradients == NULL) {
    CQ_TRY(CQ_ARENA(&scene->arena, scene->gradients, (size_t)o->n_functions * scene->layout.total));
    CQ_TRY(cq_objective_make_room(scene, o));
  }
  cq_objective_seed(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim));
  if (o->n_seeds > 0) {
    CQ_TRY(cq_sim_backward_watched(scene->sim, o->n_seeds, o->seeds, watch, scene->gradients));
    scene->gradient_sweeps++;
  }
  return CQ_OK;
}

cq_status cq_scene_sweep(cq_scene *scene, const double *x, const cq_watch *watch) {
  CQ_TRY(run(scene, x));
  return sweep(scene, watch);
}

/* Gradient of every function. */
static cq_status differentiate(cq_scene *scene, const double *x, double *grad, double *jac) {
  cq_objective *o = &scene->objective;
  const size_t total = scene->layout.total;
  const cq_watch watch = cq_scene_watch_growth(scene);
  CQ_TRY(sweep(scene, &watch));
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

/* cq_problem.eval: a run, and a sweep where gradients are wanted. */
static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  cq_scene *scene = data;
  cq_objective *o = &scene->objective;
  double values[1 + MOST_FUNCTIONS];
  scene->evaluated = scene;
  if (grad == NULL && cq_ahead_answers(scene->ahead, x, f, c)) {
    return CQ_OK;
  }
  CQ_TRY(run(scene, x));
  cq_objective_value(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim), values);
  *f = values[0];
  if (c != NULL) {
    memcpy(c, values + 1, (size_t)(o->n_functions - 1) * sizeof *c);
  }
  return grad != NULL ? differentiate(scene, x, grad, jac) : CQ_OK;
}

/* relative error of an objective that is simulated in float */
static const double FLOAT_NOISE = 1e-6;

cq_status cq_scene_build_problem(cq_scene *scene) {
  const cq_design *design = &scene->design;
  const cq_objective *o = &scene->objective;
  CQ_CHECK(scene->ctx, o->n_functions <= 1 + MOST_FUNCTIONS, CQ_CONFIG,
           "%d constraints are more than the %d there can be", o->n_functions - 1, MOST_FUNCTIONS);
  CQ_TRY(CQ_ARENA(&scene->arena, scene->growth, o->n_seeds));
  scene->problem = (cq_problem){
      .n = design->n,
      .n_inequality = o->n_inequality,
      .n_equality = o->n_equality,
      .lower = design->lower,
      .upper = design->upper,
      .start = design->start,
      .scale = design->scale,
      .constraint_size = o->size,
      .noise = scene->model.bits == 64 ? 0 : FLOAT_NOISE,
      .eval = evaluate,
      .refined = cq_scene_evaluate_refined,
      .ahead = cq_ahead_run,
      .data = scene,
  };
  const cq_optimizer_def def = cq_optimizer_of(&scene->config.optimizer);
  scene->optimizer = cq_optimizer_resolve(&def, &scene->problem);
  return cq_scenarios_build(scene);
}

const cq_problem *cq_scene_problem(const cq_scene *scene) {
  return &scene->problem;
}

const cq_optimizer_def *cq_scene_optimizer(const cq_scene *scene) {
  return &scene->optimizer;
}

void cq_scene_add_statistics(const cq_scene *scene, cq_scene_stats *stats, long long *failures) {
  if (scene == NULL) {
    return;
  }
  const cq_scene_stats own = cq_scene_statistics(scene);
  stats->simulations += own.simulations;
  stats->gradients += own.gradients;
  stats->forward_seconds += own.forward_seconds;
  stats->backward_seconds += own.backward_seconds;
  stats->memo_bytes += own.memo_bytes;
  *failures += llround(own.failed_fraction * (double)own.simulations);
}

/* What the engine counted in the last run, with its words. */
static void take_tally(const cq_scene *scene, const cq_tally *tally, cq_counted *out) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  for (int i = 0; i < type->n_tallies; i++) {
    out[i] = (cq_counted){type->tallies[i], tally->of[i]};
  }
}

cq_scene_stats cq_scene_statistics(const cq_scene *scene) {
  const cq_sim_stats *sim = cq_sim_statistics(scene->sim);
  long long failures = scene->failures;
  cq_scene_stats stats = {.simulations = scene->simulations,
                          .gradients = scene->gradient_sweeps,
                          .forward_seconds = sim->forward_seconds,
                          .backward_seconds = sim->backward_seconds,
                          .memo_states = sim->memo_states,
                          .memo_bytes = sim->memo_bytes};
  take_tally(scene, &sim->tally, stats.tally);
  for (int i = 0; i < CQ_MOST_REFINED; i++) {
    cq_scene_add_statistics(scene->refined[i], &stats, &failures);
  }
  cq_ahead_statistics(scene->ahead, &stats, &failures);
  if (scene->scenarios != NULL) {
    cq_scenarios_statistics(scene->scenarios, &stats, &failures);
  }
  if (stats.simulations > 0) {
    stats.failed_fraction = (double)failures / (double)stats.simulations;
  }
  return stats;
}
