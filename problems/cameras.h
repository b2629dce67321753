/* Cameras of a file: depth images of what there is at a state. Particles are balls of their volume,
 * or of half their spacing where they are parts of a continuum; walls, tools and rigid bodies that
 * others meet by their shape are seen as that, and not by their particles. */
#ifndef CQ_PROBLEMS_CAMERAS_H
#define CQ_PROBLEMS_CAMERAS_H

#include "eye.h"
#include "scene.h"

struct cq_scene_camera {
  const cq_camera_keys *keys;
  cq_eye eye; /* where the file has it */
  int wall;   /* that carries it; -1: it stands still */
};

/* scene->cameras; the walls are known. */
cq_status cq_scene_read_cameras(cq_scene *scene);
/* [n_particles] how large particles are seen; 0: not at all. */
void cq_scene_seen_radii(const cq_scene *scene, const double *inputs, double *radii);
/* The image [high][wide] of a camera, of a state on the host with the layout of the states in the
 * inputs, and maps of the walls (cq_sim_walls). */
void cq_scene_look(const cq_scene *scene, int camera, const double *radii, const double *state,
                   const double *maps, double *image);
static inline size_t cq_camera_pixels(const struct cq_scene_camera *camera) {
  return (size_t)camera->eye.high * (size_t)camera->eye.wide;
}

#endif
