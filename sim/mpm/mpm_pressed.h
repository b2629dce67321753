/* Mean pressures of a step (point/pressed.h) in the workspace of an engine. A node without mass has
 * none, so that of all slots those near the box of a step's particles are touched alone: as these
 * move by a cell at most, the box of the next step, and that of the one before, are within it and
 * two planes more, and what a state has elsewhere is never read. A step may end in the memory where
 * it began, and nodes may be looked at twice: what comes after is collected apart. */
#ifndef CQ_MPM_PRESSED_H
#define CQ_MPM_PRESSED_H

#include "point/grid.h"

#include <string.h>

typedef struct pressed_room {
  size_t n;    /* slots of all fields; 0: there are none, and every function does nothing */
  pressed *at; /* [2][n]: after the step, and in a sweep dL/d(before) */
  const pressed *before; /* [n] of the state that the step begins with */
} pressed_room;

/* slots of a field: where its own begin, and those that the step may touch */
typedef struct pressed_part {
  size_t own, first, count;
} pressed_part;

static inline size_t pressed_bytes(const pressed_room *r) {
  return r->n * sizeof(pressed);
}

static inline pressed_part pressed_near(const grid_model *g, int field, int low, int size) {
  const int from = low > 2 ? low - 2 : 0;
  const int end = low + size + 2 < g->count[0] ? low + size + 2 : g->count[0];
  const size_t own = (size_t)field * (size_t)g->n_slots;
  const pressed_part near = {own, own + (size_t)g->slot[from],
                             (size_t)(g->slot[end] - g->slot[from])};
  return near;
}

static inline void pressed_clear(pressed_part p, pressed *to) {
  if (p.count > 0) {
    memset(to + p.first, 0, p.count * sizeof *to);
  }
}

/* all slots of all fields */
static inline void pressed_clear_all(const pressed_room *r, pressed *to) {
  const pressed_part all = {0, 0, r->n};
  pressed_clear(all, to);
}

static inline void pressed_copy(pressed_part p, const pressed *from, pressed *to) {
  if (p.count > 0) {
    memcpy(to + p.first, from + p.first, p.count * sizeof *to);
  }
}

/* A step begins with what a state has, which is zero in state 0, */
static inline void pressed_begin(pressed_room *r, pressed_part p, const pressed *state) {
  r->before = state;
  pressed_clear(p, r->at);
}

/* and ends with what the next one has. */
static inline void pressed_end(const pressed_room *r, pressed_part p, pressed *next) {
  pressed_copy(p, r->at, next);
}

/* Around the grid's part of a seed's sweep: the seed's gradient is that of the step's end, and then
 * of its beginning. */
static inline void pressed_begin_adjoint(const pressed_room *r, pressed_part p) {
  pressed_clear(p, r->at + r->n);
}

static inline void pressed_end_adjoint(const pressed_room *r, pressed_part p, pressed *seed) {
  pressed_copy(p, r->at + r->n, seed);
}

/* of a field; seed: NULL where there is no sweep */
static inline grid_memory pressed_memory(const pressed_room *r, pressed_part p,
                                         const pressed *seed) {
  const grid_memory none = {NULL, NULL, NULL, NULL};
  const grid_memory m = {r->before + p.own, r->at + p.own, seed != NULL ? seed + p.own : NULL,
                         r->at + r->n + p.own};
  return r->n > 0 ? m : none;
}

#endif
