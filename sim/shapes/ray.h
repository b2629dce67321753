/* Where a ray meets a shape. Surfaces are seen from outside: where a ray begins inside a shape, it
 * has to come out before it can meet it. */
#ifndef CQ_SHAPES_RAY_H
#define CQ_SHAPES_RAY_H

#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points from + t along [dim], low <= t <= high, along of any length. */
typedef struct cq_ray {
  double from[3], along[3];
  double low, high;
} cq_ray;

/* The least t at which the ray comes into the shape; INFINITY: nowhere. Boxes, balls, planes and
 * rooms have a closed form, and so have composites of these from which nothing is taken away, of
 * which each part counts alone. Others are found by steps of their distance, to rounding, but for
 * what a ray touches for less than a ten thousandth of their size. */
double cq_shape_ray(const cq_shape *shape, const cq_ray *ray);

#ifdef __cplusplus
}
#endif

#endif
