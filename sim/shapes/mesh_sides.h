/* Which faces of a surface are next to each other. */
#ifndef CQ_SHAPES_MESH_SIDES_H
#define CQ_SHAPES_MESH_SIDES_H

#include "surface.h"

/* Side dim f + k of face f is its edge from corner k to the next, in 2D its corner k. Of each side
 * the one that it is the same as, of another face; of cq_alloc. CQ_CONFIG where there is none, or
 * more than one: the surface is open there, or no surface. */
cq_status cq_mesh_sides(cq_ctx *ctx, const char *name, const cq_surface *s, int **twins);

/* "(1, 2, 3)" */
typedef struct cq_point_text {
  char text[96];
} cq_point_text;
cq_point_text cq_point_words(const double *x, int dim);

#endif
