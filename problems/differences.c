#include "differences.h"

#include "alloc.h"
#include "jacobian.h"
#include "residuals.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_AT_ONCE = 64 }; /* variables whose runs are there at a time: rows of x are long */

/* Some variables, with two values each, at[0] and at[1] from x. */
typedef struct batch {
  int variables[MOST_AT_ONCE], count;
  double *x;       /* [2 count][n] */
  double *values;  /* [2 count][outputs] */
  double (*at)[2]; /* [count] */
} batch;

/* What is differentiated: outputs `first` to `end` - 1 of a run (ahead.h), by these steps [n];
 * their derivatives go to rows[output - first] [n]. */
typedef struct wanted {
  const double *steps;
  int first, end;
  bool by_runs_alone; /* leave out calibrations */
  double *rows;
} wanted;

/* Both ways, or two steps the one way where a bound is near on the other; never past a bound, as no
 * step is more than a quarter of the range. */
static void place(const cq_scene *scene, const double *steps, const double *x, batch *b) {
  const double *lower = scene->design.lower, *upper = scene->design.upper;
  const size_t n = (size_t)scene->design.n;
  for (int i = 0; i < b->count; i++) {
    const int j = b->variables[i];
    const double h = steps[j];
    const double ways[2] = {x[j] - h < lower[j] ? 2 * h : -h, x[j] + h > upper[j] ? -2 * h : h};
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
  double f = NAN;
  CQ_TRY(cq_scene_evaluate(scene, x, &f, NULL, NULL, NULL));
  return CQ_FAIL(scene->ctx, CQ_MEMORY,
                 "there is no room for a copy of the scene, on which simulation.gradient = "
                 "\"difference\" simulates");
}

/* The values of a batch, and the slopes that they make. */
static cq_status run_batch(cq_scene *scene, cq_ahead **ahead, const double *x, const double *values,
                           const wanted *w, batch *b) {
  const size_t n = (size_t)scene->design.n, outputs = (size_t)cq_ahead_outputs(scene);
  int failed = -1;
  place(scene, w->steps, x, b);
  CQ_TRY(cq_ahead_values(scene, ahead, 2 * b->count, b->x, b->values, &failed));
  if (failed >= 0) {
    return explain(scene, b->x + (size_t)failed * n);
  }
  for (int i = 0; i < b->count; i++) {
    const double *below = b->values + (size_t)(2 * i) * outputs, *above = below + outputs;
    const size_t j = (size_t)b->variables[i];
    for (int k = w->first; k < w->end; k++) {
      const bool fixed = w->steps[j] == 0;
      w->rows[(size_t)(k - w->first) * n + j] =
          fixed ? 0 : slope(values[k], below[k], above[k], b->at[i]);
    }
  }
  return CQ_OK;
}

/* What is wanted at x, where the outputs are `values`. */
static cq_status differentiate(cq_scene *scene, cq_ahead **ahead, const double *x,
                               const double *values, const wanted *w) {
  cq_ctx *ctx = scene->ctx;
  const int n = scene->design.n, most = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
  batch b = {.count = 0};
  int next = 0;
  cq_status status = CQ_ALLOC(ctx, b.x, (size_t)(2 * most) * (size_t)n);
  status = status == CQ_OK
               ? CQ_ALLOC(ctx, b.values, (size_t)(2 * most) * (size_t)cq_ahead_outputs(scene))
               : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, b.at, most) : status;
  while (status == CQ_OK && next < n) {
    b.count = 0;
    for (; next < n && b.count < most; next++) {
      if (!w->by_runs_alone || !cq_design_variable_calibrates(&scene->design, next)) {
        b.variables[b.count++] = next;
      }
    }
    status = b.count > 0 ? run_batch(scene, ahead, x, values, w, &b) : status;
  }
  cq_free(ctx, b.x);
  cq_free(ctx, b.values);
  cq_free(ctx, b.at);
  scene->gradient_sweeps += status == CQ_OK;
  return status;
}

/* f and c at x on the scene itself, in its own or smaller steps; *of has run. */
static cq_status run_here(cq_scene *scene, int level, const double *x, double *values,
                          cq_scene **of) {
  *of = scene;
  if (level > 0) {
    CQ_TRY(cq_scene_refined(scene, level, of));
  }
  return cq_scene_evaluate_at(scene, level, x, values, values + 1, NULL, NULL);
}

/* The value first: where that fails, nothing else is simulated. */
cq_status cq_differences_evaluate(cq_scene *scene, cq_differences *differences, int level,
                                  const double *x, double *f, double *c, double *grad,
                                  double *jac) {
  cq_scene *of = scene;
  double *values = NULL;
  const size_t m = (size_t)(scene->objective.n_functions - 1), n = (size_t)scene->design.n;
  if (scene->difference == NULL || grad == NULL) {
    return cq_scene_evaluate_at(scene, level, x, f, c, grad, jac);
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, values, (1 + m) * (1 + n)));
  wanted w = {.end = jac != NULL ? (int)m + 1 : 1, .rows = values + 1 + m};
  cq_status status = run_here(scene, level, x, values, &of);
  if (status == CQ_OK) {
    *f = values[0];
    if (c != NULL) {
      memcpy(c, values + 1, m * sizeof *c);
    }
    w.steps = of->difference;
    status = differentiate(of, &differences->ahead[level], x, values, &w);
  }
  if (status == CQ_OK) {
    memcpy(grad, w.rows, n * sizeof *grad);
    if (jac != NULL) {
      memcpy(jac, w.rows + n, m * n * sizeof *jac);
    }
  }
  cq_free(scene->ctx, values);
  return status;
}

/* The columns of calibrations, of the run that *of has made. */
static cq_status calibrate(cq_scene *of, const double *x, int n_residuals, double *jac) {
  const size_t n = (size_t)of->design.n, n_p = (size_t)of->objective.n_calibration;
  double *rows = NULL;
  if (n_p == 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(of->ctx, rows, (size_t)n_residuals * n_p));
  cq_residuals_by_calibration(&of->objective, cq_sim_observations(of->sim),
                              cq_sim_controls(of->sim), rows);
  for (int i = 0; i < n_residuals; i++) {
    double *row = jac + (size_t)i * n;
    memset(row, 0, n * sizeof *row);
    cq_design_pull_calibration(&of->design, x, rows + (size_t)i * n_p, row);
  }
  cq_free(of->ctx, rows);
  return CQ_OK;
}

/* jac of the residuals among the values of a run at x. */
static cq_status by_differences(cq_scene *of, cq_ahead **ahead, const double *x,
                                const double *values, double *jac) {
  const wanted w = {.steps = of->residual_steps,
                    .first = of->objective.n_functions,
                    .end = cq_ahead_outputs(of),
                    .by_runs_alone = true,
                    .rows = jac};
  CQ_TRY(calibrate(of, x, of->n_residuals, jac));
  return differentiate(of, ahead, x, values, &w);
}

/* The same for residuals, which smaller steps must have as many of. */
cq_status cq_differences_residuals(cq_scene *scene, cq_differences *differences, int level,
                                   const double *x, double *f, double *r, double *jac) {
  cq_scene *of = scene;
  double *values = NULL;
  const int first = scene->objective.n_functions, end = cq_ahead_outputs(scene);
  CQ_TRY(CQ_ALLOC(scene->ctx, values, end));
  cq_status status = run_here(scene, level, x, values, &of);
  if (status == CQ_OK && of->n_residuals != scene->n_residuals) {
    status = CQ_FAIL(scene->ctx, CQ_CONFIG,
                     "in smaller steps there are other residuals: %d in place of %d",
                     of->n_residuals, scene->n_residuals);
  }
  if (status == CQ_OK) {
    *f = values[0];
    cq_scene_take_residuals(of, x, values + first);
    memcpy(r, values + first, (size_t)(end - first) * sizeof *r);
  }
  if (status == CQ_OK && jac != NULL) {
    status = of->jacobian.by_sweeps
                 ? cq_jacobian_sweep(of, x, jac)
                 : by_differences(of, &differences->ahead[level], x, values, jac);
  }
  cq_free(scene->ctx, values);
  return status;
}

void cq_differences_statistics(const cq_differences *differences, cq_scene_stats *stats,
                               long long *failures) {
  for (int i = 0; i <= CQ_MOST_REFINED; i++) {
    cq_ahead_statistics(differences->ahead[i], stats, failures);
  }
}

void cq_differences_end(cq_differences *differences) {
  for (int i = 0; i <= CQ_MOST_REFINED; i++) {
    cq_ahead_destroy(differences->ahead[i]);
    differences->ahead[i] = NULL;
  }
}
