#include "actuators.h"

enum { BOTH, ABOVE };

const cq_actuation_info cq_actuations[CQ_N_ACTUATIONS] = {
#define CQ_ACTUATION(name, acts, drive, in_2d, in_3d, unit, rest, sign, labels_2d, labels_3d)      \
  {#name, CQ_ACTS_##acts, CQ_DRIVE_##drive, {in_2d, in_3d},                                        \
   unit,  rest,           sign == ABOVE,    {labels_2d, labels_3d}},
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
};

bool cq_actuator_sees(const cq_actuator *actuator) {
  const cq_drive drive = cq_actuations[actuator->kind].drive;
  return drive == CQ_DRIVE_PLACED || drive == CQ_DRIVE_SEEN || actuator->along == CQ_ALONG_SLOPE;
}

double cq_actuator_bound(const cq_actuator *actuator, int dim, const double *u) {
  return dim == 2 ? cq_mpm_actuator_bound_2d_f64(actuator, u)
                  : cq_mpm_actuator_bound_3d_f64(actuator, u);
}
