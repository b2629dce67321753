/* Bodies of too few particles: farther apart than a cell they do not share a node, so a solid falls
 * apart and a liquid collapses, and nothing in a run says why. */
#include "mpm_scene.h"
#include "near.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-6; /* in cells */

enum { TEXT = 160 };

/* How far apart the points of a lattice are along the worst axis [cells]; a layer of one point has
 * none beside it. */
static double lattice_gap(const cq_scene *scene, const cq_lattice *lattice) {
  double gap = 0.0;
  for (int a = 0; a < lattice->dim; a++) {
    gap = fmax(gap, lattice->count[a] > 1 ? lattice->spacing[a] / scene->model.length : 0.0);
  }
  return gap;
}

/* Random points of a shape, in a cell. */
static double random_density(const cq_scene *scene, const cq_body *body) {
  double volume = body->shape_volume;
  for (size_t i = 0; i < (size_t)body->count && isnan(volume); i++) {
    volume = cq_body_volume(body, i) * body->count;
  }
  return body->count * pow(scene->model.length, scene->model.dim) / volume;
}

/* Given points that have no other within a cell. */
static cq_status count_lonely(const cq_scene *scene, const cq_body *body, int *count) {
  const double cell = scene->model.length * (1.0 + rounding);
  const size_t dim = (size_t)scene->model.dim;
  cq_arena arena = {.ctx = scene->ctx};
  int *points = NULL, found[2];
  cq_near near;
  *count = 0;
  CQ_TRY(CQ_ARENA(&arena, points, body->count));
  for (int i = 0; i < body->count; i++) {
    points[i] = i;
  }
  const cq_status status =
      cq_near_create(scene->ctx, (int)dim, body->x, points, body->count, cell, &near);
  for (size_t i = 0; i < (size_t)body->count && status == CQ_OK; i++) {
    *count += cq_near_find(&near, body->x + i * dim, cell, 2, found) < 2;
  }
  if (status == CQ_OK) {
    cq_near_destroy(&near);
  }
  cq_arena_release(&arena);
  return status;
}

/* What is sparse about a body, in words, and what to do; "" where nothing is. */
static cq_status describe(const cq_scene *scene, const cq_body *body, char text[TEXT]) {
  const double cell = scene->model.length;
  text[0] = '\0';
  if (cq_mpm_is_rigid(body)) {
    return CQ_OK;
  }
  const int sampling = body->keys->sampling;
  if (sampling == CQ_SAMPLING_LATTICE || sampling == CQ_SAMPLING_JITTERED) {
    const double gap = lattice_gap(scene, &body->lattice);
    if (gap > 1.0 + rounding) {
      snprintf(text, TEXT, "are %.3g cells apart: take a spacing of %g m, half a cell", gap,
               0.5 * cell);
    }
  } else if (sampling == CQ_SAMPLING_RANDOM || sampling == CQ_SAMPLING_BLUE_NOISE) {
    const double density = random_density(scene, body);
    if (density < 1.0 - rounding) {
      snprintf(text, TEXT, "are %.2g a cell: take %.0f, which are four a cell", density,
               ceil(4.0 * body->count / density));
    }
  } else if (body->count > 1) {
    int lonely = 0;
    CQ_TRY(count_lonely(scene, body, &lonely));
    if (2 * lonely > body->count) {
      snprintf(text, TEXT, "are too far apart: %d of %d have no other within a cell, %g m", lonely,
               body->count, cell);
    }
  }
  return CQ_OK;
}

cq_status cq_mpm_check_sparse(const cq_scene *scene) {
  char text[TEXT];
  for (int i = 0; i < scene->config.bodies.count; i++) {
    const cq_body *const body = &scene->bodies[i];
    CQ_TRY(describe(scene, body, text));
    if (text[0] != '\0') {
      cq_log(scene->ctx, CQ_LOG_WARNING,
             "%s: the particles of body \"%s\" %s; more than a cell apart they do not feel each "
             "other, and the body falls apart",
             cq_node_where(body->keys->node).text, body->keys->name, text);
    }
  }
  return CQ_OK;
}

/* The body of a particle. */
static const cq_body *body_of(const cq_scene *scene, int particle) {
  const cq_body *body = scene->bodies;
  while (particle < body->first || particle >= body->first + body->count) {
    body++;
  }
  return body;
}

/* Puts the cause in the place of the usual advice, which is a smaller time step. */
cq_status cq_mpm_explain(const cq_scene *scene, const cq_failure *failure, cq_status status) {
  char text[TEXT] = "", error[1024];
  if (status != CQ_DEFORMED || cq_ctx_status(scene->ctx) != CQ_DEFORMED) {
    return status;
  }
  const cq_body *const body = body_of(scene, failure->particle);
  CQ_TRY(describe(scene, body, text));
  snprintf(error, sizeof error, "%s", cq_ctx_error(scene->ctx));
  char *const advice = strstr(error, "; lower ");
  if (text[0] == '\0' || advice == NULL) {
    return status;
  }
  *advice = '\0';
  cq_ctx_clear_error(scene->ctx);
  return CQ_FAIL(scene->ctx, CQ_DEFORMED,
                 "%s, and the particles of body \"%s\" %s; if that does not help, lower %s", error,
                 body->keys->name, text, advice + strlen("; lower "));
}
