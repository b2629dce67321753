/* Open loop: a table theta [rows][n_controls] with a row every `hold` steps. u of step k is row
 * floor(k / hold), or, with lines between rows, on the line from that row at step floor(k / hold)
 * hold to the next one, hold steps later; the table has a row more then.
 *
 * Of a path the rows are places, and u is the slope of the uniform quadratic B-spline that has
 * them as control points, after two at 0. So what goes at the rate u begins at 0 and at rest, and
 * is never beyond the least and the largest of its rows and 0: bounds of rows bound it. Between two
 * rows the slope is linear, and its value in the middle of a step makes the sum of the steps exact.
 */
#ifndef CQ_CONTROLLERS_OPEN_LOOP_H
#define CQ_CONTROLLERS_OPEN_LOOP_H

#include "controller.h"
#include "team.h"
#include "wide.h"

/* c->joined */
typedef enum open_loop_joined {
  OPEN_LOOP_HELD,   /* a row is held */
  OPEN_LOOP_LINEAR, /* lines between rows */
  OPEN_LOOP_PATH    /* slopes of a spline by rows, which are places */
} open_loop_joined;

/* The share that the row after row step/hold has in the controls of a step. */
CQ_FN double open_loop_share(const cq_controller *c, int step) {
  return c->joined == OPEN_LOOP_LINEAR ? (double)(step % c->hold) / c->hold : 0.0;
}

/* The shares of the rows step/hold - 2, the next and the one after it in a slope [1/s]. */
CQ_FN void open_loop_slope(const cq_controller *c, int step, double *share) {
  const double span = c->hold * c->dt, along = (step % c->hold + 0.5) / c->hold;
  share[0] = -(1.0 - along) / span;
  share[1] = (1.0 - 2.0 * along) / span;
  share[2] = along / span;
}

CQ_FN void open_loop_eval(const cq_controller *c, const wide *theta, const wide *z, int step,
                          wide *u, wide *room) {
  const int n = c->n_controls;
  const wide *row = theta + (step / c->hold) * n;
  const double share = open_loop_share(c, step);
  (void)z;
  (void)room;
  if (c->joined == OPEN_LOOP_PATH) {
    double slope[3];
    open_loop_slope(c, step, slope);
    FOR_TEAM(i, n) {
      u[i] = slope[2] * row[i];
      for (int k = 1; k <= 2 && step / c->hold >= k; k++) {
        u[i] = u[i] + slope[2 - k] * row[i - k * n];
      }
    }
    return;
  }
  FOR_TEAM(i, n) {
    u[i] = row[i];
    if (share > 0.0) {
      u[i] = u[i] + share * (row[n + i] - row[i]);
    }
  }
}

/* A control is a sum of rows by their shares: its gradient goes to these. */
CQ_FN void open_loop_adjoint(const cq_controller *c, const wide *theta, const wide *z, int step,
                             const wide *du, wide *dtheta, wide *dz, wide *room) {
  const int n = c->n_controls;
  wide *drow = dtheta + (step / c->hold) * n;
  const double share = open_loop_share(c, step);
  (void)theta;
  (void)z;
  (void)room;
  (void)dz;
  if (c->joined == OPEN_LOOP_PATH) {
    double slope[3];
    open_loop_slope(c, step, slope);
    FOR_TEAM(i, n) {
      for (int k = 0; k <= 2 && step / c->hold >= k; k++) {
        drow[i - k * n] = drow[i - k * n] + slope[2 - k] * du[i];
      }
    }
    return;
  }
  FOR_TEAM(i, n) {
    drow[i] = drow[i] + (1.0 - share) * du[i];
    if (share > 0.0) {
      drow[n + i] = drow[n + i] + share * du[i];
    }
  }
}

#endif
