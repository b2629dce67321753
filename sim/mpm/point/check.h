/* Whether a particle may go on. */
#ifndef CQ_POINT_CHECK_H
#define CQ_POINT_CHECK_H

#include "cqopt/base.h"
#include "point/p2g.h"

/* NaN and Inf times zero are NaN */
CQ_FN int particle_is_finite(const particle *q) {
  const real *values = (const real *)q;
  real probe = K(0);
  for (int i = 0; i < (int)(sizeof *q / sizeof *values); i++) {
    probe += values[i] * K(0);
  }
  return probe == K(0);
}

/* Valid, or CQ_NONFINITE, CQ_OUT_OF_ROOM, CQ_TOO_FAST, CQ_DEFORMED, with what is wrong in *value. grid
 * [CQ_DIM]: nodes an axis. */
CQ_FN cq_status particle_check(const transfer *t, const int *grid, int inversion_fails,
                               int material, particle q, real *value) {
  const real *values = (const real *)&q;
  for (int i = 0; i < (int)(sizeof q / sizeof *values); i++) {
    if (!(values[i] - values[i] == K(0))) {
      *value = values[i];
      return CQ_NONFINITE;
    }
  }
  FOR_AXES(a) {
    const scalar s = scalar_rounded(q.x.v[a] * t->inv_dx) - K(0.5);
    if (!(s >= K(0) && s < (scalar)(grid[a] - 2))) {
      *value = q.x.v[a];
      return CQ_OUT_OF_ROOM;
    }
  }
  FOR_AXES(a) {
    const scalar cells = q.v.v[a] * t->dt * t->inv_dx;
    if (cells > K(1) || cells < K(-1)) {
      *value = cells;
      return CQ_TOO_FAST;
    }
  }
  const real det = mat_det(q.F);
  if (det <= K(0) && (inversion_fails || !material_survives_inversion(material))) {
    *value = det;
    return CQ_DEFORMED;
  }
  return CQ_OK;
}

#endif
