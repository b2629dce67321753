/* The optimization problem of a scene, and all that is asked of it as a whole. */
#include "task.h"

#include "engine.h"
#include "give.h"
#include "repeats.h"
#include "residuals.h"
#include "scene_tear.h"
#include "status.h"
#include "tangents.h"

#include <limits.h>

/* --- evaluation --------------------------------------------------------------------------------
 */

static cq_status evaluate_refined(void *data, int level, const double *x, double *f, double *c,
                                  double *grad, double *jac) {
  cq_task *task = data;
  return cq_differences_evaluate(task->scene, &task->beside, level, x, f, c, grad, jac);
}

static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  const cq_task *task = data;
  if (grad == NULL && cq_ahead_answers(task->beside.ahead[0], x, f, c)) {
    task->scene->evaluated = task->scene;
    return CQ_OK;
  }
  return evaluate_refined(data, 0, x, f, c, grad, jac);
}

static cq_status residuals(void *data, int level, const double *x, double *f, double *r,
                           double *jac) {
  cq_task *task = data;
  return cq_differences_residuals(task->scene, &task->beside, level, x, f, r, jac);
}

static void run_ahead(void *data, int count, const double *x) {
  cq_task *task = data;
  cq_ahead_run(task->scene, &task->beside.ahead[0], count, x);
}

/* --- making ------------------------------------------------------------------------------------
 */

/* relative error of an objective that is simulated in float */
static const double FLOAT_NOISE = 1e-6;

/* What the gradients of a problem are, are worth, and cost. */
static void take_gradient(const cq_scene *scene, cq_problem *problem) {
  problem->gradient = cq_sim_gradient(scene->sim);
  problem->no_gradient = cq_engine_type_of(scene->model.engine)->no_gradient;
  if (scene->difference != NULL) {
    problem->gradient = scene->differences_are;
    problem->difference = scene->difference;
    problem->gradient_cost = 2.0 * problem->n + 1.0;
  } else if (!cq_sim_sweeps(scene->sim) && (problem->gradient == CQ_GRADIENT_EXACT_TANGENT ||
                                            problem->gradient == CQ_GRADIENT_HEURISTIC)) {
    const bool light =
        problem->gradient == CQ_GRADIENT_HEURISTIC && cq_engine_type_of(scene->model.engine)->light;
    problem->gradient_cost = light ? 2.0 : problem->n + 2.0;
    if (!light) {
      cq_scene_warn_of_tangents(scene);
    }
  }
}

/* Relative errors of derivatives that are differences, in double and in float: what rounding makes
 * of some step, and what is cut off. */
static const double DOUBLE_ERROR = 1e-8, FLOAT_ERROR = 1e-4;

static void take_residuals(const cq_scene *scene, cq_problem *problem) {
  problem->n_residuals = scene->n_residuals;
  problem->no_residuals = scene->no_residuals;
  problem->residuals = residuals;
  problem->jacobian_cost = scene->jacobian.cost;
  problem->jacobian_way = scene->jacobian.way;
  problem->jacobian_error = scene->model.bits == 64 ? DOUBLE_ERROR : FLOAT_ERROR;
  problem->has_deviations =
      scene->n_residuals > 0 && cq_residuals_have_deviations(&scene->objective);
}

/* What the values of a scene are worth: in `problem`, which has its n. */
static void take_worth(const cq_scene *scene, cq_problem *problem) {
  problem->noise = scene->model.bits == 64 ? 0 : FLOAT_NOISE;
  take_gradient(scene, problem);
  take_residuals(scene, problem);
}

/* In the place of the scene's own problem. */
static cq_status join(cq_task *task) {
  const cq_joined *const joined = task->scene->joined;
  CQ_TRY(cq_experiments_begin(task->scene, &task->problem, &task->experiments));
  for (int k = 0; k < joined->count; k++) {
    cq_problem own = {.n = task->problem.n};
    take_worth(joined->all[k].scene, &own);
    CQ_TRY(cq_experiments_add(task->experiments, k, &own, &task->problem));
  }
  cq_experiments_end(task->experiments, &task->problem);
  return CQ_OK;
}

/* Values of batches change anyway, from one evaluation to the next; a copy of a scene with
 * experiments is one of the first of them alone. */
static cq_status take_repeats(cq_task *task) {
  const cq_optimizer_keys *const keys = &task->scene->config.optimizer;
  const bool batch = task->problem.draw != NULL, can = !batch && task->experiments == NULL;
  CQ_KEY_CHECK(task->scene->ctx, can || keys->repeats <= 0, keys, repeats,
               "there are no re-runs %s; leave it out",
               batch ? "where scenarios.combine is \"batch\": a design has no one value"
                     : "of files with experiments");
  task->problem.repeat = can ? cq_repeats_simulate : NULL;
  task->repeatable = (cq_repeatable){task, cq_task_make_variation, cq_scene_destroy};
  task->problem.repeat_data = &task->repeatable;
  if (keys->repeats == INT_MIN && can) {
    task->optimizer.repeats = cq_engine_type_of(task->scene->model.engine)->repeats;
  }
  return can && task->optimizer.repeats > 0 && keys->repeat_with.count > 0
             ? cq_repeats_check(&task->repeatable)
             : CQ_OK;
}

/* Gives a scene its task. */
static cq_status begin(cq_scene *scene) {
  const cq_design *design = &scene->design;
  const cq_objective *o = &scene->objective;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->task, 1));
  cq_task *task = scene->task;
  task->scene = scene;
  task->problem = (cq_problem){
      .n = design->n,
      .n_inequality = o->n_inequality,
      .n_equality = o->n_equality,
      .lower = design->lower,
      .upper = design->upper,
      .start = design->start,
      .scale = design->scale,
      .constraint_size = o->size,
      .eval = evaluate,
      .refined = evaluate_refined,
      .data = task,
  };
  if (scene->joined != NULL) {
    CQ_TRY(join(task));
  } else {
    task->problem.ahead = run_ahead;
    take_worth(scene, &task->problem);
  }
  const cq_optimizer_def def = cq_optimizer_of(&scene->config.optimizer);
  task->optimizer = cq_optimizer_resolve(&def, &task->problem);
  if (scene->n_scenarios > 0) {
    CQ_TRY(cq_scenarios_begin(scene, &task->problem, &task->scenarios));
  }
  return take_repeats(task);
}

/* Gives the scene that was read its task; without one it is freed. */
static cq_status complete(cq_status read, cq_scene **scene) {
  const cq_status status = read == CQ_OK ? begin(*scene) : read;
  if (status != CQ_OK) {
    cq_scene_destroy(*scene);
    *scene = NULL;
  }
  return status;
}

cq_status cq_scene_load(cq_ctx *ctx, const char *name_or_path, const char *const *sets, int n_sets,
                        cq_scene **out) {
  return complete(cq_scene_read(ctx, name_or_path, sets, n_sets, out), out);
}

cq_status cq_scene_load_text(cq_ctx *ctx, const char *name, const char *folder, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out) {
  return complete(cq_scene_read_text(ctx, name, folder, text, sets, n_sets, out), out);
}

cq_status cq_task_make_variation(cq_ctx *ctx, const cq_scene *scene, const char *const *sets,
                                 int n_sets, cq_scene **out) {
  return complete(cq_scene_variation(ctx, scene, sets, n_sets, out), out);
}

cq_status cq_task_make_finer(cq_scene *scene, int level, cq_scene **out) {
  return complete(cq_scene_make_finer(scene, level, out), out);
}

void cq_scene_destroy(cq_scene *scene) {
  if (scene != NULL && scene->task != NULL) {
    cq_scenarios_destroy(scene->task->scenarios);
    cq_experiments_destroy(scene->task->experiments);
    cq_differences_end(&scene->task->beside);
  }
  cq_scene_free(scene);
}

const cq_problem *cq_scene_problem(const cq_scene *scene) {
  return &scene->task->problem;
}

const cq_optimizer_def *cq_scene_optimizer(const cq_scene *scene) {
  return &scene->task->optimizer;
}

/* --- what is asked of a scene or of its scenarios ----------------------------------------------
 */

double cq_scene_term_value(const cq_scene *scene, int i) {
  const cq_task *const task = scene->task;
  if (task->experiments != NULL) {
    return cq_experiments_term(task->experiments, i);
  }
  return task->scenarios != NULL ? cq_scenarios_term(task->scenarios, i)
                                 : cq_scene_own_term(scene, i);
}

cq_status cq_scene_scenario_settings(const cq_scene *scene, int k, char *text, size_t size) {
  return cq_scenarios_settings_text(scene->task->scenarios, k, text, size);
}

double cq_scene_scenario_term(const cq_scene *scene, int k, int i) {
  return cq_scenarios_term_in(scene->task->scenarios, k, i);
}

cq_status cq_scene_get_gradient_health(const cq_scene *scene, cq_gradient_health *out) {
  const cq_task *const task = scene->task;
  const cq_gradient_health health = task->experiments != NULL
                                        ? cq_experiments_health(task->experiments)
                                    : task->scenarios != NULL ? cq_scenarios_health(task->scenarios)
                                                              : cq_scene_own_health(scene);
  return CQ_GIVE(scene->ctx, out, health);
}

cq_status cq_scene_get_residual(const cq_scene *scene, int i, const double *r,
                                cq_residual_info *out) {
  const cq_scenarios *s = scene->task->scenarios;
  cq_residual_info info = {.scenario = -1};
  const cq_experiments *e = scene->task->experiments;
  const bool known = i >= 0 && i < scene->task->problem.n_residuals &&
                     (s != NULL   ? cq_scenarios_tell(s, i, r, &info)
                      : e != NULL ? cq_experiments_tell(e, i, r, &info)
                                  : cq_scene_tell_residual(scene, i, r, 1, &info));
  CQ_CHECK(scene->ctx, known, CQ_USAGE, "there is no residual %d", i);
  return CQ_GIVE(scene->ctx, out, info);
}

/* A batch is that of an evaluation. */
static void draw(const cq_scene *scene, int evaluation) {
  const cq_problem *problem = cq_scene_problem(scene);
  if (problem->draw != NULL) {
    problem->draw(problem->data, evaluation);
  }
}

cq_status cq_scene_find_tear(cq_scene *scene, int level, int evaluation, const double *x,
                             cq_tear *tear) {
  cq_tear found = scene->tear;
  if (scene->task->scenarios != NULL) {
    draw(scene, evaluation);
    CQ_TRY(cq_scenarios_tear(scene->task->scenarios, level, x, &found));
  }
  if (scene->task->experiments != NULL) {
    CQ_TRY(cq_experiments_tear(scene->task->experiments, level, x, &found));
  }
  return CQ_GIVE(scene->ctx, tear, found);
}

cq_status cq_scene_evaluate_finer(cq_scene *scene, int level, int evaluation, const double *x,
                                  double *f, double *c) {
  cq_scene *finer = NULL;
  if (scene->task->experiments != NULL) {
    return cq_experiments_values(scene->task->experiments, level, x, f, c);
  }
  CQ_TRY(cq_task_make_finer(scene, level, &finer));
  draw(finer, evaluation);
  const cq_problem *problem = cq_scene_problem(finer);
  const cq_status status = problem->eval(problem->data, x, f, c, NULL, NULL);
  cq_scene_destroy(finer);
  return status;
}

/* What the engine counted in the last run, with its words. */
static void take_tally(const cq_scene *scene, const cq_tally *tally, cq_scene_stats *to) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  for (int i = 0; i < type->n_tallies; i++) {
    cq_counted *out = i < CQ_MOST_TALLIES ? &to->tally[i] : &to->more[i - CQ_MOST_TALLIES];
    *out = (cq_counted){type->tallies[i], tally->of[i]};
  }
}

cq_status cq_scene_get_statistics(const cq_scene *scene, cq_scene_stats *out) {
  const cq_sim_stats *sim = cq_sim_statistics(scene->sim);
  long long failures = 0;
  cq_scene_stats stats = {.memo_states = sim->memo_states};
  take_tally(scene, &sim->tally, &stats);
  cq_scene_add_work(scene, &stats, &failures);
  cq_differences_statistics(&scene->task->beside, &stats, &failures);
  if (scene->task->scenarios != NULL) {
    cq_scenarios_statistics(scene->task->scenarios, &stats, &failures);
  }
  if (scene->task->experiments != NULL) {
    cq_experiments_statistics(scene->task->experiments, &stats, &failures);
  }
  if (stats.simulations > 0) {
    stats.failed_fraction = (double)failures / (double)stats.simulations;
  }
  return CQ_GIVE(scene->ctx, out, stats);
}
