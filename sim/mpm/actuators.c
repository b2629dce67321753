#include "actuators.h"

#include "status.h"

enum { BOTH, ABOVE };

const cq_actuation_info cq_actuations[CQ_N_ACTUATIONS] = {
#define CQ_ACTUATION(name, acts, drive, in_2d, in_3d, unit, rest, sign, labels_2d, labels_3d)      \
  {#name, CQ_ACTS_##acts, CQ_DRIVE_##drive, {in_2d, in_3d},                                        \
   unit,  rest,           sign == ABOVE,    {labels_2d, labels_3d}},
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
};

static int count_labels(const char *labels) {
  int n = 1;
  for (; *labels != '\0'; labels++) {
    n += *labels == '|';
  }
  return n;
}

void cq_actuators_number(cq_model *model, cq_actuator *actuators) {
  model->n_controls = model->n_drives = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    cq_actuator *a = &actuators[i];
    a->first_control = model->n_controls;
    a->first_drive = model->n_drives;
    const cq_actuation_info *info = &cq_actuations[a->kind];
    a->n_drives = info->drives[model->dim - 2];
    a->n_controls = a->along == CQ_ALONG_AXES ? count_labels(info->labels[model->dim - 2]) : 1;
    model->n_controls += a->n_controls;
    model->n_drives += a->n_drives;
  }
}

bool cq_actuator_sees(const cq_actuator *actuator) {
  const cq_drive drive = cq_actuations[actuator->kind].drive;
  return drive == CQ_DRIVE_PLACED || drive == CQ_DRIVE_SEEN || actuator->along == CQ_ALONG_SLOPE;
}

cq_status cq_actuators_check(cq_ctx *ctx, const cq_model *model) {
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &cq_mpm_of(model)->actuators[i];
    const bool volume = cq_actuations[a->kind].drive == CQ_DRIVE_SEEN;
    for (int step = 0; cq_actuator_sees(a) && step < model->steps; step++) {
      const unsigned has = a->group < model->n_groups ? model->groups[a->group].quantities : 0;
      CQ_CHECK(ctx,
               a->group < model->n_groups && cq_model_observes(model, step) &&
                   (!volume || (has & CQ_OBSERVE_VOLUME) != 0),
               CQ_USAGE, "actuator %d sees group %d, which is not observed at state %d%s", i,
               a->group, step, volume ? " with its volume" : "");
    }
  }
  return CQ_OK;
}

double cq_actuator_bound(const cq_actuator *actuator, int dim, const double *u) {
  return dim == 2 ? cq_mpm_actuator_bound_2d_f64(actuator, u)
                  : cq_mpm_actuator_bound_3d_f64(actuator, u);
}
