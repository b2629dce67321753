/* One step of the fast engine: particles to grid, grid, grid to particles, sort. */
#include "mpm_cpu.h"

#include "flush_mode.h"
#include "mpm_cpu_step.h"
#include "mpm_inputs.h"
#include "status.h"

#include <limits.h>
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif

void V(cq_cpu_begin_step)(cpu *c, const cpu_state *in, const double *w) {
  for (int i = 0; i < c->model->n_drives; i++) {
    c->w[i] = K(w[i]);
  }
  c->start = in->start;
  V(cq_cpu_take_box)(c, &in->head->box);
  c->near = pressed_near(&c->g, 0, c->box.low[0], c->box.size[0]);
  pressed_begin(&c->pressed, c->near, in->pressed);
  c->memory = pressed_memory(&c->pressed, c->near, NULL);
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
  CQ_TRY(reserve(c, &c->ahead, &c->node_capacity[3], c->g.mirrors ? nodes : 0));
  if (adjoint) {
    CQ_TRY(reserve(c, &c->dblocks, &c->block_capacity[1], blocks));
    CQ_TRY(reserve(c, &c->dnodes, &c->node_capacity[2], nodes));
    CQ_TRY(reserve(c, &c->mirror_mass, &c->node_capacity[4], c->g.mirrors ? box_nodes(c) : 0));
  }
  return CQ_OK;
}

/* Keeps the grid beside the state if the state stays and has room. */
static void choose_nodes(cpu *c, const cpu_state *in, bool stays) {
  const bool kept = stays && box_nodes(c) <= c->node_room;
  c->nodes = kept ? in->nodes : c->own_nodes;
  in->head->has_nodes = kept;
}

void V(cq_cpu_team)(cpu *c, void (*loops)(cpu *c, const cpu_pass *p), const cpu_pass *pass) {
  memset(c->shares, 0, (size_t)c->threads * sizeof *c->shares);
  if (c->threads == 1) {
    const unsigned mode = flush_begin();
    loops(c, pass);
    flush_end(mode);
    return;
  }
#pragma omp parallel num_threads(c->threads)
  {
    const unsigned mode = flush_begin();
    loops(c, pass);
    flush_end(mode);
  }
}

static int thread_number(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

int V(cq_cpu_take)(cpu *c, int what, int n) {
  const int own = thread_number(), threads = c->threads;
  for (int i = 0; i < threads; i++) {
    const int s = (own + i) % threads;
    int *taken = &c->shares[s].taken[what];
    const int first = (int)((long long)n * s / threads);
    const int count = (int)((long long)n * (s + 1) / threads) - first;
    if (__atomic_load_n(taken, __ATOMIC_RELAXED) < count) {
      const int k = __atomic_fetch_add(taken, 1, __ATOMIC_RELAXED);
      if (k < count) {
        return first + k;
      }
    }
  }
  return -1;
}

/* the step's loops, shared by the threads that call it together */
static void run_loops(cpu *c, const cpu_pass *p) {
  for (int b; (b = V(cq_cpu_take)(c, CQ_TAKE_BLOCKS, c->box.n_blocks)) >= 0;) {
    c->hot->scatter(c, p->in, b);
  }
#pragma omp barrier
  if (c->cables.n_anchors > 0) {
#pragma omp single
    V(cq_cpu_pull)(c, p->in);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->box.size[0]; i++) {
    c->hot->grid(c, i, true);
  }
  if (cpu_has_more(c)) {
#pragma omp single
    V(cq_cpu_more)(c);
  }
  for (int k; (k = V(cq_cpu_take)(c, CQ_TAKE_CHUNKS, c->n_chunks)) >= 0;) {
    c->hot->gather(c, p->in, p->out, k, &c->found[k]);
  }
#pragma omp barrier
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
  const cpu_pass pass = {.in = &in, .out = out.records};
  V(cq_cpu_team)(c, run_loops, &pass);
  CQ_TRY(c->met);
  CQ_TRY(V(cq_cpu_check_step)(c, step, out.records, count));
  CQ_TRY(WIDE(cq_bodies_end)(c->bodies, step, in.bodies, out.bodies, &c->failure));
  pressed_end(&c->pressed, c->near, out.pressed);
  return V(cq_cpu_sort)(c, &out);
}
