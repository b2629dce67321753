/* How near bodies are to each other in a state of a run. */
#include "inactive.h"

#include "alloc.h"
#include "near.h"
#include "status.h"

#include <math.h>

enum { MOST_FOUND = 32 };

void cq_witness_bounds(cq_witness *w, const double *x) {
  const size_t dim = (size_t)w->scene->model.dim;
  for (size_t b = 0; b < (size_t)w->n_bodies; b++) {
    const cq_body *body = &w->scene->bodies[b];
    for (size_t a = 0; a < dim; a++) {
      double low = INFINITY, high = -INFINITY;
      for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
        low = fmin(low, x[p * dim + a]);
        high = fmax(high, x[p * dim + a]);
      }
      w->low[b * dim + a] = low;
      w->high[b * dim + a] = high;
    }
  }
}

double cq_witness_gap(const cq_witness *w, int i, int j) {
  const size_t dim = (size_t)w->scene->model.dim;
  double square = 0.0;
  for (size_t a = 0; a < dim; a++) {
    const size_t ia = (size_t)i * dim + a, ja = (size_t)j * dim + a;
    const double gap = fmax(w->low[ia] - w->high[ja], w->low[ja] - w->high[ia]);
    square += gap > 0.0 ? gap * gap : 0.0;
  }
  return sqrt(square);
}

/* The distance of particle x from those of near, or `best` where none is nearer than that. */
static double distance_to(const cq_near *near, const double *x, double best) {
  int found[MOST_FOUND];
  for (int n = MOST_FOUND; n == MOST_FOUND;) { /* as long as there may be nearer ones */
    n = cq_near_find(near, x, best, MOST_FOUND, found);
    for (int k = 0; k < n; k++) {
      double square = 0.0;
      for (int a = 0; a < near->dim; a++) {
        const double d = x[a] - near->x[near->point[found[k]] * near->dim + a];
        square += d * d;
      }
      best = fmin(best, sqrt(square));
    }
  }
  return best;
}

/* With cells of about the distance that is looked for. */
cq_status cq_witness_distance(const cq_witness *w, const double *x, int i, int j, double most,
                              double *distance) {
  const cq_scene *scene = w->scene;
  const size_t dim = (size_t)scene->model.dim;
  const cq_body *other = &scene->bodies[j];
  const double gap = cq_witness_gap(w, i, j);
  *distance = most;
  if (gap >= most) {
    return CQ_OK;
  }
  double radius = fmin(most, 1.5 * fmax(gap, scene->model.length));
  for (bool found = false; !found; radius = fmin(most, 2.0 * radius)) {
    cq_near near;
    CQ_TRY(cq_near_create(scene->ctx, (int)dim, x, scene->sets[1 + i].particles,
                          scene->bodies[i].count, radius, &near));
    double best = radius;
    for (size_t p = (size_t)other->first; p < (size_t)(other->first + other->count); p++) {
      best = distance_to(&near, x + p * dim, best);
    }
    cq_near_destroy(&near);
    found = best < radius || radius >= most;
    *distance = fmin(*distance, best);
  }
  return CQ_OK;
}
