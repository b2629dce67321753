/* The grid to particles: the end of a step, its checks, and the cells for the next sort. */
#include "mpm_cpu_nodes.h"
#include "mpm_cpu_physics.h"
#include "mpm_cpu_tiles.h"

#include <limits.h>

/* of the velocities of the nodes, or of a part of them */
typedef struct velocities {
  moments of[CQ_DIM];
} velocities;

static inline velocities joined(const stencils *s, int axis, const velocities *p) {
  velocities r;
  FOR_AXES(a) {
    r.of[a] = moments_of(s, axis, &p[0].of[a], &p[1].of[a], &p[2].of[a]);
  }
  return r;
}

/* N_i v_i and N_i v_i (x_i - x)^T of particles of at most SHARED cells, by rows and lines */
static inline __attribute__((always_inline)) gathered gather_cells(const cpu *c,
                                                                   const stencils *s) {
  velocities lines[3];
#pragma GCC unroll UNROLLED
  for (int i = 0; i < 3; i++) {
    velocities rows[3];
#pragma GCC unroll 3
    for (int j = 0; j < LINE; j++) {
      velocities nodes[3];
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        real v[LOADED];
        load_node(c, c->velocity, s, i, j, k, CQ_DIM, v);
        FOR_AXES(a) {
          nodes[k].of[a].sum = v[a];
        }
      }
      rows[j] = joined(s, CQ_LAST, nodes);
    }
    lines[i] = LINE == 1 ? rows[0] : joined(s, 1, rows);
  }
  const velocities all = joined(s, 0, lines);
  gathered g;
  take_moments(c, s, all.of, &g.v, &g.B);
  return g;
}

/* Those of the lanes with other cells than the first SHARED, which are few. */
static __attribute__((noinline)) void gather_others(const cpu *c, const stencils *s, gathered *g) {
  for (int first = SHARED; first < s->nodes.n; first += SHARED) {
    truth mask;
    const stencils some = stencils_from(s, first, &mask);
    const gathered sums = gather_cells(c, &some);
    select_reals((real *)g, (const real *)&sums, REALS_OF(sums), mask);
  }
}

static inline gathered gather_nodes(const cpu *c, const stencils *found) {
  stencils s = *found;
  weigh_stencils(&s);
  const gathered g = gather_cells(c, &s);
  if (s.nodes.n <= SHARED) {
    return g;
  }
  const stencils all = s; /* so that the common path keeps both in registers */
  gathered sums = g;
  gather_others(c, &all, &sums);
  return sums;
}

/* Lanes that may be invalid or inverted: a scalar look decides. What is not finite in C is not in F
 * = (1 + dt C) F, and a determinant is finite only where all it is made of is; a NaN compares
 * false. */
static truth suspicious(const cpu *c, const particle *q) {
  const real zero = real_splat(K(0)), J = mat_det(q->F);
  truth good = (J > zero) & (J < K(INFINITY));
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
  int keys[LANES];
  store_ints(keys, key);
  for (int i = 0; i < l->count; i++) {
    c->key[l->index[i]] = keys[i];
  }
}

static void gather_lanes(const cpu *c, const cpu_state *in, const lanes *l, const stencils *at,
                         scalar *out, truth *low, truth *high, cpu_found *found) {
  particle q = load_particle(in->records, l);
  q.F = lanes_settled(c, l, q.F);
  const gathered g = gather_nodes(c, at);
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

/* Stencils, but for their weights, of particles first .. end-1 in the order of cells, at most a
 * tile, ahead of the sums over their nodes: from a position to the nodes is a long way, on which
 * each group of lanes would wait for itself. */
static void find_tile(const cpu *c, const cpu_state *in, int first, int end, stencils *found) {
  int tail[LANES];
  for (int k = first; k < end; k += LANES, found++) {
    const lanes l = lanes_of(in->order + k, end - k, tail);
    real r[LOADED];
    vec x;
    prefetch_records(in->records, in->order, k + CQ_TILE, c->n);
    load_scalars(in->records, &l, CQ_RECORD, 0, LOADED, r);
    memcpy(&x, r, sizeof x);
    find_stencils(c, place_of(c, x), found);
  }
}

/* The end of a step for a chunk of particles, tile by tile. */
void H(cq_cpu_gather)(const cpu *c, const cpu_state *in, scalar *out, int chunk, cpu_found *found) {
  int tail[LANES];
  truth low[CQ_DIM], high[CQ_DIM];
  const int begin = chunk * CQ_CHUNK;
  const int end = begin + CQ_CHUNK < c->n ? begin + CQ_CHUNK : c->n;
  *found = (cpu_found){.first_bad = INT_MAX};
  FOR_AXES(a) {
    low[a] = high[a] = (truth){0};
    low[a] = low[a] + c->g.count[a];
  }
  for (int first = begin; first < end; first += CQ_TILE) {
    const int stop = first + CQ_TILE < end ? first + CQ_TILE : end;
    stencils at[CQ_TILE / LANES];
    find_tile(c, in, first, stop, at);
    for (int k = first; k < stop; k += LANES) {
      const lanes l = lanes_of(in->order + k, stop - k, tail);
      if (!c->streams || !lanes_are_lines(out, &l)) { /* stores will wait for these lines */
        prefetch_records(out, in->order, k + CQ_TILE, c->n);
      }
      gather_lanes(c, in, &l, &at[(k - first) / LANES], out, low, high, found);
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
