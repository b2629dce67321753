/* Vector-Jacobian products: seeds at what was observed, a sweep back, and what it found. */
#include "run.h"

#include <math.h>
#include <string.h>

static cq_status begin_kept(const cq_run *run) {
  CQ_TRY(cq_run_begin_reset(run));
  CQ_CHECK(run->ctx, run->seeds != NULL, CQ_USAGE,
           "the run keeps no states: create it with CQ_RUN_KEEP");
  return CQ_OK;
}

cq_status cq_run_seed(cq_run *run, int observable, int step, const double *d, size_t n) {
  size_t place = 0;
  CQ_TRY(begin_kept(run));
  CQ_TRY(cq_run_place(run, observable, step, d, n, &place));
  const int swept = cq_stepper_swept(run->stepper);
  CQ_CHECK(run->ctx, swept < 0 || step <= swept, CQ_USAGE,
           "the sweep has passed state %d: it is at %d", step, swept);
  for (size_t i = 0; i < n; i++) {
    CQ_CHECK(run->ctx, isfinite(d[i]), CQ_USAGE, "d[%zu] is %g", i, d[i]);
  }
  for (size_t i = 0; i < n; i++) {
    run->seeds[place + i] += d[i];
  }
  return CQ_OK;
}

cq_status cq_run_clear_seeds(cq_run *run) {
  CQ_TRY(begin_kept(run));
  const cq_z_rows *const rows = cq_stepper_layout(run->stepper)->rows;
  const size_t steps = (size_t)run->model.steps;
  cq_stepper_pull_drop(run->stepper);
  memset(run->seeds, 0, rows->begin[steps + 1] * sizeof(double));
  memset(run->seeds_u, 0, steps * (size_t)run->model.n_controls * sizeof(double));
  return CQ_OK;
}

cq_status cq_run_pull(cq_run *run) {
  CQ_TRY(begin_kept(run));
  run->seed = (cq_seed){.dz = run->seeds, .du = run->seeds_u};
  run->pulled_from = -1;
  CQ_TRY(cq_stepper_pull(run->stepper, &run->seed, run->gradient, run->du));
  run->pulled_from = cq_stepper_step(run->stepper);
  return CQ_OK;
}

/* --- in parts -----------------------------------------------------------------------------------
 */

/* Forgets the seeds of state `step` and of those after it, which the sweep has taken. */
static void use_up(cq_run *run, int step) {
  const size_t *const begin = cq_stepper_layout(run->stepper)->rows->begin;
  const size_t steps = (size_t)run->model.steps, n_u = (size_t)run->model.n_controls;
  memset(run->seeds + begin[step], 0, (begin[steps + 1] - begin[step]) * sizeof(double));
  memset(run->seeds_u + (size_t)step * n_u, 0, (steps - (size_t)step) * n_u * sizeof(double));
}

static cq_status begin_sweep(cq_run *run) {
  run->seed = (cq_seed){.dz = run->seeds, .du = run->seeds_u};
  run->pulled_from = -1;
  return cq_stepper_pull_begin(run->stepper, &run->seed, run->du);
}

/* The first call begins a sweep, the one that comes to the first state ends it. */
cq_status cq_run_pull_to(cq_run *run, int step) {
  CQ_TRY(begin_kept(run));
  const int swept = cq_stepper_swept(run->stepper), at = cq_stepper_step(run->stepper);
  const int first = cq_stepper_first(run->stepper), from = swept < 0 ? at : swept;
  CQ_CHECK(run->ctx, step >= first && step < from, CQ_USAGE,
           "a sweep cannot go from state %d to %d: the run began at %d", from, step, first);
  if (swept < 0) {
    CQ_TRY(begin_sweep(run));
  }
  CQ_TRY(cq_stepper_pull_to(run->stepper, step));
  use_up(run, step);
  if (step == first) {
    CQ_TRY(cq_stepper_pull_end(run->stepper, run->gradient));
  }
  run->pulled_from = at;
  return CQ_OK;
}

/* By the design, of which the inputs must be. */
static cq_status pull_design(const cq_run *run, double *out, size_t n) {
  const cq_design *const design = &run->file->scene->design;
  CQ_CHECK(run->ctx, !run->written, CQ_USAGE,
           "the run did not start from a design: an input was written, or a state loaded");
  CQ_TRY(cq_api_length(run->ctx, "the gradient by x", out, n, (size_t)design->n));
  CQ_CHECK(run->ctx, run->file->scene->objective.n_calibration == 0, CQ_USAGE,
           "the design calibrates a measurement, which a run does not know; evaluate the file");
  cq_design_pull(design, run->x, run->gradient, out);
  return CQ_OK;
}

static cq_status copy_controls(const cq_run *run, double *out, size_t n) {
  const size_t steps = (size_t)run->pulled_from, n_u = (size_t)run->model.n_controls;
  CQ_TRY(cq_api_length(run->ctx, "the gradient by controls", out, n, steps * n_u));
  memcpy(out, run->du, n * sizeof *out);
  return CQ_OK;
}

/* Controls stand before the check of the sweep: theirs can be read while one is on its way. */
cq_status cq_run_gradient(cq_run *run, int input, double *out, size_t n) {
  CQ_TRY(begin_kept(run));
  const cq_layout *const layout = &run->file->scene->layout;
  CQ_CHECK(run->ctx, run->pulled_from >= 0, CQ_USAGE, "a gradient needs a pull before it");
  if (input == CQ_GRADIENT_CONTROLS) {
    return copy_controls(run, out, n);
  }
  CQ_CHECK(run->ctx, cq_stepper_swept(run->stepper) < 0, CQ_USAGE,
           "the sweep is at state %d: only controls have a gradient on the way",
           cq_stepper_swept(run->stepper));
  if (input == CQ_GRADIENT_DESIGN) {
    return pull_design(run, out, n);
  }
  CQ_TRY(cq_api_index(run->ctx, "input", input, layout->n));
  CQ_TRY(cq_api_length(run->ctx, layout->inputs[input].name, out, n, layout->count[input]));
  memcpy(out, run->gradient + layout->offset[input], n * sizeof *out);
  return CQ_OK;
}
