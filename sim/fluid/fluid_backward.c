/* The adjoint of a step: its sweeps from the last to the first, for one seed after the other. */
#include "fluid_backward.h"

#include "alloc.h"
#include "flush_mode.h"
#include "status.h"

#include <string.h>

/* Sorted particles, in parts that threads share. */
#define EACH_PARTICLE(c, i)                                                                        \
  _Pragma("omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)") for (   \
      int i = 0; i < (c)->n; i++)

/* As many adjoints of touches as a step has room for. */
static cq_status fit_touches(fluid *c, fluid_backward *b) {
  const size_t n = fluid_chunks(c->n_all) * c->touch_room;
  if (b->touch_room == c->touch_room) {
    return CQ_OK;
  }
  b->touch_room = 0;
  cq_free(c->ctx, b->touch_g);
  cq_free(c->ctx, b->touch_t);
  cq_free(c->ctx, b->touch_stick);
  b->touch_g = b->touch_t = b->touch_stick = NULL;
  CQ_TRY(CQ_ALLOC(c->ctx, b->touch_g, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, b->touch_t, n * CQ_SPINS));
  CQ_TRY(CQ_ALLOC(c->ctx, b->touch_stick, n));
  b->touch_room = c->touch_room;
  return CQ_OK;
}

static void clear(fluid *c) {
  linear_back *w = &c->linear->back;
  fluid_backward *b = c->linear->backward;
  const size_t n = (size_t)c->n, touches = fluid_chunks(c->n_all) * c->touch_room;
  scalar *const one[] = {w->gain, w->excess, w->spread, w->volume, w->light, w->viscosity};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    memset(one[i], 0, n * sizeof(scalar));
  }
  memset(w->wall, 0, n * CQ_AXES * sizeof(scalar));
  memset(w->all, 0, n * CQ_AXES * sizeof(scalar));
  memset(b->touch_g, 0, touches * CQ_DIM * sizeof(scalar));
  memset(b->touch_t, 0, touches * CQ_SPINS * sizeof(scalar));
  memset(b->touch_stick, 0, touches * sizeof(scalar));
  memset(b->sample_x, 0, (size_t)c->n_samples * CQ_DIM * sizeof(scalar));
}

/* --- the end of the step */

/* dL by the velocities that the solvers leave, in the order of the list */
static void back_move(fluid *c, const back_seed *s) {
  linear_back *w = &c->linear->back;
  for (int i = 0; i < c->n; i++) {
    const int from = c->order[i];
    for (int a = 0; a < CQ_AXES; a++) {
      const scalar x = a < CQ_DIM ? s->x[from * CQ_DIM + a] : K(0);
      w->x[i * CQ_AXES + a] = x;
      w->v[i * CQ_AXES + a] = a < CQ_DIM ? s->v[from * CQ_DIM + a] + c->dt * x : K(0);
    }
    w->pressure[i] = s->pressure[from];
    s->pressure[from] = K(0);
  }
}

/* Bodies moved by their velocities at the end of the step: backwards. */
static void back_move_bodies(fluid *c, back_seed *s) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    const fluid_body *body = &c->bodies->body[b];
    const linear_body *of = &c->linear->bodies->of[b];
    motion *d = &s->body[b].now;
    s->body[b].R = mat_zero();
    if (body->free) {
      *d = free_drift_adjoint(&body->heft.I, of->end, c->dt, *d, &s->body[b].heft.I);
    } else if (c->own->bodies[b].count > 0) {
      const spin w = spin_to_body(of->R, of->end.t.w);
      turn q = turn_zero();
      spin dw = spin_zero();
      d->t.v = vec_axpy(d->t.v, c->dt, d->p.x);
      turn_step_adjoint(of->end.p.q, w, c->dt, d->p.q, &q, &dw);
      spin_to_body_adjoint(of->R, of->end.t.w, dw, &s->body[b].R, &d->t.w);
      d->p.q = q;
    }
  }
}

/* --- sweeps */

/* dL/dv per mass, with its moment */
static void find_u(fluid *c) {
  linear_back *w = &c->linear->back;
  EACH_PARTICLE(c, i) {
    const scalar per_mass = c->light[i] / c->volume[i];
    scalar *u = w->u + (size_t)i * CQ_AXES, about = K(0);
    for (int a = 0; a < CQ_AXES - 1; a++) {
      u[a] = per_mass * w->v[(size_t)i * CQ_AXES + (size_t)a];
      about += u[a] * c->place[(size_t)i * CQ_AXES + (size_t)a];
    }
    u[CQ_AXES - 1] = about;
  }
}

/* Pressures of particle i in a sweep: dL/derror from what is known of the change. */
static void back_pressure(fluid *c, int sweep, size_t i) {
  linear_back *w = &c->linear->back;
  const linear_step *r = &c->linear->step;
  const size_t at = i * (size_t)r->n_sweeps + (size_t)sweep;
  const scalar *flow = r->flow + at * CQ_AXES, *after = linear_after(c, i, sweep);
  scalar *v = w->v + i * CQ_AXES, change = w->change[i], error = K(0), lost = K(0);
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t place = linear_touch(c, (int)i, t);
    const fluid_touch *touch = &c->touches[place];
    if (touch->body >= 0) {
      const wrench g = fluid_wrench(touch->g, touch->t);
      const wrench *d = &c->linear->backward->impulse[touch->body];
      const scalar along = c->dt * (vec_dot(g.f, d->f) + spin_dot(g.t, d->t));
      change += c->volume[i] * along;
      w->volume[i] += flow[CQ_AXES - 1] * along;
    }
  }
  const scalar p = w->pressure[i] + change;
  w->pressure[i] = -change;
  if (r->open[at]) {
    w->pressure[i] += p;
    error = c->gain[i] * p;
    w->gain[i] += p * flow[CQ_AXES - 1] / c->gain[i];
  }
  w->error[i] = error / c->volume[i];
  FOR_AXES(a) {
    lost += v[a] * (flow[a] - after[a]);
    w->wall[i * CQ_AXES + (size_t)a] +=
        c->dt * (error * flow[a] - c->light[i] * flow[CQ_AXES - 1] * v[a]);
  }
  w->light[i] -= lost / c->light[i];
  if (sweep >= r->split) {
    w->excess[i] += error;
  }
  scalar *to = w->flow + at * CQ_AXES, *pull = w->pull + i * CQ_AXES;
  for (int a = 0; a < CQ_AXES; a++) {
    to[a] = a < CQ_AXES - 1 ? w->u[i * CQ_AXES + (size_t)a] : w->error[i];
    pull[a] = w->error[i] * c->place[i * CQ_AXES + (size_t)a];
  }
}

/* Touches of particle i in a sweep, both ways: pressures push bodies, bodies make divergence. */
static void back_touch(fluid *c, int sweep, size_t i) {
  const linear_back *w = &c->linear->back;
  const linear_step *r = &c->linear->step;
  fluid_backward *b = c->linear->backward;
  const scalar change = linear_flow(r, i, sweep)[CQ_AXES - 1];
  const scalar pushed = c->dt * c->volume[i] * change, error = c->dt * c->volume[i] * w->error[i];
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t place = linear_touch(c, (int)i, t);
    const int body = c->touches[place].body;
    if (body >= 0) {
      const fluid_twist *now = &r->twist[sweep * c->own->n_bodies + body];
      const wrench *d = &b->impulse[body];
      FOR_AXES(a) {
        b->touch_g[place * CQ_DIM + (size_t)a] += pushed * d->f.v[a] - error * now->v[a];
      }
      FOR_SPINS(k) {
        b->touch_t[place * CQ_SPINS + (size_t)k] += pushed * d->t.w[k] - error * now->w[k];
      }
    }
  }
}

/* what the divergence at all touches says of the twists of bodies */
static void back_twists(fluid *c, back_seed *s) {
  const linear_back *w = &c->linear->back;
  for (int i = 0; i < c->n; i++) {
    const scalar error = c->dt * c->volume[i] * w->error[i];
    for (int t = 0; t < c->n_touches[i]; t++) {
      const fluid_touch *touch = &c->touches[linear_touch(c, i, t)];
      if (touch->body >= 0) {
        twist *to = &s->body[touch->body].now.t;
        const wrench g = fluid_wrench(touch->g, touch->t);
        to->v = vec_axpy(to->v, -error, g.f);
        to->w = spin_axpy(to->w, -error, g.t);
      }
    }
  }
}

/* The sweeps of a solver, last one first. */
static void back_sweeps(fluid *c, back_seed *s, bool density) {
  const linear_step *r = &c->linear->step;
  const int first = density ? r->split : 0, last = density ? r->n_sweeps : r->split;
  for (int sweep = last - 1; sweep >= first; sweep--) {
    find_u(c);
    EACH_CHUNK(c, k, c->linear->hot->back_push(c, k))
    V(cq_fluid_back_pins)(c, s, linear_pulled(c, sweep));
    for (int b = 0; b < c->own->n_bodies; b++) {
      V(cq_fluid_back_kick)(c, s, b, c->linear->bodies->sum[sweep * c->own->n_bodies + b]);
    }
    EACH_PARTICLE(c, i) {
      back_pressure(c, sweep, (size_t)i);
      back_touch(c, sweep, (size_t)i);
    }
    EACH_CHUNK(c, k, c->linear->hot->back_measure(c, k))
    back_twists(c, s);
  }
}

/* --- between the solvers */

/* Gravity, thrusts, drags, contacts and viscosity, between the solvers. */
static void back_forces(fluid *c, back_seed *s) {
  linear_back *w = &c->linear->back;
  V(cq_fluid_back_pins)(c, s, linear_pulled(c, c->linear->step.n_sweeps));
  V(cq_fluid_back_contacts)(c, s);
  for (int b = 0; b < c->own->n_bodies; b++) {
    V(cq_fluid_back_kick)(c, s, b, c->linear->bodies->of[b].weight);
    const wrench d = c->linear->backward->impulse[b];
    const fluid_body *body = &c->bodies->body[b];
    FOR_AXES(a) {
      s->gravity[a] += c->dt * body->heft.mass * d.f.v[a];
      s->body[b].heft.mass += c->dt * (c->gravity[a] + body->thrust.v[a]) * d.f.v[a];
    }
  }
  for (int i = 0; i < c->model->n_drives; i++) {
    const cq_fluid_thrust *thrust = &c->own->thrusts[i];
    const vec d = c->linear->backward->impulse[thrust->body].f;
    const scalar pushed = c->dt * c->bodies->body[thrust->body].heft.mass;
    FOR_AXES(a) {
      s->dw[i] += thrust->direction[a] * (double)(pushed * d.v[a]);
    }
  }
  for (int i = 0; i < c->n; i++) {
    FOR_AXES(a) {
      s->gravity[a] += c->dt * w->v[i * CQ_AXES + a];
    }
  }
  find_u(c);
  for (int b = 0; b < c->own->n_bodies; b++) {
    V(cq_fluid_back_kick)(c, s, b, c->linear->bodies->of[b].drag);
  }
  if (c->sticky) {
    V(cq_fluid_back_drags)(c, s);
  }
  EACH_CHUNK(c, k, c->linear->hot->back_forces(c, k))
  memset(w->pressure, 0, (size_t)c->n * sizeof *w->pressure);
}

/* --- geometry */

/* From gains to diagonals, and from these to sums of gradients; then per volume, as pairs take it.
 */
static void back_gains(fluid *c, back_seed *s) {
  linear_back *w = &c->linear->back;
  const scalar *base = c->linear->step.base;
  EACH_PARTICLE(c, i) {
    w->gain[i] = c->gain[i] > K(0) ? -c->gain[i] * w->gain[i] / c->diagonal[i] : K(0);
  }
  V(cq_fluid_back_weights)(c, s, w->gain);
  EACH_PARTICLE(c, i) {
    w->light[i] += w->gain[i] * base[i];
    w->spread[i] = w->gain[i] * c->light[i];
    for (int a = 0; a < CQ_AXES; a++) {
      const int at = i * CQ_AXES + a;
      w->all[at] += K(2) * w->gain[i] * c->light[i] * c->all[at];
      w->wall[at] += w->all[at];
      w->all[at] /= c->volume[i];
    }
  }
}

/* One seed through the step: all that a step does, backwards. */
static void back_step(fluid *c, back_seed *s) {
  linear_back *w = &c->linear->back;
  clear(c);
  V(cq_fluid_back_begin_pins)(c, s);
  back_move(c, s);
  back_move_bodies(c, s);
  back_sweeps(c, s, true);
  back_forces(c, s);
  back_sweeps(c, s, false);
  back_gains(c, s);
  V(cq_fluid_back_touches)(c, s);
  EACH_PARTICLE(c, i) {
    w->excess[i] /= c->volume[i];
  }
  EACH_CHUNK(c, k, c->linear->hot->back_geometry(c, k))
  V(cq_fluid_back_samples)(c, s);
  V(cq_fluid_back_place_pins)(c, s);
}

/* Back to the order of a state. */
static void put(fluid *c, back_seed *s) {
  const linear_back *w = &c->linear->back;
  for (int i = 0; i < c->n; i++) {
    const int to = c->order[i];
    FOR_AXES(a) {
      s->x[to * CQ_DIM + a] = w->x[i * CQ_AXES + a];
      s->v[to * CQ_DIM + a] = w->v[i * CQ_AXES + a];
    }
    s->volume[to] += w->volume[i];
    s->density[to] -= c->light[i] * c->light[i] * w->light[i];
    s->viscosity[to] += w->viscosity[i];
  }
}

/* Turns, and the hand that holds a body. */
static void begin_bodies(fluid *c, back_seed *s, double t) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    back_body *d = &s->body[b];
    const scalar part = fluid_hand(c, &c->own->bodies[b], t);
    if (c->own->bodies[b].count == 0) { /* an obstacle moves as it does */
      d->now = (motion){.p = {.x = vec_zero(), .q = turn_zero()}, .t = twist_zero()};
      continue;
    }
    const turn q = turn_matrix_adjoint(c->linear->bodies->of[b].begin.p.q, d->R);
    d->now.p.q = turn_add(d->now.p.q, q);
    if (part >= K(0)) {
      d->goal.v = vec_axpy(d->goal.v, part, d->now.t.v);
      d->goal.w = spin_axpy(d->goal.w, part, d->now.t.w);
      d->now.t = twist_zero();
    }
  }
}

/* The step is recorded once for all seeds. */
cq_status V(cq_fluid_step_adjoint)(void *work, int step, const void *state, const double *w,
                                   double *dw) {
  fluid *c = work;
  fluid_backward *b = c->linear->backward;
  const fluid_state in = V(cq_fluid_view)(c, state);
  (void)step;
  memset(dw, 0, (size_t)b->n_seeds * (size_t)c->model->n_drives * sizeof *dw);
  CQ_TRY(V(cq_fluid_record_step)(c, &in, w));
  CQ_TRY(fit_touches(c, b));
  for (int k = 0; k < b->n_seeds; k++) {
    b->seed[k].dw = dw + (size_t)k * (size_t)c->model->n_drives;
    back_step(c, &b->seed[k]);
    put(c, &b->seed[k]);
    begin_bodies(c, &b->seed[k], *in.time);
  }
  b->stepped = true;
  return CQ_OK;
}
