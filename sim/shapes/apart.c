#include "apart.h"

#include "alloc.h"
#include "status.h"

#include <limits.h>

/* Not many more cells than points. */
cq_status cq_apart_begin(cq_ctx *ctx, int dim, const double *low, const double *size, double n,
                         double r, cq_apart *apart) {
  *apart = (cq_apart){.ctx = ctx, .dim = dim, .count = {1, 1, 1}, .width = r};
  const double most = fmin(4.0 * n + 1000.0, 1e8);
  double cells = INFINITY;
  while (cells > most) {
    cells = 1.0;
    for (int a = 0; a < dim; a++) {
      cells *= ceil(size[a] / apart->width) + 1.0;
    }
    apart->width *= cells > most ? 1.5 : 1.0;
  }
  for (int a = 0; a < dim; a++) {
    apart->low[a] = low[a];
    apart->count[a] = (int)ceil(size[a] / apart->width) + 1;
  }
  return CQ_ALLOC(ctx, apart->first, cells);
}

void cq_apart_end(cq_apart *apart) {
  cq_free(apart->ctx, apart->first);
  cq_free(apart->ctx, apart->next);
  cq_free(apart->ctx, apart->points);
}

static void cell_of(const cq_apart *c, const double *x, int *at) {
  for (int a = 0; a < 3; a++) {
    const double i = a < c->dim ? floor((x[a] - c->low[a]) / c->width) : 0.0;
    at[a] = (int)fmin(fmax(i, 0.0), c->count[a] - 1);
  }
}

static int *list_of(const cq_apart *c, const int *at) {
  return c->first + ((size_t)at[0] * (size_t)c->count[1] + (size_t)at[1]) * (size_t)c->count[2] +
         (size_t)at[2];
}

/* Looks into the cell of x and those around it. */
bool cq_apart_is_free(const cq_apart *c, const double *x, double r) {
  int at[3];
  cell_of(c, x, at);
  for (int k = 0; k < 27; k++) {
    const int near[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
    bool there = true;
    for (int a = 0; a < 3; a++) {
      there = there && near[a] >= 0 && near[a] < c->count[a];
    }
    for (int i = there ? *list_of(c, near) : 0; i > 0; i = c->next[i - 1]) {
      double square = 0.0;
      for (int a = 0; a < c->dim; a++) {
        const double d = c->points[(size_t)(i - 1) * (size_t)c->dim + (size_t)a] - x[a];
        square += d * d;
      }
      if (square < r * r) {
        return false;
      }
    }
  }
  return true;
}

/* Room for one more, by doubling. */
static cq_status make_room(cq_apart *c) {
  const int room = c->room == 0 ? 1024 : 2 * c->room;
  const size_t dim = (size_t)c->dim, n = (size_t)c->n;
  double *points = NULL;
  int *next = NULL;
  CQ_CHECK(c->ctx, c->room < INT_MAX / 8, CQ_CONFIG, "too many points: more than %d", c->n);
  CQ_TRY(CQ_ALLOC(c->ctx, points, (size_t)room * dim));
  const cq_status status = CQ_ALLOC(c->ctx, next, room);
  if (status != CQ_OK) {
    cq_free(c->ctx, points);
    return status;
  }
  if (n > 0) {
    memcpy(points, c->points, n * dim * sizeof *points);
    memcpy(next, c->next, n * sizeof *next);
  }
  cq_free(c->ctx, c->points);
  cq_free(c->ctx, c->next);
  c->points = points;
  c->next = next;
  c->room = room;
  return CQ_OK;
}

cq_status cq_apart_add(cq_apart *c, const double *x) {
  int at[3];
  if (c->n == c->room) {
    CQ_TRY(make_room(c));
  }
  cell_of(c, x, at);
  memcpy(c->points + (size_t)c->n * (size_t)c->dim, x, (size_t)c->dim * sizeof *x);
  c->next[c->n] = *list_of(c, at);
  *list_of(c, at) = ++c->n;
  return CQ_OK;
}
