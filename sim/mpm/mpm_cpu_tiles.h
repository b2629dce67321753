/* A tile: particles whose weights and values were computed a vector at a time and lie in the first
 * cache, from where sums over their stencils take them one by one. */
#ifndef CQ_MPM_CPU_TILES_H
#define CQ_MPM_CPU_TILES_H

#include "mpm_cpu_rows.h"

enum {
  AFFINE = CQ_DIM + 1
}; /* quads of an affine function: its value, its slope along each axis */

/* Weights of CQ_TILE particles: of each row, and of the last axis. */
typedef struct row_weight {
  int at[CQ_TILE];
  scalar w[CQ_ROWS][CQ_TILE];
  scalar last[CQ_TILE][CQ_QUAD];
} row_weight;

/* where LANES particles are in their cells */
typedef struct place {
  real f[CQ_DIM]; /* x/dx - base */
  truth base[CQ_DIM];
} place;

static inline place place_of(const cpu *c, vec x) {
  place r;
  FOR_AXES(a) {
    r.base[a] = lanes_base(x.v[a], c->t.inv_dx, &r.f[a]);
  }
  return r;
}

/* node 0 of the stencil in an array whose first plane is `plane` of the box, in scalars */
static inline truth place_at(const cpu *c, place p, int plane) {
  truth i = p.base[0] - (c->box.low[0] + plane);
  for (int a = 1; a < CQ_DIM; a++) {
    i = i * c->box.size[a] + (p.base[a] - c->box.low[a]);
  }
  return i * CQ_QUAD;
}

static inline void store_real(scalar *to, real x) {
  *(real_memory *)to = x;
}

static inline void store_last(place p, scalar *to) {
  const lanes l = lanes_own();
  real r[3];
  spline_weights(p.f[CQ_LAST], r);
  store_quad(to, &l, LANES, r[0], r[1], r[2], real_splat(K(0)));
}

static inline void store_row_weights(const cpu *c, place p, int plane, row_weight *w, int first) {
  real r[CQ_LAST][3];
  store_ints(w->at + first, place_at(c, p, plane));
  for (int a = 0; a < CQ_LAST; a++) {
    spline_weights(p.f[a], r[a]);
  }
  for (int k = 0; k < CQ_ROWS; k++) {
#if CQ_DIM == 2
    store_real(&w->w[k][first], r[0][k]);
#else
    store_real(&w->w[k][first], r[0][k / 3] * r[1][k % 3]);
#endif
  }
  store_last(p, w->last[first]);
}

/* a + A (x_i - x) and a fourth component, as an affine function of the node: at the middle node,
 * and what a step to the next one adds along each axis. LANES times AFFINE quads. */
static inline void store_affine(const cpu *c, place p, scalar *to, vec a, mat A, real fourth) {
  const lanes l = lanes_own();
  vec middle; /* node - particle */
  FOR_AXES(i) {
    middle.v[i] = (K(1) - p.f[i]) * c->t.dx;
  }
  const real zero = real_splat(K(0));
  const vec value = vec_add(a, mat_vec(A, middle));
  const real *const v = value.v;
  real out[AFFINE * CQ_QUAD];
  for (int i = 0; i < AFFINE * CQ_QUAD; i++) {
    out[i] = zero;
  }
  FOR_AXES(i) {
    out[i] = v[i];
    FOR_AXES(k) {
      out[(1 + k) * CQ_QUAD + i] = A.m[i][k] * c->t.dx;
    }
  }
  out[CQ_QUAD - 1] = fourth;
  store_scalars(to, &l, LANES, AFFINE * CQ_QUAD, AFFINE * CQ_QUAD, out);
}

/* The affine function at the nodes of a stencil, row by row. */
static inline void affine_rows(const scalar *at, row weight, row *rows) {
  const row middle =
      row_mul(weight, row_fma(row_ramp(), row_quad(at + CQ_DIM * CQ_QUAD), row_quad(at)));
  const row along = row_mul(weight, row_quad(at + CQ_QUAD));
#if CQ_DIM == 2
  rows[0] = row_sub(middle, along);
  rows[1] = middle;
  rows[2] = row_add(middle, along);
#else
  const row across = row_mul(weight, row_quad(at + 2 * CQ_QUAD));
  rows[3] = row_sub(middle, across);
  rows[4] = middle;
  rows[5] = row_add(middle, across);
  for (int j = 0; j < 3; j++) {
    rows[j] = row_sub(rows[3 + j], along);
    rows[6 + j] = row_add(rows[3 + j], along);
  }
#endif
}

#endif
