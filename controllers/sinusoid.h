/* A central pattern generator: u = middle + strength tanh(b + A sin(rate t + phase)), for each
 * control an amplitude A, a phase [rad] and a bias b, the rate [rad/s] fixed or one more parameter
 * for all. Parameters: A, phase, b [n_controls] each, then the rate where it is learned. */
#ifndef CQ_CONTROLLERS_SINUSOID_H
#define CQ_CONTROLLERS_SINUSOID_H

#include "controller.h"
#include "team.h"
#include "wide.h"

CQ_FN int sinusoid_parameters(const cq_controller *c) {
  return 3 * c->n_controls + (c->learns_rate ? 1 : 0);
}

CQ_FN wide sinusoid_angle(const cq_controller *c, const wide *theta, int step, int i) {
  const int n = c->n_controls;
  const wide phase = theta[n + i];
  const double time = step * c->dt;
  return c->learns_rate ? theta[3 * n] * time + phase : c->rate * time + phase;
}

CQ_FN void sinusoid_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                         wide *u, wide *room) {
  (void)z;
  (void)room;
  const int n = c->n_controls;
  FOR_TEAM(i, n) {
    const wide wave = cq_wide_sin(sinusoid_angle(c, theta, step, i));
    u[i] = c->middle[i] + c->strength[i] * cq_wide_tanh(theta[2 * n + i] + theta[i] * wave);
  }
}

/* Back through tanh and sine; the controller observes nothing, so dz stays as it is. */
CQ_FN void sinusoid_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                            const wide *du, wide *dtheta, wide *dz, wide *room) {
  (void)z;
  (void)dz;
  const int n = c->n_controls;
  wide *dangle = room;
  FOR_TEAM(i, n) {
    const wide angle = sinusoid_angle(c, theta, step, i), wave = cq_wide_sin(angle);
    const wide t = cq_wide_tanh(theta[2 * n + i] + theta[i] * wave);
    const wide dy = du[i] * c->strength[i] * (1.0 - t * t);
    dangle[i] = dy * theta[i] * cq_wide_cos(angle);
    dtheta[i] = dtheta[i] + dy * wave;
    dtheta[n + i] = dtheta[n + i] + dangle[i];
    dtheta[2 * n + i] = dtheta[2 * n + i] + dy;
  }
  CQ_TEAM_WAIT();
  for (int i = 0; c->learns_rate && CQ_TEAM_MINE(0) && i < n; i++) {
    dtheta[3 * n] = dtheta[3 * n] + (step * c->dt) * dangle[i];
  }
}

#endif
