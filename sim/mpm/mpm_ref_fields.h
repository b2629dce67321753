/* Nodes of fields of the reference loops, whose grids have the same box. */
#ifndef CQ_MPM_REF_FIELDS_H
#define CQ_MPM_REF_FIELDS_H

#include "mpm_ref.h"

#define CQ_FIELDS ref

static inline void fields_box(const ref *c, int field, int *low, int *size) {
  (void)field;
  FOR_AXES(a) {
    low[a] = c->low[a];
    size[a] = c->size[a];
  }
}

static inline size_t field_at(const ref *c, int field, size_t id) {
  return (size_t)field * (size_t)c->size[0] * ref_plane(c) + id;
}

static inline double fields_mass(const ref *c, int field, size_t id) {
  return (double)c->nodes[field_at(c, field, id)].mass;
}

/* of a node whose velocity stays */
static inline void fields_give_mass(ref *c, int field, size_t id, double dmass) {
  const size_t at = field_at(c, field, id);
  c->dmass[at] = K((double)c->dmass[at] + dmass);
}

#include "mpm_slope.h"

#endif
