/* A scene at a design: x -> inputs -> run -> objective and constraints, and back. */
#include "control.h"
#include "engine.h"
#include "grade.h"
#include "residuals.h"
#include "scene_tear.h"
#include "status.h"
#include "tangents.h"

#include <math.h>
#include <string.h>

enum { MOST_FUNCTIONS = 64 };

cq_status cq_scene_run(cq_scene *scene, const double *x) {
  cq_scene_take_design(scene, x, scene->current);
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
  }
  CQ_TRY(cq_objective_make_room(scene, o));
  cq_objective_seed(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim));
  if (o->n_seeds > 0) {
    CQ_TRY(cq_sim_backward_watched(scene->sim, o->n_seeds, o->seeds, watch, scene->gradients));
    scene->gradient_sweeps++;
  }
  return CQ_OK;
}

cq_status cq_scene_sweep(cq_scene *scene, const double *x, const cq_watch *watch) {
  CQ_TRY(cq_scene_run(scene, x));
  return sweep(scene, watch);
}

/* Gradient of every function, by one adjoint sweep. */
static cq_status pull_sweep(cq_scene *scene, const double *x, double *grad, double *jac) {
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
      cq_design_pull_calibration(&scene->design, x, o->functions[i].dp, row);
    }
  }
  return CQ_OK;
}

/* Gradient of every function. */
static cq_status differentiate(cq_scene *scene, const double *x, double *grad, double *jac) {
  const cq_gradient_kind kind = cq_sim_gradient(scene->sim);
  const bool tangents = kind == CQ_GRADIENT_EXACT_TANGENT || kind == CQ_GRADIENT_HEURISTIC;
  return tangents && !cq_sim_sweeps(scene->sim) ? cq_scene_tangents(scene, x, grad, jac)
                                                : pull_sweep(scene, x, grad, jac);
}

/* A run, what is measured of it, and the gradient where it is asked for. */
cq_status cq_scene_evaluate(cq_scene *scene, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  cq_objective *o = &scene->objective;
  double values[1 + MOST_FUNCTIONS];
  CQ_TRY(cq_scene_run(scene, x));
  const double *z = cq_sim_observations(scene->sim), *u = cq_sim_controls(scene->sim);
  cq_objective_value(o, z, u, values);
  for (int i = 0; i < o->n_functions; i++) {
    CQ_TRY(isnan(values[i]) ? cq_objective_check_seen(scene, &o->functions[i], z, u) : CQ_OK);
  }
  *f = values[0] + cq_prior_value(&scene->design.prior, x);
  if (c != NULL) {
    memcpy(c, values + 1, (size_t)(o->n_functions - 1) * sizeof *c);
  }
  if (grad != NULL) {
    CQ_TRY(differentiate(scene, x, grad, jac));
    cq_prior_slope(&scene->design.prior, x, grad);
  }
  return CQ_OK;
}

/* Of a run at x. */
void cq_scene_take_residuals(const cq_scene *scene, const double *x, double *r) {
  const cq_prior *prior = &scene->design.prior;
  cq_residuals_of(&scene->objective, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim),
                  r);
  cq_prior_residuals(prior, x, r + scene->n_residuals - prior->n);
}

bool cq_scene_tell_residual(const cq_scene *scene, int i, const double *r, double factor,
                            cq_residual_info *out) {
  const int first = scene->n_residuals - scene->design.prior.n;
  if (i < first) {
    return cq_residuals_tell(&scene->objective, i, r, factor, out);
  }
  cq_prior_tell(&scene->design.prior, i - first, r[i], factor, out);
  return true;
}

/* Truncation falls and rounding grows with smaller steps: about where they meet. */
static const double STEP_DOUBLE = 1e-5, STEP_FLOAT = 1e-3;

/* The steps of derivatives that are made of differences; *part: of what a variable may change by.
 */
static cq_status take_steps(cq_scene *scene, const cq_engine_type *type, const double **out,
                            double *part_out) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_design *d = &scene->design;
  const double usual = fmax(scene->model.bits == 64 ? STEP_DOUBLE : STEP_FLOAT, type->roughness);
  const double part = isnan(keys->difference_step) ? usual : keys->difference_step;
  double *steps = NULL;
  CQ_KEY_CHECK(scene->ctx, part >= type->roughness, keys, difference_step,
               "runs of simulation.engine = \"%s\" are chaotic: smaller changes than %g of a "
               "variable's range say nothing",
               type->name, type->roughness);
  CQ_TRY(CQ_ARENA(&scene->arena, steps, d->n));
  for (int j = 0; j < d->n; j++) {
    steps[j] = part * fmin(d->scale[j], d->upper[j] - d->lower[j]);
    CQ_KEY_CHECK(scene->ctx, steps[j] == 0 || d->start[j] + steps[j] > d->start[j], keys,
                 difference_step, "a step of %g is lost in the rounding of variable %d, %.17g",
                 steps[j], j, d->start[j]);
  }
  *out = steps;
  *part_out = part;
  return CQ_OK;
}

/* Whether the objective is a sum of squares, and the steps of its residuals' derivatives. */
static cq_status take_residuals(cq_scene *scene, const cq_engine_type *type) {
  char why[256];
  double part = NAN;
  scene->n_residuals = cq_residuals_count(&scene->objective, why, sizeof why);
  if (scene->n_residuals == 0) {
    return cq_arena_text(&scene->arena, &scene->no_residuals, "%s", why);
  }
  scene->n_residuals += scene->design.prior.n;
  if (scene->difference != NULL) {
    scene->residual_steps = scene->difference;
    return CQ_OK;
  }
  return take_steps(scene, type, &scene->residual_steps, &part);
}

cq_status cq_scene_prepare_evaluation(cq_scene *scene) {
  const cq_objective *o = &scene->objective;
  CQ_CHECK(scene->ctx, o->n_functions <= 1 + MOST_FUNCTIONS, CQ_CONFIG,
           "%d constraints are more than the %d there can be", o->n_functions - 1, MOST_FUNCTIONS);
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  if (cq_engine_gradient(type, scene->model.gradient)->grade == CQ_GRADIENT_DIFFERENCE) {
    double part = NAN;
    CQ_TRY(take_steps(scene, type, &scene->difference, &part));
    scene->differences_are = cq_grade_of_differences(part);
    scene->difference_part = part;
  }
  CQ_TRY(take_residuals(scene, type));
  return CQ_ARENA(&scene->arena, scene->growth, o->n_seeds);
}
