/* Fields of a run's present state, and the inputs it starts from. */
#include "run.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

/* The controls of the step that led here; those of the step to come are not known. */
static const double *controls_here(const cq_run *run) {
  const int at = cq_stepper_step(run->stepper);
  const int step = at > cq_stepper_first(run->stepper) ? at - 1 : at;
  const int within = step < run->model.steps ? step : run->model.steps - 1;
  return cq_stepper_controls(run->stepper) + (size_t)within * (size_t)run->model.n_controls;
}

/* A field of the present state. */
cq_status cq_run_read(cq_run *run, int field, double *out, size_t n) {
  CQ_TRY(cq_run_begin_reset(run));
  CQ_TRY(cq_api_index(run->ctx, "field", field, run->n_records));
  const cq_record *const record = &run->records[field];
  CQ_TRY(cq_api_length(run->ctx, record->name, out, n,
                       (size_t)run->model.n_particles * (size_t)record->components));
  double *state = NULL;
  CQ_TRY(CQ_ALLOC(run->ctx, state, run->file->scene->layout.state_total));
  cq_stepper_state(run->stepper, state);
  if (record->source == CQ_RECORD_FIELD) {
    cq_stepper_field(run->stepper, record->index, state, out);
  } else {
    cq_record_take(record, run->file->scene, NULL, cq_stepper_inputs(run->stepper), state,
                   controls_here(run), out);
  }
  cq_free(run->ctx, state);
  return CQ_OK;
}

static cq_status check_input(const cq_run *run, int input, const void *array, size_t n) {
  CQ_TRY(cq_run_begin_reset(run));
  const cq_layout *const layout = &run->file->scene->layout;
  CQ_TRY(cq_api_index(run->ctx, "input", input, layout->n));
  return cq_api_length(run->ctx, layout->inputs[input].name, array, n, layout->count[input]);
}

cq_status cq_run_read_input(cq_run *run, int input, double *out, size_t n) {
  CQ_TRY(check_input(run, input, out, n));
  memcpy(out, cq_stepper_inputs(run->stepper) + run->file->scene->layout.offset[input],
         n * sizeof *out);
  return CQ_OK;
}

static cq_status check_values(const cq_run *run, const cq_input *input, const double *values,
                              size_t n) {
  const cq_bounds *const b = &input->bounds;
  for (size_t i = 0; i < n; i++) {
    const double v = values[i];
    CQ_CHECK(run->ctx, isfinite(v), CQ_USAGE, "%s[%zu] is %g", input->name, i, v);
    CQ_CHECK(run->ctx, b->lower_text == NULL || v > b->above || (b->may_equal && v == b->above),
             CQ_USAGE, "%s[%zu] is %g: it must be above %g", input->name, i, v, b->above);
    CQ_CHECK(run->ctx, b->upper_text == NULL || v < b->below, CQ_USAGE,
             "%s[%zu] is %g: it must be below %g", input->name, i, v, b->below);
  }
  return CQ_OK;
}

/* State 0 is made anew of the inputs. */
cq_status cq_run_write(cq_run *run, int input, const double *values, size_t n) {
  CQ_TRY(check_input(run, input, values, n));
  const cq_layout *const layout = &run->file->scene->layout;
  CQ_CHECK(run->ctx, cq_stepper_step(run->stepper) == 0, CQ_USAGE,
           "an input is written after a reset and before the first step; the run is at state %d",
           cq_stepper_step(run->stepper));
  CQ_TRY(check_values(run, &layout->inputs[input], values, n));
  memcpy(run->inputs, cq_stepper_inputs(run->stepper), layout->total * sizeof(double));
  memcpy(run->inputs + layout->offset[input], values, n * sizeof *values);
  run->written = true;
  run->sized = run->sees = false;
  return cq_run_explain(run, cq_stepper_reset(run->stepper, run->inputs));
}
