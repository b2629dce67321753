/* The simulator's model and inputs. */
#include "engine.h"
#include "engine_part.h"
#include "scene.h"
#include "scene_start.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The word has to be one of the engine. */
static cq_status read_gradient(cq_scene *scene) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const cq_gradient_word *gradient = NULL;
  char list[200] = "";
  scene->model.gradient = keys->gradient;
  if (cq_engine_gradient(type, keys->gradient) != NULL) {
    return CQ_OK;
  }
  for (int i = 0; (gradient = cq_engine_gradient_at(type, i)) != NULL; i++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s\"%s\"", i > 0 ? ", " : "", gradient->word);
  }
  return CQ_BAD(scene->ctx, keys, gradient, "the engine \"%s\" has no gradient \"%s\"; it has %s",
                type->name, keys->gradient, list);
}

cq_status cq_scene_read_simulation(cq_scene *scene) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  cq_model *model = &scene->model;
  model->engine = CQ_WORD(keys, engine);
  model->dim = scene->config.dim;
  model->bits = keys->precision == CQ_PRECISION_DOUBLE ? 64 : 32;
  model->steps = keys->steps;
  model->dt = keys->time_step;
  model->memo = CQ_WORD(keys, memo);
  model->memory =
      isinf(keys->memory) ? cq_free_memory(model->device) / 2 : (size_t)fmin(keys->memory, 0x1p60);
  scene->part = cq_engine_part_of(model->engine);
  CQ_TRY(read_gradient(scene));
  return scene->part->read(scene);
}

/* Places, velocities and masses of a body without a design. */
static void take_body(const cq_body *body, const cq_layout *layout, double *inputs) {
  const size_t dim = (size_t)body->shape.dim;
  double *x = inputs + cq_layout_offset(layout, "x") + (size_t)body->first * dim;
  double *v = inputs + cq_layout_offset(layout, "v") + (size_t)body->first * dim;
  double *density = inputs + cq_layout_offset(layout, "density");
  double *volume = inputs + cq_layout_offset(layout, "volume");
  double pose[CQ_POSE_SLOTS], arm[3] = {0};
  cq_pose_rest(body, pose);
  memcpy(x, body->x, (size_t)body->count * dim * sizeof *x);
  for (size_t i = 0; i < (size_t)body->count; i++) {
    for (size_t a = 0; a < dim; a++) {
      arm[a] = x[i * dim + a] - pose[CQ_POSE_CENTER + a];
    }
    cq_pose_velocity(pose, arm, (int)dim, v + i * dim);
    const size_t p = (size_t)body->first + i;
    density[p] = cq_body_density(body, i);
    volume[p] = cq_body_volume(body, i);
  }
}

/* A table of controls starts at rest. */
static void take_parameters(const cq_scene *scene, double *theta) {
  char label[96];
  for (int j = 0; j < scene->model.controller.n_parameters; j++) {
    const bool table = cq_scene_controller_type(scene)->parameter == NULL;
    theta[j] = table ? scene->u_rest[j % scene->model.n_controls]
                     : cq_scene_parameter(scene, j, label, sizeof label);
  }
}

/* Gravity, friction of the walls, and where the controller starts. */
static void take_scene(const cq_scene *scene, const cq_layout *layout, double *inputs) {
  double *friction = inputs + cq_layout_offset(layout, "friction");
  memcpy(inputs + cq_layout_offset(layout, "gravity"), scene->config.simulation.gravity,
         (size_t)scene->config.dim * sizeof *inputs);
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    friction[i] = scene->walls[i].friction;
  }
  take_parameters(scene, inputs + cq_layout_offset(layout, "theta"));
}

/* Terms first: they say which groups are observed, and so the layout; then the inputs, then the
 * design that changes them. */
cq_status cq_scene_build_model(cq_scene *scene) {
  CQ_TRY(cq_objective_build(scene, &scene->model, &scene->objective));
  scene->layout = cq_model_layout(&scene->model);
  const cq_layout *layout = &scene->layout;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->inputs, layout->total));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->current, layout->total));
  for (int i = 0; i < scene->config.bodies.count; i++) {
    take_body(&scene->bodies[i], layout, scene->inputs);
  }
  take_scene(scene, layout, scene->inputs);
  CQ_TRY(scene->part->fill(scene, scene->inputs));
  CQ_TRY(cq_start_read(scene, scene->inputs));
  CQ_TRY(cq_design_build(scene, &scene->design));
  CQ_TRY(cq_start_check(scene));
  memcpy(scene->current, scene->inputs, layout->total * sizeof *scene->current);
  cq_design_apply(&scene->design, scene->design.start, scene->current);
  return CQ_OK;
}
