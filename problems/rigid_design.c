/* What a rigid body cannot be asked for. */
#include "rigid_read.h"
#include "status.h"

#include <string.h>

/* Whether body i hangs at another one, or another one at it. */
static bool is_jointed(const cq_rigids *rigids, int i) {
  bool is = rigids->bodies[i].joint != NULL;
  for (int k = i + 1; k < rigids->n && !is; k++) {
    is = rigids->bodies[k].joint != NULL && rigids->bodies[k].parent == i;
  }
  return is;
}

/* A number of a carried particle. */
static cq_status check_particle(const cq_scene *scene, const cq_block *block, size_t target,
                                int n_soft) {
  const cq_layout *layout = &scene->layout;
  const int k = cq_layout_at(layout, target);
  const cq_input *input = &layout->inputs[k];
  if (input->of != CQ_OF_PARTICLE || strcmp(input->name, "density") == 0) {
    return CQ_OK;
  }
  const size_t n = layout->count[k] / (size_t)scene->model.n_particles;
  const size_t p = (target - layout->offset[k]) / n;
  const bool moves = strcmp(input->name, "x") == 0 || strcmp(input->name, "v") == 0;
  CQ_KEY_CHECK(scene->ctx, p < (size_t)n_soft, block->keys, variable,
               moves ? "a rigid body moves as a whole: use center, rotation, initial_velocity or "
                       "spin of it"
                     : "there are particles of a rigid body among them, which has none of its own "
                       "to design");
  return CQ_OK;
}

/* A slot of the pose of a rigid body. */
static cq_status check_slot(const cq_scene *scene, const cq_block *block, size_t slot,
                            const cq_rigids *rigids, const int *rigid_of) {
  const cq_body *body = &scene->bodies[slot / CQ_POSE_SLOTS];
  const int i = rigid_of[slot / CQ_POSE_SLOTS], s = (int)(slot % CQ_POSE_SLOTS);
  if (i < 0) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, s < CQ_POSE_SIZE || s >= CQ_POSE_ROTATION, block->keys, variable,
               "\"%s\" is rigid, and its size cannot be designed", body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s >= CQ_POSE_VELOCITY || rigids->bodies[i].track == NULL, block->keys,
               variable, "\"%s\" is where its own motion has it: design its track",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s >= CQ_POSE_VELOCITY || !is_jointed(rigids, i), block->keys, variable,
               "\"%s\" is part of a linkage, whose joints are where the file has them",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s < CQ_POSE_VELOCITY || rigids->bodies[i].motion == CQ_RIGID_FREE,
               block->keys, variable, "\"%s\" is not free, and has no velocity of its own",
               body->keys->name);
  return CQ_OK;
}

/* What is launched. */
static cq_status check_launched(const cq_scene *scene, const cq_rigids *rigids,
                                const int *rigid_of) {
  const cq_launches *launches = &scene->design.launches;
  for (int k = 0; k < launches->n; k++) {
    const int i = rigid_of[launches->slot[k] / CQ_POSE_SLOTS];
    CQ_KEY_CHECK(scene->ctx, i < 0 || rigids->bodies[i].motion == CQ_RIGID_FREE, launches->keys[k],
                 body, "\"%s\" is not free, and has no velocity of its own",
                 launches->keys[k]->body);
  }
  return CQ_OK;
}

cq_status cq_rigid_check_design(const cq_scene *scene, const cq_rigids *rigids, const int *rigid_of,
                                int n_soft) {
  const size_t total = scene->layout.total;
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *block = &scene->design.blocks[b];
    for (size_t i = 0; i < block->rows.count && !cq_design_calibrates(&scene->design, block); i++) {
      const size_t target = block->rows.target[i];
      CQ_TRY(target < total ? check_particle(scene, block, target, n_soft)
                            : check_slot(scene, block, target - total, rigids, rigid_of));
    }
  }
  return check_launched(scene, rigids, rigid_of);
}

/* The check knows no file, so that the body it complains of is found by its name in the text. */
cq_status cq_rigid_place_error(const cq_scene *scene, const cq_rigids *rigids, const int *wall,
                               cq_status status) {
  char error[512], name[160];
  if (status != CQ_CONFIG) {
    return status;
  }
  snprintf(error, sizeof error, "%s", cq_ctx_error(scene->ctx));
  for (int i = rigids->n - 1; i >= 0; i--) {
    snprintf(name, sizeof name, "\"%s\"", rigids->bodies[i].name);
    if (strstr(error, name) != NULL) {
      cq_ctx_clear_error(scene->ctx);
      return cq_config_fail(scene->ctx, scene->walls[wall == NULL ? i : wall[i]].node, "name", "%s",
                            error);
    }
  }
  return status;
}
