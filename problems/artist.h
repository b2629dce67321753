/* What draws a scene: lines, polygons and balls for pictures of any kind. */
#ifndef CQ_PROBLEMS_ARTIST_H
#define CQ_PROBLEMS_ARTIST_H

#include "scene.h"

typedef double cq_point[3];

typedef struct cq_artist {
  const cq_scene *scene;
  cq_draw_fn draw;
  void *user;
  bool moves; /* what it draws now */
  int dim;
  cq_point size; /* of the room, which begins at 0 [m] */
} cq_artist;

cq_artist cq_artist_of(const cq_scene *scene, cq_draw_fn draw, void *user);
/* All walls, or those that move, where the file has them. */
void cq_artist_walls(const cq_artist *artist, bool moving);
void cq_artist_polygon(const cq_artist *a, const char *role, const char *name, int n,
                       cq_point *points);
/* The corners of a box, whose bits say which end of each axis (2D: of the first four); and the
 * rectangle, in 3D the six faces, between such corners. */
void cq_artist_corners(const double *low, const double *high, cq_point corners[8]);
void cq_artist_faces(const cq_artist *a, const char *role, const char *name, cq_point corners[8]);
void cq_artist_box(const cq_artist *a, const char *role, const char *name, const double *low,
                   const double *high);
/* The surface of a mesh, whose points to_room moves to where they are. In 2D it is filled; as a
 * part of `whole` (else NULL) only those lines are drawn that are on the surface of that. */
typedef void (*cq_to_room_fn)(const void *user, double *x);
void cq_artist_mesh(const cq_artist *a, const char *role, const char *name, const cq_mesh *mesh,
                    cq_to_room_fn to_room, const void *user, const cq_shape *whole);
/* Corners of a gear's section, `along` from the middle of its width, unturned; at most so many. */
enum { CQ_MOST_OUTLINE = 1024 };
int cq_gear_outline(const cq_shape *shape, double along, cq_point *points);
/* The surface of a gear in 3D, whose points to_room moves to where they are. */
void cq_artist_gear(const cq_artist *a, const char *role, const char *name, const cq_shape *shape,
                    cq_to_room_fn to_room, const void *user);
/* A shape: what fills the room without end is cut off at it. */
void cq_artist_shape(const cq_artist *a, const char *role, const char *name, const cq_shape *shape);

#endif
