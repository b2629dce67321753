/* What acts on nodes of the fast engine once all have their velocities (bodies, mirrors): which
 * grids there are, and the way back.
 *
 * dL/d(velocity) of a node is still in two blocks then, of which one may have no part. What works
 * on it takes the sum and puts that back as a whole. */
#ifndef CQ_MPM_CPU_HALVES_H
#define CQ_MPM_CPU_HALVES_H

#include "mpm_cpu.h"

/* of all fields */
static inline int n_grids(const cpu *c) {
  return c->fields != NULL ? c->own->n_fields : 1;
}

static inline const cpu *grid_of(const cpu *c, int field) {
  return c->fields != NULL ? &c->fields[field] : c;
}

static inline cpu *grid_at(cpu *c, int field) {
  return c->fields != NULL ? &c->fields[field] : c;
}

typedef struct halves {
  scalar *low, *high; /* or NULL */
} halves;

static inline scalar *half_of(const cpu *c, int block, size_t at) {
  if (cpu_block_empty(c, block)) {
    return NULL;
  }
  const size_t first = (size_t)block * CQ_BLOCK * c->plane;
  return c->dblocks + (size_t)block * c->block_stride + (at - first) * CQ_QUAD;
}

/* of the node with that number in the box */
static inline halves halves_at(const cpu *c, size_t at) {
  const int block = (int)(at / c->plane) / CQ_BLOCK;
  return (halves){half_of(c, block - 1, at), half_of(c, block, at)};
}

static inline scalar halves_sum(halves h, int axis) {
  const scalar low = h.low != NULL ? h.low[axis] : K(0);
  return low + (h.high != NULL ? h.high[axis] : K(0));
}

static inline void halves_put(halves h, int axis, scalar all) {
  if (h.low != NULL) {
    h.low[axis] = h.high != NULL ? K(0) : all;
  }
  if (h.high != NULL) {
    h.high[axis] = all;
  }
}

/* After the adjoint of the grid: the fourth number of such a node has to be by the velocity that it
 * got. That of a node that a wall holds is; that of a free one is by what it had before. May be
 * called again, as long as no mass has been counted. */
static inline void changed_node(const cpu *c, const int *index, size_t at) {
  const contact *held = NULL;
  const scalar *grid = c->nodes + at * CQ_QUAD, *velocity = c->velocity + at * CQ_QUAD;
  scalar *dnode = c->dnodes + at * CQ_QUAD, sum = dnode[CQ_QUAD - 1];
  if (grid_contacts(&c->g, index, &held) == 0) {
    const scalar inverse = K(1) / grid[CQ_QUAD - 1];
    sum = K(0);
    FOR_AXES(a) {
      sum += dnode[a] * (inverse * grid[a] - velocity[a]);
    }
  }
  dnode[CQ_QUAD - 1] = sum;
}

/* then: dL/d(its mass) besides */
static inline void count_mass(const cpu *c, size_t at, scalar dmass) {
  c->dnodes[at * CQ_QUAD + CQ_QUAD - 1] -= dmass;
}

#endif
