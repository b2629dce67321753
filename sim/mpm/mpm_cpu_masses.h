/* Masses of nodes of the fast engine, field by field, and their slopes. */
#ifndef CQ_MPM_CPU_MASSES_H
#define CQ_MPM_CPU_MASSES_H

#include "mpm_cpu_halves.h"

#include <string.h>

#define CQ_FIELDS cpu

static inline void fields_box(const cpu *c, int field, int *low, int *size) {
  const cpu *v = grid_of(c, field);
  memcpy(low, v->box.low, CQ_DIM * sizeof *low);
  memcpy(size, v->box.size, CQ_DIM * sizeof *size);
}

/* Planes that no particle reaches are not cleared. */
static inline double fields_mass(const cpu *c, int field, size_t id) {
  const cpu *v = grid_of(c, field);
  const bool empty = cpu_plane_empty(v, (int)(id / v->plane));
  return empty ? 0.0 : (double)v->nodes[id * CQ_QUAD + CQ_QUAD - 1];
}

/* of a node whose fourth number has been made */
static inline void fields_give_mass(cpu *c, int field, size_t id, double dmass) {
  scalar *fourth = grid_at(c, field)->dnodes + id * CQ_QUAD + CQ_QUAD - 1;
  *fourth = K((double)*fourth - dmass);
}

#include "mpm_slope.h"

#endif
