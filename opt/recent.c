#include "recent.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

/* One piece of memory for all points. */
cq_status cq_recent_create(cq_ctx *ctx, const cq_problem *problem, cq_recent *out) {
  const size_t n = (size_t)problem->n;
  const size_t m = (size_t)(problem->n_inequality + problem->n_equality);
  const size_t p = (size_t)problem->n_parts;
  const size_t each = 2 * n + m + m * n + p + p * n;
  double *block = NULL;
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, block, CQ_RECENT * each));
  out->n = (int)n;
  out->m = (int)m;
  out->p = (int)p;
  for (int k = 0; k < CQ_RECENT; k++) {
    cq_point *to = &out->points[k];
    to->x = block + (size_t)k * each;
    to->grad = to->x + n;
    to->c = to->grad + n;
    to->jac = to->c + m;
    to->parts = to->jac + m * n;
    to->part_slopes = to->parts + p;
  }
  return CQ_OK;
}

void cq_recent_destroy(cq_ctx *ctx, cq_recent *recent) {
  cq_free(ctx, recent->points[0].x); /* the block of all doubles */
  memset(recent, 0, sizeof *recent);
}

/* In the place of the oldest, unless it is there or has no gradient. */
void cq_recent_add(cq_recent *recent, const cq_point *point) {
  const size_t n = (size_t)recent->n, m = (size_t)recent->m, p = (size_t)recent->p;
  if (!point->has_gradient || point->failed) {
    return;
  }
  for (int k = 0; k < CQ_RECENT; k++) {
    if (recent->points[k].index == point->index) {
      return;
    }
  }
  cq_point *to = &recent->points[recent->next];
  recent->next = (recent->next + 1) % CQ_RECENT;
  to->index = point->index;
  to->has_gradient = true;
  to->probe = point->probe;
  to->f = point->f;
  to->violation = point->violation;
  memcpy(to->x, point->x, n * sizeof(double));
  memcpy(to->grad, point->grad, n * sizeof(double));
  memcpy(to->c, point->c, m * sizeof(double));
  memcpy(to->jac, point->jac, m * n * sizeof(double));
  if (p > 0) {
    memcpy(to->parts, point->parts, p * sizeof(double));
    memcpy(to->part_slopes, point->part_slopes, p * n * sizeof(double));
  }
}

const cq_point *cq_recent_at(const cq_recent *recent, int k) {
  const cq_point *point = &recent->points[(recent->next + CQ_RECENT - 1 - k) % CQ_RECENT];
  return point->index > 0 ? point : NULL;
}
