/* The scalar types of one variant: CQ_DIM is 2 or 3, CQ_BITS is 32 or 64.
 *
 *   real    what a particle or node quantity is made of. A scalar here; a test makes it a dual
 *           number, files compiled with CQ_LANES make it a vector with a particle in each lane.
 *   truth   what comparing two reals gives: an int, or a mask with a lane for each particle.
 *   scalar  the plain floating type behind it, for constants that are never differentiated.
 *
 * Physics headers use these alone, real_select instead of ?: on reals, and K(1.5) for literals.
 * Where real is a scalar, its files are compiled without contraction of multiply-adds. */
#ifndef CQ_MATH_VARIANT_H
#define CQ_MATH_VARIANT_H

#include "wide.h"

#if CQ_BITS == 32
typedef float scalar;
#  define CQ_EPSILON ((scalar)1.1920929e-07)
#else
typedef double scalar;
#  define CQ_EPSILON ((scalar)2.220446049250313e-16)
#endif
#define K(literal) ((scalar)(literal))

#define CQ_PASTE_(name, dim, bits) name##_##dim##d_f##bits
#define CQ_PASTE(name, dim, bits)  CQ_PASTE_(name, dim, bits)
/* the few symbols of a kernel file that are visible outside it */
#define V(name) CQ_PASTE(name, CQ_DIM, CQ_BITS)

/* a product that is rounded before anything is added to it, where the compiler may contract */
CQ_FN scalar scalar_rounded(scalar a) {
#ifndef __CUDA_ARCH__
  return a;
#elif CQ_BITS == 32
  return __fadd_rn(a, -0.0f);
#else
  return __dadd_rn(a, -0.0);
#endif
}

#ifdef CQ_LANES
#  include "lanes.h"
#endif

#ifndef CQ_REAL_DEFINED
#  define CQ_REAL_DEFINED
typedef scalar real;
typedef int truth;
#  if CQ_BITS == 32
CQ_FN real real_sqrt(real a) {
  return sqrtf(a);
}
CQ_FN real real_log(real a) {
  return logf(a);
}
CQ_FN real real_exp(real a) {
  return expf(a);
}
#  else
CQ_FN real real_sqrt(real a) {
  return sqrt(a);
}
CQ_FN real real_log(real a) {
  return log(a);
}
CQ_FN real real_exp(real a) {
  return exp(a);
}
#  endif
CQ_FN real real_select(truth condition, real yes, real no) {
  return condition ? yes : no;
}
CQ_FN truth truth_not(truth condition) {
  return !condition;
}
CQ_FN truth truth_and(truth a, truth b) {
  return a && b;
}
/* true when the condition holds in every lane */
CQ_FN int real_all(truth condition) {
  return condition;
}
CQ_FN real real_splat(scalar a) {
  return a;
}
/* of its lanes */
CQ_FN scalar real_first(real a) {
  return a;
}
CQ_FN real real_rounded(real a) {
  return scalar_rounded(a);
}
#endif

#ifndef CQ_LANES
CQ_FN real real_inverse_sqrt(real a) {
  return K(1) / real_sqrt(a);
}
#endif

#endif
