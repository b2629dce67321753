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
  const cq_boundary *wall = &own->boundaries[at->wall];
  double x[CQ_DIM], deep_cells = -1e-9;
  FOR_AXES(a) {
    x[a] = (double)index[a] * own->cell;
    deep_cells += 2.0 * fabs((double)at->normal[a]);
  }
  return own->friction_time > 0.0 && wall->kind == CQ_BOUNDARY_separate && !wall->smooth &&
         cq_shape_distance(&wall->shape, x) > -deep_cells * own->cell;
}

/* Mass of a node at a depth below the flat face of a body that ends at a wall, as a part of that of
 * a node within the body: what is left of the weight of the transfer, a quadratic B-spline. */
static inline double wall_part(double cells) {
  const double rest = 1.5 - cells;
  return cells < 0.5 ? 0.5 - cells * (0.75 - cells * cells / 3.0)
                     : (rest > 0.0 ? rest * rest * rest / 6.0 : 0.0);
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
    c->touch = K(walls[i].touch * wall_part(-distance / cell) * pow(cell, CQ_DIM));
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
