/* What an actuation header knows of its actuator. */
#ifndef CQ_ACTUATION_ACTUATOR_H
#define CQ_ACTUATION_ACTUATOR_H

#include "curve.h"
#include "linalg.h"

enum { CQ_ACTUATOR_MAX_DRIVES = 6 };

typedef struct actuator {
  int kind; /* cq_actuation_kind */
  int first_control, n_controls, first_drive, n_drives;
  int first_z; /* where what it sees begins */
  int along;   /* cq_along */
  const cq_curve *ground;
  scalar direction[CQ_DIM][CQ_DIM];
  scalar stiffness;
  double force[CQ_DIM]; /* push [N] */
  double from, until;   /* push: when it begins and ends [s] */
  double acts;          /* push: the share of the step at hand in which it does */
} actuator;

/* The stress P = F sigma(w) of a model whose symmetric sigma, in the material frame, does not
 * depend on F: the Kirchhoff stress F sigma F^T of the paper's section III. Also its adjoint (eq.
 * (70), third term, and (91)) and a bound: |sigma| in the Frobenius norm, no less than the spectral
 * one. */
#define CQ_ACTUATION_OF_SIGMA(name)                                                                \
  CQ_FN mat name##_pk1(const actuator *a, const real *w, mat F) {                                  \
    return mat_mul(F, name##_sigma(a, w));                                                         \
  }                                                                                                \
  CQ_FN mat name##_adjoint(const actuator *a, const real *w, mat F, mat dP, real *dw) {            \
    name##_sigma_adjoint(a, mat_t_mul(F, dP), dw);                                                 \
    return mat_mul_t(dP, name##_sigma(a, w));                                                      \
  }                                                                                                \
  CQ_FN real name##_bound(const actuator *a, const real *u) {                                      \
    const mat s = name##_sigma(a, u);                                                              \
    return real_sqrt(mat_dot(s, s));                                                               \
  }

#endif
