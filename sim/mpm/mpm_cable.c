#include "mpm_cable.h"

#include "alloc.h"
#include "status.h"

/* part of a cell at which the length of a segment is rounded off */
static const double rounding = 1e-3;

static bool is_cable(const cq_actuator *a) {
  return cq_actuations[a->kind].acts == CQ_ACTS_CABLE;
}

static cq_status allocate(cq_ctx *ctx, cables *c) {
  CQ_TRY(CQ_ALLOC(ctx, c->lines, c->n_lines));
  CQ_TRY(CQ_ALLOC(ctx, c->particle, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->share, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->x, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->impulse, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->dx, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->dimpulse, c->n_anchors));
  CQ_TRY(CQ_ALLOC(ctx, c->point, c->longest));
  CQ_TRY(CQ_ALLOC(ctx, c->force, c->longest));
  CQ_TRY(CQ_ALLOC(ctx, c->dpoint, c->longest));
  return CQ_ALLOC(ctx, c->dforce, c->longest);
}

static void count(const cq_model *model, cables *c) {
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &cq_mpm_of(model)->actuators[i];
    if (is_cable(a)) {
      c->n_lines++;
      c->n_anchors += a->n_points * CQ_ANCHORS;
      c->longest = a->n_points > c->longest ? a->n_points : c->longest;
    }
  }
}

/* All cables in one list of lines and anchors. */
cq_status V(cq_cables_create)(cq_ctx *ctx, const cq_model *model, cables *c) {
  c->dt = K(model->dt);
  c->epsilon = K(rounding * cq_mpm_of(model)->cell);
  count(model, c);
  CQ_TRY(allocate(ctx, c));
  int n = 0, line = 0;
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *a = &cq_mpm_of(model)->actuators[i];
    if (is_cable(a)) {
      c->lines[line++] = (cable_line){n, a->n_points, a->first_drive};
    }
    for (int k = 0; is_cable(a) && k < a->n_points * CQ_ANCHORS; k++, n++) {
      c->particle[n] = a->anchors[k].particle;
      c->share[n] = K(a->anchors[k].share);
    }
  }
  return CQ_OK;
}

void V(cq_cables_free)(cq_ctx *ctx, cables *c) {
  void *const owned[] = {c->lines,    c->particle, c->share, c->x,      c->impulse, c->dx,
                         c->dimpulse, c->point,    c->force, c->dpoint, c->dforce};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
}
