/* What can be known to go wrong before the first step. */
#include "alloc.h"
#include "engine_part.h"
#include "open_loop.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* How far each control may be from rest: by the bounds of its actuator, or those of the table where
 * it is designed. */
static void control_bounds(const cq_scene *scene, const double *least, const double *largest,
                           double *away) {
  const size_t n = (size_t)scene->model.n_controls;
  const size_t theta = cq_layout_offset(&scene->layout, "theta");
  for (size_t i = 0; i < n; i++) {
    away[i] = fmax(scene->u_max[i] - scene->u_rest[i], scene->u_rest[i] - scene->u_min[i]);
  }
  const bool table = scene->model.controller.kind == CQ_CONTROLLER_open_loop &&
                     scene->model.controller.joined != OPEN_LOOP_PATH;
  for (size_t j = 0; table && j < (size_t)scene->model.controller.n_parameters; j++) {
    const double rest = scene->u_rest[j % n];
    const double u = fmax(fabs(least[theta + j] - rest), fabs(largest[theta + j] - rest));
    away[j % n] = fmax(away[j % n], u);
  }
}

/* Some controls have a least value that makes sense, whatever bounds a table is given. */
static cq_status check_one_sided(const cq_scene *scene, const double *least) {
  const size_t n = (size_t)scene->model.n_controls;
  const size_t theta = cq_layout_offset(&scene->layout, "theta");
  const bool table = scene->model.controller.kind == CQ_CONTROLLER_open_loop;
  for (size_t j = 0; table && j < (size_t)scene->model.controller.n_parameters; j++) {
    const cq_control *control = &scene->controls[j % n];
    CQ_KEY_CHECK(scene->ctx, !control->one_sided || least[theta + j] >= scene->u_min[j % n],
                 control->actuator, name,
                 "the design lets the control \"%s\" go down to %g, and %g is the least that makes "
                 "sense; raise `lower` of its block",
                 control->name, least[theta + j], scene->u_min[j % n]);
  }
  return CQ_OK;
}

/* How fast a path goes follows from rows that follow each other. */
static cq_status check_path(const cq_scene *scene, const double *least, const double *largest) {
  const cq_controller *c = &scene->model.controller;
  const size_t n = (size_t)scene->model.n_controls,
               theta = cq_layout_offset(&scene->layout, "theta");
  const double *low = least + theta, *high = largest + theta, span = c->hold * c->dt;
  for (size_t j = 0; c->joined == OPEN_LOOP_PATH && j < (size_t)c->n_parameters; j++) {
    const cq_control *control = &scene->controls[j % n];
    const double up = (high[j] - (j < n ? 0.0 : low[j - n])) / span;
    const double down = (low[j] - (j < n ? 0.0 : high[j - n])) / span;
    const double over = fmax(up / scene->u_max[j % n], down / scene->u_min[j % n]);
    char before[32] = "the start";
    if (j >= n) {
      snprintf(before, sizeof before, "row %zu", j / n - 1);
    }
    CQ_KEY_CHECK(scene->ctx, over <= 1.0 + 1e-9, control->actuator, name,
                 "from %s to row %zu of its path it may go at %.4g %s by its bounds, and %g is its "
                 "limit: bring the bounds nearer to those before, or raise controller.hold or max",
                 before, j / n, up > -down ? up : -down, control->unit, scene->u_max[j % n]);
  }
  return CQ_OK;
}

/* Centimetres for metres show here. */
static void warn_of_targets(const cq_scene *scene, const cq_items *terms) {
  const cq_term_keys *keys = terms->items;
  for (int i = 0; i < terms->count; i++) {
    if (keys[i].term != CQ_TERM_distance) {
      continue;
    }
    const double *target = keys[i].own.distance.target;
    for (int a = 0; a < scene->model.dim; a++) {
      const double end = scene->model.room.high[a];
      if (target[a] < 0.0 || target[a] > end) {
        cq_log(scene->ctx, CQ_LOG_WARNING,
               "%s: the target of %s is outside the room: %c = %g m, and the room ends at %g m",
               cq_node_where(keys[i].node).text, cq_node_path(keys[i].node).text, "xyz"[a],
               target[a], end);
        break;
      }
    }
  }
}

/* What holds over the bounds of the design; work for them and for how far controls are from rest.
 */
static cq_status look_at_design(cq_scene *scene, double *work) {
  const size_t total = scene->layout.total;
  double *least = work, *largest = work + total, *away = work + 2 * total;
  memcpy(least, scene->inputs, total * sizeof(double));
  memcpy(largest, scene->inputs, total * sizeof(double));
  cq_design_range(&scene->design, least, largest);
  control_bounds(scene, least, largest, away);
  CQ_TRY(check_path(scene, least, largest));
  CQ_TRY(scene->part->preflight(scene, least, largest, away));
  return check_one_sided(scene, least);
}

cq_status cq_scene_explain(const cq_scene *scene, const cq_failure *failure, cq_status status) {
  const cq_engine_part *const part = scene->part;
  return part->explain != NULL ? part->explain(scene, failure, status) : status;
}

cq_status cq_scene_preflight(cq_scene *scene) {
  double *work = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, work, 2 * scene->layout.total + (size_t)scene->model.n_controls));
  const cq_status status = look_at_design(scene, work);
  cq_free(scene->ctx, work);
  CQ_TRY(status);
  warn_of_targets(scene, &scene->config.objective);
  warn_of_targets(scene, &scene->config.constraints);
  cq_scene_warn_of_launches(scene);
  return cq_scene_check_overlap(scene);
}
