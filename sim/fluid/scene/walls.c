/* Walls of the file: the sides of the room, then half-spaces and obstacles, which are rigid bodies
 * without particles. */
#include "artist.h"
#include "fluid_scene.h"
#include "inertia.h"
#include "status.h"

#include <string.h>

static cq_status read_half_space(cq_scene *scene, const cq_half_space_keys *keys,
                                 cq_fluid_tool *tool) {
  const cq_fluid_half_space_keys *own = keys->of_engine;
  *tool = (cq_fluid_tool){.node = keys->node, .type = own->type, .friction = own->friction};
  CQ_TRY(cq_scene_read_half_space(scene, keys, &tool->shape));
  memcpy(tool->center, tool->shape.center, sizeof tool->center);
  return CQ_OK;
}

/* Its shape, and how it moves if it does. */
static cq_status read_obstacle(cq_scene *scene, const cq_obstacle_keys *keys, cq_fluid_tool *tool) {
  const cq_fluid_obstacle_keys *own = keys->of_engine;
  const cq_track_keys motion = {.node = keys->node,
                                .track = &own->track,
                                .sway = &own->sway,
                                .velocity = own->velocity,
                                .spin = &own->spin,
                                .sway_axis = own->sway_axis};
  *tool = (cq_fluid_tool){.node = keys->node, .type = own->type, .friction = own->friction};
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &tool->shape));
  if (tool->shape.kind == CQ_SHAPE_box && keys->angle != 0.0) {
    CQ_KEY_CHECK(scene->ctx, tool->shape.dim == 2 && !tool->shape.turn.is, keys, angle,
                 "is for boxes in 2D; give rotation alone");
    cq_shape_turn(&tool->shape, &keys->angle);
  }
  const cq_inertia inertia = cq_inertia_of(&tool->shape);
  memcpy(tool->center, inertia.center, sizeof tool->center);
  if (cq_track_given(&motion, scene->config.dim)) {
    const double *moved = NULL;
    CQ_TRY(CQ_ARENA(&scene->arena, tool->track, 1));
    return cq_track_read(scene, &motion, tool->center, tool->track, &moved);
  }
  return CQ_OK;
}

static void keep(cq_fluid_scene *own) {
  own->n_tools += own->tools[own->n_tools].type != CQ_FLUID_DOMAIN_NONE;
}

/* Those that are not of type none. */
cq_status cq_fluid_read_tools(cq_scene *scene) {
  const cq_config *config = &scene->config;
  const cq_half_space_keys *planes = config->half_spaces.items;
  const cq_obstacle_keys *obstacles = config->obstacles.items;
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  CQ_TRY(
      CQ_ARENA(&scene->arena, own->tools, config->half_spaces.count + config->obstacles.count + 1));
  for (int i = 0; i < config->half_spaces.count; i++) {
    CQ_TRY(read_half_space(scene, &planes[i], &own->tools[own->n_tools]));
    keep(own);
  }
  for (int i = 0; i < config->obstacles.count; i++) {
    CQ_TRY(read_obstacle(scene, &obstacles[i], &own->tools[own->n_tools]));
    keep(own);
  }
  return CQ_OK;
}

static void add_wall(cq_scene *scene, const cq_node *node, double friction, const cq_shape *shape) {
  scene->walls[scene->model.n_boundaries++] = (cq_wall){
      .node = node, .friction = friction, .has_friction = true, .n_shapes = 1, .shapes = shape};
}

/* The sides of the room. */
static void make_room(const cq_scene *scene, cq_shape *shape) {
  const cq_box *room = &scene->model.room;
  *shape = (cq_shape){.kind = CQ_SHAPE_domain, .dim = scene->model.dim};
  for (int a = 0; a < shape->dim; a++) {
    shape->center[a] = 0.5 * (room->low[a] + room->high[a]);
    shape->size[a] = room->high[a] - room->low[a];
  }
}

/* The domain is the first wall, if there is one. The bodies of tools, which are there by now, get
 * to know which walls they are. */
cq_status cq_fluid_read_walls(cq_scene *scene) {
  const cq_fluid_domain_keys *keys = scene->config.domain.of_engine;
  const cq_height_field_keys *fields = scene->config.height_fields.items;
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  CQ_CHECK(
      scene->ctx, scene->config.height_fields.count == 0, CQ_CONFIG,
      "%s: %s: the fluid engine has no height fields; use an obstacle with shape = \"polygon\" "
      "or \"mesh\"",
      cq_node_where(fields->node).text, cq_node_path(fields->node).text);
  CQ_TRY(CQ_ARENA(&scene->arena, scene->walls, own->n_tools + 1));
  if (keys->type != CQ_FLUID_DOMAIN_NONE) {
    make_room(scene, &own->room);
    add_wall(scene, scene->config.domain.node, keys->friction, &own->room);
  }
  for (int i = 0; i < own->n_tools; i++) {
    own->tools[i].wall = scene->model.n_boundaries;
    own->bodies[own->model.n_bodies - own->n_tools + i].wall = own->tools[i].wall;
    add_wall(scene, own->tools[i].node, own->tools[i].friction, &own->tools[i].shape);
    scene->walls[own->tools[i].wall].moves = own->tools[i].track != NULL;
  }
  return CQ_OK;
}

void cq_fluid_draw_wall(const cq_artist *a, int wall) {
  const cq_fluid_scene *own = cq_fluid_scene_of(a->scene);
  const cq_place path = cq_node_path(a->scene->walls[wall].node);
  const int tool = wall - (a->scene->model.n_boundaries - own->n_tools);
  if (tool < 0) {
    const cq_point low = {0.0, 0.0, 0.0};
    cq_artist_box(a, "domain", path.text, low, a->size);
  } else {
    cq_artist_shape(a, "wall", path.text, &own->tools[tool].shape);
  }
}
