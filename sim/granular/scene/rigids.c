/* Rigid bodies of the file: bodies of a material with model = "rigid", each a tool behind the
 * walls. Where there is one, walls are rigid bodies, too, which the others meet. */
#include "alloc.h"
#include "granular_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double pitch = 1.0;     /* between points of a surface, in lengths of the scene */
static const double rounding = 0.05; /* of its edges */
static const double depth = 0.05;    /* contacts nearer than that count */
static const double infinite = 1e3;  /* a friction that holds */

bool cq_granular_is_rigid(const cq_body *body) {
  const cq_granular_material_keys *material = body->material->of_engine;
  return material->model == CQ_MODEL_RIGID;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Keys that a rigid body does not have. */
static cq_status refuse_grains(const cq_scene *scene, const cq_body *body) {
  const cq_granular_body_keys *keys = body->keys->of_engine;
  const char *key = !isnan(keys->grain_radius)              ? "grain_radius"
                    : keys->grain_spread > 0.0              ? "grain_spread"
                    : keys->packing != CQ_PACKING_STAGGERED ? "packing"
                    : keys->jitter > 0.0                    ? "jitter"
                                                            : NULL;
  return key == NULL
             ? CQ_OK
             : cq_config_fail(scene->ctx, keys->node, key,
                              "is of grains; the material \"%s\" is rigid", body->material->name);
}

/* Grains first. */
cq_status cq_granular_sort_bodies(cq_scene *scene) {
  static const char *const of_rigid[] = {"max_force", "max_torque", "joint"};
  cq_granular_scene *own = cq_granular_scene_of(scene);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    cq_body *body = &scene->bodies[b];
    const cq_granular_body_keys *keys = body->keys->of_engine;
    body->rigid = cq_granular_is_rigid(body);
    own->n_rigid += body->rigid;
    if (body->rigid) {
      CQ_TRY(refuse_grains(scene, body));
    }
    if (!body->rigid) {
      CQ_TRY(cq_rigid_refuse_keys(scene, body, of_rigid, sizeof of_rigid / sizeof *of_rigid));
      CQ_KEY_CHECK(scene->ctx, !isnan(keys->grain_radius), keys, grain_radius,
                   "is missing: the radius of the grains of body \"%s\"", body->keys->name);
    }
  }
  CQ_TRY(cq_rigid_sort(scene, &own->model.n_grains));
  CQ_CHECK(scene->ctx, own->model.n_grains > 0, CQ_CONFIG,
           "%s: all bodies are rigid; the engine needs a body of grains",
           cq_node_where(cq_node_find(scene->config.root, "bodies")).text);
  return CQ_OK;
}

static bool drives(const cq_actuator_keys *actuator) {
  return ((const cq_granular_actuator_keys *)actuator->of_engine)->model == CQ_ACTUATOR_DRIVE;
}

static const cq_actuator_keys *drive_of(const cq_scene *scene, const char *name) {
  return cq_rigid_drive_of(scene, name, drives);
}

/* How a body of the file moves, and what limits its drive. */
static cq_status read_motion(cq_scene *scene, cq_body *body, int i) {
  const cq_granular_body_keys *keys = body->keys->of_engine;
  cq_granular_scene *own = cq_granular_scene_of(scene);
  cq_rigid *rigid = &own->rigid[i];
  const cq_motion_keys motion = CQ_MOTION_KEYS(body, keys, drive_of(scene, body->keys->name));
  const bool limited = !isnan(keys->max_force) || !isnan(keys->max_torque);
  const cq_joint_keys hangs = CQ_JOINT_KEYS(keys);
  CQ_TRY(cq_rigid_motion_of(scene, body, &motion, rigid));
  CQ_TRY(cq_rigid_joint_of(scene, body, &motion, &hangs, own->rigid, rigid));
  if (limited && rigid->motion != CQ_RIGID_DRIVEN) {
    return cq_config_fail(scene->ctx, keys->node,
                          isnan(keys->max_force) ? "max_torque" : "max_force",
                          "is of a body with motion = \"driven\"; \"%s\" is %s", body->keys->name,
                          rigid->motion == CQ_RIGID_FREE ? "free" : "fixed");
  }
  rigid->max_force = isnan(keys->max_force) ? INFINITY : keys->max_force;
  rigid->max_torque = isnan(keys->max_torque) ? INFINITY : keys->max_torque;
  return rigid->motion == CQ_RIGID_DRIVEN && rigid->joint == NULL
             ? cq_rigid_driver_of(scene, body, &motion, rigid, &own->moved[i])
             : CQ_OK;
}

/* Body b of the file as tool and rigid body. */
static cq_status add_body(cq_scene *scene, cq_body *body, int i) {
  const cq_granular_body_keys *keys = body->keys->of_engine;
  cq_granular_scene *own = cq_granular_scene_of(scene);
  cq_rigid *rigid = &own->rigid[i];
  const double length = scene->model.length;
  const double friction = isnan(keys->friction) ? 0.0 : fmin(keys->friction, infinite);
  int tool = 0;
  CQ_KEY_CHECK(scene->ctx, body->keys->sampling != CQ_SAMPLING_POINTS, body->keys, sampling,
               "a rigid body needs a shape, which grains meet");
  CQ_TRY(cq_granular_add_tool(scene, keys->node, friction, &body->shape, &tool));
  scene->walls[tool].name = body->keys->name;
  CQ_TRY(cq_rigid_shape(scene, &body->shape, pitch * length, rounding * length, rigid));
  memcpy(own->tools[tool].origin, rigid->inertia.center, sizeof own->tools[tool].origin);
  rigid->name = body->keys->name;
  rigid->restitution = isnan(keys->restitution) ? 0.0 : keys->restitution;
  rigid->rolling = isnan(keys->rolling) ? 0.0 : keys->rolling;
  for (int a = 0; a < scene->config.dim; a++) {
    rigid->belt[a] = isnan(keys->belt[0]) ? 0.0 : keys->belt[a];
  }
  CQ_TRY(read_motion(scene, body, i));
  const bool moved = cq_granular_moved(rigid);
  body->unmoved = !moved;
  CQ_KEY_CHECK(scene->ctx, !moved || own->model.solver == CQ_GRANULAR_NCP, keys, motion,
               "grains move \"%s\", which simulation.solver = \"ncp\" alone does",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, !moved || rigid->skin.n > 0, body->keys, name,
               "this %s is too thin for points of contact, so that nothing can move it: make it "
               "thicker",
               cq_config_word(body->keys->node, "shape"));
  own->meets[i] =
      (cq_granular_rigid){.tool = tool,
                          .first = body->first,
                          .count = body->count,
                          .first_knot = cq_rigid_keep_knots(scene, tool, rigid, own->moved[i])};
  return CQ_OK;
}

/* --- walls ------------------------------------------------------------------------------------ */

/* A wall, or a side of the room, whose frame is that of its tool. */
static cq_status add_wall(cq_scene *scene, int tool, const cq_shape *shape, int i) {
  cq_granular_scene *own = cq_granular_scene_of(scene);
  cq_rigid *rigid = &own->rigid[i];
  const double length = scene->model.length, *origin = own->tools[tool].origin;
  const int dim = scene->config.dim;
  const cq_place path = cq_node_path(scene->walls[tool].node);
  double shift = 0.0;
  CQ_TRY(cq_rigid_shape(scene, shape, pitch * length, rounding * length, rigid));
  CQ_TRY(cq_arena_text(&scene->arena, &rigid->name, "%s", path.text + strlen("boundaries.")));
  for (int a = 0; a < dim; a++) {
    const double by = origin[a] - rigid->inertia.center[a];
    double *x = (double *)rigid->skin.x;
    for (int k = 0; k < rigid->skin.n; k++) {
      x[k * dim + a] -= by;
    }
    rigid->inertia.center[a] = origin[a];
    shift += by * by;
  }
  rigid->reach += sqrt(shift);
  rigid->motion = CQ_RIGID_FIXED;
  own->meets[i] =
      (cq_granular_rigid){.tool = tool, .first = scene->model.n_particles, .first_knot = -1};
  for (int a = 0; a < dim && own->belt[tool] != NULL; a++) {
    rigid->belt[a] = own->belt[tool][a];
  }
  if (own->motion[tool].node != NULL) {
    rigid->motion = CQ_RIGID_DRIVEN;
    CQ_TRY(cq_rigid_take_track(scene, &own->motion[tool], rigid, &own->moved[i]));
    own->meets[i].first_knot = cq_rigid_keep_knots(scene, tool, rigid, own->moved[i]);
    scene->walls[tool].moves = true;
  }
  return CQ_OK;
}

/* All walls, side by side of the room. Returns the number of the next rigid body. */
static cq_status add_walls(cq_scene *scene, int *next) {
  cq_granular_scene *own = cq_granular_scene_of(scene);
  *next = 0;
  for (int t = 0; t < own->n_walls; t++) {
    const cq_tool *tool = &own->tools[t];
    for (int k = 0; k < (own->whole[t] == NULL ? tool->n_parts : 1); k++) {
      const cq_shape *shape = own->whole[t] == NULL ? &tool->parts[k] : own->whole[t];
      CQ_TRY(add_wall(scene, t, shape, (*next)++));
    }
  }
  return CQ_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* The law of contacts, which does not depend on a mass. */
static void take_law(const cq_scene *scene, cq_rigids *rigids) {
  const double *g = scene->config.simulation.gravity;
  double square = 0.0;
  for (int a = 0; a < scene->config.dim; a++) {
    square += g[a] * g[a];
  }
  cq_rigids_usual(rigids, 1.0, square > 0.0 ? sqrt(square) : 9.81, depth * scene->model.length);
}

/* Walls, then bodies in the order of the file. */
cq_status cq_granular_make_rigids(cq_scene *scene) {
  cq_granular_scene *own = cq_granular_scene_of(scene);
  const int sides = 2 * scene->config.dim;
  int i = 0;
  own->n_walls = scene->model.n_boundaries;
  CQ_TRY(CQ_ARENA(&scene->arena, own->rigid_of, scene->config.bodies.count));
  const int most = own->n_walls + sides + own->n_rigid;
  CQ_TRY(CQ_ARENA(&scene->arena, own->rigid, most));
  CQ_TRY(CQ_ARENA(&scene->arena, own->meets, most));
  CQ_TRY(CQ_ARENA(&scene->arena, own->moved, most));
  CQ_TRY(CQ_ARENA(&scene->arena, own->wall_of, most));
  if (own->n_rigid + own->n_moving == 0) {
    return CQ_OK;
  }
  CQ_TRY(add_walls(scene, &i));
  for (int b = 0; b < scene->config.bodies.count; b++) {
    own->rigid_of[b] = -1;
    if (scene->bodies[b].rigid) {
      own->rigid_of[b] = i;
      CQ_TRY(add_body(scene, &scene->bodies[b], i++));
    }
  }
  for (int k = 0; k < i; k++) {
    own->wall_of[k] = own->meets[k].tool;
  }
  own->rigids = (cq_rigids){.dim = scene->config.dim, .n = i, .bodies = own->rigid};
  take_law(scene, &own->rigids);
  own->model.rigids = &own->rigids;
  own->model.rigid = own->meets;
  own->model.placed = scene->x + (size_t)own->model.n_grains * (size_t)scene->config.dim;
  return CQ_OK;
}

int cq_granular_rigid_of(const cq_scene *scene, const cq_group *group) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  const int tool = (int)group->parameter - 1;
  int i = own->rigids.n - 1;
  for (; i >= 0; i--) {
    const cq_granular_rigid *meets = &own->meets[i];
    const int p = group->count > 0 ? group->particles[0] - meets->first : -1;
    if (meets->tool >= own->n_walls &&
        (meets->tool == tool || (tool < 0 && p >= 0 && p < meets->count))) {
      break;
    }
  }
  return i;
}

bool cq_granular_wall_moves(const cq_scene *scene, int wall) {
  const cq_tool *tool = &cq_granular_scene_of(scene)->tools[wall];
  bool moves = cq_granular_scene_of(scene)->motion[wall].node != NULL;
  for (int a = 0; a < 3; a++) {
    moves = moves || tool->linear[a] >= 0 || tool->angular[a] >= 0;
  }
  return moves;
}

/* Walls that actuators move are driven, as bodies are. */
void cq_granular_drive_walls(cq_scene *scene) {
  cq_granular_scene *own = cq_granular_scene_of(scene);
  const int dim = scene->config.dim;
  for (int i = 0; i < own->rigids.n && own->meets[i].tool < own->n_walls; i++) {
    const cq_tool *tool = &own->tools[own->meets[i].tool];
    drive *by = &own->rigid[i].drive;
    for (int c = 0; c < (dim == 2 ? 3 : 6); c++) {
      const int control = c < dim ? tool->linear[c] : tool->angular[dim == 2 ? 2 : c - 3];
      if (control >= 0) {
        own->meets[i].control[by->n_controls] = control;
        by->component[by->n_controls++] = c;
        own->rigid[i].motion = CQ_RIGID_DRIVEN;
      }
    }
  }
}

/* An actuator with model = "drive", whose first control is number u. */
cq_status cq_granular_read_drive(cq_scene *scene, const cq_actuator_keys *keys, int u) {
  const cq_granular_actuator_keys *own = keys->of_engine;
  cq_granular_scene *of = cq_granular_scene_of(scene);
  int i = of->rigids.n - 1;
  while (i >= 0 && strcmp(of->rigid[i].name, keys->body) != 0) {
    i--;
  }
  CQ_KEY_CHECK(scene->ctx, i >= 0 && of->rigid[i].motion == CQ_RIGID_DRIVEN, keys, body,
               "\"%s\" cannot be driven: a body of a rigid material with motion = \"driven\" can; "
               "an obstacle is moved by model = \"wall\"",
               keys->body);
  CQ_KEY_CHECK(scene->ctx, drive_of(scene, keys->body) == keys, keys, body,
               "the actuator \"%s\" drives \"%s\" already", drive_of(scene, keys->body)->name,
               keys->body);
  const cq_drive_keys says = {.node = own->node,
                              .n_controls = own->controls.count,
                              .controls = own->controls.values,
                              .frame = own->frame,
                              .max = own->max,
                              .min = own->min,
                              .max_turn = own->max_turn};
  CQ_TRY(cq_rigid_drive(scene, keys, &says, u, &of->rigid[i]));
  for (int k = 0; k < says.n_controls; k++) {
    of->meets[i].control[k] = u + k;
  }
  return CQ_OK;
}

void cq_granular_fill_rigids(const cq_scene *scene, double *inputs) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  const int dim = scene->config.dim;
  double *tracks = inputs + cq_layout_offset(&scene->layout, "track");
  for (int i = 0; i < own->rigids.n; i++) {
    const int first = own->meets[i].first_knot;
    if (first >= 0) {
      cq_rigid_fill_track(dim, &own->rigid[i], own->moved[i],
                          tracks + first * cq_track_numbers(dim));
    }
  }
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Pose and twist of rigid body i at the start of the design. */
static void start_of(const cq_scene *scene, int i, double *pose, double *twist) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  const cq_layout *layout = &scene->layout;
  const int dim = scene->config.dim;
  const size_t first = (size_t)own->meets[i].first, d = (size_t)dim;
  const double *center = own->rigid[i].inertia.center;
  memset(pose, 0, 7 * sizeof *pose);
  memset(twist, 0, 6 * sizeof *twist);
  memcpy(pose, center, d * sizeof *pose);
  pose[dim] = dim == 3 ? 1.0 : 0.0;
  if (own->meets[i].count > 0 && own->rigid[i].track == NULL) {
    const double *now = scene->current;
    const cq_rigid_points points = {.n = own->meets[i].count,
                                    .x = now + cq_layout_offset(layout, "x") + first * d,
                                    .v = now + cq_layout_offset(layout, "v") + first * d,
                                    .placed = own->model.placed +
                                              (first - (size_t)own->model.n_grains) * d,
                                    .density = now + cq_layout_offset(layout, "density") + first,
                                    .volume = now + cq_layout_offset(layout, "volume") + first,
                                    .center = center,
                                    .length = scene->model.length};
    cq_rigid_fit(dim, &points, pose, twist);
  }
}

cq_tool_pose cq_granular_start_pose(const cq_scene *scene, int tool) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  cq_tool_pose at = cq_tool_start(&own->tools[tool]);
  for (int i = 0; i < own->rigids.n; i++) {
    double pose[7], twist[6];
    if (own->meets[i].tool == tool && own->meets[i].count > 0) {
      start_of(scene, i, pose, twist);
      cq_tool_set(scene->config.dim, pose, twist, &at);
    }
  }
  return at;
}

/* Refuses what cannot work: bodies that overlap at the start, tracks that do not begin where the
 * body is or leave the room, designs of what a rigid body has not. */
cq_status cq_granular_check_rigids(const cq_scene *scene) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  const int n = own->rigids.n, dim = scene->config.dim;
  double *work = NULL;
  if (n == 0) {
    return CQ_OK;
  }
  CQ_TRY(cq_rigid_check_design(scene, &own->rigids, own->rigid_of, own->model.n_grains));
  CQ_TRY(cq_rigid_check_reach(scene, &own->rigids, own->model.n_grains));
  for (int i = 0; i < n; i++) {
    CQ_TRY(
        cq_rigid_check_track(scene, scene->walls[own->meets[i].tool].node, &own->rigid[i], "room"));
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, work, 15 * (size_t)n + 13));
  double *mass = work, *friction = mass + n, *pose = friction + n, *twist = pose + 7 * n + 7;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (own->rigid_of[b] >= 0) {
      mass[own->rigid_of[b]] = cq_rigid_mass(&scene->bodies[b], &own->rigid[own->rigid_of[b]]);
    }
  }
  for (int i = 0; i < n; i++) {
    friction[i] = scene->walls[own->meets[i].tool].friction;
    start_of(scene, i, pose + i * cq_rigid_pose_size(dim), twist + i * cq_rigid_twist_size(dim));
  }
  const cq_rigid_step s = {.dt = scene->model.dt,
                           .mass = mass,
                           .friction = friction,
                           .gravity = scene->config.simulation.gravity,
                           .pose = pose,
                           .twist = twist};
  const cq_status status = cq_rigids_check(scene->ctx, &own->rigids, &s, own->rigids.margin);
  cq_free(scene->ctx, work);
  return cq_rigid_place_error(scene, &own->rigids, own->wall_of, status);
}
