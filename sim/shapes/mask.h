/* The rim of what is bright in a picture. */
#ifndef CQ_SHAPES_MASK_H
#define CQ_SHAPES_MASK_H

#include "surface.h"

typedef struct cq_mask {
  int width, height;
  float *bright; /* [height][width] 0 to 1, the top row first; of cq_alloc */
} cq_mask;

/* The lines where the brightness is a half, linear between the middles of pixels; a pixel is 1
 * wide, the lower left corner of the picture is the origin, y goes up, and around it all is dark.
 */
cq_status cq_mask_trace(cq_ctx *ctx, const char *name, const cq_mask *mask, cq_surface *surface);

#endif
