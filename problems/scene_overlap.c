/* Bodies that overlap: particles of two of them within a quarter of a cell. */
#include "near.h"
#include "scene.h"
#include "status.h"

static const double near_cells = 0.25;

static void check_pair(const cq_scene *scene, const cq_near *near, const cq_body *a,
                       const cq_body *b) {
  int count = 0, found;
  for (int i = 0; i < b->count; i++) {
    count += cq_near_find(near, near->x + (size_t)(b->first + i) * (size_t)scene->model.dim, 1, &found);
  }
  if (count > 0) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "bodies \"%s\" and \"%s\" overlap: %d particles of \"%s\" are within a quarter of a cell "
        "of the other's",
        a->keys->name, b->keys->name, count, b->keys->name);
  }
}

cq_status cq_scene_check_overlap(cq_scene *scene) {
  const double *x = scene->current + scene->layout.offset[CQ_INPUT_x];
  for (int i = 0; i + 1 < scene->config.bodies.count; i++) {
    const cq_body *body = &scene->bodies[i];
    cq_near near;
    CQ_TRY(cq_near_create(scene->ctx, scene->model.dim, x, scene->sets[1 + i].particles,
                          body->count, near_cells * scene->model.cell, &near));
    for (int j = i + 1; j < scene->config.bodies.count; j++) {
      check_pair(scene, &near, body, &scene->bodies[j]);
    }
    cq_near_destroy(&near);
  }
  return CQ_OK;
}
