/* Observations of groups, and their adjoint. Sums run over fixed chunks in double. */
#include "mpm_cpu.h"

#include "point/observe.h"
#include "status.h"

#include <string.h>

static wide mass_of(const cpu *c, int slot) {
  const scalar *s = c->substance + (size_t)slot * CQ_QUAD;
  return (wide)s[2] * (wide)s[3];
}

static void load_wide(const scalar *records, int slot, wide *x, wide *v) {
  const scalar *r = records + (size_t)slot * CQ_RECORD;
  FOR_AXES(a) {
    x[a] = (wide)r[a];
    v[a] = (wide)r[CQ_DIM + a];
  }
}

static void observe_chunk(const cpu *c, const scalar *records, const cq_group *g, int first,
                          observation *o) {
  const int last = first + CQ_CHUNK < g->count ? first + CQ_CHUNK : g->count;
  memset(o, 0, sizeof *o);
  for (int i = first; i < last; i++) {
    wide x[CQ_DIM], v[CQ_DIM];
    const int slot = c->slot[g->particles[i]];
    load_wide(records, slot, x, v);
    observe_add(o, mass_of(c, slot), x, v);
  }
}

void V(cq_cpu_observe)(void *work, const void *state, double *z) {
  cpu *c = work;
  const scalar *records = V(cq_cpu_view)(c, state).records;
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    observation total = {0}, o;
    for (int first = 0; first < g->count; first += CQ_CHUNK) {
      observe_chunk(c, records, g, first, &o);
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

static void add_particle_adjoint(cpu *c, cpu_adjoint *adjoint, const scalar *records, int slot,
                                 wide total, const double *z, const double *dz) {
  wide x[CQ_DIM], v[CQ_DIM], dx[CQ_DIM] = {0}, dv[CQ_DIM] = {0};
  load_wide(records, slot, x, v);
  const wide dmass = observe_adjoint(mass_of(c, slot), total, x, v, z, dz, dx, dv);
  scalar *to = adjoint->records + (size_t)slot * CQ_RECORD;
  FOR_AXES(a) {
    to[a] += K(dx[a]);
    to[CQ_DIM + a] += K(dv[a]);
  }
  const scalar *s = c->substance + (size_t)slot * CQ_QUAD;
  double *sums = adjoint->substance + (size_t)slot * CQ_QUAD;
  sums[2] += (double)s[3] * dmass;
  sums[3] += (double)s[2] * dmass;
}

void V(cq_cpu_observe_adjoint)(void *work, int seed, const void *state, const double *z,
                               const double *dz) {
  cpu *c = work;
  const scalar *records = V(cq_cpu_view)(c, state).records;
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    const double *gz = z + k * CQ_Z_SIZE, *gdz = dz + k * CQ_Z_SIZE;
    bool any = false;
    for (int i = 0; i < CQ_Z_SIZE; i++) {
      any = any || gdz[i] != 0.0;
    }
    for (int i = 0; any && i < g->count; i++) {
      add_particle_adjoint(c, &c->adjoints[seed], records, c->slot[g->particles[i]],
                           c->group_mass[k], gz, gdz);
    }
  }
}
