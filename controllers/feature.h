/* What feedback controllers read, s [n_features], and the pull-back of ds to the observation. */
#ifndef CQ_CONTROLLERS_FEATURE_H
#define CQ_CONTROLLERS_FEATURE_H

#include "controller.h"
#include "team.h"
#include "wide.h"

CQ_FN void features_eval(const cq_controller *c, const wide *z, int step, wide *s) {
  FOR_TEAM(i, c->n_features) {
    const cq_feature *f = &c->features[i];
    if (f->kind == CQ_FEATURE_OBSERVED) {
      s[i] = f->scale * (z[f->index] - f->center);
    } else {
      const double value =
          f->kind == CQ_FEATURE_CLOCK ? sin(f->rate * (step * c->dt) + f->phase) : f->value;
      s[i] = f->scale * (value - f->center);
    }
  }
}

/* Several features may read one number of the observation, so a team shares these. */
CQ_FN void features_adjoint(const cq_controller *c, const wide *ds, wide *dz) {
  for (int i = 0; i < c->n_features; i++) {
    const cq_feature *f = &c->features[i];
    if (f->kind == CQ_FEATURE_OBSERVED && CQ_TEAM_MINE(f->index)) {
      dz[f->index] = dz[f->index] + f->scale * ds[i];
    }
  }
}

#endif
