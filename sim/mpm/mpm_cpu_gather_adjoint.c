/* The second half of a step's adjoint: from the gradients of the nodes to those of the particles.
 *
 * Velocities are taken relative to the particle's own, V, as docs/adjoint.md explains. With
 * r_i = v_i - V and the affine functions q_i = dL/dv + dL/dB (x_i - x) and A_i = G (x_i - x), the
 * gradient (J) with respect to a weight is r_i . q_i + dp_i . A_i + m e_i, where
 * e_i = -dp_i . (u_i - V); u_i - v_i is in the fourth scalar of a node's dp. */
#include "mpm_cpu_nodes.h"
#include "mpm_cpu_physics.h"

#include <limits.h>

/* an affine function of the node: at the middle one, and what a step along each axis adds */
typedef struct affine {
  vec middle, step[CQ_DIM];
} affine;

static inline affine affine_of(const cpu *c, const stencils *s, vec a, mat A) {
  affine r;
  vec middle;
  FOR_AXES(k) {
    middle.v[k] = (K(1) - s->f.v[k]) * c->t.dx;
    FOR_AXES(i) {
      r.step[k].v[i] = A.m[i][k] * c->t.dx;
    }
  }
  r.middle = vec_add(a, mat_vec(A, middle));
  return r;
}

/* its values in row j of a line; middle: at the middle node of that line */
static inline void affine_row(const affine *f, vec middle, int j, vec *values) {
  values[1] = LINE == 1 || j == 1 ? middle
              : j == 0            ? vec_sub(middle, f->step[1])
                                  : vec_add(middle, f->step[1]);
  values[0] = vec_sub(values[1], f->step[CQ_LAST]);
  values[2] = vec_add(values[1], f->step[CQ_LAST]);
}

/* Of a number z of the nodes: sums of N_i z_i, and of z_i times the slopes of N_i along each axis.
 */
typedef struct slopes {
  real sum;
  vec along;
} slopes;

/* What the nodes of a particle collect, or a part of them: velocities, dp, e; z through the
 * weights. */
typedef struct pull {
  moments v[CQ_DIM], dp[CQ_DIM];
  real e;
  slopes z;
} pull;

/* what the nodes of a particle need of it */
typedef struct puller {
  stencils s;
  real slope[CQ_DIM][3];
  affine dv, packets;
  vec v;
  real mass;
} puller;

/* three parts along an axis */
static inline pull joined(const puller *p, int axis, const pull *of) {
  const real *w = p->s.w[axis];
  const slopes *a = &of[0].z, *b = &of[1].z, *c = &of[2].z;
  pull r;
  FOR_AXES(i) {
    r.v[i] = moments_of(&p->s, axis, &of[0].v[i], &of[1].v[i], &of[2].v[i]);
    r.dp[i] = moments_of(&p->s, axis, &of[0].dp[i], &of[1].dp[i], &of[2].dp[i]);
  }
  r.e = weighted(w, of[0].e, of[1].e, of[2].e);
  r.z.sum = weighted(w, a->sum, b->sum, c->sum);
  r.z.along.v[axis] = weighted(p->slope[axis], a->sum, b->sum, c->sum);
  for (int k = axis + 1; k < CQ_DIM; k++) {
    r.z.along.v[k] = weighted(w, a->along.v[k], b->along.v[k], c->along.v[k]);
  }
  return r;
}

/* row j of line i */
static inline pull pull_row(const cpu *c, const puller *p, int i, int j, const vec *q,
                            const vec *A) {
  pull nodes[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    real v[LOADED], d[CQ_QUAD];
    load_node(c, c->velocity, &p->s, i, j, k, CQ_DIM, v);
    load_node(c, c->dnodes, &p->s, i, j, k, CQ_QUAD, d);
    real e = -d[CQ_QUAD - 1];
    FOR_AXES(a) {
      v[a] = v[a] - p->v.v[a];
      nodes[k].v[a].sum = v[a];
      nodes[k].dp[a].sum = d[a];
      e = e - d[a] * v[a];
    }
    real z = p->mass * e;
    FOR_AXES(a) {
      z = z + v[a] * q[k].v[a] + d[a] * A[k].v[a];
    }
    nodes[k].e = e;
    nodes[k].z.sum = z;
  }
  return joined(p, CQ_LAST, nodes);
}

/* the rows of line i */
static inline pull pull_line(const cpu *c, const puller *p, int i) {
  pull rows[3];
  const vec dv = vec_axpy(p->dv.middle, real_splat((scalar)(i - 1)), p->dv.step[0]);
  const vec packets = vec_axpy(p->packets.middle, real_splat((scalar)(i - 1)), p->packets.step[0]);
#pragma GCC unroll 3
  for (int j = 0; j < LINE; j++) {
    vec q[3], A[3];
    affine_row(&p->dv, dv, j, q);
    affine_row(&p->packets, packets, j, A);
    rows[j] = pull_row(c, p, i, j, q, A);
  }
  return LINE == 1 ? rows[0] : joined(p, 1, rows);
}

/* what the nodes of a particle make of it: sums N_i y_i and N_i y_i (x_i - x)^T */
typedef struct pulled {
  gathered g;  /* of the velocities */
  packet dr;   /* of dp, with e for the mass */
  vec weights; /* what goes to x through the weights */
} pulled;

/* of particles of at most SHARED cells */
static __attribute__((noinline)) void pull_cells(const cpu *c, const puller *p, pulled *out) {
  pull lines[3];
#pragma GCC unroll UNROLLED
  for (int i = 0; i < 3; i++) {
    lines[i] = pull_line(c, p, i);
  }
  const pull sums = joined(p, 0, lines);
  take_moments(c, &p->s, sums.v, &out->g.v, &out->g.B);
  take_moments(c, &p->s, sums.dp, &out->dr.momentum, &out->dr.affine);
  out->dr.mass = sums.e;
  out->weights = sums.z.along;
}

/* Those of the lanes with other cells than the first SHARED, which are few. */
static __attribute__((noinline)) void pull_others(const cpu *c, const puller *p, pulled *all) {
  puller some = *p;
  for (int first = SHARED; first < p->s.nodes.n; first += SHARED) {
    truth mask;
    pulled sums;
    some.s = stencils_from(&p->s, first, &mask);
    pull_cells(c, &some, &sums);
    select_reals((real *)all, (const real *)&sums, REALS_OF(sums), mask);
  }
}

/* From places, gradients, packets and velocities v of the particles to what their nodes make of
 * them. */
static inline void pull_nodes(const cpu *c, place at, const gathered *dg, const packet *r, vec v,
                              pulled *out) {
  puller p;
  find_stencils(c, at, &p.s);
  weigh_stencils(&p.s);
  p.v = v;
  p.mass = r->mass;
  p.dv = affine_of(c, &p.s, dg->v, dg->B);
  p.packets = affine_of(c, &p.s, vec_zero(), r->affine);
  FOR_AXES(a) {
    spline_slopes(at.f[a], c->t.inv_dx, p.slope[a]);
  }
  pull_cells(c, &p, out);
  if (p.s.nodes.n > SHARED) {
    pull_others(c, &p, out);
  }
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

/* The adjoint of a group of particles at the beginning of the step. Returns the lanes whose adjoint
 * is not finite. */
static unsigned pull_back(const cpu *c, const cpu_state *in, const lanes *l, cpu_adjoint *adjoint,
                          double *dw) {
  particle q = load_particle(in->records, l);
  const particle d = load_particle(adjoint->records, l);
  q.F = lanes_settled(c, l, q.F);
  q.v = lanes_pushed(c, l, q.x, q.v);
  const substance s = load_substance(c, l);
  const mat P = lanes_stress(c, l, s, q);
  const packet r = p2g_stressed_packet(&c->t, s, q, P);
  const gathered dg = g2p_gathered_adjoint(&c->t, q.F, &d);
  pulled n;
  pull_nodes(c, place_of(c, q.x), &dg, &r, q.v, &n);
  particle out;
  out.x = vec_add(vec_add(d.x, n.weights),
                  vec_add(g2p_offset_adjoint(&dg, &n.g), p2g_offset_adjoint(&r, &n.dr)));
  out.v = vec_zero();
  out.C = mat_zero();
  out.F = mat_t_mul(g2p_increment(&c->t, g2p_affine(&c->t, &n.g)), d.F);
  substance ds = {real_splat(K(0)), real_splat(K(0)), real_splat(K(0)), real_splat(K(0))};
  lanes_packet_adjoint(c, l, &s, &q, &P, &n.dr, &out, &ds, dw);
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

/* The adjoint of gather and scatter for a chunk of particles. Returns the first that is not finite,
 * or INT_MAX. */
int H(cq_cpu_gather_adjoint)(const cpu *c, const cpu_state *in, cpu_adjoint *adjoint, int chunk,
                             double *dw) {
  int tail[LANES];
  int first_bad = INT_MAX;
  const int begin = chunk * CQ_CHUNK;
  const int end = begin + CQ_CHUNK < c->n ? begin + CQ_CHUNK : c->n;
  for (int k = begin; k < end; k += LANES) {
    const lanes l = lanes_of(in->order + k, end - k, tail);
    prefetch_records(in->records, in->order, k + CQ_TILE, c->n);
    prefetch_records(adjoint->records, in->order, k + CQ_TILE, c->n);
    first_bad = lowest_of(c, &l, pull_back(c, in, &l, adjoint, dw), first_bad);
  }
  return first_bad;
}
