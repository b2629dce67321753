/* One grid node: momentum to velocity (eq. (4)), gravity, damping, boundaries; and its adjoint,
 * (D) and (L) of the supplement with gravity, damping and friction added. */
#ifndef CQ_POINT_GRID_H
#define CQ_POINT_GRID_H

#include "boundary/boundary.h"
#include "shape_point.h"

typedef struct wall {
  int kind; /* cq_boundary_kind */
  cq_shape shape;
} wall;

typedef struct grid_model {
  scalar dt;
  double cell;
  int count[CQ_DIM]; /* nodes per axis */
  scalar epsilon;
  int n_walls;
  wall walls[CQ_MAX_BOUNDARIES];
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

typedef struct contact {
  int wall;
  vec normal;
} contact;

/* The conditions at a node in the order they act. A sticky one stands alone. */
CQ_FN int grid_contacts(const grid_model *g, const int *index, contact *contacts) {
  double x[CQ_DIM], normal[CQ_DIM];
  FOR_AXES(a) {
    x[a] = (double)index[a] * g->cell;
    normal[a] = 0.0;
  }
  int n = 0;
  for (int i = 0; i < g->n_walls; i++) {
    const wall *w = &g->walls[i];
    if (shape_distance(&w->shape, x) < 0.0) {
      shape_normal(&w->shape, x, normal);
      n = w->kind == CQ_BOUNDARY_sticky ? 0 : n;
      contacts[n].wall = i;
      FOR_AXES(a) {
        contacts[n].normal.v[a] = real_splat(K(normal[a]));
      }
      n++;
      if (w->kind == CQ_BOUNDARY_sticky) {
        break;
      }
    }
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
  contact contacts[CQ_MAX_BOUNDARIES];
  const int n = grid_contacts(g, index, contacts);
  vec v = grid_free_velocity(g, in, decay, u);
  for (int i = 0; i < n; i++) {
    const int w = contacts[i].wall;
    v = boundary_apply(g->walls[w].kind, v, contacts[i].normal, in->friction[w], g->epsilon);
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
  contact contacts[CQ_MAX_BOUNDARIES];
  vec before[CQ_MAX_BOUNDARIES];
  const int n = grid_contacts(g, index, contacts);
  const vec free = grid_free_velocity(g, in, decay, u);
  vec v = free;
  for (int i = 0; i < n; i++) {
    const int w = contacts[i].wall;
    before[i] = v;
    v = boundary_apply(g->walls[w].kind, v, contacts[i].normal, in->friction[w], g->epsilon);
  }
  for (int i = n - 1; i >= 0; i--) {
    const int w = contacts[i].wall;
    dv = boundary_adjoint(g->walls[w].kind, before[i], contacts[i].normal, in->friction[w],
                          g->epsilon, dv, &din->friction[w]);
  }
  return grid_free_velocity_adjoint(g, decay, free, dv, din);
}

#endif
