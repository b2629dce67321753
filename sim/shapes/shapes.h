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
  double center[3]; /* box, ball [m] */
  double size[3];   /* box: edge lengths [m] */
  double radius;    /* ball, capsule [m] */
  int n_points;
  const double *points; /* [n_points][dim] polygon: corners; capsule: its two ends [m] */
  int n_parts;
  const struct cq_part *parts; /* composite: in this order, the first is added */
} cq_shape;

typedef struct cq_part {
  cq_shape shape;
  bool subtract; /* from what the parts before make; else added */
} cq_part;

/* Negative inside [m]. */
double cq_shape_distance(const cq_shape *shape, const double *x);
/* 2D: the area [m^dim]. NAN: not known (composite). */
double cq_shape_volume(const cq_shape *shape);
/* The axis-aligned box around the shape. */
void cq_shape_bounds(const cq_shape *shape, double *low, double *size);
/* A uniformly distributed point. */
void cq_shape_sample(const cq_shape *shape, cq_rng *rng, double *x);
/* The same from points of the bounds, of which those outside the shape are thrown away: for shapes
 * without a better way. The shape must not be empty. */
void cq_shape_sample_bounds(const cq_shape *shape, cq_rng *rng, double *x);

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
