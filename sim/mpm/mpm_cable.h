/* Cables: where they are anchored, and room to work in. point/cables.h has what they do. */
#ifndef CQ_MPM_CABLE_H
#define CQ_MPM_CABLE_H

#include "mpm_common.h"

typedef struct cable_line {
  int first_anchor, n_points, drive; /* its tension is w[drive] */
} cable_line;

typedef struct cables {
  scalar dt, epsilon; /* epsilon: length at which that of a segment is rounded off [m] */
  int n_lines, n_anchors, longest; /* longest: most points of a line */
  cable_line *lines;
  int *particle;      /* [n_anchors] */
  scalar *share;      /* [n_anchors] */
  vec *x, *impulse;   /* [n_anchors] in: places; out: momentum gained by the step */
  vec *dx, *dimpulse; /* [n_anchors] out, in: gradients */
  vec *point, *force, *dpoint, *dforce; /* [longest] of the cable at work */
} cables;

#ifdef __cplusplus
extern "C" {
#endif

cq_status V(cq_cables_create)(cq_ctx *ctx, const cq_model *model, cables *c);
void V(cq_cables_free)(cq_ctx *ctx, cables *c);

#ifdef __cplusplus
}
#endif

#endif
