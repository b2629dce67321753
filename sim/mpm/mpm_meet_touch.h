/* Inside of mpm_meet: a node and a body, and the functions of one dimension. */
#ifndef CQ_MPM_MEET_TOUCH_H
#define CQ_MPM_MEET_TOUCH_H

#include "mpm_meet.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cq_mpm_meet_touch {
  int node, next;     /* the body's next one, in the order of nodes; -1: none */
  bool leans;         /* share and normal are those of point/lean.h */
  double gap, out[3]; /* distance from the body's surface, and its normal */
  double share, n[3]; /* the normal that the node meets; of one that leans, from its slope on */
  double before[3];   /* velocity of the node before this body acted */
  kept_place mean;    /* pressure of the body on the node */
};

/* Is friction on body i by the mean of the pressure? */
static inline bool cq_mpm_meet_remembers(const cq_mpm_meet *m, int i) {
  return m->means.room > 0 && m->rigid[i].friction_time > 0.0;
}

/* What body i has to do with a node: fills all down to n; false: nothing. */
bool cq_mpm_meet_look_2d_f64(const cq_mpm_meet *m, int i, const cq_mpm_meet_node *node,
                             cq_mpm_meet_touch *t);
bool cq_mpm_meet_look_3d_f64(const cq_mpm_meet *m, int i, const cq_mpm_meet_node *node,
                             cq_mpm_meet_touch *t);
/* Body i acts on its nodes. */
void cq_mpm_meet_act_2d_f64(cq_mpm_meet *m, int i);
void cq_mpm_meet_act_3d_f64(cq_mpm_meet *m, int i);
void cq_mpm_meet_back_2d_f64(const cq_mpm_meet *m, int i, cq_mpm_meet_due *d);
void cq_mpm_meet_back_3d_f64(const cq_mpm_meet *m, int i, cq_mpm_meet_due *d);

#ifdef __cplusplus
}
#endif

#endif
