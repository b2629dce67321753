/* The type of observations, controls, controller parameters and losses: double, whatever the
 * precision of the particles. A test may define another one (a dual number) before including. */
#ifndef CQ_MATH_WIDE_H
#define CQ_MATH_WIDE_H

/* functions that device code calls too */
#ifdef __CUDACC__
#  define CQ_FN static inline __host__ __device__
#elif defined(CQ_LANES) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
/* structs of vectors passed through memory would cost more than the arithmetic */
#  define CQ_FN static inline __attribute__((always_inline))
#else
#  define CQ_FN static inline
#endif

/* long and rare: out of the way of those who call it */
#ifdef __CUDACC__
#  define CQ_FN_APART static __host__ __device__ __noinline__
#else
#  define CQ_FN_APART static __attribute__((noinline, unused))
#endif

#ifndef CQ_WIDE_DEFINED
#  define CQ_WIDE_DEFINED
#  include <math.h>
typedef double wide;
CQ_FN wide cq_wide_sqrt(wide a) {
  return sqrt(a);
}
CQ_FN wide cq_wide_log(wide a) {
  return log(a);
}
/* a^exponent, a >= 0, exponent > 0 */
CQ_FN wide cq_wide_pow(wide a, double exponent) {
  return pow(a, exponent);
}
CQ_FN wide cq_wide_tanh(wide a) {
  return tanh(a);
}
CQ_FN wide cq_wide_sin(wide a) {
  return sin(a);
}
CQ_FN wide cq_wide_cos(wide a) {
  return cos(a);
}
/* its value, where a number is asked for */
CQ_FN double cq_wide_number(wide a) {
  return a;
}
#endif

#endif
