/* Every controller of controller_list.h behind one call. A controller <name> is a header <name>.h
 *   void <name>_eval(const cq_controller *, const wide *theta, const wide *z, int step, wide *u,
 *                    wide *room)
 *   void <name>_adjoint(..., const wide *du, wide *dtheta, wide *dz, wide *room)   adds to dtheta
 *                                                                                  and dz
 * z is the observation at the beginning of the step. room [CQ_CONTROL_ROOM] is theirs to write in:
 * a device reserves a large stack for every thread that it could run. On a device all threads of a
 * block call (team.h); what they leave is there for all of them after a CQ_TEAM_WAIT(). */
#ifndef CQ_CONTROLLERS_CONTROL_H
#define CQ_CONTROLLERS_CONTROL_H

#include "mlp.h"
#include "none.h"
#include "open_loop.h"
#include "sinusoid.h"
#include "tanh_linear.h"

CQ_FN void control_eval(const cq_controller *c, const wide *theta, const wide *z, int step, wide *u,
                        wide *room) {
  switch (c->kind) {
#define CQ_CONTROLLER(name)                                                                        \
case CQ_CONTROLLER_##name:                                                                         \
  name##_eval(c, theta, z, step, u, room);                                                         \
  break;
#include "controller_list.h"
#undef CQ_CONTROLLER
  default:
    break;
  }
}

CQ_FN void control_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                           const wide *du, wide *dtheta, wide *dz, wide *room) {
  switch (c->kind) {
#define CQ_CONTROLLER(name)                                                                        \
case CQ_CONTROLLER_##name:                                                                         \
  name##_adjoint(c, theta, z, step, du, dtheta, dz, room);                                         \
  break;
#include "controller_list.h"
#undef CQ_CONTROLLER
  default:
    break;
  }
}

#endif
