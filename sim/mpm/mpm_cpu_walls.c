/* What the fast engine does one at a time: nodes that a wall may hold, particles that may be
 * invalid. */
#include "mpm_cpu.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

/* Counts the runs of free nodes of a line, and notes them where runs is not NULL. */
static int find_runs(const cpu *c, size_t line, cpu_run *runs) {
  const held_node *held = c->g.held;
  int n = 0, first = 0;
  for (int i = c->g.line[line]; i <= c->g.line[line + 1]; i++) {
    const int stop = i < c->g.line[line + 1] ? held[i].k : c->g.count[CQ_LAST];
    if (stop > first && runs != NULL) {
      runs[n] = (cpu_run){first, stop};
    }
    n += stop > first;
    first = stop + 1;
  }
  return n;
}

cq_status V(cq_cpu_find_free)(cpu *c) {
  const size_t lines = (size_t)c->g.count[0] * (size_t)(CQ_DIM == 2 ? 1 : c->g.count[1]);
  CQ_TRY(CQ_ALLOC(c->ctx, c->line_start, lines + 1));
  for (size_t l = 0; l < lines; l++) {
    c->line_start[l + 1] = c->line_start[l] + find_runs(c, l, NULL);
  }
  CQ_TRY(CQ_ALLOC(c->ctx, c->runs, c->line_start[lines]));
  for (size_t l = 0; l < lines; l++) {
    find_runs(c, l, c->runs + c->line_start[l]);
  }
  return CQ_OK;
}

void V(cq_cpu_free_nodes)(const cpu *c, const int *index, int *first, int *end) {
  const size_t line = grid_line_of(&c->g, index);
  const int low = c->box.low[CQ_LAST], from = *first, size = *end;
  for (int r = c->line_start[line]; r < c->line_start[line + 1]; r++) {
    const int begins = c->runs[r].first - low, ends = c->runs[r].end - low;
    if (ends > from) {
      *first = begins < from ? from : (begins > size ? size : begins);
      *end = ends > size ? size : ends;
      return;
    }
  }
  *first = size;
}

/* of the walls that there are: few, of room for many */
static void clear_inputs(const cpu *c, grid_inputs *in) {
  in->gravity = vec_zero();
  in->damping = K(0);
  for (int i = 0; i < c->g.n_walls; i++) {
    in->friction[i] = K(0);
  }
}

static void load_inputs(const cpu *c, grid_inputs *in) {
  FOR_AXES(a) {
    in->gravity.v[a] = c->gravity[a];
  }
  in->damping = c->damping;
  for (int i = 0; i < c->g.n_walls; i++) {
    in->friction[i] = c->friction[i];
  }
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
  grid_inputs in;
  load_inputs(c, &in);
  put_quad(velocity,
           grid_velocity(&c->g, &in, c->decay, index, grid_mean_velocity(n), n.mass, c->memory),
           K(0));
}

/* The adjoint of a node that a wall holds, one by one. */
void V(cq_cpu_walled_node_adjoint)(const cpu *c, const int *index, const scalar *at,
                                   const scalar *velocity, scalar *dnode, double *sums) {
  const node n = node_of(at);
  if (!(n.mass > K(0))) {
    put_quad(dnode, vec_zero(), K(0));
    return;
  }
  grid_inputs in, din;
  load_inputs(c, &in);
  clear_inputs(c, &din);
  const vec mean = grid_mean_velocity(n), dv = node_of(dnode).momentum;
  real dmass = K(0);
  const vec du =
      grid_velocity_adjoint(&c->g, &in, c->decay, index, mean, n.mass, dv, c->memory, &din, &dmass);
  const vec dp = vec_scale(K(1) / n.mass, du);
  put_quad(dnode, dp, vec_dot(dp, vec_sub(mean, node_of(velocity).momentum)) - dmass);
  FOR_AXES(a) {
    sums[a] += (double)din.gravity.v[a];
  }
  sums[CQ_DIM] += (double)din.damping;
  for (int i = 0; i < c->g.n_walls; i++) {
    sums[CQ_DIM + 1 + i] += (double)din.friction[i];
  }
}

static cq_status touch_nodes(const cpu *c, const grid_inputs *in, int *index, size_t line,
                             int first, int end, cq_contacts *contacts) {
  for (int k = first; k < end; k++) {
    const node n = node_of(c->nodes + (line + (size_t)k) * CQ_QUAD);
    index[CQ_LAST] = c->box.low[CQ_LAST] + k;
    if (n.mass > K(0)) {
      CQ_TRY(V(cq_mpm_touch)(&c->g, in, c->decay, index, grid_mean_velocity(n), n.mass, c->memory,
                             contacts));
    }
  }
  return CQ_OK;
}

static cq_status touch_line(const cpu *c, int plane, int line, cq_contacts *contacts) {
  int index[CQ_DIM];
  grid_inputs in;
  load_inputs(c, &in);
  const int size = c->box.size[CQ_LAST];
  const size_t at = (size_t)plane * c->plane + (size_t)line * (size_t)size;
  cpu_index_line(c, plane, line, index);
  for (int done = 0; done < size;) {
    int first = done, end = size;
    V(cq_cpu_free_nodes)(c, index, &first, &end);
    CQ_TRY(touch_nodes(c, &in, index, at, done, first, contacts));
    done = end;
  }
  return CQ_OK;
}

cq_status V(cq_cpu_contacts)(const void *work, cq_contacts *contacts) {
  const cpu *c = work;
  for (int f = 0; c->fields != NULL && f < c->own->n_fields; f++) {
    CQ_TRY(V(cq_cpu_contacts)(&c->fields[f], contacts));
  }
  for (int i = 0; c->fields == NULL && i < c->box.size[0]; i++) {
    for (int line = 0; !cpu_plane_empty(c, i) && line < cpu_lines(c); line++) {
      CQ_TRY(touch_line(c, i, line, contacts));
    }
  }
  return CQ_OK;
}

void V(cq_cpu_inspect)(const cpu *c, int slot, const scalar *record, cpu_found *found) {
  particle q;
  memcpy(&q, record, sizeof q);
  const int p = c->id[slot];
  double value = 0.0;
  if (V(cq_mpm_check)(c->model, &c->t, c->own->material[p], q, &value) != CQ_OK) {
    found->first_bad = p < found->first_bad ? p : found->first_bad;
  }
  if (mat_det(q.F) <= K(0)) {
    found->inverted++;
    found->clamped += polar_decompose(q.F).clamped;
  }
}
