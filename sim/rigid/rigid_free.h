/* Motion of a free rigid body: kick by a wrench, drift without one.
 *
 * Drift in 3D is the implicit midpoint rule for Euler's equations in the body's frame, with the
 * Cayley map for the orientation (Austin, Krishnaprasad and Wang, J. Comput. Phys. 107 (1993) 105):
 *   I (W1 - W0) = h (I W) x W,  W = (W0 + W1)/2,  R1 = R0 cay(h W).
 * The rule is I W1 = cay(h W)^-1 I W0, so that the angular momentum in space, R I W, and the
 * energy, W . I W / 2, are kept exactly, for any step; the phase is of second order in h. W follows
 * from six steps of Newton's method, enough for a turn of 1 rad a step. In 2D the spin is constant.
 *
 * Symmetry of the moment is the caller's; derivatives by it are by each of its numbers. */
#ifndef CQ_RIGID_FREE_H
#define CQ_RIGID_FREE_H

#include "rigid_pose.h"

/* of inertia, about the centre of mass, in the body's frame [kg m^2] */
typedef struct moment {
  real m[CQ_SPINS][CQ_SPINS];
} moment;

typedef struct heft {
  real mass; /* [kg] */
  moment I;
} heft;

CQ_FN heft heft_zero(void) {
  heft h;
  h.mass = real_splat(K(0));
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      h.I.m[i][j] = real_splat(K(0));
    }
  }
  return h;
}

/* I w */
CQ_FN spin moment_times(moment I, spin w) {
  spin r = spin_zero();
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      r.w[i] = r.w[i] + I.m[i][j] * w.w[j];
    }
  }
  return r;
}

/* of a mass of 1 at r */
CQ_FN moment moment_of_point(vec r) {
  moment I;
  const real square = vec_dot(r, r);
#if CQ_DIM == 2
  I.m[0][0] = square;
#else
  FOR_AXES(i) {
    FOR_AXES(j) {
      I.m[i][j] = (i == j ? square : real_splat(K(0))) - r.v[i] * r.v[j];
    }
  }
#endif
  return I;
}

/* Its adjoint by r, where dL/dI is given. */
CQ_FN vec moment_of_point_adjoint(vec r, const moment *dI) {
  vec dr = vec_zero();
  FOR_SPINS(s) {
    const int b = spin_from(s), k = spin_to(s);
    dr.v[b] = dr.v[b] + K(2) * dI->m[s][s] * r.v[b];
    dr.v[k] = dr.v[k] + K(2) * dI->m[s][s] * r.v[k];
    FOR_SPINS(t) {
      if (t != s) {
        dr.v[s] = dr.v[s] - (dI->m[s][t] + dI->m[t][s]) * r.v[t];
      }
    }
  }
  return dr;
}

/* a b^T added to s */
CQ_FN void moment_add_outer(moment *s, real factor, spin a, spin b) {
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      s->m[i][j] = s->m[i][j] + factor * a.w[i] * b.w[j];
    }
  }
}

#if CQ_DIM == 2

/* I^-1 t */
CQ_FN spin moment_solve(moment I, spin t) {
  t.w[0] = t.w[0] / I.m[0][0];
  return t;
}

CQ_FN spin moment_solve_transposed(moment I, spin t) {
  return moment_solve(I, t);
}

#else

CQ_FN mat moment_inverse_transpose(moment I) {
  mat a;
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = I.m[i][j];
    }
  }
  return mat_inverse_transpose(a);
}

CQ_FN spin moment_solve(moment I, spin t) {
  return vec_spin(mat_t_vec(moment_inverse_transpose(I), spin_vec(t)));
}

CQ_FN spin moment_solve_transposed(moment I, spin t) {
  return vec_spin(mat_vec(moment_inverse_transpose(I), spin_vec(t)));
}

#endif

/* adjoint of I^-1 t, a the result */
CQ_FN void moment_solve_adjoint(moment I, spin a, spin d, moment *dI, spin *dt) {
  const spin l = moment_solve_transposed(I, d);
  *dt = spin_add(*dt, l);
  moment_add_outer(dI, real_splat(K(-1)), l, a);
}

/* angular momentum about the centre of mass, in the world's frame */
CQ_FN spin heft_momentum(const heft *m, mat R, spin w) {
  return spin_to_world(R, moment_times(m->I, spin_to_body(R, w)));
}

/* energy of motion [J] */
CQ_FN real heft_energy(const heft *m, mat R, twist t) {
  return K(0.5) * (m->mass * vec_dot(t.v, t.v) + spin_dot(t.w, heft_momentum(m, R, t.w)));
}

/* change of the twist by an impulse */
CQ_FN twist heft_kick(const heft *m, mat R, wrench impulse) {
  twist r;
  r.v = vec_scale(K(1) / m->mass, impulse.f);
  r.w = spin_to_world(R, moment_solve(m->I, spin_to_body(R, impulse.t)));
  return r;
}

CQ_FN void heft_kick_adjoint(const heft *m, mat R, wrench impulse, twist d, heft *dm, mat *dR,
                             wrench *dimpulse) {
  const real inverse = K(1) / m->mass;
  dimpulse->f = vec_axpy(dimpulse->f, inverse, d.v);
  dm->mass = dm->mass - inverse * inverse * vec_dot(d.v, impulse.f);
  const spin t = spin_to_body(R, impulse.t), a = moment_solve(m->I, t);
  spin da = spin_zero(), dt = spin_zero();
  spin_to_world_adjoint(R, a, d.w, dR, &da);
  moment_solve_adjoint(m->I, a, da, &dm->I, &dt);
  spin_to_body_adjoint(R, impulse.t, dt, dR, &dimpulse->t);
}

typedef struct motion {
  pose p;
  twist t;
} motion;

#if CQ_DIM == 2

CQ_FN spin free_midpoint(const moment *I, spin w, real h) {
  (void)I;
  (void)h;
  return w;
}

CQ_FN void free_midpoint_adjoint(const moment *I, spin w, spin mid, real h, spin d, moment *dI,
                                 spin *dw) {
  (void)I;
  (void)w;
  (void)mid;
  (void)h;
  (void)dI;
  *dw = spin_add(*dw, d);
}

#else

enum { CQ_MIDPOINT_NEWTON = 6 };

/* derivative by W of I (W - W0) - h/2 (I W) x W: I + h/2 ([W] I - [I W]), [a] b = a x b */
CQ_FN moment free_jacobian(const moment *I, spin W, real h) {
  const spin L = moment_times(*I, W);
  moment J = *I;
  FOR_AXES(c) {
    vec column, unit = vec_zero();
    unit.v[c] = real_splat(K(1));
    FOR_AXES(r) {
      column.v[r] = I->m[r][c];
    }
    const vec d = vec_sub(vec_turn(W.w, column), vec_turn(L.w, unit));
    FOR_AXES(r) {
      J.m[r][c] = J.m[r][c] + K(0.5) * h * d.v[r];
    }
  }
  return J;
}

/* W of the step from the spin w, both in the body's frame */
CQ_FN spin free_midpoint(const moment *I, spin w, real h) {
  spin W = w;
  for (int i = 0; i < CQ_MIDPOINT_NEWTON; i++) {
    const spin L = moment_times(*I, W);
    const vec gyro = vec_turn(L.w, spin_vec(W));
    spin residual = moment_times(*I, spin_axpy(W, real_splat(K(-1)), w));
    residual = spin_axpy(residual, -(K(0.5) * h), vec_spin(gyro));
    W = spin_axpy(W, real_splat(K(-1)), moment_solve(free_jacobian(I, W, h), residual));
  }
  return W;
}

/* by the theorem of implicit functions; mid is W */
CQ_FN void free_midpoint_adjoint(const moment *I, spin w, spin mid, real h, spin d, moment *dI,
                                 spin *dw) {
  const spin l = moment_solve_transposed(free_jacobian(I, mid, h), d);
  FOR_AXES(i) {
    FOR_AXES(j) {
      dw->w[j] = dw->w[j] + I->m[i][j] * l.w[i];
    }
  }
  moment_add_outer(dI, real_splat(K(-1)), l, spin_axpy(mid, real_splat(K(-1)), w));
  moment_add_outer(dI, K(0.5) * h, vec_spin(vec_turn(mid.w, spin_vec(l))), mid);
}

#endif

/* a step of length h without forces */
CQ_FN motion free_drift(const moment *I, motion s, real h) {
  const mat R = turn_matrix(s.p.q);
  const spin w = spin_to_body(R, s.t.w), mid = free_midpoint(I, w, h);
  motion r;
  r.p.x = vec_axpy(s.p.x, h, s.t.v);
  r.p.q = turn_step(s.p.q, mid, h);
  r.t.v = s.t.v;
  r.t.w = spin_to_world(turn_matrix(r.p.q),
                        spin_axpy(spin_scale(real_splat(K(2)), mid), real_splat(K(-1)), w));
  return r;
}

/* returns dL/ds and adds to dI; d is dL/d(result) */
CQ_FN motion free_drift_adjoint(const moment *I, motion s, real h, motion d, moment *dI) {
  const mat R = turn_matrix(s.p.q);
  const spin w = spin_to_body(R, s.t.w), mid = free_midpoint(I, w, h);
  const spin w1 = spin_axpy(spin_scale(real_splat(K(2)), mid), real_splat(K(-1)), w);
  const turn q1 = turn_step(s.p.q, mid, h);
  motion r;
  r.p.x = d.p.x;
  r.t.v = vec_axpy(d.t.v, h, d.p.x);

  mat dR1 = mat_zero(), dR = mat_zero();
  spin dw1 = spin_zero(), dmid = spin_zero();
  spin_to_world_adjoint(turn_matrix(q1), w1, d.t.w, &dR1, &dw1);
  const turn dq1 = turn_add(d.p.q, turn_matrix_adjoint(q1, dR1));
  dmid = spin_scale(real_splat(K(2)), dw1);
  spin dw = spin_scale(real_splat(K(-1)), dw1);
  r.p.q = turn_zero();
  turn_step_adjoint(s.p.q, mid, h, dq1, &r.p.q, &dmid);
  free_midpoint_adjoint(I, w, mid, h, dmid, dI, &dw);
  r.t.w = spin_zero();
  spin_to_body_adjoint(R, s.t.w, dw, &dR, &r.t.w);
  r.p.q = turn_add(r.p.q, turn_matrix_adjoint(s.p.q, dR));
  return r;
}

#endif
