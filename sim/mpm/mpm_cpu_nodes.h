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

static inline void stencils_of(const cpu *c, place p, stencils *s) {
  s->nodes = row_set_of(place_at(c, p, 0));
  FOR_AXES(a) {
    s->f.v[a] = p.f[a];
    spline_weights(p.f[a], s->w[a]);
  }
}

/* those of SHARED cells, from number `first` on; mask: lanes with these and later ones */
static inline stencils stencils_from(const stencils *s, int first, truth *mask) {
  stencils r = *s;
  r.nodes = row_set_from(&s->nodes, first, mask);
  return r;
}

enum {
  LINE = CQ_ROWS / 3,           /* rows of a line: nodes with the same place along the first axis */
  UNROLLED = LINE == 1 ? 3 : 1, /* lines in code: three in 3D leave the first cache of it */
  LOADED = (CQ_DIM + CHUNK - 1) / CHUNK * CHUNK /* what a vector may take when it is loaded */
};

/* node k of row j of line i of the stencils: its first n scalars */
static inline void load_node(const cpu *c, const scalar *nodes, const stencils *s, int i, int j,
                             int k, int n, real *to) {
  load_shared(nodes + c->row[LINE * i + j] + k * CQ_QUAD, &s->nodes, n, to);
}

/* Of a number y of the nodes: sums of N_i y_i, and of N_i y_i times the node's place (-1, 0, 1)
 * along each axis. Those of a row have the weights of the last axis alone, those of a line not that
 * of the first. */
typedef struct moments {
  real sum, along[CQ_DIM];
} moments;

/* those of a row */
static inline moments moments_of(const stencils *s, real y0, real y1, real y2) {
  const real *w = s->w[CQ_LAST];
  const real high = w[2] * y2, low = w[0] * y0;
  moments m;
  m.sum = high + low + w[1] * y1;
  m.along[CQ_LAST] = high - low;
  return m;
}

/* Adds part k along an axis, whose moments along later axes are known. */
static inline void add_moments(const stencils *s, int axis, int k, const moments *one, moments *m) {
  const real w = s->w[axis][k];
  const real sum = w * one->sum;
  m->sum = m->sum + sum;
  m->along[axis] = m->along[axis] + (scalar)(k - 1) * sum;
  for (int a = axis + 1; a < CQ_DIM; a++) {
    m->along[a] = m->along[a] + w * one->along[a];
  }
}

/* Adds row j to those of a line. */
static inline void add_row(const stencils *s, int j, const moments *one, moments *line) {
  if (LINE == 1) {
    *line = *one;
  } else {
    add_moments(s, 1, j, one, line);
  }
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
