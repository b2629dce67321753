/* Where a rigid body starts: what fits its particles in the inputs best (fit.h). One dimension, in
 * double. */
#include "fit.h"
#include "mpm_inputs.h"
#include "mpm_rigid_bodies.h"

#include <string.h>

static cq_rigid_points points_of(const bodies *b, int i) {
  const size_t *at = b->layout->offset, first = (size_t)b->own->rigid[i].first;
  return (cq_rigid_points){.n = b->own->rigid[i].count,
                           .x = b->inputs + at[CQ_INPUT_x] + first * CQ_DIM,
                           .v = b->inputs + at[CQ_INPUT_v] + first * CQ_DIM,
                           .placed = b->own->placed + (first - (size_t)b->own->n_soft) * CQ_DIM,
                           .density = b->inputs + at[CQ_INPUT_density] + first,
                           .volume = b->inputs + at[CQ_INPUT_volume] + first,
                           .center = b->own->placed_center + (size_t)i * CQ_DIM,
                           .length = b->own->cell};
}

void WIDE(cq_bodies_fit)(const bodies *b, int i, double *place, double *moves) {
  pose p = {fit_vec(b->own->placed_center, i), turn_none()};
  twist t = twist_zero();
  if (b->own->rigid[i].count > 0) {
    const cq_rigid_points points = points_of(b, i);
    fit_motion(&points, &p, &t);
  }
  memcpy(place, &p, sizeof p);
  memcpy(moves, &t, sizeof t);
}

/* From dL/d(pose, twist) of a body to its particles. */
void WIDE(cq_bodies_fit_adjoint)(const bodies *b, int i, const double *place, const double *dpose,
                                 const double *dtwist, double *gradient) {
  const size_t *at = b->layout->offset;
  if (b->own->rigid[i].count == 0) {
    return;
  }
  const cq_rigid_points points = points_of(b, i);
  const fit f = fit_of(&points);
  const fit_due d = fit_sums_due(&f, pose_read(place).q, pose_read(dpose), twist_read(dtwist));
  for (int q = 0; q < points.n; q++) {
    const size_t p = (size_t)(b->own->rigid[i].first + q);
    const fit_point g = fit_point_at(&points, q);
    double dx[CQ_DIM], dv[CQ_DIM], dmass;
    fit_point_adjoint(&f, &d, &g, dx, dv, &dmass);
    FOR_AXES(k) {
      gradient[at[CQ_INPUT_x] + p * CQ_DIM + (size_t)k] += dx[k];
      gradient[at[CQ_INPUT_v] + p * CQ_DIM + (size_t)k] += dv[k];
    }
    gradient[at[CQ_INPUT_density] + p] += g.volume * dmass;
    gradient[at[CQ_INPUT_volume] + p] += g.density * dmass;
  }
}
