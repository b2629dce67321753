/* Particles of a 3D scene as shaded spheres, and surfaces as shaded triangles, in an image, by
 * depth. Needs no drawing library. */
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

/* A corner of a triangle: x, y, depth, ground_y and colour as of a splat, and the direction out of
 * the surface there: right, up and toward the eye, of length 1. */
typedef struct cq_corner {
  double x, y, depth, ground_y;
  double normal[3];
  cq_colour colour;
} cq_corner;

/* What is drawn: spheres [n] and triangles [n_faces]. */
typedef struct cq_splats {
  int n, n_faces;
  const cq_splat *splats;
  const cq_corner (*faces)[3];
} cq_splats;

/* Draws into pixels [height][width]: premultiplied ARGB in the byte order of the machine, 0 where
 * there is nothing. step [px]: what a difference of depth must be for an edge to be drawn. shadow:
 * the darkness of what lies in shadow, 0 ... 1. CQ_MEMORY. */
cq_status cq_splat_draw(cq_ctx *ctx, const cq_splats *splats, double step, double shadow, int width,
                        int height, int stride_bytes, unsigned char *pixels);

#endif
