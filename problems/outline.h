/* Vertices and faces of meshes and polygons, as many and as small as a picture wants them. */
#ifndef CQ_PROBLEMS_OUTLINE_H
#define CQ_PROBLEMS_OUTLINE_H

#include "shapes.h"

/* Arrays are of cq_alloc; of zeros: empty. */
typedef struct cq_outline {
  int dim, n_vertices, n_faces;
  double *vertices; /* [n_vertices][dim] m, as the shape is turned */
  int *faces;       /* [n_faces][dim]; in 2D the segments of a loop follow each other, and go round
                       counterclockwise about what is inside */
} cq_outline;

/* Of a mesh, a polygon, or a composite of these that are added. A part of too many faces gets
 * larger ones: in 3D the vertices in a cell of a grid become one, in 2D some points are left out.
 * Then edges longer than `longest` [m] are divided, while there are fewer faces than `most`.
 * CQ_MEMORY. */
cq_status cq_outline_make(cq_ctx *ctx, const cq_shape *shape, int most, double longest,
                          cq_outline *out);
void cq_outline_free(cq_ctx *ctx, cq_outline *outline);

#endif
