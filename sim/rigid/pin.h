/* A pin: two bodies share a point, by an impulse that each takes there; in 2D a hinge, in 3D a ball
 * in its socket. It is found with the bodies turned as they are when the step begins, so that the
 * points meet when it has ended (as SHAKE does; Ryckaert, Ciccotti and Berendsen, J. Comput. Phys.
 * 23 (1977) 327; impulses by Bender and Schmitt, VRIPHYS 2006), to second order in the step:
 *   v_a - v_b = -(x_a - x_b)/h - h/2 (w_a x (w_a x r_a) - w_b x (w_b x r_b))
 * of the velocities of both points after the impulse, with places and spins before it. What it
 * makes of twists is a projection, so that more impulses may follow, and the pin again. */
#ifndef CQ_RIGID_PIN_H
#define CQ_RIGID_PIN_H

#include "rigid_tangent.h"

/* a body as the step begins */
typedef struct pin_side {
  heft m;
  mat R;
  vec arm; /* from its centre of mass to the pin, in its own frame */
  vec x;   /* its centre of mass */
  spin w;
} pin_side;

typedef struct pin {
  pin_side side[2];
  int moves[2]; /* 0: no impulse moves it; at least one does */
  vec r[2];     /* arms as the bodies are turned */
  vec target;   /* velocity of one point less that of the other */
  mat inverse;  /* impulse by a velocity that lacks */
} pin;

/* What a direction changes of it, or dL by it. */
typedef struct pin_change {
  pin_side side[2];
  vec r[2], target;
} pin_change;

CQ_FN real pin_sign(int side) {
  return real_splat(side == 0 ? K(1) : K(-1));
}

/* of the point of a side whose body moves by t */
CQ_FN vec pin_velocity(const pin *p, int side, twist t) {
  return vec_add(t.v, spin_turn(t.w, p->r[side]));
}

/* the impulse as a side takes it */
CQ_FN wrench pin_wrench(const pin *p, int side, vec impulse) {
  wrench w;
  w.f = vec_scale(pin_sign(side), impulse);
  w.t = spin_arm(p->r[side], w.f);
  return w;
}

/* velocity of the point by an impulse there */
CQ_FN vec pin_gives(const pin *p, int side, vec impulse) {
  const pin_side *s = &p->side[side];
  return pin_velocity(p, side, heft_kick(&s->m, s->R, pin_wrench(p, side, impulse)));
}

/* From its sides and what moves all else of a pin, for a step h. */
CQ_FN void pin_place(pin *p, real h) {
  vec apart = vec_zero();
  mat gives = mat_zero();
  for (int k = 0; k < 2; k++) {
    const pin_side *s = &p->side[k];
    p->r[k] = mat_vec(s->R, s->arm);
    const vec bend = spin_turn(s->w, spin_turn(s->w, p->r[k]));
    const vec at = vec_add(s->x, vec_axpy(p->r[k], K(0.5) * h * h, bend));
    apart = vec_axpy(apart, pin_sign(k), at);
    for (int c = 0; p->moves[k] && c < CQ_DIM; c++) {
      vec unit = vec_zero();
      unit.v[c] = real_splat(K(1));
      const vec v = pin_gives(p, k, unit);
      FOR_AXES(a) {
        gives.m[a][c] = gives.m[a][c] + pin_sign(k) * v.v[a];
      }
    }
  }
  p->target = vec_scale(K(-1) / h, apart);
  p->inverse = mat_inverse_transpose(gives); /* symmetric */
}

/* its impulse on bodies that move by t */
CQ_FN vec pin_impulse(const pin *p, const twist t[2]) {
  const vec v = vec_sub(pin_velocity(p, 0, t[0]), pin_velocity(p, 1, t[1]));
  return mat_vec(p->inverse, vec_sub(p->target, v));
}

/* of pin_place: sides of d say what changes, the rest is found */
CQ_FN void pin_place_tangent(const pin *p, real h, pin_change *d) {
  d->target = vec_zero();
  for (int k = 0; k < 2; k++) {
    const pin_side *s = &p->side[k], *ds = &d->side[k];
    d->r[k] = vec_add(mat_vec(ds->R, s->arm), mat_vec(s->R, ds->arm));
    const vec turns = spin_turn(s->w, p->r[k]);
    const vec dturns = vec_add(spin_turn(ds->w, p->r[k]), spin_turn(s->w, d->r[k]));
    const vec bend = vec_add(spin_turn(ds->w, turns), spin_turn(s->w, dturns));
    const vec at = vec_add(ds->x, vec_axpy(d->r[k], K(0.5) * h * h, bend));
    d->target = vec_axpy(d->target, -pin_sign(k) / h, at);
  }
}

/* What a direction changes of twists t after the impulse, from what it changes of those before. */
CQ_FN void pin_tangent(const pin *p, const pin_change *d, vec impulse, const twist t[2],
                       twist dt[2]) {
  vec lacks = d->target;
  for (int k = 0; k < 2; k++) {
    const pin_side *s = &p->side[k], *ds = &d->side[k];
    if (p->moves[k]) {
      wrench change = wrench_zero();
      change.t = spin_arm(d->r[k], vec_scale(pin_sign(k), impulse));
      const twist kick =
          heft_kick_tangent(&s->m, &ds->m, s->R, ds->R, pin_wrench(p, k, impulse), change);
      dt[k].v = vec_add(dt[k].v, kick.v);
      dt[k].w = spin_add(dt[k].w, kick.w);
    }
    const vec dv = vec_add(pin_velocity(p, k, dt[k]), spin_turn(t[k].w, d->r[k]));
    lacks = vec_axpy(lacks, -pin_sign(k), dv);
  }
  const vec more = mat_vec(p->inverse, lacks);
  for (int k = 0; k < 2; k++) {
    if (p->moves[k]) {
      const twist kick = heft_kick(&p->side[k].m, p->side[k].R, pin_wrench(p, k, more));
      dt[k].v = vec_add(dt[k].v, kick.v);
      dt[k].w = spin_add(dt[k].w, kick.w);
    }
  }
}

/* d is dL/dt, of twists t after the impulse, and becomes that of those before; adds to b. */
CQ_FN void pin_adjoint(const pin *p, vec impulse, const twist t[2], twist d[2], pin_change *b) {
  vec due = vec_zero();
  for (int k = 0; k < 2; k++) {
    if (p->moves[k]) {
      wrench w;
      w.f = d[k].v;
      w.t = d[k].w;
      const vec v = pin_velocity(p, k, heft_kick(&p->side[k].m, p->side[k].R, w));
      due = vec_axpy(due, pin_sign(k), v);
    }
  }
  due = mat_vec(p->inverse, due);
  b->target = vec_add(b->target, due);
  for (int k = 0; k < 2; k++) {
    const vec dv = vec_scale(-pin_sign(k), due);
    d[k].v = vec_add(d[k].v, dv);
    d[k].w = spin_add(d[k].w, spin_arm(p->r[k], dv));
    b->r[k] = vec_sub(b->r[k], spin_turn(t[k].w, dv));
    if (p->moves[k]) {
      wrench dw = wrench_zero();
      heft_kick_adjoint(&p->side[k].m, p->side[k].R, pin_wrench(p, k, impulse), d[k], &b->side[k].m,
                        &b->side[k].R, &dw);
      b->r[k] = vec_axpy(b->r[k], -pin_sign(k), spin_turn(dw.t, impulse));
    }
  }
}

/* of pin_place: from the target and arms of b to its sides */
CQ_FN void pin_place_adjoint(const pin *p, real h, pin_change *b) {
  for (int k = 0; k < 2; k++) {
    const pin_side *s = &p->side[k];
    pin_side *ds = &b->side[k];
    const vec d = vec_scale(-pin_sign(k) / h, b->target), turns = spin_turn(s->w, p->r[k]);
    const vec dbend = vec_scale(K(0.5) * h * h, d);
    const vec dturns = vec_scale(real_splat(K(-1)), spin_turn(s->w, dbend));
    const vec dr = vec_sub(vec_add(b->r[k], d), spin_turn(s->w, dturns));
    ds->x = vec_add(ds->x, d);
    ds->w = spin_add(ds->w, spin_add(spin_arm(turns, dbend), spin_arm(p->r[k], dturns)));
    ds->R = mat_add(ds->R, vec_outer(dr, s->arm));
    ds->arm = vec_add(ds->arm, mat_t_vec(s->R, dr));
  }
}

#endif
