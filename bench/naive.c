/* The loops of naive.h for one CQ_DIM, CQ_BITS and CQ_LEVEL. The letters in the adjoint are those
 * of the supplement of the ChainQueen paper. */
#include "naive_point.h"

#define CQ_NAIVE_NAME_(dim, bits, level) cq_naive_##dim##d_f##bits##_##level
#define CQ_NAIVE_NAME(dim, bits, level)  CQ_NAIVE_NAME_(dim, bits, level)

/* --- the grid -------------------------------------------------------------------------------- */

typedef struct box {
  int low[3], high[3]; /* nodes low .. high-1 of each axis; one layer in 2D's third axis */
} box;

static box find_box(const constants *k, int n, const particle *state) {
  box b;
  for (int a = 0; a < 3; a++) {
    b.low[a] = a < D ? 1 << 30 : 0;
    b.high[a] = a < D ? 0 : 1;
  }
  for (int p = 0; p < n; p++) {
    for (int a = 0; a < D; a++) {
      const int base = stencil_base(k, state[p].x[a]);
      b.low[a] = base < b.low[a] ? base : b.low[a];
      b.high[a] = base + 3 > b.high[a] ? base + 3 : b.high[a];
    }
  }
  return b;
}

static void clear(const constants *k, const box *b, node *grid) {
  const node empty = {0};
  for (int i = b->low[0]; i < b->high[0]; i++) {
    for (int j = b->low[1]; j < b->high[1]; j++) {
      node *const row = grid + i * k->stride[0] + j * k->stride[1];
      for (int l = b->low[2]; l < b->high[2]; l++) {
        row[l] = empty;
      }
    }
  }
}

/* momentum to velocity */
static void update_grid(const constants *k, const box *b, node *grid) {
  for (int i = b->low[0]; i < b->high[0]; i++) {
    for (int j = b->low[1]; j < b->high[1]; j++) {
      node *const row = grid + i * k->stride[0] + j * k->stride[1];
      for (int l = b->low[2]; l < b->high[2]; l++) {
        if (row[l].mass > 0) {
          const scalar inverse = 1 / row[l].mass;
          for (int a = 0; a < D; a++) {
            row[l].v[a] = row[l].v[a] * inverse + k->dt * k->gravity[a];
          }
        }
      }
    }
  }
}

/* (D) and (E): dL/dv to dL/d(momentum) and dL/d(mass) */
static void update_adjoint(const constants *k, const box *b, const node *grid, node *dgrid) {
  for (int i = b->low[0]; i < b->high[0]; i++) {
    for (int j = b->low[1]; j < b->high[1]; j++) {
      const int first = i * k->stride[0] + j * k->stride[1];
      for (int l = first + b->low[2]; l < first + b->high[2]; l++) {
        if (grid[l].mass > 0) {
          const scalar inverse = 1 / grid[l].mass;
          scalar dmass = 0;
          for (int a = 0; a < D; a++) {
            dgrid[l].v[a] = dgrid[l].v[a] * inverse;
            dmass = dmass - dgrid[l].v[a] * (grid[l].v[a] - k->dt * k->gravity[a]);
          }
          dgrid[l].mass = dmass;
        }
      }
    }
  }
}

/* --- particles to grid and back -------------------------------------------------------------- */

/* Particles to grid: mass and momentum, which varies over the stencil by the affine part A. */
static void scatter(const constants *k, int n, const particle *state, node *grid) {
  for (int p = 0; p < n; p++) {
    particle q = state[p];
    scalar A[D][D];
    affine_momentum(k, &q, A);
    const stencil s = stencil_of(k, q.x);
    FOR_NODES(i, j, l) {
      scalar d[D];
      const scalar w = node_weight(&s, i, j, l);
      node_offset(&s, i, j, l, d);
      node *const g = &grid[s.first + i * k->stride[0] + j * k->stride[1] + l];
      g->mass += w * k->mass;
      for (int a = 0; a < D; a++) {
        g->v[a] += w * (k->mass * q.v[a] + row_dot(A[a], d));
      }
    }
  }
}

/* Grid to particles: sums of velocity and of its moments, from which each particle moves on. */
static void gather(const constants *k, int n, const particle *in, const node *grid, particle *out) {
  for (int p = 0; p < n; p++) {
    const stencil s = stencil_of(k, in[p].x);
    particle r = {0};
    FOR_NODES(i, j, l) {
      scalar d[D];
      const scalar w = node_weight(&s, i, j, l);
      node_offset(&s, i, j, l, d);
      const node *const g = &grid[s.first + i * k->stride[0] + j * k->stride[1] + l];
      for (int a = 0; a < D; a++) {
        const scalar wv = w * g->v[a];
        r.v[a] += wv;
        for (int b = 0; b < D; b++) {
          r.C[a][b] += wv * d[b];
        }
      }
    }
    advance(k, &in[p], &r);
    out[p] = r;
  }
}

/* (A) to (C) */
static void scatter_adjoint(const constants *k, int n, const particle *in, const particle *adjoint,
                            node *dgrid) {
  for (int p = 0; p < n; p++) {
    particle q = in[p], end = adjoint[p];
    const stencil s = stencil_of(k, q.x);
    scalar dv[D], dB[D][D];
    gathered_adjoint(k, q.F, &end, dv, dB);
    FOR_NODES(i, j, l) {
      scalar d[D];
      const scalar w = node_weight(&s, i, j, l);
      node_offset(&s, i, j, l, d);
      node *const g = &dgrid[s.first + i * k->stride[0] + j * k->stride[1] + l];
      for (int a = 0; a < D; a++) {
        g->v[a] += w * (dv[a] + row_dot(dB[a], d));
      }
    }
  }
}

/* (F) to (K) */
static void gather_adjoint(const constants *k, int n, const particle *in, const particle *out,
                           const node *grid, const node *dgrid, particle *adjoint) {
  for (int p = 0; p < n; p++) {
    particle q = in[p], end = adjoint[p];
    const stencil s = stencil_of(k, q.x);
    scalar A[D][D], dv[D], dB[D][D];
    affine_momentum(k, &q, A);
    gathered_adjoint(k, q.F, &end, dv, dB);
    /* sums over the stencil: w v, w dp, w dp d^T, and dL/dx through the weights */
    scalar v_sum[D] = {0}, dp_sum[D] = {0}, dA[D][D] = {{0}}, dx[D] = {0};
    FOR_NODES(i, j, l) {
      scalar d[D], dw[D];
      const scalar w = node_weight(&s, i, j, l);
      node_weight_gradient(&s, i, j, l, dw);
      node_offset(&s, i, j, l, d);
      const int at = s.first + i * k->stride[0] + j * k->stride[1] + l;
      scalar through = k->mass * dgrid[at].mass;
      for (int a = 0; a < D; a++) {
        const scalar v = grid[at].v[a], dp = dgrid[at].v[a], wdp = w * dp;
        through += v * (dv[a] + row_dot(dB[a], d));
        through += dp * (k->mass * q.v[a] + row_dot(A[a], d));
        v_sum[a] += w * v;
        dp_sum[a] += wdp;
        for (int b = 0; b < D; b++) {
          dA[a][b] += wdp * d[b];
        }
      }
      for (int a = 0; a < D; a++) {
        dx[a] += dw[a] * through;
      }
    }
    particle_adjoint(k, &q, &out[p], A, dB, v_sum, dp_sum, dA, dx, &end);
    adjoint[p] = end;
  }
}

/* --- a step ---------------------------------------------------------------------------------- */

static box fill_grid(const constants *k, int n, const particle *state, node *grid) {
  const box b = find_box(k, n, state);
  clear(k, &b, grid);
  scatter(k, n, state, grid);
  update_grid(k, &b, grid);
  return b;
}

static void forward(const cq_naive_config *c, const void *in, void *out, void *grid) {
  const constants k = constants_of(c);
  fill_grid(&k, c->n, (const particle *)in, (node *)grid);
  gather(&k, c->n, (const particle *)in, (const node *)grid, (particle *)out);
}

static void backward(const cq_naive_config *c, const void *in, const void *out, void *adjoint,
                     void *grid, void *dgrid) {
  const constants k = constants_of(c);
  const particle *const state = (const particle *)in;
  const box b = fill_grid(&k, c->n, state, (node *)grid);
  clear(&k, &b, (node *)dgrid);
  scatter_adjoint(&k, c->n, state, (const particle *)adjoint, (node *)dgrid);
  update_adjoint(&k, &b, (const node *)grid, (node *)dgrid);
  gather_adjoint(&k, c->n, state, (const particle *)out, (const node *)grid, (const node *)dgrid,
                 (particle *)adjoint);
}

static void load(const cq_naive_config *c, const double *host, void *state) {
  particle *const out = (particle *)state;
  const size_t n = (size_t)c->n;
  for (size_t p = 0; p < n; p++) {
    for (size_t a = 0; a < D; a++) {
      out[p].x[a] = (scalar)host[p * D + a];
      out[p].v[a] = (scalar)host[(n + p) * D + a];
      for (size_t b = 0; b < D; b++) {
        out[p].F[a][b] = (scalar)host[2 * n * D + (p * D + a) * D + b];
        out[p].C[a][b] = (scalar)host[2 * n * D + n * D * D + (p * D + a) * D + b];
      }
    }
  }
}

static void store(const cq_naive_config *c, const void *state, double *host) {
  const particle *const in = (const particle *)state;
  const size_t n = (size_t)c->n;
  for (size_t p = 0; p < n; p++) {
    for (size_t a = 0; a < D; a++) {
      host[p * D + a] = (double)in[p].x[a];
      host[(n + p) * D + a] = (double)in[p].v[a];
      for (size_t b = 0; b < D; b++) {
        host[2 * n * D + (p * D + a) * D + b] = (double)in[p].F[a][b];
        host[2 * n * D + n * D * D + (p * D + a) * D + b] = (double)in[p].C[a][b];
      }
    }
  }
}

extern const cq_naive_loops CQ_NAIVE_NAME(CQ_DIM, CQ_BITS, CQ_LEVEL);
const cq_naive_loops CQ_NAIVE_NAME(CQ_DIM, CQ_BITS, CQ_LEVEL) = {
    sizeof(particle), sizeof(node), load, store, forward, backward,
};
