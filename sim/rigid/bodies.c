#include "bodies.h"

#include "status.h"

#include <math.h>

int cq_rigid_pose_size(int dim) {
  return dim == 2 ? 3 : 7;
}

int cq_rigid_twist_size(int dim) {
  return dim == 2 ? 3 : 6;
}

static bool is_bounded(const cq_shape *shape) {
  switch (shape->kind) {
#define BOUNDED   true
#define UNBOUNDED false
#define CQ_SHAPE(name, extent)                                                                     \
  case CQ_SHAPE_##name:                                                                            \
    return extent;
#include "shape_list.h"
#undef CQ_SHAPE
  default:
    return false;
  }
}

/* to the farthest corner of the bounds */
static double reach_of(const cq_shape *shape, const double *center) {
  double low[3] = {0}, size[3] = {0}, square = 0.0;
  cq_shape_bounds(shape, low, size);
  for (int a = 0; a < shape->dim; a++) {
    const double far = fmax(fabs(low[a] - center[a]), fabs(low[a] + size[a] - center[a]));
    square += far * far;
  }
  return sqrt(square);
}

/* A shape without bounds has no mass and no points: contacts never move such a body. */
cq_status cq_rigid_make(cq_ctx *ctx, const cq_shape *shape, double pitch, double rounding,
                        cq_rigid *body) {
  *body = (cq_rigid){.name = "",
                     .shape = shape,
                     .reach = INFINITY,
                     .release = INFINITY,
                     .max_force = INFINITY,
                     .max_torque = INFINITY};
  if (!is_bounded(shape)) {
    return CQ_OK;
  }
  body->inertia = cq_inertia_of(shape);
  CQ_CHECK(ctx, body->inertia.volume > 0.0, CQ_CONFIG, "the shape of a rigid body is empty");
  body->reach = reach_of(shape, body->inertia.center);
  return cq_skin_make(ctx, shape, body->inertia.center, pitch, rounding, &body->skin);
}

/* Mean distance of the points of a shape from its centre of mass: of the middles of cells, where
 * one on the surface counts by how far in its middle is. */
static double mean_distance(const cq_shape *shape, const double *center) {
  enum { CELLS = 400 };
  double low[3] = {0}, size[3] = {0}, sum = 0.0, volume = 0.0;
  cq_shape_bounds(shape, low, size);
  const double cell = fmax(size[0], size[1]) / CELLS;
  for (int i = -1; i <= CELLS; i++) {
    for (int j = -1; j <= CELLS; j++) {
      const double x[3] = {low[0] + (i + 0.5) * cell, low[1] + (j + 0.5) * cell, 0.0};
      const double in = 0.5 - cq_shape_distance(shape, x) / cell, part = fmin(fmax(in, 0.0), 1.0);
      volume += part;
      sum += part * hypot(x[0] - center[0], x[1] - center[1]);
    }
  }
  return volume > 0.0 ? sum / volume : 0.0;
}

void cq_rigid_on_ground(cq_rigid *body, double slowing) {
  body->ground = slowing;
  body->ground_arm = slowing > 0.0 ? mean_distance(body->shape, body->inertia.center) : 0.0;
}

void cq_rigid_free(cq_ctx *ctx, cq_rigid *body) {
  cq_skin_free(ctx, &body->skin);
}

cq_rigid_motion cq_rigid_motion_at(const cq_rigid *body, double time, double dt) {
  const bool released = body->motion == CQ_RIGID_DRIVEN && time + 0.5 * dt >= body->release;
  return released ? CQ_RIGID_FREE : body->motion;
}

void cq_rigids_usual(cq_rigids *r, double mass, double gravity, double depth) {
  const double weight = mass * gravity, speed = sqrt(gravity * depth);
  r->stiffness = 2.0 * weight / depth; /* on one point; phi(depth) = depth/2 */
  r->depth = depth;
  r->damping = 0.5 / speed;
  r->slip = 0.01 * speed;
  r->roll = 0.01 * speed / depth;
  r->ground_rest = r->slip;
  r->iterations = 200;
  r->tolerance = 1e-10 * speed;
  r->margin = depth;
  r->bounce_speed = speed;
  r->recovery = 0.2;
  r->overlap = 0.01 * depth;
}

size_t cq_rigids_memory(const cq_rigids *r) {
  size_t points = 0;
  for (int i = 0; i < r->n; i++) {
    points += (size_t)r->bodies[i].skin.n;
  }
  size_t drives = 0;
  for (int i = 0; i < r->n; i++) {
    drives += cq_rigid_limited(&r->bodies[i]) ? (size_t)cq_rigid_twist_size(r->dim) : 0;
  }
  return points * (size_t)r->n * (size_t)r->dim + drives;
}
