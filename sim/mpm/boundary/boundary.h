/* Every boundary condition of boundary_list.h behind one call. A condition <name> is a header
 * <name>.h with
 *   vec <name>_apply(vec v, vec n, real friction, scalar epsilon)
 *   vec <name>_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv, real *dfriction)
 *   vec <name>_normal_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv)
 *   real <name>_state(vec v, vec n, real friction, scalar epsilon)
 * v is the grid velocity before the condition, n the unit normal pointing away from the wall; the
 * adjoint returns the pull-back of dv and adds to *dfriction, the other one returns dL/dn, which
 * surfaces that turn need. The state is the branch that v takes, CQ_CONTACT_...: where it changes,
 * the derivative jumps. A condition of one branch says CQ_CONTACT_NONE. */
#ifndef CQ_BOUNDARY_BOUNDARY_H
#define CQ_BOUNDARY_BOUNDARY_H

#include "boundary/separate.h"
#include "boundary/separate_stick.h"
#include "boundary/slip.h"
#include "boundary/sticky.h"
#include "kinds.h"

CQ_FN real boundary_state(int kind, vec v, vec n, real friction, scalar epsilon) {
  switch (kind) {
#define CQ_BOUNDARY(name)                                                                          \
case CQ_BOUNDARY_##name:                                                                           \
  return name##_state(v, n, friction, epsilon);
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  default:
    return real_splat(K(CQ_CONTACT_NONE));
  }
}

CQ_FN vec boundary_apply(int kind, vec v, vec n, real friction, scalar epsilon) {
  switch (kind) {
#define CQ_BOUNDARY(name)                                                                          \
case CQ_BOUNDARY_##name:                                                                           \
  return name##_apply(v, n, friction, epsilon);
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  default:
    return v;
  }
}

CQ_FN vec boundary_adjoint(int kind, vec v, vec n, real friction, scalar epsilon, vec dv,
                           real *dfriction) {
  switch (kind) {
#define CQ_BOUNDARY(name)                                                                          \
case CQ_BOUNDARY_##name:                                                                           \
  return name##_adjoint(v, n, friction, epsilon, dv, dfriction);
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  default:
    return dv;
  }
}

CQ_FN vec boundary_normal_adjoint(int kind, vec v, vec n, real friction, scalar epsilon, vec dv) {
  switch (kind) {
#define CQ_BOUNDARY(name)                                                                          \
case CQ_BOUNDARY_##name:                                                                           \
  return name##_normal_adjoint(v, n, friction, epsilon, dv);
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  default:
    return vec_zero();
  }
}

#endif
