/* Observations of groups, and their adjoint. Sums run over fixed chunks in double. */
#include "mpm_ref.h"

#include <string.h>

static wide mass_of(const ref *c, int p) {
  const substance s = ref_substance(c, p);
  return (wide)s.density * (wide)s.volume;
}

static void load_wide(const ref *c, const real *state, int p, wide *x, wide *v) {
  const particle q = ref_load(state, c->stride, p);
  FOR_AXES(a) {
    x[a] = (wide)q.x.v[a];
    v[a] = (wide)q.v.v[a];
  }
}

static void observe_chunk(const ref *c, const real *state, const cq_group *g, int first,
                          observation *o) {
  const int last = first + CQ_CHUNK < g->count ? first + CQ_CHUNK : g->count;
  memset(o, 0, sizeof *o);
  for (int i = first; i < last; i++) {
    wide x[CQ_DIM], v[CQ_DIM];
    const int p = g->particles[i];
    load_wide(c, state, p, x, v);
    observe_add(o, mass_of(c, p), x, v);
  }
}

void V(cq_ref_observe)(void *work, const void *state, double *z) {
  ref *c = work;
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    observation total = {0}, o;
    for (int first = 0; first < g->count; first += CQ_CHUNK) {
      observe_chunk(c, state, g, first, &o);
      total.mass += o.mass;
      for (int i = 0; i < CQ_Z_SIZE; i++) {
        total.sum[i] += o.sum[i];
      }
    }
    c->group_mass[k] = total.mass;
    for (int i = 0; i < CQ_Z_SIZE; i++) {
      z[k * CQ_Z_SIZE + i] = total.sum[i] / total.mass;
    }
  }
}

static void add_particle_adjoint(ref *c, ref_adjoint *adjoint, const real *state, int p, wide total,
                                 const double *z, const double *dz) {
  wide x[CQ_DIM], v[CQ_DIM], dx[CQ_DIM] = {0}, dv[CQ_DIM] = {0};
  load_wide(c, state, p, x, v);
  const wide dmass = observe_adjoint(mass_of(c, p), total, x, v, z, dz, dx, dv);
  particle d = ref_load(adjoint->state, c->stride, p);
  FOR_AXES(a) {
    d.x.v[a] += K(dx[a]);
    d.v.v[a] += K(dv[a]);
  }
  ref_store(adjoint->state, c->stride, p, d);
  const substance s = ref_substance(c, p);
  const size_t n = (size_t)c->n;
  adjoint->substance[2 * n + (size_t)p] += (double)s.volume * dmass;
  adjoint->substance[3 * n + (size_t)p] += (double)s.density * dmass;
}

void V(cq_ref_observe_adjoint)(void *work, int seed, const void *state, const double *z,
                               const double *dz) {
  ref *c = work;
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    const double *gz = z + k * CQ_Z_SIZE, *gdz = dz + k * CQ_Z_SIZE;
    bool any = false;
    for (int i = 0; i < CQ_Z_SIZE; i++) {
      any = any || gdz[i] != 0.0;
    }
    for (int i = 0; any && i < g->count; i++) {
      add_particle_adjoint(c, &c->adjoints[seed], state, g->particles[i], c->group_mass[k], gz,
                           gdz);
    }
  }
}
