/* Bodies in the tangents of a run: few of them, one direction after the other. */
#include "alloc.h"
#include "fluid_forward.h"
#include "point/linear.h"
#include "status.h"

#include <string.h>

/* as particles meet bodies */
static void show_bodies(fluid *c, int block) {
  linear_lanes *w = &c->linear->lanes;
  for (int b = 0; b < c->own->n_bodies; b++) {
    for (int l = 0; l < ways_of(c->linear->forward, block); l++) {
      const fluid_direction *d = direction_of(c, block, l, b);
      FOR_AXES(a) {
        w->twist[(b * CQ_TWIST + a) * WAYS + l] = d->now.t.v.v[a];
        w->center[(b * CQ_DIM + a) * WAYS + l] = d->now.p.x.v[a];
      }
      FOR_SPINS(s) {
        w->twist[(b * CQ_TWIST + CQ_DIM + s) * WAYS + l] = d->now.t.w.w[s];
      }
    }
  }
}

/* Hands, places of samples. */
void V(cq_fluid_forward_begin_bodies)(fluid *c, fluid_forward *f, int block, double t) {
  linear_lanes *w = &c->linear->lanes;
  const scalar *x0 = block_of(f->sample_x0, block, c->n_samples, CQ_DIM);
  memset(w->sample_x, 0, (size_t)c->n_samples * CQ_DIM * WAYS * sizeof *w->sample_x);
  w->sample_volume = block_of(f->sample_volume, block, c->n_samples, 1);
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    const linear_body *of = &c->linear->bodies->of[b];
    const scalar part = fluid_hand(c, body, t);
    for (int l = 0; l < ways_of(f, block); l++) {
      fluid_direction *d = direction_of(c, block, l, b);
      const mat dR = turn_matrix_tangent(of->begin.p.q, d->now.p.q);
      f->dR[b * WAYS + l] = dR;
      if (part >= K(0)) {
        d->now.t.v = vec_scale(part, d->goal.v);
        d->now.t.w = spin_scale(part, d->goal.w);
      }
      for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
        vec r, dr;
        FOR_AXES(a) {
          r.v[a] = c->sample_x0[s * CQ_DIM + a];
          dr.v[a] = x0[(s * CQ_DIM + a) * WAYS + l];
        }
        dr = vec_add(d->now.p.x, vec_add(mat_vec(dR, r), mat_vec(of->R, dr)));
        FOR_AXES(a) {
          w->sample_x[(s * CQ_DIM + a) * WAYS + l] = dr.v[a];
        }
      }
    }
  }
  for (int l = 0; l < ways_of(f, block); l++) {
    V(cq_fluid_place_pin_tangents)(c, block * WAYS + l);
  }
  show_bodies(c, block);
}

/* Pins, after bodies were pushed. */
static void pull_pins(fluid *c, int block, int stage) {
  for (int l = 0; l < ways_of(c->linear->forward, block); l++) {
    V(cq_fluid_pull_pin_tangents)(c, block * WAYS + l, linear_pulled(c, stage));
  }
}

/* An impulse and what it changes by, to one body in one direction. */
static void kick(fluid *c, int block, int way, int b, wrench impulse, wrench change) {
  fluid_direction *d = direction_of(c, block, way, b);
  const fluid_body *body = &c->bodies->body[b];
  if (body->free) {
    const twist t = heft_kick_tangent(&body->heft, &d->heft, c->linear->bodies->of[b].R,
                                      c->linear->forward->dR[b * WAYS + way], impulse, change);
    d->now.t.v = vec_add(d->now.t.v, t.v);
    d->now.t.w = spin_add(d->now.t.w, t.w);
  }
}

/* Impulses of a sweep, over all touches one after the other. */
void V(cq_fluid_forward_push)(fluid *c, int block, int sweep) {
  linear_lanes *w = &c->linear->lanes;
  memset(w->wrench, 0, (size_t)c->own->n_bodies * CQ_TWIST * WAYS * sizeof *w->wrench);
  for (int i = 0; i < c->n; i++) {
    const scalar change = linear_flow(&c->linear->step, (size_t)i, sweep)[CQ_AXES - 1];
    for (int t = 0; t < c->n_touches[i]; t++) {
      const size_t place = linear_touch(c, i, t);
      const fluid_touch *touch = &c->touches[place];
      for (int l = 0; l < WAYS && touch->body >= 0; l++) {
        const size_t at = (size_t)i * WAYS + (size_t)l;
        scalar *to = w->wrench + (size_t)touch->body * CQ_TWIST * WAYS + l;
        const scalar whole = c->dt * c->volume[i] * change;
        const scalar more = c->dt * (w->volume[at] * change + c->volume[i] * w->change[at]);
        for (size_t a = 0; a < CQ_DIM; a++) {
          to[a * WAYS] +=
              more * touch->g[a] + whole * w->touch_g[(place * CQ_DIM + a) * WAYS + (size_t)l];
        }
        for (size_t s = 0; s < CQ_SPINS; s++) {
          to[(CQ_DIM + s) * WAYS] +=
              more * touch->t[s] + whole * w->touch_t[(place * CQ_SPINS + s) * WAYS + (size_t)l];
        }
      }
    }
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    for (int l = 0; l < ways_of(c->linear->forward, block); l++) {
      wrench change;
      FOR_AXES(a) {
        change.f.v[a] = w->wrench[(b * CQ_TWIST + a) * WAYS + l];
      }
      FOR_SPINS(s) {
        change.t.w[s] = w->wrench[(b * CQ_TWIST + CQ_DIM + s) * WAYS + l];
      }
      kick(c, block, l, b, c->linear->bodies->sum[sweep * c->own->n_bodies + b], change);
    }
  }
  pull_pins(c, block, sweep);
  show_bodies(c, block);
}

/* what fluid that drags changes of its impulse on body b */
static wrench change_drag(const fluid *c, int b, int way) {
  const linear_lanes *w = &c->linear->lanes;
  wrench sum = wrench_zero();
  for (int i = 0; i < c->n && c->sticky; i++) {
    for (int t = 0; t < c->n_touches[i]; t++) {
      const size_t place = linear_touch(c, i, t), l = (size_t)way;
      if (c->touches[place].body != b) {
        continue;
      }
      vec arm, darm, f, df;
      const scalar part = w->volume[(size_t)i * WAYS + l] / c->volume[i];
      FOR_AXES(a) {
        const size_t axis = (size_t)a, at = (size_t)i * CQ_DIM + axis;
        arm.v[a] = c->x[(size_t)i * CQ_AXES + axis] - c->center[b][a];
        darm.v[a] = w->x[at * WAYS + l] - w->center[((size_t)b * CQ_DIM + axis) * WAYS + l];
        f.v[a] = c->touches[place].drag[a];
        df.v[a] = part * f.v[a] -
                  c->dt * c->volume[i] * w->touch_force[(place * CQ_DIM + axis) * WAYS + l];
      }
      sum.f = vec_add(sum.f, df);
      sum.t = spin_add(sum.t, spin_add(spin_arm(darm, f), spin_arm(arm, df)));
    }
  }
  return sum;
}

/* --- contact */

typedef struct contact_change {
  int block, way;
  const double *direction;
  wrench *sum; /* [n_bodies] */
} contact_change;

static vec lane_at(const scalar *a, int i, int way) {
  vec r;
  FOR_AXES(k) {
    r.v[k] = a[(i * CQ_DIM + k) * WAYS + way];
  }
  return r;
}

static vec place_of(const fluid *c, int s) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = c->sample_x[s * CQ_DIM + a];
  }
  return r;
}

/* velocity of a body (-1: walls) at x, and what it changes by */
static vec velocity_at(const fluid *c, const contact_change *w, int b, vec x, vec dx, vec *dv) {
  *dv = vec_zero();
  if (b < 0) {
    return *dv;
  }
  const motion *m = &c->linear->bodies->of[b].meets;
  const motion *d = &direction_of(c, w->block, w->way, b)->now;
  const vec arm = vec_sub(x, m->p.x), darm = vec_sub(dx, d->p.x);
  *dv = vec_add(d->t.v, vec_add(spin_turn(d->t.w, arm), spin_turn(m->t.w, darm)));
  return vec_add(m->t.v, spin_turn(m->t.w, arm));
}

/* Adds another sample to what meets sample s of body a, at x, and to its change. */
static void meet_other(const fluid *c, const contact_change *w, int a, int o, vec x, vec dx,
                       meeting *m, meeting *dm) {
  const vec xo = place_of(c, o), dxo = lane_at(c->linear->lanes.sample_x, o, w->way);
  const vec d = vec_sub(x, xo), dd = vec_sub(dx, dxo);
  const scalar square = vec_dot(d, d), h = c->kernel.h;
  if (!(square < h * h)) {
    return;
  }
  const scalar q = real_sqrt(square) * c->kernel.inverse, W = kernel_value(&c->kernel, q);
  const scalar slope = kernel_slope(&c->kernel, q), bend = kernel_bend(&c->kernel, q);
  const scalar along = vec_dot(d, dd), dW = slope * along, V = c->sample_volume0[o];
  const scalar dV = c->linear->lanes.sample_volume[o * WAYS + w->way];
  const int wall = V(cq_fluid_friction_wall)(c, a, o);
  const scalar friction = wall >= 0 ? c->friction[wall] : K(c->own->friction);
  const scalar rougher =
      wall >= 0 ? K(input_of(c, w->direction, CQ_FLUID_friction, (size_t)wall)) : K(0);
  vec dv;
  const vec v = velocity_at(c, w, c->sample_body[o], xo, dxo, &dv);
  meeting_add(m, W, slope, V, d, v, friction);
  dm->weight += dW;
  dm->density += dV * W + V * dW;
  dm->gradient = vec_axpy(dm->gradient, V * slope, dd);
  dm->gradient = vec_axpy(dm->gradient, V * bend * along + dV * slope, d);
  dm->velocity = vec_axpy(vec_axpy(dm->velocity, W, dv), dW, v);
  dm->friction += dW * friction + W * rougher;
}

/* What the force of contact at sample s changes by. */
static void change_contact(fluid *c, int a, int b, int s, const int *others, int n, void *user) {
  const contact_change *w = user;
  const contact_law law = V(cq_fluid_contact_law)(c);
  const vec x = place_of(c, s), dx = lane_at(c->linear->lanes.sample_x, s, w->way);
  meeting m = meeting_zero(), dm = meeting_zero();
  for (int k = 0; k < n; k++) {
    meet_other(c, w, a, others[k], x, dx, &m, &dm);
  }
  if (!(m.weight > K(0) && vec_dot(m.gradient, m.gradient) > K(0))) {
    return;
  }
  vec dv;
  const vec v = velocity_at(c, w, a, x, dx, &dv);
  const vec f = vec_scale(c->dt, contact_force(&law, v, &m));
  const vec df = vec_scale(c->dt, contact_force_tangent(&law, v, dv, &m, &dm));
  const int of[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    if (of[k] >= 0) {
      const motion *body = &c->linear->bodies->of[of[k]].meets;
      const vec arm = vec_sub(x, body->p.x);
      const vec darm = vec_sub(dx, direction_of(c, w->block, w->way, of[k])->now.p.x);
      wrench change = {.f = df, .t = spin_add(spin_arm(darm, f), spin_arm(arm, df))};
      w->sum[of[k]] = wrench_axpy(w->sum[of[k]], k == 0 ? K(1) : K(-1), change);
    }
  }
}

/* Gravity, drags, contacts. */
cq_status V(cq_fluid_forward_load)(fluid *c, fluid_forward *f, int block) {
  const int n = c->own->n_bodies;
  contact_change w = {.block = block};
  CQ_TRY(CQ_ALLOC(c->ctx, w.sum, n));
  for (int l = 0; l < ways_of(f, block); l++) {
    w.direction = f->directions + (size_t)(block * WAYS + l) * c->layout->total;
    w.way = l;
    for (int b = 0; b < n; b++) {
      const linear_body *of = &c->linear->bodies->of[b];
      const scalar mass = c->bodies->body[b].heft.mass;
      const vec thrust = c->bodies->body[b].thrust;
      const vec dthrust = fluid_thrust_change(c, block * WAYS + l, b);
      wrench weight = wrench_zero();
      FOR_AXES(a) {
        weight.f.v[a] =
            c->dt * (direction_of(c, block, l, b)->heft.mass * (c->gravity[a] + thrust.v[a]) +
                     mass * (c->linear->lanes.gravity[a * WAYS + l] + dthrust.v[a]));
      }
      kick(c, block, l, b, of->weight, weight);
      kick(c, block, l, b, of->drag, change_drag(c, b, l));
      w.sum[b] = wrench_zero();
    }
    if (c->own->contact_stiffness > 0.0) {
      V(cq_fluid_each_meeting)(c, change_contact, &w);
      for (int b = 0; b < n; b++) {
        kick(c, block, l, b, c->linear->bodies->of[b].contact, w.sum[b]);
      }
    }
  }
  cq_free(c->ctx, w.sum);
  pull_pins(c, block, c->linear->step.n_sweeps);
  show_bodies(c, block);
  return CQ_OK;
}

/* Bodies move by what they end with. */
void V(cq_fluid_forward_move)(fluid *c, int block) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    const fluid_body *body = &c->bodies->body[b];
    const linear_body *of = &c->linear->bodies->of[b];
    for (int l = 0; l < ways_of(c->linear->forward, block); l++) {
      fluid_direction *d = direction_of(c, block, l, b);
      if (body->free) {
        d->now = free_drift_tangent(&body->heft.I, &d->heft.I, of->end, d->now, c->dt);
      } else if (c->own->bodies[b].count > 0) {
        const mat dR = c->linear->forward->dR[b * WAYS + l];
        const spin w = spin_to_body(of->R, of->end.t.w);
        const spin dw = spin_turned_tangent(of->R, dR, of->end.t.w, d->now.t.w, 0);
        d->now.p.x = vec_axpy(d->now.p.x, c->dt, d->now.t.v);
        d->now.p.q = turn_step_tangent(of->end.p.q, d->now.p.q, w, dw, c->dt);
      }
    }
  }
}
