/* Joints of the file, by which driven bodies hang at bodies that stand before them. */
#include "nearest.h"
#include "rigid_read.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* What is wrong with a name that is not one of the rigid bodies before the link. */
static cq_status no_parent(cq_scene *scene, const cq_joint_keys *keys, const cq_rigid *all,
                           int before) {
  cq_nearest nearest = cq_nearest_begin(keys->joint_at);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    if (strcmp(body->keys->name, keys->joint_at) == 0) {
      return CQ_BAD(scene->ctx, keys, joint_at,
                    body->rigid ? "\"%s\" must stand before what hangs at it"
                                : "\"%s\" is not rigid, and nothing can hang at it",
                    keys->joint_at);
    }
  }
  for (int i = 0; i < before; i++) {
    cq_nearest_offer(&nearest, all[i].name);
  }
  return CQ_BAD(scene->ctx, keys, joint_at, "there is no rigid body or obstacle \"%s\"; %s",
                keys->joint_at, cq_nearest_text(&nearest));
}

/* Looks among the bodies before the link alone, so that joints cannot form a circle. */
static cq_status find_parent(cq_scene *scene, const cq_joint_keys *keys, const cq_rigid *all,
                             cq_rigid *link) {
  const int before = (int)(link - all);
  link->parent = 0;
  while (link->parent < before && strcmp(all[link->parent].name, keys->joint_at) != 0) {
    link->parent++;
  }
  if (link->parent == before) {
    return no_parent(scene, keys, all, before);
  }
  const cq_rigid *parent = &all[link->parent];
  CQ_KEY_CHECK(scene->ctx, parent->motion != CQ_RIGID_FREE, keys, joint_at,
               "\"%s\" is free; what others hang at has motion = \"driven\" or \"fixed\"",
               parent->name);
  CQ_KEY_CHECK(scene->ctx, parent->motion == CQ_RIGID_FIXED || parent->release >= link->release,
               keys, joint_at, "\"%s\" is released before what hangs at it", parent->name);
  return CQ_OK;
}

/* The axis, to length 1. */
static cq_status read_axis(const cq_scene *scene, const cq_joint_keys *keys, joint *j) {
  const int dim = scene->config.dim;
  const bool given = !isnan(keys->joint_axis[0]), slides = j->kind == JOINT_SLIDER;
  double square = 0.0;
  if (dim == 2 && !slides) {
    CQ_KEY_CHECK(scene->ctx, !given, keys, joint_axis,
                 "is of sliders; a hinge in 2D turns about its joint_point");
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, given, keys, joint, "needs joint_axis, %s",
               slides ? "the direction in which it slides" : "what it turns about");
  for (int a = 0; a < dim; a++) {
    square += keys->joint_axis[a] * keys->joint_axis[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, joint_axis, "must not be zero");
  for (int a = 0; a < dim; a++) {
    j->axis[a] = keys->joint_axis[a] / sqrt(square);
  }
  return CQ_OK;
}

/* Frames have the axes of the file at the start. A slider stays as it is turned, so that any point
 * serves: it takes the centre of mass. */
static cq_status read_joint(cq_scene *scene, const cq_joint_keys *keys, const cq_rigid *all,
                            cq_rigid *link) {
  const double *center = link->inertia.center;
  joint *j = NULL;
  CQ_TRY(find_parent(scene, keys, all, link));
  CQ_TRY(CQ_ARENA(&scene->arena, j, 1));
  j->kind = keys->joint == CQ_JOINT_SLIDER ? JOINT_SLIDER : JOINT_HINGE;
  CQ_TRY(read_axis(scene, keys, j));
  const double *at = j->kind == JOINT_SLIDER ? center : keys->joint_point;
  const double *origin = all[link->parent].inertia.center;
  for (int a = 0; a < scene->config.dim; a++) {
    j->anchor[a] = at[a] - origin[a];
    j->arm[a] = center[a] - at[a];
  }
  link->joint = j;
  return CQ_OK;
}

cq_status cq_rigid_joint_of(cq_scene *scene, const cq_body *body, const cq_motion_keys *motion,
                            const cq_joint_keys *keys, const cq_rigid *all, cq_rigid *link) {
  if (keys->joint < 0) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, link->motion == CQ_RIGID_DRIVEN, keys, joint,
               "is of a body with motion = \"driven\"; \"%s\" is %s", body->keys->name,
               link->motion == CQ_RIGID_FREE ? "free" : "fixed");
  CQ_KEY_CHECK(scene->ctx, !cq_track_given(&motion->track, scene->config.dim), keys, joint,
               "\"%s\" has a track, a sway, a velocity or a spin; take those out, or the joint",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, motion->by != NULL, keys, joint,
               "nothing drives the joint of \"%s\": give it an actuator with model = \"drive\" "
               "and controls = \"joint\"",
               body->keys->name);
  return read_joint(scene, keys, all, link);
}
