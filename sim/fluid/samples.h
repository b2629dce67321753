/* Points spread over a surface, for what the fluid meets of walls and bodies. */
#ifndef CQ_FLUID_SAMPLES_H
#define CQ_FLUID_SAMPLES_H

#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of points that grows. */
typedef struct cq_points {
  double *x; /* [n][dim] */
  size_t n, room;
} cq_points;

/* Appends points about `spacing` > 0 apart where the distance from a bounded shape is `level`
 * (below 0: inside), within the box; none if the shape is too thin for that. The list is the
 * caller's to free, by cq_points_free. CQ_CONFIG where that makes more than `most`. */
cq_status cq_fluid_sample(cq_ctx *ctx, const cq_shape *shape, double level, double spacing,
                          size_t most, cq_points *out);
/* The same of the box from low to high, exactly: a lattice on its faces, edges and corners. */
cq_status cq_fluid_sample_box(cq_ctx *ctx, int dim, const double *low, const double *high,
                              double spacing, size_t most, cq_points *out);
/* The same of the level of a half-space, within the box. */
cq_status cq_fluid_sample_plane(cq_ctx *ctx, const cq_shape *plane, double level, const double *low,
                                const double *high, double spacing, size_t most, cq_points *out);
cq_status cq_points_add(cq_ctx *ctx, int dim, const double *x, size_t most, cq_points *out);
void cq_points_free(cq_ctx *ctx, cq_points *points);

#ifdef __cplusplus
}
#endif

#endif
