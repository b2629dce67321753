/* Over which time and which distance friction at walls takes the mean of the pressure. What shakes
 * friction are the slowest waves through a body that stands on it, so that the time is some of
 * theirs; what has slid by a small part of a body meets other pressures. Bodies of liquid have no
 * such waves. */
#include "mpm_scene.h"

#include <math.h>

static const double waves = 8.0, part_slid = 0.01;

/* diagonal of the box around the particles of a body */
static double extent_of(const cq_scene *scene, const double *inputs, const cq_body *body) {
  const size_t dim = (size_t)scene->model.dim;
  const double *x = inputs + cq_layout_offset(&scene->layout, "x") + (size_t)body->first * dim;
  double sum = 0.0;
  for (size_t a = 0; a < dim; a++) {
    double low = x[a], high = x[a];
    for (size_t i = 1; i < (size_t)body->count; i++) {
      low = fmin(low, x[i * dim + a]);
      high = fmax(high, x[i * dim + a]);
    }
    sum += (high - low) * (high - low);
  }
  return sqrt(sum);
}

/* mean of what a shear wave takes for a metre */
static double slowness_of(const cq_scene *scene, const double *inputs, const cq_body *body) {
  const double *E = inputs + cq_layout_offset(&scene->layout, "youngs_modulus");
  const double *nu = inputs + cq_layout_offset(&scene->layout, "poisson_ratio");
  const double *density = inputs + cq_layout_offset(&scene->layout, "density");
  double sum = 0.0;
  for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
    sum += sqrt(2.0 * (1.0 + nu[p]) * density[p] / E[p]);
  }
  return sum / body->count;
}

/* The slowest body says for all. */
void cq_mpm_find_friction_time(const cq_scene *scene, const double *inputs) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_mpm_model *model = &cq_mpm_scene_of(scene)->model;
  double time = 0.0, extent = 0.0;
  for (int b = 0; b < scene->config.bodies.count && keys->friction_mean; b++) {
    const cq_body *body = &scene->bodies[b];
    if (body->count > 0 && !body->flows && !cq_mpm_is_rigid(body)) {
      const double size = extent_of(scene, inputs, body);
      extent = fmax(extent, size);
      time = fmax(time, waves * size * slowness_of(scene, inputs, body));
    }
  }
  model->friction_time = time;
  model->friction_slip = part_slid * extent;
}
