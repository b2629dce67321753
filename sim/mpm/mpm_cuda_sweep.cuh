/* Seeds to the device, gradients back. */
#ifndef CQ_MPM_CUDA_SWEEP_CUH
#define CQ_MPM_CUDA_SWEEP_CUH

#include "mpm_cuda_io.cuh"

/* Room for a sweep of so many seeds; that of an earlier one is kept if it is large enough. */
static cq_status open_sweep(cuda *c, int n_seeds) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t n = (size_t)n_seeds;
  if (n_seeds <= c->n_adjoints) {
    return CQ_OK;
  }
  free_all(b, OF_SWEEP);
  c->n_adjoints = 0;
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->mean, w->n_nodes));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dnode, w->n_nodes));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->means, w->n_slots));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dmeans, n * (size_t)w->n_slots));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dpackets, CQ_PACKET * (size_t)w->n));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dw_of, CQ_ACTUATOR_MAX_DRIVES * w->stride));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->block_sums, CQ_MOST_BLOCKS * CQ_GRID_SUMS));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dw, w->n_drives));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dz_now, w->longest));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->du_now, w->n_controls));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->moved, w->n_groups));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->norms, 4));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->adjoint, n * w->stride * CQ_STATE_COMPONENTS));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dsubstance, n * 4 * w->stride));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dgrid, n * CQ_GRID_SUMS));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dtheta, n * (size_t)w->n_theta));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->dz, n * z_length(c)));
  CQ_TRY(CQ_TAKE(b, OF_SWEEP, w->du, n * (size_t)w->steps * (size_t)w->n_controls));
  c->n_adjoints = n_seeds;
  return CQ_OK;
}

/* A seed, where it begins: rows of dz and du, and the last state's adjoint. */
static cq_status upload_seed(cuda *c, const cq_seed *seed, size_t s) {
  const world *w = &c->w;
  const size_t n_z = z_length(c);
  const size_t n_u = (size_t)w->steps * (size_t)w->n_controls;
  if (seed->dz != NULL) {
    CQ_TRY(to_device(c, w->dz + s * n_z, seed->dz, n_z * sizeof(double), "a seed"));
  }
  if (seed->du != NULL) {
    CQ_TRY(to_device(c, w->du + s * n_u, seed->du, n_u * sizeof(double), "a seed"));
  }
  if (seed->terminal != NULL) {
    V(cq_mpm_slab_from)(c->layout, (size_t)w->n, w->stride, c->id, seed->terminal, c->slab);
    CQ_TRY(to_device(c, w->adjoint + s * w->stride * CQ_STATE_COMPONENTS, c->slab, slab_bytes(c),
                     "a seed"));
  }
  return wait(c, "uploading a seed");
}

static cq_status upload_seeds(cuda *c, const cq_seed *seeds) {
  const world *w = &c->w;
  const size_t n = (size_t)c->n_seeds, d = sizeof(double);
  CQ_TRY(clear(c, w->adjoint, n * slab_bytes(c), "gradients"));
  CQ_TRY(clear(c, w->dmeans, n * means_bytes(c), "gradients"));
  CQ_TRY(clear(c, w->dsubstance, n * 4 * w->stride * d, "gradients"));
  CQ_TRY(clear(c, w->dgrid, n * CQ_GRID_SUMS * d, "gradients"));
  CQ_TRY(clear(c, w->dtheta, n * (size_t)w->n_theta * d, "gradients"));
  CQ_TRY(clear(c, w->dz, n * z_length(c) * d, "seeds"));
  CQ_TRY(clear(c, w->du, n * (size_t)w->steps * (size_t)w->n_controls * d, "seeds"));
  for (size_t s = 0; s < n; s++) {
    CQ_TRY(upload_seed(c, &seeds[s], s));
  }
  return CQ_OK;
}

/* numbers [4][stride], sums [CQ_GRID_SUMS] */
static cq_status download_seed(cuda *c, size_t s, double *numbers, double *sums, double *gradient) {
  const world *w = &c->w;
  const size_t *at = c->layout->offset, n = (size_t)w->n;
  CQ_TRY(to_host(c, numbers, w->dsubstance + s * 4 * w->stride, 4 * w->stride * sizeof(double),
                 "gradients"));
  CQ_TRY(to_host(c, sums, w->dgrid + s * CQ_GRID_SUMS, CQ_GRID_SUMS * sizeof(double), "gradients"));
  CQ_TRY(to_host(c, gradient + at[CQ_INPUT_theta], w->dtheta + s * (size_t)w->n_theta,
                 (size_t)w->n_theta * sizeof(double), "gradients"));
  CQ_TRY(fetch(c, w->adjoint + s * w->stride * CQ_STATE_COMPONENTS, gradient));
  for (size_t k = 0; k < 4; k++) {
    for (size_t i = 0; i < n; i++) {
      gradient[at[CQ_INPUT_youngs_modulus] + k * n + (size_t)c->id[i]] = numbers[k * w->stride + i];
    }
  }
  V(cq_mpm_put_grid_sums)(c->layout, sums, gradient);
  return CQ_OK;
}

static cq_status download_seeds(cuda *c, double *gradient) {
  double *numbers = NULL, *sums = NULL;
  cq_status status = CQ_ALLOC(c->ctx, numbers, 4 * c->w.stride);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, sums, CQ_GRID_SUMS);
  for (size_t s = 0; status == CQ_OK && s < (size_t)c->n_seeds; s++) {
    status = download_seed(c, s, numbers, sums, gradient + s * c->layout->total);
  }
  cq_free(c->ctx, numbers);
  cq_free(c->ctx, sums);
  return status;
}

#endif
