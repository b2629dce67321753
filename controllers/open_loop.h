/* Open loop: a table theta [rows][n_controls] with a row every `hold` steps. u of step k is row
 * floor(k / hold), or, with c->linear, on the line from that row at step floor(k / hold) hold to
 * the next one, hold steps later; the table has a row more then. */
#ifndef CQ_CONTROLLERS_OPEN_LOOP_H
#define CQ_CONTROLLERS_OPEN_LOOP_H

#include "controller.h"
#include "wide.h"

/* The share that the row after row step/hold has in the controls of a step. */
CQ_FN double open_loop_share(const cq_controller *c, int step) {
  return c->linear ? (double)(step % c->hold) / c->hold : 0.0;
}

CQ_FN void open_loop_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                          wide *u, wide *room) {
  const int n = c->n_controls;
  const wide *row = theta + (step / c->hold) * n;
  const double share = open_loop_share(c, step);
  (void)z;
  (void)room;
  for (int i = 0; i < n; i++) {
    u[i] = row[i];
    if (share > 0.0) {
      u[i] = u[i] + share * (row[n + i] - row[i]);
    }
  }
}

/* A control is a mean of two rows at most: its gradient goes to these, by their shares. */
CQ_FN void open_loop_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                             const wide *du, wide *dtheta, wide *dz, wide *room) {
  const int n = c->n_controls;
  wide *drow = dtheta + (step / c->hold) * n;
  const double share = open_loop_share(c, step);
  (void)theta;
  (void)z;
  (void)room;
  (void)dz;
  for (int i = 0; i < n; i++) {
    drow[i] = drow[i] + (1.0 - share) * du[i];
    if (share > 0.0) {
      drow[n + i] = drow[n + i] + share * du[i];
    }
  }
}

#endif
