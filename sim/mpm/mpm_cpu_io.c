/* The memory of a state, and movement between host doubles and its records. */
#include "mpm_cpu.h"

#include "mpm_inputs.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/* --- states ---------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

static size_t records_bytes(const cpu *c) {
  return aligned((size_t)c->n * CQ_RECORD * sizeof(scalar));
}

static size_t lists_bytes(const cpu *c) {
  return aligned(sizeof(cpu_head)) + aligned((c->block_room + 1) * sizeof(int)) +
         aligned((size_t)c->n * sizeof(int));
}

static size_t nodes_bytes(const cpu *c) {
  return aligned(c->node_room * CQ_QUAD * sizeof(scalar));
}

/* the lists of the first n fields, or of all particles where there are none */
static size_t parts_bytes(const cpu *c, int n) {
  size_t sum = 0;
  for (int f = 0; f < n; f++) {
    sum += lists_bytes(&c->fields[f]);
  }
  return c->fields != NULL ? sum : lists_bytes(c) + nodes_bytes(c);
}

static size_t bodies_bytes(const cpu *c) {
  return aligned(WIDE(cq_bodies_numbers)(c->bodies) * sizeof(double));
}

static size_t contacts_bytes(const cpu *c) {
  return aligned(WIDE(cq_between_numbers)(c->between) * sizeof(double));
}

size_t V(cq_cpu_state_bytes)(const void *work) {
  const cpu *c = work;
  return records_bytes(c) + parts_bytes(c, c->own->n_fields) + bodies_bytes(c) + contacts_bytes(c) +
         aligned(pressed_bytes(&c->pressed));
}

static void view_lists(const cpu *c, char *at, cpu_state *s) {
  s->head = (cpu_head *)at;
  at += aligned(sizeof(cpu_head));
  s->start = (int *)at;
  at += aligned((c->block_room + 1) * sizeof(int));
  s->order = (int *)at;
  at += aligned((size_t)c->n * sizeof(int));
  s->nodes = (scalar *)at;
}

/* Parts of one piece of memory, each from a cache line on; cq_cpu_state_bytes adds up the same. */
cpu_state V(cq_cpu_view)(const cpu *c, const void *slab) {
  cpu_state s;
  char *at = (char *)(uintptr_t)slab;
  s.records = (scalar *)at;
  at += records_bytes(c);
  view_lists(c, at, &s);
  at += parts_bytes(c, c->own->n_fields);
  s.bodies = (double *)at;
  at += bodies_bytes(c);
  s.contacts = (double *)at;
  s.pressed = (pressed *)(at + contacts_bytes(c));
  return s;
}

cpu_state V(cq_cpu_field_part)(const cpu *c, int field, const void *slab) {
  cpu_state s = V(cq_cpu_view)(c, slab);
  const cpu *v = &c->fields[field];
  view_lists(v, (char *)(uintptr_t)slab + records_bytes(c) + parts_bytes(c, field), &s);
  s.records += (size_t)v->first * CQ_RECORD;
  return s;
}

/* --- host ------------------------------------------------------------------------------------ */

/* Host arrays have all x, then all v, F, C, by the number of a particle; a record has one of each.
 */
void V(cq_cpu_to_records)(const cpu *c, const double *in, scalar *records) {
  const int counts[] = {CQ_DIM, CQ_DIM, CQ_DIM * CQ_DIM, CQ_DIM * CQ_DIM};
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    const double *from = in + c->layout->offset[f];
    for (int i = 0; i < c->n; i++) {
      for (int k = 0; k < counts[f]; k++) {
        records[(size_t)i * CQ_RECORD + (size_t)(first + k)] =
            K(from[(size_t)c->id[i] * (size_t)counts[f] + (size_t)k]);
      }
    }
  }
}

void V(cq_cpu_to_host)(const cpu *c, const scalar *records, double *out) {
  const int counts[] = {CQ_DIM, CQ_DIM, CQ_DIM * CQ_DIM, CQ_DIM * CQ_DIM};
  for (int f = 0, first = 0; f < 4; first += counts[f], f++) {
    double *to = out + c->layout->offset[f];
    for (int i = 0; i < c->n; i++) {
      for (int k = 0; k < counts[f]; k++) {
        to[(size_t)c->id[i] * (size_t)counts[f] + (size_t)k] =
            (double)records[(size_t)i * CQ_RECORD + (size_t)(first + k)];
      }
    }
  }
}

void V(cq_cpu_download)(const void *work, const void *state, double *out) {
  const cpu *c = work;
  const cpu_state s = V(cq_cpu_view)(c, state);
  V(cq_cpu_to_host)(c, s.records, out);
  WIDE(cq_bodies_download)(c->bodies, s.bodies, out);
}

void V(cq_cpu_walls)(const void *work, const void *state, double *maps) {
  const cpu *c = work;
  WIDE(cq_bodies_maps)(c->bodies, V(cq_cpu_view)(c, state).bodies, maps);
}

void V(cq_cpu_means)(const void *work, const void *state, const double *host, cq_means *out) {
  const cpu *c = work;
  const cpu_state s = V(cq_cpu_view)(c, state);
  V(cq_mpm_put_means)(c->model, &c->g, s.pressed, host + c->layout->offset[CQ_INPUT_x], out);
  WIDE(cq_between_put_means)(c->between, s.contacts, out);
}
