/* Mean pressures of a step (point/pressed.h) in the workspace of an engine: copies of what states
 * have, since a step may end in the memory where it began, and nodes may be looked at twice. What a
 * node without mass has is forgotten. */
#ifndef CQ_MPM_PRESSED_H
#define CQ_MPM_PRESSED_H

#include "point/grid.h"

#include <string.h>

typedef struct pressed_room {
  size_t n;    /* slots of all fields; 0: there are none, and every function does nothing */
  pressed *at; /* [3][n]: before the step, after it, and in a sweep dL/d(before) */
} pressed_room;

static inline size_t pressed_bytes(const pressed_room *r) {
  return r->n * sizeof(pressed);
}

/* A step begins with what a state has, which is zero in state 0. */
static inline void pressed_begin(const pressed_room *r, const pressed *state) {
  if (r->n > 0) {
    memcpy(r->at, state, pressed_bytes(r));
    memset(r->at + r->n, 0, pressed_bytes(r));
  }
}

static inline void pressed_end(const pressed_room *r, pressed *next) {
  if (r->n > 0) {
    memcpy(next, r->at + r->n, pressed_bytes(r));
  }
}

static inline void pressed_clear(const pressed_room *r, pressed *to) {
  if (r->n > 0) {
    memset(to, 0, pressed_bytes(r));
  }
}

/* Around the grid's part of a seed's sweep: the seed's gradient is that of the step's end, and then
 * of its beginning. */
static inline void pressed_begin_adjoint(const pressed_room *r) {
  pressed_clear(r, r->at + 2 * r->n);
}

static inline void pressed_end_adjoint(const pressed_room *r, pressed *seed) {
  if (r->n > 0) {
    memcpy(seed, r->at + 2 * r->n, pressed_bytes(r));
  }
}

/* of a field whose slots begin at `first`; seed: NULL where there is no sweep */
static inline grid_memory pressed_memory(const pressed_room *r, size_t first, const pressed *seed) {
  const grid_memory none = {NULL, NULL, NULL, NULL};
  const grid_memory m = {r->at + first, r->at + r->n + first, seed != NULL ? seed + first : NULL,
                         r->at + 2 * r->n + first};
  return r->n > 0 ? m : none;
}

#endif
