/* A state by components: each in an array of its own, `stride` numbers long, so that what the
 * particles beside each other have stands beside each other. */
#ifndef CQ_MPM_SLAB_H
#define CQ_MPM_SLAB_H

#include "point/p2g.h"

#include <stddef.h>

enum {
  CQ_STATE_x = 0,
  CQ_STATE_v = CQ_DIM,
  CQ_STATE_F = 2 * CQ_DIM,
  CQ_STATE_C = 2 * CQ_DIM + CQ_DIM * CQ_DIM,
  CQ_STATE_COMPONENTS = 2 * CQ_DIM + 2 * CQ_DIM * CQ_DIM
};

CQ_FN particle slab_load(const real *slab, size_t stride, int p) {
  particle q;
  const real *s = slab + p;
  FOR_AXES(a) {
    q.x.v[a] = s[(size_t)(CQ_STATE_x + a) * stride];
    q.v.v[a] = s[(size_t)(CQ_STATE_v + a) * stride];
    FOR_AXES(b) {
      q.F.m[a][b] = s[(size_t)(CQ_STATE_F + a * CQ_DIM + b) * stride];
      q.C.m[a][b] = s[(size_t)(CQ_STATE_C + a * CQ_DIM + b) * stride];
    }
  }
  return q;
}

CQ_FN void slab_store(real *slab, size_t stride, int p, particle q) {
  real *s = slab + p;
  FOR_AXES(a) {
    s[(size_t)(CQ_STATE_x + a) * stride] = q.x.v[a];
    s[(size_t)(CQ_STATE_v + a) * stride] = q.v.v[a];
    FOR_AXES(b) {
      s[(size_t)(CQ_STATE_F + a * CQ_DIM + b) * stride] = q.F.m[a][b];
      s[(size_t)(CQ_STATE_C + a * CQ_DIM + b) * stride] = q.C.m[a][b];
    }
  }
}

CQ_FN vec slab_position(const real *slab, size_t stride, int p) {
  vec x;
  FOR_AXES(a) {
    x.v[a] = slab[(size_t)(CQ_STATE_x + a) * stride + (size_t)p];
  }
  return x;
}

CQ_FN vec slab_velocity(const real *slab, size_t stride, int p) {
  return slab_position(slab + CQ_STATE_v * stride, stride, p);
}

CQ_FN void slab_store_F(real *slab, size_t stride, int p, mat F) {
  FOR_AXES(a) {
    FOR_AXES(b) {
      slab[(size_t)(CQ_STATE_F + a * CQ_DIM + b) * stride + (size_t)p] = F.m[a][b];
    }
  }
}

#endif
