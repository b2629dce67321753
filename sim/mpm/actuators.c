#include "actuators.h"

#include "status.h"

enum { BOTH, ABOVE };

const cq_actuation_info cq_actuations[CQ_N_ACTUATIONS + 1] = {
#define CQ_ACTUATION(name, acts, drive, in_2d, in_3d, unit, rest, sign, labels_2d, labels_3d)      \
  {#name, CQ_ACTS_##acts, CQ_DRIVE_##drive, {in_2d, in_3d},                                        \
   unit,  rest,           sign == ABOVE,    {labels_2d, labels_3d}},
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
    [CQ_DRIVES_A_BODY] = {"drive", CQ_ACTS_BODY, CQ_DRIVE_SAME, {0}, "m/s", 0.0, false, {"", ""}},
};

static int count_labels(const char *labels) {
  int n = labels != NULL;
  for (; labels != NULL && *labels != '\0'; labels++) {
    n += *labels == '|';
  }
  return n;
}

/* The controls of one that drives a body are as many as it has been given. */
static void count(const cq_model *model, cq_actuator *a) {
  const cq_actuation_info *info = &cq_actuations[a->kind];
  if (a->kind == CQ_DRIVES_A_BODY) {
    a->n_drives = a->n_controls;
    return;
  }
  a->n_drives = info->drives[model->dim - 2];
  a->n_controls = a->along == CQ_ALONG_AXES ? count_labels(info->labels[model->dim - 2]) : 1;
}

/* Those that drive bodies come last: their controls are one piece, and their drives are. */
void cq_actuators_number(cq_model *model, cq_actuator *actuators) {
  model->n_controls = model->n_drives = 0;
  for (int bodies = 0; bodies < 2; bodies++) {
    for (int i = 0; i < model->n_actuators; i++) {
      cq_actuator *a = &actuators[i];
      if ((a->kind == CQ_DRIVES_A_BODY) == (bodies == 1)) {
        count(model, a);
        a->first_control = model->n_controls;
        a->first_drive = model->n_drives;
        model->n_controls += a->n_controls;
        model->n_drives += a->n_drives;
      }
    }
  }
}

int cq_actuator_sees(const cq_actuator *actuator) {
  const cq_drive drive = cq_actuations[actuator->kind].drive;
  if (drive == CQ_DRIVE_SEEN) {
    return CQ_Q_VOLUME;
  }
  if (drive == CQ_DRIVE_WEIGHED) {
    return CQ_Q_MASS;
  }
  return drive == CQ_DRIVE_PLACED || actuator->along == CQ_ALONG_SLOPE ? CQ_Q_POSITION : -1;
}

/* Does a quantity of any group stand there at a state? */
static bool stands_at(const cq_z_rows *rows, int state, int quantity, int place) {
  int n = 0;
  const cq_view *views = cq_z_views(rows, state, &n);
  for (int i = 0; i < n; i++) {
    if (views[i].place[quantity] == place) {
      return true;
    }
  }
  return false;
}

/* A cable pulls at material. */
static cq_status check_anchors(cq_ctx *ctx, const cq_model *model, int i) {
  const cq_actuator *a = &cq_mpm_of(model)->actuators[i];
  for (int k = 0; a->anchors != NULL && k < a->n_points * CQ_ANCHORS; k++) {
    CQ_CHECK(ctx, a->anchors[k].particle < cq_mpm_n_soft(model), CQ_USAGE,
             "actuator %d is a cable through particle %d, which a rigid body carries", i,
             a->anchors[k].particle);
  }
  return CQ_OK;
}

static const char *name_of(int quantity) {
  return quantity == CQ_Q_POSITION ? "position"
         : quantity == CQ_Q_MASS   ? "mass"
                                   : "relative_volume";
}

cq_status cq_actuators_check(cq_ctx *ctx, const cq_model *model, const cq_z_rows *rows) {
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &cq_mpm_of(model)->actuators[i];
    CQ_TRY(check_anchors(ctx, model, i));
    const int quantity = cq_actuator_sees(a);
    for (int step = 0; quantity >= 0 && step < model->steps; step++) {
      CQ_CHECK(ctx, stands_at(rows, step, quantity, a->first_z), CQ_USAGE,
               "actuator %d sees the %s at number %d of z, where it is not at state %d", i,
               name_of(quantity), a->first_z, step);
    }
  }
  return CQ_OK;
}

double cq_actuator_bound(const cq_actuator *actuator, int dim, const double *u) {
  return dim == 2 ? cq_mpm_actuator_bound_2d_f64(actuator, u)
                  : cq_mpm_actuator_bound_3d_f64(actuator, u);
}
