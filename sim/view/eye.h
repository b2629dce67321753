/* Depth images: how far what a camera sees is from it, along the way it looks [m]. Pixels are rows
 * from above, each from left to right; where nothing is seen between near and far, a pixel is far.
 * Each pixel is the one ray through its middle, so that an image is exact, and its bits do not
 * depend on the order in which things are put into it. */
#ifndef CQ_VIEW_EYE_H
#define CQ_VIEW_EYE_H

#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A camera. In 2D its image is one row, in the plane of the scene. */
typedef struct cq_eye {
  int dim;
  int wide, high; /* pixels; 2D: high is 1 */
  bool perspective;
  double eye[3], right[3], up[3], forward[3]; /* right, up and forward have length 1 */
  double half;                                /* of the width: in m, or in m for each m of depth */
  double near, far;                           /* [m] >= 0 */
} cq_eye;

/* Looks from `eye` to `at`, which differ, `up` not being along that way. In 2D the row runs as the
 * camera turns left: where it looks down, from left to right. The rest is the caller's. */
void cq_eye_aim(cq_eye *view, const double *eye, const double *at, const double *up);
/* The view of a camera that is carried by something that a map (map.h) has moved. */
cq_eye cq_eye_moved(const cq_eye *view, const double *map);

/* image [high][wide] */
void cq_eye_clear(const cq_eye *view, double *image);
/* Balls (2D: discs) about x [n][dim], radii [n]; one of radius 0 is not seen. They are seen from
 * outside, and by their fronts alone: one that reaches nearer than `near` is not seen where it
 * does. */
void cq_eye_balls(const cq_eye *view, int n, const double *x, const double *radii, double *image);
/* A shape that a map has moved; NULL: it is where it was made. */
void cq_eye_shape(const cq_eye *view, const cq_shape *shape, const double *map, double *image);

#ifdef __cplusplus
}
#endif

#endif
