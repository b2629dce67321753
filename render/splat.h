/* Particles of a 3D scene as shaded spheres in an image, by depth. Needs no drawing library. */
#ifndef CQ_RENDER_SPLAT_H
#define CQ_RENDER_SPLAT_H

#include "palette.h"

#include "cqopt/base.h"

typedef struct cq_splat {
  double x, y, depth; /* [px] of the image; depth toward the eye */
  double radius;      /* [px] */
  double ground_y;    /* [px] of its shadow on the floor, below x; NAN: none */
  double flatness;    /* of the shadow: height over width */
  cq_colour colour;
} cq_splat;

/* Draws n spheres into pixels [height][width]: premultiplied ARGB in the byte order of the machine,
 * 0 where there is nothing. shadow: the darkness of what lies in shadow, 0 ... 1. CQ_MEMORY. */
cq_status cq_splat_draw(cq_ctx *ctx, int n, const cq_splat *splats, double shadow, int width,
                        int height, int stride_bytes, unsigned char *pixels);

#endif
