/* What grains are to a problem file: the room, and the rest of its parts. */
#include "granular_inputs.h"
#include "granular_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The room, the solver, and what it is not to be asked for. */
static cq_status read(cq_scene *scene) {
  const cq_granular_simulation_keys *keys = scene->config.simulation.of_engine;
  const cq_body_keys *bodies = scene->config.bodies.items;
  cq_model *model = &scene->model;
  cq_granular_scene *own = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own, 1));
  scene->own = own;
  const bool ncp = keys->solver == CQ_SOLVER_NCP, paper = keys->solver == CQ_SOLVER_PAPER;
  const bool warm = !paper && (keys->warm_start == CQ_WARM_START_ON ||
                               (keys->warm_start == CQ_WARM_START_AUTO && ncp));
  const int least = ncp ? 2 : 5;
  own->model = (cq_granular_model){.solver = (cq_granular_solver)keys->solver,
                                   .iterations = keys->solver_iterations,
                                   .hashed = keys->broadphase == CQ_BROADPHASE_HASH,
                                   .warm = warm,
                                   .cyclic = keys->cyclic,
                                   .spins = !paper && keys->spins,
                                   .damping = paper ? keys->neighbour_damping : 1.0};
  model->own = &own->model;
  CQ_KEY_CHECK(scene->ctx, !warm || keys->solver_iterations >= least, keys, solver_iterations,
               "a warm start with %d iteration%s adds energy to a bed at rest: take at least %d, "
               "or warm_start = \"off\"",
               keys->solver_iterations, keys->solver_iterations == 1 ? "" : "s", least);
  for (int a = 0; a < model->dim; a++) {
    model->room.high[a] = keys->room[a];
  }
  CQ_KEY_CHECK(scene->ctx, keys->cyclic <= model->dim, keys, cyclic, "there is no axis z in 2D");
  /* twice the spacing of grains that just do not touch: what lattices and groups go by */
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_granular_body_keys *body = bodies[b].of_engine;
    model->length = fmax(model->length, 4.2 * body->grain_radius);
  }
  return CQ_OK;
}

/* The numbers of a body's material, and its spin. */
static void fill_body(const cq_scene *scene, const cq_body *body, double *inputs) {
  static const char *const names[] = {"grain_friction", "rolling_friction", "restitution",
                                      "cohesion"};
  const cq_granular_material_keys *own = body->material->of_engine;
  const double values[] = {own->friction, own->rolling_friction, own->restitution, own->cohesion};
  const int n_spin = scene->model.dim == 2 ? 1 : 3;
  for (int k = 0; k < 4; k++) {
    double *to = inputs + cq_layout_offset(&scene->layout, names[k]);
    for (int p = body->first; p < body->first + body->count; p++) {
      to[p] = values[k];
    }
  }
  double *spin = inputs + cq_layout_offset(&scene->layout, "spin");
  for (int p = body->first; p < body->first + body->count && body->keys->spin.count > 0; p++) {
    memcpy(spin + (size_t)p * (size_t)n_spin, body->keys->spin.values,
           (size_t)n_spin * sizeof *spin);
  }
}

/* What grains are made of; a body that spins does so grain by grain, too. */
static cq_status fill(const cq_scene *scene, double *inputs) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (!scene->bodies[b].rigid) {
      fill_body(scene, &scene->bodies[b], inputs);
    }
  }
  cq_granular_fill_rigids(scene, inputs);
  return CQ_OK;
}

/* Grains do not stand still because of walls alone. */
bool cq_granular_holds(const cq_scene *scene, size_t particle) {
  (void)scene;
  (void)particle;
  return false;
}

static void describe(const cq_scene *scene, FILE *out) {
  const cq_granular_simulation_keys *keys = scene->config.simulation.of_engine;
  const double *room = scene->model.room.high;
  fprintf(out, "  room %g x %g", room[0], room[1]);
  if (scene->model.dim == 3) {
    fprintf(out, " x %g", room[2]);
  }
  if (keys->cyclic > 0) {
    fprintf(out, ", without end along %c,", "xyz"[keys->cyclic - 1]);
  }
  fprintf(out, " m, solver %s, %d iterations\n", CQ_WORD(keys, solver), keys->solver_iterations);
}

/* The end of a body's line; spread, restitution and cohesion are told only where there are any. */
static void describe_body(const cq_scene *scene, const cq_body *body, FILE *out) {
  const cq_granular_material_keys *material = body->material->of_engine;
  const cq_granular_body_keys *own = body->keys->of_engine;
  if (body->rigid) {
    const cq_granular_scene *granular = cq_granular_scene_of(scene);
    cq_rigid_describe(&granular->rigid[granular->rigid_of[body - scene->bodies]], out);
    return;
  }
  fprintf(out, "grains of radius %g m", own->grain_radius);
  if (own->grain_spread > 0.0) {
    fprintf(out, " +- %g %%", 100.0 * own->grain_spread);
  }
  fprintf(out, ", friction %g, rolling %g", material->friction, material->rolling_friction);
  if (material->restitution > 0.0) {
    fprintf(out, ", restitution %g", material->restitution);
  }
  if (material->cohesion > 0.0) {
    fprintf(out, ", cohesion %g N", material->cohesion);
  }
}

/* Turn, spin and what pushes of rigid bodies; in a plane those about z, and forces in it. */
static bool column_of_body(const cq_scene *scene, int i, cq_own_column *out) {
  static const int in_2d[] = {CQ_GRAIN_TURN + 2, CQ_GRAIN_TURN + 5, CQ_GRAIN_WRENCH,
                              CQ_GRAIN_WRENCH + 1, CQ_GRAIN_WRENCH + 5};
  static const int in_3d[] = {CQ_GRAIN_TURN,       CQ_GRAIN_TURN + 1,   CQ_GRAIN_TURN + 2,
                              CQ_GRAIN_TURN + 3,   CQ_GRAIN_TURN + 4,   CQ_GRAIN_TURN + 5,
                              CQ_GRAIN_WRENCH,     CQ_GRAIN_WRENCH + 1, CQ_GRAIN_WRENCH + 2,
                              CQ_GRAIN_WRENCH + 3, CQ_GRAIN_WRENCH + 4, CQ_GRAIN_WRENCH + 5};
  const int n = scene->model.dim == 2 ? 5 : 12;
  if (!cq_column_of_rigid(scene, i, scene->model.dim == 2 ? in_2d : in_3d, n, out)) {
    return false;
  }
  out->parameter = 1 + cq_granular_scene_of(scene)->n_walls + i / n;
  return true;
}

/* What pushes walls and tools: three columns of each in 2D, six in 3D. */
static bool column(const cq_scene *scene, int i, cq_own_column *out) {
  static const int of_plane[] = {0, 1, 5};
  const bool plane = scene->model.dim == 2;
  const int n = plane ? 3 : 6, wall = i / n, number = plane ? of_plane[i % n] : i % n;
  const int n_walls = cq_granular_scene_of(scene)->n_walls;
  if (wall >= n_walls) {
    return column_of_body(scene, i - n * n_walls, out);
  }
  *out = (cq_own_column){.quantity = CQ_GRAIN_WRENCH + number, .parameter = 1 + wall};
  cq_place room;
  snprintf(out->name, sizeof out->name, "%.120s.%s", cq_scene_wall_name(scene, wall, &room),
           cq_engine_granular.quantities[CQ_GRAIN_WRENCH - CQ_N_SHARED_QUANTITIES + number].name);
  return true;
}

/* The same box twice is one. */
static cq_status keep_box(cq_scene *scene, const double box[2][3], double *parameter) {
  cq_granular_scene *own = scene->own;
  int i = 0;
  while (i < own->n_boxes && memcmp(own->boxes[i], box, sizeof own->boxes[i]) != 0) {
    i++;
  }
  CQ_CHECK(scene->ctx, i < CQ_MOST_BOXES, CQ_CONFIG, "there are more than %d boxes in terms",
           (int)CQ_MOST_BOXES);
  memcpy(own->boxes[i], box, sizeof own->boxes[i]);
  own->n_boxes += i == own->n_boxes;
  own->model.boxes = (const double(*)[2][3])own->boxes;
  *parameter = 1 + i;
  return CQ_OK;
}

/* Walls and tools, by their number. */
static cq_status pushed(const cq_scene *scene, const cq_node *section, const char *key,
                        const char *name, const char *of, cq_group *group) {
  const int wall = cq_scene_wall_called(scene, name);
  (void)section;
  (void)key;
  (void)of;
  if (wall >= 0) {
    *group = (cq_group){.parameter = 1 + wall};
  }
  return CQ_OK;
}

const cq_engine_part cq_part_granular = {
    .name = "granular",
    .keys = cq_granular_rows,
    .balls = true,
    .read = read,
    .read_bodies = cq_granular_read_bodies,
    .read_walls = cq_granular_read_walls,
    .read_actuators = cq_granular_read_actuators,
    .fill = fill,
    .preflight = cq_granular_preflight,
    .holds = cq_granular_holds,
    .describe = describe,
    .describe_body = describe_body,
    .draw_wall = cq_granular_draw_wall,
    .pushed = pushed,
    .box = keep_box,
    .column = column,
};
