/* One grid node: momentum to velocity (eq. (4)), gravity, damping, boundaries; and its adjoint,
 * (D) and (L) of the supplement with gravity, damping and friction added. */
#ifndef CQ_POINT_GRID_H
#define CQ_POINT_GRID_H

#include "boundary/boundary.h"
#include "point/pressed.h"
#include "point/share.h"

#include <stddef.h>

enum { CQ_LAST = CQ_DIM - 1 };

/* A wall that holds a node. slot is -1 where its friction is by the pressure of the moment; touch
 * the mass from which on the node takes all of the condition, below half of it none, 0: always. */
typedef struct contact {
  int wall, slot;
  scalar touch;
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
  bool mirrors;                /* there are planes in which bodies are mirrored */
  const int *mirror[CQ_DIM];   /* [count[a]] the image of a node along an axis: itself on a plane,
                                  -1 far from any; NULL: there are no planes across it */
  const int *line; /* [lines + 1] where the held nodes of a line along the last axis begin */
  const held_node *held;
  const contact *contacts;
  pressing press;
  int n_slots;     /* contacts whose friction is by a mean pressure; 0: none */
  const int *slot; /* [count[0] + 1] where those of a plane across the first axis begin */
} grid_model;

/* mean pressures, by the slots of contacts; before == NULL: there are none, and friction is by the
 * pressure of the moment */
typedef struct grid_memory {
  const pressed *before; /* of a state */
  pressed *after;        /* of the next one */
  const pressed *dafter; /* dL/d(after) */
  pressed *dbefore;
} grid_memory;

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

CQ_FN bool grid_remembers(const contact *at, grid_memory memory) {
  return at->slot >= 0 && memory.before != NULL;
}

/* What a wall makes of the velocity of a node that is full. Means may be replaced where they are.
 */
CQ_FN vec grid_held(const grid_model *g, const grid_inputs *in, const contact *at, real mass, vec v,
                    grid_memory memory) {
  const real friction = in->friction[at->wall];
  const vec n = grid_normal(at);
  if (!grid_remembers(at, memory)) {
    return boundary_apply(g->kind[at->wall], v, n, friction, g->epsilon);
  }
  const pressed before = memory.before[at->slot];
  return pressed_apply(g->press, v, n, friction, g->epsilon, mass, &before,
                       &memory.after[at->slot]);
}

/* its adjoint */
CQ_FN vec grid_held_adjoint(const grid_model *g, const grid_inputs *in, const contact *at,
                            real mass, vec v, vec dv, grid_memory memory, grid_inputs *din,
                            real *dmass) {
  const real friction = in->friction[at->wall];
  real *const dfriction = &din->friction[at->wall];
  const vec n = grid_normal(at);
  if (!grid_remembers(at, memory)) {
    return boundary_adjoint(g->kind[at->wall], v, n, friction, g->epsilon, dv, dfriction);
  }
  const pressed dafter = memory.dafter[at->slot];
  return pressed_adjoint(g->press, v, n, friction, g->epsilon, mass, &memory.before[at->slot], dv,
                         &dafter, &memory.dbefore[at->slot], dfriction, dmass);
}

CQ_FN real grid_state(const grid_model *g, const grid_inputs *in, const contact *at, real mass,
                      vec v, grid_memory memory) {
  const real friction = in->friction[at->wall];
  const vec n = grid_normal(at);
  return grid_remembers(at, memory)
             ? pressed_state(g->press, v, n, friction, g->epsilon, mass, &memory.before[at->slot])
             : boundary_state(g->kind[at->wall], v, n, friction, g->epsilon);
}

/* how much of a condition a node takes that asks for mass */
CQ_FN real grid_share(const contact *at, real mass) {
  return meet_share(at->touch - mass, K(0.5) * at->touch);
}

#define CQ_LEAST_SHARE 1e-6

/* The mass to which a wall gives its impulses, and never 0. */
CQ_FN real grid_part(real share, real mass) {
  return mass * real_select(share > K(CQ_LEAST_SHARE), share, real_splat(K(CQ_LEAST_SHARE)));
}

/* The condition of one wall at a node. A node that little of a body reaches, because its surface is
 * up to a cell and a half away yet, takes a share by its mass where the wall asks for it. */
CQ_FN vec grid_wall(const grid_model *g, const grid_inputs *in, const contact *at, real mass, vec v,
                    grid_memory memory) {
  if (!(at->touch > K(0))) {
    return grid_held(g, in, at, mass, v, memory);
  }
  const real share = grid_share(at, mass);
  const vec held = grid_held(g, in, at, grid_part(share, mass), v, memory);
  return vec_axpy(v, share, vec_sub(held, v));
}

/* Its adjoint by v; adds to din, and to dmass what the mass means for the share. */
CQ_FN vec grid_wall_adjoint(const grid_model *g, const grid_inputs *in, const contact *at,
                            real mass, vec v, vec dv, grid_memory memory, grid_inputs *din,
                            real *dmass) {
  if (!(at->touch > K(0))) {
    return grid_held_adjoint(g, in, at, mass, v, dv, memory, din, dmass);
  }
  const real share = grid_share(at, mass), taken = grid_part(share, mass);
  const vec held = grid_held(g, in, at, taken, v, memory), shared = vec_scale(share, dv);
  real dpart = real_splat(K(0));
  const vec dheld = grid_held_adjoint(g, in, at, taken, v, shared, memory, din, &dpart);
  const real dshare = vec_dot(dv, vec_sub(held, v)) +
                      real_select(share > K(CQ_LEAST_SHARE), mass * dpart, real_splat(K(0)));
  *dmass = *dmass + taken / mass * dpart -
           meet_share_slope(at->touch - mass, K(0.5) * at->touch) * dshare;
  return vec_add(vec_sub(dv, shared), dheld);
}

/* velocity after everything, from u = p / m and m */
CQ_FN vec grid_velocity(const grid_model *g, const grid_inputs *in, real decay, const int *index,
                        vec u, real mass, grid_memory memory) {
  const contact *contacts = NULL;
  const int n = grid_contacts(g, index, &contacts);
  vec v = grid_free_velocity(g, in, decay, u);
  for (int i = 0; i < n; i++) {
    v = grid_wall(g, in, &contacts[i], mass, v, memory);
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
 * dL/dp = dL/du / m and (E) is dL/dm = -u.dL/dp, beside what is added to dmass here. May
 * overwrite what memory has after the step, and does before it of the adjoint. */
CQ_FN vec grid_velocity_adjoint(const grid_model *g, const grid_inputs *in, real decay,
                                const int *index, vec u, real mass, vec dv, grid_memory memory,
                                grid_inputs *din, real *dmass) {
  const contact *contacts = NULL;
  vec before[CQ_MAX_BOUNDARIES];
  const int n = grid_contacts(g, index, &contacts);
  const vec free = grid_free_velocity(g, in, decay, u);
  before[0] = free;
  for (int i = 0; i + 1 < n; i++) {
    before[i + 1] = grid_wall(g, in, &contacts[i], mass, before[i], memory);
  }
  for (int i = n - 1; i >= 0; i--) {
    dv = grid_wall_adjoint(g, in, &contacts[i], mass, before[i], dv, memory, din, dmass);
  }
  return grid_free_velocity_adjoint(g, decay, free, dv, din);
}

#endif
