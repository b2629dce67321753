/* A tile: particles whose weights and values were computed a vector at a time and lie in the first
 * cache, from where sums over their stencils take them one by one. */
#ifndef CQ_MPM_CPU_TILES_H
#define CQ_MPM_CPU_TILES_H

#include "mpm_cpu_rows.h"

enum {
  AFFINE = CQ_DIM + 1
}; /* quads of an affine function: its value, its slope along each axis */

/* Weights of CQ_TILE particles: of each axis but the last as scalars, of the last for rows. */
typedef struct weights {
  int at[CQ_TILE]; /* where the first node of the stencil is, in scalars */
  scalar w[CQ_LAST][3][CQ_TILE];
  scalar last[CQ_TILE][CQ_QUAD];
} weights;

/* the same with a row's weights multiplied */
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

/* node 0 of the stencil in an array whose first plane is `plane` of the box */
static inline void store_at(const cpu *c, place p, int plane, int *at) {
  truth i = p.base[0] - (c->box.low[0] + plane);
  for (int a = 1; a < CQ_DIM; a++) {
    i = i * c->box.size[a] + (p.base[a] - c->box.low[a]);
  }
  i = i * CQ_QUAD;
  for (int l = 0; l < LANES; l++) {
    at[l] = (int)i[l];
  }
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

static inline void store_weights(const cpu *c, place p, int plane, weights *w, int first) {
  real r[3];
  store_at(c, p, plane, w->at + first);
  for (int a = 0; a < CQ_LAST; a++) {
    spline_weights(p.f[a], r);
    for (int k = 0; k < 3; k++) {
      store_real(&w->w[a][k][first], r[k]);
    }
  }
  store_last(p, w->last[first]);
}

static inline void store_row_weights(const cpu *c, place p, int plane, row_weight *w, int first) {
  real r[CQ_LAST][3];
  store_at(c, p, plane, w->at + first);
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

/* Sums over the rows of a stencil with weights of all axes but the last: of the values, and of the
 * values times the node's place (-1, 0, 1) along each of these axes. */
static inline void row_moments(const row *rows, const weights *w, int l, row *sum) {
  row line[3];
#if CQ_DIM == 2
  for (int i = 0; i < 3; i++) {
    line[i] = rows[i];
  }
#else
  row slope[3];
#  pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    const row high = row_scale(w->w[1][2][l], rows[3 * i + 2]);
    slope[i] = row_minus(high, w->w[1][0][l], rows[3 * i]);
    line[i] = row_axpy(row_axpy(high, w->w[1][1][l], rows[3 * i + 1]), w->w[1][0][l], rows[3 * i]);
  }
  sum[2] = row_axpy(row_axpy(row_scale(w->w[0][0][l], slope[0]), w->w[0][1][l], slope[1]),
                    w->w[0][2][l], slope[2]);
#endif
  const row high = row_scale(w->w[0][2][l], line[2]);
  sum[1] = row_minus(high, w->w[0][0][l], line[0]);
  sum[0] = row_axpy(row_axpy(high, w->w[0][1][l], line[1]), w->w[0][0][l], line[0]);
}

/* From the row sums to the four (2D: three) moments of a stencil, as quads. */
static inline void store_moments(scalar (*to)[CQ_QUAD], row weight, const row *sum) {
  const row weighted = row_mul(weight, sum[0]);
  row_store_sum(to[0], weighted);
  for (int a = 1; a < CQ_DIM; a++) {
    row_store_sum(to[a], row_mul(weight, sum[a]));
  }
  row_store_sum(to[CQ_DIM], row_mul(row_ramp(), weighted));
}

/* N_i y_i summed, and N_i y_i (x_i - x)^T, from the moments of y about the middle node. */
static inline void load_moments(const cpu *c, place p, const scalar *from, const lanes *l,
                                size_t stride, vec *sum, mat *outer) {
  real r[AFFINE * CQ_QUAD];
  load_scalars(from, l, stride, 0, AFFINE * CQ_QUAD, r);
  FOR_AXES(i) {
    sum->v[i] = r[i];
    FOR_AXES(k) {
      outer->m[i][k] = c->t.dx * (r[(1 + k) * CQ_QUAD + i] + (K(1) - p.f[k]) * r[i]);
    }
  }
}

#endif
