/* real as a GNU vector: a particle (or node) in each lane. variant.h includes this file where
 * CQ_LANES is defined. The width follows from what the file is compiled for: 64 bytes with AVX-512,
 * 32 with AVX2, 16 otherwise. No operation mixes lanes, so a lane has the same bits whatever its
 * neighbours are.
 *
 * Arithmetic is the compiler's own on vectors; what has no operator (square root, select, mask to
 * bits) is an instruction here, or a loop where the machine is not an x86. */
#ifndef CQ_MATH_LANES_H
#define CQ_MATH_LANES_H

#if defined(__AVX512F__)
#  define CQ_LANE_BYTES 64
#elif defined(__AVX2__)
#  define CQ_LANE_BYTES 32
#else
#  define CQ_LANE_BYTES 16
#endif
#if defined(__x86_64__)
#  include <immintrin.h>
#endif

#define CQ_REAL_DEFINED
#if CQ_BITS == 32
enum { LANES = CQ_LANE_BYTES / 4 };
typedef int lane_int;
#else
enum { LANES = CQ_LANE_BYTES / 8 };
typedef long long lane_int;
#endif
typedef scalar real __attribute__((vector_size(CQ_LANE_BYTES)));
typedef lane_int truth __attribute__((vector_size(CQ_LANE_BYTES)));
/* in memory, where vectors need not be aligned */
typedef scalar real_memory __attribute__((vector_size(CQ_LANE_BYTES), aligned(4), may_alias));

/* what the instructions of this width are called */
#if !defined(__x86_64__)
#  define CQ_LANES_LOOP
#elif CQ_LANE_BYTES == 64
#  define CQ_X86_(op, type) _mm512_##op##_##type
#elif CQ_LANE_BYTES == 32
#  define CQ_X86_(op, type) _mm256_##op##_##type
#else
#  define CQ_X86_(op, type) _mm_##op##_##type
#endif
#define CQ_X86_T(op, type) CQ_X86_(op, type)
#if CQ_BITS == 32
#  define CQ_X86(op) CQ_X86_T(op, ps)
#else
#  define CQ_X86(op) CQ_X86_T(op, pd)
#endif

CQ_FN real real_splat(scalar a) {
  const real zero = {0};
  return zero + a;
}

CQ_FN scalar real_first(real a) {
  return a[0];
}

CQ_FN real real_select(truth condition, real yes, real no) {
  return (real)((condition & (truth)yes) | (~condition & (truth)no));
}

/* scalar_rounded of every lane */
CQ_FN real real_rounded(real a) {
#if defined(__x86_64__)
  __asm__("" : "+v"(a));
#else
  __asm__("" : "+m"(a));
#endif
  return a;
}

CQ_FN truth truth_not(truth condition) {
  return ~condition;
}

CQ_FN truth truth_and(truth a, truth b) {
  return a & b;
}

/* bit l is set where the condition holds in lane l */
CQ_FN unsigned truth_bits(truth condition) {
#ifdef CQ_LANES_LOOP
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++) {
    bits |= (unsigned)(condition[l] != 0) << l;
  }
  return bits;
#elif CQ_LANE_BYTES == 64 && CQ_BITS == 32
  return (unsigned)_mm512_movepi32_mask((__m512i)condition);
#elif CQ_LANE_BYTES == 64
  return (unsigned)_mm512_movepi64_mask((__m512i)condition);
#elif CQ_BITS == 32
  return (unsigned)CQ_X86(movemask)((__typeof__(CQ_X86(setzero)()))condition);
#else
  return (unsigned)CQ_X86(movemask)((__typeof__(CQ_X86(setzero)()))condition);
#endif
}

CQ_FN int real_all(truth condition) {
  return truth_bits(condition) == (1u << LANES) - 1u;
}

CQ_FN real real_sqrt(real a) {
#ifdef CQ_LANES_LOOP
  for (int l = 0; l < LANES; l++) {
    a[l] = (scalar)sqrt((double)a[l]);
  }
  return a;
#else
  return (real)CQ_X86(sqrt)((__typeof__(CQ_X86(setzero)()))a);
#endif
}

/* 1/sqrt(a) of positive, normal numbers. Roots and divisions of 64 bytes hold up all that follows:
 * there an estimate of 14 bits is improved by Newton's method, which doubles them each time. */
CQ_FN real real_inverse_sqrt(real a) {
#if CQ_LANE_BYTES == 64
  real y = (real)CQ_X86(rsqrt14)((__typeof__(CQ_X86(setzero)()))a);
  for (int k = CQ_BITS == 32; k < 2; k++) {
    const real t = a * y;
    y = y + K(0.5) * y * (K(1) - t * y);
  }
  return y;
#else
  return K(1) / real_sqrt(a);
#endif
}

CQ_FN real real_exp(real a) {
  for (int l = 0; l < LANES; l++) {
    a[l] = (scalar)exp((double)a[l]);
  }
  return a;
}

/* log of positive, normal numbers; NaN for others. x = 2^e m with m in [sqrt(1/2), sqrt(2)), and
 * log m = 2 artanh s with s = (m - 1)/(m + 1), |s| < 0.172: the series in s^2 falls below a
 * rounding error after 5 terms in float, 11 in double. */
CQ_FN real real_log(real x) {
#if CQ_BITS == 32
  enum { FRACTION = 23, BIAS = 127, TERMS = 5 };
  const truth one = (truth)real_splat(1.0f), fraction = one - one + ((1 << FRACTION) - 1);
#else
  enum { FRACTION = 52, BIAS = 1023, TERMS = 11 };
  const truth one = (truth)real_splat(1.0), fraction = one - one + ((1LL << FRACTION) - 1);
#endif
  const truth bits = (truth)x;
  truth e = (bits >> FRACTION) - BIAS;
  real m = (real)((bits & fraction) | one);
  const truth high = m > K(1.4142135623730951);
  m = real_select(high, K(0.5) * m, m);
  e = e - high; /* true is -1 */
  const real s = (m - K(1)) / (m + K(1)), s2 = s * s;
  real series = real_splat(K(1.0 / (2 * TERMS + 1)));
  for (int k = TERMS - 1; k > 0; k--) {
    series = series * s2 + K(1.0 / (2 * k + 1));
  }
  const real power = __builtin_convertvector(e, real);
  /* 2^e log: the larger part has few digits, so that its product is exact */
  const real large = power * K(0.693145751953125), small = power * K(1.42860682030941723e-6);
  const real value = large + (K(2) * s + (K(2) * s * s2 * series + small));
  return real_select(x > K(0), value, real_splat(K(NAN)));
}

#endif
