/* Shapes of bodies: signed distance, volume, and points spread through them. */
#ifndef CQ_SHAPES_SHAPES_H
#define CQ_SHAPES_SHAPES_H

#include "cqopt/base.h"
#include "rng.h"

typedef enum cq_shape_kind {
#define CQ_SHAPE(name) CQ_SHAPE_##name,
#include "shape_list.h"
#undef CQ_SHAPE
  CQ_N_SHAPES
} cq_shape_kind;

typedef struct cq_shape {
  cq_shape_kind kind;
  int dim;
  double center[3]; /* [m] */
  double size[3];   /* box: edge lengths [m] */
  double radius;    /* ball [m] */
} cq_shape;

/* Negative inside [m]. */
double cq_shape_distance(const cq_shape *shape, const double *x);
/* 2D: the area. [m^dim] */
double cq_shape_volume(const cq_shape *shape);
/* The axis-aligned box around the shape. */
void cq_shape_bounds(const cq_shape *shape, double *low, double *size);
/* A uniformly distributed point, from a fixed number of random numbers. */
void cq_shape_sample(const cq_shape *shape, cq_rng *rng, double *x);

/* A lattice: point i of axis a is at low[a] + (i + offset)*spacing[a]. */
typedef struct cq_lattice {
  int dim;
  double low[3], spacing[3];
  int count[3];
  double offset;
} cq_lattice;

/* The number of lattice points inside the shape, the last axis running fastest. x is NULL or takes
 * dim numbers a point. A point exactly on the surface is inside. */
size_t cq_lattice_points(const cq_lattice *lattice, const cq_shape *shape, double *x);

#endif
