/* Algorithm 1 of GranularGym as it is printed, to compare with: a contact pair (i, j) changes grain
 * i alone, j's part is the pair (j, i), increments are clamped and not what has accumulated, and
 * what has been added to j is not seen. Grains do not turn. It keeps neither momentum nor the
 * common motion of a pair, if gamma is not 1. */
#include "grains.h"

#include "point/paper.h"

#include <string.h>

static paper_step step_of(const grains *g) {
  paper_step p = {.dt = g->dt, .inverse_dt = g->inverse_dt, .damping = K(g->own->damping)};
  memcpy(p.gravity, g->gravity, sizeof p.gravity);
  return p;
}

/* The pair (i, j) and the pair (j, i). */
static void visit_pair(const grains *g, const paper_step *p, const state *s, int i, int j,
                       scalar *dv) {
  const scalar *x = s->place + (size_t)i * GRAIN_PLACE, *y = s->place + (size_t)j * GRAIN_PLACE;
  scalar n[CQ_DIM], u[CQ_DIM], gap;
  if (!paper_meet(x, y, g->cyclic, g->period, n, &gap)) {
    return;
  }
  const scalar friction = g->kind_share[4 * i] * g->kind_share[4 * j];
  const scalar *vi = s->rows + (size_t)i * GRAIN_ROW, *vj = s->rows + (size_t)j * GRAIN_ROW;
  paper_before(p, vj + ROW_V, u);
  paper_change(p, vi + ROW_V, u, n, gap, friction, dv + (size_t)i * CQ_DIM);
  FOR_EACH_AXIS(a) {
    n[a] = -n[a];
  }
  paper_before(p, vi + ROW_V, u);
  paper_change(p, vj + ROW_V, u, n, gap, friction, dv + (size_t)j * CQ_DIM);
}

static void visit_touches(const grains *g, const paper_step *p, const state *s, const group *unit,
                          scalar *dv) {
  for (int k = 0; k < unit->n_touches; k++) {
    const touch *t = &unit->touches[k];
    if (t->gap < K(0)) {
      paper_change(p, s->rows + (size_t)t->is.grain * GRAIN_ROW + ROW_V, t->v, t->n, t->gap,
                   K(g->wall_friction[g->part_tool[t->is.part]]),
                   dv + (size_t)t->is.grain * CQ_DIM);
    }
  }
}

/* Changes add up beside the velocities and reach them after the last iteration alone. */
void V(cq_grains_paper)(const grains *g, const state *s) {
  scalar *dv = g->parallel;
  const paper_step step = step_of(g);
  memset(dv, 0, (size_t)g->n * CQ_DIM * sizeof *dv);
  for (int k = 0; k < g->own->iterations; k++) {
    for (int p = 0; p < s->head->n_pairs; p++) {
      visit_pair(g, &step, s, s->a[p], s->b[p], dv);
    }
    for (int u = 0; u < s->head->n_units; u++) {
      visit_touches(g, &step, s, &g->groups[u], dv);
    }
  }
  for (int i = 0; i < g->n; i++) {
    FOR_EACH_AXIS(a) {
      s->rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] += dv[(size_t)i * CQ_DIM + (size_t)a];
    }
  }
}
