#include "probe.h"

#include "grade.h"
#include "kkt.h"
#include "probe_curvature.h"
#include "rng.h"
#include "sqp_vector.h"

#include <math.h>
#include <string.h>

/* of what the curvature is worth: a slope beside the gradient's that is none */
static const double CONTRADICTION = 0.1;
/* of the tolerance: a residual by the curvature nearby, and a slope that the gradient lacks, that
 * speak against a claim */
static const double DOUBT = 2, LIE = 10;
/* of a step */
static const double NEARER = 0.3;
/* of the first gradient */
static const double SMALL = 1e-3;
/* of a violation: a gradient of it per scale that is none, a decrease that is one */
static const double NO_SLOPE = 1e-6, LESS = 1e-9;

/* The slope along r as the values on both sides have it, where the gradient has another: to the
 * minimum of the parabola through them, and not so near that noise could have made it. If that is
 * no better, nor what the gradient promises, the residual made of it is worth nothing. */
static void check_slope(cq_look *k, const cq_found *ahead, const cq_found *behind) {
  if (!ahead->ok || !behind->ok || k->refuted) {
    return;
  }
  const double odd = 0.5 * (ahead->change - behind->change);
  const double even = 0.5 * (ahead->change + behind->change);
  const double slope = 0.5 * (ahead->slope - behind->slope);
  k->odd = fabs(odd - slope) > CONTRADICTION * fabs(slope) + k->noise ? odd - slope : 0;
  if (k->left < 1 || fabs(odd - slope) <= 2 * k->noise + CONTRADICTION * fabs(even) ||
      fabs(odd - slope) <= cq_look_explained(k, k->fine)) {
    return;
  }
  const double least = even > 0 ? 0.5 * fabs(odd) / even * k->fine : CQ_LOOK_LARGE;
  const double step = copysign(fmin(fmax(least, CQ_LOOK_FINE), CQ_LOOK_LARGE), -odd);
  const double times = step / k->fine;
  const cq_found there =
      cq_look_probe(k, k->r, step, false, cq_look_explained(k, k->fine * k->fine));
  const double reach = step * k->reach;
  const double curved =
      k->ritz.size > 0 ? 0.5 * cq_dot(k->n, k->r, k->h) * reach * reach : even * times * times;
  const double off = there.change - there.slope - curved;
  if (!k->refuted && there.ok &&
      fabs(off) > LIE * cq_look_explained(k, fabs(step)) + CONTRADICTION * fabs(there.change)) {
    cq_look_doubt(k, "values nearby contradict its gradient");
  }
}

/* Away from the bounds that hold variables, in so many groups: by a gradient that is right f rises.
 */
static void check_held(cq_look *k, int groups) {
  for (int g = 0; g < groups && !k->refuted && k->left >= 1; g++) {
    int held = 0;
    for (int j = 0; j < k->n; j++) {
      const bool may = k->held[j] && k->problem.lower[j] < k->problem.upper[j];
      k->d[j] = !may || held % groups != g ? 0 : k->q[j] > 0 ? 1 : -1;
      held += may;
    }
    if (cq_max_norm(k->n, k->d) > 0) {
      cq_look_probe(k, k->d, CQ_LOOK_FINE, false, 0);
    }
  }
}

/* Part of a step along d that the room of constraints leaves. */
static double step_to_constraints(const cq_look *k, const cq_point *point, double step) {
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
static void check_descent(cq_look *k, const cq_point *point) {
  if (k->refuted || k->left < 1) {
    return;
  }
  cq_look_lagrangian(k, point, true, k->d);
  cq_look_set_held(k, k->d, CQ_LOOK_NO_ROOM * cq_look_explained(k, 1));
  cq_look_set_basis(k, point, true);
  const double size = cq_max_norm(k->n, k->d);
  for (int j = 0; j < k->n; j++) {
    k->d[j] = -k->d[j];
  }
  cq_look_keep_active(k, k->d);
  const double step = size > 0 && cq_look_normalize(k, k->d, size)
                          ? step_to_constraints(k, point, CQ_LOOK_COARSE)
                          : 0;
  if (step >= CQ_LOOK_FINE) {
    const double falls = -cq_dot(k->n, k->q, k->d) * step * k->reach;
    cq_look_probe(k, k->d, step, false, CONTRADICTION * fmax(falls, 0));
  }
}

/* Without a gradient ahead: another random pair, by coarse steps. */
static void check_coarsely(cq_look *k) {
  if (!k->refuted && k->left >= 3 && cq_look_draw(k, k->r)) {
    cq_look_probe(k, k->r, CQ_LOOK_COARSE, false, cq_look_explained(k, CQ_LOOK_COARSE));
    if (!k->refuted) {
      cq_look_probe(k, k->r, -CQ_LOOK_COARSE, false, cq_look_explained(k, CQ_LOOK_COARSE));
    }
  }
}

/* The residual once more, with the curvature that is known now. The mixture of parts stays what the
 * merit has been measured with. */
static bool is_still_stationary(cq_look *k) {
  double *const multipliers = k->problem.n_parts > 0 ? k->ev->multipliers : k->run->multipliers;
  double residual = NAN;
  if (cq_kkt_judge(k->ev, &k->ev->best, multipliers, &residual) != CQ_OK) {
    return true;
  }
  const bool is = !(residual > DOUBT * k->run->def->optimality_tolerance);
  k->run->residual = is ? k->run->residual : residual;
  return is;
}

/* What noise of f, or a kink, would make of a gradient that is differences of it: two values nearer
 * than their steps and the fine one are to lie on the parabola through those at the fine one, and
 * on the gradient's slope. The residual once more, with what they are off by over the steps. */
static bool differences_hold(cq_look *k, const cq_found *ahead, const cq_found *behind) {
  const double *steps = k->ev->problem->difference;
  if (steps == NULL || !ahead->ok || !behind->ok || k->refuted) {
    return true;
  }
  double step = k->fine;
  for (int j = 0; j < k->n; j++) {
    const double unit = fabs(k->r[j]) * k->size[j] * k->reach;
    step = unit > 0 && steps[j] > 0 ? fmin(step, steps[j] / unit) : step;
  }
  step *= NEARER;
  k->left += 2; /* beside the others: a gradient costs as much for each variable */
  const double explained = cq_look_explained(k, step);
  const cq_found above = cq_look_probe(k, k->r, step, false, explained);
  const cq_found below = k->refuted ? above : cq_look_probe(k, k->r, -step, false, explained);
  if (k->refuted || !above.ok || !below.ok) {
    return true;
  }
  const double part = step / k->fine;
  const double curved = 0.5 * (ahead->change + behind->change) * part * part;
  const double even = 0.5 * (above.change + below.change) - curved;
  const double odd = 0.5 * (above.change - below.change - above.slope + below.slope);
  k->ev->f_noise = fmax(k->ev->f_noise, 2 * (fabs(even) + fabs(odd)));
  return is_still_stationary(k);
}

/* The probes of probe.h, in their order, until one refutes or nothing is left to spend. */
static void look_around(cq_look *k) {
  const cq_point *point = &k->ev->best;
  const bool gradient = k->run->def->gradient_cost <= CQ_LOOK_GRADIENT;
  if (!cq_look_draw(k, k->r)) {
    check_held(k, (int)k->left);
  } else {
    const cq_found ahead = cq_look_probe(k, k->r, k->fine, gradient, cq_look_explained(k, k->fine));
    if (!k->refuted && !is_still_stationary(k)) {
      cq_look_doubt(k, "f curves less nearby than it seemed to");
      return;
    }
    const bool curved = !k->refuted && cq_curvature_gather(k, &ahead);
    if (curved && (cq_curvature_is_bent(k) || cq_kkt_is_kink(k->ev, point, ahead.point))) {
      cq_look_doubt(k, "f has a kink nearby");
      return;
    }
    const cq_found behind =
        k->refuted ? ahead : cq_look_probe(k, k->r, -k->fine, false, cq_look_explained(k, k->fine));
    check_slope(k, &ahead, &behind);
    if (!differences_hold(k, &ahead, &behind)) {
      cq_look_doubt(k, "differences of f by such steps are noise there, or it has a kink");
      return;
    }
    check_held(k, 1);
    if (curved) {
      cq_curvature_check(k);
    } else {
      check_coarsely(k);
    }
  }
  check_descent(k, point);
}

/* Whether moves of a tenth of every scale change f by less than noise, going by the gradient. */
static bool is_level(const cq_look *k) {
  double change = 0;
  for (int j = 0; j < k->n; j++) {
    change += fabs(k->ev->best.grad[j]) * cq_problem_scale(k->ev->problem, j);
  }
  return CQ_LOOK_LARGE * change <= k->noise;
}

static void look_at_optimum(cq_look *k) {
  cq_look_begin(k);
  look_around(k);
  const bool level = !k->refuted && !k->cut && !k->differs && is_level(k);
  if (level && k->left >= 1 && cq_look_draw(k, k->r)) {
    k->reach = 1; /* the run has moved too little to tell */
    k->problem.scale = k->ev->problem->scale;
    cq_look_probe(k, k->r, CQ_LOOK_COARSE, false, 0);
  }
  k->run->probed = k->refuted             ? CQ_PROBED_REFUTED
                   : k->cut               ? CQ_PROBED_CUT
                   : level && !k->differs ? CQ_PROBED_FLAT
                                          : CQ_PROBED_SURVIVED;
}

static void look_ahead(cq_look *k) {
  cq_look_begin(k);
  if (cq_look_draw(k, k->r)) {
    cq_look_probe(k, k->r, k->fine, true, INFINITY);
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
  cq_look_with(run, look_ahead);
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
static void look_for_feasible(cq_look *k) {
  const double steps[] = {CQ_LOOK_LARGE, CQ_LOOK_COARSE, CQ_LOOK_FINE};
  const double violation = k->ev->best.violation;
  bool differs = false;
  memcpy(k->x, k->ev->best.x, (size_t)k->n * sizeof *k->x);
  memset(k->active, 1, (size_t)k->m * sizeof *k->active);
  k->reach = 1;
  k->rng = cq_rng_seed(cq_ctx_seed(k->run->ctx) + 1);
  k->left = CQ_LOOK_BUDGET;
  while (k->left > 0 && !k->refuted && cq_look_draw(k, k->r)) {
    const int tried = (int)(CQ_LOOK_BUDGET - k->left--);
    const cq_point *there = NULL;
    cq_look_place(k, k->r, tried % 2 == 0 ? steps[tried / 2] : -steps[tried / 2]);
    const cq_status status = cq_evaluate_probe(k->ev, k->to, false, INFINITY, &there);
    k->refuted = there != NULL && there->violation < (1 - LESS) * violation;
    differs = differs || status != CQ_OK || (there != NULL && there->violation != violation);
  }
  k->run->probed = k->refuted ? CQ_PROBED_REFUTED : differs ? CQ_PROBED_NOT : CQ_PROBED_BLIND;
}

/* Feasible points are judged by what is nearby; others only where they give no direction. */
bool cq_probe_refutes(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  run->probed = CQ_PROBED_NOT;
  run->doubt = NULL;
  if (run->def->verify != CQ_VERIFY_PROBE || run->problem->draw != NULL || ev->best.index == 0) {
    return false;
  }
  if (!cq_evaluator_feasible(ev, &ev->best)) {
    if (run->method->needs_gradient && is_blind(ev)) {
      cq_look_with(run, look_for_feasible);
    }
  } else if (cq_grade_proves(run->problem->gradient) &&
             run->residual <= run->def->optimality_tolerance) {
    cq_look_with(run, look_at_optimum);
  }
  return run->probed == CQ_PROBED_REFUTED;
}
