/* Open loop: u of step k is row floor(k / hold) of a table theta [rows][n_controls]. */
#ifndef CQ_CONTROLLERS_OPEN_LOOP_H
#define CQ_CONTROLLERS_OPEN_LOOP_H

#include "controller.h"
#include "wide.h"

CQ_FN void open_loop_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                          wide *u) {
  (void)z;
  for (int i = 0; i < c->n_controls; i++) {
    u[i] = theta[(step / c->hold) * c->n_controls + i];
  }
}

CQ_FN void open_loop_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                             const wide *du, wide *dtheta, wide *dz) {
  (void)theta;
  (void)z;
  (void)dz;
  for (int i = 0; i < c->n_controls; i++) {
    const int k = (step / c->hold) * c->n_controls + i;
    dtheta[k] = dtheta[k] + du[i];
  }
}

#endif
