/* What the fluid is to a problem file: its settings, its walls, and the rest of its parts. */
#include "fluid_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The room and the settings of the solvers. */
static cq_status read(cq_scene *scene) {
  const cq_fluid_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_model *model = &scene->model;
  cq_fluid_scene *own = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own, 1));
  scene->own = own;
  own->model = (cq_fluid_model){.radius = keys->radius,
                                .sweeps = keys->sweeps,
                                .divergence_sweeps = keys->divergence_sweeps,
                                .tolerance = keys->tolerance,
                                .divergence_tolerance = keys->divergence_tolerance,
                                .cfl = keys->cfl,
                                .horizon = keys->horizon,
                                .warm_start = keys->warm_start,
                                .surface_tension = keys->surface_tension,
                                .xsph = keys->xsph,
                                .contact_stiffness = keys->contact_stiffness,
                                .contact_speed = keys->contact_speed,
                                .friction = keys->contact_friction};
  model->own = &own->model;
  model->length = 4.0 * keys->radius;
  for (int a = 0; a < model->dim; a++) {
    const double length = keys->size[a], least = 4.0 * keys->radius;
    CQ_KEY_CHECK(scene->ctx, length >= least, keys, size,
                 "axis %c is %g m long, and must be at least 4 radii, %g m", "xyz"[a], length,
                 least);
    model->room.high[a] = keys->size[a];
  }
  return CQ_OK;
}

static cq_status fill(const cq_scene *scene, double *inputs) {
  double *viscosity = inputs + cq_layout_offset(&scene->layout, "viscosity");
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const cq_fluid_material_keys *material = body->material->of_engine;
    for (int p = body->first; p < body->first + body->count; p++) {
      viscosity[p] = material->model == CQ_FLUID_MODEL_FLUID ? material->viscosity : 0.0;
    }
  }
  return cq_fluid_relax(scene, inputs);
}

/* Walls hold no particle: all of them may slide. */
static bool holds(const cq_scene *scene, size_t particle) {
  (void)scene;
  (void)particle;
  return false;
}

static void describe(const cq_scene *scene, FILE *out) {
  const cq_fluid_model *own = &cq_fluid_scene_of(scene)->model;
  fprintf(out, "  room");
  for (int a = 0; a < scene->model.dim; a++) {
    fprintf(out, "%s %g", a > 0 ? " x" : "", scene->model.room.high[a]);
  }
  fprintf(out, " m, particles of radius %g m, %d samples of walls and bodies\n", own->radius,
          own->n_samples);
}

/* What a body is, and what was left out of it. */
static void describe_body(const cq_scene *scene, const cq_body *body, FILE *out) {
  const cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const cq_fluid_material_keys *material = body->material->of_engine;
  const int b = (int)(body - scene->bodies);
  if (own->rigid[b] >= 0) {
    const cq_fluid_body *rigid = &own->model.bodies[own->rigid[b]];
    fprintf(out, "rigid, %d samples%s", rigid->n_samples, rigid->driven ? ", driven" : "");
    if (rigid->release > 0.0) {
      fprintf(out, ", released at %g s", rigid->release);
    }
    return;
  }
  fprintf(out, "fluid%s, viscosity %g Pa s",
          ((const cq_fluid_body_keys *)body->keys->of_engine)->emitter ? " that is emitted" : "",
          material->viscosity);
  if (own->removed[b] > 0) {
    fprintf(out, "; %d particles inside of rigid bodies or obstacles were left out",
            own->removed[b]);
  }
}

/* Wrenches, turns and spins, of rigid bodies and then of obstacles. */
static bool column(const cq_scene *scene, int i, cq_own_column *out) {
  static const cq_set none = {.name = ""};
  enum { FORCE = CQ_N_SHARED_QUANTITIES + CQ_FLUID_FORCE };
  enum { TORQUE = CQ_N_SHARED_QUANTITIES + CQ_FLUID_TORQUE };
  enum { TURN = CQ_N_SHARED_QUANTITIES + CQ_FLUID_TURN };
  enum { SPIN = CQ_N_SHARED_QUANTITIES + CQ_FLUID_SPIN };
  static const int in_2d[] = {FORCE, FORCE + 1, TORQUE + 2, TURN + 2, SPIN + 2};
  static const int in_3d[] = {FORCE, FORCE + 1, FORCE + 2, TORQUE, TORQUE + 1, TORQUE + 2,
                              TURN,  TURN + 1,  TURN + 2,  SPIN,   SPIN + 1,   SPIN + 2};
  const cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const int *quantities = scene->model.dim == 2 ? in_2d : in_3d;
  const int n = scene->model.dim == 2 ? 5 : 12, bodies = n * (own->model.n_bodies - own->n_tools);
  if (i < bodies) {
    return cq_column_of_rigid(scene, i, quantities, n, out);
  }
  const int tool = (i - bodies) / n;
  if (tool >= own->n_tools) {
    return false;
  }
  const int wall = own->tools[tool].wall, quantity = quantities[(i - bodies) % n];
  cq_place room;
  *out = (cq_own_column){.quantity = quantity, .of = &none, .parameter = 1 + wall};
  snprintf(out->name, sizeof out->name, "%.120s.%s", cq_scene_wall_name(scene, wall, &room),
           cq_engine_fluid.quantities[quantity - CQ_N_SHARED_QUANTITIES].name);
  return true;
}

/* Half-spaces and obstacles, by their number. */
static cq_status pushed(const cq_scene *scene, const cq_node *section, const char *key,
                        const char *name, const char *of, cq_group *group) {
  const cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const int wall = cq_scene_wall_called(scene, name);
  for (int i = 0; i < own->n_tools; i++) {
    if (own->tools[i].wall == wall) {
      *group = (cq_group){.parameter = 1 + wall};
      return CQ_OK;
    }
  }
  return wall < 0 ? CQ_OK
                  : cq_config_fail(scene->ctx, section, key,
                                   "the %s on \"%s\" is not measured; take an obstacle or a "
                                   "half-space",
                                   of, name);
}

const cq_engine_part cq_part_fluid = {
    .name = "fluid",
    .keys = cq_fluid_rows,
    .also_called = cq_fluid_also_called,
    .read = read,
    .read_bodies = cq_fluid_read_bodies,
    .read_walls = cq_fluid_read_walls,
    .read_actuators = cq_fluid_read_actuators,
    .fill = fill,
    .preflight = cq_fluid_preflight,
    .holds = holds,
    .column = column,
    .pushed = pushed,
    .describe = describe,
    .describe_body = describe_body,
    .draw_wall = cq_fluid_draw_wall,
};
