#include "mpm_cable.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

/* part of a cell at which the length of a segment is rounded off */
static const double rounding = 1e-3;

static bool is_cable(const cq_actuator *a) {
  return cq_actuations[a->kind].acts == CQ_ACTS_CABLE;
}

static cq_status allocate(cq_ctx *ctx, cables *c, int longest) {
  CQ_TRY(CQ_ALLOC(ctx, c->particle, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->share, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->x, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->impulse, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->dx, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->dimpulse, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->point, longest));
  CQ_TRY(CQ_ALLOC(ctx, c->force, longest));
  CQ_TRY(CQ_ALLOC(ctx, c->dpoint, longest));
  return CQ_ALLOC(ctx, c->dforce, longest);
}

cq_status V(cq_cables_create)(cq_ctx *ctx, const cq_model *model, cables *c) {
  int longest = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &model->actuators[i];
    if (is_cable(a)) {
      c->n_anchors += a->n_points * CQ_ANCHORS;
      longest = a->n_points > longest ? a->n_points : longest;
    }
  }
  CQ_TRY(allocate(ctx, c, longest));
  int n = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &model->actuators[i];
    for (int k = 0; is_cable(a) && k < a->n_points * CQ_ANCHORS; k++, n++) {
      c->particle[n] = a->anchors[k].particle;
      c->share[n] = K(a->anchors[k].share);
    }
  }
  return CQ_OK;
}

void V(cq_cables_free)(cq_ctx *ctx, cables *c) {
  void *const owned[] = {c->particle, c->share, c->x,     c->impulse, c->dx,
                         c->dimpulse, c->point, c->force, c->dpoint,  c->dforce};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
}

/* to [n_points]: sum of share * from [n_points][CQ_ANCHORS] */
static void gather_points(const scalar *share, const vec *from, int n_points, vec *to) {
  for (int j = 0; j < n_points; j++) {
    to[j] = vec_zero();
    for (int k = 0; k < CQ_ANCHORS; k++) {
      to[j] = vec_axpy(to[j], share[j * CQ_ANCHORS + k], from[j * CQ_ANCHORS + k]);
    }
  }
}

/* and its transpose, times factor; overwrites to */
static void spread_points(const scalar *share, const vec *from, int n_points, scalar factor,
                          vec *to) {
  for (int i = 0; i < n_points * CQ_ANCHORS; i++) {
    to[i] = vec_scale(factor * share[i], from[i / CQ_ANCHORS]);
  }
}

void V(cq_cables_pull)(cables *c, const cq_model *model, const scalar *w) {
  const scalar epsilon = K(rounding * model->cell);
  int first = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &model->actuators[i];
    if (is_cable(a)) {
      gather_points(c->share + first, c->x + first, a->n_points, c->point);
      cable_forces(c->point, a->n_points, w[a->first_drive], epsilon, c->force);
      spread_points(c->share + first, c->force, a->n_points, K(model->dt), c->impulse + first);
      first += a->n_points * CQ_ANCHORS;
    }
  }
}

void V(cq_cables_pull_adjoint)(cables *c, const cq_model *model, const scalar *w, double *dw) {
  const scalar epsilon = K(rounding * model->cell), dt = K(model->dt);
  int first = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &model->actuators[i];
    if (is_cable(a)) {
      real dtension = K(0);
      gather_points(c->share + first, c->x + first, a->n_points, c->point);
      gather_points(c->share + first, c->dimpulse + first, a->n_points, c->dforce);
      for (int j = 0; j < a->n_points; j++) {
        c->dforce[j] = vec_scale(dt, c->dforce[j]);
      }
      memset(c->dpoint, 0, (size_t)a->n_points * sizeof *c->dpoint);
      cable_adjoint(c->point, a->n_points, w[a->first_drive], epsilon, c->dforce, c->dpoint,
                    &dtension);
      spread_points(c->share + first, c->dpoint, a->n_points, K(1), c->dx + first);
      dw[a->first_drive] += (double)dtension;
      first += a->n_points * CQ_ANCHORS;
    }
  }
}
