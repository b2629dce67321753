/* Observations of groups, and their adjoint: the loops of both engines. The including file has
 * defined CQ_OBSERVER, its workspace, and
 *
 *   subject observe_load(const CQ_OBSERVER *c, const scalar *state, int p)
 *   void observe_store(CQ_OBSERVER *c, int seed, int p, const subject_adjoint *d)  adds it
 *
 * for the n particles of material; those that rigid bodies carry are the same for both.
 *
 * Sums run over fixed chunks in double, whatever the number of threads. A small group, or one of
 * which only means are wanted, is not worth waking them. z and dz are rows of state k. */
#include "mpm_between.h"
#include "mpm_inputs.h"
#include "mpm_rigid.h"
#include "point/observe.h"

#include <string.h>

static inline request request_of(const cq_model *model, const cq_view *view) {
  const request r = {*view, model->groups[view->group].parameter};
  return r;
}

static inline subject observe_carried(const CQ_OBSERVER *c, int p) {
  subject one;
  double x[CQ_DIM], v[CQ_DIM], s[4];
  memset(&one, 0, sizeof one);
  WIDE(cq_bodies_carried)(c->bodies, p - c->n, x, v, s);
  FOR_AXES(a) {
    one.q.x.v[a] = K(x[a]);
    one.q.v.v[a] = K(v[a]);
  }
  one.q.F = mat_identity();
  one.s = (substance){K(s[0]), K(s[1]), K(s[2]), K(s[3])};
  one.material = c->own->material[p];
  return one;
}

static inline subject observe_subject(const CQ_OBSERVER *c, const scalar *state, int p) {
  return p < c->n ? observe_load(c, state, p) : observe_carried(c, p);
}

static inline int observe_threads(const CQ_OBSERVER *c, const cq_group *g, const request *r) {
  return observe_wants_strain(r) && g->count >= CQ_SERIAL_BELOW ? c->threads : 1;
}

static inline observation observe_chunk(const CQ_OBSERVER *c, const scalar *state,
                                        const cq_group *g, const request *r, int first) {
  const int last = first + CQ_CHUNK < g->count ? first + CQ_CHUNK : g->count;
  observation o = observe_nothing();
  for (int i = first; i < last; i++) {
    const subject one = observe_subject(c, state, g->particles[i]);
    observe_add(&o, r, &one);
  }
  return o;
}

/* The body of which something is wanted of the group; -1: nothing is, or there is none. */
static inline int observe_body_of(const CQ_OBSERVER *c, const cq_group *g, const request *r) {
  bool wanted = false;
  for (int k = CQ_Q_TURN; k < CQ_N_QUANTITIES; k++) {
    wanted = wanted || observe_wants(r, k);
  }
  return wanted ? WIDE(cq_bodies_of_group)(c->bodies, g) : -1;
}

static inline void observe_body(const CQ_OBSERVER *c, const cq_group *g, const request *r,
                                double *z) {
  const int body = observe_body_of(c, g, r);
  double numbers[12] = {0};
  if (body >= 0) {
    WIDE(cq_bodies_motion)(c->bodies, body, numbers);
  }
  for (int k = 0; k < 12; k++) {
    observe_put(r, CQ_Q_TURN + k, 0, numbers[k], z);
  }
}

static inline void observe_body_adjoint(CQ_OBSERVER *c, int seed, const cq_group *g,
                                        const request *r, const double *dz) {
  const int body = observe_body_of(c, g, r);
  double due[12];
  for (int k = 0; body >= 0 && k < 12; k++) {
    const int at = r->at.place[CQ_Q_TURN + k];
    due[k] = at >= 0 ? dz[at] : 0.0;
  }
  if (body >= 0) {
    WIDE(cq_bodies_give_motion)(c->bodies, seed, body, due);
  }
}

/* Force and impulse of the contact that a group stands for, from and to its numbers. */
static inline void observe_contact(const CQ_OBSERVER *c, const cq_group *g, const request *r,
                                   const double *contacts, double *z) {
  const int i = WIDE(cq_between_of_group)(c->between, g);
  for (int k = 0; i >= 0 && k < 3; k++) {
    observe_put(r, CQ_Q_FORCE + k, 0, contacts[i * CQ_BETWEEN_NUMBERS + k], z);
    observe_put(r, CQ_Q_IMPULSE + k, 0, contacts[i * CQ_BETWEEN_NUMBERS + 3 + k], z);
  }
}

static inline void observe_contact_adjoint(CQ_OBSERVER *c, int seed, const cq_group *g,
                                           const request *r, const double *dz) {
  const int i = WIDE(cq_between_of_group)(c->between, g);
  double due[CQ_BETWEEN_NUMBERS];
  for (int k = 0; k < 3; k++) {
    const int force = r->at.place[CQ_Q_FORCE + k], impulse = r->at.place[CQ_Q_IMPULSE + k];
    due[k] = force >= 0 ? dz[force] : 0.0;
    due[3 + k] = impulse >= 0 ? dz[impulse] : 0.0;
  }
  if (i >= 0) {
    WIDE(cq_between_due)(c->between, seed, i, due);
  }
}

/* The numbers of a group at a state. */
static inline void observe_group(CQ_OBSERVER *c, const scalar *state, const double *contacts,
                                 const request *r, double *z) {
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
  observe_body(c, g, r, z);
  observe_contact(c, g, r, contacts, z);
}

static inline void observe_groups(CQ_OBSERVER *c, int k, const scalar *state, const double *rigid,
                                  const double *contacts, double *z) {
  int n = 0;
  WIDE(cq_bodies_look)(c->bodies, rigid);
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  for (int i = 0; i < n; i++) {
    const request r = request_of(c->model, &views[i]);
    observe_group(c, state, contacts, &r, z);
  }
}

/* Each particle gets a part of its own, so that threads need no order; bodies get theirs last. */
static inline void observe_group_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                         const request *r, const double *z, const double *dz) {
  const cq_group *g = &c->model->groups[r->at.group];
  const int threads = observe_threads(c, g, r);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (int i = 0; i < g->count; i++) {
    const int p = g->particles[i];
    const subject one = observe_subject(c, state, p);
    const subject_adjoint d = observe_adjoint(r, &one, c->totals[r->at.group], z, dz);
    if (p < c->n) {
      observe_store(c, seed, p, &d);
    } else {
      const double ds[4] = {d.E, d.nu, d.density, d.volume};
      WIDE(cq_bodies_give)(c->bodies, seed, p - c->n, d.x, d.v, ds);
    }
  }
  observe_body_adjoint(c, seed, g, r, dz);
  observe_contact_adjoint(c, seed, g, r, dz);
}

static inline void observe_groups_adjoint(CQ_OBSERVER *c, int seed, int k, const scalar *state,
                                          const double *rigid, const double *z, const double *dz) {
  int n = 0;
  WIDE(cq_bodies_look)(c->bodies, rigid);
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  for (int i = 0; i < n; i++) {
    const request r = request_of(c->model, &views[i]);
    if (observe_moves(&r, dz)) {
      observe_group_adjoint(c, seed, state, &r, z, dz);
    }
  }
  WIDE(cq_bodies_collect)(c->bodies, seed);
}
