/* How large particles are where they are taken one by one: balls (2D: discs) of their volume, or
 * half the spacing of those that are parts of a continuum. */
#ifndef CQ_PROBLEMS_RADII_H
#define CQ_PROBLEMS_RADII_H

#include "engine_part.h"
#include "scene.h"

static inline double cq_radius_of(const cq_scene *scene, double volume) {
  const double pi = 3.14159265358979323846;
  const bool plane = scene->model.dim == 2;
  if (!scene->part->balls) {
    return 0.5 * (plane ? sqrt(volume) : cbrt(volume));
  }
  return plane ? sqrt(volume / pi) : cbrt(0.75 * volume / pi);
}

#endif
