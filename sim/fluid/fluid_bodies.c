/* Rigid bodies in the fluid. What pressures do to them follows from touches, which are gone through
 * one after the other, in the order of the particles. */
#include "fluid_bodies.h"

#include "alloc.h"
#include "status.h"
#include "track.h"

#include <string.h>

static vec vec_of(const double *a) {
  vec r;
  FOR_AXES(i) {
    r.v[i] = K(a[i]);
  }
  return r;
}

/* The map from where particles are placed to where the inputs have them, x = A p + b: bodies may be
 * moved, turned and resized. */
typedef struct fit {
  mat A;
  vec from, to; /* centres */
} fit;

/* The map that fits the particles of a body best, by least squares. */
static fit fit_body(const fluid *c, const cq_fluid_body *body, const double *x) {
  fit f = {.from = vec_zero(), .to = vec_zero()};
  const double *reference = c->own->placed;
  const scalar share = K(1) / (scalar)body->count;
  for (int p = body->first; p < body->first + body->count; p++) {
    f.from = vec_axpy(f.from, share, vec_of(reference + (size_t)p * CQ_DIM));
    f.to = vec_axpy(f.to, share, vec_of(x + (size_t)p * CQ_DIM));
  }
  mat S = mat_zero(), M = mat_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    const vec a = vec_sub(vec_of(reference + (size_t)p * CQ_DIM), f.from);
    M = mat_add(M, vec_outer(vec_sub(vec_of(x + (size_t)p * CQ_DIM), f.to), a));
    S = mat_add(S, vec_outer(a, a));
  }
  /* axes along which there is one particle stay as they are */
  const scalar little = CQ_EPSILON * K(16) * mat_trace(S) + (body->count == 1 ? K(1) : K(0));
  M = mat_axpy(M, little, mat_identity());
  S = mat_axpy(S, little, mat_identity());
  f.A = mat_mul_t(M, mat_inverse_transpose(S));
  return f;
}

/* Adds a particle of mass m at r: to the moment of points, and to that of cubes. */
static void add_moment(moment *points, moment *cubes, scalar m, scalar volume, vec r) {
  const moment I = moment_of_point(r);
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      points->m[i][j] += m * I.m[i][j];
      cubes->m[i][j] += m * (I.m[i][j] + (i == j ? cube_moment(volume) : K(0)));
    }
  }
}

/* Mass, motion and frame of a body whose particles are at x with velocities v. */
static void weigh_body(fluid *c, const cq_fluid_body *body, fluid_body *b, const double *inputs) {
  const cq_layout *l = c->layout;
  const double *x = inputs + l->offset[CQ_FLUID_x], *v = inputs + l->offset[CQ_FLUID_v];
  const double *density = inputs + l->offset[CQ_FLUID_density];
  const double *volume = inputs + l->offset[CQ_FLUID_volume];
  vec center = vec_zero(), momentum = vec_zero();
  scalar mass = K(0);
  for (int p = body->first; p < body->first + body->count; p++) {
    const scalar m = K(density[p] * volume[p]);
    mass += m;
    center = vec_axpy(center, m, vec_of(x + (size_t)p * CQ_DIM));
    momentum = vec_axpy(momentum, m, vec_of(v + (size_t)p * CQ_DIM));
  }
  center = vec_scale(K(1) / mass, center);
  const vec velocity = vec_scale(K(1) / mass, momentum);
  moment points = {{{K(0)}}};
  b->heft = heft_zero();
  b->heft.mass = mass;
  spin around = spin_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    const scalar m = K(density[p] * volume[p]);
    const vec r = vec_sub(vec_of(x + (size_t)p * CQ_DIM), center);
    const vec u = vec_sub(vec_of(v + (size_t)p * CQ_DIM), velocity);
    FOR_AXES(a) {
      c->bodies->arm0[(size_t)p * CQ_DIM + (size_t)a] = r.v[a];
    }
    add_moment(&points, &b->heft.I, m, K(volume[p]), r);
    around = spin_axpy(around, m, spin_arm(r, u));
  }
  FOR_SPINS(i) { /* a row of particles has no moment about itself */
    points.m[i][i] += K(16) * CQ_EPSILON * b->heft.I.m[i][i];
  }
  b->goal.v = velocity;
  b->goal.w = moment_solve(points, around);
  b->now.p.x = center;
  b->now.p.q = turn_none();
  b->now.t = body->driven || body->release <= 0.0 ? b->goal : twist_zero();
}

/* the body of a sample; -1: it stands still, as walls do */
static int mover_of(const fluid *c, int sample) {
  const int b = c->sample_body[sample];
  return b >= 0 && c->own->bodies[b].count == 0 && c->own->bodies[b].track == NULL ? -1 : b;
}

/* V_b = 1/sum W over the samples of the same body, or of all that stands still: where that
 * overlaps it does not count twice. */
static cq_status find_sample_volumes(fluid *c) {
  const int n = c->n_samples;
  scalar low[CQ_DIM], high[CQ_DIM];
  if (n == 0) {
    return CQ_OK;
  }
  FOR_AXES(a) {
    low[a] = high[a] = c->sample_x[a];
    for (int i = 1; i < n; i++) {
      const scalar x = c->sample_x[i * CQ_DIM + a];
      low[a] = x < low[a] ? x : low[a];
      high[a] = x > high[a] ? x : high[a];
    }
  }
  c->cells = cells_fit(low, high, c->kernel.h * K(1.0001), 16 * n + 4096);
  CQ_TRY(V(cq_fluid_reserve_cells)(c, (size_t)c->cells.total));
  cells_sort(&c->cells, n, c->sample_x, CQ_DIM, false, c->sample_key, c->sample_start,
             c->sample_order);
  for (int i = 0; i < n; i++) {
    const scalar *x = c->sample_x + (size_t)i * CQ_DIM;
    cells_run runs[CQ_CELL_RUNS];
    const int n_runs = cells_around(&c->cells, c->sample_start, x, runs);
    scalar sum = K(0);
    for (int r = 0; r < n_runs; r++) {
      for (int k = runs[r].first; k < runs[r].last; k++) {
        const int j = c->sample_order[k];
        scalar square = K(0);
        FOR_AXES(a) {
          const scalar d = c->sample_x[j * CQ_DIM + a] - x[a];
          square += d * d;
        }
        const bool same = mover_of(c, i) == mover_of(c, j);
        sum += same ? kernel_value(&c->kernel, real_sqrt(square) * c->kernel.inverse) : K(0);
      }
    }
    c->sample_volume0[i] = K(1) / sum;
  }
  return CQ_OK;
}

/* An obstacle as it is at time 0: nothing that it weighs counts. Returns the map of its samples. */
static fit take_obstacle(const cq_fluid_body *body, fluid_body *to) {
  const vec center = vec_of(body->center);
  to->heft = heft_zero();
  to->now = (motion){.p = {.x = center, .q = turn_none()}, .t = twist_zero()};
  to->goal = twist_zero();
  if (body->track != NULL) {
    track_at(body->track, 0.0, &to->now.p, &to->now.t);
  }
  return (fit){.A = mat_identity(), .from = center, .to = to->now.p.x};
}

/* where the inputs have a point of a body, from its centre */
static vec arm_of(const fit *f, const fluid_body *body, const double *point) {
  const vec p = vec_sub(vec_of(point), f->from);
  return vec_sub(vec_add(f->to, mat_vec(f->A, p)), body->now.p.x);
}

/* All bodies, their samples and pins, as the inputs have them. */
cq_status V(cq_fluid_take_bodies)(fluid *c, const double *inputs) {
  const double *x = inputs + c->layout->offset[CQ_FLUID_x];
  for (int i = 0; i < c->own->n_wall_samples * CQ_DIM; i++) {
    c->sample_x[i] = K(c->own->samples[i]);
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    fluid_body *to = &c->bodies->body[b];
    fit f;
    if (body->count == 0) {
      f = take_obstacle(body, to);
    } else {
      weigh_body(c, body, to, inputs);
      f = fit_body(c, body, x);
    }
    for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
      const vec r = arm_of(&f, to, c->own->samples + (size_t)s * CQ_DIM);
      FOR_AXES(a) {
        c->sample_x0[s * CQ_DIM + a] = r.v[a];
      }
    }
    for (int i = 0; i < 2 * c->own->n_pins; i++) {
      const cq_fluid_pin *of = &c->own->pins[i / 2];
      if (of->body[i % 2] == b) {
        c->bodies->pin[i / 2].at.side[i % 2].arm = arm_of(&f, to, of->point);
      }
    }
  }
  V(cq_fluid_place_samples)(c);
  return find_sample_volumes(c);
}

static void show_twist(fluid *c, int b) {
  fluid_show(&c->bodies->body[b], &c->twist[b], c->center[b]);
}

void V(cq_fluid_load_bodies)(fluid *c, const fluid_state *in) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    memcpy(&c->bodies->body[b].now, in->bodies + (size_t)b * CQ_BODY_NUMBERS, sizeof(motion));
    c->bodies->body[b].push = wrench_zero();
    show_twist(c, b);
  }
}

void V(cq_fluid_store_bodies)(const fluid *c, const fluid_state *out) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    scalar *to = out->bodies + (size_t)b * CQ_BODY_NUMBERS;
    wrench mean = wrench_zero();
    mean = wrench_axpy(mean, K(1) / c->dt, c->bodies->body[b].push);
    memcpy(to, &c->bodies->body[b].now, sizeof(motion));
    memcpy(to + CQ_POSE + CQ_TWIST, &mean, sizeof mean);
  }
}

/* Turns and moves the samples of each body with it. */
void V(cq_fluid_place_samples)(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    const pose p = c->bodies->body[b].now.p;
    const mat R = turn_matrix(p.q);
    for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
      vec r;
      FOR_AXES(a) {
        r.v[a] = c->sample_x0[s * CQ_DIM + a];
      }
      r = vec_add(p.x, mat_vec(R, r));
      FOR_AXES(a) {
        c->sample_x[s * CQ_DIM + a] = r.v[a];
      }
    }
  }
}

/* An obstacle on a track: it gets to where that has it at the end of the step. */
static void drive_obstacle(const fluid *c, const cq_fluid_body *body, fluid_body *to, double t) {
  pose middle;
  twist end;
  track_at(body->track, t + 0.5 * c->part, &middle, &to->now.t);
  track_at(body->track, t + c->part, &to->end, &end);
  to->now.t.v = vec_scale(K(1) / c->dt, vec_sub(to->end.x, to->now.p.x));
}

/* A hand gives a body a part of its goal that grows to all of it, then lets it go. */
void V(cq_fluid_drive_bodies)(fluid *c, double t) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    fluid_body *to = &c->bodies->body[b];
    if (body->track != NULL) {
      drive_obstacle(c, body, to, t);
    }
    const scalar part = fluid_hand(c, body, t);
    to->free = !body->driven && !(part >= K(0));
    if (part >= K(0)) {
      to->now.t.v = vec_scale(part, to->goal.v);
      to->now.t.w = spin_scale(part, to->goal.w);
    }
    show_twist(c, b);
  }
  V(cq_fluid_place_pins)(c);
}

#define FOR_TOUCHES(c, touch)                                                                      \
  for (int chunk_ = 0; chunk_ < (c)->n_chunks; chunk_++)                                           \
    for (fluid_touch *touch = (c)->touches + (size_t)chunk_ * (c)->touch_room,                     \
                     *end_ = touch + (c)->found[chunk_].n_touches;                                 \
         touch < end_; touch++)

void V(cq_fluid_weigh_touches)(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->bodies->body[b].touching = 0.0;
  }
  FOR_TOUCHES(c, touch) {
    fluid_body *b = touch->body >= 0 ? &c->bodies->body[touch->body] : NULL;
    if (b != NULL && b->free) {
      touch->weight = fluid_weight(b, touch);
      b->touching += (double)(c->volume[touch->particle] * touch->weight);
    }
  }
  FOR_TOUCHES(c, touch) {
    if (touch->weight > K(0)) {
      c->diagonal[touch->particle] += touch->weight * (scalar)c->bodies->body[touch->body].touching;
    }
  }
}

void V(cq_fluid_thrust)(fluid *c, const double *w) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->bodies->body[b].thrust = vec_zero();
  }
  for (int i = 0; i < c->model->n_drives; i++) {
    const cq_fluid_thrust *thrust = &c->own->thrusts[i];
    vec *sum = &c->bodies->body[thrust->body].thrust;
    *sum = vec_axpy(*sum, K(w[i]), vec_of(thrust->direction));
  }
}

/* Gravity and thrusts, before all else that pushes bodies beside the pressures. */
void V(cq_fluid_pull_bodies)(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    fluid_body *body = &c->bodies->body[b];
    fluid_kick(body, fluid_pull(c, body));
  }
}

void V(cq_fluid_load_forces)(fluid *c) {
  V(cq_fluid_pull_bodies)(c);
  if (c->viscous && c->sticky) {
    FOR_TOUCHES(c, touch) {
      if (touch->body >= 0) {
        fluid_kick(&c->bodies->body[touch->body], fluid_wrench(touch->drag, touch->drag_t));
      }
    }
  }
  V(cq_fluid_touch_bodies)(c);
  V(cq_fluid_pull_pins)(c);
  for (int b = 0; b < c->own->n_bodies; b++) {
    show_twist(c, b);
  }
}

/* Each body gets one kick, by a sum over its touches: the bits do not depend on threads. */
void V(cq_fluid_push_bodies)(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->bodies->body[b].sum = wrench_zero();
  }
  FOR_TOUCHES(c, touch) {
    if (touch->body >= 0) {
      const int i = touch->particle;
      wrench *to = &c->bodies->body[touch->body].sum;
      *to = wrench_axpy(*to, c->dt * c->volume[i] * c->change[i], fluid_wrench(touch->g, touch->t));
    }
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    fluid_kick(&c->bodies->body[b], c->bodies->body[b].sum);
  }
  V(cq_fluid_pull_pins)(c);
  for (int b = 0; b < c->own->n_bodies; b++) {
    show_twist(c, b);
  }
}

void V(cq_fluid_move_bodies)(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    fluid_body *body = &c->bodies->body[b];
    if (body->free) {
      body->now = free_drift(&body->heft.I, body->now, c->dt);
    } else if (c->own->bodies[b].track != NULL) {
      body->now.p = body->end;
    } else {
      const spin w = spin_to_body(turn_matrix(body->now.p.q), body->now.t.w);
      body->now.p.x = vec_axpy(body->now.p.x, c->dt, body->now.t.v);
      body->now.p.q = turn_step(body->now.p.q, w, c->dt);
    }
  }
}
