/* Closed surfaces as files give them, and what shapes are made of them. In 3D they are triangles,
 * in 2D segments. Lengths are in the units of the file until cq_mesh_make. */
#ifndef CQ_SHAPES_SURFACE_H
#define CQ_SHAPES_SURFACE_H

#include "shapes.h"

/* Arrays are of cq_alloc. */
typedef struct cq_surface {
  int dim, n_vertices, n_faces;
  double *vertices; /* [n_vertices][dim] */
  int *faces;       /* [n_faces][dim] indices of vertices */
} cq_surface;

void cq_surface_free(cq_ctx *ctx, cq_surface *surface);

/* Reads a surface in 3D: STL (binary or ASCII), OBJ or PLY, as the end of the name says. A polygon
 * becomes triangles about its first corner. `where` begins messages. CQ_IO or CQ_CONFIG; *surface
 * is empty then. */
cq_status cq_surface_read(cq_ctx *ctx, const char *path, const char *where, cq_surface *surface);
/* The same of bytes in memory, behind which bytes[size] must be 0; `name` is what messages call
 * them. */
cq_status cq_surface_parse(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                           cq_surface *surface);

/* The same in 2D, of a picture, PNG or PGM: the rim of what is bright in it, with a pixel as the
 * unit and the lower left corner as the origin. PNG is refused in builds without libpng. */
cq_status cq_mask_read(cq_ctx *ctx, const char *path, const char *where, cq_surface *surface);
cq_status cq_mask_parse(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                        cq_surface *surface);

/* Makes one vertex of equal ones, takes out faces of less than dim vertices, and turns faces so
 * that they go round counterclockwise seen from outside: inside is what an odd number of pieces
 * encloses. *turned is how many it turned. Refuses, by CQ_CONFIG and the place, a surface with
 * coordinates that are no numbers, one that is open, that has edges of three faces or more, that is
 * one-sided or touches or crosses itself. A surface that was mended already stays as it is. */
cq_status cq_surface_mend(cq_ctx *ctx, const char *name, cq_surface *surface, int *turned);

/* A mesh of a mended surface in memory of the caller, cq_mesh_bytes() of it, aligned to 8 bytes:
 * its vertices are scale times those of the surface, plus shift. */
size_t cq_mesh_bytes(const cq_surface *surface);
cq_status cq_mesh_make(cq_ctx *ctx, const cq_surface *surface, double scale, const double *shift,
                       void *memory, const cq_mesh **out);

/* Integrals over what the mesh encloses, exact to rounding (divergence theorem): of 1, of
 * x / volume, and of (x - center) (x - center)^T. With unit density the matrix of inertia about the
 * centre is trace(second) 1 - second; in 2D, about the axis out of the plane, trace(second). */
typedef struct cq_mesh_moments {
  double volume, center[3], second[3][3];
} cq_mesh_moments;
cq_mesh_moments cq_mesh_moments_of(const cq_mesh *mesh);

/* Points that are `inset` below the planes of all faces around them (outside if it is negative):
 * on sharp corners first, then on edges, then on the rest. Corners of faces are no nearer than
 * `close` to other points, points between them, where it is flat, no nearer than `pitch`, which is
 * no less. Where the mesh is thinner than that they may lie beyond its other side. *x [*n][dim] is
 * of cq_alloc. CQ_MEMORY. */
cq_status cq_mesh_inner_points(cq_ctx *ctx, const cq_mesh *mesh, double close, double pitch,
                               double inset, double **x, int *n);

/* The distances of a bounded shape (sdf.h) on a grid of so many cells along the longest side of its
 * bounds, with a margin around them, in memory of the caller: cq_sdf_bytes(), aligned to 8. The
 * shape must not be turned. */
size_t cq_sdf_bytes(const cq_shape *shape, int cells);
const cq_sdf *cq_sdf_make(const cq_shape *shape, int cells, void *memory);

#endif
