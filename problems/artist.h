/* What draws a scene: lines, polygons and balls for pictures of any kind. */
#ifndef CQ_PROBLEMS_ARTIST_H
#define CQ_PROBLEMS_ARTIST_H

#include "scene.h"

typedef double cq_point[3];

typedef struct cq_artist {
  const cq_scene *scene;
  cq_draw_fn draw;
  void *user;
  int dim;
  cq_point size; /* of the room, which begins at 0 [m] */
} cq_artist;

void cq_artist_polygon(const cq_artist *a, const char *role, const char *name, int n,
                       cq_point *points);
/* The corners of a box, whose bits say which end of each axis (2D: of the first four); and the
 * rectangle, in 3D the six faces, between such corners. */
void cq_artist_corners(const double *low, const double *high, cq_point corners[8]);
void cq_artist_faces(const cq_artist *a, const char *role, const char *name, cq_point corners[8]);
void cq_artist_box(const cq_artist *a, const char *role, const char *name, const double *low,
                   const double *high);
/* A shape: what fills the room without end is cut off at it. */
void cq_artist_shape(const cq_artist *a, const char *role, const char *name, const cq_shape *shape);

#endif
