/* Actuators that drive rigid bodies: their controls are velocities. */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static bool drives(const cq_actuator_keys *actuator) {
  return ((const cq_mpm_actuator_keys *)actuator->of_engine)->model == CQ_DRIVES_A_BODY;
}

const cq_actuator_keys *cq_mpm_drive_of(const cq_scene *scene, const char *name) {
  return cq_rigid_drive_of(scene, name, drives);
}

/* The rigid body of this name, -1: there is none; and its particles. */
static int find_rigid(const cq_scene *scene, const char *name) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  for (int i = 0; i < own->rigids.n; i++) {
    if (strcmp(own->rigid[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* The body: one of the file, or an obstacle or half-space, which has no particles. */
static cq_status find_body(cq_scene *scene, const cq_actuator_keys *keys, int *rigid,
                           const cq_set **set) {
  cq_set *none = NULL;
  *rigid = find_rigid(scene, keys->body);
  if (*rigid < 0) {
    CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, set));
  }
  CQ_KEY_CHECK(scene->ctx,
               *rigid >= 0 && cq_mpm_scene_of(scene)->rigid[*rigid].motion == CQ_RIGID_DRIVEN, keys,
               body,
               "\"%s\" cannot be driven: a body of a rigid material with motion = \"driven\" can, "
               "and an obstacle or half-space by its place, \"obstacles.[0]\"",
               keys->body);
  CQ_KEY_CHECK(scene->ctx, cq_mpm_drive_of(scene, keys->body) == keys, keys, body,
               "the actuator \"%s\" drives \"%s\" already",
               cq_mpm_drive_of(scene, keys->body)->name, keys->body);
  if (cq_mpm_scene_of(scene)->model.rigid[*rigid].count > 0) {
    return cq_scene_find_set(scene, keys->node, "body", keys->body, set);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, none, 1));
  none->name = keys->body;
  *set = none;
  return CQ_OK;
}

/* An actuator with model = "drive": what it drives, and how. */
cq_status cq_mpm_read_drive(cq_scene *scene, const cq_actuator_keys *keys,
                            const cq_actuator *actuator, const cq_set **set) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  cq_mpm_scene *mpm = cq_mpm_scene_of(scene);
  int rigid = -1;
  CQ_TRY(find_body(scene, keys, &rigid, set));
  cq_rigid *body = &mpm->rigid[rigid];
  body->first_control = actuator->first_drive - mpm->model.first_rigid_drive;
  const cq_drive_keys says = {.node = own->node,
                              .n_controls = own->controls.count,
                              .controls = own->controls.values,
                              .frame = own->frame,
                              .max = own->max,
                              .min = own->min,
                              .max_turn = own->max_turn};
  return cq_rigid_drive(scene, keys, &says, actuator->first_control, body);
}
