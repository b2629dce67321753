/* The views of the workspace that bodies have which meet with friction (mpm_cpu_fields.c): which
 * particles each has, and what it shares. */
#include "mpm_cpu.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

static int n_fields(const cpu *c) {
  return c->own->n_fields;
}

/* How many particles each has, and so where they begin. */
static void count_particles(cpu *c) {
  for (int p = 0; p < c->n; p++) {
    c->fields[c->own->field[p]].n++;
  }
  int first = 0, chunk = 0;
  for (int f = 0; f < n_fields(c); f++) {
    cpu *v = &c->fields[f];
    v->first = first;
    v->first_chunk = chunk;
    v->n_chunks = (v->n + CQ_CHUNK - 1) / CQ_CHUNK;
    first += v->n;
    chunk += v->n_chunks;
  }
  c->n_chunks = chunk;
}

cq_status V(cq_cpu_fields_create)(cpu *c) {
  if (n_fields(c) < 2) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(c->ctx, c->fields, n_fields(c)));
  CQ_TRY(CQ_ALLOC(c->ctx, c->parts, 2 * n_fields(c)));
  count_particles(c);
  c->node_room = 0;
  for (int f = 0; f < n_fields(c); f++) {
    c->fields[f].block_room = c->block_room;
  }
  return WIDE(cq_between_create)(c->ctx, c->model, c->layout, &c->between);
}

void V(cq_cpu_fields_destroy)(cpu *c) {
  for (int f = 0; c->fields != NULL && f < n_fields(c); f++) {
    cpu *v = &c->fields[f];
    void *const owned[] = {v->blocks, v->dblocks, v->own_nodes,   v->velocity,
                           v->dnodes, v->ahead,   v->mirror_mass, v->counts};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
      cq_free(c->ctx, owned[i]);
    }
  }
  cq_free(c->ctx, c->fields);
  cq_free(c->ctx, c->parts);
  WIDE(cq_between_destroy)(c->between);
}

/* What a view shares with the workspace may have changed: all but its particles and its grid. */
void V(cq_cpu_fields_refresh)(cpu *c) {
  for (int f = 0; c->fields != NULL && f < n_fields(c); f++) {
    cpu *v = &c->fields[f];
    const cpu own = *v;
    *v = *c;
    v->fields = NULL;
    v->n = own.n;
    v->n_chunks = own.n_chunks;
    v->first = own.first;
    v->first_chunk = own.first_chunk;
    v->driver_of += own.first;
    v->substance += (size_t)own.first * CQ_QUAD;
    v->id += own.first;
    v->key += own.first;
    v->found += own.first_chunk;
    v->bad += own.first_chunk;
    v->blocks = own.blocks;
    v->dblocks = own.dblocks;
    v->own_nodes = v->nodes = own.own_nodes;
    v->velocity = own.velocity;
    v->dnodes = own.dnodes;
    v->ahead = own.ahead;
    v->mirror_mass = own.mirror_mass;
    memcpy(v->node_capacity, own.node_capacity, sizeof v->node_capacity);
    memcpy(v->block_capacity, own.block_capacity, sizeof v->block_capacity);
    v->counts = own.counts;
    v->counts_capacity = own.counts_capacity;
  }
}

cpu *V(cq_cpu_view_of)(cpu *c, int slot) {
  int f = 0;
  while (c->fields != NULL && slot >= c->fields[f].first + c->fields[f].n) {
    f++;
  }
  return c->fields != NULL ? &c->fields[f] : c;
}
