/* Walls of the file: the sides of the room, half-spaces, height fields, obstacles, in this order,
 * each a tool; and the actuators that move obstacles. */
#include "granular_scene.h"
#include "nearest.h"
#include "schema_rows.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Which sides of the room have no wall: bit 2 axis + (1: the high one). */
static cq_status read_open(const cq_scene *scene, const cq_granular_domain_keys *keys,
                           unsigned *open) {
  static const char *const sides[] = {"low x", "high x", "low y", "high y", "low z", "high z"};
  *open = 0;
  for (int i = 0; i < keys->open.count; i++) {
    int side = 0;
    while (side < 2 * scene->config.dim && strcmp(keys->open.values[i], sides[side]) != 0) {
      side++;
    }
    CQ_KEY_CHECK(scene->ctx, side < 2 * scene->config.dim, keys, open,
                 "\"%s\" is no side of the room: \"low x\" to \"high %c\"", keys->open.values[i],
                 "xyz"[scene->config.dim - 1]);
    *open |= 1u << side;
  }
  return CQ_OK;
}

/* The room is one tool, with a plane a side. */
static cq_status read_domain(cq_scene *scene) {
  const cq_granular_domain_keys *keys = scene->config.domain.of_engine;
  cq_shape *parts = NULL;
  unsigned open = 0;
  int n = 0;
  CQ_TRY(read_open(scene, keys, &open));
  CQ_TRY(CQ_ARENA(&scene->arena, parts, 2 * scene->config.dim));
  for (int side = 0; side < 2 * scene->config.dim; side++) {
    if ((open >> side & 1u) != 0 || 1 + side / 2 == cq_granular_scene_of(scene)->model.cyclic) {
      continue;
    }
    cq_shape *part = &parts[n++];
    *part = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = scene->config.dim};
    part->normal[side / 2] = side % 2 == 0 ? 1.0 : -1.0;
    part->center[side / 2] = side % 2 == 0 ? 0.0 : scene->model.room.high[side / 2];
  }
  return cq_granular_add_parts(scene, keys->node, keys->friction, n, parts);
}

static cq_status add_shape(cq_scene *scene, const cq_node *node, double friction,
                           const cq_shape *shape) {
  int tool = 0;
  return cq_granular_add_tool(scene, node, friction, shape, &tool);
}

/* What the section of an obstacle or a half-space says of its motion. */
#define MOTION_OF(own)                                                                             \
  {                                                                                                \
    .node = (own)->node, .track = &(own)->track, .sway = &(own)->sway,                             \
    .velocity = (own)->velocity, .spin = &(own)->spin, .sway_axis = (own)->sway_axis               \
  }

/* Keeps it for the wall; whether there is any. */
static bool take_motion(cq_scene *scene, int tool, const cq_track_keys *motion,
                        const double *belt) {
  cq_granular_scene *own = cq_granular_scene_of(scene);
  if (cq_track_given(motion, scene->config.dim)) {
    own->motion[tool] = *motion;
  }
  if (!isnan(belt[0])) {
    own->belt[tool] = belt;
  }
  const bool moves = own->motion[tool].node != NULL || own->belt[tool] != NULL;
  own->n_moving += moves;
  return moves;
}

static cq_status read_half_space(cq_scene *scene, const cq_half_space_keys *keys) {
  const cq_granular_half_space_keys *own = keys->of_engine;
  cq_shape *part = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, part, 1));
  CQ_TRY(cq_scene_read_half_space(scene, keys, part));
  const int cyclic = cq_granular_scene_of(scene)->model.cyclic;
  CQ_KEY_CHECK(scene->ctx, cyclic == 0 || part->normal[cyclic - 1] == 0.0, keys, normal,
               "the room has no end along %c, and a half-space cannot face that way",
               "xyz"[cyclic - 1]);
  const int tool = scene->model.n_boundaries;
  const cq_track_keys motion = MOTION_OF(own);
  CQ_TRY(add_shape(scene, keys->node, own->friction, part));
  if (take_motion(scene, tool, &motion, own->belt)) { /* it turns about its point */
    CQ_KEY_CHECK(scene->ctx, cyclic == 0, keys, point,
                 "a half-space that moves needs a room with ends: take simulation.cyclic out");
    memcpy(cq_granular_scene_of(scene)->tools[tool].origin, part->center, sizeof part->center);
  }
  return CQ_OK;
}

static cq_status read_height_field(cq_scene *scene, const cq_height_field_keys *keys) {
  const cq_granular_height_field_keys *own = keys->of_engine;
  cq_shape *part = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, part, 1));
  CQ_TRY(cq_scene_read_height_field(scene, keys, part));
  return add_shape(scene, keys->node, own->friction, part);
}

/* The frame of an obstacle has its origin in the middle of its bounds. */
static cq_status read_obstacle(cq_scene *scene, const cq_obstacle_keys *keys) {
  const cq_granular_obstacle_keys *own = keys->of_engine;
  cq_granular_scene *granular = cq_granular_scene_of(scene);
  cq_shape *shape = NULL;
  double low[3] = {0}, size[3] = {0};
  int tool = 0;
  CQ_TRY(CQ_ARENA(&scene->arena, shape, 1));
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, shape));
  CQ_TRY(cq_granular_add_tool(scene, keys->node, own->friction, shape, &tool));
  cq_shape_bounds(shape, low, size);
  for (int a = 0; a < scene->config.dim; a++) {
    granular->tools[tool].origin[a] = low[a] + 0.5 * size[a];
  }
  const cq_track_keys motion = MOTION_OF(own);
  take_motion(scene, tool, &motion, own->belt);
  return CQ_OK;
}

/* In the order of the file; the room is the first. */
cq_status cq_granular_read_walls(cq_scene *scene) {
  const cq_config *config = &scene->config;
  const cq_half_space_keys *planes = config->half_spaces.items;
  const cq_height_field_keys *fields = config->height_fields.items;
  const cq_obstacle_keys *obstacles = config->obstacles.items;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->walls, CQ_MOST_TOOLS));
  cq_granular_scene_of(scene)->model.tools = cq_granular_scene_of(scene)->tools;
  CQ_TRY(read_domain(scene));
  for (int i = 0; i < config->half_spaces.count; i++) {
    CQ_TRY(read_half_space(scene, &planes[i]));
  }
  for (int i = 0; i < config->height_fields.count; i++) {
    CQ_TRY(read_height_field(scene, &fields[i]));
  }
  for (int i = 0; i < config->obstacles.count; i++) {
    CQ_TRY(read_obstacle(scene, &obstacles[i]));
  }
  return cq_granular_make_rigids(scene);
}
