/* Contacts of a step: the pairs of a list that are near enough, LANES at a time, in blocks. */
#include "grains_hot.h"

#include "lane_rows.h"
#include "point/meeting.h"

#include <string.h>

/* One number of LANES contacts on its way into lanes of blocks. */
typedef scalar column[LANES];

typedef struct columns {
  column n[CQ_DIM], arm, kn, kt, kr, bias, friction, roll, pull, p[1 + CQ_DIM + GRAIN_SPINS];
} columns;

/* What contacts need to know of LANES grains. */
static inline grain load_grain(const grains *g, const state *s, const lanes *l) {
  real place[4], low[4], high[4], share[4];
  load_scalars(s->place, l, GRAIN_PLACE, 0, 4, place);
  load_scalars(s->rows, l, GRAIN_ROW, ROW_V, 4, low);
  load_scalars(s->rows, l, GRAIN_ROW, ROW_W, 4, high);
  load_scalars(g->kind_share, l, 4, 0, 4, share);
  grain q = {.r = place[3],
             .im = low[3],
             .ii = high[3],
             .friction = share[0],
             .roll = share[1],
             .bounce = share[2],
             .pull = share[3]};
  FOR_AXES(a) {
    q.x.v[a] = place[a];
    q.v.v[a] = low[a];
  }
  return q;
}

static inline void put(scalar *to, real from) {
  *(real_memory *)to = from;
}

static inline void take_own(scalar *to, double own) {
  if (own == own) {
    *to = K(own);
  }
}

/* Numbers that pairs of materials have of their own. */
static mixture take_pairs(const grains *g, const lanes *a, const lanes *b, mixture m) {
  column of[4];
  for (int k = 0; k < 4; k++) {
    put(of[k], m.of[k]);
  }
  for (int l = 0; l < LANES; l++) {
    const cq_granular_pair *pair =
        &g->own->pairs[g->material[a->index[l]] * g->own->n_materials + g->material[b->index[l]]];
    take_own(&of[0][l], pair->friction);
    take_own(&of[1][l], pair->rolling_friction);
    take_own(&of[2][l], pair->restitution);
    take_own(&of[3][l], pair->cohesion);
  }
  for (int k = 0; k < 4; k++) {
    m.of[k] = *(const real_memory *)of[k];
  }
  return m;
}

/* Writes what is known of LANES pairs; returns the lanes whose grains are near. */
static inline unsigned look(const grains *g, const state *s, const lanes *a, const lanes *b,
                            columns *c, real *deepest) {
  const grain i = load_grain(g, s, a), j = load_grain(g, s, b);
  const meeting m = pair_meet(&i, &j, g->cyclic, g->period, g->dt);
  const unsigned bits = truth_bits(m.near);
  if (bits == 0) {
    return 0;
  }
  mixture mix = pair_mix(&i, &j);
  mix = g->own->pairs != NULL ? take_pairs(g, a, b, mix) : mix;
  const contact of = pair_contact(&i, &j, &m, &mix, g->dt, g->inverse_dt, g->bounce_above);
  FOR_AXES(k) {
    put(c->n[k], of.n.v[k]);
  }
  put(c->arm, of.arm);
  put(c->kn, of.kn);
  put(c->kt, of.kt);
  put(c->kr, of.kr);
  put(c->bias, of.bias);
  put(c->friction, of.friction);
  put(c->roll, of.roll);
  put(c->pull, of.pull);
  const real depth = pair_depth(&m);
  *deepest = real_select(depth > *deepest, depth, *deepest);
  return bits;
}

/* The impulses of LANES pairs, from the first on; what was across the normal has turned with it. */
static inline void look_back(const state *s, const lanes *pairs, columns *c) {
  real r[GRAIN_IMPULSE];
  load_scalars(s->impulse, pairs, GRAIN_IMPULSE, 0, GRAIN_IMPULSE, r);
  vec n, t;
  FOR_AXES(a) {
    n.v[a] = *(const real_memory *)c->n[a];
    t.v[a] = r[1 + a];
  }
  t = contact_across(t, n);
  put(c->p[0], r[0]);
  FOR_AXES(a) {
    put(c->p[1 + a], t.v[a]);
  }
  FOR_SPINS(k) {
    put(c->p[1 + CQ_DIM + k], r[1 + CQ_DIM + k]);
  }
}

/* Lane `from` of the columns becomes lane `to` of a block. */
static inline void put_contact(const columns *c, int from, block *b, int to) {
  FOR_AXES(a) {
    b->n[a][to] = c->n[a][from];
  }
  b->arm[to] = c->arm[from];
  b->kn[to] = c->kn[from];
  b->kt[to] = c->kt[from];
  b->kr[to] = c->kr[from];
  b->bias[to] = c->bias[from];
  b->friction[to] = c->friction[from];
  b->roll[to] = c->roll[from];
  b->pull[to] = c->pull[from];
  for (int k = 0; k < 1 + CQ_DIM + GRAIN_SPINS; k++) {
    b->p[k][to] = c->p[k][from];
  }
}

/* lanes from `used` on stand for nothing: rows of their own that nothing moves */
static void fill_block(int dummies, block *b, int used) {
  for (int l = used; l < GRAIN_LANES; l++) {
    FOR_AXES(a) {
      b->n[a][l] = K(0);
    }
    b->i[l] = dummies + l;
    b->j[l] = dummies + GRAIN_LANES + l;
    b->slot[l] = -1;
    b->arm[l] = b->kn[l] = b->kt[l] = b->kr[l] = b->bias[l] = K(0);
    b->friction[l] = b->roll[l] = b->pull[l] = K(0);
    for (int k = 0; k < 1 + CQ_DIM + GRAIN_SPINS; k++) {
      b->p[k][l] = K(0);
    }
  }
}

/* Where the contacts of a group go: the lanes of blocks, counted where there is no room. */
typedef struct writer {
  const grains *g;
  const state *s;
  group *to;
  int dummies;
  size_t block; /* of the next contact */
  int lane;
} writer;

static inline void write_contact(writer *w, const columns *c, int from, int pair) {
  if (w->block < w->to->room) {
    block *b = &w->to->blocks[w->block];
    put_contact(c, from, b, w->lane);
    b->i[w->lane] = w->s->a[pair];
    b->j[w->lane] = w->s->b[pair];
    b->slot[w->lane] = pair;
  }
  w->to->n_contacts++;
  if (++w->lane == GRAIN_LANES) {
    w->lane = 0;
    w->block++;
  }
}

static void end_colour(writer *w) {
  if (w->lane > 0) {
    if (w->block < w->to->room) {
      fill_block(w->dummies, &w->to->blocks[w->block], w->lane);
    }
    w->lane = 0;
    w->block++;
  }
}

/* All pairs of a group, colour by colour. Impulses of those that are not near are forgotten, once
 * there is room for all that are. */
void H(cq_grains_contacts)(const grains *g, const state *s, group *to) {
  writer w = {.g = g, .s = s, .to = to, .dummies = g->n + (int)(to - g->groups) * GRAIN_DUMMIES};
  real deepest = real_splat(K(0));
  columns c;
  memset(&c, 0, sizeof c);
  to->n_contacts = 0;
  int first = to->first;
  for (int k = 0; k < to->n_colours; k++) {
    const int end = g->colour_end[to->colour + k];
    for (; first < end; first += LANES) {
      int tail_a[LANES], tail_b[LANES], numbers[LANES];
      const lanes a = lanes_of(s->a + first, end - first, tail_a);
      const lanes b = lanes_of(s->b + first, end - first, tail_b);
      const lanes pairs = lanes_from(first, end - first, numbers);
      unsigned bits = look(g, s, &a, &b, &c, &deepest);
      bits &= (1u << pairs.count) - 1u;
      if (g->own->warm && bits != 0) {
        look_back(s, &pairs, &c);
      }
      while (bits != 0) {
        const int l = __builtin_ctz(bits);
        bits &= bits - 1u;
        write_contact(&w, &c, l, first + l);
      }
    }
    first = end;
    end_colour(&w);
  }
  to->n_blocks = (int)w.block;
  to->wants_blocks = w.block;
  to->full = w.block > to->room;
  to->deepest = K(0);
  for (int l = 0; l < LANES; l++) {
    to->deepest = deepest[l] > to->deepest ? deepest[l] : to->deepest;
  }
}
