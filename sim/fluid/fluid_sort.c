/* The particles of a step in the order of their cells, the samples near them, and who is near whom.
 */
#include "fluid_bodies.h"
#include "fluid_team.h"
#include "status.h"

static int part_begin(const fluid *c, int part) {
  return (int)((long long)c->n_all * part / c->threads);
}

/* What has gone astray does not count: farther out of the room than this. */
static void widest(const fluid *c, int axis, scalar *least, scalar *most) {
  *least = K(c->model->room.low[axis]) - K(8) * c->kernel.h;
  *most = K(c->model->room.high[axis]) + K(8) * c->kernel.h;
}

/* The bounds of a part of the fluid. */
static void find_bounds(fluid_thread *me, int part) {
  fluid *c = me->c;
  if (part == c->threads) { /* the samples */
    return;
  }
  FOR_AXES(a) {
    scalar least, most;
    widest(c, a, &least, &most);
    scalar low = most, high = least;
    for (int i = part_begin(c, part); i < part_begin(c, part + 1); i++) {
      const scalar x = me->in->x[i * CQ_DIM + a];
      low = x < low && x >= least ? x : low;
      high = x > high && x <= most ? x : high;
    }
    c->team.low[part][a] = low;
    c->team.high[part][a] = high;
  }
}

/* The box around the fluid, a cell wider on each side, within the room and a little more. */
static cq_status fit_box(fluid *c, const fluid_thread *me) {
  scalar low[CQ_DIM], high[CQ_DIM];
  const scalar edge = c->kernel.h * K(1.0001);
  (void)me;
  FOR_AXES(a) {
    scalar least, most;
    widest(c, a, &least, &most);
    low[a] = most;
    high[a] = least;
    for (int p = 0; p < c->threads; p++) {
      const scalar from = c->team.low[p][a], to = c->team.high[p][a];
      low[a] = from < low[a] ? from : low[a];
      high[a] = to > high[a] ? to : high[a];
    }
    if (!(low[a] <= high[a])) {
      low[a] = high[a] = least;
    }
    low[a] -= edge;
    high[a] += edge;
  }
  c->cells = cells_fit(low, high, edge, 16 * c->n_all + 4096);
  FOR_AXES(a) {
    c->origin[a] = c->cells.low[a] + K(0.5) * (scalar)c->cells.count[a] / c->cells.inverse;
  }
  return V(cq_fluid_reserve_cells)(c, (size_t)c->cells.total);
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

static int *counts_of(const fluid *c, int part) {
  return c->cell_count + (size_t)part * (size_t)c->cells.total;
}

static void find_cells(fluid_thread *me, int part) {
  fluid *c = me->c;
  if (part == c->threads) {
    take_samples(c);
    return;
  }
  const int first = part_begin(c, part), last = part_begin(c, part + 1);
  cells_keys(&c->cells, first, last, me->in->x, CQ_DIM, false, c->key);
  for (int i = first; i < last && c->wakes != NULL; i++) {
    c->key[i] = fluid_sleeps(c, i, *me->in->time) ? -1 : c->key[i];
  }
  cells_count(&c->cells, first, last, c->key, counts_of(c, part));
}

static cq_status fit_chunks(fluid *c, const fluid_thread *me) {
  (void)me;
  c->n = cells_begin(&c->cells, c->threads, c->cell_count, c->start);
  c->n_chunks = (int)fluid_chunks(c->n);
  for (int i = c->n; i < c->n + CQ_FLUID_GROUP; i++) { /* a group may go on with what is none */
    c->light[i] = K(0);
  }
  cq_passes_begin(&c->team.listing, c->n_chunks, NULL);
  c->team.lists = 1;
  return CQ_OK;
}

static void put_in_order(fluid_thread *me, int part) {
  fluid *c = me->c;
  if (part < c->threads) {
    cells_put(part_begin(c, part), part_begin(c, part + 1), c->key, counts_of(c, part), c->order);
  }
}

/* Copies what a step reads of a chunk's particles, in the order of cells. */
static void take_chunk(fluid_thread *me, int chunk) {
  fluid *c = me->c;
  const fluid_state *in = me->in;
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
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
}

/* The box, the cells of all particles and how many are in each, the order, the copies. */
bool V(cq_fluid_sort_together)(fluid_thread *me) {
  fluid *c = me->c;
  const cq_passes *sorting = &c->team.sorting;
  V(cq_fluid_pass)(me, sorting, false, find_bounds);
  if (!V(cq_fluid_take_turn)(me, sorting, 1, fit_box)) {
    return false;
  }
  V(cq_fluid_pass)(me, sorting, false, find_cells);
  if (!V(cq_fluid_take_turn)(me, sorting, 2, fit_chunks)) {
    return false;
  }
  V(cq_fluid_pass)(me, sorting, false, put_in_order);
  cq_passes_await(sorting, 3);
  me->worker = (cq_worker){.share = me->worker.share};
  V(cq_fluid_pass)(me, &c->team.listing, false, take_chunk);
  cq_passes_await(&c->team.listing, 1);
  return true;
}

static void list_chunk(fluid_thread *me, int chunk) {
  me->c->hot->lists(me->c, chunk);
}

/* Once more, in more room, where some lists are full. */
static cq_status check_lists(fluid *c, const fluid_thread *me) {
  bool full = false;
  (void)me;
  for (int k = 0; k < c->n_chunks; k++) {
    full = full || c->found[k].full;
  }
  if (!full) {
    return CQ_OK;
  }
  CQ_TRY(V(cq_fluid_reserve_lists)(c, c->near_room + c->near_room / 2,
                                   c->sample_near_room + c->sample_near_room / 2,
                                   c->touch_room + c->touch_room / 2));
  __atomic_fetch_add(&c->team.lists, 1, __ATOMIC_RELAXED);
  return CQ_OK;
}

bool V(cq_fluid_list_together)(fluid_thread *me) {
  fluid_team *team = &me->c->team;
  bool fine = true;
  for (int k = 0; k < __atomic_load_n(&team->lists, __ATOMIC_RELAXED) && fine; k++) {
    V(cq_fluid_pass)(me, &team->listing, false, list_chunk);
    fine = V(cq_fluid_take_turn)(me, &team->listing, me->worker.pass, check_lists);
  }
  return fine;
}

/* Rooms for lists that no step has made yet: a workspace whose steps are made on a device has none.
 */
cq_status V(cq_fluid_begin_sort)(fluid *c) {
  const size_t each = CQ_DIM == 2 ? 20 : 48, more = 16 * CQ_PAD;
  cq_passes_begin(&c->team.sorting, c->threads + 1, NULL);
  return c->near_room > 0 ? CQ_OK
                          : V(cq_fluid_reserve_lists)(c, CQ_FLUID_CHUNK * each + more,
                                                      CQ_FLUID_CHUNK * 4 + more, CQ_FLUID_CHUNK);
}

static void find_near(fluid_thread *me) {
  if (V(cq_fluid_sort_together)(me)) {
    V(cq_fluid_list_together)(me);
  }
}

cq_status V(cq_fluid_find_near)(fluid *c, const fluid_state *in) {
  const fluid_thread as = {.c = c, .in = in};
  CQ_TRY(V(cq_fluid_begin_sort)(c));
  return V(cq_fluid_together)(c, &as, find_near);
}
