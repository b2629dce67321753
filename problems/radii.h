/* How large particles are where they are taken one by one: balls (2D: discs) of their volume, or of
 * half their spacing where they are parts of a continuum. */
#ifndef CQ_PROBLEMS_RADII_H
#define CQ_PROBLEMS_RADII_H

#include "engine_part.h"
#include "scene.h"

static inline double cq_root_of(const cq_scene *scene, double volume) {
  return scene->model.dim == 2 ? sqrt(volume) : cbrt(volume);
}

/* Half the spacing that the file gives its body. The volume of a particle may be another: a file
 * may set it, as its mass. */
static inline double cq_half_spacing(const cq_scene *scene, const cq_body *body, size_t particle) {
  if (body->spacing > 0.0) {
    return 0.5 * body->spacing;
  }
  const double each = body->shape_volume / body->count;
  return 0.5 * cq_root_of(scene, isnan(each) ? cq_body_volume(body, particle) : each);
}

/* Of a particle of a body, by its number there, that has this volume now. */
static inline double cq_radius_of(const cq_scene *scene, const cq_body *body, size_t particle,
                                  double volume) {
  static const double pi = 3.14159265358979323846;
  if (scene->part->balls) {
    return cq_root_of(scene, scene->model.dim == 2 ? volume / pi : 0.75 * volume / pi);
  }
  return cq_half_spacing(scene, body, particle) *
         cq_root_of(scene, volume / cq_body_volume(body, particle));
}

/* Of all particles of a body, with the volumes of these inputs: radii [n_particles], where they
 * are.
 */
static inline void cq_radii_of(const cq_scene *scene, const cq_body *body, const double *inputs,
                               double *radii) {
  const double *volumes = inputs + cq_layout_offset(&scene->layout, "volume");
  for (int p = body->first; p < body->first + body->count; p++) {
    radii[p] = cq_radius_of(scene, body, (size_t)(p - body->first), volumes[p]);
  }
}

#endif
