/* Bodies that overlap: particles of one that are inside the shape of another, or nearer to a
 * particle of it than half the spacing of particles. Random particles have no spacing. */
#include "alloc.h"
#include "near.h"
#include "scene.h"
#include "status.h"

#include <math.h>

/* lowest and highest coordinates of the particles of a body */
typedef struct bounds {
  double low[3], high[3];
} bounds;

static bounds bounds_of(const cq_body *body) {
  const size_t dim = (size_t)body->shape.dim;
  bounds b;
  for (size_t a = 0; a < dim; a++) {
    b.low[a] = INFINITY;
    b.high[a] = -INFINITY;
    for (size_t i = 0; i < (size_t)body->count; i++) {
      b.low[a] = fmin(b.low[a], body->x[i * dim + a]);
      b.high[a] = fmax(b.high[a], body->x[i * dim + a]);
    }
  }
  return b;
}

/* Can the bodies touch at all? */
static bool meet(const cq_model *model, const bounds *a, const bounds *b) {
  for (int i = 0; i < model->dim; i++) {
    if (a->low[i] > b->high[i] + model->length || b->low[i] > a->high[i] + model->length) {
      return false;
    }
  }
  return true;
}

/* Deeper inside the shape of the body than rounding explains. */
static bool is_inside(const cq_scene *scene, const cq_body *body, const double *x) {
  return !body->cut && body->keys->sampling != CQ_SAMPLING_POINTS &&
         cq_shape_distance(&body->shape, x) < -1e-6 * scene->model.length;
}

/* near has the particles of a */
static void check_pair(const cq_scene *scene, const cq_near *near, const cq_body *a,
                       const cq_body *b) {
  const size_t dim = (size_t)scene->model.dim;
  const double limit = fmin(0.5 * fmin(a->spacing, b->spacing), scene->model.length);
  int of_a = 0, of_b = 0, found;
  for (size_t i = 0; i < (size_t)a->count; i++) {
    of_a += is_inside(scene, b, a->x + i * dim);
  }
  for (size_t i = 0; i < (size_t)b->count; i++) {
    const double *x = b->x + i * dim;
    of_b += is_inside(scene, a, x) || cq_near_find(near, x, limit, 1, &found) > 0;
  }
  if (of_a + of_b > 0) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "bodies \"%s\" and \"%s\" overlap: %d particles of \"%s\" and %d of \"%s\" are inside "
           "the other body, or nearer to its particles than half their spacing",
           a->keys->name, b->keys->name, of_a, a->keys->name, of_b, b->keys->name);
  }
}

/* Each pair of bodies whose boxes meet. */
static cq_status check_all(const cq_scene *scene, bounds *all) {
  const int n = scene->config.bodies.count;
  for (int i = 0; i < n; i++) {
    all[i] = bounds_of(&scene->bodies[i]);
  }
  for (int i = 0; i + 1 < n; i++) {
    cq_near near;
    CQ_TRY(cq_near_create(scene->ctx, scene->model.dim, scene->x, scene->sets[1 + i].particles,
                          scene->bodies[i].count, scene->model.length, &near));
    for (int j = i + 1; j < n; j++) {
      const cq_body *a = &scene->bodies[i], *b = &scene->bodies[j];
      if (!a->holds && !b->holds && !(a->unmoved && b->unmoved) &&
          meet(&scene->model, &all[i], &all[j])) {
        check_pair(scene, &near, a, b);
      }
    }
    cq_near_destroy(&near);
  }
  return CQ_OK;
}

cq_status cq_scene_check_overlap(cq_scene *scene) {
  bounds *all = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, all, scene->config.bodies.count));
  const cq_status status = check_all(scene, all);
  cq_free(scene->ctx, all);
  return status;
}
