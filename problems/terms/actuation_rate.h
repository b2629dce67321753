/* |u - u_before|^2 / dt of the controls of a step and the step before it, every control divided by
 * its largest value when `relative`. As a running term, which multiplies by dt, it is the sum of
 * the squared jumps from step to step: of a table, from row to row. */
#ifndef CQ_TERMS_ACTUATION_RATE_H
#define CQ_TERMS_ACTUATION_RATE_H

#include "term.h"

#define CQ_TERM_ABOUT_actuation_rate "square of the change of the controls from step to step"

#define CQ_TERM_KEYS_actuation_rate(K)                                                             \
  K(actuation_rate, relative, FLAG, "", ANY, "false", "", "",                                      \
    "divide each control by the max of its actuator")

typedef struct cq_term_actuation_rate {
  CQ_TERM_KEYS_actuation_rate(CQ_TERM_FIELD)
} cq_term_actuation_rate;

CQ_FN double cq_actuation_rate_factor(const cq_term_actuation_rate *keys, const cq_term_in *in,
                                      int i) {
  return 1.0 / (keys->relative ? in->u_max[i] * in->u_max[i] * in->dt : in->dt);
}

CQ_FN wide cq_actuation_rate_value(const cq_term_actuation_rate *keys, const cq_term_in *in) {
  wide sum = 0.0;
  for (int i = 0; i < in->n_controls; i++) {
    const wide jump = in->u[i] - in->u[in->n_controls + i];
    sum = sum + jump * jump * cq_actuation_rate_factor(keys, in, i);
  }
  return sum;
}

CQ_FN void cq_actuation_rate_adjoint(const cq_term_actuation_rate *keys, const cq_term_in *in,
                                     wide seed, wide *dz, wide *du) {
  (void)dz;
  for (int i = 0; i < in->n_controls; i++) {
    const wide jump = in->u[i] - in->u[in->n_controls + i];
    const wide d = 2.0 * seed * jump * cq_actuation_rate_factor(keys, in, i);
    du[i] = du[i] + d;
    du[in->n_controls + i] = du[in->n_controls + i] - d;
  }
}

#endif
