/* Shapes of whatever takes room: bodies, groups, walls, obstacles. Signed distance and normal, and
 * of those that are bounded volume, bounds and points spread through them. Lengths are in m.
 *
 * A shape <name> of shape_list.h is a header <name>.h with
 *   double <name>_distance(shape, x)
 *   void <name>_normal(shape, x, normal)
 *   double <name>_volume(shape)                 these three if it is bounded
 *   void <name>_bounds(shape, low, size)
 *   void <name>_sample(shape, rng, x)
 * They see the shape unturned; only <name>_bounds has to know of its turn. */
#ifndef CQ_SHAPES_SHAPES_H
#define CQ_SHAPES_SHAPES_H

#include "cqopt/base.h"
#include "curve.h"
#include "rng.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_shape_kind {
#define CQ_SHAPE(name, extent) CQ_SHAPE_##name,
#include "shape_list.h"
#undef CQ_SHAPE
  CQ_N_SHAPES
} cq_shape_kind;

/* A rotation about the centre of a shape, x = center + Q (x0 - center); all 0: there is none. */
typedef struct cq_turn {
  int is;
  double Q[3][3];
} cq_turn;

/* An involute gear (gear.h): radii [m], angles [rad]. */
typedef struct cq_gear {
  int teeth;
  double base, tip, root, bore; /* radii of circles */
  double half;                  /* angle of half a tooth at the base circle */
  double first;                 /* angle of the middle of a tooth */
  double twist, width;          /* by which it turns along its axis [rad/m]; 2D: 0 */
} cq_gear;

typedef struct cq_mesh cq_mesh; /* mesh.h; made by surface.h */
typedef struct cq_sdf cq_sdf;   /* sdf.h */

typedef struct cq_shape {
  cq_shape_kind kind;
  int dim;
  double center[3]; /* box, ball, gear, domain: its centre; half_space: a point of the plane;
                       others: of the bounds when unturned, if it is turned [m] */
  double size[3];   /* box, domain: edge lengths [m] */
  double radius;    /* ball, capsule [m] */
  double normal[3]; /* half_space: of length 1, pointing out of it */
  int n_points;
  const double *points; /* [n_points][dim] polygon: corners; capsule: its two ends;
                           height_field over x and z: see heights.h, or 0 points [m] */
  int n_parts;
  const struct cq_part *parts; /* composite: in this order, the first is added */
  cq_curve curve;              /* height_field without points [m] */
  const cq_mesh *mesh;
  const cq_sdf *sdf; /* mesh: its distances on a grid; NULL: exact ones */
  cq_gear gear;
  cq_turn turn;
} cq_shape;

typedef struct cq_part {
  cq_shape shape;
  bool subtract; /* from what the parts before make; else added */
} cq_part;

/* Negative inside [m]. Exact, but where a header says otherwise: a bound of it then, of the same
 * sign. */
double cq_shape_distance(const cq_shape *shape, const double *x);
/* normal [dim]: of length 1, along the gradient of the distance, also far inside and outside. Where
 * there is none (edges, corners, centres), one of those nearby; the shape's header says which. */
void cq_shape_normal(const cq_shape *shape, const double *x, double *normal);
/* 2D: the area [m^dim]. NAN: not known (composite). This and the rest: of bounded shapes. */
double cq_shape_volume(const cq_shape *shape);
bool cq_shape_bounded(const cq_shape *shape);
/* The axis-aligned box around the shape, as it is turned. That of a turned composite may be larger
 * than needed. */
void cq_shape_bounds(const cq_shape *shape, double *low, double *size);
/* That around `n` points, `stride` numbers apart, turned as the shape is. */
void cq_shape_bound_points(const cq_shape *shape, const double *points, int n, int stride,
                           double *low, double *size);
/* A uniformly distributed point. */
void cq_shape_sample(const cq_shape *shape, cq_rng *rng, double *x);
/* The same from points of the bounds, of which those outside the shape are thrown away: for shapes
 * without a better way. The shape must not be empty, nor turned. */
void cq_shape_sample_bounds(const cq_shape *shape, cq_rng *rng, double *x);

/* n random points [n][dim] that keep apart (blue noise): by 0.62 or more of what a lattice of as
 * many would be spaced, where the volume is known. CQ_MEMORY. */
cq_status cq_shape_blue_noise(cq_ctx *ctx, const cq_shape *shape, int n, cq_rng *rng, double *x);

/* Points on the surface of a bounded shape, or (inset > 0) where the inside is that deep: no two
 * nearer than the pitch to each other, and no place there farther from one than 1.4 pitches. On the
 * surface that edges cut off inside by an inset the last is not so. *x [*n][dim] is of cq_alloc.
 * CQ_MEMORY, CQ_CONFIG. */
cq_status cq_shape_surface_points(cq_ctx *ctx, const cq_shape *shape, double pitch, double inset,
                                  double **x, int *n);

/* Turns a shape that is not turned yet: `rotation` is an angle in 2D, counterclockwise, an axis
 * times an angle in 3D [rad]. Sets the centre of a shape without one. */
void cq_shape_turn(cq_shape *shape, const double *rotation);
/* The shape before it was turned. */
cq_shape cq_shape_unturned(const cq_shape *shape);
/* Where a point x [dim] of the unturned shape is. */
void cq_shape_turn_point(const cq_shape *shape, double *x);
/* Where a point x [dim] is in the frame of the unturned shape. */
void cq_shape_unturn_point(const cq_shape *shape, const double *x, double *own);
/* Of a box around the unturned shape, the axis-aligned one around it as it is turned. */
void cq_shape_turn_bounds(const cq_shape *shape, double *low, double *size);

/* A lattice: point i of axis a is at low[a] + (i + offset)*spacing[a]. */
typedef struct cq_lattice {
  int dim;
  double low[3], spacing[3];
  int count[3];
  double offset;
} cq_lattice;

/* The number of points inside the shape of a lattice that is turned with it, the last axis running
 * fastest. x is NULL or takes dim numbers a point. A point exactly on the surface is inside. */
size_t cq_lattice_points(const cq_lattice *lattice, const cq_shape *shape, double *x);

#ifdef __cplusplus
}
#endif

#endif
