/* Exact tangents of a run: all directions go through the iterations of a step together, CQ_AXES of
 * them at a time. Bodies are few and go one direction after the other. */
#include "fluid_forward.h"

#include "alloc.h"
#include "fluid_tangent.h"
#include "flush_mode.h"
#include "point/linear.h"
#include "status.h"

#include <string.h>

/* a block of `each` numbers of `many` things */
static scalar *block_of(scalar *a, int block, int many, int each) {
  return a + (size_t)block * (size_t)many * (size_t)each * WAYS;
}

static fluid_direction *direction_of(const fluid *c, int block, int way, int body) {
  const int k = block * WAYS + way;
  return &c->tangents->of[k * c->own->n_bodies + body];
}

/* directions of a block; fewer in the last one */
static int ways_of(const fluid_forward *f, int block) {
  const int left = f->n - block * WAYS;
  return left < WAYS ? left : WAYS;
}

static cq_status allocate(fluid *c, fluid_forward *f) {
  const size_t n = (size_t)c->n_all + CQ_PAD, blocks = (size_t)f->n_blocks * WAYS;
  const size_t all = (size_t)c->n_all, samples = (size_t)c->n_samples;
  const size_t bodies = (size_t)c->own->n_bodies * WAYS;
  linear_lanes *w = &c->linear->lanes;
  scalar **const wide_ones[] = {&w->x, &w->v, &w->v_new, &w->all, &w->wall};
  scalar **const one[] = {&w->volume,   &w->light, &w->viscosity, &w->excess,
                          &w->diagonal, &w->gain,  &w->pressure,  &w->change};
  for (size_t i = 0; i < sizeof wide_ones / sizeof *wide_ones; i++) {
    CQ_TRY(CQ_ALLOC(c->ctx, *wide_ones[i], n * CQ_DIM * WAYS));
  }
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    CQ_TRY(CQ_ALLOC(c->ctx, *one[i], n * WAYS));
  }
  CQ_TRY(CQ_ALLOC(c->ctx, w->sample_x, samples * CQ_DIM * WAYS));
  CQ_TRY(CQ_ALLOC(c->ctx, w->twist, bodies * CQ_TWIST));
  CQ_TRY(CQ_ALLOC(c->ctx, w->wrench, bodies * CQ_TWIST));
  CQ_TRY(CQ_ALLOC(c->ctx, w->center, bodies * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, f->x, blocks * all * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, f->v, blocks * all * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, f->volume, blocks * all));
  CQ_TRY(CQ_ALLOC(c->ctx, f->density, blocks * all));
  CQ_TRY(CQ_ALLOC(c->ctx, f->viscosity, blocks * all));
  CQ_TRY(CQ_ALLOC(c->ctx, f->sample_x0, blocks * samples * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, f->sample_volume, blocks * samples));
  CQ_TRY(CQ_ALLOC(c->ctx, f->touching, bodies));
  return CQ_ALLOC(c->ctx, f->dR, bodies);
}

/* --- the start */

static double input_of(const fluid *c, const double *of, cq_fluid_input input, size_t i) {
  return of[c->layout->offset[input] + i];
}

/* what direction k changes of the fluid */
static void begin_fluid(fluid *c, fluid_forward *f, int k) {
  const double *d = f->directions + (size_t)k * c->layout->total;
  const int block = k / WAYS, way = k % WAYS;
  for (int i = 0; i < c->n_all; i++) {
    const size_t p = (size_t)c->particle[i], at = (size_t)i * WAYS + (size_t)way;
    block_of(f->volume, block, c->n_all, 1)[at] = K(input_of(c, d, CQ_FLUID_volume, p));
    block_of(f->density, block, c->n_all, 1)[at] = K(input_of(c, d, CQ_FLUID_density, p));
    block_of(f->viscosity, block, c->n_all, 1)[at] = K(input_of(c, d, CQ_FLUID_viscosity, p));
    for (size_t a = 0; a < CQ_DIM; a++) {
      const size_t to = ((size_t)i * CQ_DIM + a) * WAYS + (size_t)way, from = p * CQ_DIM + a;
      block_of(f->x, block, c->n_all, CQ_DIM)[to] = K(input_of(c, d, CQ_FLUID_x, from));
      block_of(f->v, block, c->n_all, CQ_DIM)[to] = K(input_of(c, d, CQ_FLUID_v, from));
    }
  }
}

typedef struct sample_change {
  const fluid *c;
  const scalar *x0;
  scalar *volume;
  int way;
} sample_change;

static void change_volumes(void *user, int s, int o, vec g) {
  const sample_change *w = user;
  scalar along = K(0);
  FOR_AXES(a) {
    along += g.v[a] *
             (w->x0[(s * CQ_DIM + a) * WAYS + w->way] - w->x0[(o * CQ_DIM + a) * WAYS + w->way]);
  }
  const scalar vs = w->c->sample_volume0[s], vo = w->c->sample_volume0[o];
  w->volume[s * WAYS + w->way] -= vs * vs * along;
  w->volume[o * WAYS + w->way] -= vo * vo * along;
}

/* and of the samples of a body, if it changes where its particles start */
static void begin_samples(fluid *c, fluid_forward *f, int k, int b) {
  const cq_fluid_body *body = &c->own->bodies[b];
  const double *d = f->directions + (size_t)k * c->layout->total;
  const int block = k / WAYS, way = k % WAYS;
  scalar *x0 = block_of(f->sample_x0, block, c->n_samples, CQ_DIM);
  const linear_fit fit = V(cq_fluid_linear_fit)(c, body);
  vec to = vec_zero();
  mat M = mat_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    vec dx;
    FOR_AXES(a) {
      dx.v[a] = K(input_of(c, d, CQ_FLUID_x, (size_t)(p * CQ_DIM + a)));
    }
    to = vec_axpy(to, K(1) / (scalar)body->count, dx);
    const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->placed + (size_t)p * CQ_DIM);
    M = mat_add(M, vec_outer(dx, arm));
  }
  const mat A = mat_mul_t(M, fit.inverse);
  const vec center = direction_of(c, block, way, b)->center;
  for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
    const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->samples + (size_t)s * CQ_DIM);
    const vec r = vec_sub(vec_add(to, mat_vec(A, arm)), center);
    FOR_AXES(a) {
      x0[(s * CQ_DIM + a) * WAYS + way] = r.v[a];
    }
  }
  if (mat_dot(A, A) > K(0)) {
    sample_change w = {c, x0, block_of(f->sample_volume, block, c->n_samples, 1), way};
    V(cq_fluid_linear_samples)(c, body, change_volumes, &w);
  }
}

cq_status V(cq_fluid_forward_begin)(fluid *c, int n, const double *directions) {
  CQ_TRY(V(cq_fluid_open_linear)(c));
  V(cq_fluid_forward_free)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear->forward, 1));
  fluid_forward *f = c->linear->forward;
  f->n = n;
  f->n_blocks = (n + WAYS - 1) / WAYS;
  f->directions = directions;
  CQ_TRY(allocate(c, f));
  for (int k = 0; k < n; k++) {
    begin_fluid(c, f, k);
    for (int b = 0; b < c->own->n_bodies; b++) {
      if (c->own->bodies[b].count > 0) {
        begin_samples(c, f, k, b);
      }
    }
  }
  return CQ_OK;
}

void V(cq_fluid_forward_point)(const fluid *c, int direction, int i, vec *dx, vec *dv) {
  fluid_forward *f = c->linear->forward;
  const int block = direction / WAYS, way = direction % WAYS;
  FOR_AXES(a) {
    const int at = (i * CQ_DIM + a) * WAYS + way;
    dx->v[a] = block_of(f->x, block, c->n_all, CQ_DIM)[at];
    dv->v[a] = block_of(f->v, block, c->n_all, CQ_DIM)[at];
  }
}

/* --- a step of a block */

static cq_status fit_touches(fluid *c, fluid_forward *f) {
  linear_lanes *w = &c->linear->lanes;
  const size_t n = fluid_chunks(c->n_all) * c->touch_room * WAYS;
  if (f->touch_room == c->touch_room) {
    return CQ_OK;
  }
  f->touch_room = 0;
  V(cq_fluid_forward_free_touches)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, w->touch_g, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, w->touch_t, n * CQ_SPINS));
  CQ_TRY(CQ_ALLOC(c->ctx, w->touch_weight, n));
  CQ_TRY(CQ_ALLOC(c->ctx, w->touch_stick, n));
  CQ_TRY(CQ_ALLOC(c->ctx, w->touch_force, n * CQ_DIM));
  f->touch_room = c->touch_room;
  return CQ_OK;
}

/* A block's particles in the order of the list. */
static void take_fluid(fluid *c, fluid_forward *f, int block) {
  linear_lanes *w = &c->linear->lanes;
  const size_t one = WAYS * sizeof(scalar);
  for (size_t i = 0; i < (size_t)c->n; i++) {
    const size_t from = (size_t)c->order[i] * WAYS;
    memcpy(w->x + i * CQ_DIM * WAYS, block_of(f->x, block, c->n_all, CQ_DIM) + from * CQ_DIM,
           CQ_DIM * one);
    memcpy(w->v + i * CQ_DIM * WAYS, block_of(f->v, block, c->n_all, CQ_DIM) + from * CQ_DIM,
           CQ_DIM * one);
    memcpy(w->volume + i * WAYS, block_of(f->volume, block, c->n_all, 1) + from, one);
    memcpy(w->viscosity + i * WAYS, block_of(f->viscosity, block, c->n_all, 1) + from, one);
    for (size_t l = 0; l < WAYS; l++) {
      w->light[i * WAYS + l] =
          -(c->light[i] * c->light[i]) * block_of(f->density, block, c->n_all, 1)[from + l];
    }
  }
  for (int l = 0; l < WAYS; l++) {
    const int k = block * WAYS + l < f->n ? block * WAYS + l : 0;
    const double *d = f->directions + (size_t)k * c->layout->total;
    FOR_AXES(a) {
      w->gravity[a * WAYS + l] = K(input_of(c, d, CQ_FLUID_gravity, (size_t)a));
    }
  }
}

static void put_fluid(fluid *c, fluid_forward *f, int block) {
  const linear_lanes *w = &c->linear->lanes;
  for (size_t i = 0; i < (size_t)c->n; i++) {
    const size_t to = (size_t)c->order[i] * CQ_DIM * WAYS;
    scalar *x = block_of(f->x, block, c->n_all, CQ_DIM) + to;
    scalar *v = block_of(f->v, block, c->n_all, CQ_DIM) + to;
    for (size_t l = 0; l < CQ_DIM * WAYS; l++) {
      v[l] = w->v[i * CQ_DIM * WAYS + l];
      x[l] += c->dt * v[l];
    }
  }
}

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
static void begin_bodies(fluid *c, fluid_forward *f, int block, double t) {
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
  show_bodies(c, block);
}

/* the change of a touch in a direction */
static wrench touch_change(const linear_lanes *w, size_t touch, int way) {
  wrench r;
  FOR_AXES(a) {
    r.f.v[a] = w->touch_g[(touch * CQ_DIM + (size_t)a) * WAYS + (size_t)way];
  }
  FOR_SPINS(s) {
    r.t.w[s] = w->touch_t[(touch * CQ_SPINS + (size_t)s) * WAYS + (size_t)way];
  }
  return r;
}

/* of fluid_weight */
static void change_weight(fluid *c, int block, int i, size_t place) {
  linear_lanes *w = &c->linear->lanes;
  const fluid_forward *f = c->linear->forward;
  const fluid_touch *touch = &c->touches[place];
  const mat R = c->linear->bodies->of[touch->body].R;
  const heft *h = &c->bodies->body[touch->body].heft;
  const wrench of = fluid_wrench(touch->g, touch->t);
  const twist moved = heft_kick(h, R, of);
  for (int l = 0; l < ways_of(f, block); l++) {
    const wrench change = touch_change(w, place, l);
    const twist t = heft_kick_tangent(h, &direction_of(c, block, l, touch->body)->heft, R,
                                      f->dR[touch->body * WAYS + l], of, change);
    const scalar twice = vec_dot(change.f, moved.v) + spin_dot(change.t, moved.w) +
                         vec_dot(of.f, t.v) + spin_dot(of.t, t.w);
    const scalar weight = K(0.5) * twice / touch->weight;
    const size_t at = (size_t)i * WAYS + (size_t)l;
    w->touch_weight[place * WAYS + (size_t)l] = weight;
    f->touching[touch->body * WAYS + l] += w->volume[at] * touch->weight + c->volume[i] * weight;
  }
}

/* Weights of touches, diagonals, gains. */
static void change_gains(fluid *c, int block) {
  linear_lanes *w = &c->linear->lanes;
  const fluid_forward *f = c->linear->forward;
  memset(f->touching, 0, (size_t)c->own->n_bodies * WAYS * sizeof *f->touching);
  for (int i = 0; i < c->n; i++) {
    for (int t = 0; t < c->n_touches[i]; t++) {
      const size_t place = linear_touch(c, i, t);
      if (c->touches[place].weight > K(0)) {
        change_weight(c, block, i, place);
      }
    }
  }
  for (int i = 0; i < c->n; i++) {
    scalar *diagonal = w->diagonal + (size_t)i * WAYS, *gain = w->gain + (size_t)i * WAYS;
    for (int t = 0; t < c->n_touches[i]; t++) {
      const size_t place = linear_touch(c, i, t);
      const fluid_touch *touch = &c->touches[place];
      for (int l = 0; l < WAYS && touch->weight > K(0); l++) {
        diagonal[l] += w->touch_weight[place * WAYS + (size_t)l] *
                           (scalar)c->bodies->body[touch->body].touching +
                       touch->weight * f->touching[touch->body * WAYS + l];
      }
    }
    for (int l = 0; l < WAYS; l++) {
      gain[l] = c->gain[i] > K(0) ? -c->gain[i] * diagonal[l] / c->diagonal[i] : K(0);
    }
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
static void push_bodies(fluid *c, int block, int sweep) {
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
static cq_status load_bodies(fluid *c, fluid_forward *f, int block) {
  const int n = c->own->n_bodies;
  contact_change w = {.block = block};
  CQ_TRY(CQ_ALLOC(c->ctx, w.sum, n));
  for (int l = 0; l < ways_of(f, block); l++) {
    w.direction = f->directions + (size_t)(block * WAYS + l) * c->layout->total;
    w.way = l;
    for (int b = 0; b < n; b++) {
      const linear_body *of = &c->linear->bodies->of[b];
      const scalar mass = c->bodies->body[b].heft.mass;
      wrench weight = wrench_zero();
      FOR_AXES(a) {
        weight.f.v[a] = c->dt * (direction_of(c, block, l, b)->heft.mass * c->gravity[a] +
                                 mass * c->linear->lanes.gravity[a * WAYS + l]);
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
  show_bodies(c, block);
  return CQ_OK;
}

/* --- the step */

static void move_bodies(fluid *c, int block) {
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

static void run_sweeps(fluid *c, int block, bool density) {
  const linear_step *r = &c->linear->step;
  const linear_hot *hot = c->linear->hot;
  const int first = density ? r->split : 0, last = density ? r->n_sweeps : r->split;
  memset(c->linear->lanes.pressure, 0, (size_t)c->n * WAYS * sizeof(scalar));
  for (int sweep = first; sweep < last; sweep++) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
    for (int k = 0; k < c->n_chunks; k++) {
      const unsigned mode = flush_begin();
      hot->measure(c, k, sweep);
      flush_end(mode);
    }
    push_bodies(c, block, sweep);
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
    for (int k = 0; k < c->n_chunks; k++) {
      const unsigned mode = flush_begin();
      hot->push(c, k, sweep);
      flush_end(mode);
    }
  }
}

static void run_chunks(fluid *c, void (*work)(fluid *c, int chunk)) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int k = 0; k < c->n_chunks; k++) {
    const unsigned mode = flush_begin();
    work(c, k);
    flush_end(mode);
  }
}

static cq_status step_block(fluid *c, fluid_forward *f, int block, double t) {
  linear_lanes *w = &c->linear->lanes;
  take_fluid(c, f, block);
  begin_bodies(c, f, block, t);
  run_chunks(c, c->linear->hot->geometry);
  change_gains(c, block);
  run_sweeps(c, block, false);
  run_chunks(c, c->linear->hot->forces);
  scalar *v = w->v;
  w->v = w->v_new;
  w->v_new = v;
  CQ_TRY(load_bodies(c, f, block));
  run_sweeps(c, block, true);
  put_fluid(c, f, block);
  move_bodies(c, block);
  return CQ_OK;
}

cq_status V(cq_fluid_forward_step)(fluid *c, const void *state) {
  fluid_forward *f = c->linear->forward;
  const fluid_state in = V(cq_fluid_view)(c, state);
  CQ_TRY(V(cq_fluid_record_step)(c, &in));
  CQ_TRY(fit_touches(c, f));
  for (int block = 0; block < f->n_blocks; block++) {
    CQ_TRY(step_block(c, f, block, *in.time));
  }
  return CQ_OK;
}
