/* The adjoint of what bodies and particles do to each other, touch after touch: few of them are
 * near, and the sums have one order. */
#include "fluid_backward.h"
#include "point/linear.h"

static vec vec_at(const scalar *a, size_t i, size_t apart) {
  vec r;
  FOR_AXES(k) {
    r.v[k] = a[i * apart + (size_t)k];
  }
  return r;
}

static void add_at(scalar *a, size_t i, size_t apart, vec d) {
  FOR_AXES(k) {
    a[i * apart + (size_t)k] += d.v[k];
  }
}

static vec center_of(const fluid *c, int body) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = c->center[body][a];
  }
  return r;
}

void V(cq_fluid_back_kick)(fluid *c, back_seed *s, int b, wrench impulse) {
  const fluid_body *body = &c->bodies->body[b];
  wrench *d = &c->linear->backward->impulse[b];
  *d = wrench_zero();
  if (body->free) {
    heft_kick_adjoint(&body->heft, c->linear->bodies->of[b].R, impulse, s->body[b].now.t,
                      &s->body[b].heft, &s->body[b].R, d);
  }
}

/* --- drags */

/* The viscous impulse of particle i at one touch. */
static void back_drag(fluid *c, back_seed *s, size_t i, size_t place) {
  linear_back *w = &c->linear->back;
  const linear_step *r = &c->linear->step;
  const int body = c->touches[place].body;
  const scalar stick = r->stick[place], pushed = c->dt * c->volume[i];
  const vec u = vec_at(w->u, i, CQ_AXES);
  vec past = vec_at(r->middle, i, CQ_AXES), back = u, arm = vec_zero(), darm = vec_zero();
  spin turns = spin_zero();
  if (body >= 0) {
    const motion *m = &c->linear->bodies->of[body].loose;
    const wrench *d = &c->linear->backward->impulse[body];
    arm = vec_sub(vec_at(c->x, i, CQ_AXES), center_of(c, body));
    turns = m->t.w;
    past = vec_sub(past, vec_add(m->t.v, spin_turn(turns, arm)));
    const vec taken = vec_add(d->f, spin_turn(d->t, arm));
    back = vec_sub(back, taken);
    w->volume[i] -= c->dt * stick * vec_dot(past, taken);
    darm = vec_scale(pushed * stick, spin_turn(d->t, past));
  }
  w->light[i] += pushed / c->light[i] * stick * vec_dot(u, past);
  c->linear->backward->touch_stick[place] += pushed * vec_dot(back, past);
  const vec d = vec_scale(pushed * stick, back);
  add_at(w->v, i, CQ_AXES, d);
  if (body >= 0) {
    motion *to = &s->body[body].now;
    darm = vec_add(darm, spin_turn(turns, d));
    to->t.v = vec_sub(to->t.v, d);
    to->t.w = spin_axpy(to->t.w, K(-1), spin_arm(arm, d));
    to->p.x = vec_sub(to->p.x, darm);
    add_at(w->x, i, CQ_AXES, darm);
  }
}

void V(cq_fluid_back_drags)(fluid *c, back_seed *s) {
  for (int i = 0; i < c->n; i++) {
    for (int t = 0; t < c->n_touches[i]; t++) {
      back_drag(c, s, (size_t)i, linear_touch(c, i, t));
    }
  }
}

/* --- weights */

/* What the mobility of a body has in the diagonal of particle i. */
static void back_weight(fluid *c, back_seed *s, size_t i, size_t place, scalar diagonal) {
  fluid_backward *b = c->linear->backward;
  const fluid_touch *touch = &c->touches[place];
  const fluid_body *body = &c->bodies->body[touch->body];
  const mat R = c->linear->bodies->of[touch->body].R;
  const scalar touching = b->touching[touch->body];
  const scalar weight = diagonal * (scalar)body->touching + c->volume[i] * touching;
  const wrench of = fluid_wrench(touch->g, touch->t);
  const scalar half = K(0.5) * weight / touch->weight;
  const twist moved = heft_kick(&body->heft, R, of);
  const twist d = {.v = vec_scale(half, of.f), .w = spin_scale(half, of.t)};
  wrench change = {.f = vec_scale(half, moved.v), .t = spin_scale(half, moved.w)};
  heft_kick_adjoint(&body->heft, R, of, d, &s->body[touch->body].heft, &s->body[touch->body].R,
                    &change);
  c->linear->back.volume[i] += touch->weight * touching;
  add_at(b->touch_g, place, CQ_DIM, change.f);
  FOR_SPINS(k) {
    b->touch_t[place * CQ_SPINS + (size_t)k] += change.t.w[k];
  }
}

void V(cq_fluid_back_weights)(fluid *c, back_seed *s, const scalar *diagonal) {
  scalar *touching = c->linear->backward->touching;
  for (int b = 0; b < c->own->n_bodies; b++) {
    touching[b] = K(0);
  }
  for (int pass = 0; pass < 2; pass++) { /* first what bodies add up */
    for (int i = 0; i < c->n; i++) {
      for (int t = 0; t < c->n_touches[i]; t++) {
        const size_t place = linear_touch(c, i, t);
        const fluid_touch *touch = &c->touches[place];
        if (touch->weight > K(0) && pass == 0) {
          touching[touch->body] += diagonal[i] * touch->weight;
        } else if (touch->weight > K(0)) {
          back_weight(c, s, (size_t)i, place, diagonal[i]);
        }
      }
    }
  }
}

/* --- samples */

/* what belongs to a touch that drags and is the same for all of its samples */
static void back_sticks(fluid *c, size_t i) {
  linear_back *w = &c->linear->back;
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t place = linear_touch(c, (int)i, t);
    const scalar d = c->linear->backward->touch_stick[place] * c->linear->step.stick[place];
    w->excess[i] -= d / (K(1) + c->excess[i]);
    w->viscosity[i] += c->viscosity[i] > K(0) ? d / c->viscosity[i] : K(0);
  }
}

/* The gradient of the kernel that a sample has at particle i. */
static void back_sample(fluid *c, back_seed *s, size_t i, size_t place) {
  linear_back *w = &c->linear->back;
  const linear_step *r = &c->linear->step;
  fluid_backward *b = c->linear->backward;
  const int at = c->sample_near[place], body = c->sorted_body[at];
  const int sample = c->sample_order[at];
  const scalar slope = c->sample_slope[place], bend = r->sample_bend[place];
  const scalar volume = c->sorted_volume[at];
  vec xb, g = vec_at(w->wall, i, CQ_AXES);
  FOR_AXES(a) {
    xb.v[a] = c->sorted_column[a][at];
  }
  const vec d = vec_sub(vec_at(c->x, i, CQ_AXES), xb);
  const scalar square = vec_dot(d, d);
  size_t touch = linear_touch(c, (int)i, 0);
  while (c->touches[touch].body != body) {
    touch++;
  }
  vec dx = vec_zero();
  g = vec_add(g, vec_at(b->touch_g, touch, CQ_DIM));
  if (body >= 0) {
    spin t;
    FOR_SPINS(k) {
      t.w[k] = b->touch_t[touch * CQ_SPINS + (size_t)k];
    }
    const vec arm = vec_sub(xb, center_of(c, body));
    const vec darm = vec_scale(-slope, spin_turn(t, d));
    g = vec_add(g, spin_turn(t, arm));
    dx = darm;
    s->body[body].now.p.x = vec_sub(s->body[body].now.p.x, darm);
  }
  scalar along = w->excess[i] * slope, larger = w->excess[i] * r->sample_value[place];
  if (c->sorted_sticky[at]) {
    const scalar drag =
        b->touch_stick[touch] * CQ_FLUID_WALL_DRAG * c->viscosity[i] / (K(1) + c->excess[i]);
    along += drag * pair_drag_rate(&c->kernel, slope, bend, square);
    larger += drag * pair_drag(&c->kernel, K(1), slope, square) / volume;
  }
  const vec pull = vec_axpy(linear_pull(slope, bend, d, g), along, d);
  s->sample_volume[sample] += larger + slope * vec_dot(g, d) / volume;
  add_at(w->x, i, CQ_AXES, pull);
  add_at(b->sample_x, (size_t)sample, CQ_DIM, vec_sub(dx, pull));
}

void V(cq_fluid_back_touches)(fluid *c, back_seed *s) {
  for (int i = 0; i < c->n; i++) {
    back_sticks(c, (size_t)i);
    for (int k = 0; k < c->sample_count[i]; k++) {
      back_sample(c, s, (size_t)i, c->first_sample[i] + (size_t)k);
    }
  }
}

void V(cq_fluid_back_samples)(fluid *c, back_seed *s) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    const mat R = c->linear->bodies->of[b].R;
    for (int k = body->first_sample; k < body->first_sample + body->n_samples; k++) {
      const vec d = vec_at(c->linear->backward->sample_x, (size_t)k, CQ_DIM);
      s->body[b].now.p.x = vec_add(s->body[b].now.p.x, d);
      s->body[b].R = mat_add(s->body[b].R, vec_outer(d, vec_at(c->sample_x0, (size_t)k, CQ_DIM)));
      add_at(s->sample_x0, (size_t)k, CQ_DIM, mat_t_vec(R, d));
    }
  }
}

/* --- contacts */

static vec velocity_at(const fluid *c, int b, vec x) {
  if (b < 0) {
    return vec_zero();
  }
  const motion *m = &c->linear->bodies->of[b].meets;
  return vec_add(m->t.v, spin_turn(m->t.w, vec_sub(x, m->p.x)));
}

/* dL by the velocity of sample o of body b, at x */
static void back_velocity(fluid *c, back_seed *s, int b, int o, vec x, vec d) {
  if (b >= 0) {
    const motion *m = &c->linear->bodies->of[b].meets;
    motion *to = &s->body[b].now;
    const vec darm = vec_scale(K(-1), spin_turn(m->t.w, d));
    to->t.v = vec_add(to->t.v, d);
    to->t.w = spin_add(to->t.w, spin_arm(vec_sub(x, m->p.x), d));
    to->p.x = vec_sub(to->p.x, darm);
    add_at(c->linear->backward->sample_x, (size_t)o, CQ_DIM, darm);
  }
}

/* A sample that another may touch: what is between them; false where they do not see each other. */
typedef struct seen_sample {
  vec x, d, velocity;
  scalar W, slope, bend, volume, friction;
  int wall;
} seen_sample;

static bool see(const fluid *c, int a, vec x, int o, seen_sample *r) {
  r->x = vec_at(c->sample_x, (size_t)o, CQ_DIM);
  r->d = vec_sub(x, r->x);
  const scalar square = vec_dot(r->d, r->d), q = real_sqrt(square) * c->kernel.inverse;
  r->W = kernel_value(&c->kernel, q);
  r->slope = kernel_slope(&c->kernel, q);
  r->bend = kernel_bend(&c->kernel, q);
  r->volume = c->sample_volume0[o];
  r->wall = V(cq_fluid_friction_wall)(c, a, o);
  r->friction = r->wall >= 0 ? c->friction[r->wall] : K(c->own->friction);
  r->velocity = velocity_at(c, c->sample_body[o], r->x);
  return square < c->kernel.h * c->kernel.h;
}

/* What sample o adds to a meeting. */
static void back_other(fluid *c, back_seed *s, int k, int o, const seen_sample *r,
                       const meeting *dm) {
  scalar *sample_x = c->linear->backward->sample_x;
  const scalar dW = dm->weight + r->volume * dm->density + vec_dot(dm->velocity, r->velocity) +
                    dm->friction * r->friction;
  const vec pull =
      vec_axpy(vec_scale(r->volume, linear_pull(r->slope, r->bend, r->d, dm->gradient)),
               dW * r->slope, r->d);
  s->sample_volume[o] += dm->density * r->W + r->slope * vec_dot(dm->gradient, r->d);
  if (r->wall >= 0) {
    s->friction[r->wall] += r->W * dm->friction;
  }
  back_velocity(c, s, c->sample_body[o], o, r->x, vec_scale(r->W, dm->velocity));
  add_at(sample_x, (size_t)k, CQ_DIM, pull);
  add_at(sample_x, (size_t)o, CQ_DIM, vec_scale(K(-1), pull));
}

/* dL by the force f at sample k: on body a, and back on b */
static vec back_force(fluid *c, back_seed *s, int a, int b, int k, vec x, vec f) {
  vec d = vec_zero();
  for (int side = 0; side < 2; side++) {
    const int body = side == 0 ? a : b;
    const scalar sign = side == 0 ? K(1) : K(-1);
    if (body >= 0) {
      const wrench *impulse = &c->linear->backward->impulse[body];
      const vec arm = vec_sub(x, c->linear->bodies->of[body].meets.p.x);
      const vec darm = vec_scale(-sign, spin_turn(impulse->t, f));
      d = vec_axpy(d, sign, vec_add(impulse->f, spin_turn(impulse->t, arm)));
      s->body[body].now.p.x = vec_sub(s->body[body].now.p.x, darm);
      add_at(c->linear->backward->sample_x, (size_t)k, CQ_DIM, darm);
    }
  }
  return d;
}

/* The force of contact at sample k, which others meet. */
static void back_meeting(fluid *c, int a, int b, int k, const int *others, int n, void *user) {
  back_seed *s = user;
  const contact_law law = V(cq_fluid_contact_law)(c);
  const vec x = vec_at(c->sample_x, (size_t)k, CQ_DIM);
  meeting m = meeting_zero(), dm = meeting_zero();
  seen_sample r;
  for (int i = 0; i < n; i++) {
    if (see(c, a, x, others[i], &r)) {
      meeting_add(&m, r.W, r.slope, r.volume, r.d, r.velocity, r.friction);
    }
  }
  if (!(m.weight > K(0) && vec_dot(m.gradient, m.gradient) > K(0))) {
    return;
  }
  const vec v = velocity_at(c, a, x), f = vec_scale(c->dt, contact_force(&law, v, &m));
  const vec d = vec_scale(c->dt, back_force(c, s, a, b, k, x, f));
  vec dv = vec_zero();
  contact_force_adjoint(&law, v, &m, d, &dv, &dm);
  back_velocity(c, s, a, k, x, dv);
  for (int i = 0; i < n; i++) {
    if (see(c, a, x, others[i], &r)) {
      back_other(c, s, k, others[i], &r, &dm);
    }
  }
}

void V(cq_fluid_back_contacts)(fluid *c, back_seed *s) {
  if (!(c->own->contact_stiffness > 0.0)) {
    return;
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    V(cq_fluid_back_kick)(c, s, b, c->linear->bodies->of[b].contact);
  }
  V(cq_fluid_each_meeting)(c, back_meeting, s);
}
