/* The grid to particles: the end of a step, its checks, and the cells for the next sort. */
#include "mpm_cpu_physics.h"
#include "mpm_cpu_tiles.h"

#include <limits.h>

static void gather_tile(const cpu *c, const weights *w, int count,
                        scalar (*moments)[AFFINE][CQ_QUAD]) {
  row rows[CQ_ROWS];
  for (int l = 0; l < count;) {
    const int at = w->at[l];
    for (int r = 0; r < CQ_ROWS; r++) {
      rows[r] = row_load(c->velocity + at + c->row[r]);
    }
    for (; l < count && w->at[l] == at; l++) {
      row sum[CQ_DIM];
      row_moments(rows, w, l, sum);
      store_moments(moments[l], row_weights(w->last[l]), sum);
    }
  }
}

/* lanes that may be invalid or inverted: a scalar look decides */
static truth suspicious(const cpu *c, const particle *q) {
  const real *values = (const real *)q;
  const real zero = real_splat(K(0));
  real probe = zero;
  for (int i = 0; i < CQ_RECORD; i++) {
    probe = probe + values[i] * K(0);
  }
  truth good = (probe == zero) & (mat_det(q->F) > K(0));
  FOR_AXES(a) {
    const real s = lanes_cells(q->x.v[a], c->t.inv_dx) - K(0.5);
    const real cells = q->v.v[a] * c->t.dt * c->t.inv_dx;
    good =
        good & (s >= zero) & (s < (scalar)(c->g.count[a] - 2)) & (cells <= K(1)) & (cells >= K(-1));
  }
  return ~good;
}

static void inspect(const cpu *c, const lanes *l, unsigned bits, const scalar *records,
                    cpu_found *found) {
  for (int i = 0; i < l->count; i++) {
    if ((bits >> i & 1u) != 0) {
      const int slot = l->index[i];
      V(cq_cpu_inspect)(c, slot, records + (size_t)slot * CQ_RECORD, found);
    }
  }
}

/* keys of the cells, and the box of base nodes */
static void take_keys(const cpu *c, const lanes *l, vec x, truth *low, truth *high) {
  const place p = place_of(c, x);
  truth key = {0};
  FOR_AXES(a) {
    low[a] = (truth)real_select(p.base[a] < low[a], (real)p.base[a], (real)low[a]);
    high[a] = (truth)real_select(p.base[a] > high[a], (real)p.base[a], (real)high[a]);
    key = key * c->key_size[a] + (p.base[a] - c->key_low[a]);
  }
  for (int i = 0; i < l->count; i++) {
    c->key[l->index[i]] = (int)key[i];
  }
}

static void gather_lanes(const cpu *c, const cpu_state *in, const lanes *l, const scalar *moments,
                         scalar *out, truth *low, truth *high, cpu_found *found) {
  int numbers[LANES];
  /* lanes past the end repeat the last particle: their moments, too */
  const lanes own = l->count == LANES ? lanes_own() : lanes_from(0, l->count, numbers);
  particle q = load_particle(in->records, l);
  q.F = lanes_settled(c, l, q.F);
  gathered g;
  load_moments(c, place_of(c, q.x), moments, &own, AFFINE * CQ_QUAD, &g.v, &g.B);
  particle r = g2p_particle(&c->t, q, &g);
  if (c->streams && lanes_are_lines(out, l)) {
    stream_particles(out, l, &r);
  } else {
    store_scalars(out, l, l->count, CQ_RECORD, CQ_RECORD, (const real *)&r);
  }
  const truth odd = suspicious(c, &r);
  if (truth_bits(odd) != 0) {
    inspect(c, l, truth_bits(odd), out, found);
    /* a position that is not one must not reach the box; the run stops, or the lane is inverted */
    FOR_AXES(a) {
      const real s = r.x.v[a] * c->t.inv_dx;
      const truth inside = (s >= K(0.5)) & (s < (scalar)c->g.count[a]);
      r.x.v[a] = real_select(inside, r.x.v[a], q.x.v[a]);
    }
  }
  take_keys(c, l, r.x, low, high);
}

void H(cq_cpu_gather)(const cpu *c, const cpu_state *in, scalar *out, int chunk, cpu_found *found) {
  weights w;
  int tail[LANES];
  scalar moments[CQ_TILE][AFFINE][CQ_QUAD];
  truth low[CQ_DIM], high[CQ_DIM];
  const int begin = chunk * CQ_CHUNK;
  const int end = begin + CQ_CHUNK < c->n ? begin + CQ_CHUNK : c->n;
  *found = (cpu_found){.first_bad = INT_MAX};
  FOR_AXES(a) {
    low[a] = high[a] = (truth){0};
    low[a] = low[a] + c->g.count[a];
  }
  for (int first = begin; first < end; first += CQ_TILE) {
    const int count = end - first < CQ_TILE ? end - first : CQ_TILE;
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      if (c->streams && !lanes_are_lines(out, &l)) { /* stores will wait for these lines */
        prefetch_records(out, l.index, 0, l.count, l.count);
      }
      store_weights(c, place_of(c, load_position(in->records, &l)), 0, &w, k);
    }
    gather_tile(c, &w, count, moments);
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      prefetch_records(in->records, in->order, first + CQ_TILE + k, LANES, c->n);
      gather_lanes(c, in, &l, moments[k][0], out, low, high, found);
    }
  }
  end_stream();
  FOR_AXES(a) {
    found->low[a] = c->g.count[a];
    for (int l = 0; l < LANES; l++) {
      found->low[a] = (int)low[a][l] < found->low[a] ? (int)low[a][l] : found->low[a];
      found->high[a] = (int)high[a][l] > found->high[a] ? (int)high[a][l] : found->high[a];
    }
  }
}
