/* A testing machine: the force by which a rigid body is driven along a direction, against that of
 * what pushes it back, f = - direction . (force that pushes it), and what was measured at some
 * times: the weighted mean over all samples of (f - F)^2, or of |f - F|. */
#ifndef CQ_TERMS_FORCE_CURVE_H
#define CQ_TERMS_FORCE_CURVE_H

#include "residual.h"

#define CQ_TERM_ABOUT_force_curve "force of a driven body against a measured curve"

#define CQ_TERM_KEYS_force_curve(K)                                                                \
  K(force_curve, direction, POINT, "", ANY, REQUIRED, "", "axis",                                  \
    "along which it is driven: numbers, used as they are, or an axis, \"x\"")                      \
  K(force_curve, over, WORD, "", ANY, "time", "", "time|displacement",                             \
    "what stands beside each force: a time of the run, or how far the track has moved the body "   \
    "along the direction, which must grow all the way")                                            \
  K(force_curve, file, TEXT, "", ANY, NONE, "", "",                                                \
    "the curve as CSV with a line of names: time or displacement, force and, where wanted, "       \
    "weight")                                                                                      \
  K(force_curve, samples, TABLE, "s|m, N, 1", ANY, NONE, "", "",                                   \
    "the curve, where there is no file: rows [time, force, weight] or [displacement, force, "      \
    "weight]; the weight may be missing")                                                          \
  K(force_curve, squared, FLAG, "", ANY, "true", "", "",                                           \
    "mean square difference; false: mean difference, which forgives outliers")                     \
  CQ_RESIDUAL_KEYS(K, force_curve, "N")

typedef struct cq_term_force_curve {
  CQ_TERM_KEYS_force_curve(CQ_TERM_FIELD)
} cq_term_force_curve;

CQ_FN int cq_force_curve_count(const cq_term_in *in) {
  return in->n_markers;
}

CQ_FN int cq_force_curve_numbers(const cq_term_in *in) {
  (void)in;
  return 1;
}

CQ_FN double cq_force_curve_weight(const cq_term_in *in, int k) {
  return in->markers[k].weight;
}

/* The direction stands behind the force that was measured. */
CQ_FN void cq_force_curve_residual(const cq_term_force_curve *keys, const cq_term_in *in, int k,
                                   wide *d) {
  const wide *q = in->z + CQ_Z(in->dim, OWN);
  (void)keys;
  d[0] = -in->markers[k].target[0];
  for (int a = 0; a < in->dim; a++) {
    d[0] = d[0] - in->markers[k].target[1 + a] * q[a];
  }
}

CQ_FN double cq_force_curve_measured(const cq_term_force_curve *keys, const cq_term_in *in, int k,
                                     int a) {
  (void)keys;
  (void)a;
  return in->markers[k].target[0];
}

CQ_FN void cq_force_curve_residual_adjoint(const cq_term_in *in, int k, wide factor, const wide *v,
                                           wide *dz) {
  wide *dq = dz + CQ_Z(in->dim, OWN);
  for (int a = 0; a < in->dim; a++) {
    dq[a] = dq[a] - factor * v[0] * in->markers[k].target[1 + a];
  }
}

CQ_TERM_OF_RESIDUALS(force_curve)

#endif
