/* The workspace of the fast engine: creation, rooms that grow. */
#include "mpm_cpu.h"

#include "actuators.h"
#include "alloc.h"
#include "point/observe.h"
#include "simd_built.h"
#include "status.h"

cq_status V(cq_cpu_reserve)(cpu *c, void **pointer, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) {
    return CQ_OK;
  }
  cq_free(c->ctx, *pointer);
  *capacity = 0;
  const size_t room = needed + needed / 2;
  CQ_TRY(cq_alloc(c->ctx, pointer, room, size));
  *capacity = room;
  return CQ_OK;
}

/* what stresses particle p, entered if it is new */
int V(cq_cpu_driver)(cpu *c, int p) {
  const double *viscosity = c->own->viscosity;
  const cpu_driver wanted = {c->own->material[p], c->model->actuator[p],
                             viscosity != NULL ? K(viscosity[p]) : K(0)};
  for (int i = 0; i < c->n_drivers; i++) {
    const cpu_driver *d = &c->drivers[i];
    if (d->material == wanted.material && d->actuator == wanted.actuator &&
        d->viscosity == wanted.viscosity) {
      return i;
    }
  }
  c->settles = c->settles || cq_material_is_liquid(wanted.material);
  c->plain = c->n_drivers == 0 && wanted.actuator < 0 && wanted.viscosity == K(0);
  c->drivers[c->n_drivers] = wanted;
  return c->n_drivers++;
}

static const cpu_hot *hot_of(cq_simd level) {
  static const cpu_hot *const tables[CQ_N_SIMD] = {
#define CQ_HOT_TABLE(name) [CQ_SIMD_##name] = &CQ_HOT(name),
      CQ_SIMD_BUILT(CQ_HOT_TABLE)
#undef CQ_HOT_TABLE
  };
  return tables[level];
}

/* What does not depend on where the particles are. */
static cq_status allocate(cpu *c) {
  cq_ctx *ctx = c->ctx;
  const size_t n = (size_t)c->n, chunks = (size_t)c->n_chunks;
  const int all = c->model->n_particles;
  CQ_TRY(CQ_ALLOC(ctx, c->actuators, c->model->n_actuators));
  CQ_TRY(CQ_ALLOC(ctx, c->drivers, n));
  CQ_TRY(CQ_ALLOC(ctx, c->driver_of, n));
  CQ_TRY(CQ_ALLOC(ctx, c->substance, CQ_QUAD * n));
  CQ_TRY(CQ_ALLOC(ctx, c->id, n));
  CQ_TRY(CQ_ALLOC(ctx, c->slot, n));
  CQ_TRY(CQ_ALLOC(ctx, c->key, n));
  CQ_TRY(CQ_ALLOC(ctx, c->w, c->model->n_drives));
  CQ_TRY(CQ_ALLOC(ctx, c->totals, c->model->n_groups));
  CQ_TRY(CQ_ALLOC(ctx, c->observations, (all + CQ_CHUNK - 1) / CQ_CHUNK));
  CQ_TRY(CQ_ALLOC(ctx, c->shares, c->threads));
  CQ_TRY(CQ_ALLOC(ctx, c->found, chunks));
  CQ_TRY(CQ_ALLOC(ctx, c->bad, chunks));
  CQ_TRY(CQ_ALLOC(ctx, c->pressed.at, 2 * c->pressed.n));
  return V(cq_cpu_find_free)(c);
}

/* Nodes that a compact body of 4 (2D) or 8 particles a cell touches: a cell more than its side is
 * long, and the two nodes after it. */
static size_t compact_nodes(int n) {
  size_t cells = 1, nodes = 1, volume = 1;
  while (volume * (1u << CQ_DIM) < (size_t)n) {
    cells++;
    volume = 1;
    FOR_AXES(a) {
      volume *= cells;
    }
  }
  FOR_AXES(a) {
    nodes *= cells + 3;
  }
  return nodes;
}

/* The engine of a model, with the widest vectors that the processor has; few particles have one
 * thread. */
cq_status V(cq_cpu_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                           void **work) {
  *work = NULL;
  cq_simd level = (cq_simd)0;
  CQ_TRY(cq_simd_choose(ctx, &level));
  cpu *c = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = ctx;
  c->model = model;
  c->own = cq_mpm_of(model);
  c->layout = layout;
  c->hot = hot_of(level);
  c->n = cq_mpm_n_soft(model);
  c->n_chunks = c->n > 0 ? (c->n + CQ_CHUNK - 1) / CQ_CHUNK : 1;
  c->threads = c->n < CQ_SERIAL_BELOW ? 1 : cq_ctx_threads(ctx);
  c->t = transfer_make(model->dt, c->own->cell, c->own->transfer == CQ_TRANSFER_APIC);
  c->block_room = (size_t)(c->own->grid[0] / CQ_BLOCK + 2);
  c->node_room = compact_nodes(c->n);
  cq_status status = V(cq_mpm_grid_model)(ctx, model, &c->g);
  status = status != CQ_OK ? status : V(cq_cpu_fields_create)(c);
  c->pressed.n = (size_t)(c->fields != NULL ? c->own->n_fields : 1) * (size_t)c->g.n_slots;
  status = status != CQ_OK ? status : allocate(c);
  status = status != CQ_OK ? status : V(cq_cables_create)(ctx, model, &c->cables);
  status = status != CQ_OK ? status : WIDE(cq_bodies_create)(ctx, model, layout, &c->bodies);
  if (status != CQ_OK) {
    V(cq_cpu_destroy)(c);
    return status;
  }
  for (int i = 0; i < model->n_actuators; i++) {
    c->actuators[i] = V(cq_mpm_actuator)(&c->own->actuators[i]);
    c->pushes = c->pushes || cq_actuations[c->actuators[i].kind].acts == CQ_ACTS_PUSH;
  }
  *work = c;
  return CQ_OK;
}

void V(cq_cpu_free_adjoints)(cpu *c) {
  for (int s = 0; s < c->n_adjoints; s++) {
    cq_free(c->ctx, c->adjoints[s].records);
    cq_free(c->ctx, c->adjoints[s].substance);
    cq_free(c->ctx, c->adjoints[s].pressed);
  }
  cq_free(c->ctx, c->adjoints);
  c->adjoints = NULL;
  c->n_adjoints = c->n_seeds = 0;
}

/* Takes a workspace that was made in part, too: what it has not got is NULL. */
void V(cq_cpu_destroy)(void *work) {
  cpu *c = work;
  cq_ctx *ctx = c->ctx;
  V(cq_cpu_free_adjoints)(c);
  V(cq_cables_free)(ctx, &c->cables);
  WIDE(cq_bodies_destroy)(c->bodies);
  V(cq_cpu_fields_destroy)(c);
  V(cq_mpm_grid_free)(ctx, &c->g);
  void *const owned[] = {
      c->actuators,   c->drivers, c->driver_of,    c->substance, c->id,     c->slot,       c->key,
      c->w,           c->totals,  c->observations, c->found,     c->bad,    c->line_start, c->runs,
      c->blocks,      c->dblocks, c->own_nodes,    c->velocity,  c->dnodes, c->counts,     c->sums,
      c->mirror_mass, c->ahead,   c->pressed.at,   c->shares};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
  cq_free(ctx, c);
}
