/* The functions of the hot files, at the SIMD level this file is compiled for. A particle's vector
 * is one load, axes wide. */
#ifndef CQ_FLUID_HOT_H
#define CQ_FLUID_HOT_H

#include "fluid_cpu.h"

/* a symbol of one variant at one SIMD level */
#define H(name) CQ_PASTE_LEVEL(V(name), CQ_LEVEL)

typedef scalar axes __attribute__((vector_size(CQ_AXES * sizeof(scalar)), may_alias));

static inline axes axes_load(const scalar *a, size_t i) {
  return *(const axes *)(a + i * CQ_AXES);
}

static inline void axes_store(scalar *a, size_t i, axes v) {
  *(axes *)(a + i * CQ_AXES) = v;
}

static inline scalar axes_sum(axes a) {
  scalar s = a[0];
  for (int i = 1; i < CQ_DIM; i++) {
    s += a[i];
  }
  return s;
}

/* (x - origin) . v, which stands beside v: with it a sum of V_j grad W_ij . v_j needs one product a
 * pair, sum_j s_j (x_i - x_j) . v_j = x_i . sum s_j v_j - sum s_j (x_j . v_j). */
static inline axes axes_with_moment(const fluid *c, axes x, axes v) {
  scalar about = K(0);
  for (int a = 0; a < CQ_DIM; a++) {
    about += (x[a] - c->origin[a]) * v[a];
  }
  v[CQ_AXES - 1] = about;
  return v;
}

void H(cq_fluid_lists)(fluid *c, int chunk);
void H(cq_fluid_measure)(fluid *c, int chunk, bool density);
void H(cq_fluid_push)(fluid *c, int chunk);
void H(cq_fluid_forces)(fluid *c, int chunk);

#endif
