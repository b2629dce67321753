/* Pins of rigid bodies (sim/rigid/pin.h): whenever something has pushed bodies in a step, pins take
 * what parts the points that two of them share, so that each sweep of the fluid meets bodies that
 * hang together. */
#include "fluid_backward.h"
#include "fluid_tangent.h"

#define FOR_PINS(c, i) for (int i = 0; i < (c)->own->n_pins; i++)
#define FOR_SIDES(k)   for (int k = 0; k < 2; k++)

/* does it hold a body that moves freely? */
static bool holds(const fluid_pin *p) {
  return p->at.moves[0] || p->at.moves[1];
}

void V(cq_fluid_place_pins)(fluid *c) {
  FOR_PINS(c, i) {
    fluid_pin *p = &c->bodies->pin[i];
    FOR_SIDES(k) {
      const fluid_body *b = &c->bodies->body[c->own->pins[i].body[k]];
      const vec arm = p->at.side[k].arm;
      p->at.side[k] = (pin_side){b->heft, turn_matrix(b->now.p.q), arm, b->now.p.x, b->now.t.w};
      p->at.moves[k] = b->free;
    }
    p->total = vec_zero();
    if (holds(p)) {
      pin_place(&p->at, c->dt);
    }
  }
}

/* Gives both bodies of each pin the impulse that brings its two points together. */
void V(cq_fluid_pull_pins)(fluid *c) {
  FOR_PINS(c, i) {
    fluid_pin *p = &c->bodies->pin[i];
    fluid_body *a = &c->bodies->body[c->own->pins[i].body[0]];
    fluid_body *b = &c->bodies->body[c->own->pins[i].body[1]];
    if (holds(p)) {
      const twist before[2] = {a->now.t, b->now.t};
      p->last.impulse = pin_impulse(&p->at, before);
      p->total = vec_add(p->total, p->last.impulse);
      fluid_kick(a, pin_wrench(&p->at, 0, p->last.impulse));
      fluid_kick(b, pin_wrench(&p->at, 1, p->last.impulse));
      p->last.after[0] = a->now.t;
      p->last.after[1] = b->now.t;
    }
  }
}

wrench V(cq_fluid_pin_wrench)(const fluid *c, int body) {
  wrench sum = wrench_zero();
  FOR_PINS(c, i) {
    const fluid_pin *p = &c->bodies->pin[i];
    FOR_SIDES(k) {
      if (c->own->pins[i].body[k] == body && holds(p)) {
        sum = wrench_axpy(sum, K(1), pin_wrench(&p->at, k, p->total));
      }
    }
  }
  return sum;
}

/* --- in a direction */

static pin_change *change_of(const fluid *c, int direction, int i) {
  return &c->tangents->pin[direction * c->own->n_pins + i];
}

/* What it changes of the arms, which follow the particles of their bodies. */
void V(cq_fluid_begin_pin_tangents)(const fluid *c, int direction) {
  const double *d = c->tangents->directions + (size_t)direction * c->layout->total;
  FOR_PINS(c, i) {
    FOR_SIDES(k) {
      const int b = c->own->pins[i].body[k];
      const linear_fit fit = V(cq_fluid_linear_fit)(c, &c->own->bodies[b]);
      const linear_moved moved = V(cq_fluid_linear_moved)(c, &c->own->bodies[b], &fit, d);
      const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->pins[i].point);
      change_of(c, direction, i)->side[k].arm =
          vec_sub(vec_add(moved.to, mat_vec(moved.A, arm)),
                  c->tangents->of[direction * c->own->n_bodies + b].center);
    }
  }
}

void V(cq_fluid_place_pin_tangents)(const fluid *c, int direction) {
  FOR_PINS(c, i) {
    pin_change *d = change_of(c, direction, i);
    FOR_SIDES(k) {
      const int b = c->own->pins[i].body[k];
      const fluid_direction *of = &c->tangents->of[direction * c->own->n_bodies + b];
      const mat dR = turn_matrix_tangent(c->bodies->body[b].now.p.q, of->now.p.q);
      d->side[k] = (pin_side){of->heft, dR, d->side[k].arm, of->now.p.x, of->now.t.w};
    }
    pin_place_tangent(&c->bodies->pin[i].at, c->dt, d);
  }
}

void V(cq_fluid_pull_pin_tangents)(const fluid *c, int direction, const fluid_pulled *pulled) {
  fluid_direction *of = &c->tangents->of[direction * c->own->n_bodies];
  FOR_PINS(c, i) {
    const fluid_pin *p = &c->bodies->pin[i];
    const fluid_pulled all = {p->total, {p->last.after[0], p->last.after[1]}};
    const fluid_pulled *by = pulled != NULL ? &pulled[i] : &all;
    if (holds(p)) {
      motion *a = &of[c->own->pins[i].body[0]].now, *b = &of[c->own->pins[i].body[1]].now;
      twist d[2] = {a->t, b->t};
      pin_tangent(&p->at, change_of(c, direction, i), by->impulse, by->after, d);
      a->t = d[0];
      b->t = d[1];
    }
  }
}

/* --- backwards */

void V(cq_fluid_back_begin_pins)(const fluid *c, back_seed *s) {
  FOR_PINS(c, i) {
    pin_change *d = &s->pin[i];
    FOR_SIDES(k) {
      d->side[k] = (pin_side){heft_zero(), mat_zero(), d->side[k].arm, vec_zero(), spin_zero()};
      d->r[k] = vec_zero();
    }
    d->target = vec_zero();
  }
}

void V(cq_fluid_back_pins)(const fluid *c, back_seed *s, const fluid_pulled *pulled) {
  FOR_PINS(c, i) {
    const fluid_pin *p = &c->bodies->pin[i];
    if (holds(p)) {
      motion *a = &s->body[c->own->pins[i].body[0]].now, *b = &s->body[c->own->pins[i].body[1]].now;
      twist d[2] = {a->t, b->t};
      pin_adjoint(&p->at, pulled[i].impulse, pulled[i].after, d, &s->pin[i]);
      a->t = d[0];
      b->t = d[1];
    }
  }
}

/* What pins ask of the poses and masses of their bodies at the beginning of a step. */
void V(cq_fluid_back_place_pins)(const fluid *c, back_seed *s) {
  FOR_PINS(c, i) {
    if (holds(&c->bodies->pin[i])) {
      pin_place_adjoint(&c->bodies->pin[i].at, c->dt, &s->pin[i]);
    }
    FOR_SIDES(k) {
      const pin_side *d = &s->pin[i].side[k];
      back_body *to = &s->body[c->own->pins[i].body[k]];
      to->now.p.x = vec_add(to->now.p.x, d->x);
      to->now.t.w = spin_add(to->now.t.w, d->w);
      to->R = mat_add(to->R, d->R);
      to->heft.mass += d->m.mass;
      FOR_SPINS(a) {
        FOR_SPINS(b) {
          to->heft.I.m[a][b] += d->m.I.m[a][b];
        }
      }
    }
  }
}
