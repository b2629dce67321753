/* One step of the fast engine: particles to grid, grid, grid to particles, sort. */
#include "mpm_cpu.h"

#include "flush_mode.h"
#include "mpm_cpu_step.h"
#include "mpm_inputs.h"
#include "status.h"

#include <limits.h>
#include <string.h>

void V(cq_cpu_begin_step)(cpu *c, const cpu_state *in, const double *w) {
  for (int i = 0; i < c->model->n_drives; i++) {
    c->w[i] = K(w[i]);
  }
  c->start = in->start;
  pressed_begin(&c->pressed, in->pressed);
  c->memory = pressed_memory(&c->pressed, 0, NULL);
  V(cq_cpu_take_box)(c, &in->head->box);
}

static size_t box_nodes(const cpu *c) {
  return (size_t)c->box.size[0] * c->plane;
}

/* the quads after the last node, which rows of 16 lanes read with weight zero */
void V(cq_cpu_end_nodes)(const cpu *c, scalar *nodes) {
  memset(nodes + box_nodes(c) * CQ_QUAD, 0, CQ_QUAD * sizeof *nodes);
}

static cq_status reserve(cpu *c, scalar **array, size_t *capacity, size_t scalars) {
  return V(cq_cpu_reserve)(c, (void **)array, capacity, scalars, sizeof **array);
}

cq_status V(cq_cpu_reserve_grid)(cpu *c, bool adjoint) {
  const size_t nodes = (box_nodes(c) + 1) * CQ_QUAD;
  const size_t blocks = (size_t)c->box.n_blocks * c->block_stride;
  CQ_TRY(reserve(c, &c->blocks, &c->block_capacity[0], blocks));
  CQ_TRY(reserve(c, &c->own_nodes, &c->node_capacity[0], nodes));
  CQ_TRY(reserve(c, &c->velocity, &c->node_capacity[1], nodes));
  if (adjoint) {
    CQ_TRY(reserve(c, &c->dblocks, &c->block_capacity[1], blocks));
    CQ_TRY(reserve(c, &c->dnodes, &c->node_capacity[2], nodes));
    CQ_TRY(reserve(c, &c->mirror_mass, &c->node_capacity[3], c->g.mirrors ? box_nodes(c) : 0));
  }
  return CQ_OK;
}

/* Keeps the grid beside the state if the state stays and has room. */
static void choose_nodes(cpu *c, const cpu_state *in, bool stays) {
  const bool kept = stays && box_nodes(c) <= c->node_room;
  c->nodes = kept ? in->nodes : c->own_nodes;
  in->head->has_nodes = kept;
}

/* the step's loops, shared by the threads that call it together */
static void run_loops(cpu *c, const cpu_state *in, scalar *out) {
  const unsigned mode = flush_begin();
#pragma omp for schedule(dynamic, 1)
  for (int b = 0; b < c->box.n_blocks; b++) {
    c->hot->scatter(c, in, b);
  }
  if (c->cables.n_anchors > 0) {
#pragma omp single
    V(cq_cpu_pull)(c, in);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->box.size[0]; i++) {
    c->hot->grid(c, i, true);
  }
  if (c->bodies != NULL) {
#pragma omp single
    V(cq_cpu_meet)(c);
  }
  if (c->g.mirrors) {
#pragma omp single
    V(cq_cpu_mirror)(c);
  }
#pragma omp for schedule(dynamic, 1)
  for (int k = 0; k < c->n_chunks; k++) {
    c->hot->gather(c, in, out, k, &c->found[k]);
  }
  flush_end(mode);
}

/* Opening a team for one thread would cost a small scene a few percent. */
static void run_step(cpu *c, const cpu_state *in, scalar *out) {
  if (c->threads == 1) {
    run_loops(c, in, out);
    return;
  }
#pragma omp parallel num_threads(c->threads)
  run_loops(c, in, out);
}

cq_status V(cq_cpu_check_step)(cpu *c, int step, const scalar *out, bool count) {
  int first_bad = INT_MAX;
  for (int k = 0; k < c->n_chunks; k++) {
    const cpu_found *f = &c->found[k];
    first_bad = f->first_bad < first_bad ? f->first_bad : first_bad;
    c->tally.of[CQ_TALLY_INVERTED] += count ? f->inverted : 0;
    c->tally.of[CQ_TALLY_CLAMPED] += count ? f->clamped : 0;
  }
  if (first_bad == INT_MAX) {
    return CQ_OK;
  }
  particle q;
  memcpy(&q, out + (size_t)c->slot[first_bad] * CQ_RECORD, sizeof q);
  return V(cq_mpm_fail)(c->ctx, c->model, &c->t, step, first_bad, q, &c->failure);
}

/* In place where to = from; else `from` may keep its grid, and a large `to` passes the caches. */
cq_status V(cq_cpu_step)(void *work, int step, void *from, void *to, const double *w, bool count) {
  cpu *c = work;
  const cpu_state in = V(cq_cpu_view)(c, from), out = V(cq_cpu_view)(c, to);
  V(cq_cpu_begin_step)(c, &in, w);
  CQ_TRY(WIDE(cq_bodies_begin)(c->bodies, step, in.bodies, w));
  CQ_TRY(V(cq_cpu_reserve_grid)(c, false));
  choose_nodes(c, &in, from != to);
  c->streams = from != to && (size_t)c->n * CQ_RECORD * sizeof(scalar) > CQ_STREAM_ABOVE;
  V(cq_cpu_end_nodes)(c, c->velocity);
  V(cq_cpu_key_box)(c, &c->box);
  run_step(c, &in, out.records);
  CQ_TRY(c->met);
  CQ_TRY(V(cq_cpu_check_step)(c, step, out.records, count));
  CQ_TRY(WIDE(cq_bodies_end)(c->bodies, step, in.bodies, out.bodies, &c->failure));
  pressed_end(&c->pressed, out.pressed);
  return V(cq_cpu_sort)(c, &out);
}
