/* One particle to the grid, and its adjoint. A particle adds to node i
 *   m_i += N_i m,   p_i += N_i (m v + G (x_i - x)),   G = -(4 dt / dx^2) V P F^T + m C
 * (eq. (2), (3), (80)), with P the stress of its material and its actuator. An actuator that pushes
 * has changed v by dt times its acceleration before that. */
#ifndef CQ_POINT_P2G_H
#define CQ_POINT_P2G_H

#include "actuation/actuation.h"
#include "material/kelvin_voigt.h"
#include "material/material.h"
#include "point/grid.h"
#include "spline.h"

typedef struct transfer {
  scalar dt, dx, inv_dx;
  scalar stress_scale; /* -4 dt / dx^2 */
  scalar affine;       /* 1 APIC, 0 PIC */
} transfer;

CQ_FN transfer transfer_make(double dt, double dx, int apic) {
  transfer t;
  t.dt = K(dt);
  t.dx = K(dx);
  t.inv_dx = K(1.0 / dx);
  t.stress_scale = K(-4.0 * dt / (dx * dx));
  t.affine = K(apic ? 1 : 0);
  return t;
}

/* the state of a particle; its adjoint has the same type */
typedef struct particle {
  vec x, v;
  mat F, C;
} particle;

/* what a particle is made of; a gradient has the same type */
typedef struct substance {
  real E, nu;           /* Young's modulus [Pa], Poisson's ratio */
  real density, volume; /* of the reference configuration */
} substance;

/* where its stress comes from */
typedef struct driver {
  int material;      /* cq_material_kind */
  scalar viscosity;  /* [Pa s], or 0 */
  const actuator *a; /* NULL: passive */
  const real *w;     /* what drives the actuator */
} driver;

/* what the nodes receive: weight times (mass, momentum + affine (x_i - x)) */
typedef struct packet {
  real mass;
  vec momentum;
  mat affine;
} packet;

/* The F of a particle is settled (material_settle), here and in the rest of a step. */
CQ_FN mat particle_pk1(driver d, substance s, particle p) {
  mat P = material_pk1(d.material, lame_parameters(s.E, s.nu), p.F);
  if (d.viscosity > K(0)) {
    P = mat_add(P, kelvin_voigt_pk1(d.viscosity, p.F, p.C));
  }
  return d.a != 0 ? mat_add(P, actuation_pk1(d.a, d.w, p.F)) : P;
}

/* its velocity once its actuator has pushed at x */
CQ_FN vec p2g_pushed(const transfer *t, driver d, vec x, vec v) {
  return d.a != 0 ? vec_axpy(v, real_splat(t->dt), actuation_acceleration(d.a, d.w, x)) : v;
}

/* from its stress P, once pushed */
CQ_FN packet p2g_stressed_packet(const transfer *t, substance s, particle p, mat P) {
  packet r;
  r.mass = s.density * s.volume;
  r.momentum = vec_scale(r.mass, p.v);
  const mat tau = mat_mul_t(P, p.F);
  r.affine = mat_axpy(mat_scale(t->affine * r.mass, p.C), t->stress_scale * s.volume, tau);
  return r;
}

CQ_FN packet p2g_packet(const transfer *t, driver d, substance s, particle p) {
  return p2g_stressed_packet(t, s, p, particle_pk1(d, s, p));
}

CQ_FN node p2g_node(const packet *r, real weight, vec dpos) {
  node n;
  n.mass = weight * r->mass;
  n.momentum = vec_scale(weight, vec_add(r->momentum, mat_vec(r->affine, dpos)));
  return n;
}

/* Pull-back of one node: d is dL/dp_i, u = p_i / m_i the node's velocity before gravity and walls,
 * v the particle's velocity. Adds to dr and, through the weight, to dx: (F), (G), (I), (J) of the
 * supplement before the chain through the packet, the derivative of N being with respect to x. The
 * gradient (E) of the node's mass is -u.d; with it everything depends on v - u alone, so that a
 * fast body loses no digits to cancellation. dr->mass is the gradient with respect to the mass at
 * fixed v. */
CQ_FN void p2g_node_adjoint(const packet *r, vec v, real weight, vec gradient, vec dpos, vec d,
                            vec u, packet *dr, vec *dx) {
  const vec relative = vec_sub(v, u);
  const vec wd = vec_scale(weight, d);
  dr->mass = dr->mass + vec_dot(wd, relative);
  dr->momentum = vec_add(dr->momentum, wd);
  dr->affine = mat_add(dr->affine, vec_outer(wd, dpos));
  const vec carried = vec_axpy(mat_vec(r->affine, dpos), r->mass, relative);
  *dx = vec_axpy(*dx, vec_dot(d, carried), gradient);
}

/* (J), the part of dx through x_i - x in p2g_node, summed over the stencil */
CQ_FN vec p2g_offset_adjoint(const packet *r, const packet *dr) {
  return vec_scale(real_splat(K(-1)), mat_t_vec(r->affine, dr->momentum));
}

/* Pull-back of the packet of a pushed particle with stress P: adds to dp (v, F, C, and x where the
 * push depends on it), ds and dw (of
 * its actuator). */
CQ_FN void p2g_stressed_packet_adjoint(const transfer *t, driver d, substance s, particle p, mat P,
                                       packet dr, particle *dp, substance *ds, real *dw) {
  const real mass = s.density * s.volume;
  const mat tau = mat_mul_t(P, p.F);
  const real dmass = dr.mass + t->affine * mat_dot(dr.affine, p.C);
  dp->v = vec_axpy(dp->v, mass, dr.momentum);           /* (F) */
  dp->C = mat_axpy(dp->C, t->affine * mass, dr.affine); /* (I) */
  ds->density = ds->density + s.volume * dmass;
  ds->volume = ds->volume + s.density * dmass + t->stress_scale * mat_dot(dr.affine, tau);

  const mat dtau = mat_scale(t->stress_scale * s.volume, dr.affine);
  const mat dP = mat_mul(dtau, p.F);                       /* (G) */
  dp->F = mat_add(dp->F, mat_mul(mat_transpose(dtau), P)); /* (H), last term */
  lame dl;
  dl.mu = real_splat(K(0));
  dl.lambda = real_splat(K(0));
  const lame l = lame_parameters(s.E, s.nu);
  dp->F = mat_add(dp->F, material_adjoint(d.material, l, p.F, dP, &dl));
  lame_adjoint(s.E, s.nu, dl, &ds->E, &ds->nu);
  if (d.viscosity > K(0)) {
    kelvin_voigt_adjoint(d.viscosity, p.F, p.C, dP, &dp->F, &dp->C);
  }
  if (d.a != 0) {
    dp->F = mat_add(dp->F, actuation_adjoint(d.a, d.w, p.F, dP, dw));
    const vec da = vec_scale(t->dt * mass, dr.momentum);
    dp->x = vec_add(dp->x, actuation_acceleration_adjoint(d.a, d.w, p.x, da, dw));
  }
}

CQ_FN void p2g_packet_adjoint(const transfer *t, driver d, substance s, particle p, packet dr,
                              particle *dp, substance *ds, real *dw) {
  p2g_stressed_packet_adjoint(t, d, s, p, particle_pk1(d, s, p), dr, dp, ds, dw);
}

#endif
