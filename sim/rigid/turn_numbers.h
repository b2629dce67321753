/* Turns in other numbers: of a rotation matrix, and as an axis times an angle (in 2D: the angle),
 * which files and tables have. In double, where bodies are read and written, once a step or less.
 */
#ifndef CQ_RIGID_TURN_NUMBERS_H
#define CQ_RIGID_TURN_NUMBERS_H

#include "rigid_pose.h"

#include <math.h>

#if CQ_DIM == 2

static inline turn turn_of_matrix(mat R) {
  turn q;
  q.q[0] = atan2(R.m[1][0], R.m[0][0]);
  return q;
}

/* dL/d(rotation vector in the world) */
static inline spin turn_due(turn q, turn d) {
  spin r;
  (void)q;
  r.w[0] = d.q[0];
  return r;
}

static inline void turn_of_vector(const double *angle, double *q) {
  q[0] = angle[0];
}

static inline void turn_of_vector_adjoint(const double *angle, const double *q, const double *dq,
                                          double *dangle) {
  (void)angle;
  (void)q;
  dangle[0] = dq[0];
}

#else

/* by the largest of the four numbers, which is at least 1/2 */
static inline turn turn_of_matrix(mat R) {
  const real trace = mat_trace(R);
  int i = 0;
  for (int k = 1; k < 3; k++) {
    i = R.m[k][k] > R.m[i][i] ? k : i;
  }
  turn q;
  if (trace > R.m[i][i]) {
    q.q[0] = 1.0 + trace;
    FOR_AXES(k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      q.q[1 + k] = R.m[m][l] - R.m[l][m];
    }
  } else {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q.q[0] = R.m[k][j] - R.m[j][k];
    q.q[1 + i] = 1.0 + 2.0 * R.m[i][i] - trace;
    q.q[1 + j] = R.m[j][i] + R.m[i][j];
    q.q[1 + k] = R.m[k][i] + R.m[i][k];
  }
  return turn_unit(q);
}

static inline spin turn_due(turn q, turn d) {
  return spin_scale(0.5, vec_spin(turn_axial(turn_after(d, turn_conjugate(q)))));
}

/* sin(t/2)/t, and its derivative by t over t */
static inline void half_sine(double square, double *value, double *slope) {
  const double t = sqrt(square);
  *value = square < 1e-2 ? 0.5 - square / 48.0 * (1.0 - square / 80.0 * (1.0 - square / 168.0))
                         : sin(0.5 * t) / t;
  *slope = square < 1e-2 ? -1.0 / 24.0 + square / 960.0 - square * square / 107520.0
                         : (0.5 * cos(0.5 * t) - *value) / square;
}

/* of an axis times an angle */
static inline void turn_of_vector(const double *w, double *q) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  double s, slope;
  half_sine(square, &s, &slope);
  q[0] = cos(0.5 * sqrt(square));
  for (int a = 0; a < 3; a++) {
    q[1 + a] = s * w[a];
  }
}

/* q may have been given the other sign */
static inline void turn_of_vector_adjoint(const double *w, const double *q, const double *dq,
                                          double *dw) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  double s, slope, raw[CQ_TURN], along = 0.0, sign = 0.0;
  half_sine(square, &s, &slope);
  turn_of_vector(w, raw);
  for (int i = 0; i < CQ_TURN; i++) {
    sign += raw[i] * q[i];
  }
  sign = sign < 0.0 ? -1.0 : 1.0;
  for (int a = 0; a < 3; a++) {
    along += w[a] * dq[1 + a];
  }
  for (int a = 0; a < 3; a++) {
    dw[a] = sign * (s * dq[1 + a] + w[a] * (slope * along - 0.5 * s * dq[0]));
  }
}

#endif

/* a turn as an axis times an angle; components that a plane has not are 0 */
static inline void turn_vector(turn t, real *turns) {
#if CQ_DIM == 2
  turns[2] = t.q[0];
#else
  const real *q = t.q, sign = q[0] < 0.0 ? -1.0 : 1.0;
  const real sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const real stretch = sine > 0.0 ? 2.0 * atan2(sine, sign * q[0]) / sine : 2.0;
  for (int a = 0; a < 3; a++) {
    turns[a] = sign * stretch * q[1 + a];
  }
#endif
}

#if CQ_DIM == 2

static inline turn turn_vector_adjoint(turn t, const real *dturns) {
  t.q[0] = dturns[2];
  return t;
}

#else

/* (2 a/n - h)/s^2 for h = 2 atan2(s, a)/s and n = s^2 + a^2 */
static inline real stretch_slope(real a, real square) {
  const real n = square + a * a, tangent = square / (a * a), sine = sqrt(square);
  if (square >= 1e-3 * a * a) {
    return (2.0 * a / n - 2.0 * atan2(sine, a) / sine) / square;
  }
  real sum = 0.0;
  for (int k = 6; k >= 1; k--) {
    sum = 2.0 * k / (2.0 * k + 1.0) - tangent * sum;
  }
  return -2.0 * sum / (a * a * a);
}

/* dL/dq, which is across q: turns do not depend on its length, nor on its sign */
static inline turn turn_vector_adjoint(turn t, const real *dturns) {
  const real *q = t.q, sign = q[0] < 0.0 ? -1.0 : 1.0, a = sign * q[0];
  const real square = q[1] * q[1] + q[2] * q[2] + q[3] * q[3], sine = sqrt(square);
  const real stretch = sine > 0.0 ? 2.0 * atan2(sine, a) / sine : 2.0 / a;
  const real along = q[1] * dturns[0] + q[2] * dturns[1] + q[3] * dturns[2];
  const real slope = along * stretch_slope(a, square);
  turn d;
  d.q[0] = -2.0 * along / (square + a * a);
  for (int i = 1; i < 4; i++) {
    d.q[i] = sign * (stretch * dturns[i - 1] + slope * q[i]);
  }
  return d;
}

#endif

#endif
