/* Room for a model on the device. */
#ifndef CQ_MPM_CUDA_CREATE_CUH
#define CQ_MPM_CUDA_CREATE_CUH

#include "actuators.h"
#include "mpm_cuda_tables.cuh"

/* What there is of each particle beside its state; the atomic kernels need no order. */
static cq_status make_particles(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t n = (size_t)w->n;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->id, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->place, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->material, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->actuator_of, n));
  if (c->own->viscosity != NULL) {
    CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->viscosity, n));
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->substance, 4 * w->stride));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->key, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->slot, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->packets, CQ_PACKET * n));
  if (w->naive) {
    return CQ_OK;
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->who, n));
  return CQ_TAKE(b, OF_ENGINE, w->order, n);
}

/* Nodes, and the cells that particles are in: no more of them than particles. */
static cq_status make_grid(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t nodes = (size_t)w->n_nodes;
  const size_t cells = w->n < w->n_nodes ? (size_t)w->n : nodes;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->at, 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->end, 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->boxes, 2));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->totals, 2));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->velocity, nodes));
  if (w->naive) {
    return CQ_TAKE(b, OF_ENGINE, w->sum, nodes);
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->count, nodes));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->number, nodes));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->first, cells));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->filled, cells));
  return CQ_TAKE(b, OF_ENGINE, w->partial, cells * CQ_STENCIL);
}

/* numbers of z */
static size_t z_length(const cuda *c) {
  return c->layout->rows->begin[c->w.steps + 1];
}

static cq_status make_history(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->inputs, 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->theta, w->n_theta));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->drives, w->n_drives));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->w, w->n_drives));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->room, CQ_CONTROL_ROOM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sums, c->n_chunks));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->group_totals, w->n_groups));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->z, z_length(c)));
  return CQ_TAKE(b, OF_ENGINE, w->u, (size_t)w->steps * (size_t)w->n_controls);
}

/* --- the object ------------------------------------------------------------------------------ */

static int at_most(size_t blocks, int most) {
  return blocks < (size_t)most ? (int)blocks : most;
}

/* How much there is of everything, refused where an index of 32 bits would not do. */
static cq_status size_world(cuda *c) {
  const cq_model *m = c->model;
  world *w = &c->w;
  double nodes = 1.0;
  w->n_nodes = 1;
  FOR_AXES(a) {
    nodes *= c->own->grid[a];
    CQ_CHECK(c->ctx, nodes < 2147483648.0, CQ_CONFIG, "a grid of %g nodes is too large", nodes);
    w->grid[a] = c->own->grid[a];
    w->n_nodes *= c->own->grid[a];
  }
  CQ_CHECK(c->ctx, m->n_particles < 1 << 28, CQ_CONFIG, "%d particles are too many",
           m->n_particles);
  w->n = m->n_particles;
  w->stride = ((size_t)w->n + CQ_WARP - 1) / CQ_WARP * CQ_WARP;
  w->steps = m->steps;
  w->dt = m->dt;
  w->n_groups = m->n_groups;
  w->longest = c->layout->rows->longest;
  w->n_controls = m->n_controls;
  w->n_drives = m->n_drives;
  w->n_actuators = m->n_actuators;
  w->n_theta = m->controller.n_parameters;
  w->n_walls = cq_mpm_n_walls(m);
  w->node_blocks = at_most((size_t)blocks_for((size_t)w->n_nodes), CQ_MOST_BLOCKS);
  w->inversion_fails = c->own->on_inversion == CQ_INVERSION_FAIL;
  w->naive = c->own->kernels == CQ_KERNELS_REFERENCE;
  w->t = transfer_make(m->dt, c->own->cell, c->own->transfer == CQ_TRANSFER_APIC);
  return V(cq_mpm_grid_model)(c->ctx, m, &c->g);
}

static cq_status make_tables(cuda *c) {
  CQ_TRY(cq_actuators_check(c->ctx, c->model, c->layout->rows));
  CQ_TRY(make_groups(c));
  CQ_TRY(make_walls(c));
  CQ_TRY(make_actuators(c));
  CQ_TRY(make_cables(c));
  CQ_TRY(make_controller(c));
  CQ_TRY(make_rows(c));
  CQ_TRY(make_particles(c));
  CQ_TRY(make_grid(c));
  CQ_TRY(make_history(c));
  CQ_TRY(CQ_ALLOC(c->ctx, c->id, c->w.n));
  CQ_TRY(CQ_ALLOC(c->ctx, c->place, c->w.n));
  return CQ_ALLOC(c->ctx, c->slab, c->w.stride * CQ_STATE_COMPONENTS);
}

#endif
