/* The workspace: creation, rooms that grow. */
#include "grains_bodies.h"

#include "alloc.h"
#include "simd_built.h"
#include "status.h"

cq_status V(cq_grains_reserve)(const grains *g, void **pointer, size_t *room, size_t needed,
                               size_t size) {
  if (needed <= *room) {
    return CQ_OK;
  }
  cq_free(g->ctx, *pointer);
  *pointer = NULL;
  *room = 0;
  const size_t wanted = needed + needed / 4;
  CQ_TRY(cq_alloc(g->ctx, pointer, wanted, size));
  *room = wanted;
  return CQ_OK;
}

static const grains_hot *hot_of(cq_simd level) {
  static const grains_hot *const tables[CQ_N_SIMD] = {
#define CQ_HOT_TABLE(name) [CQ_SIMD_##name] = &CQ_HOT(name),
      CQ_SIMD_BUILT(CQ_HOT_TABLE)
#undef CQ_HOT_TABLE
  };
  return tables[level];
}

/* Pairs that a list has room for: all there are, or some a grain. The list of a dense packing has
 * 3 in 2D and 6 in 3D; where slacks are so wide that it has more, they are made smaller. */
static size_t room_for_pairs(int n) {
  const double all = 0.5 * n * (n - 1.0), some = (CQ_DIM == 2 ? 4.0 : 7.0) * n + 64.0;
  return (size_t)(all < some ? all : some) + 1;
}

/* Contacts with tools: GRAIN_SURFACE for each of few grains, one and a quarter for each of many. */
static size_t room_for_touches(int n) {
  return (size_t)n * GRAIN_SURFACE < 4096 ? (size_t)n * GRAIN_SURFACE
                                          : (size_t)n + (size_t)n / 4 + 4096;
}

/* The parts of all tools in one list, and what there is of each tool. */
static cq_status list_parts(grains *g) {
  const int n_tools = g->model->n_boundaries;
  for (int t = 0; t < n_tools; t++) {
    g->n_parts += g->own->tools[t].n_parts;
  }
  CQ_TRY(CQ_ALLOC(g->ctx, g->part, g->n_parts));
  CQ_TRY(CQ_ALLOC(g->ctx, g->part_tool, g->n_parts));
  CQ_TRY(CQ_ALLOC(g->ctx, g->placed, g->n_parts));
  CQ_TRY(CQ_ALLOC(g->ctx, g->wall_friction, n_tools));
  CQ_TRY(CQ_ALLOC(g->ctx, g->tool_speed, n_tools));
  CQ_TRY(CQ_ALLOC(g->ctx, g->tool_twist, 6 * (size_t)n_tools));
  CQ_TRY(CQ_ALLOC(g->ctx, g->wrench, 6 * (size_t)n_tools));
  for (int t = 0, k = 0; t < n_tools; t++) {
    for (int i = 0; i < g->own->tools[t].n_parts; i++, k++) {
      g->part[k] = &g->own->tools[t].parts[i];
      g->part_tool[k] = t;
    }
  }
  return CQ_OK;
}

/* What does not grow. */
static cq_status allocate(grains *g) {
  cq_ctx *ctx = g->ctx;
  const size_t n = (size_t)g->n, pairs = g->pair_room;
  CQ_TRY(CQ_ALLOC(ctx, g->radius, n));
  CQ_TRY(CQ_ALLOC(ctx, g->inverse_mass, n));
  CQ_TRY(CQ_ALLOC(ctx, g->share, 4 * n));
  CQ_TRY(CQ_ALLOC(ctx, g->slot, n));
  CQ_TRY(CQ_ALLOC(ctx, g->kind_share, 4 * n));
  if (g->own->material != NULL) {
    CQ_TRY(CQ_ALLOC(ctx, g->material, n));
  }
  CQ_TRY(CQ_ALLOC(ctx, g->groups, 2 * g->unit_room));
  CQ_TRY(CQ_ALLOC(ctx, g->cell, n + 1));
  CQ_TRY(CQ_ALLOC(ctx, g->order, n + 1));
  CQ_TRY(CQ_ALLOC(ctx, g->from, n));
  CQ_TRY(CQ_ALLOC(ctx, g->scratch, n * GRAIN_ROW));
  CQ_TRY(CQ_ALLOC(ctx, g->mask, n));
  CQ_TRY(CQ_ALLOC(ctx, g->next_colour, n));
  CQ_TRY(CQ_ALLOC(ctx, g->pair_key, pairs));
  CQ_TRY(CQ_ALLOC(ctx, g->pair_from, pairs));
  CQ_TRY(CQ_ALLOC(ctx, g->pa, pairs));
  CQ_TRY(CQ_ALLOC(ctx, g->pb, pairs));
  CQ_TRY(CQ_ALLOC(ctx, g->old_touches, g->touch_room));
  if (g->own->hashed) {
    CQ_TRY(CQ_ALLOC(ctx, g->key, n));
    CQ_TRY(CQ_ALLOC(ctx, g->head, 2 * n));
    CQ_TRY(CQ_ALLOC(ctx, g->next, n));
  }
  if (g->own->solver != CQ_GRANULAR_NCP) {
    CQ_TRY(CQ_ALLOC(ctx, g->parallel, (n + (size_t)g->n_dummies) * GRAIN_ROW));
    CQ_TRY(CQ_ALLOC(ctx, g->touching, n));
  }
  return list_parts(g);
}

/* The workspace of a model, at the SIMD level of the machine. */
cq_status V(cq_grains_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                              void **work) {
  *work = NULL;
  cq_simd level = (cq_simd)0;
  CQ_TRY(cq_simd_choose(ctx, &level));
  grains *g = NULL;
  CQ_TRY(CQ_ALLOC(ctx, g, 1));
  g->ctx = ctx;
  g->model = model;
  g->own = cq_granular_of(model);
  g->layout = layout;
  g->hot = hot_of(level);
  g->n = cq_granular_n_grains(model);
  g->threads = cq_ctx_threads(ctx);
  g->spins = g->own->spins && g->own->solver != CQ_GRANULAR_PAPER;
  g->dt = K(model->dt);
  g->inverse_dt = K(1.0 / model->dt);
  g->pair_room = room_for_pairs(g->n);
  g->touch_room = room_for_touches(g->n);
  g->unit_room = g->n / GRAIN_UNIT + 1;
  g->n_dummies = 2 * g->unit_room * GRAIN_DUMMIES;
  g->stamp = -1;
  g->cyclic = g->own->cyclic - 1;
  g->period = g->cyclic < 0 ? K(0) : K(model->room.high[g->cyclic] - model->room.low[g->cyclic]);
  FOR_EACH_AXIS(a) {
    g->low[a] = K(model->room.low[a]);
    g->high[a] = K(model->room.high[a]);
  }
  cq_status status = allocate(g);
  status = status != CQ_OK ? status : V(cq_grains_bodies_create)(g, &g->bodies);
  if (status != CQ_OK) {
    V(cq_grains_destroy)(g);
    return status;
  }
  *work = g;
  return CQ_OK;
}

/* All of it, finished or not. */
void V(cq_grains_destroy)(void *work) {
  grains *g = work;
  cq_ctx *ctx = g->ctx;
  V(cq_grains_bodies_destroy)(g);
  for (int k = 0; g->groups != NULL && k < 2 * g->unit_room; k++) {
    cq_free(ctx, g->groups[k].blocks);
    cq_free(ctx, g->groups[k].surfaces);
    cq_free(ctx, g->groups[k].touches);
  }
  void *const owned[] = {g->radius,
                         g->inverse_mass,
                         g->share,
                         g->slot,
                         g->kind_share,
                         g->material,
                         g->groups,
                         g->cell,
                         g->order,
                         g->from,
                         g->scratch,
                         g->mask,
                         g->next_colour,
                         g->pair_key,
                         g->pair_from,
                         g->pa,
                         g->pb,
                         g->saved,
                         g->saved_other,
                         g->old_touches,
                         g->parallel,
                         g->touching,
                         (void *)(uintptr_t)g->part,
                         g->part_tool,
                         g->placed,
                         g->wall_friction,
                         g->tool_speed,
                         g->tool_twist,
                         g->wrench,
                         g->start,
                         g->key,
                         g->head,
                         g->next,
                         g->colour_end};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
  cq_free(ctx, g);
}
