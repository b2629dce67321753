/* The solver's loops: blocks of 16 contacts, LANES of them at a time. Rows of grains are
 * transposed in registers on their way in and out. */
#include "grains_hot.h"

#include "lane_rows.h"
#include "point/contact.h"

static inline real load(const scalar *from) {
  return *(const real_memory *)from;
}

static inline void store(scalar *to, real from) {
  *(real_memory *)to = from;
}

/* lanes first .. first + LANES of a block */
static inline contact load_contact(const block *b, int first) {
  contact c;
  FOR_AXES(a) {
    c.n.v[a] = load(b->n[a] + first);
  }
  c.arm = load(b->arm + first);
  c.kn = load(b->kn + first);
  c.kt = load(b->kt + first);
  c.kr = load(b->kr + first);
  c.bias = load(b->bias + first);
  c.friction = load(b->friction + first);
  c.roll = load(b->roll + first);
  c.pull = load(b->pull + first);
  return c;
}

static inline impulse load_impulse(const block *b, int first) {
  impulse p;
  p.pn = load(b->p[0] + first);
  FOR_AXES(a) {
    p.pt.v[a] = load(b->p[1 + a] + first);
  }
  FOR_SPINS(k) {
    p.pr.v[k] = load(b->p[1 + CQ_DIM + k] + first);
  }
  return p;
}

static inline void store_impulse(block *b, int first, const impulse *p) {
  store(b->p[0] + first, p->pn);
  FOR_AXES(a) {
    store(b->p[1 + a] + first, p->pt.v[a]);
  }
  FOR_SPINS(k) {
    store(b->p[1 + CQ_DIM + k] + first, p->pr.v[k]);
  }
}

static inline mover load_mover(const scalar *rows, const int *index) {
  const lanes l = {LANES, index};
  real r[GRAIN_ROW];
  mover m;
  load_scalars(rows, &l, GRAIN_ROW, 0, GRAIN_ROW, r);
  FOR_AXES(a) {
    m.v.v[a] = r[ROW_V + a];
  }
  FOR_SPINS(k) {
    m.w.v[k] = r[ROW_W + k];
  }
  m.im = r[ROW_IM];
  m.ii = r[ROW_II];
  return m;
}

/* Whole rows go back, masses too, for the lanes of all their numbers are transposed together. */
static inline void store_mover(scalar *rows, const int *index, const mover *m) {
  const lanes l = {LANES, index};
  real r[GRAIN_ROW];
  for (int k = 0; k < GRAIN_ROW; k++) {
    r[k] = real_splat(K(0));
  }
  FOR_AXES(a) {
    r[ROW_V + a] = m->v.v[a];
  }
  FOR_SPINS(k) {
    r[ROW_W + k] = m->w.v[k];
  }
  r[ROW_IM] = m->im;
  r[ROW_II] = m->ii;
  store_scalars(rows, &l, LANES, GRAIN_ROW, GRAIN_ROW, r);
}

static inline mover load_surface(const surface_block *s, int first) {
  mover m;
  FOR_AXES(a) {
    m.v.v[a] = load(s->v[a] + first);
  }
  FOR_SPINS(k) {
    m.w.v[k] = load(s->w[k] + first);
  }
  m.im = m.ii = real_splat(K(0));
  return m;
}

/* Adds what changed from `old` to `now` to the rows. */
static inline void add_change(scalar *rows, const int *index, const mover *now, const mover *old) {
  mover to = load_mover(rows, index);
  to.v = vec_add(to.v, vec_sub(now->v, old->v));
  to.w = spin_add(to.w, spin_sub(now->w, old->w));
  store_mover(rows, index, &to);
}

/* Asks for the block that comes some blocks after block k. Of many grains they do not stay in the
 * second cache from iteration to iteration, and would be waited for; of few it costs more than it
 * gains. Calls that do nothing else are left out by gcc, unless they are always inlined. */
__attribute__((always_inline)) static inline void ask_ahead(const grains *g, const group *of,
                                                            int k) {
  enum { AHEAD = 4, LINE = 64, MANY = 10000 };
  if (g->n > MANY && k + AHEAD < of->n_blocks) {
    const char *b = (const char *)&of->blocks[k + AHEAD];
    for (size_t at = 0; at < sizeof(block); at += LINE) {
      __builtin_prefetch(b + at, 1);
    }
  }
}

static inline void solve_pairs(const grains *g, scalar *rows, const group *of, int rolls) {
  for (int k = 0; k < of->n_blocks; k++) {
    ask_ahead(g, of, k);
    block *b = &of->blocks[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(b, first);
      impulse p = load_impulse(b, first);
      mover i = load_mover(rows, b->i + first), j = load_mover(rows, b->j + first);
      contact_solve(&c, &p, &i, &j, 0, rolls);
      store_impulse(b, first, &p);
      store_mover(rows, b->i + first, &i);
      store_mover(rows, b->j + first, &j);
    }
  }
}

static inline void solve_surfaces(scalar *rows, const group *of, int rolls) {
  for (int k = 0; k < of->n_surfaces; k++) {
    surface_block *s = &of->surfaces[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(&s->b, first);
      impulse p = load_impulse(&s->b, first);
      mover i = load_mover(rows, s->b.i + first), j = load_surface(s, first);
      contact_solve(&c, &p, &i, &j, 1, rolls);
      store_impulse(&s->b, first, &p);
      store_mover(rows, s->b.i + first, &i);
    }
  }
}

/* An iteration of Gauss-Seidel over a group. */
void H(cq_grains_solve)(const grains *g, scalar *rows, const group *of) {
  if (g->rolls) {
    solve_pairs(g, rows, of, 1);
    solve_surfaces(rows, of, 1);
  } else {
    solve_pairs(g, rows, of, 0);
    solve_surfaces(rows, of, 0);
  }
}

/* One of Jacobi: velocities are those of `from`, changes are added in `to`. */
void H(cq_grains_split)(const grains *g, const scalar *from, scalar *to, const group *of) {
  for (int k = 0; k < of->n_blocks; k++) {
    block *b = &of->blocks[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(b, first);
      impulse p = load_impulse(b, first);
      const mover i = load_mover(from, b->i + first), j = load_mover(from, b->j + first);
      mover i_new = i, j_new = j;
      contact_solve(&c, &p, &i_new, &j_new, 0, g->rolls);
      store_impulse(b, first, &p);
      add_change(to, b->i + first, &i_new, &i);
      add_change(to, b->j + first, &j_new, &j);
    }
  }
  for (int k = 0; k < of->n_surfaces; k++) {
    surface_block *s = &of->surfaces[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(&s->b, first);
      impulse p = load_impulse(&s->b, first);
      const mover i = load_mover(from, s->b.i + first);
      mover i_new = i, j = load_surface(s, first);
      contact_solve(&c, &p, &i_new, &j, 1, g->rolls);
      store_impulse(&s->b, first, &p);
      add_change(to, s->b.i + first, &i_new, &i);
    }
  }
}

/* The impulses that contacts begin with. */
void H(cq_grains_push)(const grains *g, scalar *rows, const group *of) {
  for (int k = 0; k < of->n_blocks; k++) {
    ask_ahead(g, of, k);
    const block *b = &of->blocks[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(b, first);
      const impulse p = load_impulse(b, first);
      mover i = load_mover(rows, b->i + first), j = load_mover(rows, b->j + first);
      contact_push(&c, &p, &i, &j, 0);
      store_mover(rows, b->i + first, &i);
      store_mover(rows, b->j + first, &j);
    }
  }
  for (int k = 0; k < of->n_surfaces; k++) {
    const surface_block *s = &of->surfaces[k];
    for (int first = 0; first < GRAIN_LANES; first += LANES) {
      const contact c = load_contact(&s->b, first);
      const impulse p = load_impulse(&s->b, first);
      mover i = load_mover(rows, s->b.i + first), j = load_surface(s, first);
      contact_push(&c, &p, &i, &j, 1);
      store_mover(rows, s->b.i + first, &i);
    }
  }
}
