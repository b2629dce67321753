/* The workspace of a CPU variant: creation, and movement between host doubles and slabs. */
#include "mpm_ref.h"

#include <string.h>

static size_t stride_of(int n) {
  return ((size_t)n + 15) / 16 * 16;
}

size_t V(cq_ref_state_bytes)(const void *work) {
  return ((const ref *)work)->stride * CQ_STATE_COMPONENTS * sizeof(real);
}

static cq_status allocate(ref *c) {
  cq_ctx *ctx = c->ctx;
  const size_t n = (size_t)c->n;
  c->block_capacity = c->g.count[0] / CQ_BLOCK + 2;
  CQ_TRY(CQ_ALLOC(ctx, c->actuators, c->model->n_actuators));
  CQ_TRY(CQ_ALLOC(ctx, c->substance, 4 * n));
  CQ_TRY(CQ_ALLOC(ctx, c->w, c->model->n_drives));
  CQ_TRY(CQ_ALLOC(ctx, c->group_volume, c->model->n_groups));
  CQ_TRY(CQ_ALLOC(ctx, c->observations, (n + CQ_CHUNK - 1) / CQ_CHUNK));
  CQ_TRY(CQ_ALLOC(ctx, c->order, n));
  CQ_TRY(CQ_ALLOC(ctx, c->block_of, n));
  CQ_TRY(CQ_ALLOC(ctx, c->block_start, c->block_capacity));
  return CQ_OK;
}

cq_status V(cq_ref_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                           void **work) {
  *work = NULL;
  CQ_CHECK(ctx, model->n_boundaries <= CQ_MAX_BOUNDARIES, CQ_CONFIG,
           "%d boundaries; at most %d are possible", model->n_boundaries, CQ_MAX_BOUNDARIES);
  ref *c = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = ctx;
  c->model = model;
  c->layout = layout;
  c->n = model->n_particles;
  c->threads = c->n < CQ_SERIAL_BELOW ? 1 : cq_ctx_threads(ctx);
  c->stride = stride_of(c->n);
  c->t = transfer_make(model->dt, model->cell, model->transfer == CQ_TRANSFER_APIC);
  V(cq_mpm_grid_model)(model, &c->g);
  cq_status status = allocate(c);
  status = status != CQ_OK ? status : V(cq_cables_create)(ctx, model, &c->cables);
  if (status != CQ_OK) {
    V(cq_ref_destroy)(c);
    return status;
  }
  for (int i = 0; i < model->n_actuators; i++) {
    c->actuators[i] = V(cq_mpm_actuator)(model, &model->actuators[i]);
  }
  *work = c;
  return CQ_OK;
}

void V(cq_ref_destroy)(void *work) {
  ref *c = work;
  cq_ctx *ctx = c->ctx;
  V(cq_ref_free_adjoints)(c);
  V(cq_cables_free)(ctx, &c->cables);
  cq_free(ctx, c->actuators);
  cq_free(ctx, c->substance);
  cq_free(ctx, c->w);
  cq_free(ctx, c->group_volume);
  cq_free(ctx, c->observations);
  cq_free(ctx, c->order);
  cq_free(ctx, c->block_of);
  cq_free(ctx, c->block_start);
  cq_free(ctx, c->nodes);
  cq_free(ctx, c->mean);
  cq_free(ctx, c->velocity);
  cq_free(ctx, c->dnodes);
  cq_free(ctx, c->sums);
  cq_free(ctx, c);
}

/* Host arrays are particle-major, slabs component-major; the components stand in the same order. */
void V(cq_ref_to_slab)(const ref *c, const double *in, real *slab) {
  const int counts[] = {CQ_DIM, CQ_DIM, CQ_DIM * CQ_DIM, CQ_DIM * CQ_DIM};
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    for (int p = 0; p < c->n; p++) {
      for (int k = 0; k < counts[f]; k++) {
        slab[(size_t)(first + k) * c->stride + (size_t)p] =
            K(in[c->layout->offset[f] + (size_t)(p * counts[f] + k)]);
      }
    }
  }
}

void V(cq_ref_to_host)(const ref *c, const real *slab, double *out) {
  const int counts[] = {CQ_DIM, CQ_DIM, CQ_DIM * CQ_DIM, CQ_DIM * CQ_DIM};
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    for (int p = 0; p < c->n; p++) {
      for (int k = 0; k < counts[f]; k++) {
        out[c->layout->offset[f] + (size_t)(p * counts[f] + k)] =
            (double)slab[(size_t)(first + k) * c->stride + (size_t)p];
      }
    }
  }
}

void V(cq_ref_download)(const void *work, const void *state, double *out) {
  V(cq_ref_to_host)(work, state, out);
}

static void upload_parameters(ref *c, const double *inputs) {
  const size_t *at = c->layout->offset, n = (size_t)c->n;
  for (size_t k = 0; k < 4; k++) {
    for (size_t p = 0; p < n; p++) {
      c->substance[k * n + p] = K(inputs[at[CQ_INPUT_youngs_modulus + k] + p]);
    }
  }
  FOR_AXES(a) {
    c->in.gravity.v[a] = K(inputs[at[CQ_INPUT_gravity] + (size_t)a]);
  }
  c->in.damping = K(inputs[at[CQ_INPUT_damping]]);
  for (int i = 0; i < c->g.n_walls; i++) {
    c->in.friction[i] = K(inputs[at[CQ_INPUT_friction] + (size_t)i]);
  }
  c->decay = grid_decay(&c->g, &c->in);
}

cq_status V(cq_ref_upload)(void *work, const double *inputs, void *state) {
  ref *c = work;
  c->failure.status = CQ_OK;
  upload_parameters(c, inputs);
  V(cq_ref_to_slab)(c, inputs, state);
  CQ_TRY(V(cq_mpm_check_parameters)(c->ctx, c->layout, inputs, &c->failure));
  for (int p = 0; p < c->n; p++) {
    const particle q = slab_load(state, c->stride, p);
    double value = 0.0;
    if (V(cq_mpm_check)(c->model, &c->t, c->model->material[p], q, &value) != CQ_OK) {
      return V(cq_mpm_fail)(c->ctx, c->model, &c->t, 0, p, q, &c->failure);
    }
  }
  return CQ_OK;
}
