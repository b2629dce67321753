#include "differences.h"

#include "ahead.h"
#include "alloc.h"
#include "grade.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_AT_ONCE = 64 }; /* variables whose runs are there at a time: rows of x are long */

/* Truncation falls and rounding grows with smaller steps: about where they meet. */
static const double STEP_DOUBLE = 1e-5, STEP_FLOAT = 1e-3;

cq_status cq_scene_take_steps(cq_scene *scene) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  cq_problem *p = &scene->problem;
  const double usual = scene->model.bits == 64 ? STEP_DOUBLE : STEP_FLOAT;
  const double part = isnan(keys->difference_step) ? usual : keys->difference_step;
  double *steps = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, steps, p->n));
  for (int j = 0; j < p->n; j++) {
    steps[j] = part * fmin(p->scale[j], p->upper[j] - p->lower[j]);
    CQ_KEY_CHECK(scene->ctx, steps[j] == 0 || p->start[j] + steps[j] > p->start[j], keys,
                 difference_step, "a step of %g is lost in the rounding of variable %d, %.17g",
                 steps[j], j, p->start[j]);
  }
  p->difference = steps;
  p->gradient = cq_grade_of_differences(part);
  p->gradient_cost = 2.0 * p->n + 1.0;
  return CQ_OK;
}

/* Variables first .. first + count - 1, with two values each, at[0] and at[1] from x. */
typedef struct batch {
  int first, count;
  double *x;       /* [2 count][n] */
  double *values;  /* [2 count][functions] */
  double (*at)[2]; /* [count] */
} batch;

/* Both ways, or two steps the one way where a bound is near on the other; never past a bound, as no
 * step is more than a quarter of the range. */
static void place(const cq_problem *p, const double *x, batch *b) {
  const size_t n = (size_t)p->n;
  for (int i = 0; i < b->count; i++) {
    const int j = b->first + i;
    const double h = p->difference[j];
    const double ways[2] = {x[j] - h < p->lower[j] ? 2 * h : -h,
                            x[j] + h > p->upper[j] ? -2 * h : h};
    for (int k = 0; k < 2; k++) {
      double *const row = b->x + (size_t)(2 * i + k) * n;
      memcpy(row, x, n * sizeof *row);
      row[j] += ways[k];
      b->at[i][k] = row[j] - x[j];
    }
  }
}

/* The slope at 0 of the parabola through f at 0, `below` at a and `above` at b. */
static double slope(double f, double below, double above, const double at[2]) {
  const double a = at[0], b = at[1];
  return (below - f) * (b / (a * (b - a))) - (above - f) * (a / (b * (b - a)));
}

/* A run on a copy has failed: the same on the scene itself says why, and leaves its state. */
static cq_status explain(cq_scene *scene, const double *x) {
  double f = NAN, *c = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, c, scene->objective.n_functions - 1));
  const cq_status status =
      scene->problem.eval(scene, x, &f, scene->objective.n_functions > 1 ? c : NULL, NULL, NULL);
  cq_free(scene->ctx, c);
  CQ_TRY(status);
  return CQ_FAIL(scene->ctx, CQ_MEMORY,
                 "there is no room for a copy of the scene, on which simulation.gradient = "
                 "\"difference\" simulates");
}

static cq_status run_batch(cq_scene *scene, const double *x, const double *values, batch *b,
                           double *grad, double *jac) {
  const int n_functions = scene->objective.n_functions;
  const size_t n = (size_t)scene->design.n, m = (size_t)n_functions;
  int failed = -1;
  place(&scene->problem, x, b);
  CQ_TRY(cq_ahead_values(scene, 2 * b->count, b->x, b->values, &failed));
  if (failed >= 0) {
    return explain(scene, b->x + (size_t)failed * n);
  }
  for (int i = 0; i < b->count; i++) {
    const double *below = b->values + (size_t)(2 * i) * m, *above = below + m;
    const size_t j = (size_t)(b->first + i);
    for (size_t k = 0; k < (jac != NULL ? m : 1); k++) {
      const bool fixed = scene->problem.difference[j] == 0;
      const double s = fixed ? 0 : slope(values[k], below[k], above[k], b->at[i]);
      *(k == 0 ? &grad[j] : &jac[(k - 1) * n + j]) = s;
    }
  }
  return CQ_OK;
}

cq_status cq_scene_differences(cq_scene *scene, const double *x, const double *values, double *grad,
                               double *jac) {
  cq_ctx *ctx = scene->ctx;
  const int n = scene->design.n, most = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
  batch b = {.first = 0};
  cq_status status = CQ_ALLOC(ctx, b.x, (size_t)(2 * most) * (size_t)n);
  status = status == CQ_OK
               ? CQ_ALLOC(ctx, b.values, (size_t)(2 * most) * (size_t)scene->objective.n_functions)
               : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, b.at, most) : status;
  for (; status == CQ_OK && b.first < n; b.first += b.count) {
    b.count = n - b.first < most ? n - b.first : most;
    status = run_batch(scene, x, values, &b, grad, jac);
  }
  cq_free(ctx, b.x);
  cq_free(ctx, b.values);
  cq_free(ctx, b.at);
  scene->gradient_sweeps += status == CQ_OK;
  return status;
}
