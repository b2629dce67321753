/* Slabs on the host: what the reference loops and the engine on a device share. */
#include "slab.h"

#include "mpm_common.h"
#include "mpm_inputs.h"
#include "status.h"

static const int counts[] = {CQ_DIM, CQ_DIM, CQ_DIM *CQ_DIM, CQ_DIM *CQ_DIM};

void V(cq_mpm_slab_from)(const cq_layout *layout, size_t n, size_t stride, const int *id,
                         const double *in, scalar *slab) {
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    const size_t count = (size_t)counts[f];
    for (size_t k = 0; k < count; k++) {
      scalar *to = slab + ((size_t)first + k) * stride;
      for (size_t i = 0; i < n; i++) {
        const size_t p = id != NULL ? (size_t)id[i] : i;
        to[i] = K(in[layout->offset[f] + p * count + k]);
      }
    }
  }
}

void V(cq_mpm_slab_to)(const cq_layout *layout, size_t n, size_t stride, const int *id,
                       const scalar *slab, double *out) {
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    const size_t count = (size_t)counts[f];
    for (size_t k = 0; k < count; k++) {
      const scalar *from = slab + ((size_t)first + k) * stride;
      for (size_t i = 0; i < n; i++) {
        const size_t p = id != NULL ? (size_t)id[i] : i;
        out[layout->offset[f] + p * count + k] = (double)from[i];
      }
    }
  }
}

cq_status V(cq_mpm_check_start)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                const transfer *t, const double *inputs, const scalar *slab,
                                size_t stride, cq_failure *failure) {
  CQ_TRY(V(cq_mpm_check_parameters)(ctx, layout, inputs, failure));
  for (int p = 0; p < cq_mpm_n_soft(model); p++) {
    const particle q = slab_load(slab, stride, p);
    double value = 0.0;
    if (V(cq_mpm_check)(model, t, cq_mpm_of(model)->material[p], q, &value) != CQ_OK) {
      return V(cq_mpm_fail)(ctx, model, t, 0, p, q, failure);
    }
  }
  return CQ_OK;
}
