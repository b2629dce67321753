/* The list of neighbours: every pair that can touch before the next list. Grains are sorted by
 * cell, the slowest axis the longest, and cut there into units of whole planes of cells, so that a
 * pair is within a unit or between two that follow each other. Pairs are then sorted by these
 * groups and by colour: those of a colour share no grain.
 *
 * Each grain has a slack of its own, how far it may go from where it was listed before the list
 * ends, so that a few fast ones do not end it for all. What all have gone together does not count.
 */
#include "grains.h"

#include "alloc.h"
#include "granular_inputs.h"
#include "point/neighbours.h"
#include "status.h"

#include <string.h>

static const scalar *place_of(const state *s, int i) {
  return s->place + (size_t)i * GRAIN_PLACE;
}

/* --- slack ------------------------------------------------------------------------------------ */

static void mean_velocity(const grains *g, const state *s, double *mean) {
  FOR_EACH_AXIS(a) {
    mean[a] = 0.0;
    for (int i = 0; i < g->n; i++) {
      mean[a] += (double)s->rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a];
    }
    mean[a] /= g->n;
  }
}

/* Where each grain is listed, and its slack; `scale` 0: none, for a step alone. */
static void choose_slack(const grains *g, const state *s, double scale) {
  const double r = (double)g->smallest;
  double mean[CQ_DIM];
  int fast = 0;
  mean_velocity(g, s, mean);
  for (int i = 0; i < g->n; i++) {
    double square = 0.0;
    FOR_EACH_AXIS(a) {
      const double v = (double)s->rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] - mean[a];
      square += v * v;
    }
    const double wanted = list_slack(square, r, g->model->dt);
    fast += wanted > LIST_WIDE_SLACK * r;
    memcpy(s->listed + (size_t)i * GRAIN_PLACE, place_of(s, i), CQ_DIM * sizeof *s->listed);
    s->listed[(size_t)i * GRAIN_PLACE + 3] = K(scale * wanted);
  }
  const scalar most = list_most_slack(fast, g->n, scale, r);
  for (int i = 0; i < g->n; i++) {
    scalar *slack = s->listed + (size_t)i * GRAIN_PLACE + 3;
    *slack = *slack < most ? *slack : most;
  }
}

/* Whether every grain is within its slack of where it was listed. */
static bool list_holds(const grains *g, const state *s) {
  double mean[CQ_DIM];
  FOR_EACH_AXIS(a) {
    mean[a] = 0.0;
    for (int i = 0; i < g->n; i++) {
      const size_t k = (size_t)i * GRAIN_PLACE + (size_t)a;
      mean[a] += (double)(s->place[k] - s->listed[k]);
    }
    mean[a] /= g->n;
  }
  for (int i = 0; i < g->n; i++) {
    scalar square = K(0);
    FOR_EACH_AXIS(a) {
      const size_t k = (size_t)i * GRAIN_PLACE + (size_t)a;
      const scalar d = s->place[k] - s->listed[k] - K(mean[a]);
      square += d * d;
    }
    const scalar slack = s->listed[(size_t)i * GRAIN_PLACE + 3];
    if (!(square <= slack * slack)) {
      return false;
    }
  }
  return true;
}

/* --- cells ------------------------------------------------------------------------------------ */

static cells choose_cells(const grains *g, const state *s) {
  extent e = {.reach = 0.0, .narrow = 0.0};
  FOR_EACH_AXIS(a) {
    e.low[a] = INFINITY;
    e.high[a] = -INFINITY;
  }
  for (int i = 0; i < g->n; i++) {
    const scalar *listed = s->listed + (size_t)i * GRAIN_PLACE;
    const double reach = list_reach(place_of(s, i), listed);
    e.reach = fmax(e.reach, reach);
    if (!list_wide(g->smallest, listed[3])) {
      e.narrow = fmax(e.narrow, reach);
    }
    FOR_EACH_AXIS(a) {
      e.low[a] = fmin(e.low[a], (double)place_of(s, i)[a]);
      e.high[a] = fmax(e.high[a], (double)place_of(s, i)[a]);
    }
  }
  return cells_choose(&e, g->n, g->cyclic, g->cyclic < 0 ? 0.0 : (double)g->low[g->cyclic],
                      (double)g->period);
}

/* Chains of the sorted grains, the first of each the lowest. */
static void fill_chains(const grains *g, const state *s, const cells *c) {
  for (int k = 0; k < 2 * g->n; k++) {
    g->head[k] = -1;
  }
  for (int i = g->n - 1; i >= 0; i--) {
    g->key[i] = cells_of(c, place_of(s, i));
    const int chain = cells_chain(c, g->n, g->key[i]);
    g->next[i] = g->head[chain];
    g->head[chain] = i;
  }
}

/* Rows of `width` scalars into the order of the list. */
static void reorder(const grains *g, scalar *rows, size_t width) {
  for (int i = 0; i < g->n; i++) {
    memcpy(g->scratch + (size_t)i * width, rows + (size_t)g->order[i] * width,
           width * sizeof *rows);
  }
  memcpy(rows, g->scratch, (size_t)g->n * width * sizeof *rows);
}

/* Numbers of grains; the cells of these are used up. */
static void reorder_numbers(const grains *g, int *numbers) {
  for (int i = 0; i < g->n; i++) {
    g->cell[i] = numbers[g->order[i]];
  }
  memcpy(numbers, g->cell, (size_t)g->n * sizeof *numbers);
}

/* Stable counting sort of the grains by cell: order[new] is the old place, from[old] the new one.
 */
static cq_status sort_grains(grains *g, const state *s, const cells *c) {
  const int n_cells = cells_total(c);
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&g->start, &g->start_room, (size_t)n_cells + 2,
                              sizeof *g->start));
  int *start = g->start;
  memset(start, 0, ((size_t)n_cells + 2) * sizeof *start);
  for (int i = 0; i < g->n; i++) {
    g->cell[i] = cells_of(c, place_of(s, i));
    start[g->cell[i] + 2]++;
  }
  for (int k = 1; k < n_cells + 2; k++) {
    start[k] += start[k - 1];
  }
  for (int i = 0; i < g->n; i++) {
    const int to = start[g->cell[i] + 1]++;
    g->order[to] = i;
    g->from[i] = to;
  }
  reorder(g, s->place, GRAIN_PLACE);
  reorder(g, s->listed, GRAIN_PLACE);
  reorder(g, s->rows, GRAIN_ROW);
  memset(s->rows + (size_t)g->n * GRAIN_ROW, 0, (size_t)g->n_dummies * GRAIN_ROW * sizeof *s->rows);
  reorder_numbers(g, s->id);
  reorder_numbers(g, s->laps);
  return CQ_OK;
}

/* Cuts between whole planes of cells, as even as these are: a unit for GRAIN_UNIT grains, and a
 * number of them that two or four threads can share, whatever runs. */
static void cut_units(const grains *g, const state *s, const cells *c) {
  const int plane = cells_total(c) / c->count[0], most = g->n / GRAIN_UNIT;
  const int wanted = most >= 4 ? most - most % 4 : most >= 2 ? 2 : 1;
  int n = 0;
  s->unit[0] = 0;
  for (int k = 1; k < c->count[0] && n + 1 < wanted; k++) {
    const int end = g->start[k * plane], next = g->start[(k + 1) * plane];
    const int at = (int)((long long)g->n * (n + 1) / wanted);
    const bool large = end - s->unit[n] >= GRAIN_UNIT / 2 && g->n - end >= GRAIN_UNIT / 2;
    if (large && end - at > at - next) {
      s->unit[++n] = end;
    }
  }
  s->unit[++n] = g->n;
  s->head->n_units = n;
}

/* --- pairs ------------------------------------------------------------------------------------ */

static size_t find_pairs(const grains *g, const state *s, const cells *c) {
  search f = {.c = *c,
              .place = s->place,
              .listed = s->listed,
              .start = g->start,
              .key = g->key,
              .head = g->head,
              .next = g->next,
              .n_grains = g->n,
              .cyclic = g->cyclic,
              .smallest = g->smallest,
              .period = g->period,
              .a = g->pa,
              .b = g->pb,
              .room = g->pair_room};
  for (int i = 0; i < g->n; i++) {
    search_grain(&f, i);
  }
  return f.n;
}

/* --- groups and colours ----------------------------------------------------------------------- */

/* The colour of pair k: the first that neither of its grains has in this group. Past GRAIN_COLOURS
 * they are counted. */
static int take_colour(grains *g, int a, int b) {
  const uint64_t taken = g->mask[a] | g->mask[b];
  if (~taken != 0) {
    const int colour = __builtin_ctzll(~taken);
    g->mask[a] |= (uint64_t)1 << colour;
    g->mask[b] |= (uint64_t)1 << colour;
    return colour;
  }
  const int next = g->next_colour[a] > g->next_colour[b] ? g->next_colour[a] : g->next_colour[b];
  g->next_colour[a] = g->next_colour[b] = next + 1;
  return GRAIN_COLOURS + next;
}

static cq_status room_for_colours(grains *g, size_t needed) {
  if (needed <= g->colour_room) {
    return CQ_OK;
  }
  int *more = NULL;
  CQ_TRY(CQ_ALLOC(g->ctx, more, 2 * needed));
  if (g->colour_end != NULL) {
    memcpy(more, g->colour_end, g->colour_room * sizeof *more);
  }
  cq_free(g->ctx, g->colour_end);
  g->colour_end = more;
  g->colour_room = 2 * needed;
  return CQ_OK;
}

/* Sorts the pairs of a group by colour, by way of pa and pb. */
static cq_status colour_group(grains *g, const state *s, group *of, size_t colours_before) {
  int most = 0;
  for (int k = of->first; k < of->last; k++) {
    g->mask[s->a[k]] = g->mask[s->b[k]] = 0;
    g->next_colour[s->a[k]] = g->next_colour[s->b[k]] = 0;
  }
  for (int k = of->first; k < of->last; k++) {
    g->pair_key[k] = take_colour(g, s->a[k], s->b[k]);
    most = g->pair_key[k] >= most ? g->pair_key[k] + 1 : most;
  }
  CQ_TRY(room_for_colours(g, colours_before + (size_t)most + 1));
  int *end = g->colour_end + colours_before;
  memset(end, 0, ((size_t)most + 1) * sizeof *end);
  for (int k = of->first; k < of->last; k++) {
    end[g->pair_key[k] + 1]++;
  }
  end[0] = of->first;
  for (int k = 0; k < most; k++) {
    end[k + 1] += end[k];
  }
  for (int k = of->first; k < of->last; k++) {
    const int to = end[g->pair_key[k]]++;
    g->pa[to] = s->a[k];
    g->pb[to] = s->b[k];
  }
  const size_t bytes = (size_t)(of->last - of->first) * sizeof *s->a;
  memcpy(s->a + of->first, g->pa + of->first, bytes);
  memcpy(s->b + of->first, g->pb + of->first, bytes);
  of->colour = (int)colours_before;
  of->n_colours = most;
  return CQ_OK;
}

static int group_of(const int *unit_of, int n_units, int a, int b) {
  const int u = unit_of[a], w = unit_of[b];
  const int low = u < w ? u : w, high = u < w ? w : u;
  return low == high ? low : high == low + 1 ? n_units + low : 2 * n_units - 1;
}

/* Pairs that are sorted already stay as they are: colours of a group come out the same in the order
 * of the colours. */
cq_status V(cq_grains_make_groups)(grains *g, const state *s, int n) {
  const int n_units = s->head->n_units;
  int *unit_of = g->cell;
  g->n_groups = 2 * n_units;
  for (int u = 0; u < n_units; u++) {
    for (int i = s->unit[u]; i < s->unit[u + 1]; i++) {
      unit_of[i] = u;
    }
  }
  for (int k = 0; k < g->n_groups; k++) {
    g->groups[k].last = 0;
  }
  for (int k = 0; k < n; k++) {
    g->groups[group_of(unit_of, n_units, g->pa[k], g->pb[k])].last++;
  }
  int first = 0;
  for (int k = 0; k < g->n_groups; k++) {
    const int count = g->groups[k].last;
    g->groups[k].first = g->groups[k].last = first;
    first += count;
  }
  for (int k = 0; k < n; k++) {
    group *of = &g->groups[group_of(unit_of, n_units, g->pa[k], g->pb[k])];
    s->a[of->last] = g->pa[k];
    s->b[of->last++] = g->pb[k];
  }
  size_t colours = 0;
  for (int k = 0; k < g->n_groups; k++) {
    CQ_TRY(colour_group(g, s, &g->groups[k], colours));
    colours += (size_t)g->groups[k].n_colours + 1;
  }
  return CQ_OK;
}

/* --- impulses of the list before -------------------------------------------------------------- */

/* Impulses that are not zero go to the front, with their grains in pair_from and pair_key; returns
 * their number. */
static int save_impulses(const grains *g, const state *s) {
  int n = 0;
  for (int k = 0; k < s->head->n_pairs; k++) {
    const scalar *from = s->impulse + (size_t)k * GRAIN_IMPULSE;
    if (from[0] != K(0)) {
      memmove(s->impulse + (size_t)n * GRAIN_IMPULSE, from, GRAIN_IMPULSE * sizeof *from);
      g->pair_from[n] = s->a[k];
      g->pair_key[n++] = s->b[k];
    }
  }
  return n;
}

/* Their grains have been sorted: new names, the lower one first, on which the impulse acts. */
static void rename_saved(const grains *g, const state *s, int n) {
  for (int k = 0; k < n; k++) {
    const int a = g->from[g->pair_from[k]], b = g->from[g->pair_key[k]];
    scalar *p = s->impulse + (size_t)k * GRAIN_IMPULSE;
    for (int i = 1; i < GRAIN_IMPULSE && a > b; i++) {
      p[i] = -p[i];
    }
    g->pair_from[k] = a < b ? a : b;
    g->pair_key[k] = a < b ? b : a;
  }
}

/* Sorts the n saved impulses by their lower grain into `saved`, with the other grain. */
static cq_status sort_saved(grains *g, const state *s, int n) {
  int *start = g->order; /* free again */
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&g->saved, &g->saved_room, (size_t)n * GRAIN_IMPULSE,
                              sizeof *g->saved));
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&g->saved_other, &g->other_room, (size_t)n,
                              sizeof *g->saved_other));
  memset(start, 0, ((size_t)g->n + 1) * sizeof *start);
  for (int k = 0; k < n; k++) {
    start[g->pair_from[k] + 1]++;
  }
  for (int i = 0; i < g->n; i++) {
    start[i + 1] += start[i];
  }
  for (int k = 0; k < n; k++) {
    const int to = start[g->pair_from[k]]++;
    memcpy(g->saved + (size_t)to * GRAIN_IMPULSE, s->impulse + (size_t)k * GRAIN_IMPULSE,
           GRAIN_IMPULSE * sizeof *g->saved);
    g->saved_other[to] = g->pair_key[k];
  }
  for (int i = g->n; i > 0; i--) {
    start[i] = start[i - 1];
  }
  start[0] = 0;
  return CQ_OK;
}

static void give_back(const grains *g, const state *s) {
  const int *start = g->order;
  for (int k = 0; k < s->head->n_pairs; k++) {
    scalar *to = s->impulse + (size_t)k * GRAIN_IMPULSE;
    memset(to, 0, GRAIN_IMPULSE * sizeof *to);
    for (int j = start[s->a[k]]; j < start[s->a[k] + 1]; j++) {
      if (g->saved_other[j] == s->b[k]) {
        memcpy(to, g->saved + (size_t)j * GRAIN_IMPULSE, GRAIN_IMPULSE * sizeof *to);
      }
    }
  }
}

/* Touches with their grains' new names, by grain. */
static void rename_touches(grains *g, const state *s) {
  const int n = s->head->n_touches;
  int *start = g->cell;
  memcpy(g->old_touches, s->touches, (size_t)n * sizeof *s->touches);
  memset(start, 0, ((size_t)g->n + 1) * sizeof *start);
  for (int k = 0; k < n; k++) {
    g->old_touches[k].grain = g->from[g->old_touches[k].grain];
    start[g->old_touches[k].grain + 1]++;
  }
  for (int i = 0; i < g->n; i++) {
    start[i + 1] += start[i];
  }
  for (int k = 0; k < n; k++) {
    s->touches[start[g->old_touches[k].grain]++] = g->old_touches[k];
  }
}

/* --- a list ----------------------------------------------------------------------------------- */

/* What the workspace has of particles, in the order of the list. */
static void take_order(grains *g, const state *s) {
  for (int i = 0; i < g->n; i++) {
    const int p = s->id[i];
    g->slot[p] = i;
    memcpy(g->kind_share + (size_t)i * 4, g->share + (size_t)p * 4, 4 * sizeof *g->share);
    if (g->material != NULL) {
      g->material[i] = g->own->material[p];
    }
  }
  g->stamp = s->head->stamp;
}

cq_status V(cq_grains_too_many)(grains *g, int step, size_t pairs) {
  g->failure = (cq_failure){.status = CQ_NEIGHBOURS, .step = step, .value = (double)pairs};
  return CQ_FAIL(
      g->ctx, CQ_NEIGHBOURS,
      "step %d: %zu pairs of neighbours among %d grains, room is for %zu: the grains lie "
      "in each other; take smaller radii, more room or a smaller simulation.time_step",
      step, pairs, g->n, g->pair_room);
}

/* Grains that have gone through the end of the room come in at the other. */
static void wrap(const grains *g, const state *s) {
  for (int i = 0; i < g->n; i++) {
    scalar *x = s->place + (size_t)i * GRAIN_PLACE + g->cyclic;
    const int laps = (int)floor((double)((*x - g->low[g->cyclic]) / g->period));
    *x -= (scalar)laps * g->period;
    s->laps[i] += laps;
  }
}

/* A new list; where it would be too long, with less slack. Impulses go on with their pairs. */
cq_status V(cq_grains_make_list)(grains *g, int step, const state *s) {
  size_t pairs = 0;
  double scale = 1.0;
  const int saved = save_impulses(g, s);
  if (g->cyclic >= 0) {
    wrap(g, s);
  }
  for (int attempt = 0; attempt < 3; attempt++, scale = attempt == 1 ? 0.3 : 0.0) {
    choose_slack(g, s, scale);
    const cells c = choose_cells(g, s);
    CQ_TRY(sort_grains(g, s, &c));
    if (g->own->hashed) {
      fill_chains(g, s, &c);
    }
    rename_saved(g, s, saved);
    rename_touches(g, s);
    cut_units(g, s, &c);
    pairs = find_pairs(g, s, &c);
    if (pairs <= g->pair_room) {
      break;
    }
  }
  if (pairs > g->pair_room) {
    return V(cq_grains_too_many)(g, step, pairs);
  }
  CQ_TRY(sort_saved(g, s, saved));
  s->head->n_pairs = (int)pairs;
  s->head->stamp = step + 2;
  CQ_TRY(V(cq_grains_make_groups)(g, s, (int)pairs));
  give_back(g, s);
  take_order(g, s);
  return CQ_OK;
}

cq_status V(cq_grains_take_list)(grains *g, int step, const state *s) {
  if (!list_holds(g, s)) {
    g->tally.of[CQ_GRAIN_LISTS]++;
    return V(cq_grains_make_list)(g, step, s);
  }
  if (g->stamp == s->head->stamp) {
    return CQ_OK;
  }
  const size_t n = (size_t)s->head->n_pairs;
  memcpy(g->pa, s->a, n * sizeof *g->pa);
  memcpy(g->pb, s->b, n * sizeof *g->pb);
  CQ_TRY(V(cq_grains_make_groups)(g, s, (int)n));
  take_order(g, s);
  return CQ_OK;
}
