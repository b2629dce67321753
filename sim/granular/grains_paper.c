/* Algorithm 1 of GranularGym as it is printed, to compare with: a contact pair (i, j) changes grain
 * i alone, j's part is the pair (j, i), increments are clamped and not what has accumulated, and
 * what has been added to j is not seen. Grains do not turn. It keeps neither momentum nor the
 * common motion of a pair, if gamma is not 1. */
#include "grains.h"

#include <string.h>

static const double alpha = 0.02;

/* The change of the velocity of i by a contact with a surface of velocity u; `gap` is negative. */
static void change(const grains *g, const scalar *v, const scalar *u, const scalar *n, scalar gap,
                   scalar friction, scalar *dv) {
  scalar b[CQ_DIM], along = K(0), square = K(0);
  FOR_EACH_AXIS(a) {
    b[a] = v[a] - K(g->own->damping) * u[a] + dv[a];
    along += b[a] * n[a];
  }
  const scalar wanted = -along - K(alpha) * gap * g->inverse_dt;
  const scalar push = wanted > K(0) ? wanted : K(0);
  FOR_EACH_AXIS(a) {
    b[a] -= along * n[a];
    square += b[a] * b[a];
  }
  const scalar most = friction * push;
  const scalar scale = square > most * most ? most / K(sqrt((double)square)) : K(1);
  FOR_EACH_AXIS(a) {
    dv[a] += push * n[a] - scale * b[a];
  }
}

/* velocity of a grain before its own forces */
static void velocity_before(const grains *g, const scalar *row, scalar *v) {
  FOR_EACH_AXIS(a) {
    v[a] = row[ROW_V + a] - g->dt * g->gravity[a];
  }
}

/* The pair (i, j) and the pair (j, i). */
static void visit_pair(const grains *g, const state *s, int i, int j, scalar *dv) {
  const scalar *x = s->place + (size_t)i * GRAIN_PLACE, *y = s->place + (size_t)j * GRAIN_PLACE;
  scalar n[CQ_DIM], square = K(0), u[CQ_DIM];
  FOR_EACH_AXIS(a) {
    n[a] = a == g->cyclic ? nearest_image(g, x[a] - y[a]) : x[a] - y[a];
    square += n[a] * n[a];
  }
  const scalar distance = K(sqrt((double)square)), gap = distance - x[3] - y[3];
  if (!(gap < K(0)) || !(distance > K(0))) {
    return;
  }
  FOR_EACH_AXIS(a) {
    n[a] /= distance;
  }
  const scalar friction = g->kind_share[4 * i] * g->kind_share[4 * j];
  const scalar *vi = s->rows + (size_t)i * GRAIN_ROW, *vj = s->rows + (size_t)j * GRAIN_ROW;
  velocity_before(g, vj, u);
  change(g, vi + ROW_V, u, n, gap, friction, dv + (size_t)i * CQ_DIM);
  FOR_EACH_AXIS(a) {
    n[a] = -n[a];
  }
  velocity_before(g, vi, u);
  change(g, vj + ROW_V, u, n, gap, friction, dv + (size_t)j * CQ_DIM);
}

static void visit_touches(const grains *g, const state *s, const group *unit, scalar *dv) {
  for (int k = 0; k < unit->n_touches; k++) {
    const touch *t = &unit->touches[k];
    if (t->gap < K(0)) {
      change(g, s->rows + (size_t)t->is.grain * GRAIN_ROW + ROW_V, t->v, t->n, t->gap,
             K(g->wall_friction[g->part_tool[t->is.part]]), dv + (size_t)t->is.grain * CQ_DIM);
    }
  }
}

/* Changes add up beside the velocities and reach them after the last iteration alone. */
void V(cq_grains_paper)(const grains *g, const state *s) {
  scalar *dv = g->parallel;
  memset(dv, 0, (size_t)g->n * CQ_DIM * sizeof *dv);
  for (int k = 0; k < g->own->iterations; k++) {
    for (int p = 0; p < s->head->n_pairs; p++) {
      visit_pair(g, s, s->a[p], s->b[p], dv);
    }
    for (int u = 0; u < s->head->n_units; u++) {
      visit_touches(g, s, &g->groups[u], dv);
    }
  }
  for (int i = 0; i < g->n; i++) {
    FOR_EACH_AXIS(a) {
      s->rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] += dv[(size_t)i * CQ_DIM + (size_t)a];
    }
  }
}
