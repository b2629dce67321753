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

size_t V(cq_cpu_state_bytes)(const void *work) {
  const cpu *c = work;
  return records_bytes(c) + parts_bytes(c, c->own->n_fields) + bodies_bytes(c) +
         aligned(WIDE(cq_between_numbers)(c->between) * sizeof(double));
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
  s.contacts = (double *)(at + bodies_bytes(c));
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

static void upload_parameters(cpu *c, const double *inputs) {
  const size_t *at = c->layout->offset;
  FOR_AXES(a) {
    c->gravity[a] = K(inputs[at[CQ_INPUT_gravity] + (size_t)a]);
  }
  c->damping = K(inputs[at[CQ_INPUT_damping]]);
  for (int i = 0; i < c->g.n_walls; i++) {
    c->friction[i] = K(inputs[at[CQ_INPUT_friction] + (size_t)i]);
  }
  grid_inputs in;
  in.damping = c->damping;
  c->decay = grid_decay(&c->g, &in);
}

/* --- the order of the particles -------------------------------------------------------------- */

static void take_order(cpu *c, const int *order) {
  for (int i = 0; i < c->n; i++) {
    c->id[i] = order[i];
    c->slot[order[i]] = i;
  }
}

static void number_order(int *order, int n) {
  for (int i = 0; i < n; i++) {
    order[i] = i;
  }
}

/* what belongs to particles and is read in the order of the state */
static void upload_substance(cpu *c, const double *inputs) {
  const size_t *at = c->layout->offset;
  for (int i = 0; i < c->n; i++) {
    const int p = c->id[i];
    c->driver_of[i] = V(cq_cpu_driver)(c, p);
    for (int k = 0; k < CQ_QUAD; k++) {
      c->substance[(size_t)i * CQ_QUAD + (size_t)k] =
          K(inputs[at[CQ_INPUT_youngs_modulus + k] + (size_t)p]);
    }
  }
}

cq_status V(cq_cpu_check_particles)(cpu *c, const scalar *records) {
  for (int i = 0; i < c->n; i++) {
    const int p = c->id[i];
    particle q;
    double value = 0.0;
    memcpy(&q, records + (size_t)i * CQ_RECORD, sizeof q);
    if (V(cq_mpm_check)(c->model, &c->t, c->own->material[p], q, &value) != CQ_OK) {
      return V(cq_mpm_fail)(c->ctx, c->model, &c->t, 0, p, q, &c->failure);
    }
  }
  return CQ_OK;
}

void V(cq_cpu_find_keys)(cpu *c, const scalar *records) {
  cpu_found *f = c->found;
  for (int k = 0; k < c->n_chunks; k++) {
    FOR_AXES(a) {
      f[k].low[a] = c->g.count[a];
      f[k].high[a] = 0;
    }
  }
  for (int i = 0; i < c->n; i++) {
    FOR_AXES(a) {
      const int base = spline_base(records[(size_t)i * CQ_RECORD + (size_t)a], c->t.inv_dx);
      f->low[a] = base < f->low[a] ? base : f->low[a];
      f->high[a] = base > f->high[a] ? base : f->high[a];
    }
  }
  cpu_box box = {.n_blocks = 0};
  FOR_AXES(a) {
    f->low[a] = f->low[a] <= f->high[a] ? f->low[a] : f->high[a]; /* there are no particles */
    box.low[a] = f->low[a];
    box.size[a] = f->high[a] - f->low[a] + 3;
  }
  V(cq_cpu_key_box)(c, &box);
  for (int i = 0; i < c->n; i++) {
    int key = 0;
    FOR_AXES(a) {
      const int base = spline_base(records[(size_t)i * CQ_RECORD + (size_t)a], c->t.inv_dx);
      key = key * c->key_size[a] + base - c->key_low[a];
    }
    c->key[i] = key;
  }
}

/* Particles by cell: the order of a state. */
static cq_status order_by_cell(cpu *c, const double *inputs, const cpu_state *at) {
  const cpu_state state = *at;
  number_order(state.order, c->n);
  take_order(c, state.order);
  V(cq_cpu_to_records)(c, inputs, state.records);
  CQ_TRY(V(cq_cpu_check_particles)(c, state.records));
  V(cq_cpu_find_keys)(c, state.records);
  CQ_TRY(V(cq_cpu_sort)(c, &state));
  take_order(c, state.order);
  number_order(state.order, c->n);
  return CQ_OK;
}

/* State 0: particles are sorted by cell first, and everything is laid out in that order. */
cq_status V(cq_cpu_upload)(void *work, const double *inputs, void *slab) {
  cpu *c = work;
  const cpu_state state = V(cq_cpu_view)(c, slab);
  c->failure.status = CQ_OK;
  upload_parameters(c, inputs);
  CQ_TRY(V(cq_mpm_check_parameters)(c->ctx, c->layout, inputs, &c->failure));
  CQ_TRY(c->fields != NULL ? V(cq_cpu_fields_order)(c, inputs, slab)
                           : order_by_cell(c, inputs, &state));
  V(cq_cpu_to_records)(c, inputs, state.records);
  upload_substance(c, inputs);
  V(cq_cpu_fields_refresh)(c);
  WIDE(cq_between_upload)(c->between, inputs, state.contacts);
  return WIDE(cq_bodies_upload)(c->bodies, inputs, state.bodies, &c->failure);
}
