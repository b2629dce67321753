/* Which walls hold a node. Decided in double in every variant, from positions that are whole
 * numbers of cells. */
#ifndef CQ_MPM_WALLS_H
#define CQ_MPM_WALLS_H

#include "mpm_model.h"
#include "point/grid.h"

/* Has a contact of the node a mean pressure? What comes from outside goes on into a wall as long as
 * one of its nodes is free, so that it reaches those which are two cells from a free one along each
 * axis, and none that are deeper. */
static inline bool wall_remembers(const cq_mpm_model *own, const contact *at, const int *index) {
  double x[CQ_DIM], deep_cells = -1e-9;
  FOR_AXES(a) {
    x[a] = (double)index[a] * own->cell;
    deep_cells += 2.0 * fabs((double)at->normal[a]);
  }
  return cq_mpm_wall_remembers(own, at->wall) &&
         cq_shape_distance(&own->boundaries[at->wall].shape, x) > -deep_cells * own->cell;
}

/* Those of a node, at most CQ_MAX_BOUNDARIES. */
static inline int walls_at(const cq_boundary *walls, int n_walls, double cell, const int *index,
                           contact *contacts) {
  double x[CQ_DIM], normal[CQ_DIM];
  int n = 0;
  FOR_AXES(a) {
    x[a] = (double)index[a] * cell;
  }
  for (int i = 0; i < n_walls; i++) {
    const double distance = cq_shape_distance(&walls[i].shape, x);
    if (walls[i].mirror || !(distance < 0.0)) {
      continue;
    }
    const int alone = walls[i].kind == CQ_BOUNDARY_sticky;
    contact *c = &contacts[alone ? 0 : n];
    cq_shape_normal(&walls[i].shape, x, normal);
    c->wall = i;
    c->slot = -1;
    c->touch = K(walls[i].touch * share_at_depth(-distance / cell) * pow(cell, CQ_DIM));
    FOR_AXES(a) {
      c->normal[a] = K(normal[a]);
    }
    if (alone) {
      return 1;
    }
    n++;
  }
  return n;
}

#endif
