/* The particles of a step in the order of their cells, the samples near them, and who is near whom.
 */
#include "fluid_bodies.h"
#include "flush_mode.h"
#include "status.h"

/* The box around the fluid, a cell wider on each side, within the room and a little more: what has
 * gone astray does not count. */
static cells box_of(const fluid *c, const fluid_state *in) {
  scalar low[CQ_DIM], high[CQ_DIM];
  const scalar edge = c->kernel.h * K(1.0001), h = c->kernel.h;
  FOR_AXES(a) {
    const scalar least = K(c->model->room.low[a]) - K(8) * h;
    const scalar most = K(c->model->room.high[a]) + K(8) * h;
    low[a] = most;
    high[a] = least;
    for (int i = 0; i < c->n_all; i++) {
      const scalar x = in->x[i * CQ_DIM + a];
      low[a] = x < low[a] && x >= least ? x : low[a];
      high[a] = x > high[a] && x <= most ? x : high[a];
    }
    if (!(low[a] <= high[a])) {
      low[a] = high[a] = least;
    }
    low[a] -= edge;
    high[a] += edge;
  }
  return cells_fit(low, high, edge, 16 * c->n_all + 4096);
}

/* Copies what a step reads of its particles, in the order of cells. */
static void take_particles(fluid *c, const fluid_state *in) {
  FOR_AXES(a) {
    c->origin[a] = c->cells.low[a] + K(0.5) * (scalar)c->cells.count[a] / c->cells.inverse;
  }
  for (int i = 0; i < c->n; i++) {
    const int from = c->order[i];
    scalar about = K(0);
    FOR_AXES(a) {
      const scalar x = in->x[from * CQ_DIM + a];
      c->x[i * CQ_AXES + a] = x;
      c->column[a][i] = x;
      c->place[i * CQ_AXES + a] = x - c->origin[a];
      c->v[i * CQ_AXES + a] = in->v[from * CQ_DIM + a];
      about += (x - c->origin[a]) * in->v[from * CQ_DIM + a];
    }
    c->place[i * CQ_AXES + CQ_AXES - 1] = K(-1);
    c->v[i * CQ_AXES + CQ_AXES - 1] = about;
    c->volume[i] = c->volume0[from];
    c->light[i] = fluid_glides(c, from, *in->time) ? K(0) : K(1) / c->density0[from];
    c->viscosity[i] = c->viscosity0[from];
    c->before[i] = in->pressure[from];
  }
  for (int i = c->n; i < c->n + CQ_FLUID_GROUP; i++) { /* a group may go on with what is none */
    c->light[i] = K(0);
  }
}

/* Places the samples of bodies and sorts all that are near the fluid. */
static void take_samples(fluid *c) {
  V(cq_fluid_place_samples)(c);
  const int n = cells_sort(&c->cells, c->n_samples, c->sample_x, CQ_DIM, true, c->sample_key,
                           c->sample_start, c->sample_order);
  for (int i = 0; i < n; i++) {
    const int from = c->sample_order[i];
    FOR_AXES(a) {
      c->sorted_column[a][i] = c->sample_x[from * CQ_DIM + a];
    }
    c->sorted_volume[i] = c->sample_volume0[from];
    c->sorted_body[i] = c->sample_body[from];
    c->sorted_sticky[i] = c->own->sticky != NULL && c->own->sticky[from] != 0;
  }
}

cq_status V(cq_fluid_sort)(fluid *c, const fluid_state *in) {
  c->cells = box_of(c, in);
  cq_status status = V(cq_fluid_reserve_cells)(c, (size_t)c->cells.total);
  if (status == CQ_OK) {
    cells_keys(&c->cells, c->n_all, in->x, CQ_DIM, false, c->key);
    for (int i = 0; i < c->n_all && c->wakes != NULL; i++) {
      c->key[i] = fluid_sleeps(c, i, *in->time) ? -1 : c->key[i];
    }
    c->n = cells_sort_keys(&c->cells, c->n_all, c->key, c->start, c->order);
    c->n_chunks = (int)fluid_chunks(c->n);
    take_particles(c, in);
    take_samples(c);
  }
  return status;
}

static void find_lists(fluid *c) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(c->threads) if (c->threads > 1)
  for (int k = 0; k < c->n_chunks; k++) {
    const unsigned mode = flush_begin();
    c->hot->lists(c, k);
    flush_end(mode);
  }
}

cq_status V(cq_fluid_make_lists)(fluid *c) {
  const size_t each = CQ_DIM == 2 ? 20 : 48, more = 16 * CQ_PAD;
  if (c->near_room == 0) { /* a workspace whose steps are made on a device has none */
    CQ_TRY(V(cq_fluid_reserve_lists)(c, CQ_FLUID_CHUNK * each + more, CQ_FLUID_CHUNK * 4 + more,
                                     CQ_FLUID_CHUNK));
  }
  for (;;) {
    bool full = false;
    find_lists(c);
    for (int k = 0; k < c->n_chunks; k++) {
      full = full || c->found[k].full;
    }
    if (!full) {
      return CQ_OK;
    }
    CQ_TRY(V(cq_fluid_reserve_lists)(c, c->near_room + c->near_room / 2,
                                     c->sample_near_room + c->sample_near_room / 2,
                                     c->touch_room + c->touch_room / 2));
  }
}
