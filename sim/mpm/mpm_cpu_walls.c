/* What the fast engine does one at a time: nodes that a wall may hold, particles that may be
 * invalid. */
#include "mpm_cpu.h"

#include <string.h>

void V(cq_cpu_free_nodes)(const cpu *c, const int *index, int *first, int *end) {
  contact contacts[CQ_MAX_BOUNDARIES];
  int at[CQ_DIM];
  memcpy(at, index, sizeof at);
  /* walls are half-spaces and outer layers: between two free nodes of a line all are free */
  for (; *first < *end; (*first)++) {
    at[CQ_LAST] = index[CQ_LAST] + *first;
    if (grid_contacts(&c->g, at, contacts) == 0) {
      break;
    }
  }
  for (; *end > *first; (*end)--) {
    at[CQ_LAST] = index[CQ_LAST] + *end - 1;
    if (grid_contacts(&c->g, at, contacts) == 0) {
      break;
    }
  }
}

static grid_inputs inputs_of(const cpu *c) {
  grid_inputs in;
  FOR_AXES(a) {
    in.gravity.v[a] = c->gravity[a];
  }
  in.damping = c->damping;
  memcpy(in.friction, c->friction, sizeof in.friction);
  return in;
}

static node node_of(const scalar *at) {
  node n;
  FOR_AXES(a) {
    n.momentum.v[a] = at[a];
  }
  n.mass = at[CQ_QUAD - 1];
  return n;
}

static void put_quad(scalar *to, vec v, scalar fourth) {
  to[2] = K(0);
  FOR_AXES(a) {
    to[a] = v.v[a];
  }
  to[3] = fourth;
}

void V(cq_cpu_walled_node)(const cpu *c, const int *index, const scalar *at, scalar *velocity) {
  const node n = node_of(at);
  if (!(n.mass > K(0))) {
    put_quad(velocity, vec_zero(), K(0));
    return;
  }
  const grid_inputs in = inputs_of(c);
  put_quad(velocity, grid_velocity(&c->g, &in, c->decay, index, grid_mean_velocity(n)), K(0));
}

void V(cq_cpu_walled_node_adjoint)(const cpu *c, const int *index, const scalar *at,
                                   const scalar *velocity, scalar *dnode, double *sums) {
  const node n = node_of(at);
  if (!(n.mass > K(0))) {
    put_quad(dnode, vec_zero(), K(0));
    return;
  }
  const grid_inputs in = inputs_of(c);
  grid_inputs din;
  memset(&din, 0, sizeof din);
  const vec mean = grid_mean_velocity(n), dv = node_of(dnode).momentum;
  const vec du = grid_velocity_adjoint(&c->g, &in, c->decay, index, mean, dv, &din);
  const vec dp = vec_scale(K(1) / n.mass, du);
  put_quad(dnode, dp, vec_dot(dp, vec_sub(mean, node_of(velocity).momentum)));
  FOR_AXES(a) {
    sums[a] += (double)din.gravity.v[a];
  }
  sums[CQ_DIM] += (double)din.damping;
  for (int i = 0; i < c->g.n_walls; i++) {
    sums[CQ_DIM + 1 + i] += (double)din.friction[i];
  }
}

void V(cq_cpu_inspect)(const cpu *c, int slot, const scalar *record, cpu_found *found) {
  particle q;
  memcpy(&q, record, sizeof q);
  const int p = c->id[slot];
  double value = 0.0;
  if (V(cq_mpm_check)(c->model, &c->t, c->model->material[p], q, &value) != CQ_OK) {
    found->first_bad = p < found->first_bad ? p : found->first_bad;
  }
  if (mat_det(q.F) <= K(0)) {
    found->inverted++;
    found->clamped += polar_decompose(q.F).clamped;
  }
}
