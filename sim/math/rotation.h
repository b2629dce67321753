/* Rotations given by an axis times an angle, w [rad]; in double. In 2D it is about z. */
#ifndef CQ_MATH_ROTATION_H
#define CQ_MATH_ROTATION_H

#include "wide.h"

#include <math.h>

/* I + a K + b K^2 with K v = w x v */
CQ_FN void cq_rotation_polynomial(const double *w, double a, double b, double M[3][3]) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    M[i][i] = 1.0 + b * (w[i] * w[i] - square);
    M[i][j] = b * w[i] * w[j] - a * w[k];
    M[i][k] = b * w[i] * w[k] + a * w[j];
  }
}

/* Rodrigues: sin t/t and (1 - cos t)/t^2 */
CQ_FN void cq_rotation_matrix(const double *w, double Q[3][3]) {
  const double t = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
  cq_rotation_polynomial(w, t > 0.0 ? sin(t) / t : 1.0, 0.5 * half * half, Q);
}

/* dQ Q^T is the cross product with J dw, J = I + (1 - cos t)/t^2 K + (t - sin t)/t^3 K^2. This is
 * J^T. */
CQ_FN void cq_rotation_jacobian_t(const double *w, double M[3][3]) {
  const double s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrt(s);
  const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
  const double c = s < 0.1 ? 1.0 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)))
                           : (t - sin(t)) / (s * t);
  cq_rotation_polynomial(w, -0.5 * half * half, c, M);
}

#endif
