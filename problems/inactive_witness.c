/* What is seen of a run: how near bodies come, what deforms, how far controls go. */
#include "inactive.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* How near bodies have come to each other by this step. */
static cq_status look_at_pairs(cq_witness *w, int step, const double *x) {
  const int n = w->n_bodies;
  const double reach = CQ_REACH * w->scene->model.length;
  cq_witness_bounds(w, x);
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      const int at = i * n + j;
      if (w->met_at[at] >= 0 || cq_witness_gap(w, i, j) >= w->nearest[at]) {
        continue;
      }
      double distance = 0.0;
      CQ_TRY(cq_witness_distance(w, x, i, j, w->nearest[at], &distance));
      if (distance < w->nearest[at]) {
        w->nearest[at] = w->nearest[j * n + i] = distance;
        w->nearest_at[at] = w->nearest_at[j * n + i] = step;
      }
      if (distance < reach) {
        w->met_at[at] = w->met_at[j * n + i] = step;
      }
    }
  }
  return CQ_OK;
}

/* Which particles are deformed otherwise than at the start; an engine without a deformation tells
 * nothing. */
static void look_at_shapes(cq_witness *w, const double *state) {
  const cq_scene *scene = w->scene;
  const size_t size = (size_t)(scene->model.dim * scene->model.dim);
  const size_t offset = cq_layout_deformation(&scene->layout);
  if (offset == CQ_NO_INPUT) {
    return;
  }
  const double *F = state + offset, *before = scene->current + offset;
  const double rounding = scene->model.bits == 64 ? 1e-13 : 1e-6;
  for (size_t p = 0; p < (size_t)scene->model.n_particles; p++) {
    for (size_t k = 0; k < size && !w->deformed[p]; k++) {
      w->deformed[p] = fabs(F[p * size + k] - before[p * size + k]) > rounding;
    }
  }
}

static cq_status look(void *user, int step, const double *state) {
  cq_witness *w = user;
  CQ_TRY(cq_ctx_stop_requested(w->scene->ctx));
  const double *x = state + cq_layout_offset(&w->scene->layout, "x");
  look_at_shapes(w, state);
  CQ_TRY(look_at_pairs(w, step, x));
  return cq_drives_look(w, step, x);
}

static void look_at_controls(cq_witness *w) {
  const cq_model *model = &w->scene->model;
  const cq_controller *c = &model->controller;
  const double *u = cq_sim_controls(w->scene->sim);
  w->least_drive = INFINITY;
  for (int k = 0; k < model->steps && c->middle != NULL; k++) {
    for (int i = 0; i < model->n_controls; i++) {
      const double drive =
          fabs(u[(size_t)k * (size_t)model->n_controls + (size_t)i] - c->middle[i]);
      w->least_drive = fmin(w->least_drive, drive / c->strength[i]);
    }
  }
}

cq_status cq_witness_run(cq_scene *scene, cq_witness *w) {
  cq_ctx *ctx = scene->ctx;
  const int bodies = scene->config.bodies.count;
  *w = (cq_witness){.scene = scene, .n_bodies = bodies <= CQ_WITNESSED_BODIES ? bodies : 0};
  const size_t n = (size_t)w->n_bodies, dim = (size_t)scene->model.dim;
  CQ_TRY(CQ_ALLOC(ctx, w->nearest, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->nearest_at, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->met_at, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->low, n * dim));
  CQ_TRY(CQ_ALLOC(ctx, w->high, n * dim));
  CQ_TRY(CQ_ALLOC(ctx, w->deformed, scene->model.n_particles));
  double far = 0.0; /* more than there can be */
  for (int a = 0; a < scene->model.dim; a++) {
    far += scene->model.room.high[a] - scene->model.room.low[a] + scene->model.length;
  }
  for (size_t i = 0; i < n * n; i++) {
    w->nearest[i] = far;
    w->met_at[i] = -1;
  }
  CQ_TRY(cq_drives_begin(w));
  CQ_TRY(cq_sim_visit(scene->sim, scene->current, NULL, scene->model.steps + 1, look, w));
  look_at_controls(w);
  return CQ_OK;
}

void cq_witness_free(cq_witness *w) {
  if (w->scene == NULL) {
    return;
  }
  cq_ctx *ctx = w->scene->ctx;
  cq_free(ctx, w->nearest);
  cq_free(ctx, w->nearest_at);
  cq_free(ctx, w->met_at);
  cq_free(ctx, w->low);
  cq_free(ctx, w->high);
  cq_free(ctx, w->deformed);
  cq_drives_free(w);
}
