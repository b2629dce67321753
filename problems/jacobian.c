#include "jacobian.h"

#include "alloc.h"
#include "residuals.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* In forward runs: an adjoint sweep, and each seed that travels with it (measured on
 * identify_material and identify_field: 0.7 and 2.0). */
static const double SWEEP = 1.0, SEED = 2.0;
/* seeds that travel together, and room for them [bytes] */
enum { MOST_SEEDS = 16 };
static const double SEED_ROOM = 256e6;

static size_t z_size(const cq_scene *scene) {
  return scene->objective.rows->begin[scene->model.steps + 1];
}

/* What a seed takes: its rows of z, here and in the engine, and a gradient. */
static int seeds_at_once(const cq_scene *scene) {
  const double each = (2.0 * (double)z_size(scene) + 3.0 * (double)scene->layout.total) * 8.0;
  return (int)fmin(fmax(SEED_ROOM / each, 1.0), MOST_SEEDS);
}

/* Residuals that need a run: not those of what is thought of the design beforehand. */
static int measured(const cq_scene *scene) {
  return scene->n_residuals - scene->design.prior.n;
}

/* --- the choice ------------------------------------------------------------------------------- */

static double cost_of_differences(const cq_scene *scene) {
  double cost = 0.0;
  for (int j = 0; j < scene->design.n; j++) { /* calibrations need no runs */
    cost += cq_design_variable_calibrates(&scene->design, j) ? 0.0 : 2.0;
  }
  return cost;
}

static double cost_of_sweeps(const cq_scene *scene) {
  return ceil((double)measured(scene) / seeds_at_once(scene)) * SWEEP + measured(scene) * SEED;
}

static cq_status tell(cq_scene *scene, cq_jacobian *j) {
  const char *const s = j->measured == 1 ? "" : "s";
  return j->by_sweeps ? cq_arena_text(&scene->arena, &j->way, "%d adjoint seed%s", j->measured, s)
                      : cq_arena_text(&scene->arena, &j->way, "differences of %.0f runs", j->cost);
}

/* The cheaper one, or the one that is asked for. */
cq_status cq_jacobian_choose(cq_scene *scene) {
  const cq_optimizer_keys *const keys = &scene->config.optimizer;
  const bool sweeps = cq_sim_gradient(scene->sim) == CQ_GRADIENT_EXACT_REVERSE;
  cq_jacobian *const j = &scene->jacobian;
  if (scene->n_residuals == 0) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, sweeps || keys->jacobian != CQ_JACOBIAN_ADJOINT, keys, jacobian,
               "there are no adjoint sweeps with simulation.gradient = \"%s\": leave it out",
               scene->model.gradient != NULL ? scene->model.gradient : "auto");
  const double differences = cost_of_differences(scene), adjoints = cost_of_sweeps(scene);
  j->by_sweeps = keys->jacobian == CQ_JACOBIAN_AUTO ? sweeps && adjoints < differences
                                                    : keys->jacobian == CQ_JACOBIAN_ADJOINT;
  j->cost = j->by_sweeps ? adjoints : differences;
  j->measured = measured(scene);
  return tell(scene, j);
}

/* --- sweeps ----------------------------------------------------------------------------------- */

/* Some seeds, and what comes of them. */
typedef struct room {
  int most;
  cq_seed *seeds;      /* [most] */
  double *dz, *inputs; /* [most][rows of z], [most][layout.total] */
  double *dp;          /* [most][n_calibration] */
} room;

static cq_status make_room(cq_scene *scene, int count, room *r) {
  const int at_once = seeds_at_once(scene);
  r->most = count < at_once ? count : at_once;
  const size_t most = (size_t)r->most;
  CQ_TRY(CQ_ALLOC(scene->ctx, r->seeds, most));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->dz, most * z_size(scene)));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->inputs, most * scene->layout.total));
  return CQ_ALLOC(scene->ctx, r->dp, most * (size_t)scene->objective.n_calibration + 1);
}

/* Up to `most` rows of what is measured, in one sweep. */
static cq_status pull_some(cq_scene *scene, const double *x, int count, const double *w,
                           const room *r, double *rows) {
  const cq_objective *o = &scene->objective;
  const size_t size = z_size(scene), n_p = (size_t)o->n_calibration;
  memset(r->dz, 0, (size_t)count * size * sizeof *r->dz);
  memset(r->dp, 0, ((size_t)count * n_p + 1) * sizeof *r->dp);
  for (size_t k = 0; k < (size_t)count; k++) {
    r->seeds[k] = (cq_seed){.dz = r->dz + k * size};
    cq_residuals_pull(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim),
                      w + k * (size_t)scene->n_residuals, r->dz + k * size, r->dp + k * n_p);
  }
  CQ_TRY(cq_sim_backward(scene->sim, count, r->seeds, r->inputs));
  scene->gradient_sweeps++;
  for (size_t k = 0; k < (size_t)count; k++) {
    double *row = rows + k * (size_t)scene->design.n;
    cq_design_pull(&scene->design, x, r->inputs + k * scene->layout.total, row);
    cq_design_pull_calibration(&scene->design, x, r->dp + k * n_p, row);
    cq_prior_pull(&scene->design.prior, w + k * (size_t)scene->n_residuals + measured(scene), row);
  }
  return CQ_OK;
}

/* One run, then sweeps with as many seeds as there is room for. */
cq_status cq_jacobian_pull(cq_scene *scene, const double *x, int count, const double *w,
                           double *rows) {
  room r = {.most = 0};
  CQ_TRY(cq_scene_run(scene, x));
  cq_status status = make_room(scene, count, &r);
  for (int k = 0; k < count && status == CQ_OK; k += r.most) {
    status = pull_some(scene, x, count - k < r.most ? count - k : r.most,
                       w + (size_t)k * (size_t)scene->n_residuals, &r,
                       rows + (size_t)k * (size_t)scene->design.n);
  }
  cq_free(scene->ctx, r.seeds);
  cq_free(scene->ctx, r.dz);
  cq_free(scene->ctx, r.inputs);
  cq_free(scene->ctx, r.dp);
  return status;
}

/* A weight of 1 for each residual that is measured, a sweep's at a time; the others' derivatives
 * are known. */
cq_status cq_jacobian_sweep(cq_scene *scene, const double *x, double *jac) {
  const size_t m = (size_t)measured(scene), all = (size_t)scene->n_residuals;
  const size_t n = (size_t)scene->design.n, most = (size_t)seeds_at_once(scene);
  double *w = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, w, most * all));
  cq_status status = CQ_OK;
  for (size_t first = 0; first < m && status == CQ_OK; first += most) {
    const size_t count = m - first < most ? m - first : most;
    memset(w, 0, most * all * sizeof *w);
    for (size_t k = 0; k < count; k++) {
      w[k * all + first + k] = 1.0;
    }
    status = cq_jacobian_pull(scene, x, (int)count, w, jac + first * n);
  }
  cq_prior_jacobian(&scene->design.prior, scene->design.n, jac + m * n);
  cq_free(scene->ctx, w);
  return status;
}
