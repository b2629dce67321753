/* The search for neighbours of a list: how far each grain may go before the list ends, the cells
 * that grains are sorted by, and the pairs of one grain, always in the same order. */
#ifndef CQ_GRANULAR_NEIGHBOURS_H
#define CQ_GRANULAR_NEIGHBOURS_H

#include "variant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIST_MARGIN      0.05 /* of its radius that a grain is felt beyond it */
#define LIST_LEAST_SLACK 0.1  /* of the smallest radius */
#define LIST_WIDE_SLACK  0.35 /* grains with more look for neighbours on their own */
#define LIST_MOST_SLACK  1.0
#define LIST_STEPS       10.0 /* that the slack of a grain lasts at its speed */

enum { LIST_PLACE = 4 /* x, y, z, radius; where it was listed, slack */ };

#define FOR_EACH_CELL_AXIS(a) for (int a = 0; a < CQ_DIM; a++)

/* The grid of cells of one list. */
typedef struct cells {
  double low[CQ_DIM], inverse[CQ_DIM];
  int count[CQ_DIM]; /* by place in `axis`: the slowest first */
  int axis[CQ_DIM];
  double reach; /* of the widest grain: its radius with margin and slack */
  bool wraps;   /* the first is before the last along the slowest axis */
} cells;

/* Where all grains are, and the most that any of them reaches. */
typedef struct extent {
  double low[CQ_DIM], high[CQ_DIM];
  double reach, narrow; /* narrow: of those that are not wide, 0: all are */
} extent;

/* Sorted grains, their cells, and where the pairs of a grain go. */
typedef struct search {
  cells c;
  const scalar *place, *listed; /* [n][LIST_PLACE] */
  const int *start;             /* [cells + 1] first grain of a cell */
  const int *key, *head, *next; /* cells in a hash table of 2 n chains; NULL: there is none */
  int n_grains, cyclic;         /* cyclic: axis without end, -1: none */
  scalar smallest, period;      /* smallest: radius; length of the axis without end */
  int *a, *b;                   /* pairs, the lower grain first, are written while there is room */
  size_t n, room;
} search;

/* --- slack ------------------------------------------------------------------------------------ */

/* How far a grain may go, by the square of its velocity beside the mean; r is the smallest radius.
 */
CQ_FN double list_slack(double square, double r, double dt) {
  return fmin(fmax(LIST_LEAST_SLACK * r, LIST_STEPS * dt * sqrt(square)), LIST_MOST_SLACK * r);
}

/* The most that any grain has. Where many are fast, searches of their own would cost more than a
 * list that ends sooner. */
CQ_FN scalar list_most_slack(int n_fast, int n, double scale, double r) {
  return K(n_fast > n / 16 ? scale * LIST_WIDE_SLACK * r : scale * LIST_MOST_SLACK * r);
}

CQ_FN bool list_wide(scalar smallest, scalar slack) {
  return slack > K(1.0001 * LIST_WIDE_SLACK) * smallest;
}

CQ_FN double list_reach(const scalar *place, const scalar *listed) {
  return (1.0 + LIST_MARGIN) * (double)place[3] + (double)listed[3];
}

/* Of apart along an axis without end, the way to the nearest image. Grains of a list are less than
 * half a room from where they were wrapped. */
CQ_FN scalar list_image(scalar apart, scalar period) {
  const scalar half = K(0.5) * period;
  return apart > half ? apart - period : apart < -half ? apart + period : apart;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* The longest axis is the slowest, but for one without end, which is. */
CQ_FN bool cells_slower(int cyclic, const double *many, int a, int b) {
  return a == cyclic || (b != cyclic && many[a] > many[b]);
}

/* The box of all n grains in cells of twice the reach of any that is not wide; at most a few cells
 * a grain. `room` is where the axis without end begins. */
CQ_FN cells cells_choose(const extent *e, int n, int cyclic, double room, double period) {
  cells c;
  double size = e->narrow > 0.0 ? 2.0 * e->narrow : 2.0 * e->reach, many[CQ_DIM], total;
  c.reach = e->reach;
  c.wraps = false;
  FOR_EACH_CELL_AXIS(a) {
    c.low[a] = e->low[a];
    c.axis[a] = a;
  }
  do {
    total = 1.0;
    FOR_EACH_CELL_AXIS(a) {
      many[a] = floor((e->high[a] - c.low[a]) / size) + 1.0;
      c.inverse[a] = 1.0 / size;
      if (a == cyclic) { /* whole cells; each has two neighbours, or there is one of all */
        const double whole = floor(period / size);
        many[a] = whole < 3.0 ? 1.0 : whole;
        c.low[a] = room;
        c.inverse[a] = many[a] / period;
        c.wraps = many[a] > 1.0;
      }
      total *= many[a];
    }
    size *= 1.25;
  } while (total > 4.0 * n + 64.0);
  for (int a = 1; a < CQ_DIM; a++) {
    for (int b = a; b > 0 && cells_slower(cyclic, many, c.axis[b], c.axis[b - 1]); b--) {
      const int swap = c.axis[b];
      c.axis[b] = c.axis[b - 1];
      c.axis[b - 1] = swap;
    }
  }
  FOR_EACH_CELL_AXIS(k) {
    c.count[k] = (int)many[c.axis[k]];
  }
  return c;
}

CQ_FN void cells_at(const cells *c, const scalar *place, int *at) {
  FOR_EACH_CELL_AXIS(k) {
    const int a = c->axis[k];
    const int i = (int)(((double)place[a] - c->low[a]) * c->inverse[a]);
    at[k] = i < 0 ? 0 : i < c->count[k] ? i : c->count[k] - 1;
  }
}

CQ_FN int cells_number(const cells *c, const int *at) {
  int number = at[0];
  for (int k = 1; k < CQ_DIM; k++) {
    number = number * c->count[k] + at[k];
  }
  return number;
}

/* of a grain */
CQ_FN int cells_of(const cells *c, const scalar *place) {
  int at[CQ_DIM];
  cells_at(c, place, at);
  return cells_number(c, at);
}

CQ_FN int cells_total(const cells *c) {
  int n = 1;
  FOR_EACH_CELL_AXIS(k) {
    n *= c->count[k];
  }
  return n;
}

/* The chain of a cell (GranularGym, Algorithm 2), in unsigned numbers, so that it is never
 * negative.
 */
CQ_FN int cells_chain(const cells *c, int n_grains, int number) {
  const uint32_t primes[3] = {73856093u, 19349663u, 83492791u};
  uint32_t hash = 0;
  for (int k = CQ_DIM - 1; k >= 0; k--) {
    hash ^= primes[k] * ((uint32_t)(number % c->count[k]) - 100u);
    number /= c->count[k];
  }
  return (int)(hash % (2u * (uint32_t)n_grains));
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* The pair counts if it can touch before the next list, and is written while there is room. */
CQ_FN void search_offer(search *f, int i, int j, scalar reach) {
  const scalar *x = f->place + (size_t)i * LIST_PLACE, *y = f->place + (size_t)j * LIST_PLACE;
  const scalar both = reach + K(1.0 + LIST_MARGIN) * y[3] + f->listed[(size_t)j * LIST_PLACE + 3];
  scalar square = K(0);
  FOR_EACH_CELL_AXIS(a) {
    const scalar d = x[a] - y[a], near = a == f->cyclic ? list_image(d, f->period) : d;
    square += near * near;
  }
  if (square < both * both) {
    if (f->n < f->room) {
      f->a[f->n] = i < j ? i : j;
      f->b[f->n] = i < j ? j : i;
    }
    f->n++;
  }
}

/* A grain that is not wide takes those that are not; a wide one, alone, all but wide ones before
 * it. */
CQ_FN void search_take(search *f, int i, scalar reach, int j, bool alone) {
  const bool other = list_wide(f->smallest, f->listed[(size_t)j * LIST_PLACE + 3]);
  if (alone ? j != i && (!other || j > i) : !other) {
    search_offer(f, i, j, reach);
  }
}

/* Grains from cell `first` to cell `last` of a line, from grain `after` on. In a chain there are
 * grains of other cells, too. */
CQ_FN void search_line(search *f, int i, scalar reach, int first, int last, int after, bool alone) {
  if (f->head == NULL) {
    const int begin = f->start[first], end = f->start[last + 1];
    for (int j = begin > after ? begin : after; j < end; j++) {
      search_take(f, i, reach, j, alone);
    }
    return;
  }
  for (int cell = first; cell <= last; cell++) {
    for (int j = f->head[cells_chain(&f->c, f->n_grains, cell)]; j >= 0; j = f->next[j]) {
      if (f->key[j] == cell && j >= after) {
        search_take(f, i, reach, j, alone);
      }
    }
  }
}

/* Half of the cells around: what stands after grain i. */
CQ_FN void search_half(search *f, int i, scalar reach) {
  const cells *c = &f->c;
  int at[CQ_DIM], line[CQ_DIM];
  cells_at(c, f->place + (size_t)i * LIST_PLACE, at);
  const int fast = CQ_DIM - 1;
  const int low = at[fast] > 0 ? at[fast] - 1 : 0;
  const int high = at[fast] + 1 < c->count[fast] ? at[fast] + 1 : at[fast];
  const int own = cells_number(c, at);
  search_line(f, i, reach, own, own + high - at[fast], i + 1, false);
  const int lines = CQ_DIM == 2 ? 3 : 9;
  for (int k = lines / 2 + 1; k < lines; k++) {
    line[0] = at[0] + (CQ_DIM == 2 ? k - 1 : k / 3 - 1);
    if (CQ_DIM == 3) {
      line[1] = at[1] + k % 3 - 1;
      if (line[1] < 0 || line[1] >= c->count[1]) {
        continue;
      }
    }
    if (line[0] >= c->count[0]) {
      if (!c->wraps) {
        continue;
      }
      line[0] = 0;
    }
    line[fast] = 0;
    const int first = cells_number(c, line);
    search_line(f, i, reach, first + low, first + high, 0, false);
  }
}

/* A wide grain looks all around, as far as any grain reaches; of two wide ones the first does. */
CQ_FN void search_all(search *f, int i, scalar reach) {
  const cells *c = &f->c;
  const double far = (double)reach + c->reach;
  int at[CQ_DIM], low[CQ_DIM], high[CQ_DIM], line[CQ_DIM];
  cells_at(c, f->place + (size_t)i * LIST_PLACE, at);
  FOR_EACH_CELL_AXIS(k) {
    const int r = (int)ceil(far * c->inverse[c->axis[k]]);
    const bool wraps = k == 0 && c->wraps && 2 * r + 1 < c->count[0];
    const bool all = k == 0 && c->wraps && !wraps;
    low[k] = wraps ? at[k] - r : at[k] > r && !all ? at[k] - r : 0;
    high[k] = wraps || (at[k] + r < c->count[k] && !all) ? at[k] + r : c->count[k] - 1;
    line[k] = low[k];
  }
  while (line[0] <= high[0]) {
    line[CQ_DIM - 1] = low[CQ_DIM - 1];
    int cell[CQ_DIM];
    FOR_EACH_CELL_AXIS(k) {
      cell[k] = line[k];
    }
    cell[0] = (line[0] + c->count[0]) % c->count[0];
    const int first = cells_number(c, cell);
    search_line(f, i, reach, first, first + high[CQ_DIM - 1] - low[CQ_DIM - 1], 0, true);
    int k = CQ_DIM - 2;
    line[k]++;
    for (; k > 0 && line[k] > high[k]; k--) {
      line[k] = low[k];
      line[k - 1]++;
    }
  }
}

/* All pairs that grain i finds: each pair is found by one of its two. */
CQ_FN void search_grain(search *f, int i) {
  const scalar *listed = f->listed + (size_t)i * LIST_PLACE;
  const scalar reach = K(list_reach(f->place + (size_t)i * LIST_PLACE, listed));
  if (list_wide(f->smallest, listed[3])) {
    search_all(f, i, reach);
  } else {
    search_half(f, i, reach);
  }
}

#endif
