#include "near.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Cells have `most` as their edge, or more where that would make more cells than points. */
static void fit(cq_near *near, int count, double most) {
  const size_t dim = (size_t)near->dim;
  double high[3], longest = 0.0;
  for (size_t a = 0; a < dim; a++) {
    near->low[a] = INFINITY;
    high[a] = -INFINITY;
    for (int i = 0; i < count; i++) {
      const double x = near->x[(size_t)near->point[i] * dim + a];
      near->low[a] = fmin(near->low[a], x);
      high[a] = fmax(high[a], x);
    }
    longest = fmax(longest, high[a] - near->low[a]);
  }
  near->edge = fmax(most, longest / (1.0 + pow(count, 1.0 / near->dim)));
  for (size_t a = 0; a < dim && count > 0; a++) {
    near->cells[a] = 1 + (int)((high[a] - near->low[a]) / near->edge);
  }
}

/* -1 where there is none */
static int cell_of(const cq_near *near, const double *x, const int *shift) {
  int cell = 0;
  for (int a = 0; a < near->dim; a++) {
    const double place = floor((x[a] - near->low[a]) / near->edge) + shift[a];
    if (!(place >= 0.0 && place < near->cells[a])) {
      return -1;
    }
    cell = cell * near->cells[a] + (int)place;
  }
  return cell;
}

cq_status cq_near_create(cq_ctx *ctx, int dim, const double *x, const int *point, int count,
                         double most, cq_near *near) {
  static const int here[3] = {0};
  *near = (cq_near){.ctx = ctx, .dim = dim, .cells = {1, 1, 1}, .x = x, .point = point};
  fit(near, count, most);
  const size_t cells = (size_t)near->cells[0] * (size_t)near->cells[1] * (size_t)near->cells[2];
  CQ_TRY(CQ_ALLOC(ctx, near->head, cells));
  const cq_status status = CQ_ALLOC(ctx, near->next, count);
  if (status != CQ_OK) {
    cq_near_destroy(near);
    return status;
  }
  memset(near->head, 0xff, cells * sizeof *near->head);
  for (int i = count - 1; i >= 0; i--) { /* chains ascend */
    int *head = &near->head[cell_of(near, x + (size_t)point[i] * (size_t)dim, here)];
    near->next[i] = *head;
    *head = i;
  }
  return CQ_OK;
}

void cq_near_destroy(cq_near *near) {
  cq_free(near->ctx, near->head);
  cq_free(near->ctx, near->next);
  near->head = NULL;
  near->next = NULL;
}

/* Points of one cell that are nearer than the radius. */
static int find_in(const cq_near *near, int cell, const double *x, double radius, int room,
                   int *found) {
  const size_t dim = (size_t)near->dim;
  int n = 0;
  for (int i = near->head[cell]; i >= 0 && n < room; i = near->next[i]) {
    double square = 0.0;
    for (size_t a = 0; a < dim; a++) {
      const double d = x[a] - near->x[(size_t)near->point[i] * dim + a];
      square += d * d;
    }
    if (square < radius * radius) {
      found[n++] = i;
    }
  }
  return n;
}

/* Looks in the cell of x and in those around it: a cell is no smaller than the radius. */
int cq_near_find(const cq_near *near, const double *x, double radius, int room, int *found) {
  const int depth = near->dim == 3 ? 1 : 0;
  int n = 0;
  for (int a = 0; a < near->dim; a++) {
    const double place = (x[a] - near->low[a]) / near->edge;
    if (!(place >= -1.0 && place <= near->cells[a] + 1.0)) {
      return 0;
    }
  }
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      for (int k = -depth; k <= depth; k++) {
        const int cell = cell_of(near, x, (const int[3]){i, j, k});
        n += cell >= 0 ? find_in(near, cell, x, radius, room - n, found + n) : 0;
      }
    }
  }
  return n;
}
