#include "probe.h"

#include "alloc.h"
#include "grade.h"
#include "kkt.h"
#include "ritz.h"
#include "rng.h"
#include "sqp_vector.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* [reach] steps */
static const double FINEST = 1e-5, FINE = 1e-3, COARSE = 1e-2, LARGE = 0.1;
/* [forward runs] at most, and for a gradient */
static const double BUDGET = 6, GRADIENT = 3;
/* of tolerance x unit: worth of the room before a bound or a constraint that is no room */
static const double NO_ROOM = 0.01;
/* of what a residual of the tolerance is worth: a fall that is worth a probe */
static const double SOME = 1e-4;
/* of the largest curvature: one that counts as negative below its negative, or as none */
static const double NEGATIVE = 1e-6, NO_CURVATURE = 1e-2;
/* of the noise: what a fine step is to change f by */
static const double SHOWN = 200;
/* of what the curvature is worth: a slope beside the gradient's that is none */
static const double CONTRADICTION = 0.1;
/* part of a vector that is left of it, or of one along another, when it is none */
static const double NOTHING = 1e-8, NEARLY = 1e-3, LITTLE = 1e-3;
/* of the tolerance: a residual by the curvature nearby, and a slope that the gradient lacks, that
 * speak against a claim */
static const double DOUBT = 2, LIE = 10;
/* times the curvature near a point: more is none */
static const double KINK = 30;
/* of the first gradient */
static const double SMALL = 1e-3;
/* of a violation: a gradient of it per scale that is none, a decrease that is one */
static const double NO_SLOPE = 1e-6, LESS = 1e-9;

/* directions that a gradient each is worth */
enum { LACKING = 2 };

typedef struct look {
  cq_run *run;
  cq_evaluator *ev;
  cq_problem problem; /* with the sizes of its variables (cq_kkt_sizes) for scales */
  cq_evaluator as_if; /* *ev with that problem */
  int n, m;
  cq_rng rng;
  double reach; /* [scale] of steps, in which all variables below are counted */
  double f, merit, unit, noise;
  double fine; /* [reach] step along r */
  double odd;  /* half of what the merit differs by between both ends of r */
  double left; /* [forward runs] */
  int runs;    /* so far */
  bool differs, refuted;
  bool cut;      /* nothing may be evaluated any more */
  int rank;      /* rows of the basis */
  double *size;  /* [n] scales of k->problem */
  double *x, *q; /* [n] the point; gradient of the Lagrangian, in scaled variables as all others */
  double *r, *h, *d;   /* [n] directions (probe.h) */
  double *to;          /* [n] a point to evaluate */
  cq_ritz ritz;        /* what is known of the curvature along the constraints */
  double *block;       /* of it */
  double *basis;       /* [m + n_parts][n] orthonormal rows of active constraints */
  bool *held, *active; /* [n] by its bound, [m] */
} look;

/* what one probe found */
typedef struct found {
  bool ok;
  double slope, change; /* of the merit, as the gradient has it and as it is */
  const cq_point *point;
} found;

/* of the Lagrangian: of constraints, and of parts, the weights of a mixture if they are of f */
static double multiplier(const look *k, int i) {
  return k->run->multipliers[i];
}

static double weight(const look *k, int part) {
  return k->run->multipliers[k->m + part];
}

/* f and what it costs to stay on the active constraints: along them the Lagrangian. What has parts
 * is the mixture of them. */
static double merit(const look *k, const cq_point *point) {
  const cq_problem *problem = &k->problem;
  double sum = cq_problem_has_parts(problem, -1) ? 0 : point->f;
  for (int i = 0; i < k->m; i++) {
    sum += k->active[i] && !cq_problem_has_parts(problem, i) ? multiplier(k, i) * point->c[i] : 0;
  }
  for (int p = 0; p < problem->n_parts; p++) {
    const int of = problem->part_of[p];
    sum += of < 0 || k->active[of] ? weight(k, p) * point->parts[p] : 0;
  }
  return sum;
}

/* Whether a part that the mixture does without decides. */
static bool is_decided_otherwise(const look *k, const cq_point *point) {
  for (int p = 0; p < k->problem.n_parts; p++) {
    const int of = k->problem.part_of[p];
    if (weight(k, p) == 0 && point->parts[p] > (of < 0 ? k->f : k->ev->tolerance[of])) {
      return true;
    }
  }
  return false;
}

/* Whether a constraint that is not active at the best point is violated, or a part counts that does
 * not there. */
static bool is_outside(const look *k, const cq_point *point) {
  for (int i = 0; i < k->m; i++) {
    const double c = i < k->problem.n_inequality ? point->c[i] : fabs(point->c[i]);
    if (!k->active[i] && c > k->ev->tolerance[i]) {
      return true;
    }
  }
  return is_decided_otherwise(k, point);
}

/* k->to := x + step d, on the bounds where that is outside; its slope by the gradient */
static double place(look *k, const double *d, double step) {
  double slope = 0;
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(&k->problem, j);
    const double to = k->x[j] + step * k->reach * d[j] * scale;
    k->to[j] = d[j] == 0 ? k->x[j] : fmin(fmax(to, k->problem.lower[j]), k->problem.upper[j]);
    slope += k->q[j] * (k->to[j] - k->x[j]) / scale;
  }
  return slope;
}

/* Evaluates x + step d; better: by what a point refutes. */
static found probe_at(look *k, const double *d, double step, bool gradient, double better) {
  found out = {.slope = place(k, d, step)};
  k->left -= gradient ? GRADIENT : 1;
  k->runs++;
  /* with constraints or parts the merit decides, and f alone may be bought by a violation */
  const bool has_merit = k->m > 0 || k->problem.n_parts > 0;
  const double bar = has_merit ? -INFINITY : k->f - better - k->noise;
  const cq_status status = cq_evaluate_probe(k->ev, k->to, gradient, bar, &out.point);
  k->differs = k->differs || status != CQ_OK;
  k->cut = k->cut || (status == CQ_OK && out.point == NULL);
  if (out.point == NULL) {
    return out;
  }
  k->differs = k->differs || fabs(out.point->f - k->f) > k->noise;
  out.ok = !is_outside(k, out.point);
  if (!out.ok) {
    return out;
  }
  out.change = merit(k, out.point) - k->merit;
  if (out.change < -better - k->noise) {
    k->refuted = true;
    k->run->doubt = NULL;
    k->run->gain = -out.change;
    if (cq_evaluator_feasible(k->ev, out.point) && out.point->f < k->ev->best.f) {
      cq_evaluator_set_best(k->ev, out.point);
    }
  }
  return out;
}

/* The claim falls though no probe is better: says why. */
static void doubt(look *k, const char *why) {
  k->refuted = true;
  k->run->doubt = why;
}

/* tolerance x unit x step */
static double explained(const look *k, double step) {
  return k->run->def->optimality_tolerance * k->unit * step * k->reach;
}

/* Adds l times slopes, in scaled variables, to out. */
static void add(const look *k, double l, const double *slopes, double *out) {
  for (int j = 0; j < k->n; j++) {
    out[j] += l * slopes[j] * cq_problem_scale(&k->problem, j);
  }
}

/* whether constraint i has a room before it that is worth something */
static bool has_room(const look *k, const cq_point *point, int i) {
  const double most = NO_ROOM * k->run->def->optimality_tolerance * k->unit;
  return i < k->problem.n_inequality && -multiplier(k, i) * point->c[i] > most &&
         cq_kkt_distance(&k->as_if, point, i) > 0;
}

/* gradient of f + sum lambda_i c_i in scaled variables, of the mixture where these have parts;
 * worthless: with the multipliers alone of constraints whose room is worth nothing */
static void lagrangian(const look *k, const cq_point *point, bool worthless, double *out) {
  const cq_problem *problem = &k->problem;
  const size_t n = (size_t)k->n;
  const bool mixed = cq_problem_has_parts(problem, -1);
  for (int j = 0; j < k->n; j++) {
    out[j] = mixed ? 0 : point->grad[j] * cq_problem_scale(problem, j);
  }
  for (int i = 0; i < k->m; i++) {
    if (!cq_problem_has_parts(problem, i) && !(worthless && has_room(k, point, i))) {
      add(k, multiplier(k, i), point->jac + (size_t)i * n, out);
    }
  }
  for (int p = 0; p < problem->n_parts; p++) {
    const int of = problem->part_of[p];
    if (of < 0 || !(worthless && has_room(k, point, of))) {
      add(k, weight(k, p), point->part_slopes + (size_t)p * n, out);
    }
  }
}

/* Which variables their bound holds: they lie on it, as near as the residual forgives. */
static void set_held(look *k, const double *q, double room_worth) {
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(&k->problem, j);
    const double room = (q[j] > 0 ? k->x[j] - k->problem.lower[j] : k->problem.upper[j] - k->x[j]);
    k->held[j] = k->problem.lower[j] >= k->problem.upper[j] ||
                 (q[j] != 0 && room <= k->run->def->optimality_tolerance * scale &&
                  fabs(q[j]) * room / scale <= room_worth);
  }
}

/* Takes the parts along the active constraints, and of held variables, out of d. */
static void keep_active(const look *k, double *d) {
  for (int j = 0; j < k->n; j++) {
    d[j] = k->held[j] ? 0 : d[j];
  }
  for (int twice = 0; twice < 2; twice++) {
    for (int i = 0; i < k->rank; i++) {
      const double *row = k->basis + (size_t)i * (size_t)k->n;
      cq_axpy(k->n, -cq_dot(k->n, row, d), row, d);
    }
  }
}

/* Adds slopes, less those of `from` if that is not NULL, to the basis, if they are not in it. */
static void add_to_basis(look *k, const double *slopes, const double *from) {
  double *row = k->basis + (size_t)k->rank * (size_t)k->n;
  for (int j = 0; j < k->n; j++) {
    row[j] = (slopes[j] - (from != NULL ? from[j] : 0)) * cq_problem_scale(&k->problem, j);
  }
  const double before = sqrt(cq_dot(k->n, row, row));
  keep_active(k, row);
  const double after = sqrt(cq_dot(k->n, row, row));
  if (after > NOTHING * before && k->rank < k->n) {
    for (int j = 0; j < k->n; j++) {
      row[j] /= after;
    }
    k->rank++;
  }
}

/* The part of f with the largest weight; -1: f has none. */
static int heaviest_part(const look *k) {
  int heaviest = -1;
  for (int p = 0; p < k->problem.n_parts; p++) {
    if (k->problem.part_of[p] < 0 && (heaviest < 0 || weight(k, p) > weight(k, heaviest))) {
      heaviest = p;
    }
  }
  return heaviest;
}

/* Orthonormal rows of the constraints that are active, and of the kink on which the parts that the
 * mixture is made of are equal, over the variables that are not held; worthless: of those whose
 * room is worth nothing. */
static void set_basis(look *k, const cq_point *point, bool worthless) {
  const size_t n = (size_t)k->n;
  const int heaviest = heaviest_part(k);
  k->rank = 0;
  for (int i = 0; i < k->m; i++) {
    k->active[i] = cq_kkt_distance(&k->as_if, point, i) <= k->run->def->optimality_tolerance;
    if (k->active[i] && !(worthless && has_room(k, point, i))) {
      add_to_basis(k, point->jac + (size_t)i * n, NULL);
    }
  }
  for (int p = 0; p < k->problem.n_parts; p++) {
    const double *const slopes = point->part_slopes + (size_t)p * n;
    const double *const from =
        k->problem.part_of[p] < 0 ? point->part_slopes + (size_t)heaviest * n : NULL;
    if (weight(k, p) > 0 && p != heaviest) {
      add_to_basis(k, slopes, from);
    }
  }
}

/* Makes the inf-norm of d 1; false where there is nothing of `before` left in it. */
static bool normalize(const look *k, double *d, double before) {
  const double size = cq_max_norm(k->n, d);
  for (int j = 0; j < k->n && size > 0; j++) {
    d[j] /= size;
  }
  return size > NOTHING * before;
}

/* A random direction that may be gone both ways, or one way from a bound. */
static bool draw(look *k, double *d) {
  for (int j = 0; j < k->n; j++) {
    d[j] = cq_rng_normal(&k->rng);
    const double step = COARSE * k->reach * cq_problem_scale(&k->problem, j);
    if (k->x[j] + step > k->problem.upper[j]) {
      d[j] = -fabs(d[j]);
    } else if (k->x[j] - step < k->problem.lower[j]) {
      d[j] = fabs(d[j]);
    }
  }
  keep_active(k, d);
  return normalize(k, d, 1);
}

/* The slope along r as the values on both sides have it, where the gradient has another: to the
 * minimum of the parabola through them, and not so near that noise could have made it. If that is
 * no better, and no what the gradient promises either, the residual made of it is worth nothing. */
static void check_slope(look *k, const found *ahead, const found *behind) {
  if (!ahead->ok || !behind->ok || k->refuted) {
    return;
  }
  const double odd = 0.5 * (ahead->change - behind->change);
  const double even = 0.5 * (ahead->change + behind->change);
  const double slope = 0.5 * (ahead->slope - behind->slope);
  k->odd = fabs(odd - slope) > CONTRADICTION * fabs(slope) + k->noise ? odd - slope : 0;
  if (k->left < 1 || fabs(odd - slope) <= 2 * k->noise + CONTRADICTION * fabs(even) ||
      fabs(odd - slope) <= explained(k, k->fine)) {
    return;
  }
  const double least = even > 0 ? 0.5 * fabs(odd) / even * k->fine : LARGE;
  const double step = copysign(fmin(fmax(least, FINE), LARGE), -odd), times = step / k->fine;
  const found there = probe_at(k, k->r, step, false, explained(k, k->fine * k->fine));
  const double reach = step * k->reach;
  const double curved =
      k->ritz.size > 0 ? 0.5 * cq_dot(k->n, k->r, k->h) * reach * reach : even * times * times;
  const double off = there.change - there.slope - curved;
  if (!k->refuted && there.ok &&
      fabs(off) > LIE * explained(k, fabs(step)) + CONTRADICTION * fabs(there.change)) {
    doubt(k, "values nearby contradict its gradient");
  }
}

/* Away from the bounds that hold variables, in so many groups: by a gradient that is right f rises.
 */
static void check_held(look *k, int groups) {
  for (int g = 0; g < groups && !k->refuted && k->left >= 1; g++) {
    int held = 0;
    for (int j = 0; j < k->n; j++) {
      const bool may = k->held[j] && k->problem.lower[j] < k->problem.upper[j];
      k->d[j] = !may || held % groups != g ? 0 : k->q[j] > 0 ? 1 : -1;
      held += may;
    }
    if (cq_max_norm(k->n, k->d) > 0) {
      probe_at(k, k->d, FINE, false, 0);
    }
  }
}

/* out := what the gradient of the Lagrangian differs by at another point, along the constraints */
static void bend(const look *k, const cq_point *point, double *out) {
  lagrangian(k, point, false, out);
  cq_axpy(k->n, -1, k->q, out);
  keep_active(k, out);
}

/* Adds the way to a recent point, and what the gradient changes by on it; not where much of it
 * leads off the constraints. */
static void add_recent(look *k, const cq_point *point) {
  for (int j = 0; j < k->n; j++) {
    k->d[j] = (point->x[j] - k->x[j]) / cq_problem_scale(&k->problem, j);
  }
  const double whole = sqrt(cq_dot(k->n, k->d, k->d)), far = cq_max_norm(k->n, k->d);
  keep_active(k, k->d);
  if (far <= COARSE * k->reach && sqrt(cq_dot(k->n, k->d, k->d)) >= (1 - NEARLY) * whole) {
    bend(k, point, k->to);
    cq_ritz_add(&k->ritz, k->d, k->to);
  }
}

/* What the gradients of the end of r and of recent points tell of the curvature; k->h := H r. False
 * where r has none. */
static bool gather(look *k, const found *ahead) {
  cq_ritz_open(&k->ritz, k->n, k->block);
  if (!ahead->ok || !ahead->point->has_gradient) {
    return false;
  }
  bend(k, ahead->point, k->h);
  for (int j = 0; j < k->n; j++) {
    k->h[j] /= k->fine * k->reach;
  }
  cq_ritz_add(&k->ritz, k->r, k->h);
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
static void step_along(look *k, double step) {
  probe_at(k, k->d, step, false, 0);
  if (k->refuted && k->left >= 1) {
    probe_at(k, k->d, step * LARGE / COARSE, false, 0);
  }
}

/* Variables whose own curvature is negative, as far as one product tells. */
static void check_variables(look *k) {
  const double negative = -fmax(NEGATIVE, k->fine) * cq_max_norm(k->n, k->h);
  for (int j = 0; j < k->n; j++) {
    k->d[j] = k->r[j] * k->h[j] < negative * fabs(k->r[j]) ? k->r[j] : 0;
  }
  keep_active(k, k->d);
  if (normalize(k, k->d, 0)) {
    step_along(k, cq_dot(k->n, k->q, k->d) > 0 ? -COARSE : COARSE);
  }
}

/* in the span of what is known; 0: nothing is */
static double largest_curvature(const look *k) {
  const int size = k->ritz.size;
  return size > 0 ? fmax(fabs(k->ritz.values[size - 1]), fabs(k->ritz.values[0])) : 0;
}

/* How many ways lead along the constraints. */
static int free_ways(const look *k) {
  int ways = -k->rank;
  for (int j = 0; j < k->n; j++) {
    ways += !k->held[j];
  }
  return ways;
}

/* Whether f falls along d: by the slope, or where there is next to none by what it is odd by along
 * r. */
static bool downhill(const look *k, bool is_flat) {
  const double along = cq_dot(k->n, k->r, k->d);
  return is_flat && k->odd != 0 ? k->odd * along < 0 : cq_dot(k->n, k->q, k->d) <= 0;
}

/* k->d := a direction that all known products say nothing of, z'H d = 0: where these have the
 * large curvatures, that of d is the least, or negative if any is. */
static bool conjugate(look *k) {
  for (int tries = 0; tries < 2; tries++) {
    if (tries == 0) {
      memcpy(k->d, k->r, (size_t)k->n * sizeof *k->d);
    } else if (!draw(k, k->d)) {
      return false;
    }
    cq_ritz_conjugate(&k->ritz, k->d);
    keep_active(k, k->d);
    if (normalize(k, k->d, LITTLE / NOTHING)) {
      return true;
    }
  }
  return false;
}

/* Steps along d where the curvature may be negative, or none: downhill first. */
static void check_both_ways(look *k) {
  const double by = downhill(k, true) ? COARSE : -COARSE;
  for (int way = 1; way >= -1 && !k->refuted && k->left >= 1; way -= 2) {
    step_along(k, way * by);
  }
}

/* Where the span of what is known is not all: along directions that may have what it lacks. */
static void check_unknown(look *k) {
  check_variables(k);
  if (!k->refuted && k->left >= 1 && conjugate(k)) {
    check_both_ways(k);
  }
}

/* Descent where f is flat beside what it is across: what is left of the gradient beside the
 * directions that the point is settled along, those of large curvature. A residual says little
 * where the curvature differs much between directions: the claim falls where f still falls after a
 * fine step. */
static void check_valley(look *k) {
  const double fine = FINE * k->reach;
  for (int j = 0; j < k->n; j++) {
    k->d[j] = -k->q[j];
  }
  keep_active(k, k->d);
  const double before = cq_max_norm(k->n, k->d);
  for (int i = 0; i < k->ritz.size; i++) {
    cq_ritz_vector(&k->ritz, i, k->to);
    const double slope = cq_dot(k->n, k->q, k->to);
    if (fabs(slope) < fine * k->ritz.values[i]) {
      cq_axpy(k->n, slope, k->to, k->d);
    }
  }
  if (k->left >= 1 && normalize(k, k->d, before)) {
    const double falls = -cq_dot(k->n, k->q, k->d) * fine;
    if (falls > 2 * k->noise && falls > SOME * explained(k, k->run->def->optimality_tolerance)) {
      probe_at(k, k->d, FINE, false, 0.5 * falls);
    }
  }
}

/* Whether the residual is small by a curvature alone that is not found around the point: one across
 * a kink. */
static bool is_bent(const look *k) {
  double slope = 0;
  for (int j = 0; j < k->n; j++) {
    slope = fmax(slope, fabs(k->ev->best.grad[j]) * k->size[j]);
  }
  const double most = fmax(KINK * cq_max_norm(k->n, k->h) * k->reach, slope);
  return k->run->residual * k->unit > k->run->def->optimality_tolerance * most;
}

/* Where two directions are lacking, a gradient along each completes the curvature: the six forward
 * runs are kept, and what the gradients cost beside them comes on top. */
static void complete(look *k) {
  if (free_ways(k) - k->ritz.size != LACKING || k->refuted || k->left < LACKING) {
    return;
  }
  k->left = BUDGET - k->runs;
  for (int i = 0; i < LACKING && !k->refuted && draw(k, k->d); i++) {
    k->left += GRADIENT - 1;
    const found there = probe_at(k, k->d, k->fine, true, explained(k, k->fine));
    if (there.ok && there.point->has_gradient) {
      bend(k, there.point, k->to);
      for (int j = 0; j < k->n; j++) {
        k->to[j] /= k->fine * k->reach;
      }
      cq_ritz_add(&k->ritz, k->d, k->to);
    }
  }
}

/* Whether the curvature along some direction speaks against the point. */
static void check_curvature(look *k) {
  complete(k);
  const cq_status status = k->ritz.size > 0 ? cq_ritz_solve(k->run->ctx, &k->ritz) : CQ_OK;
  if (status != CQ_OK) {
    cq_evaluator_fail(k->ev, status);
    k->cut = true;
    return;
  }
  const int size = k->ritz.size;
  const double largest = largest_curvature(k);
  if (k->refuted || k->left < 1 || !(largest > 0)) {
    return; /* flat, as far as this shows */
  }
  if (size < free_ways(k)) {
    check_unknown(k);
  } else {
    if (k->ritz.values[0] >= -fmax(NEGATIVE, k->fine) * largest) {
      check_valley(k);
    }
    cq_ritz_vector(&k->ritz, 0, k->d);
    if (k->ritz.values[0] <= NO_CURVATURE * largest && normalize(k, k->d, 0)) {
      check_both_ways(k);
    }
  }
}

/* Part of a step along d that the room of constraints leaves. */
static double step_to_constraints(const look *k, const cq_point *point, double step) {
  for (int i = 0; i < k->problem.n_inequality; i++) {
    double slope = 0;
    for (int j = 0; j < k->n; j++) {
      slope += point->jac[(size_t)i * (size_t)k->n + (size_t)j] * k->d[j] *
               cq_problem_scale(&k->problem, j);
    }
    if (slope > 0 && cq_kkt_distance(&k->as_if, point, i) > 0) {
      step = fmin(step, fmax(-point->c[i], 0) / slope);
    }
  }
  return step;
}

/* Steepest descent, where bounds and constraints near the point are no excuse. */
static void check_descent(look *k, const cq_point *point) {
  if (k->refuted || k->left < 1) {
    return;
  }
  lagrangian(k, point, true, k->d);
  set_held(k, k->d, NO_ROOM * explained(k, 1));
  set_basis(k, point, true);
  const double size = cq_max_norm(k->n, k->d);
  for (int j = 0; j < k->n; j++) {
    k->d[j] = -k->d[j];
  }
  keep_active(k, k->d);
  const double step =
      size > 0 && normalize(k, k->d, size) ? step_to_constraints(k, point, COARSE) : 0;
  if (step >= FINE) {
    const double falls = -cq_dot(k->n, k->q, k->d) * step * k->reach;
    probe_at(k, k->d, step, false, CONTRADICTION * fmax(falls, 0));
  }
}

/* Without a gradient ahead: another random pair, by coarse steps. */
static void check_coarsely(look *k) {
  if (!k->refuted && k->left >= 3 && draw(k, k->r)) {
    probe_at(k, k->r, COARSE, false, explained(k, COARSE));
    if (!k->refuted) {
      probe_at(k, k->r, -COARSE, false, explained(k, COARSE));
    }
  }
}

/* The residual once more, with the curvature that is known now. The mixture of parts stays what the
 * merit has been measured with. */
static bool is_still_stationary(look *k) {
  double *const multipliers = k->problem.n_parts > 0 ? k->ev->multipliers : k->run->multipliers;
  double residual = NAN;
  if (cq_kkt_judge(k->ev, &k->ev->best, multipliers, &residual) != CQ_OK) {
    return true;
  }
  const bool is = !(residual > DOUBT * k->run->def->optimality_tolerance);
  k->run->residual = is ? k->run->residual : residual;
  return is;
}

static void look_around(look *k) {
  const cq_point *point = &k->ev->best;
  const bool gradient = k->run->def->gradient_cost <= GRADIENT;
  if (!draw(k, k->r)) {
    check_held(k, (int)k->left);
  } else {
    const found ahead = probe_at(k, k->r, k->fine, gradient, explained(k, k->fine));
    if (!k->refuted && !is_still_stationary(k)) {
      doubt(k, "f curves less nearby than it seemed to");
      return;
    }
    const bool curved = !k->refuted && gather(k, &ahead);
    if (curved && (is_bent(k) || cq_kkt_is_kink(k->ev, point, ahead.point))) {
      doubt(k, "f has a kink nearby");
      return;
    }
    const found behind =
        k->refuted ? ahead : probe_at(k, k->r, -k->fine, false, explained(k, k->fine));
    check_slope(k, &ahead, &behind);
    check_held(k, 1);
    if (curved) {
      check_curvature(k);
    } else {
      check_coarsely(k);
    }
  }
  check_descent(k, point);
}

static void begin(look *k) {
  const cq_point *point = &k->ev->best;
  cq_kkt_sizes(k->ev, point, k->size);
  k->problem.scale = k->size;
  k->as_if = *k->ev;
  k->as_if.problem = &k->problem;
  k->rng = cq_rng_seed(cq_ctx_seed(k->run->ctx) + 0x9e3779b97f4a7c15u * (uint64_t)point->index);
  memcpy(k->x, point->x, (size_t)k->n * sizeof *k->x);
  k->f = point->f;
  k->unit = fmax(cq_kkt_unit(&k->as_if, point), DBL_MIN);
  k->left = BUDGET;
  k->reach = cq_kkt_reach(&k->as_if, point);
  lagrangian(k, point, false, k->q);
  set_held(k, k->q, INFINITY);
  set_basis(k, point, false);
  k->merit = merit(k, point);
  double size = fabs(point->f);
  for (int i = 0; i < k->m; i++) {
    size += fabs(k->run->multipliers[i]) * k->ev->size[i];
  }
  k->noise = cq_evaluator_noise(k->ev, size);
  /* a fine step is to show in f */
  const double shows = sqrt(SHOWN * k->noise / k->unit);
  k->fine = fmin(fmax(shows / k->reach, FINEST), FINE);
  k->reach = fmin(fmax(k->reach, shows / FINE), 1);
}

static cq_status open_look(cq_run *run, look *k, double **doubles) {
  const size_t n = (size_t)run->problem->n, m = (size_t)run->evaluator->m;
  *k = (look){.run = run,
              .ev = run->evaluator,
              .problem = *run->problem,
              .n = run->problem->n,
              .m = run->evaluator->m};
  CQ_TRY(CQ_ALLOC(run->ctx, *doubles,
                  (7 + 2 * CQ_RITZ_MOST + m + 1 + (size_t)run->problem->n_parts) * n));
  k->x = *doubles;
  k->q = k->x + n;
  k->r = k->q + n;
  k->h = k->r + n;
  k->d = k->h + n;
  k->to = k->d + n;
  k->size = k->to + n;
  k->block = k->size + n;
  k->basis = k->block + 2 * CQ_RITZ_MOST * n;
  CQ_TRY(CQ_ALLOC(run->ctx, k->held, n + m));
  k->active = k->held + n;
  return CQ_OK;
}

/* Runs `what` on a look around the best point. */
static void with_look(cq_run *run, void (*what)(look *k)) {
  look k;
  double *doubles = NULL;
  const cq_status status = open_look(run, &k, &doubles);
  if (status == CQ_OK) {
    what(&k);
  } else {
    cq_evaluator_fail(run->evaluator, status);
  }
  cq_free(run->ctx, k.held);
  cq_free(run->ctx, doubles);
}

/* Whether moves of a tenth of every scale change f by less than noise, going by the gradient. */
static bool is_level(const look *k) {
  double change = 0;
  for (int j = 0; j < k->n; j++) {
    change += fabs(k->ev->best.grad[j]) * cq_problem_scale(&k->problem, j);
  }
  return LARGE * change <= k->noise;
}

static void look_at_optimum(look *k) {
  begin(k);
  look_around(k);
  const bool level = !k->refuted && !k->cut && !k->differs && is_level(k);
  if (level && k->reach < 1 && k->left >= 1 && draw(k, k->r)) {
    k->reach = 1; /* the run has moved too little to tell */
    probe_at(k, k->r, COARSE, false, 0);
  }
  k->run->probed = k->refuted             ? CQ_PROBED_REFUTED
                   : k->cut               ? CQ_PROBED_CUT
                   : level && !k->differs ? CQ_PROBED_FLAT
                                          : CQ_PROBED_SURVIVED;
}

static void look_ahead(look *k) {
  begin(k);
  if (draw(k, k->r)) {
    probe_at(k, k->r, k->fine, true, INFINITY);
  }
}

/* Whether the gradient at the best point is a small part of the first one. */
static bool is_small(const cq_evaluator *ev) {
  return cq_projected_gradient(ev->problem, ev->best.x, ev->best.grad) <=
         SMALL * ev->first_gradient;
}

bool cq_probe_curvature(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  const int before = ev->evaluations;
  /* a method that ends by its budget alone is elsewhere by then, and has settled all the same */
  const bool settled = run->method->needs_budget && is_small(ev);
  const bool over = ev->end != CQ_END_NONE && !settled;
  if (run->def->verify != CQ_VERIFY_PROBE || run->problem->draw != NULL ||
      !cq_grade_proves(run->problem->gradient) || (over && before <= 1) ||
      !cq_evaluator_feasible(ev, &ev->best) || !cq_kkt_is_blind(ev, &ev->best, over)) {
    return false;
  }
  with_look(run, look_ahead);
  return ev->evaluations > before;
}

/* Whether the constraints that are violated most have no gradient at the best point. */
static bool is_blind(const cq_evaluator *ev) {
  const cq_problem *problem = ev->problem;
  const cq_point *best = &ev->best;
  bool blind = best->has_gradient;
  for (int i = 0; i < ev->m; i++) {
    const double c = i < problem->n_inequality ? best->c[i] : fabs(best->c[i]);
    if (c < 0.5 * best->violation * ev->size[i]) {
      continue;
    }
    for (int j = 0; j < problem->n; j++) {
      const double slope = best->jac[(size_t)i * (size_t)problem->n + (size_t)j];
      blind = blind && fabs(slope) * cq_problem_scale(problem, j) <= NO_SLOPE * c;
    }
  }
  return blind;
}

/* Random steps, ever shorter, until one violates less. */
static void look_for_feasible(look *k) {
  const double steps[] = {LARGE, COARSE, FINE}, violation = k->ev->best.violation;
  bool differs = false;
  memcpy(k->x, k->ev->best.x, (size_t)k->n * sizeof *k->x);
  memset(k->active, 1, (size_t)k->m * sizeof *k->active);
  k->reach = 1;
  k->rng = cq_rng_seed(cq_ctx_seed(k->run->ctx) + 1);
  k->left = BUDGET;
  while (k->left > 0 && !k->refuted && draw(k, k->r)) {
    const int tried = (int)(BUDGET - k->left--);
    const cq_point *there = NULL;
    place(k, k->r, tried % 2 == 0 ? steps[tried / 2] : -steps[tried / 2]);
    const cq_status status = cq_evaluate_probe(k->ev, k->to, false, INFINITY, &there);
    k->refuted = there != NULL && there->violation < (1 - LESS) * violation;
    differs = differs || status != CQ_OK || (there != NULL && there->violation != violation);
  }
  k->run->probed = k->refuted ? CQ_PROBED_REFUTED : differs ? CQ_PROBED_NOT : CQ_PROBED_BLIND;
}

bool cq_probe_refutes(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  run->probed = CQ_PROBED_NOT;
  if (run->def->verify != CQ_VERIFY_PROBE || run->problem->draw != NULL || ev->best.index == 0) {
    return false;
  }
  if (!cq_evaluator_feasible(ev, &ev->best)) {
    if (run->method->needs_gradient && is_blind(ev)) {
      with_look(run, look_for_feasible);
    }
  } else if (cq_grade_proves(run->problem->gradient) &&
             run->residual <= run->def->optimality_tolerance) {
    with_look(run, look_at_optimum);
  }
  return run->probed == CQ_PROBED_REFUTED;
}
