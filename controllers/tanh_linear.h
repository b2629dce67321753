/* Feedback of ChainQueen, section V-B: u = middle + strength tanh(W s + b), s the features.
 * Parameters: W [n_controls][n_features] row by row, then b [n_controls]. With clocks for features
 * it is DiffTaichi's sum of sines, whose parameters are redundant where clocks are half a period
 * apart.
 */
#ifndef CQ_CONTROLLERS_TANH_LINEAR_H
#define CQ_CONTROLLERS_TANH_LINEAR_H

#include "affine.h"
#include "feature.h"

CQ_FN int tanh_linear_parameters(const cq_controller *c) {
  return affine_parameters(c->n_features, c->n_controls);
}

CQ_FN void tanh_linear_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                            wide *u, wide *room) {
  wide *s = room;
  features_eval(c, z, step, s);
  CQ_TEAM_WAIT();
  affine_eval(theta, c->n_features, s, c->n_controls, u);
  FOR_TEAM(i, c->n_controls) {
    u[i] = c->middle[i] + c->strength[i] * cq_wide_tanh(u[i]);
  }
}

CQ_FN void tanh_linear_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                               const wide *du, wide *dtheta, wide *dz, wide *room) {
  wide *s = room, *ds = s + CQ_MOST_FEATURES, *y = ds + CQ_MOST_FEATURES;
  wide *dy = y + CQ_MOST_CONTROLS;
  features_eval(c, z, step, s);
  CQ_TEAM_WAIT();
  affine_eval(theta, c->n_features, s, c->n_controls, y);
  FOR_TEAM(i, c->n_controls) {
    const wide t = cq_wide_tanh(y[i]);
    dy[i] = du[i] * c->strength[i] * (1.0 - t * t);
  }
  CQ_TEAM_WAIT();
  affine_adjoint(theta, c->n_features, s, c->n_controls, dy, dtheta, ds);
  CQ_TEAM_WAIT();
  features_adjoint(c, ds, dz);
}

#endif
