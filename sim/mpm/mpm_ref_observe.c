/* Observations of the reference loops. */
#include "mpm_ref.h"

#define CQ_OBSERVER ref

static inline void observe_load(const ref *c, const scalar *state, int p, subject *one) {
  *one = (subject){slab_load(state, c->stride, p), ref_substance(c, p), c->own->material[p]};
}

/* Adds to the slab and the material of a particle. */
static inline void observe_store(ref *c, int seed, int p, const subject_adjoint *d, bool strain) {
  (void)strain; /* what there is not is zero */
  real *state = c->adjoints[seed].state;
  double *sums = c->adjoints[seed].substance + p;
  const size_t n = (size_t)c->n;
  particle to = slab_load(state, c->stride, p);
  FOR_AXES(a) {
    to.x.v[a] += K(d->x[a]);
    to.v.v[a] += K(d->v[a]);
  }
  to.F = mat_add(to.F, d->F);
  slab_store(state, c->stride, p, to);
  sums[0] += d->E;
  sums[n] += d->nu;
  sums[2 * n] += d->density;
  sums[3 * n] += d->volume;
}

#include "mpm_observe.h"

void V(cq_ref_observe)(void *work, int k, const void *state, double *z) {
  observe_groups(work, k, state, ref_bodies(work, state), ref_contacts(work, state), z);
}

void V(cq_ref_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                               const double *dz) {
  observe_groups_adjoint(work, seed, k, state, ref_bodies(work, state), z, dz);
}
