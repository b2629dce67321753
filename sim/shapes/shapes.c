#include "shapes.h"

#include "ball.h"
#include "box.h"
#include "capsule.h"
#include "composite.h"
#include "polygon.h"

/* the functions of a shape, from its header */
static const struct {
  double (*distance)(const cq_shape *shape, const double *x);
  double (*volume)(const cq_shape *shape);
  void (*bounds)(const cq_shape *shape, double *low, double *size);
  void (*sample)(const cq_shape *shape, cq_rng *rng, double *x);
} shapes[CQ_N_SHAPES] = {
#define CQ_SHAPE(name) {name##_distance, name##_volume, name##_bounds, name##_sample},
#include "shape_list.h"
#undef CQ_SHAPE
};

double cq_shape_distance(const cq_shape *shape, const double *x) {
  return shapes[shape->kind].distance(shape, x);
}

double cq_shape_volume(const cq_shape *shape) {
  return shapes[shape->kind].volume(shape);
}

void cq_shape_bounds(const cq_shape *shape, double *low, double *size) {
  shapes[shape->kind].bounds(shape, low, size);
}

void cq_shape_sample(const cq_shape *shape, cq_rng *rng, double *x) {
  shapes[shape->kind].sample(shape, rng, x);
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

size_t cq_lattice_points(const cq_lattice *lattice, const cq_shape *shape, double *x) {
  const int dim = lattice->dim;
  const double tolerance = 1e-9 * lattice->spacing[0];
  size_t n = 0;
  int i[3] = {0};
  while (i[0] < lattice->count[0]) {
    double point[3] = {0};
    for (int a = 0; a < dim; a++) {
      point[a] = lattice->low[a] + (i[a] + lattice->offset) * lattice->spacing[a];
    }
    if (cq_shape_distance(shape, point) <= tolerance) {
      for (int a = 0; a < dim && x != NULL; a++) {
        x[n * (size_t)dim + (size_t)a] = point[a];
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
