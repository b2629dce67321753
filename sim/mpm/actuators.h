/* What the models of actuation_list.h say of themselves outside of a run. */
#ifndef CQ_MPM_ACTUATORS_H
#define CQ_MPM_ACTUATORS_H

#include "mpm_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts and numbers controls and drives of the actuators, one after the other, and of the model;
 * those that drive rigid bodies come after all others. One of those has its n_controls. */
void cq_actuators_number(cq_model *model, cq_actuator *actuators);
/* The stress [Pa] by which an actuator stiffens what it acts on, for the stable time step, when its
 * controls are at most u [n_controls] away from rest. */
double cq_actuator_bound(const cq_actuator *actuator, int dim, const double *u);
/* The quantity of a group that what drives it depends on, at every state but the last; -1: none. */
int cq_actuator_sees(const cq_actuator *actuator);
/* CQ_USAGE where that does not stand at its first_z in a row. */
cq_status cq_actuators_check(cq_ctx *ctx, const cq_model *model, const cq_z_rows *rows);
/* cq_actuator_bound for the kernels of one dimension */
double cq_mpm_actuator_bound_2d_f64(const cq_actuator *actuator, const double *u);
double cq_mpm_actuator_bound_3d_f64(const cq_actuator *actuator, const double *u);

#ifdef __cplusplus
}
#endif

#endif
