/* The workspace: creation, rooms that grow. */
#include "alloc.h"
#include "fluid_linear.h"
#include "fluid_tangent.h"
#include "fluid_team.h"
#include "simd_built.h"
#include "status.h"

static const fluid_hot *hot_of(cq_simd level) {
  static const fluid_hot *const tables[CQ_N_SIMD] = {
#define CQ_HOT_TABLE(name) [CQ_SIMD_##name] = &CQ_FLUID_HOT(name),
      CQ_SIMD_BUILT(CQ_HOT_TABLE)
#undef CQ_HOT_TABLE
  };
  return tables[level];
}

cq_status V(cq_fluid_reserve_cells)(fluid *c, size_t n) {
  if (n <= c->cell_room && c->start != NULL) {
    return CQ_OK;
  }
  cq_free(c->ctx, c->start);
  cq_free(c->ctx, c->cell_count);
  cq_free(c->ctx, c->sample_start);
  c->start = c->cell_count = c->sample_start = NULL;
  c->cell_room = 0;
  const size_t room = n + n / 2;
  CQ_TRY(CQ_ALLOC(c->ctx, c->start, room + 1));
  CQ_TRY(CQ_ALLOC(c->ctx, c->cell_count, room * (size_t)c->threads));
  CQ_TRY(CQ_ALLOC(c->ctx, c->sample_start, room + 1));
  c->cell_room = room;
  return CQ_OK;
}

/* Lists anew, without what was in them. */
cq_status V(cq_fluid_reserve_lists)(fluid *c, size_t near, size_t sample_near, size_t touches) {
  const size_t chunks = fluid_chunks(c->n_all);
  void **const grown[] = {(void **)&c->near, (void **)&c->slope, (void **)&c->sample_near,
                          (void **)&c->sample_slope, (void **)&c->touches};
  for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) {
    cq_free(c->ctx, *grown[i]);
    *grown[i] = NULL;
  }
  c->near_room = 0; /* there are none if this fails */
  CQ_TRY(CQ_ALLOC(c->ctx, c->near, chunks * near));
  CQ_TRY(CQ_ALLOC(c->ctx, c->slope, chunks * near));
  CQ_TRY(CQ_ALLOC(c->ctx, c->sample_near, chunks * sample_near));
  CQ_TRY(CQ_ALLOC(c->ctx, c->sample_slope, chunks * sample_near));
  CQ_TRY(CQ_ALLOC(c->ctx, c->touches, chunks * touches));
  c->near_room = near;
  c->sample_near_room = sample_near;
  c->touch_room = touches;
  return CQ_OK;
}

/* Arrays of the fluid: they may be read a vector past their ends. */
static cq_status allocate_particles(fluid *c) {
  cq_ctx *ctx = c->ctx;
  const size_t n = (size_t)c->n_all;
  scalar **const one[] = {&c->volume0,   &c->density0, &c->viscosity0, &c->light,
                          &c->viscosity, &c->excess,   &c->diagonal,   &c->pressure,
                          &c->before,    &c->change,   &c->volume,     &c->gain};
  scalar **const wide_ones[] = {&c->x, &c->v, &c->v_new, &c->wall, &c->all, &c->place, &c->pull};
  int **const ints[] = {&c->particle,  &c->key,          &c->order,
                        &c->count,     &c->sample_count, &c->first_touch,
                        &c->n_touches, &c->steady[0],    &c->steady[1]};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    CQ_TRY(CQ_ALLOC(ctx, *one[i], n + CQ_PAD));
  }
  for (size_t i = 0; i < sizeof wide_ones / sizeof *wide_ones; i++) {
    CQ_TRY(CQ_ALLOC(ctx, *wide_ones[i], CQ_AXES * n + CQ_PAD));
  }
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    CQ_TRY(CQ_ALLOC(ctx, *ints[i], n + CQ_PAD));
  }
  FOR_AXES(a) {
    CQ_TRY(CQ_ALLOC(ctx, c->column[a], n + CQ_PAD));
  }
  CQ_TRY(CQ_ALLOC(ctx, c->first, n + CQ_PAD));
  CQ_TRY(CQ_ALLOC(ctx, c->length, n / CQ_FLUID_GROUP + 1));
  CQ_TRY(CQ_ALLOC(ctx, c->first_sample, n));
  if (c->own->n_emitters > 0) {
    CQ_TRY(CQ_ALLOC(ctx, c->wakes, n));
    CQ_TRY(CQ_ALLOC(ctx, c->freed, n));
  }
  return CQ_ALLOC(ctx, c->found, fluid_chunks(c->n_all));
}

/* Arrays of samples and of bodies. */
static cq_status allocate_samples(fluid *c) {
  cq_ctx *ctx = c->ctx;
  const size_t n = (size_t)c->n_samples, bodies = (size_t)c->own->n_bodies;
  CQ_TRY(CQ_ALLOC(ctx, c->sample_x0, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(ctx, c->sample_x, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(ctx, c->sample_volume0, n));
  CQ_TRY(CQ_ALLOC(ctx, c->sample_body, n));
  CQ_TRY(CQ_ALLOC(ctx, c->sample_key, n));
  CQ_TRY(CQ_ALLOC(ctx, c->sample_order, n));
  FOR_AXES(a) {
    CQ_TRY(CQ_ALLOC(ctx, c->sorted_column[a], n + CQ_PAD));
  }
  CQ_TRY(CQ_ALLOC(ctx, c->sorted_volume, n + CQ_PAD));
  CQ_TRY(CQ_ALLOC(ctx, c->sorted_body, n));
  CQ_TRY(CQ_ALLOC(ctx, c->sorted_sticky, n));
  CQ_TRY(CQ_ALLOC(ctx, c->twist, bodies));
  CQ_TRY(CQ_ALLOC(ctx, c->center, bodies));
  CQ_TRY(CQ_ALLOC(ctx, c->friction, c->model->n_boundaries));
  CQ_TRY(CQ_ALLOC(ctx, c->mass, c->model->n_particles));
  CQ_TRY(CQ_ALLOC(ctx, c->seen, c->layout->state_total));
  CQ_TRY(CQ_ALLOC(ctx, c->bodies, 1));
  CQ_TRY(CQ_ALLOC(ctx, c->bodies->body, bodies));
  CQ_TRY(CQ_ALLOC(ctx, c->bodies->pin, c->own->n_pins));
  CQ_TRY(CQ_ALLOC(ctx, c->part_wrench, bodies * CQ_TWIST));
  return CQ_ALLOC(ctx, c->bodies->arm0, (size_t)c->model->n_particles * CQ_DIM);
}

static cq_status allocate(fluid *c) {
  CQ_TRY(allocate_particles(c));
  CQ_TRY(allocate_samples(c));
  CQ_TRY(V(cq_fluid_make_team)(c));
  return V(cq_fluid_reserve_cells)(c, 1);
}

/* which particles are of the fluid, which samples of which body */
static void number(fluid *c) {
  for (int p = 0, i = 0; p < c->model->n_particles; p++) {
    if (c->own->body == NULL || c->own->body[p] < 0) {
      c->particle[i++] = p;
    }
  }
  for (int s = 0; s < c->own->n_wall_samples; s++) {
    c->sample_body[s] = -1;
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
      c->sample_body[s] = b;
    }
  }
  for (int s = 0; s < c->n_samples; s++) {
    c->sticky = c->sticky || (c->own->sticky != NULL && c->own->sticky[s] != 0);
  }
}

/* The workspace of a model, whose inputs come later. */
cq_status V(cq_fluid_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                             void **work) {
  *work = NULL;
  cq_simd level = (cq_simd)0;
  CQ_TRY(cq_simd_choose(ctx, &level));
  fluid *c = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = ctx;
  c->model = model;
  c->own = cq_fluid_of(model);
  c->layout = layout;
  c->hot = hot_of(level);
  for (int p = 0; p < model->n_particles; p++) {
    c->n_all += c->own->body == NULL || c->own->body[p] < 0;
  }
  c->threads = c->n_all < CQ_FLUID_SERIAL_BELOW ? 1 : cq_ctx_threads(ctx);
  c->n_samples = c->own->n_samples;
  c->kernel = kernel_make(4.0 * c->own->radius);
  c->part = model->dt;
  c->dt = K(model->dt);
  FOR_AXES(a) {
    c->room_low[a] = K(model->room.low[a]);
    c->room_high[a] = K(model->room.high[a]);
  }
  const cq_status status = allocate(c);
  if (status != CQ_OK) {
    V(cq_fluid_destroy)(c);
    return status;
  }
  number(c);
  *work = c;
  return CQ_OK;
}

void V(cq_fluid_free_tangents)(fluid *c) {
  if (c->tangents != NULL) {
    cq_free(c->ctx, c->tangents->of);
    cq_free(c->ctx, c->tangents->pin);
    cq_free(c->ctx, c->tangents->damping);
    cq_free(c->ctx, c->tangents->placed);
    cq_free(c->ctx, c->tangents->carried);
    cq_free(c->ctx, c->tangents->number);
    cq_free(c->ctx, c->tangents);
    c->tangents = NULL;
  }
}

/* What is there of it, if creation failed half way. */
void V(cq_fluid_destroy)(void *work) {
  fluid *c = work;
  cq_ctx *ctx = c->ctx;
  V(cq_fluid_free_tangents)(c);
  V(cq_fluid_free_team)(c);
  V(cq_fluid_free_linear)(c);
  if (c->bodies != NULL) {
    cq_free(ctx, c->bodies->body);
    cq_free(ctx, c->bodies->pin);
    cq_free(ctx, c->bodies->arm0);
  }
  FOR_AXES(a) {
    cq_free(ctx, c->column[a]);
    cq_free(ctx, c->sorted_column[a]);
  }
  void *const owned[] = {c->particle,
                         c->volume0,
                         c->density0,
                         c->viscosity0,
                         c->wakes,
                         c->freed,
                         c->friction,
                         c->key,
                         c->order,
                         c->start,
                         c->cell_count,
                         c->x,
                         c->v,
                         c->v_new,
                         c->volume,
                         c->light,
                         c->viscosity,
                         c->excess,
                         c->diagonal,
                         c->pressure,
                         c->before,
                         c->change,
                         c->wall,
                         c->found,
                         c->first,
                         c->length,
                         c->place,
                         c->pull,
                         c->first_sample,
                         c->count,
                         c->sample_count,
                         c->near,
                         c->sample_near,
                         c->slope,
                         c->sample_slope,
                         c->touches,
                         c->first_touch,
                         c->n_touches,
                         c->steady[0],
                         c->steady[1],
                         c->sample_x0,
                         c->sample_x,
                         c->sample_volume0,
                         c->sample_body,
                         c->sample_key,
                         c->sample_order,
                         c->sample_start,
                         c->sorted_volume,
                         c->sorted_body,
                         c->sorted_sticky,
                         c->twist,
                         c->center,
                         c->bodies,
                         c->part_wrench,
                         c->mass,
                         c->gain,
                         c->all,
                         c->seen};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
  cq_free(ctx, c);
}
