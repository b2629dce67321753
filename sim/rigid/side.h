/* What a point of the world sees of a body's surface: signed distance and normal. */
#ifndef CQ_RIGID_SIDE_H
#define CQ_RIGID_SIDE_H

#include "bodies.h"
#include "rigid.h"
#include "shape_bend.h"

typedef struct side {
  real gap; /* negative inside [m] */
  vec n;    /* out of the body, in the world */
} side;

/* a point x of the world in the coordinates of the body's shape */
static inline void side_point(const cq_rigid *body, const placed *b, vec x, double y[3]) {
  const vec local = placed_local(b, x);
  y[0] = y[1] = y[2] = 0.0;
  FOR_AXES(i) {
    y[i] = local.v[i] + body->inertia.center[i];
  }
}

static inline side side_at(const cq_rigid *body, const placed *b, vec x) {
  double y[3], normal[3] = {0};
  side s;
  side_point(body, b, x, y);
  s.gap = cq_shape_distance(body->shape, y);
  cq_shape_normal(body->shape, y, normal);
  FOR_AXES(i) {
    s.n.v[i] = normal[i];
  }
  s.n = placed_direction(b, s.n);
  return s;
}

/* adds to db and dx; n is the normal at x, d = dL/d(side) */
static inline void side_adjoint(const cq_rigid *body, const placed *b, vec x, vec n, side d,
                                placed *db, vec *dx) {
  double y[3], g[3], H[3][3];
  vec d_normal = vec_zero(), d_local;
  side_point(body, b, x, y);
  cq_shape_bend(body->shape, y, g, H);
  placed_direction_adjoint(b, mat_t_vec(b->R, n), d.n, db, &d_normal);
  FOR_AXES(i) {
    d_local.v[i] = d.gap * g[i];
    FOR_AXES(j) {
      d_local.v[i] = d_local.v[i] + H[j][i] * d_normal.v[j];
    }
  }
  placed_local_adjoint(b, x, d_local, db, dx);
}

#endif
