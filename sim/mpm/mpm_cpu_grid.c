/* The grid of a step, plane by plane: the two blocks' parts are added, momentum becomes velocity,
 * gravity, damping and walls act; and the adjoint of that. Nodes that no wall holds, nearly all,
 * are done a vector at a time; the others one by one in mpm_cpu_walls.c. */
#include "mpm_cpu_rows.h"

#include <string.h>

/* part of plane `plane` in the planes of block b, or NULL */
static const scalar *part_of(const cpu *c, const scalar *blocks, int b, int plane) {
  if (cpu_block_empty(c, b)) {
    return NULL;
  }
  const size_t own = (size_t)(plane - CQ_BLOCK * b);
  return blocks + (size_t)b * c->block_stride + own * c->plane * CQ_QUAD;
}

/* rows of 16 lanes may read a node of it, with weight zero */
static void clear_plane(const cpu *c, int plane, scalar *nodes) {
  memset(nodes + (size_t)plane * c->plane * CQ_QUAD, 0, c->plane * CQ_QUAD * sizeof *nodes);
}

static void merge_plane(const cpu *c, const scalar *blocks, int plane, scalar *to) {
  const int b = plane / CQ_BLOCK;
  const scalar *low = part_of(c, blocks, b - 1, plane), *high = part_of(c, blocks, b, plane);
  const size_t n = c->plane * CQ_QUAD;
  if (low == NULL || high == NULL) {
    memcpy(to, low != NULL ? low : high, n * sizeof *to);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    to[i] = low[i] + high[i];
  }
}

static grid_inputs inputs_of(const cpu *c) {
  grid_inputs in;
  FOR_AXES(a) {
    in.gravity.v[a] = real_splat(c->gravity[a]);
  }
  return in;
}

/* LANES nodes: p / m, and the velocity of those with mass */
typedef struct node_lanes {
  truth full;
  real inverse; /* 1 / m */
  vec mean, free;
} node_lanes;

static vec keep(truth mask, vec v) {
  FOR_AXES(a) {
    v.v[a] = real_select(mask, v.v[a], real_splat(K(0)));
  }
  return v;
}

/* Nodes of a line with their velocities before walls; those without mass have none. */
static node_lanes load_nodes(const cpu *c, const grid_inputs *in, const scalar *nodes,
                             const lanes *l) {
  real r[CQ_QUAD];
  load_scalars(nodes, l, CQ_QUAD, 0, CQ_QUAD, r);
  node at;
  FOR_AXES(a) {
    at.momentum.v[a] = r[a];
  }
  at.mass = r[CQ_QUAD - 1];
  node_lanes n;
  n.full = at.mass > K(0);
  n.inverse = real_select(n.full, K(1) / at.mass, real_splat(K(0)));
  n.mean = keep(n.full, grid_mean_velocity(at));
  n.free = keep(n.full, grid_free_velocity(&c->g, in, real_splat(c->decay), n.mean));
  return n;
}

static void walled_nodes(const cpu *c, int *index, size_t line, int first, int end) {
  for (int k = first; k < end; k++) {
    const size_t at = (line + (size_t)k) * CQ_QUAD;
    index[CQ_LAST] = c->box.low[CQ_LAST] + k;
    V(cq_cpu_walled_node)(c, index, c->nodes + at, c->velocity + at);
  }
}

static void free_nodes(const cpu *c, const grid_inputs *in, size_t line, int first, int end) {
  for (int k = first; k < end; k += LANES) {
    int numbers[LANES];
    const lanes l = lanes_from(k, end - k, numbers);
    const node_lanes n = load_nodes(c, in, c->nodes + line * CQ_QUAD, &l);
    store_vec(c->velocity + line * CQ_QUAD, &l, l.count, n.free, real_splat(K(0)));
  }
}

/* walled nodes and free ones in turn */
static void grid_line(const cpu *c, const grid_inputs *in, int plane, int line) {
  int index[CQ_DIM];
  const int size = c->box.size[CQ_LAST];
  const size_t at = (size_t)plane * c->plane + (size_t)line * (size_t)size;
  cpu_index_line(c, plane, line, index);
  for (int done = 0; done < size;) {
    int first = done, end = size;
    V(cq_cpu_free_nodes)(c, index, &first, &end);
    walled_nodes(c, index, at, done, first);
    free_nodes(c, in, at, first, end);
    done = end;
  }
}

void H(cq_cpu_grid)(const cpu *c, int plane, bool merge) {
  if (cpu_plane_empty(c, plane)) {
    clear_plane(c, plane, c->velocity);
    return;
  }
  const grid_inputs in = inputs_of(c);
  if (merge) {
    merge_plane(c, c->blocks, plane, c->nodes + (size_t)plane * c->plane * CQ_QUAD);
  }
  for (int line = 0; line < cpu_lines(c); line++) {
    grid_line(c, &in, plane, line);
  }
}

/* --- adjoint --------------------------------------------------------------------------------- */

static void walled_nodes_adjoint(const cpu *c, int *index, size_t line, int first, int end,
                                 double *sums) {
  for (int k = first; k < end; k++) {
    const size_t at = (line + (size_t)k) * CQ_QUAD;
    index[CQ_LAST] = c->box.low[CQ_LAST] + k;
    V(cq_cpu_walled_node_adjoint)(c, index, c->nodes + at, c->velocity + at, c->dnodes + at, sums);
  }
}

static void free_nodes_adjoint(const cpu *c, const grid_inputs *in, size_t line, int first, int end,
                               grid_inputs *din) {
  const real decay = real_splat(c->decay);
  for (int k = first; k < end; k += LANES) {
    int numbers[LANES];
    const lanes l = lanes_from(k, end - k, numbers);
    const node_lanes n = load_nodes(c, in, c->nodes + line * CQ_QUAD, &l);
    real r[CQ_QUAD];
    vec dv;
    load_scalars(c->dnodes + line * CQ_QUAD, &l, CQ_QUAD, 0, CQ_QUAD, r);
    /* lanes past the end repeat the last node: their gradient must not count again */
    truth counts = n.full;
    for (int i = l.count; i < LANES; i++) {
      counts[i] = 0;
    }
    FOR_AXES(a) {
      dv.v[a] = real_select(counts, r[a], real_splat(K(0)));
    }
    const vec du = grid_free_velocity_adjoint(&c->g, decay, n.free, dv, din);
    const vec dp = vec_scale(n.inverse, du);
    store_vec(c->dnodes + line * CQ_QUAD, &l, l.count, dp, vec_dot(dp, vec_sub(n.mean, n.free)));
  }
}

static void adjoint_line(const cpu *c, const grid_inputs *in, int plane, int line, grid_inputs *din,
                         double *sums) {
  int index[CQ_DIM];
  const int size = c->box.size[CQ_LAST];
  const size_t at = (size_t)plane * c->plane + (size_t)line * (size_t)size;
  cpu_index_line(c, plane, line, index);
  for (int done = 0; done < size;) {
    int first = done, end = size;
    V(cq_cpu_free_nodes)(c, index, &first, &end);
    walled_nodes_adjoint(c, index, at, done, first, sums);
    free_nodes_adjoint(c, in, at, first, end, din);
    done = end;
  }
}

static double lane_sum(real x) {
  double sum = 0.0;
  for (int l = 0; l < LANES; l++) {
    sum += (double)x[l];
  }
  return sum;
}

/* The adjoint of a plane of nodes: from dL/d(velocity) to dL/d(momentum, mass); sums takes the
 * shares of gravity and damping. */
void H(cq_cpu_grid_adjoint)(const cpu *c, int plane, bool build, bool merge, double *sums) {
  if (build) {
    H(cq_cpu_grid)(c, plane, merge);
  }
  memset(sums, 0, CQ_GRID_SUMS * sizeof *sums);
  if (cpu_plane_empty(c, plane)) {
    clear_plane(c, plane, c->dnodes);
    return;
  }
  const grid_inputs in = inputs_of(c);
  grid_inputs din;
  memset(&din, 0, sizeof din);
  merge_plane(c, c->dblocks, plane, c->dnodes + (size_t)plane * c->plane * CQ_QUAD);
  for (int line = 0; line < cpu_lines(c); line++) {
    adjoint_line(c, &in, plane, line, &din, sums);
  }
  FOR_AXES(a) {
    sums[a] += lane_sum(din.gravity.v[a]);
  }
  sums[CQ_DIM] += lane_sum(din.damping);
}
