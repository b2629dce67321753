/* The rooms of exact derivatives. */
#include "alloc.h"
#include "fluid_backward.h"
#include "fluid_forward.h"
#include "simd_built.h"
#include "status.h"

#include <string.h>

static const linear_hot *hot_of(cq_simd level) {
  static const linear_hot *const tables[CQ_N_SIMD] = {
#define CQ_HOT_TABLE(name) [CQ_SIMD_##name] = &CQ_LINEAR_HOT(name),
      CQ_SIMD_BUILT(CQ_HOT_TABLE)
#undef CQ_HOT_TABLE
  };
  return tables[level];
}

static cq_status allocate(fluid *c, linear_step *r) {
  const size_t n = (size_t)c->n_all + CQ_PAD, bodies = (size_t)c->own->n_bodies;
  const size_t sweeps = (size_t)r->n_sweeps;
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear->bodies, 1));
  CQ_TRY(CQ_ALLOC(c->ctx, r->flow, n * sweeps * CQ_AXES));
  CQ_TRY(CQ_ALLOC(c->ctx, r->middle, n * CQ_AXES));
  CQ_TRY(CQ_ALLOC(c->ctx, r->open, n * sweeps));
  CQ_TRY(CQ_ALLOC(c->ctx, r->base, n));
  CQ_TRY(CQ_ALLOC(c->ctx, r->twist, (sweeps + 1) * bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear->bodies->of, bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear->bodies->pulled, (sweeps + 1) * (size_t)c->own->n_pins));
  return CQ_ALLOC(c->ctx, c->linear->bodies->sum, sweeps * bodies);
}

cq_status V(cq_fluid_open_linear)(fluid *c) {
  cq_simd level = (cq_simd)0;
  if (c->linear != NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_simd_choose(c->ctx, &level));
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear, 1));
  linear_step *r = &c->linear->step;
  c->linear->hot = hot_of(level);
  r->split = c->own->divergence_sweeps;
  r->n_sweeps = r->split + c->own->sweeps;
  return allocate(c, r);
}

void V(cq_fluid_forward_free_touches)(fluid *c) {
  linear_lanes *w = &c->linear->lanes;
  scalar **const touches[] = {&w->touch_g, &w->touch_t, &w->touch_weight, &w->touch_stick,
                              &w->touch_force};
  for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
    cq_free(c->ctx, *touches[i]);
    *touches[i] = NULL;
  }
}

/* Of the forward mode. */
void V(cq_fluid_forward_free)(fluid *c) {
  fluid_forward *f = c->linear != NULL ? c->linear->forward : NULL;
  if (f == NULL) {
    return;
  }
  linear_lanes *w = &c->linear->lanes;
  void *const owned[] = {
      w->x,        w->v,         w->v_new,   w->all,       w->wall,      w->volume,
      w->light,    w->viscosity, w->excess,  w->diagonal,  w->gain,      w->pressure,
      w->change,   w->sample_x,  w->twist,   w->wrench,    w->center,    f->x,
      f->v,        f->volume,    f->density, f->viscosity, f->sample_x0, f->sample_volume,
      f->touching, f->dR};
  V(cq_fluid_forward_free_touches)(c);
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
  memset(w, 0, sizeof *w);
  cq_free(c->ctx, f);
  c->linear->forward = NULL;
}

static void free_seed(fluid *c, back_seed *s) {
  void *const owned[] = {
      s->x,    s->v,    s->pressure,  s->volume,        s->density, s->viscosity, s->friction,
      s->body, s->arm0, s->sample_x0, s->sample_volume, s->mass,    s->pin};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
}

/* Of the adjoint, with all its seeds. */
void V(cq_fluid_backward_free)(fluid *c) {
  fluid_backward *b = c->linear != NULL ? c->linear->backward : NULL;
  if (b == NULL) {
    return;
  }
  linear_back *w = &c->linear->back;
  for (int k = 0; k < b->n_seeds && b->seed != NULL; k++) {
    free_seed(c, &b->seed[k]);
  }
  void *const owned[] = {w->v,       w->x,        w->u,           w->pull,     w->all,
                         w->wall,    w->error,    w->change,      w->pressure, w->gain,
                         w->excess,  w->spread,   w->volume,      w->light,    w->viscosity,
                         w->flow,    b->sample_x, b->impulse,     b->touching, b->mark,
                         b->touch_g, b->touch_t,  b->touch_stick, b->seed,     b};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
  memset(w, 0, sizeof *w);
  c->linear->backward = NULL;
}

/* All that derivatives took. */
void V(cq_fluid_free_linear)(fluid *c) {
  if (c->linear == NULL) {
    return;
  }
  V(cq_fluid_forward_free)(c);
  V(cq_fluid_backward_free)(c);
  linear_step *r = &c->linear->step;
  linear_bodies *bodies = c->linear->bodies;
  void *const owned[] = {r->flow,  r->middle,      r->open,         r->base,  r->bend,
                         r->value, r->sample_bend, r->sample_value, r->stick, r->twist};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
  if (bodies != NULL) {
    cq_free(c->ctx, bodies->of);
    cq_free(c->ctx, bodies->sum);
    cq_free(c->ctx, bodies->pulled);
    cq_free(c->ctx, bodies);
  }
  cq_free(c->ctx, c->linear);
  c->linear = NULL;
}
