/* Where the fluid starts, after simulation.relax steps in which nothing moves for longer than one:
 * each begins at rest, without gravity, so that pressures alone move particles apart. */
#include "alloc.h"
#include "fluid_scene.h"
#include "sim.h"
#include "status.h"

#include <string.h>

/* A particle that it moves: of fluid that does not wait in an emitter. */
static bool moves(const cq_body *body) {
  const cq_fluid_material_keys *material = body->material->of_engine;
  const cq_fluid_body_keys *keys = body->keys->of_engine;
  return material->model == CQ_FLUID_MODEL_FLUID && !keys->emitter;
}

/* The fluid's places of a state become those of the inputs. */
static void take_places(const cq_scene *scene, const double *state, double *inputs) {
  const size_t dim = (size_t)scene->model.dim, at = cq_layout_offset(&scene->layout, "x");
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const size_t first = at + (size_t)body->first * dim;
    if (moves(body)) {
      memcpy(inputs + first, state + first, (size_t)body->count * dim * sizeof *inputs);
    }
  }
}

/* A step each, from rest. */
static cq_status relax(const cq_scene *scene, cq_sim *sim, int steps, double *still,
                       double *inputs) {
  const size_t dim = (size_t)scene->model.dim, v = cq_layout_offset(&scene->layout, "v");
  double *state = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, state, scene->layout.state_total));
  memcpy(still, inputs, scene->layout.total * sizeof *still);
  memset(still + v, 0, (size_t)scene->model.n_particles * dim * sizeof *still);
  memset(still + cq_layout_offset(&scene->layout, "gravity"), 0, dim * sizeof *still);
  cq_status status = CQ_OK;
  for (int i = 0; i < steps && status == CQ_OK; i++) {
    status = cq_sim_forward(sim, still);
    status = status == CQ_OK ? cq_sim_final_state(sim, state) : status;
    if (status == CQ_OK) {
      take_places(scene, state, still);
    }
  }
  if (status == CQ_OK) {
    take_places(scene, still, inputs);
  }
  cq_free(scene->ctx, state);
  return status;
}

/* By a simulator of its own, whose runs are one step long. */
cq_status cq_fluid_relax(const cq_scene *scene, double *inputs) {
  const cq_fluid_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_model model = scene->model;
  cq_sim *sim = NULL;
  double *still = NULL;
  if (keys->relax == 0) {
    return CQ_OK;
  }
  model.steps = 1;
  model.gradient = "difference";
  CQ_TRY(CQ_ALLOC(scene->ctx, still, scene->layout.total));
  cq_status status = cq_sim_create(scene->ctx, &model, &sim);
  if (status == CQ_OK) {
    status = relax(scene, sim, keys->relax, still, inputs);
    cq_sim_destroy(sim);
  }
  cq_free(scene->ctx, still);
  return status;
}
