/* What can be known of a run of grains before it is made: grains that fit into the room, lie in
 * each other or in walls, or stand on each other for ever. */
#include "alloc.h"
#include "granular_inputs.h"
#include "granular_scene.h"
#include "near.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double shallow = 0.02; /* overlaps, by the smaller radius, that are mended unseen */
static const double deep = 0.2;     /* and those whose mending would throw grains about */
enum { MOST_NEAR = 64 };

static double radius_of(const cq_scene *scene, int p) {
  const double volume = scene->current[cq_layout_offset(&scene->layout, "volume") + (size_t)p];
  const double pi = 3.14159265358979323846;
  return scene->model.dim == 2 ? sqrt(volume / pi) : cbrt(0.75 * volume / pi);
}

static const double *place_of(const cq_scene *scene, int p) {
  return scene->current + cq_layout_offset(&scene->layout, "x") +
         (size_t)p * (size_t)scene->model.dim;
}

static const cq_body *body_of(const cq_scene *scene, int p) {
  const cq_body *body = scene->bodies;
  while (p < body->first || p >= body->first + body->count) {
    body++;
  }
  return body;
}

/* The deepest overlap of grains with each other, or with a wall. */
typedef struct overlap {
  int count;
  double depth; /* by the smaller radius */
  int p, other; /* grain; other grain or wall */
} overlap;

static void offer(overlap *o, double depth, int p, int other) {
  o->count += depth > shallow;
  if (depth > o->depth) {
    o->depth = depth;
    o->p = p;
    o->other = other;
  }
}

/* Overlaps of a grain near the low end of a room without end with those near the high one. */
static void across_end(const cq_scene *scene, const cq_near *near, double largest, int p,
                       overlap *o) {
  const int dim = scene->model.dim, axis = cq_granular_scene_of(scene)->model.cyclic - 1;
  const double r = radius_of(scene, p);
  double x[3] = {0};
  int found[MOST_NEAR];
  memcpy(x, place_of(scene, p), (size_t)dim * sizeof *x);
  if (axis < 0 || x[axis] > r + largest) {
    return;
  }
  x[axis] += scene->model.room.high[axis];
  const int count = cq_near_find(near, x, r + largest, MOST_NEAR, found);
  for (int k = 0; k < count; k++) {
    const double *y = place_of(scene, found[k]), s = radius_of(scene, found[k]);
    double square = 0.0;
    for (int a = 0; a < dim; a++) {
      square += (x[a] - y[a]) * (x[a] - y[a]);
    }
    offer(o, (r + s - sqrt(square)) / fmin(r, s), p, found[k]);
  }
}

/* Overlaps of grains with each other. */
static cq_status between_grains(const cq_scene *scene, double largest, const int *all, overlap *o) {
  const int dim = scene->model.dim, n = cq_granular_n_grains(&scene->model);
  cq_near near;
  int found[MOST_NEAR];
  CQ_TRY(cq_near_create(scene->ctx, dim, place_of(scene, 0), all, n, 2.0 * largest, &near));
  for (int p = 0; p < n; p++) {
    const double *x = place_of(scene, p), r = radius_of(scene, p);
    const int count = cq_near_find(&near, x, r + largest, MOST_NEAR, found);
    for (int k = 0; k < count; k++) {
      const double *y = place_of(scene, found[k]), s = radius_of(scene, found[k]);
      double square = 0.0;
      for (int a = 0; a < dim; a++) {
        square += (x[a] - y[a]) * (x[a] - y[a]);
      }
      if (found[k] > p) {
        offer(o, (r + s - sqrt(square)) / fmin(r, s), p, found[k]);
      }
    }
    across_end(scene, &near, largest, p, o);
  }
  cq_near_destroy(&near);
  return CQ_OK;
}

/* Each grain against each part of a wall or rigid body, as these stand at the start. `counted` [n]
 * begins with no -1: a grain in two walls is one. */
static void between_walls(const cq_scene *scene, int *counted, overlap *o) {
  for (int t = 0; t < scene->model.n_boundaries; t++) {
    const cq_tool *tool = &cq_granular_scene_of(scene)->tools[t];
    const cq_tool_pose pose = cq_granular_start_pose(scene, t);
    for (int k = 0; k < tool->n_parts; k++) {
      const cq_tool_place place = cq_tool_placed(tool, &tool->parts[k], &pose, scene->model.dim);
      for (int p = 0; p < cq_granular_n_grains(&scene->model); p++) {
        const double r = radius_of(scene, p);
        cq_tool_touch at;
        if (cq_tool_touches(tool, &tool->parts[k], &place, &pose, scene->model.dim,
                            place_of(scene, p), r, &at)) {
          const int before = o->count;
          offer(o, (r - at.distance) / r, p, t);
          if (o->count > before) {
            o->count -= counted[p] < 0;
            counted[p] = -1;
          }
        }
      }
    }
  }
}

/* A refusal, or a warning, for an overlap of this depth. */
static cq_status judge(const cq_scene *scene, const overlap *o, const char *who, const char *with) {
  if (o->count == 0) {
    return CQ_OK;
  }
  const double *x = place_of(scene, o->p);
  char where[96];
  snprintf(where, sizeof where, scene->model.dim == 2 ? "%.4g, %.4g" : "%.4g, %.4g, %.4g", x[0],
           x[1], scene->model.dim == 2 ? 0.0 : x[2]);
  const cq_body *body = body_of(scene, o->p);
  CQ_KEY_CHECK(scene->ctx, o->depth <= deep, body->keys, name,
               "%d %s start inside %s, the deepest by %.2g of its radius at (%s) m: take a "
               "larger spacing, a smaller grain_radius or jitter, or move the body",
               o->count, who, with, o->depth, where);
  cq_log(scene->ctx, CQ_LOG_WARNING,
         "%s: %d %s start inside %s, the deepest by %.2g of its radius at (%s) m; they are "
         "pushed apart",
         cq_node_where(body->keys->node).text, o->count, who, with, o->depth, where);
  return CQ_OK;
}

/* Pairs, then walls; the largest radius is how far neighbours have to be looked for. */
static cq_status check_overlaps(const cq_scene *scene) {
  double largest = 0.0;
  int *all = NULL;
  overlap pairs = {0}, walls = {0};
  CQ_TRY(CQ_ALLOC(scene->ctx, all, scene->model.n_particles));
  for (int p = 0; p < cq_granular_n_grains(&scene->model); p++) {
    all[p] = p;
    largest = fmax(largest, radius_of(scene, p));
  }
  const cq_status status = between_grains(scene, largest, all, &pairs);
  between_walls(scene, all, &walls);
  cq_free(scene->ctx, all);
  CQ_TRY(status);
  CQ_TRY(judge(scene, &pairs, "pairs of grains", "each other"));
  return judge(scene, &walls, "grains",
               walls.other < cq_granular_scene_of(scene)->n_walls ? "walls" : "a rigid body");
}

/* Radius and room, and places in it. */
static cq_status check_room(const cq_scene *scene, const cq_body *body) {
  const cq_box *room = &scene->model.room;
  for (int p = body->first; p < body->first + body->count; p++) {
    const double r = radius_of(scene, p), *x = place_of(scene, p);
    for (int a = 0; a < scene->model.dim; a++) {
      const char axis = "xyz"[a];
      CQ_KEY_CHECK(scene->ctx, 2.0 * r <= room->high[a], body->keys, name,
                   "a grain of body \"%s\" has the diameter %.4g m, and the room is %.4g m along "
                   "%c: enlarge simulation.room, or take smaller grains",
                   body->keys->name, 2.0 * r, room->high[a], axis);
      CQ_KEY_CHECK(scene->ctx, x[a] >= 0.0 && x[a] <= room->high[a], body->keys, name,
                   "body \"%s\" is outside the room: its grain %d is at %c = %.4g m, and the room "
                   "is 0 to %.4g m; move the body or enlarge simulation.room",
                   body->keys->name, p - body->first, axis, x[a], room->high[a]);
    }
  }
  return CQ_OK;
}

/* Columns of grains above each other do not fall over. */
static void warn_of_columns(const cq_scene *scene, const cq_body *body) {
  const cq_granular_body_keys *own = body->keys->of_engine;
  const int up = cq_granular_up(scene);
  const double *g = scene->config.simulation.gravity;
  double across = 0.0;
  for (int a = 0; a < scene->model.dim; a++) {
    across += a != up ? fabs(g[a]) : 0.0;
  }
  if (body->keys->sampling == CQ_SAMPLING_LATTICE && own->packing == CQ_PACKING_CUBIC &&
      own->jitter == 0.0 && across == 0.0 && g[up] != 0.0 && body->lattice.count[up] > 1) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "%s: the grains of body \"%s\" stand exactly on each other, and such columns stay "
           "standing for ever: set packing = \"staggered\", or a jitter",
           cq_node_where(body->keys->node).text, body->keys->name);
  }
}

/* A room without end must be longer than grains see, and bodies that move do not meet each other
 * through its end. */
static cq_status check_cyclic(const cq_scene *scene) {
  const cq_granular_simulation_keys *keys = scene->config.simulation.of_engine;
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  const int axis = own->model.cyclic - 1;
  double largest = 0.0;
  int bounded = 0;
  bool moves = false;
  if (axis < 0) {
    return CQ_OK;
  }
  for (int p = 0; p < cq_granular_n_grains(&scene->model); p++) {
    largest = fmax(largest, radius_of(scene, p));
  }
  CQ_KEY_CHECK(scene->ctx, scene->model.room.high[axis] >= 10.0 * largest, keys, cyclic,
               "the room is %g m long along %c, and must be at least 10 radii of its largest "
               "grain, %g m",
               scene->model.room.high[axis], "xyz"[axis], 10.0 * largest);
  for (int i = 0; i < own->rigids.n; i++) {
    bounded += isfinite(own->rigid[i].reach);
    moves = moves || cq_granular_moved(&own->rigid[i]);
  }
  CQ_KEY_CHECK(scene->ctx, !moves || bounded == 1, keys, cyclic,
               "a body that grains move does not meet obstacles and other rigid bodies through the "
               "end of the room: let it be the only one");
  return CQ_OK;
}

/* Forces and the work of a tool that nothing limits are what the iterations make them, where grains
 * jam: no term may ask for them. */
static cq_status check_term(const cq_scene *scene, const cq_term *term) {
  const cq_granular_scene *own = cq_granular_scene_of(scene);
  bool asks = false;
  for (int c = 0; c < term->n_columns; c++) {
    const int quantity = term->columns[c].quantity;
    asks = asks || quantity == CQ_GRAIN_WORK ||
           (quantity >= CQ_GRAIN_WRENCH && quantity < CQ_GRAIN_WRENCH_END);
  }
  for (int s = 0; asks && s < term->n_sets; s++) {
    const cq_group *group = &scene->model.groups[term->sets[s]];
    const int i = cq_granular_rigid_of(scene, group);
    const bool is_wall = group->parameter >= 1.0 && (int)group->parameter <= own->n_walls;
    const bool moves = is_wall ? cq_granular_wall_moves(scene, (int)group->parameter - 1)
                               : i >= 0 && own->rigid[i].motion == CQ_RIGID_DRIVEN;
    CQ_KEY_CHECK(scene->ctx, is_wall || i >= 0, term->keys, body,
                 "\"%s\" is no rigid body, and there is no %s of it", term->keys->body,
                 cq_term_kind_name(term->kind));
    CQ_KEY_CHECK(scene->ctx, !moves || (i >= 0 && cq_rigid_limited(&own->rigid[i])), term->keys,
                 body,
                 "nothing limits what drives \"%s\", so that its force and work are what the "
                 "iterations make them where grains jam: give a rigid body with motion = "
                 "\"driven\" a max_force",
                 term->keys->body);
  }
  return CQ_OK;
}

static cq_status check_terms(const cq_scene *scene) {
  const cq_objective *objective = &scene->objective;
  for (int f = 0; f < objective->n_functions; f++) {
    for (int t = 0; t < objective->functions[f].n_terms; t++) {
      CQ_TRY(check_term(scene, &objective->functions[f].terms[t]));
    }
  }
  return CQ_OK;
}

/* Looks at the scene as it starts; the bounds of a design are not tried. */
cq_status cq_granular_preflight(cq_scene *scene, const double *least, const double *largest,
                                const double *away) {
  (void)least;
  (void)largest;
  (void)away;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (scene->bodies[b].rigid) {
      continue;
    }
    CQ_TRY(check_room(scene, &scene->bodies[b]));
    warn_of_columns(scene, &scene->bodies[b]);
  }
  CQ_TRY(check_cyclic(scene));
  CQ_TRY(check_overlaps(scene));
  CQ_TRY(check_terms(scene));
  return cq_granular_check_rigids(scene);
}
