#include "bonds.h"

#include "alloc.h"
#include "near.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 }; /* neighbours of a particle */

static double distance(const cq_bonds *b, const double *x, int i, int j) {
  double square = 0.0;
  for (size_t a = 0; a < b->dim; a++) {
    const double d = x[(size_t)i * b->dim + a] - x[(size_t)j * b->dim + a];
    square += d * d;
  }
  return sqrt(square);
}

static bool holds(const cq_bonds *b, const double *now, int i, int j) {
  return distance(b, now, i, j) <= distance(b, b->rest, i, j) + b->length;
}

/* --- what belongs together --- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void join(int *parent, int i, int j) {
  const int a = root_of(parent, i), b = root_of(parent, j);
  parent[a > b ? a : b] = a > b ? b : a;
}

/* Of each particle the first one that it is joined with by bonds that hold. */
static void find_pieces(const cq_bonds *b, const double *x, int *piece) {
  for (int i = 0; i < b->count; i++) {
    piece[i] = i;
  }
  for (int i = 0; i < b->count; i++) {
    for (int k = b->first[i]; k < b->first[i + 1]; k++) {
      if (b->other[k] > i && holds(b, x, i, b->other[k])) {
        join(piece, i, b->other[k]);
      }
    }
  }
  for (int i = 0; i < b->count; i++) {
    piece[i] = root_of(piece, i);
  }
}

/* --- at rest --- */

/* Neighbours of particle i but for itself, into found [MOST + 2]: a full one is cut off. */
static int find(const cq_bonds *b, const cq_near *near, int i, double radius, int *found) {
  const int n = cq_near_find(near, b->rest + (size_t)i * b->dim, radius, MOST + 2, found);
  int others = 0;
  for (int k = 0; k < n; k++) {
    if (found[k] != i) {
      found[others++] = found[k];
    }
  }
  return others;
}

/* A radius within which no particle has more than MOST neighbours, a cell at most. Their numbers go
 * to first[i + 1]. In a crowd of particles at one place some are left out. */
static double choose_radius(cq_bonds *b, const cq_near *near) {
  double radius = b->length * (1.0 + 1e-9); /* one that is a cell away counts */
  int found[MOST + 2];
  for (int i = 0; i < b->count; i++) {
    const int n = find(b, near, i, radius, found);
    b->first[i + 1] = n < MOST ? n : MOST;
    if (n > MOST && radius > 0.1 * b->length) {
      radius *= 0.8;
      i = -1; /* all again */
    }
  }
  return radius;
}

static cq_status link(cq_bonds *b, const cq_near *near) {
  int found[MOST + 2];
  const double radius = choose_radius(b, near);
  for (int i = 0; i < b->count; i++) {
    b->first[i + 1] += b->first[i];
  }
  CQ_TRY(CQ_ALLOC(b->ctx, b->other, b->first[b->count]));
  for (int i = 0; i < b->count; i++) {
    const int n = b->first[i + 1] - b->first[i];
    find(b, near, i, radius, found);
    memcpy(b->other + b->first[i], found, (size_t)n * sizeof *found);
  }
  find_pieces(b, b->rest, b->whole);
  return CQ_OK;
}

static cq_status allocate(cq_bonds *b) {
  int **const arrays[] = {&b->whole, &b->piece, &b->size, &b->largest, &b->seen, &b->waiting};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    CQ_TRY(CQ_ALLOC(b->ctx, *arrays[i], b->count));
  }
  CQ_TRY(CQ_ALLOC(b->ctx, b->first, b->count + 1));
  return CQ_ALLOC(b->ctx, b->rest, (size_t)b->count * b->dim);
}

static cq_status build(cq_bonds *b, const double *rest) {
  cq_near near;
  CQ_TRY(allocate(b));
  memcpy(b->rest, rest, (size_t)b->count * b->dim * sizeof *rest);
  for (int i = 0; i < b->count; i++) {
    b->waiting[i] = i; /* all are looked for */
  }
  CQ_TRY(
      cq_near_create(b->ctx, (int)b->dim, b->rest, b->waiting, b->count, 1.001 * b->length, &near));
  const cq_status status = link(b, &near);
  cq_near_destroy(&near);
  return status;
}

cq_status cq_bonds_create(cq_ctx *ctx, int dim, double length, const double *rest, int count,
                          cq_bonds *bonds) {
  *bonds = (cq_bonds){.ctx = ctx, .dim = (size_t)dim, .count = count, .length = length};
  const cq_status status = build(bonds, rest);
  if (status != CQ_OK) {
    cq_bonds_destroy(bonds);
  }
  return status;
}

void cq_bonds_destroy(cq_bonds *b) {
  void *const arrays[] = {b->rest, b->first,   b->other, b->whole,  b->piece,
                          b->size, b->largest, b->seen,  b->waiting};
  for (size_t i = 0; b->ctx != NULL && i < sizeof arrays / sizeof *arrays; i++) {
    cq_free(b->ctx, arrays[i]);
  }
  *b = (cq_bonds){.ctx = b->ctx};
}

/* --- now --- */

/* Of each part that is whole at rest the largest piece, the first of equal ones. */
static void find_largest(cq_bonds *b) {
  memset(b->size, 0, (size_t)b->count * sizeof *b->size);
  for (int i = 0; i < b->count; i++) {
    b->size[b->piece[i]]++;
    b->largest[i] = -1;
  }
  for (int i = 0; i < b->count; i++) {
    int *const largest = &b->largest[b->whole[i]];
    if (*largest < 0 || b->size[b->piece[i]] > b->size[*largest]) {
      *largest = b->piece[i];
    }
  }
}

/* Bonds of particle i that do not hold. */
static int count_broken(const cq_bonds *b, const double *now, int i) {
  int n = 0;
  for (int k = b->first[i]; k < b->first[i + 1]; k++) {
    n += !holds(b, now, i, b->other[k]);
  }
  return n;
}

/* Particle i and the neighbours of it that bonds which hold lead to, without leaving them.
 * Afterwards seen[j] is 2 i + 2 for those, 2 i + 1 for the other neighbours. */
static int count_reached(cq_bonds *b, const double *now, int i) {
  const int near = 2 * i + 1, reached = 2 * i + 2;
  int n = 0;
  for (int k = b->first[i]; k < b->first[i + 1]; k++) {
    b->seen[b->other[k]] = near;
  }
  b->waiting[n++] = i;
  b->seen[i] = reached;
  for (int done = 0; done < n; done++) {
    const int from = b->waiting[done];
    for (int k = b->first[from]; k < b->first[from + 1]; k++) {
      const int to = b->other[k];
      if (b->seen[to] == near && holds(b, now, from, to)) {
        b->seen[to] = reached;
        b->waiting[n++] = to;
      }
    }
  }
  return n - 1;
}

/* A quarter of its neighbours are out of reach. */
static bool is_at_crack(cq_bonds *b, const double *now, int i) {
  const int all = b->first[i + 1] - b->first[i];
  return 4 * count_broken(b, now, i) >= all && all > 0 &&
         4 * (all - count_reached(b, now, i)) >= all;
}

int cq_bonds_lost(cq_bonds *b, const double *now) {
  int n = 0;
  find_pieces(b, now, b->piece);
  find_largest(b);
  memset(b->seen, 0, (size_t)b->count * sizeof *b->seen);
  for (int i = 0; i < b->count; i++) {
    n += b->piece[i] != b->largest[b->whole[i]] || is_at_crack(b, now, i);
  }
  return n;
}
