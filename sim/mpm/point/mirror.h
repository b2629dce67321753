/* Nodes on the two sides of planes in which bodies are mirrored. What is in front of such a plane
 * has its image behind it, so that a node and its images are one: each brings its mass and its
 * velocity, turned to the side of the first, and their mean comes back to all of them. Then the
 * velocity across the plane is 0 at the plane itself, wherever it lies between the nodes.
 *   u = sum m_j S_j v_j / sum m_j,  v_j' = S_j u
 * S_j changes the sign of the components that node j has across from the first one. */
#ifndef CQ_POINT_MIRROR_H
#define CQ_POINT_MIRROR_H

#include "kinds.h"
#include "linalg.h"

enum { CQ_IMAGES = 1 << CQ_DIM }; /* of a node: behind one plane an axis, or none */

/* a node and its images */
typedef struct images {
  int n;
  unsigned across[CQ_IMAGES]; /* S: bits of the axes whose sign changes */
  unsigned on;                /* axes across which the plane goes through the nodes themselves */
  real mass[CQ_IMAGES];
  vec v[CQ_IMAGES];
} images;

CQ_FN vec mirror_turn(unsigned across, vec v) {
  FOR_AXES(a) {
    v.v[a] = (across >> a & 1u) != 0 ? -v.v[a] : v.v[a];
  }
  return v;
}

CQ_FN vec mirror_on(unsigned on, vec v) {
  FOR_AXES(a) {
    v.v[a] = (on >> a & 1u) != 0 ? real_splat(K(0)) : v.v[a];
  }
  return v;
}

CQ_FN real mirror_mass(const images *m) {
  real sum = real_splat(K(0));
  for (int j = 0; j < m->n; j++) {
    sum = sum + m->mass[j];
  }
  return sum;
}

/* u, on the side of the first node */
CQ_FN vec mirror_mean(const images *m) {
  vec sum = vec_zero();
  for (int j = 0; j < m->n; j++) {
    sum = vec_axpy(sum, m->mass[j], mirror_turn(m->across[j], m->v[j]));
  }
  return mirror_on(m->on, vec_scale(K(1) / mirror_mass(m), sum));
}

/* dv, dL/d(v') of each, becomes dL/dv; dmass is set. */
CQ_FN void mirror_adjoint(const images *m, vec *dv, real *dmass) {
  const real inverse = K(1) / mirror_mass(m);
  const vec mean = mirror_mean(m);
  vec sum = vec_zero();
  for (int j = 0; j < m->n; j++) {
    sum = vec_add(sum, mirror_turn(m->across[j], dv[j]));
  }
  const vec du = vec_scale(inverse, mirror_on(m->on, sum));
  for (int j = 0; j < m->n; j++) {
    dv[j] = vec_scale(m->mass[j], mirror_turn(m->across[j], du));
    dmass[j] = vec_dot(du, vec_sub(mirror_turn(m->across[j], m->v[j]), mean));
  }
}

#endif
