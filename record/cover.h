/* The surface of bodies for pictures, carried by their particles: triangles, in 2D segments.
 *
 * A vertex is a fixed mean of the places of some particles of its body, those nearest to it at the
 * start, by moving least squares: the weights are those with which the affine map that fits their
 * places best moves the vertex. So a surface moves, turns and is sheared with its body, whatever
 * the body has for a deformation, and nothing but places is needed to draw it. */
#ifndef CQ_RECORD_COVER_H
#define CQ_RECORD_COVER_H

#include "cqopt/base.h"

/* above the surface of a lattice 12 may be in one plane, which says nothing across it */
enum { CQ_COVER_CARRIERS = 16 };

/* Arrays are of cq_alloc; of zeros: there is no surface. */
typedef struct cq_cover {
  int dim, n_vertices, n_faces;
  int *faces;     /* [n_faces][dim] vertices; in 2D the segments of a loop follow each other */
  int *carriers;  /* [n_vertices][CQ_COVER_CARRIERS] particles, the nearest one first */
  float *weights; /* the same; their sum is 1 */
} cq_cover;

/* Room for the arrays of so many vertices and faces. CQ_MEMORY. */
cq_status cq_cover_create(cq_ctx *ctx, int dim, int n_vertices, int n_faces, cq_cover *out);
cq_status cq_cover_copy(cq_ctx *ctx, const cq_cover *from, cq_cover *out);
void cq_cover_free(cq_ctx *ctx, cq_cover *cover);

/* Weights of a vertex by the places [n][dim] of its carriers, n from 1 to CQ_COVER_CARRIERS. */
void cq_cover_weigh(int dim, int n, const double *places, const double *vertex, float *weights);
/* Where the vertices are: x [particles][width], of which the first dim numbers are read; out
 * [n_vertices][3], with z = 0 in 2D. */
void cq_cover_place(const cq_cover *cover, const double *x, int width, double *out);
/* Whether faces and carriers name what there is, and weights are numbers: of what was read. */
bool cq_cover_is_right(const cq_cover *cover, int n_particles);
/* Bytes of its arrays. */
double cq_cover_bytes(const cq_cover *cover);

#endif
