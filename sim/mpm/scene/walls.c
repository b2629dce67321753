/* Walls of the file: the domain, half-spaces, height fields, obstacles, in the order they act. */
#include "artist.h"
#include "mirror_cells.h"
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static double least_density(const cq_scene *scene) {
  const cq_material_keys *materials = scene->config.materials.items;
  double least = INFINITY;
  for (int i = 0; i < scene->config.materials.count; i++) {
    least = fmin(least, materials[i].density);
  }
  return least;
}

/* keys of a wall that does not move */
typedef struct surface_keys {
  double touch;
  bool mirror; /* it may; whether it does is known when bodies stand in it */
} surface_keys;

/* Is the friction of some wall a variable of the design? */
bool cq_mpm_designs_friction(const cq_scene *scene) {
  const cq_block_keys *keys = scene->config.design.items;
  bool does = false;
  for (int i = 0; i < scene->config.design.count; i++) {
    does = does || keys[i].boundary != NULL;
  }
  return does;
}

/* Adds a wall, unless its type is none. An infinite friction is a kind of its own, and kinds
 * without friction have none set. */
static cq_status add_wall(cq_scene *scene, const cq_node *node, int type, double friction,
                          surface_keys surface, const cq_shape *shape) {
  if (type == CQ_WALL_NONE) {
    return CQ_OK;
  }
  const int i = scene->model.n_boundaries++;
  CQ_CHECK(scene->ctx, i < CQ_MAX_BOUNDARIES, CQ_CONFIG, "%s: %s: more than %d walls",
           cq_node_where(node).text, cq_node_path(node).text, (int)CQ_MAX_BOUNDARIES);
  cq_boundary_kind kind = (cq_boundary_kind)(type - 1);
  if (kind == CQ_BOUNDARY_separate && isinf(friction)) {
    kind = CQ_BOUNDARY_separate_stick;
  }
  const double touch = surface.touch > 0.0 ? surface.touch * least_density(scene) : 0.0;
  cq_mpm_scene_of(scene)->boundaries[i] =
      (cq_boundary){.kind = kind,
                    .shape = *shape,
                    .touch = touch,
                    .mirror = surface.mirror,
                    .smooth = friction == 0.0 && !cq_mpm_designs_friction(scene)};
  scene->walls[i] = (cq_wall){.node = node,
                              .friction = isfinite(friction) ? friction : 0.0,
                              .has_friction = kind == CQ_BOUNDARY_separate,
                              .n_shapes = 1,
                              .shapes = &cq_mpm_scene_of(scene)->boundaries[i].shape};
  return CQ_OK;
}

static cq_status read_domain(cq_scene *scene) {
  const cq_mpm_domain_keys *keys = scene->config.domain.of_engine;
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  const int *grid = own->grid;
  for (int a = 0; a < scene->config.dim; a++) {
    CQ_KEY_CHECK(scene->ctx,
                 keys->type == CQ_WALL_NONE || keys->layers_low[a] + keys->layers_high[a] < grid[a],
                 keys, layers_low, "the walls of axis %c fill its %d nodes", "xyz"[a], grid[a]);
  }
  const cq_shape shape = cq_mpm_domain(own, keys->layers_low, keys->layers_high);
  const surface_keys surface = {keys->touch, keys->mirror && keys->type - 1 == CQ_BOUNDARY_slip};
  return add_wall(scene, keys->node, keys->type, keys->friction, surface, &shape);
}

/* Adds a wall that may move, by its own keys or by an actuator: then it is one of the movers, which
 * become rigid bodies (rigids.c). */
static cq_status add_tool(cq_scene *scene, int type, surface_keys surface, cq_mpm_mover tool) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_place path = cq_node_path(tool.node);
  CQ_TRY(cq_arena_text(&scene->arena, &tool.name, "%s", path.text + strlen("boundaries.")));
  const bool moves = cq_track_given(&tool.motion, scene->config.dim) || !isnan(tool.belt[0]) ||
                     cq_mpm_drive_of(scene, tool.name) != NULL;
  if (!moves || type == CQ_WALL_NONE) {
    return add_wall(scene, tool.node, type, tool.friction, surface, &tool.shape);
  }
  CQ_CHECK(scene->ctx, !(surface.touch > 0.0), CQ_CONFIG,
           "%s: %s: touch is not for walls that move; leave it out", cq_node_where(tool.node).text,
           path.text);
  tool.kind = (cq_boundary_kind)(type - 1);
  own->movers[own->n_movers++] = tool;
  return CQ_OK;
}

#define MOTION_OF(own)                                                                             \
  { (own)->node, &(own)->track, &(own)->sway, (own)->velocity, &(own)->spin, (own)->sway_axis }

static cq_status read_half_space(cq_scene *scene, const cq_half_space_keys *keys) {
  const cq_mpm_half_space_keys *own = keys->of_engine;
  cq_mpm_mover tool = {
      .node = keys->node, .friction = own->friction, .motion = MOTION_OF(own), .belt = own->belt};
  const surface_keys surface = {own->touch, own->mirror && own->type - 1 == CQ_BOUNDARY_slip};
  CQ_TRY(cq_scene_read_half_space(scene, keys, &tool.shape));
  return add_tool(scene, own->type, surface, tool);
}

/* Heights of several rows, one after the other, as points of the ground. */
static cq_status read_rows(cq_scene *scene, const cq_height_field_keys *keys, cq_shape *shape) {
  const cq_mpm_height_field_keys *own = keys->of_engine;
  const int n = keys->heights.count, across = n / own->rows_z;
  double *points = NULL;
  CQ_KEY_CHECK(scene->ctx, scene->config.dim == 3, own, rows_z,
               "is for 3D: in 2D the ground has one row");
  CQ_KEY_CHECK(scene->ctx, n % own->rows_z == 0 && across >= 2, keys, heights,
               "has %d heights, which are not %d rows of as many, two or more each", n,
               own->rows_z);
  CQ_TRY(CQ_ARENA(&scene->arena, points, 3 * n));
  for (int i = 0; i < n; i++) {
    points[3 * i] = keys->x0 + i % across * keys->spacing;
    points[3 * i + 1] = keys->heights.values[i];
    points[3 * i + 2] = own->z0 + i / across * keys->spacing;
  }
  shape->n_points = n;
  shape->points = points;
  return CQ_OK;
}

static cq_status read_height_field(cq_scene *scene, const cq_height_field_keys *keys) {
  const cq_mpm_height_field_keys *own = keys->of_engine;
  cq_shape shape;
  CQ_TRY(cq_scene_read_height_field(scene, keys, &shape));
  CQ_TRY(own->rows_z > 1 ? read_rows(scene, keys, &shape) : CQ_OK);
  return add_wall(scene, keys->node, own->type, own->friction, (surface_keys){.touch = own->touch},
                  &shape);
}

static cq_status read_obstacle(cq_scene *scene, const cq_obstacle_keys *keys) {
  const cq_mpm_obstacle_keys *own = keys->of_engine;
  cq_mpm_mover tool = {
      .node = keys->node, .friction = own->friction, .motion = MOTION_OF(own), .belt = own->belt};
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &tool.shape));
  if (tool.shape.kind == CQ_SHAPE_box && keys->angle != 0.0) {
    CQ_KEY_CHECK(scene->ctx, tool.shape.dim == 2 && !tool.shape.turn.is, keys, angle,
                 "is for boxes in 2D; give rotation alone");
    cq_shape_turn(&tool.shape, &keys->angle);
  }
  return add_tool(scene, own->type, (surface_keys){.touch = own->touch}, tool);
}

/* Walls act in the order in which they are added; rigid bodies after them. */
cq_status cq_mpm_read_walls(cq_scene *scene) {
  const cq_config *config = &scene->config;
  const cq_half_space_keys *planes = config->half_spaces.items;
  const cq_height_field_keys *fields = config->height_fields.items;
  const cq_obstacle_keys *obstacles = config->obstacles.items;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->walls, CQ_MAX_BOUNDARIES));
  CQ_TRY(CQ_ARENA(&scene->arena, cq_mpm_scene_of(scene)->movers,
                  config->half_spaces.count + config->obstacles.count));
  cq_mpm_scene_of(scene)->model.boundaries = cq_mpm_scene_of(scene)->boundaries;
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
  CQ_TRY(cq_mpm_make_rigids(scene));
  return cq_mpm_read_contacts(scene);
}

/* Where the particles of a body start. */
typedef struct standing {
  int inside;  /* of a wall */
  int deep;    /* so far inside that they can be no part of what the wall is meant to hold */
  int reached; /* outside, within half a cell: next to the first node that the wall holds */
} standing;

/* How many particles of the body are where, seen from a wall. */
static standing stand_at(const cq_scene *scene, const double *inputs, const cq_body *body,
                         const cq_shape *wall) {
  static const double held_cells = 3.0 + 1e-6, near_cells = 0.5 + 1e-6;
  const size_t dim = (size_t)scene->model.dim;
  const double *x = inputs + cq_layout_offset(&scene->layout, "x") + (size_t)body->first * dim;
  standing s = {0, 0, 0};
  for (size_t i = 0; i < (size_t)body->count; i++) {
    double normal[3], out[3];
    const double distance = cq_shape_distance(wall, x + i * dim);
    if (distance >= 0.0) {
      s.reached += distance < near_cells * scene->model.length;
      continue;
    }
    cq_shape_normal(wall, x + i * dim, normal);
    for (size_t a = 0; a < dim; a++) {
      out[a] = x[i * dim + a] + held_cells * scene->model.length * normal[a];
    }
    s.inside += 1;
    s.deep += cq_shape_distance(wall, out) < 0.0;
  }
  return s;
}

/* Bodies that start where a wall would hold nodes. A sticky wall is how a body is clamped, and what
 * a slip wall holds has to go on behind it; one that ends there is not held as it looks. */
static void check_wall(const cq_scene *scene, const cq_body *body, int wall) {
  const cq_boundary *boundary = &cq_mpm_scene_of(scene)->boundaries[wall];
  const bool slip = boundary->kind == CQ_BOUNDARY_slip;
  if (boundary->kind == CQ_BOUNDARY_sticky) {
    return;
  }
  const standing s = stand_at(scene, scene->current, body, &boundary->shape);
  const cq_node *node = scene->walls[wall].node;
  if (s.inside > 0 && !(slip && s.deep == 0)) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "%s: %d of the %d particles of body \"%s\" start inside the wall %s; move the body or the "
        "wall (a sticky wall may hold a body, and a slip wall one that goes on behind it by up to "
        "three cells)",
        cq_node_where(node).text, s.inside, body->count, body->keys->name, cq_node_path(node).text);
  } else if (slip && !boundary->mirror && s.inside == 0 && s.reached > 0) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "%s: body \"%s\" ends at the slip wall %s, which holds its nodes and not its surface, so "
        "that it is too soft there; put the wall where it can be a mirror (help boundaries), or "
        "let "
        "the body go on behind it by two or three cells",
        cq_node_where(node).text, body->keys->name, cq_node_path(node).text);
  }
}

/* Does the plane lie where nodes on one side are images of those on the other, and none of them
 * near another mirror, too? */
static bool fits(const cq_scene *scene, const cq_mpm_plane *plane, const cq_mpm_plane *others,
                 int n_others) {
  const double cell = scene->model.length, halves = 2.0 * plane->at / cell;
  bool can = fabs(halves - nearbyint(halves)) < 1e-6;
  for (int i = 0; i < n_others; i++) {
    const double apart = fabs(others[i].at - plane->at);
    can = can && (others[i].axis != plane->axis || apart > (2.0 * CQ_MIRROR_CELLS + 0.1) * cell);
  }
  return can;
}

/* mirrors that have been found */
typedef struct mirrors {
  int n;
  cq_mpm_plane planes[6 * CQ_MAX_BOUNDARIES];
} mirrors;

/* Adds the planes of a wall, if all of them may be mirrors. */
static bool add_mirror(const cq_scene *scene, const cq_boundary *boundary, mirrors *found) {
  const int first = found->n;
  const int n = cq_mpm_planes(&boundary->shape, found->planes + first);
  bool can = n > 0;
  for (int i = first; i < first + n; i++) {
    can = can && fits(scene, &found->planes[i], found->planes, i);
  }
  found->n += can ? n : 0;
  return can;
}

/* A slip wall is a mirror where a body of material ends at it. One that goes on behind would meet
 * its own image, and does not need it. */
void cq_mpm_find_mirrors(const cq_scene *scene, const double *inputs) {
  mirrors found = {.n = 0};
  for (int wall = 0; wall < cq_mpm_n_walls(&scene->model); wall++) {
    cq_boundary *boundary = &cq_mpm_scene_of(scene)->boundaries[wall];
    bool ends = false, goes_on = false;
    for (int i = 0; boundary->mirror && i < scene->config.bodies.count; i++) {
      const standing s = stand_at(scene, inputs, &scene->bodies[i], &boundary->shape);
      const bool soft = !cq_mpm_is_rigid(&scene->bodies[i]);
      ends = ends || (soft && s.inside == 0 && s.reached > 0);
      goes_on = goes_on || (soft && s.inside > 0);
    }
    boundary->mirror = ends && !goes_on && add_mirror(scene, boundary, &found);
  }
}

void cq_mpm_check_walls(const cq_scene *scene) {
  for (int i = 0; i < scene->config.bodies.count; i++) {
    const bool rigid = cq_mpm_is_rigid(&scene->bodies[i]); /* cq_mpm_check_rigids looks at it */
    for (int wall = 0; !rigid && wall < cq_mpm_n_walls(&scene->model); wall++) {
      check_wall(scene, &scene->bodies[i], wall);
    }
  }
}

static bool is_sticky(const cq_scene *scene, const double *node) {
  for (int i = 0; i < cq_mpm_n_walls(&scene->model); i++) {
    const cq_boundary *b = &cq_mpm_scene_of(scene)->boundaries[i];
    if (b->kind == CQ_BOUNDARY_sticky && cq_shape_distance(&b->shape, node) < 0.0) {
      return true;
    }
  }
  return false;
}

/* Does a sticky wall hold every node that the particle reaches? */
bool cq_mpm_holds(const cq_scene *scene, size_t p) {
  const cq_model *model = &scene->model;
  const double *x = scene->current + cq_layout_offset(&scene->layout, "x") + p * (size_t)model->dim;
  const int nodes = model->dim == 3 ? 27 : 9;
  for (int k = 0; k < nodes; k++) {
    const int shift[3] = {k % 3, k / 3 % 3, k / 9};
    double node[3] = {0};
    for (int a = 0; a < model->dim; a++) {
      node[a] = (floor(x[a] / model->length - 0.5) + shift[a]) * model->length;
    }
    if (!is_sticky(scene, node)) {
      return false;
    }
  }
  return true;
}

/* Walls, then what moves; bodies of the file are drawn by their particles. */
void cq_mpm_draw_wall(const cq_artist *a, int wall) {
  const cq_mpm_scene *own = cq_mpm_scene_of(a->scene);
  const int walls = cq_mpm_n_walls(&a->scene->model), mover = wall - walls;
  if (mover < own->n_movers) {
    const cq_place path = cq_node_path(a->scene->walls[wall].node);
    cq_artist_shape(a, "wall", path.text,
                    mover < 0 ? &own->boundaries[wall].shape : &own->movers[mover].shape);
  }
}
