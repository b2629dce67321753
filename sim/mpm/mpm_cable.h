/* Cables: from the places of the particles they are anchored to, at the beginning of a step, to the
 * impulse each gets, and the adjoint. Serial: cables have few anchors. The engines bring the
 * impulses to the grid, with the weights of the particles. */
#ifndef CQ_MPM_CABLE_H
#define CQ_MPM_CABLE_H

#include "mpm_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cables {
  int n_anchors;      /* of all points of all cables */
  int *particle;      /* [n_anchors] */
  scalar *share;      /* [n_anchors] */
  vec *x, *impulse;   /* [n_anchors] in: places; out: momentum gained by the step */
  vec *dx, *dimpulse; /* [n_anchors] out, in: gradients */
  vec *point, *force, *dpoint, *dforce; /* of the cable at work */
} cables;

cq_status V(cq_cables_create)(cq_ctx *ctx, const cq_model *model, cables *c);
void V(cq_cables_free)(cq_ctx *ctx, cables *c);
/* x to impulse, with tensions w [n_drives] */
void V(cq_cables_pull)(cables *c, const cq_model *model, const scalar *w);
/* x and dimpulse to dx, which is overwritten; adds to dw */
void V(cq_cables_pull_adjoint)(cables *c, const cq_model *model, const scalar *w, double *dw);

#ifdef __cplusplus
}
#endif

#endif
