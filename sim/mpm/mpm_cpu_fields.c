/* Bodies that meet with friction, in the fast engine: each field is an engine of its own, a view of
 * the workspace that has the field's particles, which follow each other in a state, and a grid of
 * its own. So everything that is done to a grid and its particles is done by the same functions,
 * field by field; new is only what happens at nodes that fields share (mpm_between_walk.h), between
 * the sums over particles and the velocities. No grid is kept beside a state. */
#include "mpm_cpu_masses.h"

#include "mpm_cpu_step.h"
#include "mpm_inputs.h"
#include "status.h"

#include <limits.h>
#include <string.h>

static int n_fields(const cpu *c) {
  return c->own->n_fields;
}

/* --- where fields meet ----------------------------------------------------------------------- */

static inline void fields_momentum(const cpu *c, int field, size_t id, double *p) {
  FOR_AXES(a) {
    p[a] = (double)c->fields[field].nodes[id * CQ_QUAD + (size_t)a];
  }
}

/* Its velocity is there already, and changes, too. */
static inline void fields_push(cpu *c, int field, size_t id, const int *index,
                               const double *impulse) {
  cpu *v = &c->fields[field];
  scalar *at = v->nodes + id * CQ_QUAD;
  FOR_AXES(a) {
    at[a] = K((double)at[a] + impulse[a]);
  }
  V(cq_cpu_walled_node)(v, index, at, v->velocity + id * CQ_QUAD);
}

static inline void fields_due(const cpu *c, int field, size_t id, double *dmomentum) {
  FOR_AXES(a) {
    dmomentum[a] = (double)c->fields[field].dnodes[id * CQ_QUAD + (size_t)a];
  }
}

/* The fourth number of a node lacks what dL/d(momentum) makes of its final velocity (mpm_cpu_gather
 * _adjoint.c). */
static inline void fields_give(cpu *c, int field, size_t id, const double *dmomentum,
                               const double *before, double dmass) {
  cpu *v = &c->fields[field];
  scalar *due = v->dnodes + id * CQ_QUAD;
  double fourth = -dmass;
  FOR_AXES(a) {
    const double velocity = (double)v->velocity[id * CQ_QUAD + (size_t)a];
    fourth += dmomentum[a] * (before[a] - velocity);
    due[a] = K((double)due[a] + dmomentum[a]);
  }
  due[CQ_QUAD - 1] = K((double)due[CQ_QUAD - 1] + fourth);
}

#include "mpm_between_walk.h"

/* --- a step ---------------------------------------------------------------------------------- */

static int blocks_of(const cpu *v) {
  return v->box.n_blocks;
}

static int planes_of(const cpu *v) {
  return v->box.size[0];
}

static int chunks_of(const cpu *v) {
  return v->n_chunks;
}

/* pieces of work of all fields, in one row */
static int count_all(const cpu *c, int (*of)(const cpu *)) {
  int sum = 0;
  for (int f = 0; f < n_fields(c); f++) {
    sum += of(&c->fields[f]);
  }
  return sum;
}

/* the field that piece *i is of; *i takes its number there */
static int field_of(const cpu *c, int (*of)(const cpu *), int *i) {
  int f = 0;
  while (*i >= of(&c->fields[f])) {
    *i -= of(&c->fields[f++]);
  }
  return f;
}

/* Mean pressures of a field that has its box. */
static void begin_pressed(cpu *c, int field, const pressed *state) {
  cpu *v = &c->fields[field];
  v->near = pressed_near(&v->g, field, v->box.low[0], v->box.size[0]);
  pressed_begin(&c->pressed, v->near, state);
  v->memory = pressed_memory(&c->pressed, v->near, NULL);
}

/* Parts of a state, boxes and rooms for grids. */
static cq_status open_step(cpu *c, const void *state, const double *w, bool adjoint) {
  for (int i = 0; i < c->model->n_drives; i++) {
    c->w[i] = K(w[i]);
  }
  for (int f = 0; f < n_fields(c); f++) {
    cpu *v = &c->fields[f];
    c->parts[f] = V(cq_cpu_field_part)(c, f, state);
    v->start = c->parts[f].start;
    CQ_TRY(V(cq_cpu_take_box)(v, &c->parts[f].head->box));
    begin_pressed(c, f, c->parts[f].pressed);
    CQ_TRY(V(cq_cpu_reserve_grid)(v, adjoint));
    v->nodes = v->own_nodes;
    V(cq_cpu_end_nodes)(v, v->velocity);
    if (adjoint) {
      V(cq_cpu_end_nodes)(v, v->dnodes);
    }
  }
  return CQ_OK;
}

/* Masses and momenta, contacts, velocities, rigid bodies, mirrors; by the threads that call it
 * together. */
static void build_grids(cpu *c, const cpu_state *in) {
  const int blocks = count_all(c, blocks_of), planes = count_all(c, planes_of);
  for (int b; (b = V(cq_cpu_take)(c, CQ_TAKE_BLOCKS, blocks)) >= 0;) {
    const int f = field_of(c, blocks_of, &b);
    c->hot->scatter(&c->fields[f], &c->parts[f], b);
  }
#pragma omp barrier
  if (c->cables.n_anchors > 0) {
#pragma omp single
    V(cq_cpu_pull)(c, in);
  }
#pragma omp for schedule(static)
  for (int k = 0; k < planes; k++) {
    int i = k;
    const int f = field_of(c, planes_of, &i);
    c->hot->grid(&c->fields[f], i, true);
  }
#pragma omp single
  {
    c->met = fields_meet(c, in->contacts);
    if (c->met == CQ_OK) {
      V(cq_cpu_more)(c);
    }
  }
}

static void run_loops(cpu *c, const cpu_pass *p) {
  const int chunks = count_all(c, chunks_of);
  build_grids(c, p->in);
  for (int k; (k = V(cq_cpu_take)(c, CQ_TAKE_CHUNKS, chunks)) >= 0;) {
    const int f = field_of(c, chunks_of, &k);
    const cpu *v = &c->fields[f];
    c->hot->gather(v, &c->parts[f], p->out + (size_t)v->first * CQ_RECORD, k, &v->found[k]);
  }
#pragma omp barrier
}

/* A step, as that of a workspace without fields. */
cq_status V(cq_cpu_fields_step)(cpu *c, int step, void *from, void *to, const double *w,
                                bool count) {
  const cpu_state in = V(cq_cpu_view)(c, from), out = V(cq_cpu_view)(c, to);
  CQ_TRY(open_step(c, from, w, false));
  CQ_TRY(WIDE(cq_bodies_begin)(c->bodies, step, in.bodies, w));
  for (int f = 0; f < n_fields(c); f++) {
    cpu *v = &c->fields[f];
    v->streams = from != to && (size_t)c->n * CQ_RECORD * sizeof(scalar) > CQ_STREAM_ABOVE;
    V(cq_cpu_key_box)(v, &v->box);
  }
  const cpu_pass pass = {.in = &in, .out = out.records};
  V(cq_cpu_team)(c, run_loops, &pass);
  CQ_TRY(c->met);
  CQ_TRY(V(cq_cpu_check_step)(c, step, out.records, count));
  CQ_TRY(WIDE(cq_bodies_end)(c->bodies, step, in.bodies, out.bodies, &c->failure));
  WIDE(cq_between_end)(c->between, in.contacts, out.contacts);
  for (int f = 0; f < n_fields(c); f++) {
    pressed_end(&c->pressed, c->fields[f].near, out.pressed);
    const cpu_state part = V(cq_cpu_field_part)(c, f, to);
    CQ_TRY(V(cq_cpu_sort)(&c->fields[f], &part));
  }
  return CQ_OK;
}

/* --- adjoint --------------------------------------------------------------------------------- */

/* the part of an adjoint that is of a field's particles */
static cpu_adjoint part_of(const cpu *v, const cpu_adjoint *a) {
  return (cpu_adjoint){.records = a->records + (size_t)v->first * CQ_RECORD,
                       .substance = a->substance + (size_t)v->first * CQ_QUAD};
}

/* From dL/d(velocity) in the blocks to dL/d(momentum, mass) before fields met. */
static void sweep_grids(cpu *c, int step, int seed, double *sums) {
  const int planes = count_all(c, planes_of);
  if (cpu_has_more(c)) {
#pragma omp single
    V(cq_cpu_more_adjoint)(c, seed, step);
  }
#pragma omp for schedule(static)
  for (int k = 0; k < planes; k++) {
    int i = k;
    const int f = field_of(c, planes_of, &i);
    c->hot->grid_adjoint(&c->fields[f], i, false, false, sums + (size_t)k * CQ_GRID_SUMS);
  }
#pragma omp single
  {
    V(cq_cpu_more_masses)(c);
    fields_meet_adjoint(c, seed);
  }
}

/* One seed, by the threads that call it together. */
static void sweep(cpu *c, const cpu_pass *p) {
  cpu_adjoint *adjoint = &c->adjoints[p->seed];
  const int blocks = count_all(c, blocks_of), chunks = count_all(c, chunks_of);
  double *sums = c->sums + (size_t)count_all(c, planes_of) * CQ_GRID_SUMS;
  const size_t n_w = (size_t)c->model->n_drives;
  if (p->build) {
    build_grids(c, p->in);
  }
  for (int b; (b = V(cq_cpu_take)(c, CQ_TAKE_BLOCKS_BACK, blocks)) >= 0;) {
    const int f = field_of(c, blocks_of, &b);
    const cpu_adjoint part = part_of(&c->fields[f], adjoint);
    c->hot->scatter_adjoint(&c->fields[f], &c->parts[f], part.records, b);
  }
#pragma omp barrier
  sweep_grids(c, p->step, p->seed, c->sums);
  for (int k; (k = V(cq_cpu_take)(c, CQ_TAKE_CHUNKS, chunks)) >= 0;) {
    double *dw = sums + (size_t)k * n_w;
    const int f = field_of(c, chunks_of, &k);
    const cpu *v = &c->fields[f];
    cpu_adjoint part = part_of(v, adjoint);
    memset(dw, 0, n_w * sizeof *dw);
    v->bad[k] = c->hot->gather_adjoint(v, &c->parts[f], &part, k, dw);
  }
#pragma omp barrier
}

/* One step back for every seed. */
cq_status V(cq_cpu_fields_adjoint)(cpu *c, int step, const void *state, const double *w,
                                   double *dw) {
  const cpu_state in = V(cq_cpu_view)(c, state);
  CQ_TRY(open_step(c, state, w, true));
  CQ_TRY(WIDE(cq_bodies_begin)(c->bodies, step, in.bodies, w));
  const size_t planes = (size_t)count_all(c, planes_of);
  CQ_TRY(V(cq_cpu_reserve_sums)(c, planes));
  for (int s = 0; s < c->n_seeds; s++) {
    for (int f = 0; f < n_fields(c); f++) {
      cpu *v = &c->fields[f];
      v->memory = pressed_memory(&c->pressed, v->near, c->adjoints[s].pressed);
      pressed_begin_adjoint(&c->pressed, v->near);
    }
    const cpu_pass pass = {.in = &in, .step = step, .seed = s, .build = s == 0};
    V(cq_cpu_team)(c, sweep, &pass);
    CQ_TRY(c->met);
    for (int f = 0; f < n_fields(c); f++) {
      pressed_end_adjoint(&c->pressed, c->fields[f].near, c->adjoints[s].pressed);
    }
    CQ_TRY(V(cq_cpu_seed_done)(c, &in, step, s, planes, dw));
  }
  return CQ_OK;
}
