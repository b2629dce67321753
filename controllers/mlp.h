/* A multilayer perceptron of the features: hidden layers of tanh or relu units, then
 * u = middle + strength tanh(W h + b). Parameters: for each layer W row by row, then b. */
#ifndef CQ_CONTROLLERS_MLP_H
#define CQ_CONTROLLERS_MLP_H

#include "affine.h"
#include "feature.h"

/* numbers that layer k reads; layer n_layers gives the controls */
CQ_FN int mlp_inputs(const cq_controller *c, int k) {
  return k == 0 ? c->n_features : c->units[k - 1];
}

CQ_FN int mlp_outputs(const cq_controller *c, int k) {
  return k == c->n_layers ? c->n_controls : c->units[k];
}

/* where the parameters of layer k begin; k = n_layers + 1: their number */
CQ_FN int mlp_offset(const cq_controller *c, int k) {
  int offset = 0;
  for (int i = 0; i < k; i++) {
    offset += affine_parameters(mlp_inputs(c, i), mlp_outputs(c, i));
  }
  return offset;
}

CQ_FN int mlp_parameters(const cq_controller *c) {
  return mlp_offset(c, c->n_layers + 1);
}

/* of the room: what layer k reads, x_0 the features; what the last one gives before its tanh stands
 * after them */
CQ_FN wide *mlp_row(wide *room, int k) {
  return room + k * CQ_MOST_FEATURES;
}

CQ_FN wide mlp_activate(const cq_controller *c, wide y) {
  if (c->activation == CQ_ACTIVATION_TANH) {
    return cq_wide_tanh(y);
  }
  return y > 0.0 ? y : y * 0.0;
}

/* derivative of the activation from its value */
CQ_FN wide mlp_slope(const cq_controller *c, wide h) {
  if (c->activation == CQ_ACTIVATION_TANH) {
    return 1.0 - h * h;
  }
  return h > 0.0 ? 1.0 : 0.0;
}

CQ_FN void mlp_forward(const cq_controller *c, const wide *theta, const wide *z, int step,
                       wide *room) {
  features_eval(c, z, step, mlp_row(room, 0));
  CQ_TEAM_WAIT();
  for (int k = 0; k <= c->n_layers; k++) {
    wide *y = mlp_row(room, k + 1);
    affine_eval(theta + mlp_offset(c, k), mlp_inputs(c, k), mlp_row(room, k), mlp_outputs(c, k), y);
    FOR_TEAM(i, k < c->n_layers ? c->units[k] : 0) {
      y[i] = mlp_activate(c, y[i]);
    }
    CQ_TEAM_WAIT();
  }
}

CQ_FN void mlp_eval(const cq_controller *c, const wide *theta, const wide *z, int step, wide *u,
                    wide *room) {
  const wide *y = mlp_row(room, c->n_layers + 1);
  mlp_forward(c, theta, z, step, room);
  FOR_TEAM(i, c->n_controls) {
    u[i] = c->middle[i] + c->strength[i] * cq_wide_tanh(y[i]);
  }
}

/* Evaluates again for what the layers read, which is not kept, then goes back layer by layer. */
CQ_FN void mlp_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                       const wide *du, wide *dtheta, wide *dz, wide *room) {
  const wide *y = mlp_row(room, c->n_layers + 1);
  wide *dy = mlp_row(room, CQ_MOST_LAYERS + 2), *dx = mlp_row(room, CQ_MOST_LAYERS + 3);
  mlp_forward(c, theta, z, step, room);
  FOR_TEAM(i, c->n_controls) {
    const wide t = cq_wide_tanh(y[i]);
    dy[i] = du[i] * c->strength[i] * (1.0 - t * t);
  }
  CQ_TEAM_WAIT();
  for (int k = c->n_layers; k >= 0; k--) {
    const int offset = mlp_offset(c, k), n = mlp_inputs(c, k);
    affine_adjoint(theta + offset, n, mlp_row(room, k), mlp_outputs(c, k), dy, dtheta + offset, dx);
    CQ_TEAM_WAIT();
    FOR_TEAM(i, k > 0 ? n : 0) {
      dy[i] = dx[i] * mlp_slope(c, mlp_row(room, k)[i]);
    }
    CQ_TEAM_WAIT();
  }
  features_adjoint(c, dx, dz);
}

#endif
