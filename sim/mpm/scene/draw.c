/* Walls of a scene as lines, polygons and balls. */
#include "artist.h"
#include "mpm_scene.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 160, CURVE_SPANS = 128, SURFACE_SPANS = 48 };

/* Keeps the part of a polygon where normal.(x - point) >= 0 (Sutherland and Hodgman); returns how
 * many corners it has. */
static int cut(cq_point *points, int n, const double *normal, const double *point) {
  cq_point kept[MOST_CORNERS];
  int count = 0;
  for (int i = 0; i < n && count + 2 <= MOST_CORNERS; i++) {
    const double *const p = points[i], *const q = points[(i + 1) % n];
    double at_p = 0.0, at_q = 0.0;
    for (int a = 0; a < 3; a++) {
      at_p += normal[a] * (p[a] - point[a]);
      at_q += normal[a] * (q[a] - point[a]);
    }
    if (at_p >= 0.0) {
      memcpy(kept[count++], p, sizeof(cq_point));
    }
    if ((at_p >= 0.0) != (at_q >= 0.0)) {
      const double t = at_p / (at_p - at_q);
      for (int a = 0; a < 3; a++) {
        kept[count][a] = p[a] + t * (q[a] - p[a]);
      }
      count++;
    }
  }
  memcpy(points, kept, (size_t)count * sizeof(cq_point));
  return count;
}

/* In 2D the half of the grid that is wall. */
static void draw_half_plane(const cq_artist *a, const char *name, const cq_geometry_half_space *g) {
  cq_point points[MOST_CORNERS] = {
      {0.0}, {a->size[0]}, {a->size[0], a->size[1]}, {0.0, a->size[1]}};
  const cq_point inward = {-g->normal[0], -g->normal[1], 0.0};
  const int n = cut(points, 4, inward, g->point);
  if (n > 2) {
    cq_artist_polygon(a, "wall", name, n, points);
  }
}

/* In 3D the plane, where it is in the grid. */
static void draw_plane(const cq_artist *a, const char *name, const cq_geometry_half_space *g) {
  const double far = a->size[0] + a->size[1] + a->size[2];
  cq_point points[MOST_CORNERS], along[2], zero = {0.0, 0.0, 0.0};
  /* two directions in the plane: across the axis it is least along */
  int least = 0;
  for (int i = 1; i < 3; i++) {
    least = fabs(g->normal[i]) < fabs(g->normal[least]) ? i : least;
  }
  const double *const n = g->normal;
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
      points[c][i] = g->point[i] + far * (c == 0 || c == 3 ? -1.0 : 1.0) * along[0][i] +
                     far * (c < 2 ? -1.0 : 1.0) * along[1][i];
    }
  }
  int count = 4;
  for (int face = 0; face < 6 && count > 0; face++) {
    cq_point inward = {0.0, 0.0, 0.0};
    inward[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
    count = cut(points, count, inward, face % 2 == 0 ? zero : a->size);
  }
  if (count > 2) {
    cq_artist_polygon(a, "wall", name, count, points);
  }
}

/* Height of the ground, inside the grid. */
static double ground(const cq_artist *a, const cq_geometry_height_field *g, double x) {
  return fmin(fmax(cq_wide_number(cq_curve_at(&g->curve, x).y), 0.0), a->size[1]);
}

static void draw_ground(const cq_artist *a, const char *name, const cq_geometry_height_field *g) {
  if (a->dim == 2) {
    cq_point points[CURVE_SPANS + 3] = {{0.0}};
    for (int i = 0; i <= CURVE_SPANS; i++) {
      points[i][0] = a->size[0] * i / CURVE_SPANS;
      points[i][1] = ground(a, g, points[i][0]);
    }
    points[CURVE_SPANS + 1][0] = a->size[0]; /* and back along the bottom */
    cq_artist_polygon(a, "wall", name, CURVE_SPANS + 3, points);
    return;
  }
  for (int i = 0; i < SURFACE_SPANS; i++) {
    const double x0 = a->size[0] * i / SURFACE_SPANS, x1 = a->size[0] * (i + 1) / SURFACE_SPANS;
    const double y0 = ground(a, g, x0), y1 = ground(a, g, x1), z = a->size[2];
    cq_point points[4] = {{x0, y0, 0.0}, {x1, y1, 0.0}, {x1, y1, z}, {x0, y0, z}};
    cq_artist_polygon(a, "wall", name, 4, points);
  }
}

static void draw_ball(const cq_artist *a, const char *name, const cq_geometry_ball *g) {
  cq_point center = {g->center[0], g->center[1], a->dim == 3 ? g->center[2] : 0.0};
  const cq_drawing d = {.form = CQ_FORM_BALL,
                        .role = "wall",
                        .name = name,
                        .n = 1,
                        .points = (const double(*)[3]) & center,
                        .radius = g->radius,
                        .time = NAN};
  a->draw(a->user, &d);
}

static void draw_block(const cq_artist *a, const char *name, const cq_geometry_box *g) {
  const double c = cos(g->angle), s = sin(g->angle);
  cq_point low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int i = 0; i < a->dim; i++) {
    low[i] = g->center[i] - 0.5 * g->size[i];
    high[i] = g->center[i] + 0.5 * g->size[i];
  }
  if (a->dim == 3) { /* not turned */
    cq_artist_box(a, "wall", name, low, high);
    return;
  }
  cq_point points[4];
  for (int i = 0; i < 4; i++) {
    const double x = (i == 0 || i == 3 ? -0.5 : 0.5) * g->size[0];
    const double y = (i < 2 ? -0.5 : 0.5) * g->size[1];
    points[i][0] = g->center[0] + c * x - s * y;
    points[i][1] = g->center[1] + s * x + c * y;
    points[i][2] = 0.0;
  }
  cq_artist_polygon(a, "wall", name, 4, points);
}

static void draw_domain(const cq_artist *a, const char *name, const cq_geometry_domain *g) {
  cq_point low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int i = 0; i < a->dim; i++) {
    low[i] = fmax(g->low[i], 0.0);
    high[i] = fmin(g->high[i], a->size[i]);
  }
  cq_artist_box(a, "domain", name, low, high);
}

void cq_mpm_draw_wall(const cq_artist *a, int i) {
  const cq_geometry *const g = &cq_mpm_scene_of(a->scene)->boundaries[i].geometry;
  const cq_place path = cq_node_path(a->scene->walls[i].node);
  switch (g->kind) {
  case CQ_GEOMETRY_domain:
    draw_domain(a, path.text, &g->domain);
    break;
  case CQ_GEOMETRY_half_space:
    (a->dim == 3 ? draw_plane : draw_half_plane)(a, path.text, &g->half_space);
    break;
  case CQ_GEOMETRY_height_field:
    draw_ground(a, path.text, &g->height_field);
    break;
  case CQ_GEOMETRY_ball:
    draw_ball(a, path.text, &g->ball);
    break;
  case CQ_GEOMETRY_box:
    draw_block(a, path.text, &g->box);
    break;
  default:
    break;
  }
}
