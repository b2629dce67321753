/* Points sorted by the cells of a box, for whoever looks for neighbours: those of a point are in
 * its own cell and in the cells around it. Along the last axis cells follow each other, so that
 * three of them are one run of the sorted list. The order depends on the points alone.
 *
 * Points outside of the box count as in the cell of its rim that is nearest. That never parts
 * neighbours by more than a cell, and one that has gone astray does not make the box huge. */
#ifndef CQ_NEAR_CELLS_H
#define CQ_NEAR_CELLS_H

#include "variant.h"

#include <stdbool.h>
#include <string.h>

typedef struct cells {
  scalar low[CQ_DIM], inverse; /* inverse: one over the edge */
  int count[CQ_DIM], total;
} cells;

/* A box from low to high of cells with this edge [m] > 0; larger ones where that makes more than
 * `most` > 0 of them. */
CQ_FN cells cells_fit(const scalar *low, const scalar *high, scalar edge, int most) {
  cells c;
  for (;;) {
    double total = 1.0;
    for (int a = 0; a < CQ_DIM; a++) {
      c.low[a] = low[a];
      total *= 1.0 + floor((double)((high[a] - low[a]) / edge));
    }
    if (total <= most) {
      break;
    }
    edge *= K(1.25);
  }
  c.inverse = K(1) / edge;
  c.total = 1;
  for (int a = 0; a < CQ_DIM; a++) {
    c.count[a] = 1 + (int)((high[a] - low[a]) / edge);
    c.total *= c.count[a];
  }
  return c;
}

/* Where a coordinate is along an axis, a number of cells that may be outside of the box. */
CQ_FN int cells_place(const cells *c, int axis, scalar x) {
  const scalar place = (x - c->low[axis]) * c->inverse;
  return place >= K(0) ? (place < (scalar)c->count[axis] ? (int)place : c->count[axis]) : -1;
}

/* The cell of a point. Where `outside` is true the cell is -1 for points outside of the box. */
CQ_FN int cells_of(const cells *c, const scalar *x, bool outside) {
  int cell = 0;
  for (int a = 0; a < CQ_DIM; a++) {
    int place = cells_place(c, a, x[a]);
    if (place < 0 || place >= c->count[a]) {
      if (outside) {
        return -1;
      }
      place = place < 0 ? 0 : c->count[a] - 1;
    }
    cell = cell * c->count[a] + place;
  }
  return cell;
}

/* The cells of points first .. last - 1, which are `stride` numbers apart; with `outside`, -1 for
 * those outside of the box. */
static inline void cells_keys(const cells *c, int first, int last, const scalar *x, int stride,
                              bool outside, int *key) {
  for (int i = first; i < last; i++) {
    key[i] = cells_of(c, x + (size_t)i * (size_t)stride, outside);
  }
}

/* The same sort in parts, which threads may do side by side: each part counts its points by their
 * cells, count [total]; then one thread makes of the counts of all parts, count [parts][total],
 * where the points of a cell begin and returns how many are sorted; then each part puts its points
 * there. */
static inline void cells_count(const cells *c, int first, int last, const int *key, int *count) {
  memset(count, 0, (size_t)c->total * sizeof *count);
  for (int i = first; i < last; i++) {
    if (key[i] >= 0) {
      count[key[i]]++;
    }
  }
}

static inline int cells_begin(const cells *c, int parts, int *count, int *start) {
  int n = 0;
  for (int k = 0; k < c->total; k++) {
    start[k] = n;
    for (int p = 0; p < parts; p++) {
      int *here = &count[(size_t)p * (size_t)c->total + (size_t)k];
      const int more = *here;
      *here = n;
      n += more;
    }
  }
  start[c->total] = n;
  return n;
}

static inline void cells_put(int first, int last, const int *key, int *count, int *order) {
  for (int i = first; i < last; i++) {
    if (key[i] >= 0) {
      order[count[key[i]]++] = i;
    }
  }
}

/* Sorts n points by their cells; those with a key below 0 are left out. start [total + 1] says
 * where the points of a cell begin in order [n]. Returns how many are sorted. */
static inline int cells_sort_keys(const cells *c, int n, const int *key, int *start, int *order) {
  memset(start, 0, ((size_t)c->total + 1) * sizeof *start);
  for (int i = 0; i < n; i++) {
    if (key[i] >= 0) {
      start[key[i] + 1]++;
    }
  }
  for (int k = 0; k < c->total; k++) {
    start[k + 1] += start[k];
  }
  for (int i = 0; i < n; i++) {
    if (key[i] >= 0) {
      order[start[key[i]]++] = i;
    }
  }
  memmove(start + 1, start, (size_t)c->total * sizeof *start);
  start[0] = 0;
  return start[c->total];
}

/* Both; key [n] is scratch. */
static inline int cells_sort(const cells *c, int n, const scalar *x, int stride, bool outside,
                             int *key, int *start, int *order) {
  cells_keys(c, 0, n, x, stride, outside, key);
  return cells_sort_keys(c, n, key, start, order);
}

typedef struct cells_run {
  int first, last; /* points first .. last-1 of the sorted list */
} cells_run;

enum { CQ_CELL_RUNS = CQ_DIM == 2 ? 3 : 9 }; /* around a point, at most */

/* The runs of the points in the cells around x; returns how many there are. */
CQ_FN int cells_around(const cells *c, const int *start, const scalar *x, cells_run *runs) {
  int from[CQ_DIM], to[CQ_DIM], n = 0;
  for (int a = 0; a < CQ_DIM; a++) {
    int place = cells_place(c, a, x[a]);
    place = place < 0 ? 0 : place >= c->count[a] ? c->count[a] - 1 : place;
    from[a] = place > 0 ? place - 1 : 0;
    to[a] = place + 1 < c->count[a] ? place + 1 : place;
  }
  for (int i = from[0]; i <= to[0]; i++) {
#if CQ_DIM == 2
    const int row = i * c->count[1];
    const cells_run run = {start[row + from[1]], start[row + to[1] + 1]};
    runs[n++] = run;
#else
    for (int j = from[1]; j <= to[1]; j++) {
      const int row = (i * c->count[1] + j) * c->count[2];
      const cells_run run = {start[row + from[2]], start[row + to[2] + 1]};
      runs[n++] = run;
    }
#endif
  }
  return n;
}

#endif
