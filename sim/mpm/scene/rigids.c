/* Rigid bodies of the file: bodies of a material with model = "rigid", obstacles and half-spaces
 * that move, and the walls, which rigid bodies meet. */
#include "engine.h"
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double pitch_cells = 1.0;    /* between points of a surface */
static const double rounding_cells = 0.1; /* of its edges */
static const double depth_cells = 0.1;    /* how deep what rests sinks in */
static const double hold = 1.0; /* friction of rigid bodies at what holds material in its place */

/* Soft bodies first; rigid_of is found later. */
cq_status cq_mpm_sort_bodies(cq_scene *scene) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  CQ_TRY(CQ_ARENA(&scene->arena, own->rigid_of, scene->config.bodies.count));
  for (int b = 0; b < scene->config.bodies.count; b++) {
    scene->bodies[b].rigid = cq_mpm_is_rigid(&scene->bodies[b]);
    own->n_rigid += scene->bodies[b].rigid;
    own->rigid_of[b] = -1;
  }
  return cq_rigid_sort(scene, &own->model.n_soft);
}

static cq_status make(cq_scene *scene, const cq_shape *shape, cq_rigid *rigid) {
  const double cell = scene->model.length;
  CQ_TRY(cq_rigid_shape(scene, shape, pitch_cells * cell, rounding_cells * cell, rigid));
  if (shape->kind == CQ_SHAPE_half_space) { /* it turns about its point */
    memcpy(rigid->inertia.center, shape->center, sizeof rigid->inertia.center);
  }
  return CQ_OK;
}

static void take_belt(cq_rigid *rigid, const double *belt) {
  if (!isnan(belt[0])) {
    memcpy(rigid->belt, belt, sizeof rigid->belt);
  }
}

/* A wall that stands: it meets material on the grid, and here rigid bodies alone. */
static cq_status add_wall(cq_scene *scene, int i, cq_rigid *rigid, cq_mpm_rigid *meeting) {
  const cq_boundary *wall = &cq_mpm_scene_of(scene)->boundaries[i];
  const cq_place path = cq_node_path(scene->walls[i].node);
  CQ_TRY(make(scene, &wall->shape, rigid));
  CQ_TRY(cq_arena_text(&scene->arena, &rigid->name, "%s", path.text + strlen("boundaries.")));
  rigid->motion = CQ_RIGID_FIXED;
  *meeting = (cq_mpm_rigid){.kind = wall->kind, .wall = i, .first_knot = -1};
  if (wall->kind == CQ_BOUNDARY_sticky || wall->kind == CQ_BOUNDARY_separate_stick) {
    scene->walls[i].friction = hold;
  }
  return CQ_OK;
}

/* What wall i of the scene is, that is a rigid body. */
static void name_wall(cq_scene *scene, int i, const cq_node *node, const char *name,
                      const cq_shape *shape, cq_boundary_kind kind, double friction) {
  const bool holds = kind == CQ_BOUNDARY_sticky || isinf(friction);
  scene->walls[i] = (cq_wall){.node = node,
                              .name = name,
                              .friction = holds                      ? hold
                                          : kind == CQ_BOUNDARY_slip ? 0.0
                                                                     : friction,
                              .has_friction = kind == CQ_BOUNDARY_separate && !holds,
                              .n_shapes = 1,
                              .shapes = shape};
}

static cq_boundary_kind kind_of(cq_boundary_kind kind, double friction) {
  return kind == CQ_BOUNDARY_separate && isinf(friction) ? CQ_BOUNDARY_separate_stick : kind;
}

/* An obstacle or a half-space that moves, as a driven body without particles. */
static cq_status add_mover(cq_scene *scene, int i, const cq_mpm_mover *mover, cq_rigid *rigid,
                           cq_mpm_rigid *meeting) {
  const bool driven = cq_mpm_drive_of(scene, mover->name) != NULL;
  const bool given = cq_track_given(&mover->motion, scene->config.dim);
  CQ_TRY(make(scene, &mover->shape, rigid));
  rigid->name = mover->name;
  take_belt(rigid, mover->belt);
  if (driven && given) {
    return cq_config_fail(scene->ctx, mover->node, "track",
                          "the actuator \"%s\" drives it; take its own motion out",
                          cq_mpm_drive_of(scene, mover->name)->name);
  }
  rigid->motion = driven || given ? CQ_RIGID_DRIVEN : CQ_RIGID_FIXED;
  if (given) {
    CQ_TRY(cq_rigid_take_track(scene, &mover->motion, rigid, &cq_mpm_scene_of(scene)->moved[i]));
  }
  *meeting =
      (cq_mpm_rigid){.meets = true, .kind = kind_of(mover->kind, mover->friction), .wall = i};
  name_wall(scene, i, mover->node, mover->name, &mover->shape, mover->kind, mover->friction);
  meeting->first_knot = cq_rigid_keep_knots(scene, i, rigid, cq_mpm_scene_of(scene)->moved[i]);
  scene->walls[i].moves = driven || given;
  return CQ_OK;
}

/* How a body of the file moves. */
static cq_status read_motion(cq_scene *scene, cq_body *body, cq_rigid *rigid) {
  const cq_mpm_body_keys *keys = body->keys->of_engine;
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_motion_keys motion =
      CQ_MOTION_KEYS(body, keys, cq_mpm_drive_of(scene, body->keys->name));
  const cq_joint_keys hangs = CQ_JOINT_KEYS(keys);
  CQ_TRY(cq_rigid_motion_of(scene, body, &motion, rigid));
  CQ_TRY(cq_rigid_joint_of(scene, body, &motion, &hangs, own->rigid, rigid));
  if (rigid->motion != CQ_RIGID_DRIVEN || rigid->joint != NULL) {
    return CQ_OK;
  }
  return cq_rigid_driver_of(scene, body, &motion, rigid, &own->moved[rigid - own->rigid]);
}

/* A body of a rigid material. */
static cq_status add_body(cq_scene *scene, int i, cq_body *body, cq_rigid *rigid,
                          cq_mpm_rigid *meeting) {
  const cq_mpm_body_keys *keys = body->keys->of_engine;
  const double friction = isnan(keys->friction) ? 0.0 : keys->friction;
  const cq_boundary_kind kind =
      keys->type < 0 ? CQ_BOUNDARY_separate : (cq_boundary_kind)keys->type;
  CQ_KEY_CHECK(scene->ctx, body->keys->sampling != CQ_SAMPLING_POINTS, body->keys, sampling,
               "a rigid body needs a shape, which others meet");
  CQ_KEY_CHECK(scene->ctx, kind == CQ_BOUNDARY_separate || isnan(keys->friction), keys, friction,
               "is of type = \"separate\"");
  CQ_TRY(make(scene, &body->shape, rigid));
  rigid->name = body->keys->name;
  body->holds = kind == CQ_BOUNDARY_sticky;
  rigid->restitution = isnan(keys->restitution) ? 0.0 : keys->restitution;
  rigid->rolling = isnan(keys->rolling) ? 0.0 : keys->rolling;
  take_belt(rigid, keys->belt);
  if (!isnan(keys->ground_friction)) {
    CQ_KEY_CHECK(scene->ctx, scene->config.dim == 2, keys, ground_friction,
                 "is of a plane that is seen from above; in 3D the ground is a wall");
    cq_rigid_on_ground(rigid, keys->ground_friction);
  }
  CQ_TRY(read_motion(scene, body, rigid));
  const bool comes_free = rigid->motion == CQ_RIGID_FREE || isfinite(rigid->release);
  body->unmoved = !comes_free;
  CQ_KEY_CHECK(scene->ctx, rigid->skin.n > 0 || !comes_free, body->keys, name,
               "this %s is too thin for points of contact, so that it cannot be free: make it "
               "thicker, or the grid finer",
               cq_config_word(body->keys->node, "shape"));
  *meeting = (cq_mpm_rigid){.meets = true,
                            .kind = kind_of(kind, friction),
                            .wall = i,
                            .first = body->first,
                            .count = body->count};
  name_wall(scene, i, body->keys->node, body->keys->name, &body->shape, kind, friction);
  meeting->first_knot = cq_rigid_keep_knots(scene, i, rigid, cq_mpm_scene_of(scene)->moved[i]);
  return CQ_OK;
}

/* Friction that is smooth in the speed is a damper, and steps must be able to follow it: below the
 * speeds that it is smoothed by it takes off m v within slip/(c mu g), c being what a contact's
 * speed changes by more than that of the centre. */
static void soften_friction(cq_scene *scene, double gravity) {
  static const double lever = 4.0; /* of a disc that may roll it is 3, of a ball 3.5 */
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  double friction = 0.0, rolling = 0.0;
  for (int i = 0; i < own->rigids.n; i++) {
    const cq_rigid *rigid = &own->rigid[i];
    friction = fmax(friction, scene->walls[i].friction);
    if (isfinite(rigid->reach)) {
      rolling = fmax(rolling, rigid->rolling / (rigid->reach * rigid->reach));
    }
  }
  const double kick = lever * gravity * scene->model.dt;
  own->rigids.slip = fmax(own->rigids.slip, kick * friction);
  own->rigids.roll = fmax(own->rigids.roll, kick * rolling);
}

/* The law of contacts, by the heaviest body that can be free. */
static cq_status read_law(cq_scene *scene) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const double depth =
      isnan(keys->contact_depth) ? depth_cells * scene->model.length : keys->contact_depth;
  double mass = 0.0, square = 0.0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_rigid *rigid = own->rigid_of[b] >= 0 ? &own->rigid[own->rigid_of[b]] : NULL;
    if (rigid != NULL && (rigid->motion == CQ_RIGID_FREE || isfinite(rigid->release))) {
      mass = fmax(mass, cq_rigid_mass(&scene->bodies[b], rigid));
    }
  }
  for (int a = 0; a < scene->config.dim; a++) {
    square += scene->config.simulation.gravity[a] * scene->config.simulation.gravity[a];
  }
  own->rigids.smooth = keys->rigid_contact != CQ_RIGID_CONTACT_IMPULSES;
  const double gravity = square > 0.0 ? sqrt(square) : 9.81;
  cq_rigids_usual(&own->rigids, mass > 0.0 ? mass : 1.0, gravity, depth);
  soften_friction(scene, gravity);
  const cq_gradient_word *word =
      cq_engine_gradient(cq_engine_type_of(scene->model.engine), scene->model.gradient);
  CQ_KEY_CHECK(scene->ctx, own->rigids.smooth || word->grade != CQ_GRADIENT_EXACT_REVERSE, keys,
               rigid_contact,
               "\"impulses\" have no gradient: set simulation.gradient = \"none\" or "
               "\"difference\", or take \"springs\"");
  return CQ_OK;
}

/* Where carried particles, and centres of mass, are when nothing has moved. */
static cq_status keep_places(cq_scene *scene) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const size_t dim = (size_t)scene->config.dim, n = (size_t)own->rigids.n;
  double *centers = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, centers, n * dim));
  for (size_t i = 0; i < n; i++) {
    memcpy(centers + i * dim, own->rigid[i].inertia.center, dim * sizeof *centers);
  }
  own->model.placed = scene->x + (size_t)own->model.n_soft * dim;
  own->model.placed_center = centers;
  return CQ_OK;
}

/* Room for all of them. */
static cq_status reserve(cq_scene *scene, int n, cq_mpm_rigid **meetings) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  cq_wall *walls = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own->rigid, n));
  CQ_TRY(CQ_ARENA(&scene->arena, *meetings, n));
  CQ_TRY(CQ_ARENA(&scene->arena, walls, n));
  CQ_TRY(CQ_ARENA(&scene->arena, own->moved, n));
  memcpy(walls, scene->walls, (size_t)scene->model.n_boundaries * sizeof *walls);
  scene->walls = walls;
  own->model.n_walls = scene->model.n_boundaries;
  own->model.rigid = own->meetings = *meetings;
  own->rigids = (cq_rigids){.dim = scene->config.dim, .n = n, .bodies = own->rigid};
  return CQ_OK;
}

/* Walls, then what moves, in the order of the file. */
static cq_status add_all(cq_scene *scene, cq_mpm_rigid *meetings) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  int i = 0;
  for (; i < own->model.n_walls; i++) {
    CQ_TRY(add_wall(scene, i, &own->rigid[i], &meetings[i]));
  }
  for (int m = 0; m < own->n_movers; m++, i++) {
    CQ_TRY(add_mover(scene, i, &own->movers[m], &own->rigid[i], &meetings[i]));
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (cq_mpm_is_rigid(&scene->bodies[b])) {
      own->rigid_of[b] = i;
      CQ_TRY(add_body(scene, i, &scene->bodies[b], &own->rigid[i], &meetings[i]));
      i++;
    }
  }
  scene->model.n_boundaries = i;
  return CQ_OK;
}

/* Walls, then what moves of them, then bodies, as sim/rigid has them. */
cq_status cq_mpm_make_rigids(cq_scene *scene) {
  static const char *const more[] = {"type", "ground_friction", "joint"};
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  cq_mpm_rigid *meetings = NULL;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (!cq_mpm_is_rigid(&scene->bodies[b])) {
      CQ_TRY(cq_rigid_refuse_keys(scene, &scene->bodies[b], more, sizeof more / sizeof *more));
    }
  }
  if (own->n_rigid + own->n_movers == 0) {
    return CQ_OK;
  }
  CQ_TRY(reserve(scene, scene->model.n_boundaries + own->n_movers + own->n_rigid, &meetings));
  CQ_TRY(add_all(scene, meetings));
  CQ_TRY(keep_places(scene));
  CQ_TRY(read_law(scene));
  own->model.rigids = &own->rigids;
  return CQ_OK;
}

/* The knots of all tracks, as inputs. */
void cq_mpm_fill_rigids(const cq_scene *scene, double *inputs) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int dim = scene->config.dim;
  double *tracks = inputs + cq_layout_offset(&scene->layout, "track");
  for (int i = 0; i < own->rigids.n; i++) {
    const int first = own->model.rigid[i].first_knot;
    if (first >= 0) {
      cq_rigid_fill_track(dim, &own->rigid[i], own->moved[i],
                          tracks + first * cq_track_numbers(dim));
    }
  }
}
