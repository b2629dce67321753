/* Over which time and which distance friction takes the mean of the pressure. What shakes friction
 * are the slowest waves through a body that stands on it, so that the time is some of theirs; what
 * has slid by a small part of a body meets other pressures. Bodies of liquid have no such waves. */
#include "mpm_scene.h"

#include "bodies.h"

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

/* how long a body is, and a mean on it; 0: none */
typedef struct span {
  double extent, time;
} span;

static span span_of(const cq_scene *scene, const double *inputs, const cq_body *body) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  span s = {0.0, 0.0};
  if (keys->friction_mean && body->count > 0 && !body->flows && !cq_mpm_is_rigid(body)) {
    s.extent = extent_of(scene, inputs, body);
    s.time = waves * s.extent * slowness_of(scene, inputs, body);
  }
  return s;
}

static bool rubs(const cq_scene *scene, int kind, int wall) {
  return kind == CQ_BOUNDARY_separate &&
         (scene->walls[wall].friction > 0.0 || cq_mpm_designs_friction(scene));
}

/* On a rigid body as at walls, but that what slides may be the body. */
static void of_rigid(const cq_scene *scene, span largest, const cq_rigid *rigid,
                     cq_mpm_rigid *meeting) {
  if (meeting->meets && rubs(scene, (int)meeting->kind, meeting->wall)) {
    meeting->friction_time = largest.time;
    meeting->friction_slip = part_slid * fmin(largest.extent, 2.0 * rigid->reach);
  }
}

/* Of two bodies that meet the smaller one stands on the other, and slides on it. */
static void of_contact(const cq_scene *scene, const double *inputs, cq_mpm_contact *contact) {
  const int *field = cq_mpm_scene_of(scene)->model.field;
  span least = {0.0, 0.0};
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const bool meets = body->count > 0 && (field[body->first] == contact->field[0] ||
                                           field[body->first] == contact->field[1]);
    const span s = meets ? span_of(scene, inputs, body) : (span){0.0, 0.0};
    if (s.time > 0.0 && (least.time == 0.0 || s.extent < least.extent)) {
      least = s;
    }
  }
  if (rubs(scene, (int)contact->kind, contact->wall)) {
    contact->friction_time = least.time;
    contact->friction_slip = part_slid * least.extent;
  }
}

/* At walls the slowest body says for all. */
void cq_mpm_find_friction_time(const cq_scene *scene, const double *inputs) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  span largest = {0.0, 0.0};
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const span s = span_of(scene, inputs, &scene->bodies[b]);
    largest.extent = fmax(largest.extent, s.extent);
    largest.time = fmax(largest.time, s.time);
  }
  own->model.friction_time = largest.time;
  own->model.friction_slip = part_slid * largest.extent;
  for (int i = 0; i < own->rigids.n; i++) {
    of_rigid(scene, largest, &own->rigid[i], &own->meetings[i]);
  }
  for (int i = 0; i < own->model.n_contacts; i++) {
    of_contact(scene, inputs, &own->contacts[i]);
  }
}
