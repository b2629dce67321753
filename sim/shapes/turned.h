/* Points and directions of a shape that is turned, and of the same shape unturned. */
#ifndef CQ_SHAPES_TURNED_H
#define CQ_SHAPES_TURNED_H

#include "shapes.h"

/* Where a point x [dim] is in the frame of the unturned shape. */
CQ_FN void shape_unturn(const cq_shape *s, const double *x, double *own) {
  for (int a = 0; a < s->dim; a++) {
    if (!s->turn.is) {
      own[a] = x[a];
      continue;
    }
    own[a] = s->center[a];
    for (int b = 0; b < s->dim; b++) {
      own[a] += s->turn.Q[b][a] * (x[b] - s->center[b]);
    }
  }
}

/* How a direction n [3] of the unturned shape is turned. */
CQ_FN void shape_turn_direction(const cq_shape *s, const double *n, double *turned) {
  for (int a = 0; a < s->dim; a++) {
    const double *Q = s->turn.Q[a];
    turned[a] = s->turn.is ? Q[0] * n[0] + Q[1] * n[1] + Q[2] * n[2] : n[a];
  }
}

#endif
