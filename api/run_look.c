/* Depth images of a run. */
#include "run.h"

#include "alloc.h"
#include "cameras.h"
#include "map.h"

cq_status cq_run_open_images(cq_run *run) {
  const cq_scene *const scene = run->file->scene;
  if (scene->n_cameras == 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(run->ctx, run->radii, run->model.n_particles));
  CQ_TRY(CQ_ALLOC(run->ctx, run->state, scene->layout.state_total));
  return CQ_ALLOC(run->ctx, run->maps, (size_t)run->model.n_boundaries * CQ_MAP);
}

/* Once for all cameras that look at a state. */
static void take_state(cq_run *run) {
  if (!run->sized) {
    cq_scene_seen_radii(run->file->scene, cq_stepper_inputs(run->stepper), run->radii);
    run->sized = true;
  }
  if (!run->sees) {
    cq_stepper_state(run->stepper, run->state);
    cq_stepper_walls(run->stepper, run->maps);
    run->sees = true;
  }
}

cq_status cq_run_look(cq_run *run, int image, double *out, size_t n) {
  CQ_TRY(cq_run_begin_reset(run));
  const cq_scene *const scene = run->file->scene;
  CQ_TRY(cq_api_index(run->ctx, "image", image, scene->n_cameras));
  const cq_scene_camera *const camera = &scene->cameras[image];
  CQ_TRY(cq_api_length(run->ctx, camera->keys->name, out, n, cq_camera_pixels(camera)));
  take_state(run);
  cq_scene_look(scene, image, run->radii, run->state, run->maps, out);
  return CQ_OK;
}
