/* What can be known to be wrong with rigid bodies before a run. */
#include "alloc.h"
#include "mpm_scene.h"
#include "rotation.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9;
static const double slow_swing = 0.5; /* radians of a spring's swing a step that are safe */
enum { MOST_LOOKS = 400 };            /* times at which a track is looked at */

/* The body of the file that is rigid body i, or NULL. */
static const cq_body *body_of(const cq_scene *scene, int i) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (own->rigid_of[b] == i) {
      return &scene->bodies[b];
    }
  }
  return NULL;
}

/* --- designs ------------------------------------------------------------------------------------
 */

/* A number of a carried particle. */
static cq_status check_particle(const cq_scene *scene, const cq_block *block, size_t target) {
  const cq_layout *layout = &scene->layout;
  const int k = cq_layout_at(layout, target);
  const cq_input *input = &layout->inputs[k];
  if (input->of != CQ_OF_PARTICLE || strcmp(input->name, "density") == 0) {
    return CQ_OK;
  }
  const size_t n = layout->count[k] / (size_t)scene->model.n_particles;
  const size_t p = (target - layout->offset[k]) / n;
  const bool moves = strcmp(input->name, "x") == 0 || strcmp(input->name, "v") == 0;
  CQ_KEY_CHECK(scene->ctx, p < (size_t)cq_mpm_n_soft(&scene->model), block->keys, variable,
               moves ? "a rigid body moves as a whole: use center, rotation, initial_velocity or "
                       "spin of it"
                     : "there are particles of a rigid body among them, which has none of its own "
                       "to design");
  return CQ_OK;
}

/* A slot of the pose of a rigid body. */
static cq_status check_slot(const cq_scene *scene, const cq_block *block, size_t slot) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_body *body = &scene->bodies[slot / CQ_POSE_SLOTS];
  const int i = own->rigid_of[slot / CQ_POSE_SLOTS], s = (int)(slot % CQ_POSE_SLOTS);
  if (i < 0) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, s < CQ_POSE_SIZE || s >= CQ_POSE_ROTATION, block->keys, variable,
               "\"%s\" is rigid, and its size cannot be designed", body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s >= CQ_POSE_VELOCITY || own->rigid[i].track == NULL, block->keys,
               variable, "\"%s\" is where its own motion has it: design its track",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s >= CQ_POSE_VELOCITY || !cq_mpm_is_jointed(&own->rigids, i),
               block->keys, variable,
               "\"%s\" is part of a linkage, whose joints are where the file has them",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, s < CQ_POSE_VELOCITY || own->rigid[i].motion == CQ_RIGID_FREE,
               block->keys, variable, "\"%s\" is not free, and has no velocity of its own",
               body->keys->name);
  return CQ_OK;
}

static cq_status check_design(const cq_scene *scene) {
  const size_t total = scene->layout.total;
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *block = &scene->design.blocks[b];
    for (size_t i = 0; i < block->rows.count; i++) {
      const size_t target = block->rows.target[i];
      CQ_TRY(target < total ? check_particle(scene, block, target)
                            : check_slot(scene, block, target - total));
    }
  }
  return CQ_OK;
}

/* --- tracks -------------------------------------------------------------------------------------
 */

/* Where the track of a body has it at a time. */
static cq_status pose_at(const cq_scene *scene, const cq_rigid *rigid, double time, double *pose) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  cq_rigid alone = *rigid;
  cq_rigids one = own->rigids;
  double now[7] = {0}, twist[6] = {0}, next_twist[6];
  const double none[1] = {0.0};
  alone.release = INFINITY;
  one.bodies = &alone;
  one.n = 1;
  now[3] = scene->config.dim == 3 ? 1.0 : 0.0;
  cq_rigid_step s = {.time = time - scene->model.dt,
                     .dt = scene->model.dt,
                     .mass = none,
                     .friction = none,
                     .gravity = scene->config.simulation.gravity,
                     .pose = now,
                     .twist = twist,
                     .next_pose = pose,
                     .next_twist = next_twist};
  return cq_rigids_step(scene->ctx, &one, &s);
}

static cq_status fail(const cq_scene *scene, int i, const char *key, const char *text) {
  const cq_node *node = scene->walls[i].node;
  return cq_config_fail(scene->ctx, node, cq_node_find(node, key) != NULL ? key : "velocity", "%s",
                        text);
}

/* At time 0 the motion has to leave a body where the file has it. */
static cq_status check_begin(const cq_scene *scene, int i) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int dim = scene->config.dim;
  double pose[7], off = 0.0, turn = 0.0;
  char text[256];
  CQ_TRY(pose_at(scene, &own->rigid[i], 0.0, pose));
  for (int a = 0; a < dim; a++) {
    off = fmax(off, fabs(pose[a] - own->rigid[i].inertia.center[a]));
  }
  for (int a = dim == 2 ? 2 : 4; a < (dim == 2 ? 3 : 7); a++) {
    turn = fmax(turn, fabs(pose[a]));
  }
  if (off <= rounding * scene->model.length && turn <= rounding) {
    return CQ_OK;
  }
  snprintf(text, sizeof text,
           "at time 0 the motion has \"%s\" %g m away from where the file has it, or turned; begin "
           "with a knot of zeros at time 0, and a phase of 0",
           own->rigid[i].name, off);
  return fail(scene, i, own->rigid[i].track->n_sways > 0 ? "sway" : "track", text);
}

/* Nothing of it is in the room any more. */
static cq_status check_room(const cq_scene *scene, int i) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_rigid *rigid = &own->rigid[i];
  const double end = fmin(scene->model.steps * scene->model.dt, rigid->release);
  const int looks = scene->model.steps < MOST_LOOKS ? scene->model.steps : MOST_LOOKS;
  for (int k = 0; k <= looks && isfinite(rigid->reach); k++) {
    const double time = end * k / looks;
    double pose[7];
    CQ_TRY(pose_at(scene, rigid, time, pose));
    for (int a = 0; a < scene->config.dim; a++) {
      const double high = scene->model.room.high[a];
      char text[256];
      if (pose[a] + rigid->reach >= 0.0 && pose[a] - rigid->reach <= high) {
        continue;
      }
      snprintf(text, sizeof text,
               "\"%s\" leaves the grid: at %.4g s its centre is at %c = %.4g m, and the grid is 0 "
               "to %.4g m; shorten its motion or enlarge simulation.grid",
               rigid->name, time, "xyz"[a], pose[a], high);
      return fail(scene, i, "track", text);
    }
  }
  return CQ_OK;
}

/* --- the start ----------------------------------------------------------------------------------
 */

/* The slots of a body's pose at the start of the design. */
static void start_slots(const cq_scene *scene, size_t body, double *slots) {
  const size_t first = scene->layout.total + body * CQ_POSE_SLOTS;
  memcpy(slots, scene->design.poses.poses[body].rest, CQ_POSE_SLOTS * sizeof *slots);
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *block = &scene->design.blocks[b];
    const cq_rows *rows = &block->rows;
    for (size_t i = 0; i < rows->count; i++) {
      if (rows->target[i] < first || rows->target[i] >= first + CQ_POSE_SLOTS) {
        continue;
      }
      double *slot = &slots[rows->target[i] - first];
      *slot = rows->base[i];
      for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
        *slot += rows->weight[k] * block->start[rows->variable[k]];
      }
    }
  }
}

/* The pose of rigid body i by the slots of its body. */
static void start_pose(const cq_scene *scene, int i, double *pose) {
  const int dim = scene->config.dim;
  const cq_rigid *rigid = &cq_mpm_scene_of(scene)->rigid[i];
  const cq_body *body = body_of(scene, i);
  double slots[CQ_POSE_SLOTS], arm[3] = {0}, Q[3][3];
  memset(pose, 0, (size_t)cq_rigid_pose_size(dim) * sizeof *pose);
  memcpy(pose, rigid->inertia.center, (size_t)dim * sizeof *pose);
  pose[dim == 2 ? 2 : 3] = dim == 2 ? 0.0 : 1.0;
  if (body == NULL) {
    return;
  }
  start_slots(scene, (size_t)(body - scene->bodies), slots);
  const double *w = slots + CQ_POSE_ROTATION;
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  cq_rotation_matrix(w, Q);
  for (int a = 0; a < dim; a++) {
    arm[a] = rigid->inertia.center[a] - body->center[a];
  }
  for (int a = 0; a < dim; a++) {
    pose[a] = slots[CQ_POSE_CENTER + a] + Q[a][0] * arm[0] + Q[a][1] * arm[1] + Q[a][2] * arm[2];
  }
  if (dim == 2) {
    pose[2] = w[2];
    return;
  }
  pose[3] = cos(0.5 * angle);
  for (int a = 0; a < 3; a++) {
    pose[4 + a] = angle > 0.0 ? sin(0.5 * angle) / angle * w[a] : 0.0;
  }
}

/* The error of the layer below, with the place of the body that it names. */
static cq_status place_error(const cq_scene *scene, cq_status status) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  char error[512], name[160];
  if (status != CQ_CONFIG) {
    return status;
  }
  snprintf(error, sizeof error, "%s", cq_ctx_error(scene->ctx));
  for (int i = own->rigids.n - 1; i >= 0; i--) {
    snprintf(name, sizeof name, "\"%s\"", own->rigid[i].name);
    if (strstr(error, name) != NULL) {
      cq_ctx_clear_error(scene->ctx);
      return cq_config_fail(scene->ctx, scene->walls[i].node, "name", "%s", error);
    }
  }
  return status;
}

/* Arrays of the step that the check looks at; one piece. */
static cq_status check_start(const cq_scene *scene, double *work) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int n = own->rigids.n, dim = scene->config.dim;
  double *mass = work, *friction = mass + n, *pose = friction + n, *twist = pose + 7 * n;
  for (int i = 0; i < n; i++) {
    const cq_body *body = body_of(scene, i);
    mass[i] = body != NULL ? cq_mpm_rigid_mass(body, &own->rigid[i]) : 0.0;
    friction[i] = scene->walls[i].friction;
    start_pose(scene, i, pose + i * cq_rigid_pose_size(dim));
  }
  memset(twist, 0, 6 * (size_t)n * sizeof *twist);
  const cq_rigid_step s = {.dt = scene->model.dt,
                           .mass = mass,
                           .friction = friction,
                           .gravity = scene->config.simulation.gravity,
                           .pose = pose,
                           .twist = twist};
  const double allowed = own->rigids.smooth ? own->rigids.depth : own->rigids.margin;
  return place_error(scene, cq_rigids_check(scene->ctx, &own->rigids, &s, allowed));
}

/* Springs that swing faster than the steps can follow. */
static void warn_of_springs(const cq_scene *scene) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  for (int b = 0; b < scene->config.bodies.count && own->rigids.smooth; b++) {
    const cq_rigid *rigid = own->rigid_of[b] >= 0 ? &own->rigid[own->rigid_of[b]] : NULL;
    if (rigid == NULL || (rigid->motion != CQ_RIGID_FREE && isinf(rigid->release))) {
      continue;
    }
    const double mass = cq_mpm_rigid_mass(&scene->bodies[b], rigid);
    const double swing = scene->model.dt * sqrt(own->rigids.stiffness / mass);
    if (swing > slow_swing) {
      cq_log(scene->ctx, CQ_LOG_WARNING,
             "%s: the springs where \"%s\" touches rigid bodies and walls swing by %.2g rad a "
             "step, where %.1f are safe: raise simulation.contact_depth above %g m, or lower "
             "simulation.time_step",
             cq_node_where(keys->node).text, rigid->name, swing, slow_swing,
             own->rigids.depth * swing * swing / (slow_swing * slow_swing));
    }
  }
}

/* What can be known to fail of rigid bodies, as they start and as they are driven. */
cq_status cq_mpm_check_rigids(cq_scene *scene) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  double *work = NULL;
  if (own->model.rigids == NULL) {
    return CQ_OK;
  }
  CQ_TRY(check_design(scene));
  for (int i = 0; i < own->rigids.n; i++) {
    if (own->rigid[i].track != NULL) {
      CQ_TRY(check_begin(scene, i));
      CQ_TRY(check_room(scene, i));
    }
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, work, 15 * (size_t)own->rigids.n));
  const cq_status status = check_start(scene, work);
  cq_free(scene->ctx, work);
  CQ_TRY(status);
  warn_of_springs(scene);
  return CQ_OK;
}
