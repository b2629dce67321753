/* Between memory and lanes. A particle is a record of scalars, so LANES particles become vectors by
 * transposing small blocks in registers: 16 bytes of each particle (a chunk) are brought together,
 * then 4 x 4 floats or 2 x 2 doubles are transposed within each 16 bytes of the vectors. */
#ifndef CQ_MPM_CPU_LANES_H
#define CQ_MPM_CPU_LANES_H

#include "mpm_cpu_hot.h"

#include <string.h>

enum { CHUNK = 16 / (int)sizeof(scalar), PARTS = LANES / CHUNK };

/* The particles or nodes that lanes stand for: a part of a list, which is copied only to repeat its
 * last one in lanes past the end. */
typedef struct lanes {
  int count;
  const int *index; /* [LANES] */
} lanes;

static inline lanes lanes_of(const int *list, int left, int *tail) {
  const lanes whole = {LANES, list};
  if (left >= LANES) {
    return whole;
  }
#pragma GCC unroll 1
  for (int i = 0; i < LANES; i++) {
    tail[i] = list[i < left ? i : left - 1];
  }
  const lanes some = {left, tail};
  return some;
}

/* numbers first, first + 1, ... */
static inline lanes lanes_from(int first, int left, int *numbers) {
  const lanes l = {left < LANES ? left : LANES, numbers};
  for (int i = 0; i < LANES; i++) {
    numbers[i] = first + (i < l.count ? i : l.count - 1);
  }
  return l;
}

/* the rows of a buffer of LANES; past count the last one again */
static inline lanes lanes_own(void) {
  static const int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const lanes l = {LANES, numbers};
  return l;
}

#ifdef CQ_LANES_LOOP

static inline void load_chunk(const scalar *from, const lanes *l, size_t stride, real *to) {
  for (int k = 0; k < CHUNK; k++) {
    real column = {0};
    for (int i = 0; i < LANES; i++) {
      column[i] = from[(size_t)l->index[i] * stride + (size_t)k];
    }
    to[k] = column;
  }
}

static inline void store_chunk(scalar *to, const lanes *l, int count, size_t stride,
                               const real *from) {
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < CHUNK; k++) {
      to[(size_t)l->index[i] * stride + (size_t)k] = from[k][i];
    }
  }
}

#else

typedef __typeof__(CQ_X86(setzero)()) native;
#  if CQ_BITS == 32
typedef __m128 part;
#    define LOAD_PART  _mm_loadu_ps
#    define STORE_PART _mm_storeu_ps
#  else
typedef __m128d part;
#    define LOAD_PART  _mm_loadu_pd
#    define STORE_PART _mm_storeu_pd
#  endif

/* parts p[0], p[stride], ... side by side */
static inline native join(const part *p, int stride) {
  (void)stride;
#  if CQ_LANE_BYTES == 64 && CQ_BITS == 32
  native z = _mm512_castps128_ps512(p[0]);
  z = _mm512_insertf32x4(z, p[stride], 1);
  z = _mm512_insertf32x4(z, p[2 * stride], 2);
  return _mm512_insertf32x4(z, p[3 * stride], 3);
#  elif CQ_LANE_BYTES == 64
  native z = _mm512_castpd128_pd512(p[0]);
  z = _mm512_insertf64x2(z, p[stride], 1);
  z = _mm512_insertf64x2(z, p[2 * stride], 2);
  return _mm512_insertf64x2(z, p[3 * stride], 3);
#  elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  return _mm256_insertf128_ps(_mm256_castps128_ps256(p[0]), p[stride], 1);
#  elif CQ_LANE_BYTES == 32
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(p[0]), p[stride], 1);
#  else
  return p[0];
#  endif
}

/* The same backwards. */
static inline void split(native z, part *p, int stride) {
  (void)stride;
#  if CQ_LANE_BYTES == 64 && CQ_BITS == 32
  p[0] = _mm512_castps512_ps128(z);
  p[stride] = _mm512_extractf32x4_ps(z, 1);
  p[2 * stride] = _mm512_extractf32x4_ps(z, 2);
  p[3 * stride] = _mm512_extractf32x4_ps(z, 3);
#  elif CQ_LANE_BYTES == 64
  p[0] = _mm512_castpd512_pd128(z);
  p[stride] = _mm512_extractf64x2_pd(z, 1);
  p[2 * stride] = _mm512_extractf64x2_pd(z, 2);
  p[3 * stride] = _mm512_extractf64x2_pd(z, 3);
#  elif CQ_LANE_BYTES == 32 && CQ_BITS == 32
  p[0] = _mm256_castps256_ps128(z);
  p[stride] = _mm256_extractf128_ps(z, 1);
#  elif CQ_LANE_BYTES == 32
  p[0] = _mm256_castpd256_pd128(z);
  p[stride] = _mm256_extractf128_pd(z, 1);
#  else
  p[0] = z;
#  endif
}

/* within each 16 bytes: rows to columns (its own inverse) */
static inline void transpose(const native *z, native *to) {
#  if CQ_BITS == 32
  const native a = CQ_X86_T(unpacklo, ps)(z[0], z[1]), b = CQ_X86_T(unpackhi, ps)(z[0], z[1]);
  const native c = CQ_X86_T(unpacklo, ps)(z[2], z[3]), d = CQ_X86_T(unpackhi, ps)(z[2], z[3]);
#    define PAIR(op, x, y)                                                                         \
      (native) CQ_X86_T(op, pd)((__typeof__(CQ_X86_T(setzero, pd)()))(x),                          \
                                (__typeof__(CQ_X86_T(setzero, pd)()))(y))
  to[0] = PAIR(unpacklo, a, c);
  to[1] = PAIR(unpackhi, a, c);
  to[2] = PAIR(unpacklo, b, d);
  to[3] = PAIR(unpackhi, b, d);
#    undef PAIR
#  else
  to[0] = CQ_X86_T(unpacklo, pd)(z[0], z[1]);
  to[1] = CQ_X86_T(unpackhi, pd)(z[0], z[1]);
#  endif
}

/* scalars 0 .. CHUNK-1 of from[index * stride] */
static inline void load_chunk(const scalar *from, const lanes *l, size_t stride, real *to) {
  part p[LANES];
  native z[CHUNK], columns[CHUNK];
  for (int i = 0; i < LANES; i++) {
    p[i] = LOAD_PART(from + (size_t)l->index[i] * stride);
  }
  for (int k = 0; k < CHUNK; k++) {
    z[k] = join(p + k, CHUNK);
  }
  transpose(z, columns);
  for (int k = 0; k < CHUNK; k++) {
    to[k] = (real)columns[k];
  }
}

static inline void store_chunk(scalar *to, const lanes *l, int count, size_t stride,
                               const real *from) {
  part p[LANES];
  native z[CHUNK], rows[CHUNK];
  for (int k = 0; k < CHUNK; k++) {
    z[k] = (native)from[k];
  }
  transpose(z, rows);
  for (int k = 0; k < CHUNK; k++) {
    split(rows[k], p + k, CHUNK);
  }
  if (count == LANES) { /* unrolled */
    for (int i = 0; i < LANES; i++) {
      STORE_PART(to + (size_t)l->index[i] * stride, p[i]);
    }
  } else {
#  pragma GCC unroll 1
    for (int i = 0; i < count; i++) {
      STORE_PART(to + (size_t)l->index[i] * stride, p[i]);
    }
  }
}

#endif

/* n scalars, a multiple of CHUNK, from offset `first` of records */
static inline void load_scalars(const scalar *records, const lanes *l, size_t stride, int first,
                                int n, real *to) {
#pragma GCC unroll 16
  for (int k = 0; k < n; k += CHUNK) {
    load_chunk(records + first + k, l, stride, to + k);
  }
}

static inline void store_scalars(scalar *records, const lanes *l, int count, size_t stride, int n,
                                 const real *from) {
#pragma GCC unroll 16
  for (int k = 0; k < n; k += CHUNK) {
    store_chunk(records + k, l, count, stride, from + k);
  }
}

/* Asks for the `size` records that begin at `first` of a list that ends at `end`. A whole tile
 * asked for at once would fill the queue of misses and hold up what follows: callers ask for a
 * group of lanes at a time. */
static inline void prefetch_records(const scalar *records, const int *list, int first, int size,
                                    int end) {
  const int last = first + size < end ? first + size : end;
  for (int i = first; i < last; i++) {
    const char *at = (const char *)(records + (size_t)list[i] * CQ_RECORD);
    for (size_t k = 0; k < CQ_RECORD * sizeof(scalar); k += 64) {
      __builtin_prefetch(at + k);
    }
  }
}

/* whether the lanes are one piece of the records, made of whole cache lines */
static inline bool lanes_are_lines(const scalar *records, const lanes *l) {
  if (l->count < LANES || (uintptr_t)(records + (size_t)l->index[0] * CQ_RECORD) % 64 != 0) {
    return false;
  }
  int gaps = 0;
  for (int i = 1; i < LANES; i++) {
    gaps |= l->index[i] - l->index[0] - i;
  }
  return gaps == 0;
}

/* Stores particles around the caches: what will not be read again from them need not be read into
 * them first. */
static inline void stream_particles(scalar *records, const lanes *l, const particle *q) {
  scalar lines[LANES][CQ_RECORD] __attribute__((aligned(64)));
  const lanes own = lanes_own();
  store_scalars(lines[0], &own, LANES, CQ_RECORD, CQ_RECORD, (const real *)q);
  scalar *to = records + (size_t)l->index[0] * CQ_RECORD;
#ifdef CQ_LANES_LOOP
  memcpy(to, lines, sizeof lines);
#else
  for (int k = 0; k < LANES * CQ_RECORD; k += LANES) {
    CQ_X86(stream)(to + k, CQ_X86(load)(lines[0] + k));
  }
#endif
}

/* after the last stream_particles of a piece of work */
static inline void end_stream(void) {
#ifndef CQ_LANES_LOOP
  _mm_sfence();
#endif
}

static inline particle load_particle(const scalar *records, const lanes *l) {
  particle q;
  load_scalars(records, l, CQ_RECORD, 0, CQ_RECORD, (real *)&q);
  return q;
}

static inline vec load_position(const scalar *records, const lanes *l) {
  real r[4];
  load_scalars(records, l, CQ_RECORD, 0, (CQ_DIM + CHUNK - 1) / CHUNK * CHUNK, r);
  vec x;
  FOR_AXES(a) {
    x.v[a] = r[a];
  }
  return x;
}

static inline substance load_substance(const cpu *c, const lanes *l) {
  real r[CQ_QUAD];
  load_scalars(c->substance, l, CQ_QUAD, 0, CQ_QUAD, r);
  const substance s = {r[0], r[1], r[2], r[3]};
  return s;
}

static inline void store_quad(scalar *to, const lanes *l, int count, real a, real b, real d,
                              real e) {
  const real r[CQ_QUAD] = {a, b, d, e};
  store_scalars(to, l, count, CQ_QUAD, CQ_QUAD, r);
}

/* vec and a fourth component */
static inline void store_vec(scalar *to, const lanes *l, int count, vec v, real fourth) {
#if CQ_DIM == 2
  store_quad(to, l, count, v.v[0], v.v[1], real_splat(K(0)), fourth);
#else
  store_quad(to, l, count, v.v[0], v.v[1], v.v[2], fourth);
#endif
}

/* x/dx, rounded here. Every file finds the cell of a particle by these roundings: contracted
 * differently, x at the edge of a cell would be in one cell for the sort and in another for the
 * scatter. */
static inline real lanes_cells(real x, scalar inv_dx) {
  return real_rounded(x * inv_dx);
}

/* base node of an axis, and f = x/dx - base in [1/2, 3/2) */
static inline truth lanes_base(real x, scalar inv_dx, real *f) {
  const real s = lanes_cells(x, inv_dx);
  const truth base = __builtin_convertvector(s - K(0.5), truth);
  *f = s - __builtin_convertvector(base, real);
  return base;
}

#endif
