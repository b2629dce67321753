/* The adjoint of one step of the fast engine. The grid of the forward step is the one kept beside
 * the state, or built again by the same functions; then, for each seed: particles' gradients to the
 * grid (A, B, C of the supplement), grid (D, E, L), grid to particles (F to K). */
#include "mpm_cpu.h"

#include "alloc.h"
#include "mpm_cpu_step.h"
#include "mpm_inputs.h"
#include "status.h"

#include <limits.h>
#include <string.h>

/* Slabs are kept from sweep to sweep. */
static cq_status reserve_adjoints(cpu *c, int n_seeds) {
  if (n_seeds <= c->n_adjoints) {
    return CQ_OK;
  }
  V(cq_cpu_free_adjoints)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, c->adjoints, n_seeds));
  c->n_adjoints = n_seeds;
  for (int s = 0; s < n_seeds; s++) {
    cpu_adjoint *a = &c->adjoints[s];
    CQ_TRY(CQ_ALLOC(c->ctx, a->records, (size_t)c->n * CQ_RECORD));
    CQ_TRY(CQ_ALLOC(c->ctx, a->substance, (size_t)c->n * CQ_QUAD));
    CQ_TRY(CQ_ALLOC(c->ctx, a->pressed, c->pressed.n));
  }
  return CQ_OK;
}

void V(cq_cpu_adjoint_forget)(void *work) {
  cpu *c = work;
  for (int s = 0; s < c->n_seeds; s++) {
    cpu_adjoint *a = &c->adjoints[s];
    memset(a->records, 0, (size_t)c->n * CQ_RECORD * sizeof *a->records);
    pressed_clear_all(&c->pressed, a->pressed);
  }
}

cq_status V(cq_cpu_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds, const void *last) {
  cpu *c = work;
  CQ_TRY(reserve_adjoints(c, n_seeds));
  c->n_seeds = n_seeds;
  V(cq_cpu_adjoint_forget)(c);
  for (int s = 0; s < n_seeds; s++) {
    cpu_adjoint *a = &c->adjoints[s];
    memset(a->substance, 0, (size_t)c->n * CQ_QUAD * sizeof *a->substance);
    memset(a->grid, 0, sizeof a->grid);
    if (seeds[s].terminal != NULL) {
      V(cq_cpu_to_records)(c, seeds[s].terminal, a->records);
    }
  }
  CQ_TRY(WIDE(cq_between_adjoint_begin)(c->between, n_seeds));
  return WIDE(cq_bodies_adjoint_begin)(c->bodies, n_seeds, seeds, V(cq_cpu_view)(c, last).bodies);
}

cq_status V(cq_cpu_reserve_sums)(cpu *c, size_t planes) {
  const size_t chunks = (size_t)c->n_chunks * (size_t)c->model->n_drives;
  return V(cq_cpu_reserve)(c, (void **)&c->sums, &c->sums_capacity, planes * CQ_GRID_SUMS + chunks,
                           sizeof *c->sums);
}

/* Where there are rigid bodies or mirrors all nodes have to have their velocities first. */
static void sweep_more(cpu *c, const cpu_pass *p) {
  if (p->build) {
#pragma omp for schedule(static)
    for (int i = 0; i < c->box.size[0]; i++) {
      c->hot->grid(c, i, !p->in->head->has_nodes);
    }
#pragma omp single
    V(cq_cpu_more)(c);
  }
#pragma omp single
  V(cq_cpu_more_adjoint)(c, p->seed, p->step);
}

/* particles' part of the adjoint to the blocks */
static void sweep_blocks(cpu *c, const cpu_pass *p, bool scatters) {
  for (int b; (b = V(cq_cpu_take)(c, CQ_TAKE_BLOCKS, c->box.n_blocks)) >= 0;) {
    if (scatters) {
      c->hot->scatter(c, p->in, b);
    }
    c->hot->scatter_adjoint(c, p->in, c->adjoints[p->seed].records, b);
  }
#pragma omp barrier
  if (scatters && c->cables.n_anchors > 0) {
#pragma omp single
    V(cq_cpu_pull)(c, p->in);
  }
}

/* from the grid to the particles, and to what drives the step */
static void sweep_chunks(cpu *c, const cpu_pass *p) {
  double *chunks = c->sums + (size_t)c->box.size[0] * CQ_GRID_SUMS;
  const size_t n_w = (size_t)c->model->n_drives;
  for (int k; (k = V(cq_cpu_take)(c, CQ_TAKE_CHUNKS, c->n_chunks)) >= 0;) {
    double *dw = chunks + (size_t)k * n_w;
    memset(dw, 0, n_w * sizeof *dw);
    c->bad[k] = c->hot->gather_adjoint(c, p->in, &c->adjoints[p->seed], k, dw);
  }
#pragma omp barrier
}

/* One seed, by the threads that call it together. */
static void sweep(cpu *c, const cpu_pass *p) {
  const bool scatters = p->build && !p->in->head->has_nodes;
  sweep_blocks(c, p, scatters);
  if (cpu_has_more(c)) {
    sweep_more(c, p);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->box.size[0]; i++) {
    c->hot->grid_adjoint(c, i, p->build && !cpu_has_more(c), !p->in->head->has_nodes,
                         c->sums + (size_t)i * CQ_GRID_SUMS);
  }
  if (cpu_has_more(c)) {
#pragma omp single
    V(cq_cpu_more_masses)(c);
  }
  sweep_chunks(c, p);
}

/* Adds the planes' parts to the gradient, the chunks' to dw; returns the lowest number of a
 * particle whose gradient is not finite, or INT_MAX. */
static int collect(const cpu *c, size_t n_planes, cpu_adjoint *adjoint, double *dw) {
  const double *planes = c->sums, *chunks = planes + n_planes * CQ_GRID_SUMS;
  const int n_w = c->model->n_drives;
  for (size_t i = 0; i < n_planes; i++) {
    for (int k = 0; k < CQ_DIM + 1 + c->g.n_walls; k++) {
      adjoint->grid[k] += planes[i * CQ_GRID_SUMS + (size_t)k];
    }
  }
  int first_bad = INT_MAX;
  memset(dw, 0, (size_t)n_w * sizeof *dw);
  for (int k = 0; k < c->n_chunks; k++) {
    first_bad = c->bad[k] < first_bad ? c->bad[k] : first_bad;
    for (int i = 0; i < n_w; i++) {
      dw[i] += chunks[(size_t)k * (size_t)n_w + (size_t)i];
    }
  }
  return first_bad;
}

cq_status V(cq_cpu_seed_done)(cpu *c, const cpu_state *in, int step, int seed, size_t planes,
                              double *dw) {
  double *seed_dw = dw + (size_t)seed * (size_t)c->model->n_drives;
  const int bad = collect(c, planes, &c->adjoints[seed], seed_dw);
  WIDE(cq_bodies_put_controls)(c->bodies, seed, seed_dw);
  if (c->cables.n_anchors > 0) {
    V(cq_cpu_pull_adjoint)(c, in, &c->adjoints[seed], seed_dw);
  }
  if (bad < INT_MAX) {
    vec x;
    memcpy(&x, in->records + (size_t)c->slot[bad] * CQ_RECORD, sizeof x);
    return V(cq_mpm_fail_backward)(c->ctx, step, bad, x, &c->failure);
  }
  return CQ_OK;
}

/* The grid of the step once more, then seed by seed through it and the particles. */
cq_status V(cq_cpu_step_adjoint)(void *work, int step, const void *state, const double *w,
                                 double *dw) {
  cpu *c = work;
  const cpu_state in = V(cq_cpu_view)(c, state);
  V(cq_cpu_begin_step)(c, &in, w);
  CQ_TRY(WIDE(cq_bodies_begin)(c->bodies, step, in.bodies, w));
  CQ_TRY(V(cq_cpu_reserve_grid)(c, true));
  CQ_TRY(V(cq_cpu_reserve_sums)(c, (size_t)c->box.size[0]));
  c->nodes = in.head->has_nodes ? in.nodes : c->own_nodes;
  V(cq_cpu_end_nodes)(c, c->velocity);
  V(cq_cpu_end_nodes)(c, c->dnodes);
  for (int s = 0; s < c->n_seeds; s++) {
    c->memory = pressed_memory(&c->pressed, c->near, c->adjoints[s].pressed);
    pressed_begin_adjoint(&c->pressed, c->near);
    const cpu_pass pass = {.in = &in, .step = step, .seed = s, .build = s == 0};
    V(cq_cpu_team)(c, sweep, &pass);
    CQ_TRY(c->met);
    pressed_end_adjoint(&c->pressed, c->near, c->adjoints[s].pressed);
    CQ_TRY(V(cq_cpu_seed_done)(c, &in, step, s, (size_t)c->box.size[0], dw));
  }
  return CQ_OK;
}

void V(cq_cpu_adjoint_end)(void *work, int seed, double *gradient) {
  const cpu *c = work;
  const cpu_adjoint *a = &c->adjoints[seed];
  V(cq_cpu_to_host)(c, a->records, gradient);
  const size_t *at = c->layout->offset;
  for (int i = 0; i < c->n; i++) {
    for (int k = 0; k < CQ_QUAD; k++) {
      gradient[at[CQ_INPUT_youngs_modulus + k] + (size_t)c->id[i]] =
          a->substance[(size_t)i * CQ_QUAD + (size_t)k];
    }
  }
  V(cq_mpm_put_grid_sums)(c->layout, a->grid, gradient);
  WIDE(cq_bodies_adjoint_end)(c->bodies, seed, gradient);
  WIDE(cq_between_adjoint_end)(c->between, seed, gradient);
}

void V(cq_cpu_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms) {
  const cpu *c = work;
  *norms = (cq_adjoint_norms){{0.0}};
  for (int i = 0; i < c->n; i++) {
    particle d;
    memcpy(&d, c->adjoints[seed].records + (size_t)i * CQ_RECORD, sizeof d);
    V(cq_mpm_add_squares)(d, norms);
  }
  WIDE(cq_bodies_add_squares)(c->bodies, seed, norms);
  V(cq_mpm_take_roots)(norms);
}
