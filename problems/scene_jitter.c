/* Where a run begins: the inputs of a design, and a start that is moved at random, for runs that
 * are chaotic. */
#include "scene.h"

#include "rng.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* of a ball, or a disc, of this volume */
static double radius_of(int dim, double volume) {
  return dim == 2 ? sqrt(volume / pi) : cbrt(0.75 * volume / pi);
}

/* After the design, so that one that says where particles begin is moved as well. */
static void move_particles(const cq_scene *scene, const cq_body *body, double part, cq_rng *rng,
                           double *inputs) {
  const int dim = scene->model.dim;
  double *const x = inputs + cq_layout_offset(&scene->layout, "x");
  const double *const volume = inputs + cq_layout_offset(&scene->layout, "volume");
  for (int p = body->first; p < body->first + body->count; p++) {
    const double most = part * radius_of(dim, volume[p]);
    for (int a = 0; a < dim; a++) {
      x[(size_t)p * (size_t)dim + (size_t)a] += most * (2.0 * cq_rng_uniform(rng) - 1.0);
    }
  }
}

/* What the design leaves alone is where the last run had it: moves must not add up. */
static void put_back(const cq_scene *scene, double *inputs) {
  const size_t at = cq_layout_offset(&scene->layout, "x");
  const size_t n = (size_t)scene->model.n_particles * (size_t)scene->model.dim;
  memcpy(inputs + at, scene->inputs + at, n * sizeof *inputs);
}

/* The draws follow from the seeds of the start and the number of the body alone. */
void cq_scene_take_design(const cq_scene *scene, const double *x, double *inputs) {
  const cq_simulation_keys *const keys = &scene->config.simulation;
  if (keys->start_jitter > 0.0) {
    put_back(scene, inputs);
  }
  cq_design_apply(&scene->design, x, inputs);
  for (int b = 0; keys->start_jitter > 0.0 && b < scene->config.bodies.count; b++) {
    const uint64_t seed = (uint64_t)keys->start_seed << 32 | (uint64_t)keys->start_repeat;
    cq_rng rng = cq_rng_seed(seed * 0x9e3779b97f4a7c15u + (uint64_t)b);
    if (!scene->bodies[b].rigid) {
      move_particles(scene, &scene->bodies[b], keys->start_jitter, &rng, inputs);
    }
  }
}
