/* Inside of mpm_meet: a node and a body, and the functions of one dimension. */
#ifndef CQ_MPM_MEET_TOUCH_H
#define CQ_MPM_MEET_TOUCH_H

#include "mpm_meet.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cq_mpm_meet_touch {
  int node, next;            /* the body's next one, in the order of nodes; -1: none */
  double share, slope, n[3]; /* slope: of the share, by the distance */
  double before[3];          /* velocity of the node before this body acted */
  kept_place mean;           /* pressure of the body on the node */
};

/* Is friction on body i by the mean of the pressure? */
static inline bool cq_mpm_meet_remembers(const cq_mpm_meet *m, int i) {
  return m->means.room > 0 && m->rigid[i].friction_time > 0.0;
}

/* What body i has to do with a node at x: fills share, slope and n; false: nothing. */
bool cq_mpm_meet_look_2d_f64(const cq_mpm_meet *m, int i, const double *x, cq_mpm_meet_touch *t);
bool cq_mpm_meet_look_3d_f64(const cq_mpm_meet *m, int i, const double *x, cq_mpm_meet_touch *t);
/* Body i acts on its nodes. */
void cq_mpm_meet_act_2d_f64(cq_mpm_meet *m, int i);
void cq_mpm_meet_act_3d_f64(cq_mpm_meet *m, int i);
void cq_mpm_meet_back_2d_f64(const cq_mpm_meet *m, int i, cq_mpm_meet_due *d);
void cq_mpm_meet_back_3d_f64(const cq_mpm_meet *m, int i, cq_mpm_meet_due *d);

#ifdef __cplusplus
}
#endif

#endif
