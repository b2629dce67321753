/* State 0 of the fast engine: parameters, and the order in which it keeps particles. */
#include "mpm_cpu.h"

#include "mpm_inputs.h"
#include "status.h"

#include <string.h>

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

static cq_status check_particles(cpu *c, const scalar *records) {
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

/* Keys of valid particles, in the box that holds them. */
static void find_keys(cpu *c, const scalar *records) {
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
  CQ_TRY(check_particles(c, state.records));
  find_keys(c, state.records);
  CQ_TRY(V(cq_cpu_sort)(c, &state));
  take_order(c, state.order);
  number_order(state.order, c->n);
  return CQ_OK;
}

/* by field, then by number */
static void order_by_field(cpu *c) {
  for (int f = 0; f < c->own->n_fields; f++) {
    int at = c->fields[f].first;
    for (int p = 0; p < c->n; p++) {
      if (c->own->field[p] == f) {
        c->id[at++] = p;
      }
    }
  }
}

/* Particles of a field by cell: the list becomes their order, and is then their numbers. */
static cq_status order_field(cpu *c, cpu *v, const cpu_state *part) {
  find_keys(v, part->records);
  CQ_TRY(V(cq_cpu_sort)(v, part));
  int *const before = c->key; /* what keys were for is done */
  memcpy(before, v->id, (size_t)v->n * sizeof *before);
  for (int i = 0; i < v->n; i++) {
    v->id[i] = before[part->order[i]];
    part->order[i] = i;
  }
  return CQ_OK;
}

static cq_status order_fields(cpu *c, const double *inputs, void *slab) {
  order_by_field(c);
  V(cq_cpu_fields_refresh)(c);
  const cpu_state state = V(cq_cpu_view)(c, slab);
  V(cq_cpu_to_records)(c, inputs, state.records);
  CQ_TRY(check_particles(c, state.records));
  for (int f = 0; f < c->own->n_fields; f++) {
    const cpu_state part = V(cq_cpu_field_part)(c, f, slab);
    CQ_TRY(order_field(c, &c->fields[f], &part));
  }
  for (int i = 0; i < c->n; i++) {
    c->slot[c->id[i]] = i;
  }
  return CQ_OK;
}

/* State 0: particles are sorted by cell first, and everything is laid out in that order. */
cq_status V(cq_cpu_upload)(void *work, const double *inputs, void *slab) {
  cpu *c = work;
  const cpu_state state = V(cq_cpu_view)(c, slab);
  c->failure.status = CQ_OK;
  upload_parameters(c, inputs);
  CQ_TRY(V(cq_mpm_check_parameters)(c->ctx, c->layout, inputs, &c->failure));
  CQ_TRY(c->fields != NULL ? order_fields(c, inputs, slab) : order_by_cell(c, inputs, &state));
  V(cq_cpu_to_records)(c, inputs, state.records);
  upload_substance(c, inputs);
  V(cq_cpu_fields_refresh)(c);
  WIDE(cq_between_upload)(c->between, inputs, state.contacts);
  pressed_clear_all(&c->pressed, state.pressed);
  V(cq_mpm_take_means)(c->model, &c->g, state.pressed);
  return WIDE(cq_bodies_upload)(c->bodies, inputs, state.bodies, &c->failure);
}
