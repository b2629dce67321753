/* A sweep of the fluid's solvers as one writes it down first: arrays of numbers, a loop over axes,
 * no vectors. What the engine is measured against, so lists and sums are the same. */
#include "fluid_naive.h"

#include "cells.h"
#include "point/kernel.h"

#include <stdlib.h>
#include <time.h>

typedef struct plain {
  int n;
  const scalar *x;
  scalar *v, *excess, *diagonal, *pressure, *change, *slope;
  int *first, *near;
} plain;

/* Neighbours of sorted points and their V W'/r, densities and diagonals. */
static void find(plain *p, const kernel *k, const cells *c, const int *start, scalar volume) {
  int at = 0;
  for (int i = 0; i < p->n; i++) {
    const scalar *x = p->x + i * CQ_DIM;
    cells_run runs[CQ_CELL_RUNS];
    const int n = cells_around(c, start, x, runs);
    scalar density = volume * k->peak, sum[CQ_DIM] = {0}, spread = K(0);
    p->first[i] = at;
    for (int r = 0; r < n; r++) {
      for (int j = runs[r].first; j < runs[r].last; j++) {
        scalar square = K(0);
        for (int a = 0; a < CQ_DIM; a++) {
          square += (x[a] - p->x[j * CQ_DIM + a]) * (x[a] - p->x[j * CQ_DIM + a]);
        }
        if (j == i || square >= k->h * k->h) {
          continue;
        }
        const scalar q = real_sqrt(square) * k->inverse, slope = volume * kernel_slope(k, q);
        density += volume * kernel_value(k, q);
        spread += slope * slope * square;
        for (int a = 0; a < CQ_DIM; a++) {
          sum[a] += slope * (x[a] - p->x[j * CQ_DIM + a]);
        }
        p->near[at] = j;
        p->slope[at++] = slope;
      }
    }
    for (int a = 0; a < CQ_DIM; a++) {
      spread += sum[a] * sum[a];
    }
    p->excess[i] = density - K(1);
    p->diagonal[i] = spread / K(1000);
  }
  p->first[p->n] = at;
}

/* Pressures from errors of the density, then velocities from what the pressures change by. */
static void sweep(plain *p, scalar dt) {
  for (int i = 0; i < p->n; i++) {
    scalar rate = K(0);
    for (int k = p->first[i]; k < p->first[i + 1]; k++) {
      const int j = p->near[k];
      for (int a = 0; a < CQ_DIM; a++) {
        rate += p->slope[k] * (p->x[i * CQ_DIM + a] - p->x[j * CQ_DIM + a]) *
                (p->v[i * CQ_DIM + a] - p->v[j * CQ_DIM + a]);
      }
    }
    const scalar error = p->excess[i] + dt * rate, before = p->pressure[i];
    scalar now = before + K(0.5) * error / (dt * dt * p->diagonal[i]);
    now = now > K(0) ? now : K(0);
    p->pressure[i] = now;
    p->change[i] = now - before;
  }
  for (int i = 0; i < p->n; i++) {
    scalar sum[CQ_DIM] = {0};
    for (int k = p->first[i]; k < p->first[i + 1]; k++) {
      const int j = p->near[k];
      const scalar factor = p->slope[k] * (p->change[i] + p->change[j]);
      for (int a = 0; a < CQ_DIM; a++) {
        sum[a] += factor * (p->x[i * CQ_DIM + a] - p->x[j * CQ_DIM + a]);
      }
    }
    for (int a = 0; a < CQ_DIM; a++) {
      p->v[i * CQ_DIM + a] -= dt / K(1000) * sum[a];
    }
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define PASTE_(name, level) name##_##level
#define PASTE(name, level)  PASTE_(name, level)
#define NAIVE               PASTE(V(cq_naive_fluid), CQ_LEVEL)

cq_naive_fluid NAIVE;

/* Sorts the points, makes their lists, and times the sweeps. */
double NAIVE(int n, const double *points, double radius, double dt, int sweeps) {
  const size_t m = (size_t)n, most = m * (CQ_DIM == 2 ? 40 : 120);
  const kernel k = kernel_make(4.0 * radius);
  scalar *x = malloc(m * CQ_DIM * sizeof *x), *sorted = malloc(m * CQ_DIM * sizeof *x);
  scalar *work = calloc(m * (CQ_DIM + 4) + most, sizeof *work), low[CQ_DIM], high[CQ_DIM];
  int *ints = calloc(m * 2 + m + 1 + most, sizeof *ints);
  for (size_t i = 0; i < m * CQ_DIM; i++) {
    x[i] = K(points[i]);
    const size_t a = i % CQ_DIM;
    low[a] = i < CQ_DIM || x[i] < low[a] ? x[i] : low[a];
    high[a] = i < CQ_DIM || x[i] > high[a] ? x[i] : high[a];
  }
  const cells c = cells_fit(low, high, k.h * K(1.0001), 16 * n + 64);
  int *start = malloc(((size_t)c.total + 1) * sizeof *start), *order = ints + m;
  cells_sort(&c, n, x, CQ_DIM, false, ints, start, order);
  for (size_t i = 0; i < m * CQ_DIM; i++) {
    sorted[i] = x[(size_t)order[i / CQ_DIM] * CQ_DIM + i % CQ_DIM];
  }
  plain p = {.n = n, .x = sorted, .v = work, .excess = work + m * CQ_DIM};
  p.diagonal = p.excess + m;
  p.pressure = p.diagonal + m;
  p.change = p.pressure + m;
  p.slope = p.change + m;
  p.first = ints + 2 * m;
  p.near = p.first + m + 1;
  find(&p, &k, &c, start, K(pow(2.0 * radius, CQ_DIM)));
  const double from = now();
  for (int i = 0; i < sweeps; i++) {
    sweep(&p, K(dt));
  }
  const double seconds = now() - from;
  free(x);
  free(sorted);
  free(work);
  free(ints);
  free(start);
  return seconds / ((double)sweeps * n);
}
