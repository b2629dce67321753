/* Grains of the file: their radii, and where a lattice has put them. */
#include "granular_scene.h"
#include "status.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double volume_of(int dim, double r) {
  return dim == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
}

/* The volume of a grain is that of its ball, whatever room the body has for it. */
static cq_status take_radii(cq_scene *scene, cq_body *body, cq_rng *rng) {
  const cq_granular_body_keys *own = body->keys->of_engine;
  const int dim = scene->model.dim;
  CQ_KEY_CHECK(scene->ctx,
               isnan(body->keys->volume) && isnan(body->keys->particle_volume) &&
                   body->volumes == NULL,
               body->keys, volume, "grains have the volume of their balls, by grain_radius");
  body->volume = volume_of(dim, own->grain_radius);
  if (!isnan(body->keys->particle_mass)) {
    body->density = body->keys->particle_mass / body->volume;
  }
  if (own->grain_spread > 0.0) {
    double *volumes = NULL;
    CQ_TRY(CQ_ARENA(&scene->arena, volumes, body->count));
    for (int i = 0; i < body->count; i++) {
      const double part = own->grain_spread * (2.0 * cq_rng_uniform(rng) - 1.0);
      volumes[i] = volume_of(dim, own->grain_radius * (1.0 + part));
    }
    body->volumes = volumes;
  }
  return CQ_OK;
}

int cq_granular_up(const cq_scene *scene) {
  const double *g = scene->config.simulation.gravity;
  int up = 1;
  for (int a = 0; a < scene->model.dim; a++) {
    up = fabs(g[a]) > fabs(g[up]) ? a : up;
  }
  return up;
}

/* Odd layers along gravity a quarter of a spacing up the others, even ones down; and a random
 * part of the gap for each grain. */
static void shift_lattice(const cq_scene *scene, cq_body *body, cq_rng *rng) {
  const cq_granular_body_keys *own = body->keys->of_engine;
  const int dim = scene->model.dim, up = cq_granular_up(scene);
  const cq_lattice *lattice = &body->lattice;
  for (int i = 0; i < body->count; i++) {
    double *x = body->x + (size_t)i * (size_t)dim;
    const double layer = (x[up] - lattice->low[up]) / lattice->spacing[up] - lattice->offset;
    const double side = (long long)floor(layer + 0.5) % 2 != 0 ? 0.25 : -0.25;
    for (int a = 0; a < dim; a++) {
      const double gap = fmax(lattice->spacing[a] - 2.0 * own->grain_radius, 0.0);
      x[a] += own->packing == CQ_PACKING_STAGGERED && a != up ? side * lattice->spacing[a] : 0.0;
      x[a] += own->jitter * gap * (cq_rng_uniform(rng) - 0.5);
    }
  }
}

/* Materials stand by their place in the file. */
cq_status cq_granular_read_bodies(cq_scene *scene) {
  cq_granular_model *model = &cq_granular_scene_of(scene)->model;
  CQ_TRY(cq_granular_sort_bodies(scene));
  for (int b = 0; b < scene->config.bodies.count; b++) {
    cq_body *body = &scene->bodies[b];
    cq_rng rng = cq_rng_seed(0x6772616e + (uint64_t)b);
    body->flows = true;
    if (body->rigid) {
      continue;
    }
    CQ_TRY(take_radii(scene, body, &rng));
    if (body->keys->sampling == CQ_SAMPLING_LATTICE) {
      shift_lattice(scene, body, &rng);
    }
  }
  model->n_materials = 1;
  return CQ_OK;
}
