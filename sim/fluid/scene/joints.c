/* Joints of the file: points that two rigid bodies share. */
#include "fluid_scene.h"
#include "nearest.h"
#include "status.h"

#include <string.h>

/* The body of the file that a joint names, a rigid one. */
static cq_status find_other(const cq_scene *scene, const cq_fluid_body_keys *keys, int *other) {
  const int *rigid = cq_fluid_scene_of(scene)->rigid;
  cq_nearest nearest = cq_nearest_begin(keys->joint_at);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const char *name = scene->bodies[b].keys->name;
    if (strcmp(name, keys->joint_at) == 0) {
      CQ_KEY_CHECK(scene->ctx, rigid[b] >= 0, keys, joint_at,
                   "\"%s\" is not rigid, and nothing can hang at it", name);
      *other = rigid[b];
      return CQ_OK;
    }
    if (rigid[b] >= 0) {
      cq_nearest_offer(&nearest, name);
    }
  }
  return CQ_BAD(scene->ctx, keys, joint_at, "there is no rigid body \"%s\"; %s", keys->joint_at,
                cq_nearest_text(&nearest));
}

/* Whether a rigid body of the model hangs at another one by the joints so far. */
static bool is_joined(const cq_fluid_model *model, int body) {
  bool is = false;
  for (int i = 0; i < model->n_pins; i++) {
    is = is || model->pins[i].body[0] == body || model->pins[i].body[1] == body;
  }
  return is;
}

/* The joint of a body, if it has one. */
static cq_status read_joint(const cq_scene *scene, int b) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const cq_body *body = &scene->bodies[b];
  const cq_fluid_body_keys *keys = body->keys->of_engine;
  const int mine = own->rigid[b], dim = scene->config.dim;
  int other = -1;
  if (keys->joint < 0) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, mine >= 0, keys, joint,
               "\"%s\" is fluid, and a joint is of rigid bodies", body->keys->name);
  CQ_KEY_CHECK(scene->ctx, (keys->joint == CQ_FLUID_JOINT_HINGE) == (dim == 2), keys, joint,
               dim == 2 ? "is a \"hinge\" in 2D" : "is a \"ball\" in 3D");
  CQ_TRY(find_other(scene, keys, &other));
  CQ_KEY_CHECK(scene->ctx, other != mine, keys, joint_at, "\"%s\" cannot hang at itself",
               keys->joint_at);
  CQ_KEY_CHECK(scene->ctx, !own->bodies[mine].driven || !own->bodies[other].driven, keys, joint,
               "\"%s\" and \"%s\" are both driven; a joint moves one of them at least",
               body->keys->name, keys->joint_at);
  for (int k = 0; k < 2; k++) {
    CQ_KEY_CHECK(scene->ctx, !is_joined(&own->model, k == 0 ? mine : other), keys, joint,
                 "\"%s\" has a joint already; a body has one at most",
                 k == 0 ? body->keys->name : keys->joint_at);
  }
  cq_fluid_pin *to = &own->pins[own->model.n_pins++];
  to->body[0] = mine;
  to->body[1] = other;
  memcpy(to->point, keys->joint_point, (size_t)dim * sizeof *to->point);
  return CQ_OK;
}

cq_status cq_fluid_read_joints(cq_scene *scene) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  CQ_TRY(CQ_ARENA(&scene->arena, own->pins, scene->config.bodies.count));
  own->model.pins = own->pins;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    CQ_TRY(read_joint(scene, b));
  }
  return CQ_OK;
}

/* A design that moves one body of a joint would tear it. */
cq_status cq_fluid_check_joints(const cq_scene *scene) {
  const cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const size_t total = scene->layout.total;
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *block = &scene->design.blocks[b];
    for (size_t i = 0; i < block->rows.count && !cq_design_calibrates(&scene->design, block); i++) {
      const size_t slot = block->rows.target[i] - total;
      if (block->rows.target[i] >= total && slot % CQ_POSE_SLOTS < CQ_POSE_VELOCITY) {
        const size_t of = slot / CQ_POSE_SLOTS;
        CQ_KEY_CHECK(scene->ctx, own->rigid[of] < 0 || !is_joined(&own->model, own->rigid[of]),
                     block->keys, variable, "\"%s\" has a joint, which is where the file has it",
                     scene->bodies[of].keys->name);
      }
    }
  }
  return CQ_OK;
}
