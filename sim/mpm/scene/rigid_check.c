/* What can be known to be wrong with rigid bodies before a run. */
#include "alloc.h"
#include "mpm_scene.h"
#include "rotation.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double slow_swing = 0.5; /* radians of a spring's swing a step that are safe */

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

/* Arrays of the step that the check looks at; one piece. */
static cq_status check_start(const cq_scene *scene, double *work) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int n = own->rigids.n, dim = scene->config.dim;
  double *mass = work, *friction = mass + n, *pose = friction + n, *twist = pose + 7 * n;
  for (int i = 0; i < n; i++) {
    const cq_body *body = body_of(scene, i);
    mass[i] = body != NULL ? cq_rigid_mass(body, &own->rigid[i]) : 0.0;
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
  return cq_rigid_place_error(scene, &own->rigids, NULL,
                              cq_rigids_check(scene->ctx, &own->rigids, &s, allowed));
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
    const double mass = cq_rigid_mass(&scene->bodies[b], rigid);
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
  CQ_TRY(cq_rigid_check_design(scene, &own->rigids, own->rigid_of, own->model.n_soft));
  CQ_TRY(cq_rigid_check_reach(scene, &own->rigids, own->model.n_soft));
  for (int i = 0; i < own->rigids.n; i++) {
    CQ_TRY(cq_rigid_check_track(scene, scene->walls[i].node, &own->rigid[i], "grid"));
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, work, 15 * (size_t)own->rigids.n));
  const cq_status status = check_start(scene, work);
  cq_free(scene->ctx, work);
  CQ_TRY(status);
  warn_of_springs(scene);
  return CQ_OK;
}
