#include "tangents.h"

#include "alloc.h"
#include "status.h"

enum { MANY = 64 }; /* variables */

/* What the directions change of a run. */
typedef struct changes {
  size_t z_size, u_size;
  double *directions, *dz, *du; /* [n][layout.total], [n][z_size], [n][u_size] */
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

static cq_status contract(cq_scene *scene, const double *x, changes *w, double *grad, double *jac) {
  cq_objective *o = &scene->objective;
  const size_t n = (size_t)scene->design.n;
  CQ_TRY(CQ_ALLOC(scene->ctx, w->directions, n * scene->layout.total));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->dz, n * w->z_size));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->du, n * w->u_size));
  for (size_t j = 0; j < n; j++) {
    cq_design_push(&scene->design, x, (int)j, w->directions + j * scene->layout.total);
  }
  CQ_TRY(cq_sim_tangents(scene->sim, (int)n, w->directions, w->dz, w->du));
  cq_objective_seed(o, cq_sim_observations(scene->sim), cq_sim_controls(scene->sim));
  for (int i = 0; i < (jac != NULL ? o->n_functions : 1); i++) {
    const cq_seed *seed = &o->seeds[o->seeded[i]];
    double *row = i == 0 ? grad : jac + (size_t)(i - 1) * n;
    for (size_t j = 0; j < n; j++) {
      row[j] = dot(seed->dz, w->dz + j * w->z_size, w->z_size) +
               dot(seed->du, w->du + j * w->u_size, w->u_size);
    }
  }
  scene->gradient_sweeps++;
  return CQ_OK;
}

cq_status cq_scene_tangents(cq_scene *scene, const double *x, double *grad, double *jac) {
  const size_t steps = (size_t)scene->model.steps;
  changes w = {.z_size = (steps + 1) * (size_t)scene->layout.n_z,
               .u_size = steps * (size_t)scene->model.n_controls};
  const cq_status status = contract(scene, x, &w, grad, jac);
  cq_free(scene->ctx, w.directions);
  cq_free(scene->ctx, w.dz);
  cq_free(scene->ctx, w.du);
  return status;
}
