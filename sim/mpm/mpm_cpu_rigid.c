/* Where nodes of the fast engine meet rigid bodies: one by one, on one thread, in the order of
 * nodes. */
#include "mpm_cpu_masses.h"

#include "status.h"

#include <string.h>

/* a range of nodes of the whole grid, and the one that is looked at */
typedef struct walk {
  int first[CQ_DIM], end[CQ_DIM], index[CQ_DIM];
} walk;

/* The next node of the range, the last axis first; false: there is none. */
static bool walk_on(walk *w) {
  for (int a = CQ_LAST; a >= 0; a--) {
    if (++w->index[a] < w->end[a]) {
      return true;
    }
    w->index[a] = w->first[a];
  }
  return false;
}

static size_t node_at(const cpu *c, const int *index) {
  size_t id = 0;
  FOR_AXES(a) {
    id = id * (size_t)c->box.size[a] + (size_t)(index[a] - c->box.low[a]);
  }
  return id;
}

/* Where fields have grids of their own, a node's number among all of them is field, then node. */
static const int field_bits = 48;

/* node i of those that met: its field, and its number there */
static int met_field(const cpu *c, int i, size_t *at, const double **v) {
  const size_t id = WIDE(cq_bodies_node)(c->bodies, i, v);
  *at = id & (((size_t)1 << field_bits) - 1);
  return (int)(id >> field_bits);
}

/* and the grid that has it */
static cpu *met_node(cpu *c, int i, size_t *at, const double **v) {
  return grid_at(c, met_field(c, i, at, v));
}

static void index_of(const cpu *c, size_t at, int *index) {
  for (int a = CQ_LAST; a >= 0; a--) {
    index[a] = c->box.low[a] + (int)(at % (size_t)c->box.size[a]);
    at /= (size_t)c->box.size[a];
  }
}

static int met_place(const cpu *c, int i, int *index) {
  const double *v;
  size_t at;
  const int field = met_field(c, i, &at, &v);
  index_of(grid_of(c, field), at, index);
  return field;
}

#include "mpm_rigid_slopes.h"

static bool is_held(const cpu *c, const int *index) {
  const contact *held = NULL;
  return grid_contacts(&c->g, index, &held) > 0 && c->g.kind[held[0].wall] == CQ_BOUNDARY_sticky;
}

static cq_status add_node(cpu *c, int field, const int *index) {
  const size_t id = node_at(c, index);
  const scalar mass = c->nodes[id * CQ_QUAD + CQ_QUAD - 1];
  double v[CQ_DIM];
  if (!(mass > K(0)) || is_held(c, index)) {
    return CQ_OK;
  }
  FOR_AXES(a) {
    v[a] = (double)c->velocity[id * CQ_QUAD + (size_t)a];
  }
  return WIDE(cq_bodies_add_node)(c->bodies, id | (size_t)field << field_bits, field, index,
                                  (double)mass, v);
}

static cq_status add_nodes(cpu *c, int field) {
  walk w;
  if (!WIDE(cq_bodies_range)(c->bodies, c->box.low, c->box.size, w.first, w.end)) {
    return CQ_OK;
  }
  memcpy(w.index, w.first, sizeof w.index);
  do {
    if (!cpu_plane_empty(c, w.index[0] - c->box.low[0])) {
      CQ_TRY(add_node(c, field, w.index));
    }
  } while (walk_on(&w));
  return CQ_OK;
}

void V(cq_cpu_meet)(cpu *c) {
  c->met = CQ_OK;
  for (int f = 0; f < n_grids(c); f++) {
    c->met = c->met == CQ_OK ? add_nodes(grid_at(c, f), f) : c->met;
  }
  if (c->met != CQ_OK) {
    return;
  }
  met_slopes(c);
  WIDE(cq_bodies_meet)(c->bodies);
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    const double *v;
    size_t at;
    cpu *grid = met_node(c, i, &at, &v);
    FOR_AXES(a) {
      grid->velocity[at * CQ_QUAD + (size_t)a] = K(v[a]);
    }
  }
}

static halves halves_of(cpu *c, int i) {
  const double *v;
  size_t at;
  const cpu *grid = met_node(c, i, &at, &v);
  return halves_at(grid, at);
}

/* Bodies work on the sum of a node's halves; it goes back as a whole into one of them. */
static cq_status meet_adjoint(cpu *c, int seed, int step) {
  const int n = WIDE(cq_bodies_n_nodes)(c->bodies);
  double *dv;
  CQ_TRY(WIDE(cq_bodies_reserve)(c->bodies, &dv, &c->dmass));
  for (int i = 0; i < n; i++) {
    const halves h = halves_of(c, i);
    FOR_AXES(a) {
      dv[i * CQ_DIM + a] = (double)halves_sum(h, a);
    }
  }
  CQ_TRY(WIDE(cq_bodies_step_adjoint)(c->bodies, seed, step, &c->failure));
  for (int i = 0; i < n; i++) {
    const halves h = halves_of(c, i);
    FOR_AXES(a) {
      halves_put(h, a, K(dv[i * CQ_DIM + a]));
    }
  }
  return CQ_OK;
}

void V(cq_cpu_meet_adjoint)(cpu *c, int seed, int step) {
  if (c->met == CQ_OK) {
    c->met = meet_adjoint(c, seed, step);
  }
}

void V(cq_cpu_meet_changed)(cpu *c) {
  for (int i = 0; c->met == CQ_OK && i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    const double *v;
    int index[CQ_DIM];
    size_t at;
    const cpu *grid = met_node(c, i, &at, &v);
    index_of(grid, at, index);
    changed_node(grid, index, at);
  }
}

void V(cq_cpu_meet_masses)(cpu *c) {
  for (int i = 0; c->met == CQ_OK && i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    const double *v;
    size_t at;
    const cpu *grid = met_node(c, i, &at, &v);
    count_mass(grid, at, K(c->dmass[i]));
  }
  if (c->met == CQ_OK) {
    met_slopes_adjoint(c);
  }
}
