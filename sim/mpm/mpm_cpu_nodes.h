/* Sums over the nodes of stencils, a particle in each lane: the nodes of LANES stencils, which lie
 * where they may, are loaded as records are. */
#ifndef CQ_MPM_CPU_NODES_H
#define CQ_MPM_CPU_NODES_H

#include "mpm_cpu_tiles.h"

/* the stencils of LANES particles */
typedef struct stencils {
  row_set nodes; /* the first one of each */
  vec f;         /* x/dx - base */
  real w[CQ_DIM][3];
} stencils;

enum {
  LINE = CQ_ROWS / 3,           /* rows of a line: nodes with the same place along the first axis */
  UNROLLED = LINE == 1 ? 3 : 1, /* lines in code: three in 3D leave the first cache of it */
  LOADED = (CQ_DIM + CHUNK - 1) / CHUNK * CHUNK /* what a vector may take when it is loaded */
};

/* but for their weights */
static inline void find_stencils(const cpu *c, place p, stencils *found) {
  found->nodes = row_set_of(place_at(c, p, 0));
  memcpy(&found->f, p.f, sizeof found->f);
}

static inline void weigh_stencils(stencils *s) {
  FOR_AXES(a) {
    spline_weights(s->f.v[a], s->w[a]);
  }
}

/* those of SHARED cells, from number `first` on; mask: lanes with these and later ones */
static inline stencils stencils_from(const stencils *s, int first, truth *mask) {
  stencils r = *s;
  r.nodes = row_set_from(&s->nodes, first, mask);
  return r;
}

/* node k of row j of line i of the stencils: its first n scalars */
static inline void load_node(const cpu *c, const scalar *nodes, const stencils *s, int i, int j,
                             int k, int n, real *to) {
  load_shared(nodes + c->row[LINE * i + j] + k * CQ_QUAD, &s->nodes, n, to);
}

/* w . (a, b, c) */
static inline real weighted(const real *w, real a, real b, real c) {
  return w[2] * c + w[0] * a + w[1] * b;
}

/* Of a number y of the nodes: sums of N_i y_i, and of N_i y_i times the node's place (-1, 0, 1)
 * along each axis. Those of a node have no weights and no places, those of a row the weights of the
 * last axis alone, those of a line not that of the first. */
typedef struct moments {
  real sum, along[CQ_DIM];
} moments;

/* those of three parts along an axis, which have theirs along later axes */
static inline moments moments_of(const stencils *s, int axis, const moments *a, const moments *b,
                                 const moments *c) {
  const real *w = s->w[axis];
  const real high = w[2] * c->sum, low = w[0] * a->sum;
  moments m;
  m.sum = high + low + w[1] * b->sum;
  FOR_AXES(k) {
    m.along[k] = k < axis    ? real_splat(K(0))
                 : k == axis ? high - low
                             : weighted(w, a->along[k], b->along[k], c->along[k]);
  }
  return m;
}

/* sum N_i y_i, and N_i y_i (x_i - x)^T, of a vector y */
static inline void take_moments(const cpu *c, const stencils *s, const moments *m, vec *sum,
                                mat *outer) {
  FOR_AXES(i) {
    sum->v[i] = m[i].sum;
    FOR_AXES(k) {
      outer->m[i][k] = c->t.dx * (m[i].along[k] + (K(1) - s->f.v[k]) * m[i].sum);
    }
  }
}

#endif
