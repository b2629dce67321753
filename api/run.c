/* A run: making it, its steps and its controls. */
#include "run.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

/* Everything that has a size of its own. */
static cq_status create_parts(cq_run *run, unsigned what) {
  cq_scene *const scene = run->file->scene;
  const bool keeps = (what & CQ_RUN_KEEP) != 0;
  run->arena.ctx = run->ctx;
  run->model = scene->model;
  CQ_TRY(cq_run_list_observables(run));
  run->n_records = cq_scene_records(scene, run->records);
  CQ_TRY(cq_stepper_create(run->ctx, &run->model, keeps, &run->stepper));
  run->objective = scene->objective;
  run->objective.model = &run->model;
  run->objective.rows = cq_stepper_layout(run->stepper)->rows;
  CQ_TRY(cq_run_open_images(run));
  CQ_TRY(CQ_ALLOC(run->ctx, run->x, scene->design.n));
  CQ_TRY(CQ_ALLOC(run->ctx, run->inputs, scene->layout.total));
  if (keeps) {
    const size_t steps = (size_t)run->model.steps;
    CQ_TRY(CQ_ALLOC(run->ctx, run->seeds, cq_stepper_layout(run->stepper)->rows->begin[steps + 1]));
    CQ_TRY(CQ_ALLOC(run->ctx, run->gradient, scene->layout.total));
    CQ_TRY(CQ_ALLOC(run->ctx, run->du, steps * (size_t)run->model.n_controls));
    CQ_TRY(CQ_ALLOC(run->ctx, run->seeds_u, steps * (size_t)run->model.n_controls));
  }
  return CQ_OK;
}

/* A run of its own simulator, at no state yet. */
cq_status cq_run_create(cq_file *file, unsigned what, cq_run **out) {
  cq_run *run = NULL;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, out != NULL, CQ_USAGE, "there is nowhere to put the run");
  *out = NULL;
  CQ_CHECK(file->ctx, (what & ~(unsigned)CQ_RUN_KEEP) == 0, CQ_USAGE,
           "a run is for CQ_RUN_KEEP or nothing, not for %u", what);
  CQ_CHECK(file->ctx, file->scene->joined == NULL, CQ_CONFIG,
           "a run is of one experiment: load the file with experiments=\"%s\" to step through it",
           file->scene->joined->all[0].name);
  CQ_TRY(CQ_ALLOC(file->ctx, run, 1));
  run->file = file;
  run->ctx = file->ctx;
  run->pulled_from = -1;
  file->n_runs++;
  const cq_status status = create_parts(run, what);
  if (status != CQ_OK) {
    cq_run_destroy(run);
    return status;
  }
  *out = run;
  return CQ_OK;
}

/* Gives the file back, which may have been destroyed meanwhile. */
void cq_run_destroy(cq_run *run) {
  if (run == NULL) {
    return;
  }
  cq_file *const file = run->file;
  cq_stepper_destroy(run->stepper);
  cq_free(run->ctx, run->x);
  cq_free(run->ctx, run->inputs);
  cq_free(run->ctx, run->seeds);
  cq_free(run->ctx, run->seeds_u);
  cq_free(run->ctx, run->gradient);
  cq_free(run->ctx, run->du);
  cq_free(run->ctx, run->radii);
  cq_free(run->ctx, run->state);
  cq_free(run->ctx, run->maps);
  cq_arena_release(&run->arena);
  cq_free(run->ctx, run);
  file->n_runs--;
  cq_api_leave(file);
}

/* --- steps --------------------------------------------------------------------------------------
 */

cq_status cq_run_reset(cq_run *run, const double *x, int n) {
  CQ_TRY(cq_run_begin(run));
  cq_scene *const scene = run->file->scene;
  CQ_TRY(cq_api_design(run->file, x, n, &x));
  memcpy(run->x, x, (size_t)scene->design.n * sizeof *x);
  memcpy(run->inputs, scene->inputs, scene->layout.total * sizeof(double));
  cq_scene_take_design(scene, x, run->inputs);
  run->written = run->sized = run->sees = false;
  run->pulled_from = -1;
  const cq_status status = cq_stepper_reset(run->stepper, run->inputs);
  CQ_TRY(cq_run_explain(run, status));
  return run->seeds != NULL ? cq_run_clear_seeds(run) : CQ_OK;
}

/* Controls [n] are one row or `steps` rows, finite and inside their bounds. */
static cq_status check_controls(const cq_run *run, int steps, const double *u, size_t n) {
  const cq_scene *const scene = run->file->scene;
  const size_t n_u = (size_t)run->model.n_controls;
  CQ_CHECK(run->ctx, n_u > 0, CQ_USAGE, "%s has no controls", cq_scene_name(scene));
  CQ_CHECK(run->ctx, n == n_u || n == (size_t)steps * n_u, CQ_USAGE,
           "there are %zu controls: %zu numbers are neither one row nor %d", n_u, n, steps);
  for (size_t i = 0; i < n; i++) {
    const size_t k = i % n_u;
    CQ_CHECK(run->ctx, u[i] >= scene->u_min[k] && u[i] <= scene->u_max[k], CQ_USAGE,
             "control %s is %g, outside its bounds %g and %g", scene->controls[k].name, u[i],
             scene->u_min[k], scene->u_max[k]);
  }
  return CQ_OK;
}

cq_status cq_run_advance(cq_run *run, int steps, const double *u, size_t n) {
  CQ_TRY(cq_run_begin_reset(run));
  const int at = cq_stepper_step(run->stepper), last = run->model.steps;
  CQ_CHECK(run->ctx, steps >= 0 && steps <= last - at, CQ_USAGE,
           "%d steps cannot be made from state %d: the run of the file ends at %d", steps, at,
           last);
  CQ_CHECK(run->ctx, u != NULL || n == 0, CQ_USAGE, "there are no controls");
  if (u != NULL) {
    CQ_TRY(check_controls(run, steps, u, n));
  }
  const int rows = n == (size_t)run->model.n_controls ? 1 : steps;
  run->sees = false;
  return cq_run_explain(run, cq_stepper_advance(run->stepper, steps, u, rows));
}

int cq_run_step(const cq_run *run) {
  return run != NULL && !run->file->destroyed ? cq_stepper_step(run->stepper) : -1;
}

cq_status cq_run_control(const cq_run *run, int i, cq_about_control *out) {
  CQ_TRY(cq_run_begin(run));
  const cq_scene *const scene = run->file->scene;
  CQ_TRY(cq_api_index(run->ctx, "control", i, run->model.n_controls));
  const cq_about_control about = {.name = scene->controls[i].name,
                                  .unit = scene->controls[i].unit,
                                  .lower = scene->u_min[i],
                                  .upper = scene->u_max[i],
                                  .rest = scene->u_rest[i]};
  return CQ_GIVE(run->ctx, out, about);
}

cq_status cq_run_read_controls(cq_run *run, int step, double *u, size_t n) {
  CQ_TRY(cq_run_begin(run));
  const size_t n_u = (size_t)run->model.n_controls;
  const int first = cq_stepper_first(run->stepper), at = cq_stepper_step(run->stepper);
  CQ_CHECK(run->ctx, step >= first && step < at, CQ_USAGE, "step %d was not made", step);
  CQ_TRY(cq_api_length(run->ctx, "controls", u, n, n_u));
  memcpy(u, cq_stepper_controls(run->stepper) + (size_t)step * n_u, n_u * sizeof *u);
  return CQ_OK;
}
