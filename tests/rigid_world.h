/* A few rigid bodies and their state, for tests: plain arrays, stepped in place. */
#ifndef CQ_TESTS_RIGID_WORLD_H
#define CQ_TESTS_RIGID_WORLD_H

#include "bodies.h"
#include "test.h"

enum { WORLD_MOST = 8 };

typedef struct world {
  cq_ctx *ctx;
  cq_rigids r;
  cq_rigid bodies[WORLD_MOST];
  cq_shape shapes[WORLD_MOST];
  double mass[WORLD_MOST], friction[WORLD_MOST], gravity[3];
  double pose[7 * WORLD_MOST], twist[6 * WORLD_MOST], next_pose[7 * WORLD_MOST],
      next_twist[6 * WORLD_MOST], contact[6 * WORLD_MOST];
  double *memory;
  cq_rigid_step step;
} world;

/* an empty world whose gravity points down y */
static void world_begin(world *w, int dim, double gravity, double dt) {
  memset(w, 0, sizeof *w);
  w->ctx = cq_ctx_create(1, 1);
  w->r.dim = dim;
  w->r.bodies = w->bodies;
  cq_rigids_usual(&w->r, 1.0, 9.81, 1e-3);
  w->r.tolerance = 1e-13;
  w->r.iterations = 2000;
  w->gravity[1] = -gravity;
  w->step = (cq_rigid_step){.dt = dt,
                            .mass = w->mass,
                            .friction = w->friction,
                            .gravity = w->gravity,
                            .pose = w->pose,
                            .twist = w->twist,
                            .next_pose = w->next_pose,
                            .next_twist = w->next_twist,
                            .contact = w->contact};
}

static double *world_pose(world *w, int i) {
  return w->pose + i * cq_rigid_pose_size(w->r.dim);
}

static inline double *world_twist(world *w, int i) {
  return w->twist + i * cq_rigid_twist_size(w->r.dim);
}

/* Adds a body at x, not turned; returns its number. Its shape stands about the origin. */
static int world_add(world *w, cq_shape shape, cq_rigid_motion motion, double friction, double x,
                     double y, double z) {
  const int i = w->r.n++;
  shape.dim = w->r.dim;
  w->shapes[i] = shape;
  CHECK(cq_rigid_make(w->ctx, &w->shapes[i], 0.5, 0.005, &w->bodies[i]) == CQ_OK);
  w->bodies[i].motion = motion;
  w->mass[i] = 1.0;
  w->friction[i] = friction;
  double *p = world_pose(w, i);
  p[0] = x;
  p[1] = y;
  if (w->r.dim == 3) {
    p[2] = z;
    p[3] = 1.0;
  }
  return i;
}

/* keeps the impulses of contacts from step to step */
static inline void world_remember(world *w) {
  w->memory = calloc(cq_rigids_memory(&w->r) + 1, sizeof *w->memory);
  w->step.memory = w->memory;
}

static inline void world_step(world *w) {
  CHECK(cq_rigids_step(w->ctx, &w->r, &w->step) == CQ_OK);
  memcpy(w->pose, w->next_pose, sizeof w->pose);
  memcpy(w->twist, w->next_twist, sizeof w->twist);
  w->step.time += w->step.dt;
}

static inline void world_run(world *w, int steps) {
  for (int i = 0; i < steps; i++) {
    world_step(w);
  }
}

static void world_end(world *w) {
  for (int i = 0; i < w->r.n; i++) {
    cq_rigid_free(w->ctx, &w->bodies[i]);
  }
  free(w->memory);
  cq_ctx_destroy(w->ctx);
}

/* the ground: below y = 0 */
static cq_shape world_ground(void) {
  return (cq_shape){.kind = CQ_SHAPE_half_space, .normal = {0.0, 1.0, 0.0}};
}

static cq_shape world_box(double x, double y, double z) {
  return (cq_shape){.kind = CQ_SHAPE_box, .size = {x, y, z}};
}

static cq_shape world_ball(double radius) {
  return (cq_shape){.kind = CQ_SHAPE_ball, .radius = radius};
}

#endif
