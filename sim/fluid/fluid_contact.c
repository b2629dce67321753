/* Bodies that meet bodies and walls: the penalty of DiffFR (Li et al. 2023, eq. 5), on samples. A
 * sample that others add a part d to the density of its own body is pushed by stiffness * radius *
 * d. Their normal there is the direction in which that falls fastest; the paper's, from the mean of
 * a sample's own neighbours, vanishes on a face that is sampled once. Force and counterforce are at
 * the sample, so that momentum is kept. */
#include "fluid_bodies.h"

#include <stdbool.h>

/* what others are to a sample */
typedef struct meeting {
  scalar weight, density; /* sums of W and V W */
  vec gradient;           /* of the density */
  vec velocity;           /* sum of W v */
  scalar friction;        /* sum of W times it */
} meeting;

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
  const cq_fluid_body *bodies = c->own->bodies;
  const int b = c->sample_body[other];
  if (b < 0) {
    return c->friction[c->own->sample_wall[other]];
  }
  return bodies[a].count == 0   ? c->friction[bodies[a].wall]
         : bodies[b].count == 0 ? c->friction[bodies[b].wall]
                                : K(c->own->friction);
}

static void meet(const fluid *c, meeting *m, int a, vec x, int other) {
  const vec xo = sample_at(c, other), d = vec_sub(x, xo);
  const scalar square = vec_dot(d, d), h = c->kernel.h;
  if (!(square < h * h)) {
    return;
  }
  const scalar q = real_sqrt(square) * c->kernel.inverse, W = kernel_value(&c->kernel, q);
  const scalar volume = c->sample_volume0[other];
  const int body = c->sample_body[other];
  m->weight += W;
  m->density += volume * W;
  m->gradient = vec_axpy(m->gradient, volume * kernel_slope(&c->kernel, q), d);
  m->velocity = vec_axpy(m->velocity, W, velocity_of(c, body, xo));
  m->friction += W * friction_of(c, a, other);
}

static vec force_on(const fluid *c, int body, vec x, const meeting *m) {
  const scalar steep = real_sqrt(vec_dot(m->gradient, m->gradient));
  const scalar push = K(c->own->contact_stiffness * c->own->radius) * m->density;
  const vec n = vec_scale(K(-1) / steep, m->gradient);
  vec slip = vec_axpy(velocity_of(c, body, x), K(-1) / m->weight, m->velocity);
  slip = vec_axpy(slip, -vec_dot(slip, n), n);
  const scalar soft = K(c->own->contact_speed * c->own->contact_speed);
  const scalar rubbed = push * m->friction / m->weight / real_sqrt(vec_dot(slip, slip) + soft);
  return vec_axpy(vec_scale(push, n), -rubbed, slip);
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

/* samples first .. last-1 of body a, and those of b (-1: walls) that are in the box around a */
static void touch_pair(fluid *c, int a, int b, const vec *box) {
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
    const vec x = sample_at(c, s);
    meeting m = {.weight = K(0), .gradient = vec_zero(), .velocity = vec_zero()};
    for (int k = 0; k < n; k++) {
      meet(c, &m, a, x, c->sample_key[k]);
    }
    if (m.weight > K(0) && vec_dot(m.gradient, m.gradient) > K(0)) {
      const vec f = vec_scale(c->dt, force_on(c, a, x, &m));
      apply(c, a, x, f);
      apply(c, b, x, vec_scale(K(-1), f));
    }
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
void V(cq_fluid_touch_bodies)(fluid *c) {
  const int n = c->own->n_bodies;
  if (!(c->own->contact_stiffness > 0.0)) {
    return;
  }
  for (int b = 0; b < n; b++) {
    c->bodies->body[b].sum = wrench_zero();
  }
  for (int a = 0; a < n; a++) {
    vec box[2];
    const bool stands = c->own->bodies[a].count == 0; /* as walls do, and meets none of them */
    if (c->own->bodies[a].n_samples > 0) {
      box_around(c, &c->own->bodies[a], box);
      for (int b = -1; b < n; b++) {
        if (b != a && !(stands && (b < 0 || c->own->bodies[b].count == 0))) {
          touch_pair(c, a, b, box);
        }
      }
    }
  }
  for (int b = 0; b < n; b++) {
    fluid_kick(&c->bodies->body[b], c->bodies->body[b].sum);
  }
}
