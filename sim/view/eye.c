#include "eye.h"

#include "map.h"
#include "pixels.h"
#include "ray.h"

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static void make_unit(double *a) {
  const double length = sqrt(dot(a, a));
  for (int k = 0; k < 3; k++) {
    a[k] /= length;
  }
}

void cq_eye_aim(cq_eye *v, const double *eye, const double *at, const double *up) {
  const double out_of_plane[3] = {0.0, 0.0, -1.0};
  for (int a = 0; a < 3; a++) {
    v->eye[a] = a < v->dim ? eye[a] : 0.0;
    v->forward[a] = a < v->dim ? at[a] - eye[a] : 0.0;
  }
  make_unit(v->forward);
  cross(v->forward, v->dim == 3 ? up : out_of_plane, v->right);
  make_unit(v->right);
  cross(v->right, v->forward, v->up);
}

/* Of a direction: without the shift. */
static void turn(const double *map, const double *x, double *out) {
  for (int i = 0; i < 3; i++) {
    out[i] = dot(map + 4 * i, x);
  }
}

cq_eye cq_eye_moved(const cq_eye *view, const double *map) {
  cq_eye moved = *view;
  cq_map_point(map, view->eye, moved.eye);
  turn(map, view->right, moved.right);
  turn(map, view->up, moved.up);
  turn(map, view->forward, moved.forward);
  return moved;
}

void cq_eye_clear(const cq_eye *v, double *image) {
  const size_t n = (size_t)v->wide * (size_t)v->high;
  for (size_t i = 0; i < n; i++) {
    image[i] = v->far;
  }
}

/* Columns and rows that something may be in. */
typedef struct window {
  int left, right, top, bottom; /* the right and the bottom ones are outside */
} window;

static window window_of(const cq_eye *v, double left, double right, double down, double up) {
  const double scale = 0.5 * v->wide / v->half;
  return (window){(int)cq_pixel_first(0.5 * v->wide + scale * left, v->wide),
                  (int)cq_pixel_first(0.5 * v->wide + scale * right + 1.0, v->wide),
                  (int)cq_pixel_first(0.5 * v->high - scale * up, v->high),
                  (int)cq_pixel_first(0.5 * v->high - scale * down + 1.0, v->high)};
}

/* Right, up and ahead of the eye. */
static void place(const cq_eye *v, const double *x, double *at) {
  double away[3] = {0.0};
  for (int a = 0; a < v->dim; a++) {
    away[a] = x[a] - v->eye[a];
  }
  at[0] = dot(v->right, away);
  at[1] = dot(v->up, away);
  at[2] = dot(v->forward, away);
}

/* A rectangle about what was seen, in units of `half` as pixels are. */
typedef struct extent {
  double left, right, down, up;
} extent;

static void widen(const cq_eye *v, const double *at, extent *e) {
  const double x = v->perspective ? at[0] / at[2] : at[0];
  const double y = v->perspective ? at[1] / at[2] : at[1];
  e->left = fmin(e->left, x);
  e->right = fmax(e->right, x);
  e->down = fmin(e->down, y);
  e->up = fmax(e->up, y);
}

/* Where an edge comes to the depth `near`. */
static void cut_edge(const cq_eye *v, const double *a, const double *b, double near, extent *e) {
  double at[3];
  const double part = (near - a[2]) / (b[2] - a[2]);
  for (int k = 0; k < 3; k++) {
    at[k] = a[k] + part * (b[k] - a[k]);
  }
  widen(v, at, e);
}

/* The corners of a box before the eye. */
static void place_corners(const cq_eye *v, int dim, const double *low, const double *size,
                          double corners[8][3]) {
  for (int c = 0; c < 8; c++) {
    double x[3] = {0.0};
    for (int a = 0; a < dim; a++) {
      x[a] = low[a] + (c >> a & 1 ? size[a] : 0.0);
    }
    place(v, x, corners[c]);
  }
}

/* The pixels in which a bounded shape may be seen: those of its bounds, as far as they are not
 * nearer than `near`. */
static window window_of_shape(const cq_eye *v, const cq_shape *s) {
  double low[3], size[3], corners[8][3];
  extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  const double near = fmax(v->near, v->perspective ? 1e-6 * v->far : 0.0);
  const window all = {0, v->wide, 0, v->high};
  if (!cq_shape_bounded(s)) {
    return all;
  }
  cq_shape_bounds(s, low, size);
  place_corners(v, s->dim, low, size, corners);
  for (int c = 0; c < 8; c++) {
    if (corners[c][2] < near && near > v->near) {
      return all; /* it may be at the eye itself */
    }
    if (corners[c][2] >= near) {
      widen(v, corners[c], &e);
    }
    for (int a = 0; a < s->dim; a++) {
      const double *const other = corners[c ^ 1 << a];
      if (corners[c][2] < near && other[2] > near) {
        cut_edge(v, corners[c], other, near, &e);
      }
    }
  }
  return window_of(v, e.left, e.right, e.down, e.up);
}

/* Into the frame of what a map has moved. */
static cq_eye view_from(const cq_eye *view, const double *map) {
  double back[CQ_MAP];
  for (int i = 0; i < 3; i++) {
    back[4 * i + 3] = 0.0;
    for (int j = 0; j < 3; j++) {
      back[4 * i + j] = map[4 * j + i];
      back[4 * i + 3] -= map[4 * j + i] * map[4 * j + 3];
    }
  }
  return cq_eye_moved(view, back);
}

static cq_ray ray_of(const cq_eye *v, double a, double b) {
  cq_ray ray = {.low = v->near, .high = v->far};
  for (int k = 0; k < 3; k++) {
    const double aside = a * v->right[k] + b * v->up[k];
    ray.from[k] = v->eye[k] + (v->perspective ? 0.0 : aside);
    ray.along[k] = v->forward[k] + (v->perspective ? aside : 0.0);
  }
  return ray;
}

/* A plane, in a row of parallel rays: they are as far apart from it as from pixel to pixel. */
static void put_plane_row(const cq_eye *v, double away, double slope, double *row) {
  for (int i = 0; i < v->wide; i++) {
    cq_pixel_keep_nearer(v->near, away + slope * i, &row[i]);
  }
}

/* The same in rays from the eye, which come to it at speeds of their own. */
static void put_plane_fan(const cq_eye *v, double away, double speed, double slope, double *row) {
  for (int i = 0; i < v->wide; i++) {
    const double toward = speed + slope * i;
    cq_pixel_keep_nearer(v->near, toward > 0.0 ? away / toward : INFINITY, &row[i]);
  }
}

/* Most rooms have one a side, which fills the image. Along a row distance and speed go on evenly.
 */
static void put_plane(const cq_eye *v, const cq_shape *s, double *image) {
  double n[3] = {0.0}, away = 0.0;
  for (int a = 0; a < s->dim; a++) {
    n[a] = s->normal[a];
    away += n[a] * (v->eye[a] - s->center[a]);
  }
  const double speed = -dot(n, v->forward), up = dot(n, v->up), size = cq_pixel_size(v);
  const double slope = size * dot(n, v->right),
               first = dot(n, v->right) * cq_pixel_across(v, size, 0);
  for (int j = 0; j < v->high; j++) {
    const double b = up * cq_pixel_upward(v, size, j);
    double *const row = image + (size_t)j * (size_t)v->wide;
    if (v->perspective &&
        fmax(speed - b - first, speed - b - first - slope * (v->wide - 1)) > 0.0) {
      put_plane_fan(v, away, speed - b - first, -slope, row);
    } else if (!v->perspective && speed > 0.0) {
      put_plane_row(v, (away + b + first) / speed, slope / speed, row);
    }
  }
}

/* In the frame of the shape: what moves is the eye. */
void cq_eye_shape(const cq_eye *view, const cq_shape *shape, const double *map, double *image) {
  const cq_eye own = map != NULL ? view_from(view, map) : *view;
  if (shape->kind == CQ_SHAPE_half_space && !shape->turn.is) {
    put_plane(&own, shape, image);
    return;
  }
  const window w = window_of_shape(&own, shape);
  const double size = cq_pixel_size(&own);
  for (int j = w.top; j < w.bottom; j++) {
    double *const row = image + (size_t)j * (size_t)own.wide;
    for (int i = w.left; i < w.right; i++) {
      const cq_ray ray =
          ray_of(&own, cq_pixel_across(&own, size, i), cq_pixel_upward(&own, size, j));
      const double depth = cq_shape_ray(shape, &ray);
      row[i] = depth < row[i] ? depth : row[i];
    }
  }
}
