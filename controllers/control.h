/* Every controller of controller_list.h behind one call. A controller <name> is a header <name>.h
 *   void <name>_eval(const cq_controller *, const wide *theta, const wide *z, int step, wide *u)
 *   void <name>_adjoint(..., const wide *du, wide *dtheta, wide *dz)   adds to dtheta and dz
 * z is the observation at the beginning of the step. */
#ifndef CQ_CONTROLLERS_CONTROL_H
#define CQ_CONTROLLERS_CONTROL_H

#include "mlp.h"
#include "none.h"
#include "open_loop.h"
#include "sinusoid.h"
#include "tanh_linear.h"

CQ_FN void control_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                        wide *u) {
  switch (c->kind) {
#define CQ_CONTROLLER(name)                                                                        \
case CQ_CONTROLLER_##name:                                                                         \
  name##_eval(c, theta, z, step, u);                                                               \
  break;
#include "controller_list.h"
#undef CQ_CONTROLLER
  default:
    break;
  }
}

CQ_FN void control_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                           const wide *du, wide *dtheta, wide *dz) {
  switch (c->kind) {
#define CQ_CONTROLLER(name)                                                                        \
case CQ_CONTROLLER_##name:                                                                         \
  name##_adjoint(c, theta, z, step, du, dtheta, dz);                                               \
  break;
#include "controller_list.h"
#undef CQ_CONTROLLER
  default:
    break;
  }
}

#endif
