/* Bodies that meet bodies and walls: the penalty of DiffFR (Li et al. 2023, eq. 5), on samples. A
 * sample that others add a part d to the density of its own body is pushed by stiffness * radius *
 * d. Their normal there is the direction in which that falls fastest; the paper's, from the mean of
 * a sample's own neighbours, vanishes on a face that is sampled once. Force and counterforce are at
 * the sample, so that momentum is kept. */
#include "fluid_bodies.h"

#include <stdbool.h>

static vec sample_at(const fluid *c, int s) {
  vec x;
  FOR_AXES(a) {
    x.v[a] = c->sample_x[s * CQ_DIM + a];
  }
  return x;
}

static vec velocity_of(const fluid *c, int body, vec x) {
  if (body < 0) {
    return vec_zero();
  }
  const motion *m = &c->bodies->body[body].now;
  return vec_add(m->t.v, spin_turn(m->t.w, vec_sub(x, m->p.x)));
}

/* of a sample of body a with that of another body or a wall */
static scalar friction_of(const fluid *c, int a, int other) {
  const int wall = V(cq_fluid_friction_wall)(c, a, other);
  return wall >= 0 ? c->friction[wall] : K(c->own->friction);
}

static void meet(const fluid *c, meeting *m, int a, vec x, int other) {
  const vec xo = sample_at(c, other), d = vec_sub(x, xo);
  const scalar square = vec_dot(d, d), h = c->kernel.h;
  if (!(square < h * h)) {
    return;
  }
  const scalar q = real_sqrt(square) * c->kernel.inverse, W = kernel_value(&c->kernel, q);
  meeting_add(m, W, kernel_slope(&c->kernel, q), c->sample_volume0[other], d,
              velocity_of(c, c->sample_body[other], xo), friction_of(c, a, other));
}

/* an impulse f at x */
static void apply(fluid *c, int body, vec x, vec f) {
  if (body >= 0) {
    fluid_body *b = &c->bodies->body[body];
    wrench impulse = wrench_zero();
    impulse.f = f;
    impulse.t = spin_arm(vec_sub(x, b->now.p.x), f);
    b->sum = wrench_axpy(b->sum, K(1), impulse);
  }
}

/* each sample of body a, with those of b (-1: walls) that are in the box around a */
static void meet_pair(fluid *c, int a, int b, const vec *box, fluid_meeting_fn *each, void *user) {
  const cq_fluid_body *bodies = c->own->bodies;
  const int first = b < 0 ? 0 : bodies[b].first_sample;
  const int last = first + (b < 0 ? c->own->n_wall_samples : bodies[b].n_samples);
  int n = 0;
  for (int s = first; s < last; s++) {
    bool inside = true;
    FOR_AXES(k) {
      const scalar x = c->sample_x[s * CQ_DIM + k];
      inside = inside && x > box[0].v[k] && x < box[1].v[k];
    }
    if (inside) {
      c->sample_key[n++] = s;
    }
  }
  for (int s = bodies[a].first_sample; n > 0 && s < bodies[a].first_sample + bodies[a].n_samples;
       s++) {
    each(c, a, b, s, c->sample_key, n, user);
  }
}

static void touch(fluid *c, int a, int b, int s, const int *others, int n, void *user) {
  const contact_law *law = user;
  const vec x = sample_at(c, s);
  meeting m = meeting_zero();
  for (int k = 0; k < n; k++) {
    meet(c, &m, a, x, others[k]);
  }
  if (m.weight > K(0) && vec_dot(m.gradient, m.gradient) > K(0)) {
    const vec f = vec_scale(c->dt, contact_force(law, velocity_of(c, a, x), &m));
    apply(c, a, x, f);
    apply(c, b, x, vec_scale(K(-1), f));
  }
}

/* a support wider than what the samples of a body fill */
static void box_around(const fluid *c, const cq_fluid_body *body, vec *box) {
  FOR_AXES(a) {
    scalar low = c->sample_x[body->first_sample * CQ_DIM + a], high = low;
    for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
      const scalar x = c->sample_x[s * CQ_DIM + a];
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    box[0].v[a] = low - c->kernel.h;
    box[1].v[a] = high + c->kernel.h;
  }
}

/* Each body against walls and all others, by its own samples. */
void V(cq_fluid_each_meeting)(fluid *c, fluid_meeting_fn *each, void *user) {
  const int n = c->own->n_bodies;
  for (int a = 0; a < n; a++) {
    vec box[2];
    const bool stands = c->own->bodies[a].count == 0; /* as walls do, and meets none of them */
    if (c->own->bodies[a].n_samples > 0) {
      box_around(c, &c->own->bodies[a], box);
      for (int b = -1; b < n; b++) {
        if (b != a && !(stands && (b < 0 || c->own->bodies[b].count == 0))) {
          meet_pair(c, a, b, box, each, user);
        }
      }
    }
  }
}

contact_law V(cq_fluid_contact_law)(const fluid *c) {
  return (contact_law){K(c->own->contact_stiffness * c->own->radius),
                       K(c->own->contact_speed * c->own->contact_speed)};
}

/* which input `friction` a pair of samples has, a wall; -1: none */
int V(cq_fluid_friction_wall)(const fluid *c, int a, int other) {
  const cq_fluid_body *bodies = c->own->bodies;
  const int b = c->sample_body[other];
  return b < 0                  ? c->own->sample_wall[other]
         : bodies[a].count == 0 ? bodies[a].wall
         : bodies[b].count == 0 ? bodies[b].wall
                                : -1;
}

void V(cq_fluid_touch_bodies)(fluid *c) {
  contact_law law = V(cq_fluid_contact_law)(c);
  if (!(c->own->contact_stiffness > 0.0)) {
    return;
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->bodies->body[b].sum = wrench_zero();
  }
  V(cq_fluid_each_meeting)(c, touch, &law);
  for (int b = 0; b < c->own->n_bodies; b++) {
    fluid_kick(&c->bodies->body[b], c->bodies->body[b].sum);
  }
}
