#include "probe_curvature.h"

#include "kkt.h"
#include "sqp_vector.h"

#include <math.h>
#include <string.h>

/* of what a residual of the tolerance is worth: a fall that is worth a probe */
static const double SOME = 1e-4;
/* of the largest curvature: one that counts as negative below its negative, or as none */
static const double NEGATIVE = 1e-6, NO_CURVATURE = 1e-2;
/* part of a way that may lead off the constraints, and that is left of a direction when it is none
 */
static const double NEARLY = 1e-3, LITTLE = 1e-3;
/* times the curvature near a point: more is none */
static const double KINK = 30;
/* directions that a gradient each is worth */
enum { LACKING = 2 };

/* out := what the gradient of the Lagrangian differs by at another point, along the constraints */
static void bend(const cq_look *k, const cq_point *point, double *out) {
  cq_look_lagrangian(k, point, false, out);
  cq_axpy(k->n, -1, k->q, out);
  cq_look_keep_active(k, out);
}

/* Adds the way to a recent point, and what the gradient changes by on it; not where much of it
 * leads off the constraints. */
static void add_recent(cq_look *k, const cq_point *point) {
  for (int j = 0; j < k->n; j++) {
    k->d[j] = (point->x[j] - k->x[j]) / cq_problem_scale(&k->problem, j);
  }
  const double whole = sqrt(cq_dot(k->n, k->d, k->d)), far = cq_max_norm(k->n, k->d);
  cq_look_keep_active(k, k->d);
  if (far <= CQ_LOOK_COARSE * k->reach && sqrt(cq_dot(k->n, k->d, k->d)) >= (1 - NEARLY) * whole) {
    bend(k, point, k->to);
    cq_ritz_add(&k->ritz, k->d, k->to);
  }
}

/* hd := H d by the gradient at the end of a fine step along d, and adds it; false where there is
 * none. */
static bool add_step(cq_look *k, const double *d, const cq_found *end, double *hd) {
  if (!end->ok || !end->point->has_gradient) {
    return false;
  }
  bend(k, end->point, hd);
  for (int j = 0; j < k->n; j++) {
    hd[j] /= k->fine * k->reach;
  }
  cq_ritz_add(&k->ritz, d, hd);
  return true;
}

/* One product from the end of r, and one from each recent point that tells something. */
bool cq_curvature_gather(cq_look *k, const cq_found *ahead) {
  cq_ritz_open(&k->ritz, k->n, k->block);
  if (!add_step(k, k->r, ahead, k->h)) {
    return false;
  }
  for (int i = 0; i < CQ_RECENT; i++) {
    const cq_point *const point = cq_recent_at(&k->ev->recent, i);
    if (point != NULL && cq_kkt_tells(&k->as_if, &k->ev->best, point)) {
      add_recent(k, point);
    }
  }
  return true;
}

/* A step along d, where any better point refutes, and a larger one where it does: methods stop
 * early near a point without gradient. */
static void step_along(cq_look *k, double step) {
  cq_look_probe(k, k->d, step, false, 0);
  if (k->refuted && k->left >= 1) {
    cq_look_probe(k, k->d, step * CQ_LOOK_LARGE / CQ_LOOK_COARSE, false, 0);
  }
}

/* Variables whose own curvature is negative, as far as one product tells. */
static void check_variables(cq_look *k) {
  const double negative = -fmax(NEGATIVE, k->fine) * cq_max_norm(k->n, k->h);
  for (int j = 0; j < k->n; j++) {
    k->d[j] = k->r[j] * k->h[j] < negative * fabs(k->r[j]) ? k->r[j] : 0;
  }
  cq_look_keep_active(k, k->d);
  if (cq_look_normalize(k, k->d, 0)) {
    step_along(k, cq_dot(k->n, k->q, k->d) > 0 ? -CQ_LOOK_COARSE : CQ_LOOK_COARSE);
  }
}

/* How many ways lead along the constraints. */
static int free_ways(const cq_look *k) {
  int ways = -k->rank;
  for (int j = 0; j < k->n; j++) {
    ways += !k->held[j];
  }
  return ways;
}

/* Whether f falls along d: by the slope, or where there is next to none by what it is odd by along
 * r. */
static bool downhill(const cq_look *k) {
  const double along = cq_dot(k->n, k->r, k->d);
  return k->odd != 0 ? k->odd * along < 0 : cq_dot(k->n, k->q, k->d) <= 0;
}

/* k->d := a direction that all known products say nothing of, z'H d = 0: where these have the
 * large curvatures, that of d is the least, or negative if any is. */
static bool conjugate(cq_look *k) {
  for (int tries = 0; tries < 2; tries++) {
    if (tries == 0) {
      memcpy(k->d, k->r, (size_t)k->n * sizeof *k->d);
    } else if (!cq_look_draw(k, k->d)) {
      return false;
    }
    cq_ritz_conjugate(&k->ritz, k->d);
    cq_look_keep_active(k, k->d);
    if (cq_max_norm(k->n, k->d) > LITTLE) {
      return cq_look_normalize(k, k->d, 0);
    }
  }
  return false;
}

/* Steps along d where the curvature may be negative, or none: downhill first. */
static void check_both_ways(cq_look *k) {
  const double by = downhill(k) ? CQ_LOOK_COARSE : -CQ_LOOK_COARSE;
  for (int way = 1; way >= -1 && !k->refuted && k->left >= 1; way -= 2) {
    step_along(k, way * by);
  }
}

/* Where the span of what is known is not all: along directions that may have what it lacks. */
static void check_unknown(cq_look *k) {
  check_variables(k);
  if (!k->refuted && k->left >= 1 && conjugate(k)) {
    check_both_ways(k);
  }
}

/* Descent where f is flat beside what it is across: what is left of the gradient beside the
 * directions that the point is settled along, those of large curvature. A residual says little
 * where the curvature differs much between directions: the claim falls where f still falls after a
 * fine step. */
static void check_valley(cq_look *k) {
  const double fine = CQ_LOOK_FINE * k->reach;
  for (int j = 0; j < k->n; j++) {
    k->d[j] = -k->q[j];
  }
  cq_look_keep_active(k, k->d);
  const double before = cq_max_norm(k->n, k->d);
  for (int i = 0; i < k->ritz.size; i++) {
    cq_ritz_vector(&k->ritz, i, k->to);
    const double slope = cq_dot(k->n, k->q, k->to);
    if (fabs(slope) < fine * k->ritz.values[i]) {
      cq_axpy(k->n, slope, k->to, k->d);
    }
  }
  if (k->left >= 1 && cq_look_normalize(k, k->d, before)) {
    const double falls = -cq_dot(k->n, k->q, k->d) * fine;
    if (falls > 2 * k->noise &&
        falls > SOME * cq_look_explained(k, k->run->def->optimality_tolerance)) {
      cq_look_probe(k, k->d, CQ_LOOK_FINE, false, 0.5 * falls);
    }
  }
}

bool cq_curvature_is_bent(const cq_look *k) {
  double slope = 0;
  for (int j = 0; j < k->n; j++) {
    slope = fmax(slope, fabs(k->ev->best.grad[j]) * k->size[j]);
  }
  const double most = fmax(KINK * cq_max_norm(k->n, k->h) * k->reach, slope);
  return k->run->residual * k->unit > k->run->def->optimality_tolerance * most;
}

/* Where two directions are lacking, a gradient along each completes the curvature: the six forward
 * runs are kept, and what the gradients cost beside them comes on top. */
static void complete(cq_look *k) {
  if (free_ways(k) - k->ritz.size != LACKING || k->refuted || k->left < LACKING) {
    return;
  }
  k->left = CQ_LOOK_BUDGET - k->runs;
  for (int i = 0; i < LACKING && !k->refuted && cq_look_draw(k, k->d); i++) {
    k->left += CQ_LOOK_GRADIENT - 1;
    const cq_found there = cq_look_probe(k, k->d, k->fine, true, cq_look_explained(k, k->fine));
    add_step(k, k->d, &there, k->to);
  }
}

/* Where the whole curvature is known, along what it says; else along what may have the rest. */
void cq_curvature_check(cq_look *k) {
  complete(k);
  if (k->refuted || k->left < 1 || k->ritz.size == 0) {
    return;
  }
  const cq_status status = cq_ritz_solve(k->run->ctx, &k->ritz);
  if (status != CQ_OK) {
    cq_evaluator_fail(k->ev, status);
    k->cut = true;
    return;
  }
  const double largest = fmax(fabs(k->ritz.values[k->ritz.size - 1]), fabs(k->ritz.values[0]));
  if (!(largest > 0)) {
    return; /* flat, as far as this shows */
  }
  if (k->ritz.size < free_ways(k)) {
    check_unknown(k);
  } else {
    if (k->ritz.values[0] >= -fmax(NEGATIVE, k->fine) * largest) {
      check_valley(k);
    }
    cq_ritz_vector(&k->ritz, 0, k->d);
    if (k->ritz.values[0] <= NO_CURVATURE * largest && cq_look_normalize(k, k->d, 0)) {
      check_both_ways(k);
    }
  }
}
