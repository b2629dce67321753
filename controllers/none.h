/* No controls. */
#ifndef CQ_CONTROLLERS_NONE_H
#define CQ_CONTROLLERS_NONE_H

#include "controller.h"
#include "wide.h"

CQ_FN void none_eval(const cq_controller *c, const wide *theta, const wide *z, int step, wide *u,
                     wide *room) {
  (void)c;
  (void)theta;
  (void)z;
  (void)room;
  (void)step;
  (void)u;
}

CQ_FN void none_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                        const wide *du, wide *dtheta, wide *dz, wide *room) {
  (void)c;
  (void)theta;
  (void)z;
  (void)room;
  (void)step;
  (void)du;
  (void)dtheta;
  (void)dz;
}

#endif
