/* One grid node: momentum to velocity (eq. (4)), gravity, damping, boundaries; and its adjoint,
 * (D) and (L) of the supplement with gravity, damping and friction added. */
#ifndef CQ_POINT_GRID_H
#define CQ_POINT_GRID_H

#include "boundary/boundary.h"

#include <stddef.h>

enum { CQ_LAST = CQ_DIM - 1 };

/* a wall that holds a node */
typedef struct contact {
  int wall;
  scalar normal[CQ_DIM];
} contact;

/* a node that walls hold, k its place on its line; its contacts end where the next one's begin */
typedef struct held_node {
  int k, first;
} held_node;

typedef struct grid_model {
  scalar dt;
  double cell;
  int count[CQ_DIM]; /* nodes per axis */
  scalar epsilon;
  int n_walls;
  int kind[CQ_MAX_BOUNDARIES]; /* cq_boundary_kind of a wall */
  const int *line; /* [lines + 1] where the held nodes of a line along the last axis begin */
  const held_node *held;
  const contact *contacts;
} grid_model;

/* what a design may change; a gradient has the same type */
typedef struct grid_inputs {
  vec gravity;
  real damping;
  real friction[CQ_MAX_BOUNDARIES];
} grid_inputs;

typedef struct node {
  real mass;
  vec momentum;
} node;

/* number of a node's line along the last axis */
CQ_FN size_t grid_line_of(const grid_model *g, const int *index) {
  size_t number = (size_t)index[0];
  for (int a = 1; a < CQ_LAST; a++) {
    number = number * (size_t)g->count[a] + (size_t)index[a];
  }
  return number;
}

/* The conditions at a node in the order they act. A sticky one stands alone. */
CQ_FN int grid_contacts(const grid_model *g, const int *index, const contact **contacts) {
  const int k = index[CQ_LAST];
  const size_t line = grid_line_of(g, index);
  int i = g->line[line], end = g->line[line + 1];
  while (i < end) {
    const int middle = (i + end) / 2;
    if (g->held[middle].k < k) {
      i = middle + 1;
    } else {
      end = middle;
    }
  }
  if (i == g->line[line + 1] || g->held[i].k != k) {
    return 0;
  }
  *contacts = g->contacts + g->held[i].first;
  return g->held[i + 1].first - g->held[i].first;
}

CQ_FN vec grid_normal(const contact *at) {
  vec n;
  FOR_AXES(a) {
    n.v[a] = real_splat(at->normal[a]);
  }
  return n;
}

/* p / m, the velocity before gravity, damping and boundaries; the node must have mass */
CQ_FN vec grid_mean_velocity(node at) {
  return vec_scale(K(1) / at.mass, at.momentum);
}

/* velocity before the boundaries, from u = p / m */
CQ_FN vec grid_free_velocity(const grid_model *g, const grid_inputs *in, real decay, vec u) {
  return vec_scale(decay, vec_axpy(u, real_splat(g->dt), in->gravity));
}

/* the factor by which damping slows a step */
CQ_FN real grid_decay(const grid_model *g, const grid_inputs *in) {
  return real_exp(-(in->damping * g->dt));
}

/* velocity after everything, from u = p / m */
CQ_FN vec grid_velocity(const grid_model *g, const grid_inputs *in, real decay, const int *index,
                        vec u) {
  const contact *contacts = NULL;
  const int n = grid_contacts(g, index, &contacts);
  vec v = grid_free_velocity(g, in, decay, u);
  for (int i = 0; i < n; i++) {
    const int w = contacts[i].wall;
    v = boundary_apply(g->kind[w], v, grid_normal(&contacts[i]), in->friction[w], g->epsilon);
  }
  return v;
}

/* The same where no boundary acts; free = decay (u + g dt), d(decay)/d(damping) = -dt decay. */
CQ_FN vec grid_free_velocity_adjoint(const grid_model *g, real decay, vec free, vec dv,
                                     grid_inputs *din) {
  din->damping = din->damping - g->dt * vec_dot(dv, free);
  const vec du = vec_scale(decay, dv);
  din->gravity = vec_axpy(din->gravity, real_splat(g->dt), du);
  return du;
}

/* Given dv = dL/d(grid velocity): returns dL/du, u = p / m, and adds to din. From there (D) is
 * dL/dp = dL/du / m and (E) is dL/dm = -u.dL/dp. */
CQ_FN vec grid_velocity_adjoint(const grid_model *g, const grid_inputs *in, real decay,
                                const int *index, vec u, vec dv, grid_inputs *din) {
  const contact *contacts = NULL;
  vec before[CQ_MAX_BOUNDARIES];
  const int n = grid_contacts(g, index, &contacts);
  const vec free = grid_free_velocity(g, in, decay, u);
  vec v = free;
  for (int i = 0; i < n; i++) {
    const int w = contacts[i].wall;
    before[i] = v;
    v = boundary_apply(g->kind[w], v, grid_normal(&contacts[i]), in->friction[w], g->epsilon);
  }
  for (int i = n - 1; i >= 0; i--) {
    const int w = contacts[i].wall;
    dv = boundary_adjoint(g->kind[w], before[i], grid_normal(&contacts[i]), in->friction[w],
                          g->epsilon, dv, &din->friction[w]);
  }
  return grid_free_velocity_adjoint(g, decay, free, dv, din);
}

#endif
