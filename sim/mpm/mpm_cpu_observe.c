/* Observations of the fast engine. */
#include "mpm_cpu.h"
#include "point/observe.h"

#include <string.h>

#define CQ_OBSERVER cpu

static inline void observe_load(const cpu *c, const scalar *records, int p, subject *one) {
  const int slot = c->slot[p];
  const scalar *s = c->substance + (size_t)slot * CQ_QUAD;
  one->s = (substance){s[0], s[1], s[2], s[3]};
  one->material = c->own->material[p];
  const scalar *at = records + (size_t)slot * CQ_RECORD;
  FOR_AXES(a) {
    one->q.x.v[a] = at[a];
    one->q.v.v[a] = at[CQ_DIM + a];
    FOR_AXES(b) {
      one->q.F.m[a][b] = at[2 * CQ_DIM + a * CQ_DIM + b];
    }
  }
}

/* Adds to the record and the material of a particle. */
static inline void observe_store(cpu *c, int seed, int p, const subject_adjoint *d, bool strain) {
  const int slot = c->slot[p];
  scalar *to = c->adjoints[seed].records + (size_t)slot * CQ_RECORD;
  double *sums = c->adjoints[seed].substance + (size_t)slot * CQ_QUAD;
  FOR_AXES(a) {
    to[a] += K(d->x[a]);
    to[CQ_DIM + a] += K(d->v[a]);
  }
  sums[2] += d->density;
  sums[3] += d->volume;
  if (!strain) {
    return;
  }
  FOR_AXES(a) {
    FOR_AXES(b) {
      to[2 * CQ_DIM + a * CQ_DIM + b] += d->F.m[a][b];
    }
  }
  sums[0] += d->E;
  sums[1] += d->nu;
}

#include "mpm_observe.h"

void V(cq_cpu_observe)(void *work, int k, const void *state, double *z) {
  cpu *c = work;
  const cpu_state s = V(cq_cpu_view)(c, state);
  observe_groups(c, k, s.records, s.bodies, s.contacts, z);
}

void V(cq_cpu_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                               const double *dz) {
  cpu *c = work;
  const cpu_state s = V(cq_cpu_view)(c, state);
  observe_groups_adjoint(c, seed, k, s.records, s.bodies, z, dz);
}
