/* Which nodes meet which bodies, in the order that they act; what they do is mpm_meet_act.c. */
#include "mpm_meet_touch.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* in the first pass */
static cq_status once(cq_ctx *ctx, void **list, int n, size_t size) {
  return *list != NULL ? CQ_OK : cq_alloc(ctx, list, (size_t)n, size);
}

cq_status cq_mpm_meet_begin(cq_ctx *ctx, cq_mpm_meet *m) {
  const int n = m->rigids->n, numbers = n * cq_rigid_twist_size(m->rigids->dim);
  CQ_TRY(once(ctx, (void **)&m->wrench, numbers, sizeof *m->wrench));
  CQ_TRY(once(ctx, (void **)&m->twist, numbers, sizeof *m->twist));
  CQ_TRY(once(ctx, (void **)&m->first, n, sizeof *m->first));
  CQ_TRY(once(ctx, (void **)&m->last, n, sizeof *m->last));
  for (int i = 0; i < n; i++) {
    m->first[i] = m->last[i] = -1;
  }
  m->n_nodes = m->n_touches = m->unsettled = 0;
  return CQ_OK;
}

void cq_mpm_meet_free(cq_ctx *ctx, cq_mpm_meet *m) {
  cq_free(ctx, m->wrench);
  cq_free(ctx, m->twist);
  cq_free(ctx, m->first);
  cq_free(ctx, m->last);
  cq_free(ctx, m->nodes);
  cq_free(ctx, m->touches);
  kept_free(ctx, &m->means);
  *m = (cq_mpm_meet){0};
}

/* Around all bodies that meet nodes, with the cell that their shares reach out. */
bool cq_mpm_meet_box(const cq_mpm_meet *m, double *low, double *high) {
  const int dim = m->rigids->dim;
  bool any = false;
  for (int a = 0; a < dim; a++) {
    low[a] = INFINITY;
    high[a] = -INFINITY;
  }
  for (int i = 0; i < m->rigids->n; i++) {
    const double r = m->rigids->bodies[i].reach + m->cell;
    any = any || m->rigid[i].meets;
    for (int a = 0; a < dim && m->rigid[i].meets; a++) {
      low[a] = fmin(low[a], m->at[i].x[a] - r);
      high[a] = fmax(high[a], m->at[i].x[a] + r);
    }
  }
  return any;
}

/* farther from the centre of mass than the body reaches */
static bool is_far(const cq_mpm_meet *m, int i, const double *x) {
  const double r = m->rigids->bodies[i].reach + m->cell;
  double square = 0.0;
  for (int a = 0; a < m->rigids->dim; a++) {
    const double d = x[a] - m->at[i].x[a];
    square += d * d;
  }
  return square >= r * r;
}

/* Room for one more: twice as much where there is none left. */
static cq_status grow(cq_ctx *ctx, void **list, int n, int *room, size_t size) {
  void *more = NULL;
  if (n < *room) {
    return CQ_OK;
  }
  CQ_TRY(cq_alloc(ctx, &more, 2 * (size_t)*room + 64, size));
  if (n > 0) {
    memcpy(more, *list, (size_t)n * size);
  }
  cq_free(ctx, *list);
  *list = more;
  *room = 2 * *room + 64;
  return CQ_OK;
}

static cq_status add_touch(cq_ctx *ctx, cq_mpm_meet *m, int body, cq_mpm_meet_touch t) {
  CQ_TRY(grow(ctx, (void **)&m->touches, m->n_touches, &m->room_touches, sizeof *m->touches));
  if (m->last[body] < 0) {
    m->first[body] = m->n_touches;
  } else {
    m->touches[m->last[body]].next = m->n_touches;
  }
  m->last[body] = m->n_touches;
  m->touches[m->n_touches++] = t;
  return CQ_OK;
}

/* A touch for each body that has a share in the node, behind those that the body has. */
cq_status cq_mpm_meet_add(cq_ctx *ctx, cq_mpm_meet *m, const cq_mpm_meet_node *node) {
  bool any = false, leans = false;
  for (int i = 0; i < m->rigids->n; i++) {
    cq_mpm_meet_touch t = {.node = m->n_nodes, .next = -1};
    if (m->rigid[i].meets && !is_far(m, i, node->x) &&
        (m->rigids->dim == 2 ? cq_mpm_meet_look_2d_f64(m, i, node, &t)
                             : cq_mpm_meet_look_3d_f64(m, i, node, &t))) {
      any = true;
      leans = leans || t.leans;
      CQ_TRY(add_touch(ctx, m, i, t));
    }
  }
  if (any) {
    CQ_TRY(grow(ctx, (void **)&m->nodes, m->n_nodes, &m->room_nodes, sizeof *m->nodes));
    m->nodes[m->n_nodes] = *node;
    m->nodes[m->n_nodes++].leans = leans;
  }
  return CQ_OK;
}

void cq_mpm_meet_run(cq_mpm_meet *m) {
  for (int i = 0; i < m->rigids->n; i++) {
    if (m->rigids->dim == 2) {
      cq_mpm_meet_act_2d_f64(m, i);
    } else {
      cq_mpm_meet_act_3d_f64(m, i);
    }
  }
}

void cq_mpm_meet_adjoint(const cq_mpm_meet *m, cq_mpm_meet_due *d) {
  for (int i = m->rigids->n - 1; i >= 0; i--) {
    if (m->rigids->dim == 2) {
      cq_mpm_meet_back_2d_f64(m, i, d);
    } else {
      cq_mpm_meet_back_3d_f64(m, i, d);
    }
  }
}
