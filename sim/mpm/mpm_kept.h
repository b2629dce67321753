/* Mean pressures (point/pressed.h) of the nodes at which bodies meet, among the numbers of a state:
 * how many there are, then of each its key and its three sums, by growing keys. Those of nodes that
 * met in the step which led to the state are there, so that they are few; a node that is new begins
 * with zero, and so does, in every step, one for which there was no room. In doubles, on one
 * thread.
 *
 * A step: kept_begin, for each node, by growing keys, kept_take and kept_keep, kept_end. Back,
 * for each seed: kept_adjoint_begin, then for each node what is due to the mean it kept
 * (kept_due), and what it gives to the one it took (kept_give). */
#ifndef CQ_MPM_KEPT_H
#define CQ_MPM_KEPT_H

#include "alloc.h"
#include "status.h"

#include <string.h>

/* as struct pressed in doubles */
typedef struct node_mean {
  double sum, weight, owed;
} node_mean;

typedef struct kept_mean {
  double key; /* a whole number */
  node_mean of;
} kept_mean;

enum {
  CQ_KEPT_NUMBERS = sizeof(kept_mean) / sizeof(double),
  CQ_KEPT_FEW = 64 /* nodes that bodies of a few particles may meet at */
};

typedef struct kept_means {
  int room; /* 0: there are none, and all functions do nothing */
  int n;    /* kept so far in the step */
  int n_before;
  const kept_mean *before; /* [n_before] of the state that the step begins with */
  kept_mean *after;        /* [room] */
} kept_means;

/* Where a node's means are, before the step and after it; -1: nowhere. */
typedef struct kept_place {
  int from, to;
  node_mean before;
} kept_place;

/* dL of one seed */
typedef struct kept_adjoint {
  node_mean *due;  /* [room] by what the step kept */
  node_mean *give; /* [room] by what it took */
} kept_adjoint;

static inline size_t kept_numbers(const kept_means *m) {
  return m->room > 0 ? 1 + (size_t)m->room * CQ_KEPT_NUMBERS : 0;
}

static inline cq_status kept_create(cq_ctx *ctx, kept_means *m, int room) {
  m->room = room;
  return CQ_ALLOC(ctx, m->after, room);
}

static inline void kept_free(cq_ctx *ctx, kept_means *m) {
  cq_free(ctx, m->after);
  *m = (kept_means){0};
}

/* state: its numbers; zeros in state 0 */
static inline void kept_begin(kept_means *m, const double *state) {
  if (m->room > 0) {
    m->n = 0;
    m->n_before = (int)state[0];
    m->before = (const kept_mean *)(state + 1);
  }
}

/* The mean with that key, or zeros. */
static inline kept_place kept_take(const kept_means *m, double key) {
  int first = 0, end = m->n_before;
  while (first < end) {
    const int middle = (first + end) / 2;
    if (m->before[middle].key < key) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  const bool found = first < m->n_before && m->before[first].key == key;
  kept_place place = {.from = found ? first : -1, .to = -1};
  if (found) {
    place.before = m->before[first].of;
  }
  return place;
}

/* Its number in the next state, or -1 where there is no room. */
static inline int kept_keep(kept_means *m, double key, node_mean after) {
  if (m->n == m->room) {
    return -1;
  }
  m->after[m->n] = (kept_mean){key, after};
  return m->n++;
}

/* next: the numbers of the next state, which may stand where those before are */
static inline void kept_end(const kept_means *m, double *next) {
  if (m->room > 0) {
    next[0] = m->n;
    memcpy(next + 1, m->after, (size_t)m->n * sizeof *m->after);
  }
}

static inline cq_status kept_adjoint_create(cq_ctx *ctx, const kept_means *m, kept_adjoint *a) {
  CQ_TRY(CQ_ALLOC(ctx, a->due, m->room));
  return CQ_ALLOC(ctx, a->give, m->room);
}

static inline void kept_adjoint_free(cq_ctx *ctx, kept_adjoint *a) {
  cq_free(ctx, a->due);
  cq_free(ctx, a->give);
}

static inline void kept_adjoint_clear(const kept_means *m, kept_adjoint *a) {
  if (m->room > 0) {
    memset(a->due, 0, (size_t)m->room * sizeof *a->due);
    memset(a->give, 0, (size_t)m->room * sizeof *a->give);
  }
}

/* What the step after this one gave is due to this one. */
static inline void kept_adjoint_begin(const kept_means *m, kept_adjoint *a) {
  node_mean *const given = a->give;
  a->give = a->due;
  a->due = given;
  if (m->n_before > 0) {
    memset(a->give, 0, (size_t)m->n_before * sizeof *a->give);
  }
}

static inline node_mean kept_due(const kept_adjoint *a, kept_place place) {
  return place.to >= 0 ? a->due[place.to] : (node_mean){0.0, 0.0, 0.0};
}

static inline void kept_give(kept_adjoint *a, kept_place place, node_mean due) {
  if (place.from >= 0) {
    a->give[place.from] = due;
  }
}

#endif
