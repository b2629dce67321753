/* Actuators that drive rigid bodies: their controls are velocities. */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

const cq_actuator_keys *cq_mpm_drive_of(const cq_scene *scene, const char *name) {
  const cq_actuator_keys *all = scene->config.actuators.items;
  for (int i = 0; i < scene->config.actuators.count; i++) {
    const cq_mpm_actuator_keys *own = all[i].of_engine;
    if (own->model == CQ_DRIVES_A_BODY && strcmp(all[i].body, name) == 0) {
      return &all[i];
    }
  }
  return NULL;
}

/* The component of a twist that a text means: "x" of the velocity, "turn x" of the spin; in 2D
 * "turn". -1: none. */
static int component_of(int dim, const char *text) {
  static const char *const in_2d[] = {"x", "y", "turn"};
  static const char *const in_3d[] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  for (int c = 0; c < (dim == 2 ? 3 : 6); c++) {
    if (strcmp(text, dim == 2 ? in_2d[c] : in_3d[c]) == 0) {
      return c;
    }
  }
  return -1;
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

/* A joint has one control, and no other way to move. */
static cq_status check_joint(const cq_scene *scene, const cq_actuator_keys *keys,
                             const cq_rigid *body) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  const bool drives = own->controls.count == 1 && strcmp(own->controls.values[0], "joint") == 0;
  CQ_KEY_CHECK(scene->ctx, body->joint == NULL || drives, own, controls,
               "\"%s\" hangs at a joint, whose rate is what it is driven by: \"joint\"",
               keys->body);
  CQ_KEY_CHECK(scene->ctx, body->joint != NULL || !drives, own, controls,
               "\"%s\" has no joint; give it one, or take other controls", keys->body);
  CQ_KEY_CHECK(scene->ctx, body->joint == NULL || own->frame == CQ_FRAME_WORLD, own, frame,
               "is of velocities; \"%s\" moves by its joint", keys->body);
  return CQ_OK;
}

/* Control i of the actuator: which component it is, its bounds, its name. */
static cq_status read_control(cq_scene *scene, const cq_actuator_keys *keys, int i, int u,
                              cq_rigid *body) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  const char *way = own->controls.values[i];
  const int c = body->joint == NULL                 ? component_of(scene->config.dim, way)
                : body->joint->kind == JOINT_SLIDER ? 0
                                                    : scene->config.dim;
  CQ_KEY_CHECK(scene->ctx, c >= 0, own, controls, "\"%s\" is no way to move: %s", way,
               scene->config.dim == 2 ? "\"x\", \"y\" or \"turn\"" : "\"x\" to \"turn z\"");
  for (int k = 0; k < i; k++) {
    CQ_KEY_CHECK(scene->ctx, body->drive.component[k] != c, own, controls, "\"%s\" is there twice",
                 way);
  }
  body->drive.component[i] = c;
  const bool turns = c >= scene->config.dim, own_max = turns && !isnan(own->max_turn);
  const double max = own_max ? own->max_turn : own->max;
  scene->u_max[u] = max;
  scene->u_min[u] = own_max || isnan(own->min) ? -max : own->min;
  scene->u_middle[u] = 0.5 * (scene->u_min[u] + max);
  scene->u_strength[u] = 0.5 * (max - scene->u_min[u]);
  scene->controls[u].actuator = keys;
  scene->controls[u].unit = turns ? "rad/s" : "m/s";
  scene->controls[u].name = keys->name;
  return own->controls.count == 1
             ? CQ_OK
             : cq_arena_text(&scene->arena, &scene->controls[u].name, "%s.%s", keys->name, way);
}

/* An actuator with model = "drive": what it drives, and how. */
cq_status cq_mpm_read_drive(cq_scene *scene, const cq_actuator_keys *keys,
                            const cq_actuator *actuator, const cq_set **set) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  cq_mpm_scene *mpm = cq_mpm_scene_of(scene);
  int rigid = -1;
  CQ_KEY_CHECK(scene->ctx, own->controls.count >= 1 && own->controls.count <= 6, own, controls,
               "must be one to six ways to move");
  CQ_KEY_CHECK(scene->ctx, own->max > 0.0, own, max, "must be above 0");
  CQ_KEY_CHECK(scene->ctx, isnan(own->min) || own->min <= 0.0, own, min,
               "must be at most 0, the control of what stands");
  CQ_TRY(find_body(scene, keys, &rigid, set));
  cq_rigid *body = &mpm->rigid[rigid];
  CQ_TRY(check_joint(scene, keys, body));
  body->first_control = actuator->first_drive - mpm->model.first_rigid_drive;
  body->drive = (drive){.own = own->frame == CQ_FRAME_OWN, .n_controls = own->controls.count};
  for (int i = 0; i < own->controls.count; i++) {
    CQ_TRY(read_control(scene, keys, i, actuator->first_control + i, body));
  }
  return CQ_OK;
}
