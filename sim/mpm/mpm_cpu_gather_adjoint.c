/* The second half of a step's adjoint: from the gradients of the nodes to those of the particles.
 *
 * With r_i = v_i - v and the affine functions q_i = dL/dv + dL/dB (x_i - x) and G (x_i - x), the
 * gradient with respect to a weight (docs/adjoint.md, J) is r_i . q_i + dp_i . (G (x_i - x) - m
 * r_i)
 * - m h_i, where h_i = dp_i . (u_i - v_i) is the fourth scalar of a node and 1 that of r_i. The dot
 * products are left as lanes: summed with the slopes of the weights first, over lanes last. */
#include "mpm_cpu_physics.h"
#include "mpm_cpu_rows.h"

#include <limits.h>

enum { OUTPUTS = 2 * AFFINE + 1 + CQ_DIM }; /* quads a particle gathers */

typedef struct adjoint_tile {
  weights w;
  scalar slope[CQ_LAST][3][CQ_TILE]; /* of the weights */
  scalar last_slope[CQ_TILE][CQ_QUAD];
  scalar velocity[CQ_TILE][CQ_QUAD]; /* and -1 */
  scalar mass[CQ_TILE];
  affine_tile dv, packet;
  scalar out[CQ_TILE][OUTPUTS][CQ_QUAD];
} adjoint_tile;

/* sums over a stencil with the slope of the weights along each axis */
static inline void store_slopes(const adjoint_tile *t, int l, row weight, const row *z,
                                scalar (*to)[CQ_QUAD]) {
  const scalar *sx[3] = {t->slope[0][0], t->slope[0][1], t->slope[0][2]};
  const scalar *wx[3] = {t->w.w[0][0], t->w.w[0][1], t->w.w[0][2]};
  row plain = row_zero(), sloped = row_zero();
#if CQ_DIM == 3
  row second = row_zero();
#endif
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
#if CQ_DIM == 2
    const row line = z[i];
#else
    row line = row_scale(t->w.w[1][0][l], z[3 * i]);
    line = row_axpy(line, t->w.w[1][1][l], z[3 * i + 1]);
    line = row_axpy(line, t->w.w[1][2][l], z[3 * i + 2]);
    row across = row_scale(t->slope[1][0][l], z[3 * i]);
    across = row_axpy(across, t->slope[1][1][l], z[3 * i + 1]);
    across = row_axpy(across, t->slope[1][2][l], z[3 * i + 2]);
    second = row_axpy(second, wx[i][l], across);
#endif
    plain = row_axpy(plain, wx[i][l], line);
    sloped = row_axpy(sloped, sx[i][l], line);
  }
  row_store_sum(to[0], row_mul(weight, sloped));
#if CQ_DIM == 3
  row_store_sum(to[1], row_mul(weight, second));
#endif
  row_store_sum(to[CQ_LAST], row_mul(row_weights(t->last_slope[l]), plain));
}

static inline row weighted_sum(const weights *w, int l, const row *x) {
  row sum = row_zero();
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
#if CQ_DIM == 2
    const row line = x[i];
#else
    row line = row_scale(w->w[1][0][l], x[3 * i]);
    line = row_axpy(line, w->w[1][1][l], x[3 * i + 1]);
    line = row_axpy(line, w->w[1][2][l], x[3 * i + 2]);
#endif
    sum = row_axpy(sum, w->w[0][i][l], line);
  }
  return sum;
}

static inline void gather_particle(const cpu *c, adjoint_tile *t, int l) {
  const scalar *velocity = c->velocity + t->w.at[l], *dnodes = c->dnodes + t->w.at[l];
  const row weight = row_weights(t->w.last[l]), one = row_weights((const scalar[4]){1, 1, 1, 0});
  const row own = row_quad(t->velocity[l]);
  row relative[CQ_ROWS], dp[CQ_ROWS], work[CQ_ROWS], z[CQ_ROWS], q[CQ_ROWS], sum[CQ_DIM];
  affine_rows(t->dv.at[l][0], one, z);
  affine_rows(t->packet.at[l][0], one, q);
#pragma GCC unroll 9
  for (int r = 0; r < CQ_ROWS; r++) {
    relative[r] = row_sub(row_load(velocity + c->row[r]), own);
    dp[r] = row_load(dnodes + c->row[r]);
    work[r] = row_mul(dp[r], relative[r]);
    z[r] = row_fma(dp[r], q[r], row_mul(relative[r], z[r]));
    z[r] = row_minus(z[r], t->mass[l], work[r]);
  }
  row_moments(relative, &t->w, l, sum);
  store_moments(t->out[l], weight, sum);
  row_moments(dp, &t->w, l, sum);
  store_moments(t->out[l] + AFFINE, weight, sum);
  row_store_sum(t->out[l][2 * AFFINE], row_mul(weight, weighted_sum(&t->w, l, work)));
  store_slopes(t, l, weight, z, t->out[l] + 2 * AFFINE + 1);
}

static void fill_tile(const cpu *c, const lanes *l, particle q, particle d, adjoint_tile *t,
                      int first) {
  const place p = place_of(c, q.x);
  const lanes own = lanes_from(0, LANES);
  const packet r = lanes_packet(c, l, load_substance(c, l), q);
  const gathered g = g2p_gathered_adjoint(&c->t, q.F, &d);
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
  store_vec(t->velocity[first], &own, LANES, q.v, real_splat(K(-1)));
  store_real(&t->mass[first], r.mass);
  store_affine(c, p, &t->dv, first, g.v, g.B, real_splat(K(0)));
  store_affine(c, p, &t->packet, first, vec_zero(), r.affine, real_splat(K(0)));
}

static real quad_sum(const real *q) {
  return (q[0] + q[1]) + (q[2] + q[3]);
}

static void add_substance(const lanes *l, const substance *ds, double *sums) {
  const lanes own = lanes_from(0, LANES);
  scalar rows[LANES][CQ_QUAD];
  store_quad(rows[0], &own, LANES, ds->E, ds->nu, ds->density, ds->volume);
  for (int i = 0; i < l->count; i++) {
    double *to = sums + (size_t)l->index[i] * CQ_QUAD;
    for (int k = 0; k < CQ_QUAD; k++) {
      to[k] += (double)rows[i][k];
    }
  }
}

static unsigned finish_lanes(const cpu *c, const lanes *l, particle q, cpu_adjoint *adjoint,
                             const scalar *moments, double *du) {
  const lanes own = lanes_from(0, LANES);
  const particle d = load_particle(adjoint->records, l);
  const place p = place_of(c, q.x);
  const size_t stride = OUTPUTS * CQ_QUAD;
  const substance sub = load_substance(c, l);
  const packet r = lanes_packet(c, l, sub, q);
  const gathered dg = g2p_gathered_adjoint(&c->t, q.F, &d);
  gathered g;
  packet dr;
  real rest[(1 + CQ_DIM) * CQ_QUAD];
  load_moments(c, p, moments, &own, stride, &g.v, &g.B);
  load_moments(c, p, moments + AFFINE * CQ_QUAD, &own, stride, &dr.momentum, &dr.affine);
  load_scalars(moments, &own, stride, 2 * AFFINE * CQ_QUAD, (1 + CQ_DIM) * CQ_QUAD, rest);
  dr.mass = -quad_sum(rest);
  particle out;
  out.x = vec_add(d.x, vec_add(g2p_offset_adjoint(&dg, &g), p2g_offset_adjoint(&r, &dr)));
  FOR_AXES(a) {
    out.x.v[a] = out.x.v[a] + quad_sum(rest + (1 + a) * CQ_QUAD);
  }
  out.v = vec_zero();
  out.C = mat_zero();
  out.F = mat_t_mul(g2p_increment(&c->t, g2p_affine(&c->t, &g)), d.F);
  substance ds = {real_splat(K(0)), real_splat(K(0)), real_splat(K(0)), real_splat(K(0))};
  lanes_packet_adjoint(c, l, sub, q, dr, &out, &ds, du);
  store_scalars(adjoint->records, l, l->count, CQ_RECORD, CQ_RECORD, (const real *)&out);
  add_substance(l, &ds, adjoint->substance);
  real probe = real_splat(K(0));
  for (int i = 0; i < CQ_RECORD; i++) {
    probe = probe + ((const real *)&out)[i] * K(0);
  }
  return truth_bits(probe != probe); /* NaN and Inf times zero are NaN */
}

int H(cq_cpu_gather_adjoint)(const cpu *c, const cpu_state *in, cpu_adjoint *adjoint, int chunk,
                             double *du) {
  adjoint_tile t;
  int first_bad = INT_MAX;
  const int begin = chunk * CQ_CHUNK;
  const int end = begin + CQ_CHUNK < c->n ? begin + CQ_CHUNK : c->n;
  for (int first = begin; first < end; first += CQ_TILE) {
    const int count = end - first < CQ_TILE ? end - first : CQ_TILE;
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k);
      fill_tile(c, &l, load_particle(in->records, &l), load_particle(adjoint->records, &l), &t, k);
    }
    for (int l = 0; l < count; l++) {
      gather_particle(c, &t, l);
    }
    for (int k = 0; k < count; k += LANES) {
      const lanes l = lanes_of(in->order + first + k, count - k);
      const unsigned bad =
          finish_lanes(c, &l, load_particle(in->records, &l), adjoint, t.out[k][0], du);
      for (int i = 0; bad != 0 && i < l.count; i++) {
        const int p = c->id[l.index[i]];
        first_bad = (bad >> i & 1u) != 0 && p < first_bad ? p : first_bad;
      }
    }
  }
  return first_bad;
}
