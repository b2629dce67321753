/* The cubic spline of smoothed particle hydrodynamics, of support h:
 *   W = k (6 q^3 - 6 q^2 + 1) for q = r/h <= 1/2, 2 k (1 - q)^3 up to 1,
 * k = 40/(7 pi h^2) in 2D and 8/(pi h^3) in 3D. Its gradient at x_i - x_j is slope * (x_i - x_j).
 */
#ifndef CQ_FLUID_KERNEL_H
#define CQ_FLUID_KERNEL_H

#include "variant.h"

typedef struct kernel {
  scalar h, inverse; /* support [m] and one over it */
  scalar peak;       /* W(0) [1/m^dim] */
  scalar steep;      /* 6 k/h^2 */
} kernel;

CQ_FN kernel kernel_make(double h) {
  const double pi = 3.14159265358979323846;
  const double k = CQ_DIM == 2 ? 40.0 / (7.0 * pi * h * h) : 8.0 / (pi * h * h * h);
  kernel r;
  r.h = K(h);
  r.inverse = K(1.0 / h);
  r.peak = K(k);
  r.steep = K(6.0 * k / (h * h));
  return r;
}

CQ_FN real kernel_positive(real a) {
  return real_select(a > K(0), a, real_splat(K(0)));
}

/* W at a distance of q supports */
CQ_FN real kernel_value(const kernel *k, real q) {
  const real outer = kernel_positive(K(1) - q), inner = kernel_positive(K(0.5) - q);
  return K(2) * k->peak * (outer * outer * outer - K(4) * (inner * inner * inner));
}

/* W'(r)/r, never above 0 */
CQ_FN real kernel_slope(const kernel *k, real q) {
  const truth near = q < K(0.5);
  const real outer = kernel_positive(K(1) - q);
  const real far = outer * outer / real_select(near, real_splat(K(1)), q);
  return -(k->steep * real_select(near, K(2) - K(3) * q, far));
}

#endif
