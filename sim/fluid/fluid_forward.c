/* Exact tangents of a run: all directions go through the iterations of a step together, CQ_AXES of
 * them at a time. Bodies are few and go one direction after the other. */
#include "fluid_forward.h"

#include "alloc.h"
#include "fluid_tangent.h"
#include "flush_mode.h"
#include "status.h"

#include <string.h>

/* Lanes of a block of directions, and what each keeps from step to step. */
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
  const linear_moved moved = V(cq_fluid_linear_moved)(c, body, &fit, d);
  const vec center = direction_of(c, block, way, b)->center;
  for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
    const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->samples + (size_t)s * CQ_DIM);
    const vec r = vec_sub(vec_add(moved.to, mat_vec(moved.A, arm)), center);
    FOR_AXES(a) {
      x0[(s * CQ_DIM + a) * WAYS + way] = r.v[a];
    }
  }
  if (mat_dot(moved.A, moved.A) > K(0)) {
    sample_change w = {c, x0, block_of(f->sample_volume, block, c->n_samples, 1), way};
    V(cq_fluid_linear_samples)(c, body, change_volumes, &w);
  }
}

/* What each direction changes of the start. */
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

/* As many changes of touches as a step has room for. */
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

/* --- the step */

/* The sweeps of a solver, of a block of directions. */
static void run_sweeps(fluid *c, int block, bool density) {
  const linear_step *r = &c->linear->step;
  const linear_hot *hot = c->linear->hot;
  const int first = density ? r->split : 0, last = density ? r->n_sweeps : r->split;
  memset(c->linear->lanes.pressure, 0, (size_t)c->n * WAYS * sizeof(scalar));
  for (int sweep = first; sweep < last; sweep++) {
    EACH_CHUNK(c, k, hot->measure(c, k, sweep))
    V(cq_fluid_forward_push)(c, block, sweep);
    EACH_CHUNK(c, k, hot->push(c, k, sweep))
  }
}

/* A block of directions through the recorded step. */
static cq_status step_block(fluid *c, fluid_forward *f, int block, double t) {
  linear_lanes *w = &c->linear->lanes;
  take_fluid(c, f, block);
  V(cq_fluid_forward_begin_bodies)(c, f, block, t);
  EACH_CHUNK(c, k, c->linear->hot->geometry(c, k))
  change_gains(c, block);
  run_sweeps(c, block, false);
  EACH_CHUNK(c, k, c->linear->hot->forces(c, k))
  scalar *v = w->v;
  w->v = w->v_new;
  w->v_new = v;
  CQ_TRY(V(cq_fluid_forward_load)(c, f, block));
  run_sweeps(c, block, true);
  put_fluid(c, f, block);
  V(cq_fluid_forward_move)(c, block);
  return CQ_OK;
}

cq_status V(cq_fluid_forward_step)(fluid *c, const void *state, const double *w, const double *dw) {
  fluid_forward *f = c->linear->forward;
  const fluid_state in = V(cq_fluid_view)(c, state);
  CQ_TRY(V(cq_fluid_record_step)(c, &in, w));
  c->tangents->dw = dw;
  CQ_TRY(fit_touches(c, f));
  for (int block = 0; block < f->n_blocks; block++) {
    CQ_TRY(step_block(c, f, block, *in.time));
  }
  return CQ_OK;
}
