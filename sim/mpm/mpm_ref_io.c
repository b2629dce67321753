/* The workspace of a CPU variant: creation, and movement between host doubles and slabs. */
#include "mpm_ref.h"

#include "mpm_inputs.h"

#include <string.h>

static size_t stride_of(int n) {
  return ((size_t)n + 15) / 16 * 16;
}

size_t V(cq_ref_state_bytes)(const void *work) {
  const ref *c = work;
  const size_t numbers = WIDE(cq_bodies_numbers)(c->bodies) + WIDE(cq_between_numbers)(c->between);
  /* the next state begins with what a double may be at */
  const size_t means = (pressed_bytes(&c->pressed) + 15) / 16 * 16;
  return c->stride * CQ_STATE_COMPONENTS * sizeof(real) + numbers * sizeof(double) + means;
}

static cq_status allocate(ref *c) {
  cq_ctx *ctx = c->ctx;
  const size_t n = (size_t)c->n;
  c->block_capacity = c->g.count[0] / CQ_BLOCK + 2;
  CQ_TRY(CQ_ALLOC(ctx, c->actuators, c->model->n_actuators));
  CQ_TRY(CQ_ALLOC(ctx, c->substance, 4 * n));
  CQ_TRY(CQ_ALLOC(ctx, c->w, c->model->n_drives));
  CQ_TRY(CQ_ALLOC(ctx, c->totals, c->model->n_groups));
  CQ_TRY(CQ_ALLOC(ctx, c->observations, ((size_t)c->model->n_particles + CQ_CHUNK - 1) / CQ_CHUNK));
  CQ_TRY(CQ_ALLOC(ctx, c->order, n));
  CQ_TRY(CQ_ALLOC(ctx, c->block_of, n));
  CQ_TRY(CQ_ALLOC(ctx, c->block_start, c->block_capacity));
  return CQ_OK;
}

/* The workspace of a model; what depends on the box of the particles comes later. */
cq_status V(cq_ref_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                           void **work) {
  *work = NULL;
  ref *c = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = ctx;
  c->model = model;
  c->own = cq_mpm_of(model);
  c->layout = layout;
  c->n = cq_mpm_n_soft(model);
  c->threads = c->n < CQ_SERIAL_BELOW ? 1 : cq_ctx_threads(ctx);
  c->stride = stride_of(c->n);
  c->t = transfer_make(model->dt, c->own->cell, c->own->transfer == CQ_TRANSFER_APIC);
  cq_status status = V(cq_mpm_grid_model)(ctx, model, &c->g);
  c->touched = c->g.mirrors || c->g.n_slots > 0;
  for (int i = 0; i < c->g.n_walls; i++) {
    c->touched = c->touched || c->own->boundaries[i].touch > 0.0;
  }
  status = status != CQ_OK ? status : allocate(c);
  status = status != CQ_OK ? status : V(cq_cables_create)(ctx, model, &c->cables);
  status = status != CQ_OK ? status : WIDE(cq_bodies_create)(ctx, model, layout, &c->bodies);
  status = status != CQ_OK ? status : WIDE(cq_between_create)(ctx, model, layout, &c->between);
  c->n_fields = c->between != NULL ? c->own->n_fields : 1;
  c->touched = c->touched || c->between != NULL;
  c->pressed.n = (size_t)c->n_fields * (size_t)c->g.n_slots;
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, c->pressed.at, 2 * c->pressed.n);
  if (status != CQ_OK) {
    V(cq_ref_destroy)(c);
    return status;
  }
  for (int i = 0; i < model->n_actuators; i++) {
    c->actuators[i] = V(cq_mpm_actuator)(&c->own->actuators[i]);
  }
  *work = c;
  return CQ_OK;
}

void V(cq_ref_free_adjoints)(ref *c) {
  for (int s = 0; s < c->n_adjoints; s++) {
    cq_free(c->ctx, c->adjoints[s].state);
    cq_free(c->ctx, c->adjoints[s].substance);
    cq_free(c->ctx, c->adjoints[s].pressed);
  }
  cq_free(c->ctx, c->adjoints);
  c->adjoints = NULL;
  c->n_adjoints = c->n_seeds = 0;
}

/* Takes a workspace that was made in part, too: what it has not got is NULL. */
void V(cq_ref_destroy)(void *work) {
  ref *c = work;
  cq_ctx *ctx = c->ctx;
  V(cq_ref_free_adjoints)(c);
  V(cq_cables_free)(ctx, &c->cables);
  WIDE(cq_bodies_destroy)(c->bodies);
  WIDE(cq_between_destroy)(c->between);
  V(cq_mpm_grid_free)(ctx, &c->g);
  cq_free(ctx, c->actuators);
  cq_free(ctx, c->substance);
  cq_free(ctx, c->w);
  cq_free(ctx, c->totals);
  cq_free(ctx, c->observations);
  cq_free(ctx, c->order);
  cq_free(ctx, c->block_of);
  cq_free(ctx, c->block_start);
  cq_free(ctx, c->nodes);
  cq_free(ctx, c->mean);
  cq_free(ctx, c->velocity);
  cq_free(ctx, c->ahead);
  cq_free(ctx, c->dnodes);
  cq_free(ctx, c->dmass);
  cq_free(ctx, c->pressed.at);
  cq_free(ctx, c->sums);
  cq_free(ctx, c);
}

void V(cq_ref_download)(const void *work, const void *state, double *out) {
  const ref *c = work;
  V(cq_mpm_slab_to)(c->layout, (size_t)c->n, c->stride, NULL, state, out);
  WIDE(cq_bodies_download)(c->bodies, ref_bodies(c, state), out);
}

void V(cq_ref_walls)(const void *work, const void *state, double *maps) {
  const ref *c = work;
  WIDE(cq_bodies_maps)(c->bodies, ref_bodies(c, state), maps);
}

void V(cq_ref_means)(const void *work, const void *state, const double *host, cq_means *out) {
  const ref *c = work;
  const double *x = host + c->layout->offset[CQ_INPUT_x];
  V(cq_mpm_put_means)(c->model, &c->g, ref_pressed(c, state), x, out);
  WIDE(cq_between_put_means)(c->between, ref_contacts(c, state), out);
}

static void upload_parameters(ref *c, const double *inputs) {
  const size_t *at = c->layout->offset, n = (size_t)c->n;
  for (size_t k = 0; k < 4; k++) {
    for (size_t p = 0; p < n; p++) {
      c->substance[k * n + p] = K(inputs[at[CQ_INPUT_youngs_modulus + k] + p]);
    }
  }
  V(cq_mpm_grid_inputs)(c->layout, inputs, &c->in);
  c->decay = grid_decay(&c->g, &c->in);
}

cq_status V(cq_ref_upload)(void *work, const double *inputs, void *state) {
  ref *c = work;
  c->failure.status = CQ_OK;
  upload_parameters(c, inputs);
  V(cq_mpm_slab_from)(c->layout, (size_t)c->n, c->stride, NULL, inputs, state);
  CQ_TRY(V(cq_mpm_check_start)(c->ctx, c->model, c->layout, &c->t, inputs, state, c->stride,
                               &c->failure));
  WIDE(cq_between_upload)(c->between, inputs, ref_contacts(c, state));
  pressed_clear_all(&c->pressed, ref_pressed(c, state));
  V(cq_mpm_take_means)(c->model, &c->g, ref_pressed(c, state));
  return WIDE(cq_bodies_upload)(c->bodies, inputs, ref_bodies(c, state), &c->failure);
}
