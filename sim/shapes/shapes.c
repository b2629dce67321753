#include "shapes.h"

#include "ball.h"
#include "box.h"
#include "capsule.h"
#include "composite.h"
#include "domain.h"
#include "gear.h"
#include "half_space.h"
#include "height_field.h"
#include "mesh.h"
#include "polygon.h"
#include "rotation.h"
#include "turned.h"

#include <string.h>

/* the functions of a shape, from its header */
static const struct {
  double (*distance)(const cq_shape *shape, const double *x);
  void (*normal)(const cq_shape *shape, const double *x, double *normal);
  double (*volume)(const cq_shape *shape); /* NULL, as those below: it has no bounds */
  void (*bounds)(const cq_shape *shape, double *low, double *size);
  void (*sample)(const cq_shape *shape, cq_rng *rng, double *x);
} shapes[CQ_N_SHAPES] = {
#define CQ_HAS_BOUNDED(name)   name##_volume, name##_bounds, name##_sample
#define CQ_HAS_UNBOUNDED(name) NULL, NULL, NULL
#define CQ_SHAPE(name, extent) {name##_distance, name##_normal, CQ_HAS_##extent(name)},
#include "shape_list.h"
#undef CQ_SHAPE
};

void cq_shape_unturn_point(const cq_shape *s, const double *x, double *own) {
  shape_unturn(s, x, own);
}

double cq_shape_distance(const cq_shape *shape, const double *x) {
  double own[3] = {0.0};
  cq_shape_unturn_point(shape, x, own);
  return shapes[shape->kind].distance(shape, own);
}

void cq_shape_normal(const cq_shape *shape, const double *x, double *normal) {
  double own[3] = {0.0}, n[3] = {0.0};
  if (!shape->turn.is) {
    shapes[shape->kind].normal(shape, x, normal);
    return;
  }
  cq_shape_unturn_point(shape, x, own);
  shapes[shape->kind].normal(shape, own, n);
  shape_turn_direction(shape, n, normal);
}

bool cq_shape_bounded(const cq_shape *shape) {
  return shapes[shape->kind].bounds != NULL;
}

double cq_shape_volume(const cq_shape *shape) {
  return shapes[shape->kind].volume(shape);
}

void cq_shape_bounds(const cq_shape *shape, double *low, double *size) {
  shapes[shape->kind].bounds(shape, low, size);
}

void cq_shape_sample(const cq_shape *shape, cq_rng *rng, double *x) {
  const cq_shape unturned = cq_shape_unturned(shape);
  shapes[shape->kind].sample(&unturned, rng, x);
  cq_shape_turn_point(shape, x);
}

void cq_shape_turn(cq_shape *shape, const double *rotation) {
  const double w[3] = {0.0, 0.0, rotation[0]};
  if (shape->kind != CQ_SHAPE_box && shape->kind != CQ_SHAPE_ball) {
    double low[3], size[3];
    cq_shape_bounds(shape, low, size);
    for (int a = 0; a < shape->dim; a++) {
      shape->center[a] = low[a] + 0.5 * size[a];
    }
  }
  cq_rotation_matrix(shape->dim == 2 ? w : rotation, shape->turn.Q);
  shape->turn.is = 1;
}

cq_shape cq_shape_unturned(const cq_shape *shape) {
  cq_shape unturned = *shape;
  unturned.turn.is = 0;
  return unturned;
}

void cq_shape_turn_point(const cq_shape *shape, double *x) {
  double r[3] = {0};
  for (int a = 0; a < shape->dim && shape->turn.is; a++) {
    r[a] = x[a] - shape->center[a];
  }
  for (int a = 0; a < shape->dim && shape->turn.is; a++) {
    const double *Q = shape->turn.Q[a];
    x[a] = shape->center[a] + Q[0] * r[0] + Q[1] * r[1] + Q[2] * r[2];
  }
}

void cq_shape_turn_bounds(const cq_shape *shape, double *low, double *size) {
  double middle[3] = {0}, turned[3] = {0};
  for (int a = 0; a < shape->dim && shape->turn.is; a++) {
    middle[a] = low[a] + 0.5 * size[a];
    for (int b = 0; b < shape->dim; b++) {
      turned[a] += fabs(shape->turn.Q[a][b]) * size[b];
    }
  }
  cq_shape_turn_point(shape, middle);
  for (int a = 0; a < shape->dim && shape->turn.is; a++) {
    size[a] = turned[a];
    low[a] = middle[a] - 0.5 * size[a];
  }
}

/* The least and the largest of each coordinate. */
void cq_shape_bound_points(const cq_shape *shape, const double *points, int n, int stride,
                           double *low, double *size) {
  double high[3] = {0};
  for (int i = 0; i < n; i++) {
    double x[3];
    memcpy(x, points + i * (long)stride, (size_t)shape->dim * sizeof *x);
    cq_shape_turn_point(shape, x);
    for (int a = 0; a < shape->dim; a++) {
      low[a] = i == 0 ? x[a] : fmin(low[a], x[a]);
      high[a] = i == 0 ? x[a] : fmax(high[a], x[a]);
    }
  }
  for (int a = 0; a < shape->dim; a++) {
    size[a] = high[a] - low[a];
  }
}

void cq_shape_sample_bounds(const cq_shape *shape, cq_rng *rng, double *x) {
  double low[3] = {0}, size[3] = {0};
  cq_shape_bounds(shape, low, size);
  do {
    for (int a = 0; a < shape->dim; a++) {
      x[a] = low[a] + size[a] * cq_rng_uniform(rng);
    }
  } while (cq_shape_distance(shape, x) > 0.0);
}

/* Is the magnitude of its distance one that is there at least, everywhere? */
static bool is_bound(const cq_shape *shape) {
  bool is = shape->sdf == NULL;
  for (int i = 0; i < shape->n_parts; i++) {
    is = is && is_bound(&shape->parts[i].shape);
  }
  return is;
}

/* Where the distance was asked for, and what it was. */
typedef struct known {
  double at[3], distance;
  bool is;
} known;

/* Is a point inside? A point nearer to the last that was asked for than the surface is on the same
 * side, which spares a large mesh most of the questions. */
static bool is_inside(const cq_shape *shape, bool bound, const double *x, double tolerance,
                      known *last) {
  double square = 0.0;
  for (int a = 0; a < shape->dim; a++) {
    square += (x[a] - last->at[a]) * (x[a] - last->at[a]);
  }
  const double free = fabs(last->distance) * (1.0 - 1e-9) - 2.0 * tolerance;
  if (!(last->is && bound && free > 0.0 && square < free * free)) {
    last->is = true;
    last->distance = cq_shape_distance(shape, x);
    memcpy(last->at, x, (size_t)shape->dim * sizeof *x);
  }
  return last->distance <= tolerance;
}

size_t cq_lattice_points(const cq_lattice *lattice, const cq_shape *shape, double *x) {
  const int dim = lattice->dim;
  const double tolerance = 1e-9 * lattice->spacing[0];
  const cq_shape unturned = cq_shape_unturned(shape);
  const bool bound = is_bound(&unturned);
  known last = {.is = false};
  size_t n = 0;
  int i[3] = {0};
  while (i[0] < lattice->count[0]) {
    double point[3] = {0};
    for (int a = 0; a < dim; a++) {
      point[a] = lattice->low[a] + (i[a] + lattice->offset) * lattice->spacing[a];
    }
    if (is_inside(&unturned, bound, point, tolerance, &last)) {
      if (x != NULL) {
        cq_shape_turn_point(shape, point);
        memcpy(x + n * (size_t)dim, point, (size_t)dim * sizeof *x);
      }
      n++;
    }
    /* the next point: the last axis runs fastest */
    i[dim - 1]++;
    for (int a = dim - 1; a > 0 && i[a] == lattice->count[a]; a--) {
      i[a] = 0;
      i[a - 1]++;
    }
  }
  return n;
}
