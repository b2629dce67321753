/* Observations of groups, and their adjoint: the loops of both engines. The including file has
 * defined CQ_OBSERVER, its workspace, and
 *
 *   subject observe_load(const CQ_OBSERVER *c, const scalar *state, int p)
 *   void observe_store(CQ_OBSERVER *c, int seed, int p, const subject_adjoint *d)  adds it
 *
 * Sums run over fixed chunks in double, whatever the number of threads. A small group, or one of
 * which only means are asked, is not worth waking them. */
#include "point/observe.h"

static inline request request_of(const cq_group *g) {
  const request r = {g->quantities, g->stress_exponent};
  return r;
}

static inline int observe_threads(const CQ_OBSERVER *c, const cq_group *g) {
  return g->quantities != 0 && g->count >= CQ_SERIAL_BELOW ? c->threads : 1;
}

static inline observation observe_chunk(const CQ_OBSERVER *c, const scalar *state,
                                        const cq_group *g, int first) {
  const request r = request_of(g);
  const int last = first + CQ_CHUNK < g->count ? first + CQ_CHUNK : g->count;
  observation o = observe_nothing();
  for (int i = first; i < last; i++) {
    const subject one = observe_load(c, state, g->particles[i]);
    observe_add(&o, &r, &one);
  }
  return o;
}

static inline void observe_groups(CQ_OBSERVER *c, const scalar *state, double *z) {
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    const request r = request_of(g);
    const int n_chunks = (g->count + CQ_CHUNK - 1) / CQ_CHUNK, threads = observe_threads(c, g);
    observation total = observe_nothing();
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int i = 0; i < n_chunks; i++) {
      c->observations[i] = observe_chunk(c, state, g, i * CQ_CHUNK);
    }
    for (int i = 0; i < n_chunks; i++) {
      observe_merge(&total, &r, &c->observations[i]);
    }
    c->group_volume[k] = total.volume;
    observe_result(&total, &r, z + k * CQ_Z_SIZE);
  }
}

static inline void observe_groups_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                          const double *z, const double *dz) {
  for (int k = 0; k < c->model->n_groups; k++) {
    const cq_group *g = &c->model->groups[k];
    const request r = request_of(g);
    const double *gz = z + k * CQ_Z_SIZE, *gdz = dz + k * CQ_Z_SIZE;
    const int threads = observe_threads(c, g);
    bool any = false;
    for (int i = 0; i < CQ_Z_SIZE; i++) {
      any = any || gdz[i] != 0.0;
    }
    const int count = any ? g->count : 0;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int i = 0; i < count; i++) {
      const int p = g->particles[i];
      const subject one = observe_load(c, state, p);
      const subject_adjoint d = observe_adjoint(&r, &one, c->group_volume[k], gz, gdz);
      observe_store(c, seed, p, &d);
    }
  }
}
