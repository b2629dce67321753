/* The second half of a step's adjoint: from the gradients of the nodes to those of the particles.
 *
 * Velocities are taken relative to one of the cell's particles, V, as docs/adjoint.md explains.
 * With r_i = v_i - V and the affine functions q_i = dL/dv + dL/dB (x_i - x) and A_i = G (x_i - x),
 * the gradient (J) with respect to a weight is r_i . q_i + dp_i . (A_i + m (v - V)) + m e_i, where
 * e_i = -dp_i . (u_i - V), the fourth scalar of a node's dp, and m that of A_i. The dot products
 * are left as lanes: they are summed with the slopes of the weights first, over lanes last. */
#include "mpm_cpu_physics.h"
#include "mpm_cpu_tiles.h"

#include <limits.h>

enum {
  OUTPUTS = 2 * AFFINE + CQ_DIM, /* quads a particle gathers */
  SHORT_TILE = CQ_TILE / 2,      /* so much is kept of each particle that fewer fit the cache */
  GROUPS = SHORT_TILE / LANES
};

typedef struct adjoint_tile {
  weights w;
  scalar slope[CQ_LAST][3][SHORT_TILE]; /* of the weights */
  scalar last_slope[SHORT_TILE][CQ_QUAD];
  scalar velocity[SHORT_TILE][CQ_QUAD]; /* and -1; v - V and 0 once it is gathered */
  scalar dv[SHORT_TILE][AFFINE][CQ_QUAD], packet[SHORT_TILE][AFFINE][CQ_QUAD];
  scalar out[SHORT_TILE][OUTPUTS][CQ_QUAD];
  /* by vectors: what the end of the work on a particle needs again */
  particle q[GROUPS], d[GROUPS];
  mat P[GROUPS], affine[GROUPS];
} adjoint_tile;

/* What a stencil's sums collect: values y and their moments, from one line of rows at a time. */
typedef struct moment_sums {
  row value, along, across;
} moment_sums;

/* the part of line i along the first axis in the sums of y, for weights w of a particle */
static inline void add_line(moment_sums *s, int i, const weights *w, int l, const row *y) {
#if CQ_DIM == 2
  const row line = y[0];
#else
  const row high = row_scale(w->w[1][2][l], y[2]);
  const row slope = row_minus(high, w->w[1][0][l], y[0]);
  const row line = row_axpy(row_axpy(high, w->w[1][1][l], y[1]), w->w[1][0][l], y[0]);
  s->across = row_axpy(s->across, w->w[0][i][l], slope);
#endif
  s->value = row_axpy(s->value, w->w[0][i][l], line);
  if (i == 0) {
    s->along = row_minus(s->along, w->w[0][i][l], line);
  } else if (i == 2) {
    s->along = row_axpy(s->along, w->w[0][i][l], line);
  }
}

static inline void store_sums(scalar (*to)[CQ_QUAD], row weight, const moment_sums *s) {
  const row value = row_mul(weight, s->value);
  row_store_sum(to[0], value);
  row_store_sum(to[1], row_mul(weight, s->along));
#if CQ_DIM == 3
  row_store_sum(to[2], row_mul(weight, s->across));
#endif
  row_store_sum(to[CQ_DIM], row_mul(row_ramp(), value));
}

/* an affine function of the node: at the middle line, and what a step along the two axes adds */
typedef struct affine_line {
  row middle, along, across;
} affine_line;

static inline affine_line affine_load(quad value, const scalar *at) {
  affine_line r;
  r.middle = row_fma(row_ramp(), row_quad(at + CQ_DIM * CQ_QUAD), row_of(value));
  r.along = row_quad(at + CQ_QUAD);
  r.across = row_quad(at + (CQ_DIM - 1) * CQ_QUAD);
  return r;
}

/* its values in the rows of line i */
static inline void affine_values(const affine_line *f, int i, row *rows) {
  const row middle = i == 0   ? row_sub(f->middle, f->along)
                     : i == 1 ? f->middle
                              : row_add(f->middle, f->along);
#if CQ_DIM == 2
  rows[0] = middle;
#else
  rows[0] = row_sub(middle, f->across);
  rows[1] = middle;
  rows[2] = row_add(middle, f->across);
#endif
}

enum { LINE = CQ_ROWS / 3 }; /* rows of a line */

/* the rows of a cell's stencil */
typedef struct cell_rows {
  row v[CQ_ROWS];  /* relative to V, and 1 */
  row dp[CQ_ROWS]; /* and e */
} cell_rows;

static inline void load_cell(const cpu *c, int at, quad own, cell_rows *cell) {
  const row reference = row_of(own);
#pragma GCC unroll 9
  for (int r = 0; r < CQ_ROWS; r++) {
    cell->v[r] = row_sub(row_load(c->velocity + at + c->row[r]), reference);
    const row dp = row_load(c->dnodes + at + c->row[r]);
    cell->dp[r] = row_fourth_minus(dp, row_mul(dp, cell->v[r]));
  }
}

static inline void gather_particle(const cell_rows *cell, quad own, adjoint_tile *t, int l) {
  const weights *w = &t->w;
  const quad relative = quad_axpy(quad_load(t->velocity[l]), K(-1), own);
  const quad carried =
      quad_axpy(quad_load(t->packet[l][0]), t->packet[l][0][CQ_QUAD - 1], relative);
  const affine_line dv = affine_load(quad_load(t->dv[l][0]), t->dv[l][0]);
  const affine_line packets = affine_load(carried, t->packet[l][0]);
  moment_sums v = {row_zero(), row_zero(), row_zero()}, p = v;
  row plain = row_zero(), sloped = plain, second = plain;
  quad_store(t->velocity[l], relative);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    row q[LINE], z[LINE], line = row_zero(), across = line;
    affine_values(&dv, i, z);
    affine_values(&packets, i, q);
#pragma GCC unroll 3
    for (int j = 0; j < LINE; j++) {
      const int r = LINE * i + j;
      z[j] = row_fma(cell->dp[r], q[j], row_mul(cell->v[r], z[j]));
#if CQ_DIM == 2
      line = z[j];
#else
      line = row_axpy(line, w->w[1][j][l], z[j]);
      across = row_axpy(across, t->slope[1][j][l], z[j]);
#endif
    }
    add_line(&v, i, w, l, cell->v + LINE * i);
    add_line(&p, i, w, l, cell->dp + LINE * i);
    plain = row_axpy(plain, w->w[0][i][l], line);
    sloped = row_axpy(sloped, t->slope[0][i][l], line);
    second = row_axpy(second, w->w[0][i][l], across);
  }
  const row weight = row_weights(w->last[l]);
  store_sums(t->out[l], weight, &v);
  store_sums(t->out[l] + AFFINE, weight, &p);
  row_store_sum(t->out[l][2 * AFFINE], row_mul(weight, sloped));
#if CQ_DIM == 3
  row_store_sum(t->out[l][2 * AFFINE + 1], row_mul(weight, second));
#endif
  row_store_sum(t->out[l][2 * AFFINE + CQ_LAST], row_mul(row_weights(t->last_slope[l]), plain));
}

static void gather_tile(const cpu *c, adjoint_tile *t, int count) {
  cell_rows cell;
  for (int l = 0; l < count;) {
    const int at = t->w.at[l];
    const quad own = quad_load(t->velocity[l]);
    load_cell(c, at, own, &cell);
    for (; l < count && t->w.at[l] == at; l++) {
      gather_particle(&cell, own, t, l);
    }
  }
}

/* What a group of particles brings to the sums over its nodes: packets, weights, and what its
 * adjoint asks of the velocities. */
static void fill_group(const cpu *c, const cpu_state *in, const scalar *adjoint, const lanes *l,
                       adjoint_tile *t, int group) {
  const lanes own = lanes_own();
  const int first = group * LANES;
  particle *q = &t->q[group], *d = &t->d[group];
  load_scalars(in->records, l, CQ_RECORD, 0, CQ_RECORD, (real *)q);
  q->F = lanes_settled(c, l, q->F);
  load_scalars(adjoint, l, CQ_RECORD, 0, CQ_RECORD, (real *)d);
  q->v = lanes_pushed(c, l, q->x, q->v);
  const substance s = load_substance(c, l);
  const mat P = lanes_stress(c, l, s, *q);
  const packet r = p2g_stressed_packet(&c->t, s, *q, P);
  const place p = place_of(c, q->x);
  const gathered g = g2p_gathered_adjoint(&c->t, q->F, d);
  real slope[3];
  store_weights(c, p, 0, &t->w, first);
  for (int a = 0; a < CQ_LAST; a++) {
    spline_slopes(p.f[a], c->t.inv_dx, slope);
    for (int k = 0; k < 3; k++) {
      store_real(&t->slope[a][k][first], slope[k]);
    }
  }
  spline_slopes(p.f[CQ_LAST], c->t.inv_dx, slope);
  store_quad(t->last_slope[first], &own, LANES, slope[0], slope[1], slope[2], real_splat(K(0)));
  store_vec(t->velocity[first], &own, LANES, q->v, real_splat(K(-1)));
  store_affine(c, p, t->dv[first][0], g.v, g.B, real_splat(K(0)));
  store_affine(c, p, t->packet[first][0], vec_zero(), r.affine, r.mass);
  t->P[group] = P;
  t->affine[group] = r.affine;
}

static real quad_sum(const real *q) {
  return (q[0] + q[1]) + (q[2] + q[3]);
}

/* Adds in double, particle by particle: a run has many steps. */
static void add_substance(const lanes *l, const substance *ds, double *sums) {
  const lanes own = lanes_own();
  scalar rows[LANES][CQ_QUAD];
  store_quad(rows[0], &own, LANES, ds->E, ds->nu, ds->density, ds->volume);
#pragma GCC unroll 1
  for (int i = 0; i < l->count; i++) {
    double *to = sums + (size_t)l->index[i] * CQ_QUAD;
#ifdef CQ_ROW_HALVES
    for (int k = 0; k < CQ_QUAD; k++) {
      to[k] += (double)rows[i][k];
    }
#else
    typedef double wide_quad __attribute__((vector_size(CQ_QUAD * sizeof(double))));
    typedef double wide_quad_memory
        __attribute__((vector_size(CQ_QUAD * sizeof(double)), aligned(sizeof(double)), may_alias));
    *(wide_quad_memory *)to += __builtin_convertvector(quad_load(rows[i]), wide_quad);
#endif
  }
}

/* lanes that hold something that is not finite */
static unsigned nonfinite(const particle *p) {
  real probe = real_splat(K(0));
  for (int i = 0; i < CQ_RECORD; i++) {
    probe = probe + ((const real *)p)[i] * K(0); /* NaN and Inf times zero are NaN */
  }
  return truth_bits(probe != probe);
}

/* From the sums over the nodes to the adjoints of a group at the beginning of the step. Returns the
 * lanes whose adjoint is not finite. */
static unsigned finish_group(const cpu *c, const cpu_state *in, const lanes *l,
                             cpu_adjoint *adjoint, const adjoint_tile *t, int group, double *dw) {
  const lanes own = lanes_own();
  const particle *q = &t->q[group], *d = &t->d[group];
  const scalar *moments = t->out[group * LANES][0];
  const size_t stride = OUTPUTS * CQ_QUAD;
  const place p = place_of(c, q->x);
  const substance s = load_substance(c, l);
  const gathered dg = g2p_gathered_adjoint(&c->t, q->F, d);
  gathered g;
  packet r, dr;
  real rest[CQ_DIM * CQ_QUAD], relative[CQ_QUAD], lost[CQ_QUAD];
  load_moments(c, p, moments, &own, stride, &g.v, &g.B);
  load_moments(c, p, moments + AFFINE * CQ_QUAD, &own, stride, &dr.momentum, &dr.affine);
  load_scalars(moments, &own, stride, 2 * AFFINE * CQ_QUAD, CQ_DIM * CQ_QUAD, rest);
  load_scalars(moments, &own, stride, AFFINE * CQ_QUAD, CQ_QUAD, lost);
  load_scalars(t->velocity[group * LANES], &own, CQ_QUAD, 0, CQ_QUAD, relative);
  r.affine = t->affine[group];
  dr.mass = lost[CQ_QUAD - 1];
  FOR_AXES(a) {
    dr.mass = dr.mass + relative[a] * dr.momentum.v[a];
  }
  particle out;
  out.x = vec_add(d->x, vec_add(g2p_offset_adjoint(&dg, &g), p2g_offset_adjoint(&r, &dr)));
  FOR_AXES(a) {
    out.x.v[a] = out.x.v[a] + quad_sum(rest + a * CQ_QUAD);
  }
  out.v = vec_zero();
  out.C = mat_zero();
  out.F = mat_t_mul(g2p_increment(&c->t, g2p_affine(&c->t, &g)), d->F);
  substance ds = {real_splat(K(0)), real_splat(K(0)), real_splat(K(0)), real_splat(K(0))};
  lanes_packet_adjoint(c, l, &s, q, &t->P[group], &dr, &out, &ds, dw);
  lanes_settle_adjoint(c, l, in->records, &out.F);
  store_scalars(adjoint->records, l, l->count, CQ_RECORD, CQ_RECORD, (const real *)&out);
  add_substance(l, &ds, adjoint->substance);
  return nonfinite(&out);
}

static int lowest_of(const cpu *c, const lanes *l, unsigned bits, int first_bad) {
  for (int i = 0; bits != 0 && i < l->count; i++) {
    const int p = c->id[l->index[i]];
    first_bad = (bits >> i & 1u) != 0 && p < first_bad ? p : first_bad;
  }
  return first_bad;
}

/* The adjoint of gather and scatter for a chunk of particles, tile by tile. Returns the first that
 * is not finite, or INT_MAX. */
int H(cq_cpu_gather_adjoint)(const cpu *c, const cpu_state *in, cpu_adjoint *adjoint, int chunk,
                             double *dw) {
  adjoint_tile t;
  int tail[LANES];
  int first_bad = INT_MAX;
  const int begin = chunk * CQ_CHUNK;
  const int end = begin + CQ_CHUNK < c->n ? begin + CQ_CHUNK : c->n;
  for (int first = begin; first < end; first += SHORT_TILE) {
    const int count = end - first < SHORT_TILE ? end - first : SHORT_TILE;
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      fill_group(c, in, adjoint->records, &l, &t, k / LANES);
    }
    gather_tile(c, &t, count);
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k, tail);
      prefetch_records(in->records, in->order, first + SHORT_TILE + k, LANES, end);
      prefetch_records(adjoint->records, in->order, first + SHORT_TILE + k, LANES, end);
      const unsigned bad = finish_group(c, in, &l, adjoint, &t, k / LANES, dw);
      first_bad = lowest_of(c, &l, bad, first_bad);
    }
  }
  return first_bad;
}
