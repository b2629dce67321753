/* y = W x + b with parameters (W row by row, then b), and its adjoint. A team shares the rows, and
 * on the way back the columns, so that each sum is one thread's and has one order. */
#ifndef CQ_CONTROLLERS_AFFINE_H
#define CQ_CONTROLLERS_AFFINE_H

#include "team.h"
#include "wide.h"

CQ_FN int affine_parameters(int n_in, int n_out) {
  return n_out * (n_in + 1);
}

CQ_FN void affine_eval(const wide *theta, int n_in, const wide *x, int n_out, wide *y) {
  const wide *b = theta + n_out * n_in;
  FOR_TEAM(i, n_out) {
    wide sum = b[i];
    for (int j = 0; j < n_in; j++) {
      sum = sum + theta[i * n_in + j] * x[j];
    }
    y[i] = sum;
  }
}

/* Adds to dtheta; dx is overwritten. */
CQ_FN void affine_adjoint(const wide *theta, int n_in, const wide *x, int n_out, const wide *dy,
                          wide *dtheta, wide *dx) {
  wide *db = dtheta + n_out * n_in;
  FOR_TEAM(j, n_in) {
    dx[j] = 0.0;
  }
  FOR_TEAM(i, n_out) {
    db[i] = db[i] + dy[i];
  }
  for (int i = 0; i < n_out; i++) {
    FOR_TEAM(j, n_in) {
      dtheta[i * n_in + j] = dtheta[i * n_in + j] + dy[i] * x[j];
      dx[j] = dx[j] + theta[i * n_in + j] * dy[i];
    }
  }
}

#endif
