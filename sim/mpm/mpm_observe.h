/* Observations of groups, and their adjoint: the loops of both engines. The including file has
 * defined CQ_OBSERVER, its workspace, and
 *
 *   subject observe_load(const CQ_OBSERVER *c, const scalar *state, int p)
 *   void observe_store(CQ_OBSERVER *c, int seed, int p, const subject_adjoint *d)  adds it
 *
 * Sums run over fixed chunks in double, whatever the number of threads. A small group, or one of
 * which only means are wanted, is not worth waking them. z and dz are rows of state k. */
#include "point/observe.h"

static inline request request_of(const cq_model *model, const cq_view *view) {
  const request r = {*view, model->groups[view->group].parameter};
  return r;
}

static inline int observe_threads(const CQ_OBSERVER *c, const cq_group *g, const request *r) {
  return observe_wants_strain(r) && g->count >= CQ_SERIAL_BELOW ? c->threads : 1;
}

static inline observation observe_chunk(const CQ_OBSERVER *c, const scalar *state,
                                        const cq_group *g, const request *r, int first) {
  const int last = first + CQ_CHUNK < g->count ? first + CQ_CHUNK : g->count;
  observation o = observe_nothing();
  for (int i = first; i < last; i++) {
    const subject one = observe_load(c, state, g->particles[i]);
    observe_add(&o, r, &one);
  }
  return o;
}

static inline void observe_group(CQ_OBSERVER *c, const scalar *state, const request *r, double *z) {
  const cq_group *g = &c->model->groups[r->at.group];
  const int n_chunks = (g->count + CQ_CHUNK - 1) / CQ_CHUNK, threads = observe_threads(c, g, r);
  observation sum = observe_nothing();
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (int i = 0; i < n_chunks; i++) {
    c->observations[i] = observe_chunk(c, state, g, r, i * CQ_CHUNK);
  }
  for (int i = 0; i < n_chunks; i++) {
    observe_merge(&sum, r, &c->observations[i]);
  }
  c->totals[r->at.group] = sum.total;
  observe_result(&sum, r, z);
}

static inline void observe_groups(CQ_OBSERVER *c, int k, const scalar *state, double *z) {
  int n = 0;
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  for (int i = 0; i < n; i++) {
    const request r = request_of(c->model, &views[i]);
    observe_group(c, state, &r, z);
  }
}

static inline void observe_group_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                         const request *r, const double *z, const double *dz) {
  const cq_group *g = &c->model->groups[r->at.group];
  const int threads = observe_threads(c, g, r);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (int i = 0; i < g->count; i++) {
    const int p = g->particles[i];
    const subject one = observe_load(c, state, p);
    const subject_adjoint d = observe_adjoint(r, &one, c->totals[r->at.group], z, dz);
    observe_store(c, seed, p, &d);
  }
}

static inline void observe_groups_adjoint(CQ_OBSERVER *c, int seed, int k, const scalar *state,
                                          const double *z, const double *dz) {
  int n = 0;
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  for (int i = 0; i < n; i++) {
    const request r = request_of(c->model, &views[i]);
    if (observe_moves(&r, dz)) {
      observe_group_adjoint(c, seed, state, &r, z, dz);
    }
  }
}
