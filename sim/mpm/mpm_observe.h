/* Observations of groups, and their adjoint: the loops of both engines. The including file has
 * defined CQ_OBSERVER, its workspace, and
 *
 *   void observe_load(const CQ_OBSERVER *c, const scalar *state, int p, subject *one)
 *   void observe_store(CQ_OBSERVER *c, int seed, int p, const subject_adjoint *d, bool strain)
 *                                    adds it; strain: there is more than by x, v and the mass
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

static inline void observe_carried(const CQ_OBSERVER *c, int p, subject *one) {
  double x[CQ_DIM], v[CQ_DIM], s[4];
  memset(one, 0, sizeof *one);
  WIDE(cq_bodies_carried)(c->bodies, p - c->n, x, v, s);
  FOR_AXES(a) {
    one->q.x.v[a] = K(x[a]);
    one->q.v.v[a] = K(v[a]);
  }
  one->q.F = mat_identity();
  one->s = (substance){K(s[0]), K(s[1]), K(s[2]), K(s[3])};
  one->material = c->own->material[p];
}

/* The particles of a chunk that is done at once: those of material come first. */
typedef struct observe_range {
  const int *particles;
  int n_soft, n;
} observe_range;

static inline observe_range observe_range_of(const CQ_OBSERVER *c, const cq_group *g, int first) {
  const int left = g->count - first;
  observe_range range = {.particles = g->particles + first, .n = left < CQ_CHUNK ? left : CQ_CHUNK};
  range.n_soft = range.n;
  while (range.n_soft > 0 && range.particles[range.n_soft - 1] >= c->n) {
    range.n_soft--;
  }
  return range;
}

static inline int observe_n_chunks(const cq_group *g) {
  return (g->count + CQ_CHUNK - 1) / CQ_CHUNK;
}

static inline int observe_threads(const CQ_OBSERVER *c, const cq_group *g, const request *r) {
  return observe_wants_strain(r) && g->count >= CQ_SERIAL_BELOW ? c->threads : 1;
}

/* Adds the particles of material. strain is a constant where this is called: a loop over means
 * alone, which networks ask for at every step, has nothing else in it. */
CQ_FN void observe_soft(const CQ_OBSERVER *c, const scalar *state, const request *r,
                        observe_range range, bool strain, observation *o) {
  for (int i = 0; i < range.n_soft; i++) {
    subject one;
    observe_load(c, state, range.particles[i], &one);
    observe_add_means(o, &one);
    if (strain) {
      observe_add_strain(o, r, &one);
    }
  }
}

/* the sums of chunk i */
static inline observation observe_chunk(const CQ_OBSERVER *c, const scalar *state,
                                        const cq_group *g, const request *r, int i) {
  const observe_range range = observe_range_of(c, g, i * CQ_CHUNK);
  observation o = observe_nothing();
  if (observe_wants_strain(r)) {
    observe_soft(c, state, r, range, true, &o);
  } else {
    observe_soft(c, state, r, range, false, &o);
  }
  for (int k = range.n_soft; k < range.n; k++) {
    subject one;
    observe_carried(c, range.particles[k], &one);
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

static inline void observe_chunks(CQ_OBSERVER *c, const scalar *state, const cq_group *g,
                                  const request *r, int first, int end) {
  for (int i = first; i < end; i++) {
    c->observations[i] = observe_chunk(c, state, g, r, i);
  }
}

/* The numbers of a group at a state. Opening a team for one thread would cost 0.2 us a step. */
static inline void observe_group(CQ_OBSERVER *c, const scalar *state, const double *contacts,
                                 const request *r, double *z) {
  const cq_group *g = &c->model->groups[r->at.group];
  const int n_chunks = observe_n_chunks(g), threads = observe_threads(c, g, r);
  observation sum = observe_nothing();
  if (threads == 1) {
    observe_chunks(c, state, g, r, 0, n_chunks);
  } else {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < n_chunks; i++) {
      observe_chunks(c, state, g, r, i, i + 1);
    }
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

/* Of the particles of material; strain is a constant here, too. */
CQ_FN void observe_soft_adjoint(CQ_OBSERVER *c, int seed, const scalar *state, const request *r,
                                observe_range range, const double *z, const double *dz,
                                bool strain) {
  const group_sums total = c->totals[r->at.group];
  const means_due due = observe_means_due(r, z, dz);
  for (int i = 0; i < range.n_soft; i++) {
    subject one;
    observe_load(c, state, range.particles[i], &one);
    subject_adjoint d = observe_means_adjoint(&due, &one, total.mass);
    if (strain) {
      observe_strain_adjoint(r, &one, total.volume, z, dz, &d);
    }
    observe_store(c, seed, range.particles[i], &d, strain);
  }
}

static inline void observe_chunk_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                         const cq_group *g, const request *r, int i,
                                         const double *z, const double *dz) {
  const observe_range range = observe_range_of(c, g, i * CQ_CHUNK);
  if (observe_wants_strain(r)) {
    observe_soft_adjoint(c, seed, state, r, range, z, dz, true);
  } else {
    observe_soft_adjoint(c, seed, state, r, range, z, dz, false);
  }
  for (int k = range.n_soft; k < range.n; k++) {
    const int p = range.particles[k];
    subject one;
    observe_carried(c, p, &one);
    const subject_adjoint d = observe_adjoint(r, &one, c->totals[r->at.group], z, dz);
    const double ds[4] = {d.E, d.nu, d.density, d.volume};
    WIDE(cq_bodies_give)(c->bodies, seed, p - c->n, d.x, d.v, ds);
  }
}

static inline void observe_chunks_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                          const cq_group *g, const request *r, int first, int end,
                                          const double *z, const double *dz) {
  for (int i = first; i < end; i++) {
    observe_chunk_adjoint(c, seed, state, g, r, i, z, dz);
  }
}

/* Each particle gets a part of its own, so that threads need no order; bodies get theirs last. */
static inline void observe_group_adjoint(CQ_OBSERVER *c, int seed, const scalar *state,
                                         const request *r, const double *z, const double *dz) {
  const cq_group *g = &c->model->groups[r->at.group];
  const int n_chunks = observe_n_chunks(g), threads = observe_threads(c, g, r);
  if (threads == 1) {
    observe_chunks_adjoint(c, seed, state, g, r, 0, n_chunks, z, dz);
  } else {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < n_chunks; i++) {
      observe_chunks_adjoint(c, seed, state, g, r, i, i + 1, z, dz);
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
