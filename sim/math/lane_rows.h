/* Between memory and lanes. Records are rows of scalars, so LANES of them become vectors by
 * transposing small blocks in registers: 16 bytes of each record (a chunk) are brought together,
 * then 4 x 4 floats or 2 x 2 doubles are transposed within each 16 bytes of the vectors. */
#ifndef CQ_MATH_LANE_ROWS_H
#define CQ_MATH_LANE_ROWS_H

#include "variant.h"

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

#if CQ_LANE_BYTES == 64 && CQ_BITS == 64
enum { WIDE_CHUNK = 4 }; /* 32 bytes at once take half the moves */

/* rows i and i + 2 of four */
static inline native join_halves(const scalar *from, const lanes *l, size_t stride, int i) {
  return _mm512_insertf64x4(
      _mm512_castpd256_pd512(_mm256_loadu_pd(from + (size_t)l->index[i] * stride)),
      _mm256_loadu_pd(from + (size_t)l->index[i + 2] * stride), 1);
}

static inline void load_wide(const scalar *from, const lanes *l, size_t stride, real *to) {
  const native a = join_halves(from, l, stride, 0), b = join_halves(from, l, stride, 1);
  const native c = join_halves(from, l, stride, 4), d = join_halves(from, l, stride, 5);
  const native even0 = _mm512_unpacklo_pd(a, b), even1 = _mm512_unpacklo_pd(c, d);
  const native odd0 = _mm512_unpackhi_pd(a, b), odd1 = _mm512_unpackhi_pd(c, d);
  to[0] = (real)_mm512_shuffle_f64x2(even0, even1, 0x88);
  to[1] = (real)_mm512_shuffle_f64x2(odd0, odd1, 0x88);
  to[2] = (real)_mm512_shuffle_f64x2(even0, even1, 0xdd);
  to[3] = (real)_mm512_shuffle_f64x2(odd0, odd1, 0xdd);
}

static inline void store_wide(scalar *to, const lanes *l, size_t stride, const real *from) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const native *z = (const native *)from;
  const native even0 = _mm512_permutex2var_pd(z[0], low, z[2]);
  const native even1 = _mm512_permutex2var_pd(z[0], high, z[2]);
  const native odd0 = _mm512_permutex2var_pd(z[1], low, z[3]);
  const native odd1 = _mm512_permutex2var_pd(z[1], high, z[3]);
  const native rows[4] = {_mm512_unpacklo_pd(even0, odd0), _mm512_unpackhi_pd(even0, odd0),
                          _mm512_unpacklo_pd(even1, odd1), _mm512_unpackhi_pd(even1, odd1)};
  for (int i = 0; i < 4; i++) {
    const int first = i / 2 * 4 + i % 2;
    _mm256_storeu_pd(to + (size_t)l->index[first] * stride, _mm512_castpd512_pd256(rows[i]));
    _mm256_storeu_pd(to + (size_t)l->index[first + 2] * stride, _mm512_extractf64x4_pd(rows[i], 1));
  }
}
#else
enum { WIDE_CHUNK = CHUNK };
#  define load_wide load_chunk
static inline void store_wide(scalar *to, const lanes *l, size_t stride, const real *from) {
  store_chunk(to, l, LANES, stride, from);
}
#endif

/* n scalars, a multiple of CHUNK, from offset `first` of records */
static inline void load_scalars(const scalar *records, const lanes *l, size_t stride, int first,
                                int n, real *to) {
#pragma GCC unroll 16
  for (int k = 0; k < n; k += WIDE_CHUNK) {
    if (k + WIDE_CHUNK <= n) {
      load_wide(records + first + k, l, stride, to + k);
    } else {
      load_chunk(records + first + k, l, stride, to + k);
    }
  }
}

static inline void store_scalars(scalar *records, const lanes *l, int count, size_t stride, int n,
                                 const real *from) {
  if (count == LANES && n % WIDE_CHUNK == 0) {
#pragma GCC unroll 16
    for (int k = 0; k < n; k += WIDE_CHUNK) {
      store_wide(records + k, l, stride, from + k);
    }
    return;
  }
#pragma GCC unroll 16
  for (int k = 0; k < n; k += CHUNK) {
    store_chunk(records + k, l, count, stride, from + k);
  }
}

/* Rows of four scalars that lanes share with their neighbours, as the nodes of cells with several
 * particles: up to SHARED of them are loaded once and spread over the lanes, where the machine can
 * do that. */
#if CQ_LANE_BYTES == 64
enum { SHARED = 32 / (int)sizeof(scalar) };
#else
enum { SHARED = LANES };
#endif

typedef struct row_set {
  int at[LANES]; /* the places of different rows, in the order of lanes; the rest is zero */
  int n;         /* of those */
  truth index;   /* number of a lane's row among them */
} row_set;

/* of the rows of lanes: those at one place are neighbours */
static inline row_set row_set_of(truth at) {
  row_set r;
#if CQ_LANE_BYTES == 64 && CQ_BITS == 64
  const __m512i z = (__m512i)at, zero = _mm512_setzero_si512();
#  define SHIFT(x, lanes) _mm512_alignr_epi64((__m512i)(x), zero, 8 - (lanes))
  const __mmask8 first = _mm512_cmpneq_epi64_mask(z, SHIFT(z, 1)) | 1;
  _mm256_storeu_si256((__m256i *)r.at,
                      _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(first, z)));
  truth sum = (truth)_mm512_maskz_set1_epi64(first & 0xfe, 1);
#elif CQ_LANE_BYTES == 64
  const __m512i z = (__m512i)at, zero = _mm512_setzero_si512();
#  define SHIFT(x, lanes) _mm512_alignr_epi32((__m512i)(x), zero, 16 - (lanes))
  const __mmask16 first = _mm512_cmpneq_epi32_mask(z, SHIFT(z, 1)) | 1;
  _mm512_storeu_si512(r.at, _mm512_maskz_compress_epi32(first, z));
  truth sum = (truth)_mm512_maskz_set1_epi32(first & 0xfffe, 1);
  sum += (truth)SHIFT(sum, 8);
#else
  for (int l = 0; l < LANES; l++) {
    r.at[l] = (int)at[l];
  }
  r.index = at;
  r.n = LANES;
#endif
#if CQ_LANE_BYTES == 64
  sum += (truth)SHIFT(sum, 4);
  sum += (truth)SHIFT(sum, 2);
  r.index = sum + (truth)SHIFT(sum, 1);
  r.n = __builtin_popcount(first);
#  undef SHIFT
#endif
  return r;
}

/* SHARED rows of a set, from number `first` on, and the lanes with these and later ones */
static inline row_set row_set_from(const row_set *s, int first, truth *mask) {
  row_set r = *s;
  memcpy(r.at, s->at + first, SHARED * sizeof *r.at);
  r.index = s->index - first;
  *mask = r.index >= 0;
  return r;
}

/* the first n scalars of a set of at most SHARED rows */
static inline void load_shared(const scalar *from, const row_set *s, int n, real *to) {
#if CQ_LANE_BYTES == 64 && CQ_BITS == 64
  const __m512d a = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(from + s->at[0])),
                                       _mm256_loadu_pd(from + s->at[1]), 1);
  const __m512d b = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(from + s->at[2])),
                                       _mm256_loadu_pd(from + s->at[3]), 1);
  for (int k = 0; k < n; k++) {
    to[k] = (real)_mm512_permutex2var_pd(a, (__m512i)(4 * s->index + k), b);
  }
#elif CQ_LANE_BYTES == 64
  part p[SHARED];
  for (int i = 0; i < SHARED; i++) {
    p[i] = _mm_loadu_ps(from + s->at[i]);
  }
  const native a = join(p, 1), b = join(p + 4, 1);
  for (int k = 0; k < n; k++) {
    to[k] = (real)_mm512_permutex2var_ps(a, (__m512i)(4 * s->index + k), b);
  }
#else
  const lanes l = {LANES, s->at};
  load_scalars(from, &l, 1, 0, (n + CHUNK - 1) / CHUNK * CHUNK, to);
#endif
}

#endif
