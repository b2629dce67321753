/* Inputs to the device, states and gradients back. */
#ifndef CQ_MPM_CUDA_IO_CUH
#define CQ_MPM_CUDA_IO_CUH

#include "mpm_cuda_create.cuh"
#include "mpm_inputs.h"

static cq_status to_device(cuda *c, void *to, const void *from, size_t bytes, const char *what) {
  return copy_in(&c->memory, to, from, bytes, what);
}

static cq_status to_host(cuda *c, void *to, const void *from, size_t bytes, const char *what) {
  return copy_out(&c->memory, to, from, bytes, what);
}

static cq_status clear(cuda *c, void *at, size_t bytes, const char *what) {
  if (at != NULL && bytes > 0) {
    CQ_CUDA_TRY(c->ctx, cudaMemsetAsync(at, 0, bytes, c->stream), what);
  }
  return CQ_OK;
}

/* What kernels did wrong shows here. */
static cq_status wait(cuda *c, const char *what) {
  return wait_for(&c->memory, what);
}

/* --- slabs ----------------------------------------------------------------------------------- */

static size_t slab_bytes(const cuda *c) {
  return c->w.stride * CQ_STATE_COMPONENTS * sizeof(real);
}

static size_t means_bytes(const cuda *c) {
  return (size_t)c->w.n_slots * sizeof(pressed);
}

/* with its mean pressures; components of the next state begin where those of a slab do */
static size_t state_size(const cuda *c) {
  const size_t row = CQ_WARP * sizeof(real);
  return slab_bytes(c) + (means_bytes(c) + row - 1) / row * row;
}

/* A slab to c->slab, but for what lies between its components, which nobody has written. */
static cq_status slab_to_host(cuda *c, const void *slab) {
  const real *from = (const real *)slab;
  for (size_t k = 0; k < CQ_STATE_COMPONENTS; k++) {
    const size_t at = k * c->w.stride;
    CQ_TRY(to_host(c, c->slab + at, from + at, (size_t)c->w.n * sizeof *from, "reading a state"));
  }
  return wait(c, "reading a state");
}

static cq_status fetch(cuda *c, const void *slab, double *out) {
  CQ_TRY(slab_to_host(c, slab));
  V(cq_mpm_slab_to)(c->layout, (size_t)c->w.n, c->w.stride, c->id, c->slab, out);
  return CQ_OK;
}

static void download(const void *engine, const void *state, double *out) {
  cuda *c = of_engine(engine);
  const cq_status status = fetch(c, state, out);
  c->trouble = status != CQ_OK ? status : c->trouble;
}

static void field_of(const void *engine, int field, const double *inputs, const double *state,
                     double *out) {
  const cuda *c = of_engine(engine);
  V(cq_mpm_field)(c->model, c->layout, field, inputs, state, out);
}

/* --- inputs ---------------------------------------------------------------------------------- */

/* In the order of the model's particles for now: so a failure finds them. */
static cq_status check_particles(cuda *c, const double *inputs) {
  for (int i = 0; i < c->w.n; i++) {
    c->id[i] = i;
  }
  V(cq_mpm_slab_from)(c->layout, (size_t)c->w.n, c->w.stride, NULL, inputs, c->slab);
  return V(cq_mpm_check_start)(c->ctx, c->model, c->layout, &c->w.t, inputs, c->slab, c->w.stride,
                               &c->failure);
}

/* Records by cell, particles of a cell in their order: neighbours stand beside each other. */
static cq_status order_particles(cuda *c) {
  int *cell = NULL, *start = NULL;
  cq_status status = CQ_ALLOC(c->ctx, cell, c->w.n);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, start, (size_t)c->w.n_nodes + 1);
  for (int p = 0; status == CQ_OK && p < c->w.n; p++) {
    const vec x = slab_position(c->slab, c->w.stride, p);
    cell[p] = 0;
    FOR_AXES(a) {
      cell[p] = cell[p] * c->w.grid[a] + spline_base(x.v[a], c->w.t.inv_dx);
    }
    start[cell[p] + 1]++;
  }
  for (int i = 0; status == CQ_OK && i < c->w.n_nodes; i++) {
    start[i + 1] += start[i];
  }
  for (int p = 0; status == CQ_OK && p < c->w.n; p++) {
    const int i = start[cell[p]]++;
    c->id[i] = p;
    c->place[p] = i;
  }
  cq_free(c->ctx, cell);
  cq_free(c->ctx, start);
  return status;
}

/* What belongs to particles, in the order of the records. */
static cq_status upload_particles(cuda *c, const double *inputs, int *kinds, real *numbers) {
  const cq_model *m = c->model;
  const world *w = &c->w;
  const size_t n = (size_t)w->n;
  const double *from = inputs + c->layout->offset[CQ_INPUT_youngs_modulus];
  for (size_t i = 0; i < n; i++) {
    const int p = c->id[i];
    kinds[i] = c->own->material[p];
    kinds[n + i] = m->actuator[p];
    for (size_t k = 0; k < 4; k++) {
      numbers[k * w->stride + i] = K(from[k * n + (size_t)p]);
    }
    numbers[4 * w->stride + i] = c->own->viscosity != NULL ? K(c->own->viscosity[p]) : K(0);
  }
  CQ_TRY(to_device(c, w->id, c->id, n * sizeof(int), "particles"));
  CQ_TRY(to_device(c, w->place, c->place, n * sizeof(int), "particles"));
  CQ_TRY(to_device(c, w->material, kinds, n * sizeof(int), "particles"));
  CQ_TRY(to_device(c, w->actuator_of, kinds + n, n * sizeof(int), "particles"));
  CQ_TRY(to_device(c, w->substance, numbers, 4 * w->stride * sizeof(real), "particles"));
  if (w->viscosity != NULL) {
    CQ_TRY(to_device(c, w->viscosity, numbers + 4 * w->stride, n * sizeof(real), "particles"));
  }
  return wait(c, "uploading particles");
}

/* Nothing counted, nothing observed, nothing failed. */
static cq_status clear_run(cuda *c) {
  const world *w = &c->w;
  const size_t nodes = (size_t)w->n_nodes;
  fate none;
  memset(&none, 0, sizeof none);
  none.failed = none.bad = ~0ull;
  CQ_TRY(clear(c, w->count, nodes * sizeof *w->count, "cells"));
  CQ_TRY(clear(c, w->sum, nodes * sizeof *w->sum, "nodes"));
  CQ_TRY(clear(c, w->pull, nodes * sizeof *w->pull, "nodes"));
  CQ_TRY(clear(c, w->z, z_length(c) * sizeof *w->z, "history"));
  CQ_TRY(to_device(c, w->end, &none, sizeof none, "a run"));
  return wait(c, "clearing a run");
}

static cq_status upload(void *engine, const double *inputs, void *state) {
  cuda *c = of_engine(engine);
  const world *w = &c->w;
  c->failure.status = CQ_OK;
  c->tally.of[CQ_TALLY_INVERTED] = c->tally.of[CQ_TALLY_CLAMPED] = 0;
  const cq_status valid = check_particles(c, inputs);
  if (valid != CQ_OK) { /* the state that stopped the run */
    CQ_TRY(to_device(c, state, c->slab, slab_bytes(c), "the first state"));
    CQ_TRY(wait(c, "the first state"));
    return valid;
  }
  CQ_TRY(order_particles(c));
  V(cq_mpm_slab_from)(c->layout, (size_t)w->n, w->stride, c->id, inputs, c->slab);
  CQ_TRY(to_device(c, state, c->slab, slab_bytes(c), "the first state"));
  CQ_TRY(clear(c, (char *)state + slab_bytes(c), means_bytes(c), "the first state"));
  int *kinds = NULL;
  real *numbers = NULL;
  cq_status status = CQ_ALLOC(c->ctx, kinds, 2 * w->n);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, numbers, 5 * w->stride);
  status = status != CQ_OK ? status : upload_particles(c, inputs, kinds, numbers);
  cq_free(c->ctx, kinds);
  cq_free(c->ctx, numbers);
  CQ_TRY(status);
  V(cq_mpm_grid_inputs)(c->layout, inputs, &c->in.in);
  c->in.decay = grid_decay(&c->g, &c->in.in);
  CQ_TRY(to_device(c, w->inputs, &c->in, sizeof c->in, "settings"));
  CQ_TRY(to_device(c, w->theta, inputs + c->layout->offset[CQ_INPUT_theta],
                   (size_t)w->n_theta * sizeof(double), "the controller"));
  return clear_run(c);
}

#endif
