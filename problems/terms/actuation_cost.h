/* u . u, with every control divided by its largest value when `relative`. As a running term it is
 * the time integral of u . u. */
#ifndef CQ_TERMS_ACTUATION_COST_H
#define CQ_TERMS_ACTUATION_COST_H

#include "term.h"

#define CQ_TERM_ABOUT_actuation_cost "square of the controls, at a time or summed over time"

#define CQ_TERM_KEYS_actuation_cost(K)                                                             \
  K(actuation_cost, relative, FLAG, "", ANY, "false", "", "",                                      \
    "divide each control by the max of its actuator")

typedef struct cq_term_actuation_cost {
  CQ_TERM_KEYS_actuation_cost(CQ_TERM_FIELD)
} cq_term_actuation_cost;

CQ_FN double cq_actuation_cost_factor(const cq_term_actuation_cost *keys, const cq_term_in *in,
                                      int i) {
  return keys->relative ? 1.0 / (in->u_max[i] * in->u_max[i]) : 1.0;
}

CQ_FN wide cq_actuation_cost_value(const cq_term_actuation_cost *keys, const cq_term_in *in) {
  wide sum = 0.0;
  for (int i = 0; i < in->n_controls; i++) {
    sum = sum + in->u[i] * in->u[i] * cq_actuation_cost_factor(keys, in, i);
  }
  return sum;
}

CQ_FN void cq_actuation_cost_adjoint(const cq_term_actuation_cost *keys, const cq_term_in *in,
                                     wide seed, wide *dz, wide *du) {
  (void)dz;
  for (int i = 0; i < in->n_controls; i++) {
    du[i] = du[i] + 2.0 * seed * in->u[i] * cq_actuation_cost_factor(keys, in, i);
  }
}

#endif
