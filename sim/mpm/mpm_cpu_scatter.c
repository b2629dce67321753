/* Particles to the grid, and their adjoint's first half: both add an affine function of the node,
 * times the weights, to the nodes of each particle's stencil. */
#include "mpm_cpu_physics.h"
#include "mpm_cpu_tiles.h"

/* Adds the sums of a cell to its nodes. */
static inline void flush_rows(const cpu *c, scalar *nodes, row *sum) {
#pragma GCC unroll 9
  for (int r = 0; r < CQ_ROWS; r++) {
    scalar *to = nodes + c->row[r];
    row_store(to, row_add(row_load(to), sum[r]));
    sum[r] = row_zero();
  }
}

/* Where the next cell is its neighbour in the rows, sums go on with that: nodes that are stored and
 * loaded again, shifted by one, would wait for each other. */
static inline void pass_rows(const cpu *c, scalar *nodes, row *sum) {
#pragma GCC unroll 9
  for (int r = 0; r < CQ_ROWS; r++) {
    quad_add(nodes + c->row[r], row_first(sum[r]));
    sum[r] = row_next(sum[r]);
  }
}

/* Adds the particles of a tile to the nodes, a cell at a time. */
static void add_tile(const cpu *c, const row_weight *w, const scalar *values, int count,
                     scalar *nodes) {
  row sum[CQ_ROWS];
  for (int r = 0; r < CQ_ROWS; r++) {
    sum[r] = row_zero();
  }
  for (int l = 0; l < count;) {
    const int at = w->at[l];
    for (; l < count && w->at[l] == at; l++) {
      row rows[CQ_ROWS];
      affine_rows(values + l * AFFINE * CQ_QUAD, row_weights(w->last[l]), rows);
#pragma GCC unroll 9
      for (int r = 0; r < CQ_ROWS; r++) {
        sum[r] = row_axpy(sum[r], w->w[r][l], rows[r]);
      }
    }
    if (l < count && w->at[l] == at + CQ_QUAD) {
      pass_rows(c, nodes + at, sum);
    } else {
      flush_rows(c, nodes + at, sum);
    }
  }
}

static void clear_block(const cpu *c, int block, scalar *nodes) {
  if (!cpu_block_empty(c, block)) {
    memset(nodes, 0, c->block_stride * sizeof *nodes);
  }
}

/* Momentum and mass of the particles of a block to its own copy of nodes, tile by tile. */
void H(cq_cpu_scatter)(const cpu *c, const cpu_state *in, int block) {
  row_weight w;
  int tail[LANES];
  scalar values[CQ_TILE][AFFINE][CQ_QUAD];
  scalar *nodes = c->blocks + (size_t)block * c->block_stride;
  const int end = in->start[block + 1];
  clear_block(c, block, nodes);
  for (int first = in->start[block]; first < end; first += CQ_TILE) {
    const int count = end - first < CQ_TILE ? end - first : CQ_TILE;
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      prefetch_records(in->records, in->order, first + CQ_TILE + k, end);
      particle q = load_particle(in->records, &l);
      q.v = lanes_pushed(c, &l, q.x, q.v);
      q.F = lanes_settled(c, &l, q.F);
      const place p = place_of(c, q.x);
      const substance s = load_substance(c, &l);
      const packet r = p2g_stressed_packet(&c->t, s, q, lanes_stress(c, &l, s, q));
      store_row_weights(c, p, CQ_BLOCK * block, &w, k);
      store_affine(c, p, values[k][0], r.momentum, r.affine, r.mass);
    }
    add_tile(c, &w, values[0][0], count, nodes);
  }
}

/* dL/d(velocity) of the nodes that the particles of a block reach, to the block's own copy. */
void H(cq_cpu_scatter_adjoint)(const cpu *c, const cpu_state *in, const scalar *adjoint,
                               int block) {
  row_weight w;
  int tail[LANES];
  scalar values[CQ_TILE][AFFINE][CQ_QUAD];
  scalar *nodes = c->dblocks + (size_t)block * c->block_stride;
  const int end = in->start[block + 1];
  clear_block(c, block, nodes);
  for (int first = in->start[block]; first < end; first += CQ_TILE) {
    const int count = end - first < CQ_TILE ? end - first : CQ_TILE;
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      prefetch_records(in->records, in->order, first + CQ_TILE + k, end);
      prefetch_records(adjoint, in->order, first + CQ_TILE + k, end);
      particle q = load_particle(in->records, &l);
      const particle d = load_particle(adjoint, &l);
      q.F = lanes_settled(c, &l, q.F);
      const place p = place_of(c, q.x);
      const gathered g = g2p_gathered_adjoint(&c->t, q.F, &d);
      store_row_weights(c, p, CQ_BLOCK * block, &w, k);
      store_affine(c, p, values[k][0], g.v, g.B, real_splat(K(0)));
    }
    add_tile(c, &w, values[0][0], count, nodes);
  }
}
