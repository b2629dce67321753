/* Walls and targets of a scene as lines, polygons and balls, for pictures of any kind. */
#include "scene.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 160, CURVE_SPANS = 128, SURFACE_SPANS = 48, MOST_TRACKED = 400 };

typedef double place[3];

typedef struct artist {
  const cq_scene *scene;
  cq_draw_fn draw;
  void *user;
  int dim;
  place size; /* of the grid, which begins at 0 [m] */
} artist;

static void draw(const artist *a, cq_form form, const char *role, const char *name, int n,
                 place *points) {
  const cq_drawing d = {.form = form,
                        .role = role,
                        .name = name,
                        .n = n,
                        .points = (const double(*)[3])points,
                        .time = NAN};
  a->draw(a->user, &d);
}

/* --- boxes --- */

/* The corner of a box whose bits say which end of each axis. */
static void corner(const double *low, const double *high, int bits, place out) {
  for (int a = 0; a < 3; a++) {
    out[a] = (bits >> a & 1) != 0 ? high[a] : low[a];
  }
}

/* A rectangle, in 3D the six faces. */
static void draw_box(const artist *a, const char *role, const char *name, const double *low,
                     const double *high) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 2, 6, 4},
                                  {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}};
  for (int f = 0; f < (a->dim == 3 ? 6 : 1); f++) {
    place points[4];
    for (int i = 0; i < 4; i++) {
      corner(low, high, faces[f][i], points[i]);
    }
    draw(a, CQ_FORM_POLYGON, role, name, 4, points);
  }
}

/* Keeps the part of a polygon where normal.(x - point) >= 0 (Sutherland and Hodgman); returns how
 * many corners it has. */
static int cut(place *points, int n, const double *normal, const double *point) {
  place kept[MOST_CORNERS];
  int count = 0;
  for (int i = 0; i < n && count + 2 <= MOST_CORNERS; i++) {
    const double *const p = points[i], *const q = points[(i + 1) % n];
    double at_p = 0.0, at_q = 0.0;
    for (int a = 0; a < 3; a++) {
      at_p += normal[a] * (p[a] - point[a]);
      at_q += normal[a] * (q[a] - point[a]);
    }
    if (at_p >= 0.0) {
      memcpy(kept[count++], p, sizeof(place));
    }
    if ((at_p >= 0.0) != (at_q >= 0.0)) {
      const double t = at_p / (at_p - at_q);
      for (int a = 0; a < 3; a++) {
        kept[count][a] = p[a] + t * (q[a] - p[a]);
      }
      count++;
    }
  }
  memcpy(points, kept, (size_t)count * sizeof(place));
  return count;
}

/* --- walls --- */

/* In 2D the half of the grid that is wall. */
static void draw_half_plane(const artist *a, const char *name, const cq_geometry_half_space *g) {
  place points[MOST_CORNERS] = {{0.0}, {a->size[0]}, {a->size[0], a->size[1]}, {0.0, a->size[1]}};
  const place inward = {-g->normal[0], -g->normal[1], 0.0};
  const int n = cut(points, 4, inward, g->point);
  if (n > 2) {
    draw(a, CQ_FORM_POLYGON, "wall", name, n, points);
  }
}

/* In 3D the plane, where it is in the grid. */
static void draw_plane(const artist *a, const char *name, const cq_geometry_half_space *g) {
  const double far = a->size[0] + a->size[1] + a->size[2];
  place points[MOST_CORNERS], along[2], zero = {0.0, 0.0, 0.0};
  /* two directions in the plane: across the axis it is least along */
  int least = 0;
  for (int i = 1; i < 3; i++) {
    least = fabs(g->normal[i]) < fabs(g->normal[least]) ? i : least;
  }
  const double *const n = g->normal;
  const place axis = {least == 0, least == 1, least == 2};
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
    place inward = {0.0, 0.0, 0.0};
    inward[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
    count = cut(points, count, inward, face % 2 == 0 ? zero : a->size);
  }
  if (count > 2) {
    draw(a, CQ_FORM_POLYGON, "wall", name, count, points);
  }
}

/* Height of the ground, inside the grid. */
static double ground(const artist *a, const cq_geometry_height_field *g, double x) {
  return fmin(fmax(cq_wide_number(cq_curve_at(&g->curve, x).y), 0.0), a->size[1]);
}

static void draw_ground(const artist *a, const char *name, const cq_geometry_height_field *g) {
  if (a->dim == 2) {
    place points[CURVE_SPANS + 3] = {{0.0}};
    for (int i = 0; i <= CURVE_SPANS; i++) {
      points[i][0] = a->size[0] * i / CURVE_SPANS;
      points[i][1] = ground(a, g, points[i][0]);
    }
    points[CURVE_SPANS + 1][0] = a->size[0]; /* and back along the bottom */
    draw(a, CQ_FORM_POLYGON, "wall", name, CURVE_SPANS + 3, points);
    return;
  }
  for (int i = 0; i < SURFACE_SPANS; i++) {
    const double x0 = a->size[0] * i / SURFACE_SPANS, x1 = a->size[0] * (i + 1) / SURFACE_SPANS;
    const double y0 = ground(a, g, x0), y1 = ground(a, g, x1), z = a->size[2];
    place points[4] = {{x0, y0, 0.0}, {x1, y1, 0.0}, {x1, y1, z}, {x0, y0, z}};
    draw(a, CQ_FORM_POLYGON, "wall", name, 4, points);
  }
}

static void draw_ball(const artist *a, const char *name, const cq_geometry_ball *g) {
  place center = {g->center[0], g->center[1], a->dim == 3 ? g->center[2] : 0.0};
  const cq_drawing d = {.form = CQ_FORM_BALL,
                        .role = "wall",
                        .name = name,
                        .n = 1,
                        .points = (const double(*)[3]) & center,
                        .radius = g->radius,
                        .time = NAN};
  a->draw(a->user, &d);
}

static void draw_block(const artist *a, const char *name, const cq_geometry_box *g) {
  const double c = cos(g->angle), s = sin(g->angle);
  place low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int i = 0; i < a->dim; i++) {
    low[i] = g->center[i] - 0.5 * g->size[i];
    high[i] = g->center[i] + 0.5 * g->size[i];
  }
  if (a->dim == 3) { /* not turned */
    draw_box(a, "wall", name, low, high);
    return;
  }
  place points[4];
  for (int i = 0; i < 4; i++) {
    const double x = (i == 0 || i == 3 ? -0.5 : 0.5) * g->size[0];
    const double y = (i < 2 ? -0.5 : 0.5) * g->size[1];
    points[i][0] = g->center[0] + c * x - s * y;
    points[i][1] = g->center[1] + s * x + c * y;
    points[i][2] = 0.0;
  }
  draw(a, CQ_FORM_POLYGON, "wall", name, 4, points);
}

static void draw_domain(const artist *a, const char *name, const cq_geometry_domain *g) {
  place low = {0.0, 0.0, 0.0}, high = {0.0, 0.0, 0.0};
  for (int i = 0; i < a->dim; i++) {
    low[i] = fmax(g->low[i], 0.0);
    high[i] = fmin(g->high[i], a->size[i]);
  }
  draw_box(a, "domain", name, low, high);
}

static void draw_wall(const artist *a, int i) {
  const cq_geometry *const g = &a->scene->boundaries[i].geometry;
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

/* --- terms --- */

static void draw_point(const artist *a, const char *role, const char *name, const double *at,
                       double time) {
  place point = {0.0, 0.0, 0.0};
  memcpy(point, at, (size_t)a->dim * sizeof *at);
  const cq_drawing d = {.form = CQ_FORM_POINT,
                        .role = role,
                        .name = name,
                        .n = 1,
                        .points = (const double(*)[3]) & point,
                        .time = time};
  a->draw(a->user, &d);
}

/* Where markers were seen; of very many, some. */
static void draw_tracks(const artist *a, const cq_term *term) {
  int count = 0, every = 1;
  for (int k = 0; k < term->n_instants; k++) {
    count += term->instants[k].n_markers;
  }
  every += count / MOST_TRACKED;
  for (int k = 0, seen = 0; k < term->n_instants; k++) {
    const cq_instant *const at = &term->instants[k];
    const double time = (at->step + at->ahead) * a->scene->model.dt;
    for (int m = 0; m < at->n_markers; m++, seen++) {
      if (seen % every == 0) {
        draw_point(a, "track", term->label, term->markers[at->first_marker + m].target, time);
      }
    }
  }
}

void cq_scene_draw(const cq_scene *scene, cq_draw_fn fn, void *user) {
  artist a = {.scene = scene, .draw = fn, .user = user, .dim = scene->model.dim};
  const place zero = {0.0, 0.0, 0.0};
  for (int i = 0; i < a.dim; i++) {
    a.size[i] = scene->model.room.high[i] - scene->model.room.low[i];
  }
  draw_box(&a, "grid", "", zero, a.size);
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    draw_wall(&a, i);
  }
  for (int i = 0; i < scene->objective.n_functions; i++) {
    const cq_function *const function = &scene->objective.functions[i];
    for (int j = 0; j < function->n_terms; j++) {
      const cq_term *const term = &function->terms[j];
      if (term->kind == CQ_TERM_distance) {
        draw_point(&a, "target", term->label, term->keys->own.distance.target, NAN);
      } else if (cq_term_measures(term->kind) == CQ_MEASURES_MARKERS) {
        draw_tracks(&a, term);
      }
    }
  }
}
