#include "tangents.h"

#include "alloc.h"
#include "status.h"

enum { MANY = 64 }; /* variables; that many directions go at a time, for the room they take */

/* What some directions change of a run. */
typedef struct changes {
  int most;
  size_t z_size, u_size;
  double *directions, *dz, *du; /* [most][layout.total], [most][z_size], [most][u_size] */
} changes;

void cq_scene_warn_of_tangents(const cq_scene *scene) {
  if (scene->design.n > MANY) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "simulation.gradient = \"%s\" of %d variables costs as much as %d simulations",
           scene->model.gradient != NULL ? scene->model.gradient : "tangent", scene->design.n,
           scene->design.n + 2);
  }
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n && a != NULL; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* The derivatives of every function by `count` variables from the first one. */
static cq_status contract(cq_scene *scene, const double *x, const changes *w, int first, int count,
                          double *grad, double *jac) {
  const cq_objective *o = &scene->objective;
  const size_t n = (size_t)scene->design.n, total = scene->layout.total;
  for (int k = 0; k < count; k++) {
    cq_design_push(&scene->design, x, first + k, w->directions + (size_t)k * total);
  }
  CQ_TRY(cq_sim_tangents(scene->sim, count, w->directions, w->dz, w->du));
  for (int i = 0; i < (jac != NULL ? o->n_functions : 1); i++) {
    const cq_seed *seed = &o->seeds[o->seeded[i]];
    double *row = i == 0 ? grad : jac + (size_t)(i - 1) * n;
    for (size_t k = 0; k < (size_t)count; k++) {
      row[(size_t)first + k] = dot(seed->dz, w->dz + k * w->z_size, w->z_size) +
                               dot(seed->du, w->du + k * w->u_size, w->u_size);
    }
  }
  return CQ_OK;
}

/* All variables, so many at a time; calibrations change no run and come on top. */
static cq_status contract_all(cq_scene *scene, const double *x, changes *w, double *grad,
                              double *jac) {
  const int n = scene->design.n;
  CQ_TRY(CQ_ALLOC(scene->ctx, w->directions, (size_t)w->most * scene->layout.total));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->dz, (size_t)w->most * w->z_size));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->du, (size_t)w->most * w->u_size));
  CQ_TRY(cq_objective_make_room(scene, &scene->objective));
  cq_objective_seed(&scene->objective, cq_sim_observations(scene->sim),
                    cq_sim_controls(scene->sim));
  for (int first = 0; first < n; first += w->most) {
    CQ_TRY(contract(scene, x, w, first, n - first < w->most ? n - first : w->most, grad, jac));
  }
  for (int i = 0; i < (jac != NULL ? scene->objective.n_functions : 1); i++) {
    cq_design_pull_calibration(&scene->design, x, scene->objective.functions[i].dp,
                               i == 0 ? grad : jac + (size_t)(i - 1) * (size_t)n);
  }
  scene->gradient_sweeps++;
  return CQ_OK;
}

cq_status cq_scene_tangents(cq_scene *scene, const double *x, double *grad, double *jac) {
  const size_t steps = (size_t)scene->model.steps;
  changes w = {.most = scene->design.n < MANY ? scene->design.n : MANY,
               .z_size = scene->objective.rows->begin[steps + 1],
               .u_size = steps * (size_t)scene->model.n_controls};
  const cq_status status = contract_all(scene, x, &w, grad, jac);
  cq_free(scene->ctx, w.directions);
  cq_free(scene->ctx, w.dz);
  cq_free(scene->ctx, w.du);
  return status;
}
