/* Finds the nodes that walls hold, once: walls do not move. Scalar, once a variant.
 *
 * A wall without bounds holds both ends of a line of nodes, or one, or all of it, so that it is
 * looked for from the ends; those that have bounds are looked for within them. */
#include "mpm_walls.h"

#include "alloc.h"
#include "mpm_common.h"
#include "status.h"

#include <limits.h>
#include <string.h>

typedef struct finder {
  const cq_mpm_model *own;
  const grid_model *g;
  held_node *held; /* NULL: counts them */
  contact *contacts;
  size_t n_held, n_contacts;
  int n_slots;
  int low[CQ_MAX_BOUNDARIES][CQ_DIM], high[CQ_MAX_BOUNDARIES][CQ_DIM]; /* nodes of bounded walls */
} finder;

static void give_slots(finder *f, const int *index, contact *contacts, int n) {
  for (int i = 0; i < n; i++) {
    if (wall_remembers(f->own, &contacts[i], index)) {
      contacts[i].slot = f->n_slots++;
    }
  }
}

/* Does a wall hold the node? Notes it. */
static bool look(finder *f, int *index, int k, bool notes) {
  contact contacts[CQ_MAX_BOUNDARIES];
  index[CQ_LAST] = k;
  const int n = walls_at(f->own->boundaries, f->g->n_walls, f->g->cell, index, contacts);
  if (n > 0 && notes) {
    give_slots(f, index, contacts, n);
    if (f->held != NULL) {
      f->held[f->n_held] = (held_node){k, (int)f->n_contacts};
      memcpy(f->contacts + f->n_contacts, contacts, (size_t)n * sizeof *contacts);
    }
    f->n_held++;
    f->n_contacts += (size_t)n;
  }
  return n > 0;
}

/* The nodes of a line that are within the bounds of a wall. */
static void within_bounds(const finder *f, const int *index, int *first, int *end) {
  *first = INT_MAX;
  *end = 0;
  for (int i = 0; i < f->g->n_walls; i++) {
    bool meets = true;
    for (int a = 0; a < CQ_LAST; a++) {
      meets = meets && index[a] >= f->low[i][a] && index[a] < f->high[i][a];
    }
    if (meets) {
      *first = f->low[i][CQ_LAST] < *first ? f->low[i][CQ_LAST] : *first;
      *end = f->high[i][CQ_LAST] > *end ? f->high[i][CQ_LAST] : *end;
    }
  }
}

/* The nodes of one line, in their order. */
static void look_along(finder *f, int *index) {
  const int count = f->g->count[CQ_LAST];
  int free_from = 0, free_to = count, first, end;
  while (free_from < count && look(f, index, free_from, true)) {
    free_from++;
  }
  while (free_to > free_from && look(f, index, free_to - 1, false)) {
    free_to--;
  }
  within_bounds(f, index, &first, &end);
  for (int k = first > free_from ? first : free_from; k < end && k < free_to; k++) {
    look(f, index, k, true);
  }
  for (int k = free_to; k < count; k++) {
    look(f, index, k, true);
  }
}

/* All lines; those before the last of `line` begin with what was found before, and planes likewise.
 */
static void look_everywhere(finder *f, int *line, int *slot) {
  const int *count = f->g->count, across = CQ_DIM == 2 ? 1 : count[1];
  int index[CQ_DIM] = {0};
  f->n_held = f->n_contacts = 0;
  f->n_slots = 0;
  for (int l = 0; l < count[0] * across; l++) {
    index[0] = l / across;
    index[1] = l % across; /* in 2D the last axis, which is set below */
    line[l] = (int)f->n_held;
    look_along(f, index);
    line[l + 1] = (int)f->n_held;
    slot[index[0] + 1] = f->n_slots;
  }
}

static void find_bounds(finder *f) {
  for (int i = 0; i < f->g->n_walls; i++) {
    const cq_shape *shape = &f->own->boundaries[i].shape;
    double low[3], size[3];
    if (!cq_shape_bounded(shape)) {
      continue; /* none are within its bounds */
    }
    cq_shape_bounds(shape, low, size);
    FOR_AXES(a) {
      const double last = f->g->count[a], from = floor(low[a] / f->g->cell);
      const double to = ceil((low[a] + size[a]) / f->g->cell) + 1.0;
      f->low[i][a] = (int)fmin(fmax(from, 0.0), last);
      f->high[i][a] = (int)fmin(fmax(to, 0.0), last);
    }
  }
}

/* All lines are looked at twice: to count what is held, and to write it down. */
cq_status V(cq_mpm_find_walls)(cq_ctx *ctx, const cq_mpm_model *own, grid_model *g) {
  finder f = {.own = own, .g = g};
  int *line = NULL, *slot = NULL;
  CQ_TRY(CQ_ALLOC(ctx, line, (size_t)g->count[0] * (size_t)(CQ_DIM == 2 ? 1 : g->count[1]) + 1));
  g->line = line;
  CQ_TRY(CQ_ALLOC(ctx, slot, (size_t)g->count[0] + 1));
  g->slot = slot;
  find_bounds(&f);
  look_everywhere(&f, line, slot);
  CQ_CHECK(ctx, f.n_contacts < INT_MAX, CQ_CONFIG, "walls hold too many nodes: %zu", f.n_held);
  CQ_TRY(CQ_ALLOC(ctx, f.held, f.n_held + 1));
  g->held = f.held;
  CQ_TRY(CQ_ALLOC(ctx, f.contacts, f.n_contacts));
  g->contacts = f.contacts;
  look_everywhere(&f, line, slot);
  f.held[f.n_held].first = (int)f.n_contacts;
  g->n_slots = f.n_slots;
  return CQ_OK;
}

void V(cq_mpm_grid_free)(cq_ctx *ctx, grid_model *g) {
  FOR_AXES(a) {
    cq_free(ctx, (void *)(uintptr_t)g->mirror[a]);
  }
  cq_free(ctx, (void *)(uintptr_t)g->line);
  cq_free(ctx, (void *)(uintptr_t)g->slot);
  cq_free(ctx, (void *)(uintptr_t)g->held);
  cq_free(ctx, (void *)(uintptr_t)g->contacts);
}
