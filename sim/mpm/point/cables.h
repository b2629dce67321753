/* From the places of the particles that cables are anchored to, at the beginning of a step, to the
 * impulse each gets, and the adjoint. One after the other: cables have few anchors. The engines
 * bring the impulses to the grid, with the weights of the particles. */
#ifndef CQ_POINT_CABLES_H
#define CQ_POINT_CABLES_H

#include "mpm_cable.h"

/* to [n_points]: sum of share * from [n_points][CQ_ANCHORS] */
CQ_FN void cables_gather(const scalar *share, const vec *from, int n_points, vec *to) {
  for (int j = 0; j < n_points; j++) {
    to[j] = vec_zero();
    for (int k = 0; k < CQ_ANCHORS; k++) {
      to[j] = vec_axpy(to[j], share[j * CQ_ANCHORS + k], from[j * CQ_ANCHORS + k]);
    }
  }
}

/* and its transpose, times factor; overwrites to */
CQ_FN void cables_spread(const scalar *share, const vec *from, int n_points, scalar factor,
                         vec *to) {
  for (int i = 0; i < n_points * CQ_ANCHORS; i++) {
    to[i] = vec_scale(factor * share[i], from[i / CQ_ANCHORS]);
  }
}

/* x to impulse, with tensions w [n_drives] */
CQ_FN void cables_pull(const cables *c, const scalar *w) {
  for (int i = 0; i < c->n_lines; i++) {
    const cable_line *line = &c->lines[i];
    const int first = line->first_anchor, n = line->n_points;
    cables_gather(c->share + first, c->x + first, n, c->point);
    cable_forces(c->point, n, w[line->drive], c->epsilon, c->force);
    cables_spread(c->share + first, c->force, n, c->dt, c->impulse + first);
  }
}

/* x and dimpulse to dx, which is overwritten; adds to dw */
CQ_FN void cables_pull_adjoint(const cables *c, const scalar *w, double *dw) {
  for (int i = 0; i < c->n_lines; i++) {
    const cable_line *line = &c->lines[i];
    const int first = line->first_anchor, n = line->n_points;
    real dtension = K(0);
    cables_gather(c->share + first, c->x + first, n, c->point);
    cables_gather(c->share + first, c->dimpulse + first, n, c->dforce);
    for (int j = 0; j < n; j++) {
      c->dforce[j] = vec_scale(c->dt, c->dforce[j]);
      c->dpoint[j] = vec_zero();
    }
    cable_adjoint(c->point, n, w[line->drive], c->epsilon, c->dforce, c->dpoint, &dtension);
    cables_spread(c->share + first, c->dpoint, n, K(1), c->dx + first);
    dw[line->drive] += (double)dtension;
  }
}

#endif
