/* What bodies are made of. */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static bool given(double value) {
  return !isnan(value);
}

static double pick(double own, double other) {
  return given(own) ? own : other;
}

/* A liquid is told its bulk modulus as a Young's modulus: at Poisson's ratio 1/3 they are equal. */
static cq_status read_elasticity(const cq_scene *scene, const cq_body *body, cq_mpm_body *own) {
  const cq_mpm_body_keys *keys = body->keys->of_engine;
  const cq_mpm_material_keys *material = body->material->of_engine;
  if (cq_mpm_is_rigid(body)) {
    CQ_KEY_CHECK(scene->ctx, !given(keys->youngs_modulus), keys, youngs_modulus,
                 "a rigid body has none");
    CQ_KEY_CHECK(scene->ctx, !given(keys->poisson_ratio), keys, poisson_ratio,
                 "a rigid body has none");
    *own = (cq_mpm_body){0};
    return CQ_OK;
  }
  if (cq_material_is_liquid(material->model)) {
    CQ_KEY_CHECK(scene->ctx, !given(keys->youngs_modulus), keys, youngs_modulus,
                 "a liquid has none; its material's bulk_modulus holds");
    CQ_KEY_CHECK(scene->ctx, !given(keys->poisson_ratio), keys, poisson_ratio,
                 "a liquid has none; its material's bulk_modulus holds");
    own->youngs_modulus = material->bulk_modulus;
    own->poisson_ratio = 1.0 / 3.0;
    return CQ_OK;
  }
  own->youngs_modulus = pick(keys->youngs_modulus, material->youngs_modulus);
  own->poisson_ratio = pick(keys->poisson_ratio, material->poisson_ratio);
  return CQ_OK;
}

/* Of a body's points that have no modulus of their own; those of a liquid have none. */
cq_status cq_mpm_point_default(const cq_scene *scene, const cq_body *body, bool is_given,
                               double *value) {
  const cq_mpm_material_keys *material = body->material->of_engine;
  cq_mpm_body own = {0};
  CQ_KEY_CHECK(scene->ctx,
               !is_given || cq_mpm_is_rigid(body) || !cq_material_is_liquid(material->model),
               body->keys, points_file,
               "the points of a liquid have no youngs_modulus; take the column out");
  CQ_TRY(read_elasticity(scene, body, &own));
  *value = own.youngs_modulus;
  return CQ_OK;
}

static const unsigned char survives_inversion[CQ_N_MATERIALS] = {
#define CQ_MATERIAL(name, inversion_ok, phase) inversion_ok,
#include "material/material_list.h"
#undef CQ_MATERIAL
};

/* The materials of particles, and what a body's is told. */
cq_status cq_mpm_read_bodies(cq_scene *scene) {
  const cq_mpm_simulation_keys *simulation = scene->config.simulation.of_engine;
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  unsigned char *materials = NULL;
  double *viscosity = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own->bodies, scene->config.bodies.count));
  CQ_TRY(CQ_ARENA(&scene->arena, materials, scene->model.n_particles));
  CQ_TRY(CQ_ARENA(&scene->arena, viscosity, scene->model.n_particles));
  CQ_TRY(cq_mpm_sort_bodies(scene));
  for (int i = 0; i < scene->config.bodies.count; i++) {
    cq_body *body = &scene->bodies[i];
    const cq_mpm_material_keys *material = body->material->of_engine;
    const int kind = material->model;
    CQ_TRY(read_elasticity(scene, body, &own->bodies[i]));
    if (cq_mpm_is_rigid(body)) {
      body->flows = true; /* it does not tear */
      continue;
    }
    CQ_KEY_CHECK(scene->ctx,
                 own->model.on_inversion == CQ_INVERSION_FAIL || survives_inversion[kind],
                 simulation, on_inversion,
                 "\"continue\" is not possible with the material of body \"%s\"", body->keys->name);
    body->flows = cq_material_is_liquid(kind);
    memset(materials + body->first, kind, (size_t)body->count);
    for (int p = body->first; p < body->first + body->count; p++) {
      viscosity[p] = material->viscosity;
    }
  }
  own->model.viscosity = viscosity;
  own->model.material = materials;
  return CQ_OK;
}
