/* The grid to one particle (eq. (5) to (8)), and its adjoint. */
#ifndef CQ_POINT_G2P_H
#define CQ_POINT_G2P_H

#include "point/p2g.h"

/* sums over the nodes of a stencil: N_i v_i and N_i v_i (x_i - x)^T */
typedef struct gathered {
  vec v;
  mat B;
} gathered;

CQ_FN void g2p_node(gathered *g, real weight, vec dpos, vec v) {
  const vec wv = vec_scale(weight, v);
  g->v = vec_add(g->v, wv);
  g->B = mat_add(g->B, vec_outer(wv, dpos));
}

/* I + dt C */
CQ_FN mat g2p_increment(const transfer *t, mat C) {
  mat A = mat_scale(real_splat(t->dt), C);
  FOR_AXES(a) {
    A.m[a][a] = A.m[a][a] + K(1);
  }
  return A;
}

CQ_FN mat g2p_affine(const transfer *t, const gathered *g) {
  return mat_scale(real_splat(K(4) * t->inv_dx * t->inv_dx), g->B);
}

CQ_FN particle g2p_particle(const transfer *t, particle p, const gathered *g) {
  particle r;
  r.v = g->v;
  r.C = g2p_affine(t, g);
  r.F = mat_mul(g2p_increment(t, r.C), p.F);
  r.x = vec_axpy(p.x, real_splat(t->dt), r.v);
  return r;
}

/* (A) and (B): the gradient of everything the step reads the gathered velocity for. d is the
 * adjoint at the end of the step, F the deformation gradient at its beginning. */
CQ_FN gathered g2p_gathered_adjoint(const transfer *t, mat F, const particle *d) {
  gathered g;
  g.v = vec_axpy(d->v, real_splat(t->dt), d->x);
  const mat dC = mat_axpy(d->C, real_splat(t->dt), mat_mul_t(d->F, F));
  g.B = mat_scale(real_splat(K(4) * t->inv_dx * t->inv_dx), dC);
  return g;
}

/* (C): what the particle adds to the gradient of a node's velocity */
CQ_FN vec g2p_node_velocity_adjoint(const gathered *d, real weight, vec dpos) {
  return vec_scale(weight, vec_add(d->v, mat_vec(d->B, dpos)));
}

/* (J), the terms through v and C of the end of the step: adds what the weight gives to dx. v is the
 * node's velocity relative to any one velocity for the whole stencil: since the weights sum to 1
 * and reproduce positions, a common velocity contributes nothing but rounding. */
CQ_FN void g2p_node_position_adjoint(const gathered *d, vec gradient, vec dpos, vec v, vec *dx) {
  *dx = vec_axpy(*dx, vec_dot(v, vec_add(d->v, mat_vec(d->B, dpos))), gradient);
}

/* the part of dx through x_i - x in g2p_node, from the sum g of those same relative velocities */
CQ_FN vec g2p_offset_adjoint(const gathered *d, const gathered *g) {
  return vec_scale(real_splat(K(-1)), mat_t_vec(d->B, g->v));
}

#endif
