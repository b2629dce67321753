/* Where fields of the reference loops meet, and the adjoint. */
#include "mpm_ref_fields.h"

static inline void fields_momentum(const ref *c, int field, size_t id, double *p) {
  FOR_AXES(a) {
    p[a] = (double)c->nodes[field_at(c, field, id)].momentum.v[a];
  }
}

static inline void fields_push(ref *c, int field, size_t id, const int *index,
                               const double *impulse) {
  vec *p = &c->nodes[field_at(c, field, id)].momentum;
  (void)index;
  FOR_AXES(a) {
    p->v[a] = K((double)p->v[a] + impulse[a]);
  }
}

static inline void fields_due(const ref *c, int field, size_t id, double *dmomentum) {
  FOR_AXES(a) {
    dmomentum[a] = (double)c->dnodes[field_at(c, field, id)].v[a];
  }
}

/* dL/dm of a node is -mean . dL/dp + dmass, with the mean velocity after fields have met. */
static inline void fields_give(ref *c, int field, size_t id, const double *dmomentum,
                               const double *before, double dmass) {
  const size_t at = field_at(c, field, id);
  FOR_AXES(a) {
    c->dnodes[at].v[a] = K((double)c->dnodes[at].v[a] + dmomentum[a]);
    dmass += dmomentum[a] * ((double)c->mean[at].v[a] - before[a]);
  }
  fields_give_mass(c, field, id, dmass);
}

#include "mpm_between_walk.h"

cq_status V(cq_ref_between)(ref *c, const double *state) {
  return fields_meet(c, state);
}

void V(cq_ref_between_adjoint)(ref *c, int seed) {
  fields_meet_adjoint(c, seed);
}
