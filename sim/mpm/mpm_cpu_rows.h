/* A row is what three neighbouring nodes along the last axis hold, four scalars each: 12 lanes. The
 * sums over a stencil run over its rows, lane by lane; what belongs to the last axis (its weights,
 * the place of a node in the row) is multiplied in once a particle.
 *
 * With 16 lanes a row is one vector whose last quad is idle: it reads a fourth node with weight
 * zero and adds zero to it. Grid arrays have a quad more than nodes for that. */
#ifndef CQ_MPM_CPU_ROWS_H
#define CQ_MPM_CPU_ROWS_H

#include "mpm_cpu_lanes.h"

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
#elif CQ_LANE_BYTES == 32 || CQ_BITS == 32
ROW_VECTOR(row4, 4);
#  define ROW_PARTS(M) M(a, 0, row4) M(b, 4, row4) M(c, 8, row4)
#else /* a node is two vectors */
#  define CQ_ROW_HALVES
ROW_VECTOR(row2, 2);
#  define ROW_PARTS(M)                                                                             \
    M(a, 0, row2) M(b, 2, row2) M(c, 4, row2) M(d, 6, row2) M(e, 8, row2) M(f, 10, row2)
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
#define ROW_ADD(m, lane, type)  r.m = x.m + y.m;
#define ROW_SUB(m, lane, type)  r.m = x.m - y.m;
#define ROW_MUL(m, lane, type)  r.m = x.m * y.m;
#define ROW_FMA(m, lane, type)  r.m = x.m * y.m + z.m;
#define ROW_AXPY(m, lane, type) r.m = s * x.m + y.m;
#define ROW_LOAD(m, lane, type) r.m = *(const type##_memory *)(from + lane);
ROW_FN(row_add, (row x, row y), ROW_ADD)
ROW_FN(row_sub, (row x, row y), ROW_SUB)
ROW_FN(row_mul, (row x, row y), ROW_MUL)
ROW_FN(row_fma, (row x, row y, row z), ROW_FMA)      /* x y + z */
ROW_FN(row_axpy, (row y, scalar s, row x), ROW_AXPY) /* y + s x */
ROW_FN(row_load, (const scalar *from), ROW_LOAD)

static inline row row_zero(void) {
  const row r = {0};
  return r;
}

static inline void row_store(scalar *to, row x) {
#define ROW_STORE(m, lane, type) *(type##_memory *)(to + lane) = x.m;
  ROW_PARTS(ROW_STORE)
}

/* what one node holds */
#ifdef CQ_ROW_HALVES
typedef struct quad {
  row2 a, b;
} quad;
static inline quad quad_load(const scalar *from) {
  const quad q = {*(const row2_memory *)from, *(const row2_memory *)(from + 2)};
  return q;
}
static inline void quad_add(scalar *to, quad q) {
  *(row2_memory *)to += q.a;
  *(row2_memory *)(to + 2) += q.b;
}
#else
typedef scalar quad __attribute__((vector_size(CQ_QUAD * sizeof(scalar))));
typedef scalar quad_memory
    __attribute__((vector_size(CQ_QUAD * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));
static inline quad quad_load(const scalar *from) {
  return *(const quad_memory *)from;
}
static inline void quad_add(scalar *to, quad q) {
  *(quad_memory *)to += q;
}
#endif

/* the same four scalars at every node */
static inline row row_of(quad q) {
  row r;
#if defined(CQ_ROW_HALVES)
  r.a = r.c = r.e = q.a;
  r.b = r.d = r.f = q.b;
#elif CQ_LANE_BYTES == 64 && CQ_BITS == 32
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
#elif defined(CQ_ROW_HALVES)
  const row2 zero = {0};
  r.a = r.b = zero + w[0];
  r.c = r.d = zero + w[1];
  r.e = r.f = zero + w[2];
#else
  const row4 zero = {0};
  r.a = zero + w[0];
  r.b = zero + w[1];
  r.c = zero + w[2];
#endif
  return r;
}

/* what is at the first node */
static inline quad row_first(row x) {
#if defined(CQ_ROW_HALVES)
  const quad q = {x.a, x.b};
  return q;
#elif CQ_LANE_BYTES == 64 && CQ_BITS == 32
  return (quad)_mm512_castps512_ps128((__m512)x.a);
#elif CQ_LANE_BYTES == 64
  return (quad)_mm512_castpd512_pd256((__m512d)x.a);
#elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  return (quad)_mm256_castps256_ps128((__m256)x.a);
#else
  return x.a;
#endif
}

/* from nodes k, k + 1, k + 2 to the next ones, the last of which gets a zero */
static inline row row_next(row x) {
  row r = row_zero();
#if defined(CQ_ROW_HALVES)
  r.a = x.c;
  r.b = x.d;
  r.c = x.e;
  r.d = x.f;
#elif CQ_LANE_BYTES == 64 && CQ_BITS == 32
  r.a = (row16)_mm512_alignr_epi32((__m512i)r.a, (__m512i)x.a, CQ_QUAD);
#elif CQ_LANE_BYTES == 64
  r.a = (row8)_mm512_shuffle_f64x2((__m512d)x.a, _mm512_castpd256_pd512((__m256d)x.b), 0x4e);
#elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  r.a = (row8)_mm256_permute2f128_ps((__m256)x.a, _mm256_castps128_ps256((__m128)x.b), 0x21);
#else
  r.a = x.b;
  r.b = x.c;
#endif
  return r;
}

/* -1, 0, 1 at the three nodes */
static inline row row_ramp(void) {
  static const scalar ramp[16] = {-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};
  return row_load(ramp);
}

#endif
