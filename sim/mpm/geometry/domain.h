/* The outer layers of nodes of the grid. Later axes win at edges and corners. */
#ifndef CQ_GEOMETRY_DOMAIN_H
#define CQ_GEOMETRY_DOMAIN_H

#include "wide.h"

typedef struct cq_geometry_domain {
  double low[3], high[3]; /* between them nothing is held [m]: half a cell from the nodes */
} cq_geometry_domain;

/* Nodes 0 .. low[a]-1 and the last high[a] of `grid` nodes on each axis. */
CQ_FN cq_geometry_domain domain_of_layers(const int *grid, double cell, const int *low,
                                          const int *high) {
  cq_geometry_domain g;
  for (int a = 0; a < 3; a++) {
    g.low[a] = (low[a] - 0.5) * cell;
    g.high[a] = (grid[a] - high[a] - 0.5) * cell;
  }
  return g;
}

CQ_FN int domain_holds(const cq_geometry_domain *g, int dim, const double *x, double *normal) {
  int holds = 0;
  for (int a = 0; a < dim; a++) {
    if (x[a] < g->low[a] || x[a] > g->high[a]) {
      for (int b = 0; b < dim; b++) {
        normal[b] = 0.0;
      }
      normal[a] = x[a] < g->low[a] ? 1.0 : -1.0;
      holds = 1;
    }
  }
  return holds;
}

#endif
