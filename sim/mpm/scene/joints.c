/* Joints of the file, by which driven bodies hang at bodies that stand before them. */
#include "mpm_scene.h"
#include "nearest.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* What is wrong with a name that is not one of the rigid bodies before the link. */
static cq_status no_parent(cq_scene *scene, const cq_mpm_body_keys *keys, int before) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  cq_nearest nearest = cq_nearest_begin(keys->joint_at);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    if (strcmp(body->keys->name, keys->joint_at) == 0) {
      return CQ_BAD(scene->ctx, keys, joint_at,
                    cq_mpm_is_rigid(body) ? "\"%s\" must stand before what hangs at it"
                                          : "\"%s\" is not rigid, and nothing can hang at it",
                    keys->joint_at);
    }
  }
  for (int i = 0; i < before; i++) {
    cq_nearest_offer(&nearest, own->rigid[i].name);
  }
  return CQ_BAD(scene->ctx, keys, joint_at, "there is no rigid body or obstacle \"%s\"; %s",
                keys->joint_at, cq_nearest_text(&nearest));
}

/* Looks among the bodies before the link alone, so that joints cannot form a circle. */
static cq_status find_parent(cq_scene *scene, const cq_mpm_body_keys *keys, cq_rigid *link) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int before = (int)(link - own->rigid);
  link->parent = 0;
  while (link->parent < before && strcmp(own->rigid[link->parent].name, keys->joint_at) != 0) {
    link->parent++;
  }
  if (link->parent == before) {
    return no_parent(scene, keys, before);
  }
  const cq_rigid *parent = &own->rigid[link->parent];
  CQ_KEY_CHECK(scene->ctx, parent->motion != CQ_RIGID_FREE, keys, joint_at,
               "\"%s\" is free; what others hang at has motion = \"driven\" or \"fixed\"",
               parent->name);
  CQ_KEY_CHECK(scene->ctx, parent->motion == CQ_RIGID_FIXED || parent->release >= link->release,
               keys, joint_at, "\"%s\" is released before what hangs at it", parent->name);
  return CQ_OK;
}

/* The axis, to length 1. */
static cq_status read_axis(const cq_scene *scene, const cq_mpm_body_keys *keys, joint *j) {
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
cq_status cq_mpm_read_joint(cq_scene *scene, const cq_mpm_body_keys *keys, cq_rigid *link) {
  const double *center = link->inertia.center;
  joint *j = NULL;
  CQ_TRY(find_parent(scene, keys, link));
  CQ_TRY(CQ_ARENA(&scene->arena, j, 1));
  j->kind = keys->joint == CQ_JOINT_SLIDER ? JOINT_SLIDER : JOINT_HINGE;
  CQ_TRY(read_axis(scene, keys, j));
  const double *at = j->kind == JOINT_SLIDER ? center : keys->joint_point;
  const double *origin = cq_mpm_scene_of(scene)->rigid[link->parent].inertia.center;
  for (int a = 0; a < scene->config.dim; a++) {
    j->anchor[a] = at[a] - origin[a];
    j->arm[a] = center[a] - at[a];
  }
  link->joint = j;
  return CQ_OK;
}
