/* A row is what three neighbouring nodes along the last axis hold, four scalars each: 12 lanes. The
 * sums over a stencil run over its rows, lane by lane; what belongs to the last axis (its weights,
 * the place of a node in the row) is multiplied in once a particle.
 *
 * With 16 lanes a row is one vector whose last quad is idle: it reads a fourth node with weight
 * zero and adds zero to it. Grid arrays have a quad more than nodes for that. */
#ifndef CQ_MPM_CPU_ROWS_H
#define CQ_MPM_CPU_ROWS_H

#include "mpm_cpu_lanes.h"

typedef scalar quad __attribute__((vector_size(CQ_QUAD * sizeof(scalar))));
typedef scalar quad_memory
    __attribute__((vector_size(CQ_QUAD * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));

/* ROW_PARTS(M): M(member, its first lane, its type) for each vector a row is made of */
#define ROW_VECTOR(name, lanes_)                                                                   \
  typedef scalar name __attribute__((vector_size((lanes_) * sizeof(scalar))));                     \
  typedef scalar name##_memory                                                                     \
      __attribute__((vector_size((lanes_) * sizeof(scalar)), aligned(sizeof(scalar)), may_alias))
#if CQ_LANE_BYTES == 64 && CQ_BITS == 32
ROW_VECTOR(row16, 16);
#  define ROW_PARTS(M) M(a, 0, row16)
#elif CQ_LANE_BYTES == 64 || (CQ_LANE_BYTES == 32 && CQ_BITS == 32)
ROW_VECTOR(row8, 8);
ROW_VECTOR(row4, 4);
#  define ROW_PARTS(M) M(a, 0, row8) M(b, 8, row4)
#else
ROW_VECTOR(row4, 4);
#  define ROW_PARTS(M) M(a, 0, row4) M(b, 4, row4) M(c, 8, row4)
#endif

typedef struct row {
#define ROW_MEMBER(m, lane, type) type m;
  ROW_PARTS(ROW_MEMBER)
} row;

#define ROW_FN(name, arguments, expression)                                                        \
  static inline row name arguments {                                                               \
    row r;                                                                                         \
    ROW_PARTS(expression)                                                                          \
    return r;                                                                                      \
  }
#define ROW_ADD(m, lane, type)   r.m = x.m + y.m;
#define ROW_SUB(m, lane, type)   r.m = x.m - y.m;
#define ROW_MUL(m, lane, type)   r.m = x.m * y.m;
#define ROW_FMA(m, lane, type)   r.m = x.m * y.m + z.m;
#define ROW_SCALE(m, lane, type) r.m = s * x.m;
#define ROW_AXPY(m, lane, type)  r.m = s * x.m + y.m;
#define ROW_NAXPY(m, lane, type) r.m = y.m - s * x.m;
#define ROW_LOAD(m, lane, type)  r.m = *(const type##_memory *)(from + lane);
ROW_FN(row_add, (row x, row y), ROW_ADD)
ROW_FN(row_sub, (row x, row y), ROW_SUB)
ROW_FN(row_mul, (row x, row y), ROW_MUL)
ROW_FN(row_fma, (row x, row y, row z), ROW_FMA)        /* x y + z */
ROW_FN(row_scale, (scalar s, row x), ROW_SCALE)        /* s x */
ROW_FN(row_axpy, (row y, scalar s, row x), ROW_AXPY)   /* y + s x */
ROW_FN(row_minus, (row y, scalar s, row x), ROW_NAXPY) /* y - s x */
ROW_FN(row_load, (const scalar *from), ROW_LOAD)

static inline row row_zero(void) {
  const row r = {0};
  return r;
}

static inline void row_store(scalar *to, row x) {
#define ROW_STORE(m, lane, type) *(type##_memory *)(to + lane) = x.m;
  ROW_PARTS(ROW_STORE)
}

/* the same four scalars at every node */
static inline row row_of(quad q) {
  row r;
#if CQ_LANE_BYTES == 64 && CQ_BITS == 32
  r.a = (row16)_mm512_broadcast_f32x4((__m128)q);
#elif CQ_LANE_BYTES == 64
  r.a = (row8)_mm512_broadcast_f64x4((__m256d)q);
  r.b = q;
#elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  r.a = (row8)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)q), (__m128)q, 1);
  r.b = q;
#else
  r.a = r.b = r.c = q;
#endif
  return r;
}

static inline quad quad_load(const scalar *from) {
  return *(const quad_memory *)from;
}

static inline row row_quad(const scalar *from) {
  return row_of(quad_load(from));
}

/* w[0], w[1], w[2] at the three nodes; w[3] is zero */
static inline row row_weights(const scalar *w) {
  row r;
#if CQ_LANE_BYTES == 64 && CQ_BITS == 32
  const __m512i pick = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  r.a = (row16)_mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_loadu_ps(w)), pick);
#elif CQ_LANE_BYTES == 64
  r.a = (row8)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_set1_pd(w[0])), _mm256_set1_pd(w[1]),
                                 1);
  r.b = (row4)_mm256_set1_pd(w[2]);
#elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  r.a = (row8)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_set1_ps(w[0])), _mm_set1_ps(w[1]), 1);
  r.b = (row4)_mm_set1_ps(w[2]);
#else
  const row4 zero = {0};
  r.a = zero + w[0];
  r.b = zero + w[1];
  r.c = zero + w[2];
#endif
  return r;
}

/* -1, 0, 1 at the three nodes */
static inline row row_ramp(void) {
  static const scalar ramp[16] = {-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};
  return row_load(ramp);
}

/* lanes a shuffle takes: the other of each two, the other two of each four, and, from a second
 * vector, each fourth */
#define NEXT_row4    1, 0, 3, 2
#define NEXT_row8    NEXT_row4, 5, 4, 7, 6
#define NEXT_row16   NEXT_row8, 9, 8, 11, 10, 13, 12, 15, 14
#define OTHER_row4   2, 3, 0, 1
#define OTHER_row8   OTHER_row4, 6, 7, 4, 5
#define OTHER_row16  OTHER_row8, 10, 11, 8, 9, 14, 15, 12, 13
#define FOURTH_row4  0, 1, 2, 7
#define FOURTH_row8  0, 1, 2, 11, 4, 5, 6, 15
#define FOURTH_row16 0, 1, 2, 19, 4, 5, 6, 23, 8, 9, 10, 27, 12, 13, 14, 31

/* x with the negative sum of y's four scalars as the fourth scalar of each node */
#define ROW_FOURTH(m, lane, type)                                                                  \
  {                                                                                                \
    const type pairs = y.m + __builtin_shufflevector(y.m, y.m, NEXT_##type);                       \
    const type sums = pairs + __builtin_shufflevector(pairs, pairs, OTHER_##type);                 \
    r.m = __builtin_shufflevector(x.m, -sums, FOURTH_##type);                                      \
  }
ROW_FN(row_fourth_minus, (row x, row y), ROW_FOURTH)

/* sum over the three nodes */
static inline quad row_sum(row x) {
#if CQ_LANE_BYTES == 64 && CQ_BITS == 32
  const __m512 z = (__m512)x.a;
  return (quad)_mm512_castps512_ps128(z) + (quad)_mm512_extractf32x4_ps(z, 1) +
         (quad)_mm512_extractf32x4_ps(z, 2);
#elif CQ_LANE_BYTES == 64
  const __m512d z = (__m512d)x.a;
  return (quad)_mm512_castpd512_pd256(z) + (quad)_mm512_extractf64x4_pd(z, 1) + x.b;
#elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  const __m256 z = (__m256)x.a;
  return (quad)_mm256_castps256_ps128(z) + (quad)_mm256_extractf128_ps(z, 1) + x.b;
#else
  return x.a + x.b + x.c;
#endif
}

static inline void row_store_sum(scalar *to, row x) {
  *(quad_memory *)to = row_sum(x);
}

/* --- tiles ----------------------------------------------------------------------------------- */

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
