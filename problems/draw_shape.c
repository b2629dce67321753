/* Shapes as lines, polygons and balls. */
#include "artist.h"
#include "curve.h"
#include "cut.h"
#include "height_field.h"

#include <math.h>
#include <string.h>

enum {
  MOST_CORNERS = 160,
  CURVE_SPANS = 128,
  SURFACE_SPANS = 48,
  HILL_SPANS = 24,
  CAPSULE_BALLS = 9
};

/* What moves is cut off at the room where it has come to, by whoever draws it there. */
static void put_plane(const cq_artist *a, const char *role, const char *name, cq_point *points) {
  const cq_drawing d = {.form = CQ_FORM_PLANE,
                        .role = role,
                        .name = name,
                        .n = 4,
                        .points = (const double(*)[3])points,
                        .time = NAN,
                        .moves = true};
  a->draw(a->user, &d);
}

/* of a plane that moves: wherever it is, its edges are not in the room */
static double far_away(const cq_artist *a) {
  return 4.0 * (a->size[0] + a->size[1] + a->size[2]);
}

/* In 2D the half of the grid that is wall. */
static void draw_half_plane(const cq_artist *a, const char *role, const char *name,
                            const cq_shape *s) {
  cq_point points[MOST_CORNERS] = {
      {0.0}, {a->size[0]}, {a->size[0], a->size[1]}, {0.0, a->size[1]}};
  const cq_point inward = {-s->normal[0], -s->normal[1], 0.0};
  const int n = cq_cut(points, 4, MOST_CORNERS, inward, s->center);
  if (n > 2) {
    cq_artist_polygon(a, role, name, n, points);
  }
}

static void draw_moving_half_plane(const cq_artist *a, const char *role, const char *name,
                                   const cq_shape *s) {
  cq_point points[4] = {{0.0}};
  for (int c = 0; c < 4; c++) {
    const double along = (c == 0 || c == 3 ? -1.0 : 1.0) * far_away(a);
    const double down = c < 2 ? 0.0 : far_away(a);
    points[c][0] = s->center[0] + along * s->normal[1] - down * s->normal[0];
    points[c][1] = s->center[1] - along * s->normal[0] - down * s->normal[1];
  }
  put_plane(a, role, name, points);
}

/* In 3D the plane, where it is in the grid. */
static void draw_plane(const cq_artist *a, const char *role, const char *name, const cq_shape *s) {
  const double far = a->moves ? far_away(a) : a->size[0] + a->size[1] + a->size[2];
  cq_point points[MOST_CORNERS], along[2], zero = {0.0, 0.0, 0.0};
  /* two directions in the plane: across the axis it is least along */
  int least = 0;
  for (int i = 1; i < 3; i++) {
    least = fabs(s->normal[i]) < fabs(s->normal[least]) ? i : least;
  }
  const double *const n = s->normal;
  const cq_point axis = {least == 0, least == 1, least == 2};
  for (int i = 0; i < 3; i++) {
    along[0][i] = n[(i + 1) % 3] * axis[(i + 2) % 3] - n[(i + 2) % 3] * axis[(i + 1) % 3];
  }
  const double length =
      sqrt(along[0][0] * along[0][0] + along[0][1] * along[0][1] + along[0][2] * along[0][2]);
  for (int i = 0; i < 3; i++) {
    along[0][i] /= length;
  }
  for (int i = 0; i < 3; i++) {
    along[1][i] = n[(i + 1) % 3] * along[0][(i + 2) % 3] - n[(i + 2) % 3] * along[0][(i + 1) % 3];
  }
  for (int c = 0; c < 4; c++) {
    for (int i = 0; i < 3; i++) {
      points[c][i] = s->center[i] + far * (c == 0 || c == 3 ? -1.0 : 1.0) * along[0][i] +
                     far * (c < 2 ? -1.0 : 1.0) * along[1][i];
    }
  }
  if (a->moves) {
    put_plane(a, role, name, points);
    return;
  }
  const int count = cq_cut_to_box(points, 4, MOST_CORNERS, 3, zero, a->size);
  if (count > 2) {
    cq_artist_polygon(a, role, name, count, points);
  }
}

/* Height of the ground, inside the grid. */
static double ground(const cq_artist *a, const cq_shape *s, double x, double z) {
  const double at[3] = {x, 0.0, z};
  return fmin(fmax(height_field_at(s, at).y, 0.0), a->size[1]);
}

/* Squares of its surface. */
static void draw_hills(const cq_artist *a, const char *role, const char *name, const cq_shape *s) {
  for (int k = 0; k < HILL_SPANS * HILL_SPANS; k++) {
    cq_point points[4] = {{0.0}};
    for (int c = 0; c < 4; c++) {
      points[c][0] = a->size[0] * (k % HILL_SPANS + (c == 1 || c == 2)) / HILL_SPANS;
      points[c][2] = a->size[2] * (k / HILL_SPANS + (c > 1)) / HILL_SPANS;
      points[c][1] = ground(a, s, points[c][0], points[c][2]);
    }
    cq_artist_polygon(a, role, name, 4, points);
  }
}

/* In 2D all that is below the curve, in 3D strips or squares of its surface. */
static void draw_ground(const cq_artist *a, const char *role, const char *name, const cq_shape *s) {
  if (a->dim == 2) {
    cq_point points[CURVE_SPANS + 3] = {{0.0}};
    for (int i = 0; i <= CURVE_SPANS; i++) {
      points[i][0] = a->size[0] * i / CURVE_SPANS;
      points[i][1] = ground(a, s, points[i][0], 0.0);
    }
    points[CURVE_SPANS + 1][0] = a->size[0]; /* and back along the bottom */
    cq_artist_polygon(a, role, name, CURVE_SPANS + 3, points);
    return;
  }
  if (s->n_points > 0) {
    draw_hills(a, role, name, s);
    return;
  }
  for (int i = 0; i < SURFACE_SPANS; i++) {
    const double x0 = a->size[0] * i / SURFACE_SPANS, x1 = a->size[0] * (i + 1) / SURFACE_SPANS;
    const double y0 = ground(a, s, x0, 0.0), y1 = ground(a, s, x1, 0.0), z = a->size[2];
    cq_point points[4] = {{x0, y0, 0.0}, {x1, y1, 0.0}, {x1, y1, z}, {x0, y0, z}};
    cq_artist_polygon(a, role, name, 4, points);
  }
}

static void draw_ball(const cq_artist *a, const char *role, const char *name, const double *at,
                      double radius) {
  cq_point center = {at[0], at[1], a->dim == 3 ? at[2] : 0.0};
  const cq_drawing d = {.form = CQ_FORM_BALL,
                        .role = role,
                        .name = name,
                        .n = 1,
                        .points = (const double(*)[3]) & center,
                        .radius = radius,
                        .time = NAN,
                        .moves = a->moves};
  a->draw(a->user, &d);
}

/* With a spoke, where it may turn. */
static void draw_disc(const cq_artist *a, const char *role, const char *name, const cq_shape *s) {
  const cq_point spoke[2] = {{s->center[0], s->center[1], 0.0},
                             {s->center[0] + s->radius, s->center[1], 0.0}};
  const cq_drawing d = {.form = CQ_FORM_LINE,
                        .role = role,
                        .name = name,
                        .n = 2,
                        .points = spoke,
                        .time = NAN,
                        .moves = true};
  draw_ball(a, role, name, s->center, s->radius);
  if (a->moves) {
    a->draw(a->user, &d);
  }
}

static void draw_domain(const cq_artist *a, const char *name, const cq_shape *s) {
  cq_point low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int i = 0; i < a->dim; i++) {
    low[i] = fmax(s->center[i] - 0.5 * s->size[i], 0.0);
    high[i] = fmin(s->center[i] + 0.5 * s->size[i], a->size[i]);
  }
  cq_artist_box(a, "domain", name, low, high);
}

/* A shape and the composites that it is a part of: how it is turned. */
typedef struct place {
  const cq_shape *shape;
  const struct place *outer;
} place;

static void to_room(const void *user, double *x) {
  for (const place *at = user; at != NULL; at = at->outer) {
    cq_shape_turn_point(at->shape, x);
  }
}

static const cq_shape *whole_of(const place *at) {
  while (at->outer != NULL) {
    at = at->outer;
  }
  return at->shape;
}

static void box_corners(const cq_shape *s, cq_point corners[8]) {
  cq_point low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int a = 0; a < s->dim; a++) {
    low[a] = s->center[a] - 0.5 * s->size[a];
    high[a] = s->center[a] + 0.5 * s->size[a];
  }
  cq_artist_corners(low, high, corners);
}

/* Half a circle about each of two points. */
static int rim(const double *p, const double *q, double radius, cq_point *points) {
  const double along = atan2(q[1] - p[1], q[0] - p[0]), half = 0.5 * MOST_CORNERS;
  for (int i = 0; i < MOST_CORNERS; i++) {
    const int second = i >= MOST_CORNERS / 2;
    const double angle = along + acos(-1.0) * ((i - second) / (half - 1.0) + 0.5);
    points[i][0] = (second ? q : p)[0] + radius * cos(angle);
    points[i][1] = (second ? q : p)[1] + radius * sin(angle);
  }
  return MOST_CORNERS;
}

/* Corners of the outline of a shape in 2D, at most CQ_MOST_OUTLINE; of a polygon of very many,
 * some.
 */
static int outline(const place *at, cq_point *points) {
  static const int round_box[4] = {0, 1, 3, 2};
  const cq_shape *s = at->shape;
  const int every = 1 + s->n_points / MOST_CORNERS;
  cq_point corners[8];
  int n = 0;
  memset(points, 0, CQ_MOST_OUTLINE * sizeof *points);
  if (s->kind == CQ_SHAPE_gear) {
    n = cq_gear_outline(s, 0.0, points);
  } else if (s->kind == CQ_SHAPE_ball) {
    n = rim(s->center, s->center, s->radius, points);
  } else if (s->kind == CQ_SHAPE_capsule) {
    n = rim(s->points, s->points + 2, s->radius, points);
  } else if (s->kind == CQ_SHAPE_box) {
    for (box_corners(s, corners); n < 4; n++) {
      memcpy(points[n], corners[round_box[n]], sizeof *points);
    }
  }
  for (int i = 0; s->kind == CQ_SHAPE_polygon && i < s->n_points; i += every, n++) {
    memcpy(points[n], s->points + 2 * i, 2 * sizeof **points);
  }
  for (int i = 0; i < n; i++) {
    to_room(at, points[i]);
  }
  return n;
}

/* Those pieces of a part's outline that are on the surface of the whole. */
static void draw_pieces(const cq_artist *a, const char *role, const char *name, const place *at) {
  cq_point points[CQ_MOST_OUTLINE];
  const cq_shape *whole = whole_of(at);
  const int n = outline(at, points), pieces = n > 0 ? 1 + MOST_CORNERS / n : 0;
  for (int i = 0; i < n * pieces; i++) {
    const double *const p = points[i / pieces], *const q = points[(i / pieces + 1) % n];
    cq_point ends[2] = {{0.0}}, middle = {0.0};
    double length = 0.0;
    for (int k = 0; k < 2; k++) {
      ends[0][k] = p[k] + (i % pieces) * (q[k] - p[k]) / pieces;
      ends[1][k] = p[k] + (i % pieces + 1) * (q[k] - p[k]) / pieces;
      middle[k] = 0.5 * (ends[0][k] + ends[1][k]);
      length += fabs(ends[1][k] - ends[0][k]);
    }
    if (fabs(cq_shape_distance(whole, middle)) < 0.1 * length) {
      const cq_drawing d = {.form = CQ_FORM_LINE,
                            .role = role,
                            .name = name,
                            .n = 2,
                            .points = (const double(*)[3])ends,
                            .time = NAN,
                            .moves = a->moves};
      a->draw(a->user, &d);
    }
  }
}

/* In 3D by its faces or balls. */
static void draw_solid(const cq_artist *a, const char *role, const char *name, const place *at) {
  const cq_shape *s = at->shape;
  cq_point corners[8];
  if (s->kind == CQ_SHAPE_box) {
    box_corners(s, corners);
    for (int i = 0; i < 8; i++) {
      to_room(at, corners[i]);
    }
    cq_artist_faces(a, role, name, corners);
    return;
  }
  if (s->kind == CQ_SHAPE_gear) {
    cq_artist_gear(a, role, name, s, to_room, at);
    return;
  }
  const int balls =
      s->kind == CQ_SHAPE_ball ? 1 : (s->kind == CQ_SHAPE_capsule ? CAPSULE_BALLS : 0);
  for (int i = 0; i < balls; i++) {
    cq_point center;
    for (int k = 0; k < 3; k++) {
      center[k] = s->kind == CQ_SHAPE_ball
                      ? s->center[k]
                      : s->points[k] + i * (s->points[3 + k] - s->points[k]) / (CAPSULE_BALLS - 1);
    }
    to_room(at, center);
    draw_ball(a, role, name, center, s->radius);
  }
}

/* A bounded shape: in 2D filled, a composite by its outline alone; in 3D by the surfaces of its
 * parts, be they added or taken away. */
static void draw_bounded(const cq_artist *a, const char *role, const char *name, const place *at) {
  const cq_shape *s = at->shape;
  cq_point points[CQ_MOST_OUTLINE];
  if (s->kind == CQ_SHAPE_composite) {
    for (int i = 0; i < s->n_parts; i++) {
      draw_bounded(a, role, name, &(place){&s->parts[i].shape, at});
    }
  } else if (s->kind == CQ_SHAPE_mesh) {
    cq_artist_mesh(a, role, name, s->mesh, to_room, at, at->outer != NULL ? whole_of(at) : NULL);
  } else if (a->dim == 3) {
    draw_solid(a, role, name, at);
  } else if (at->outer != NULL) {
    draw_pieces(a, role, name, at);
  } else if (s->kind == CQ_SHAPE_ball) {
    draw_disc(a, role, name, s);
  } else {
    cq_artist_polygon(a, role, name, outline(at, points), points);
  }
}

/* Shapes without bounds are cut off at the room, each kind in its own way. */
void cq_artist_shape(const cq_artist *a, const char *role, const char *name, const cq_shape *s) {
  switch (s->kind) {
  case CQ_SHAPE_domain:
    draw_domain(a, name, s);
    break;
  case CQ_SHAPE_half_space:
    (a->dim == 3 ? draw_plane
     : a->moves  ? draw_moving_half_plane
                 : draw_half_plane)(a, role, name, s);
    break;
  case CQ_SHAPE_height_field:
    draw_ground(a, role, name, s);
    break;
  default:
    draw_bounded(a, role, name, &(place){s, NULL});
  }
}
