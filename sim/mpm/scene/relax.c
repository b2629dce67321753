/* Where bodies start that stand on something: after simulation.relax steps under gravity, and at
 * rest. Between these steps bodies lose what they have of velocity whenever their kinetic energy
 * has begun to fall, which is where they pass the shape they would rest in. Walls with friction
 * first hold all that touches them, so that nothing slides on its way there; then they do what they
 * can hold by their friction, for as many steps. Where that is too little, because something
 * slides, these are for nothing, and the bodies begin as they were held. */
#include "alloc.h"
#include "mpm_scene.h"
#include "sim.h"
#include "status.h"

#include <string.h>

typedef struct run_in {
  const cq_scene *scene;
  cq_sim *sim;
  double *inputs, *state;
} run_in;

/* twice the kinetic energy */
static double motion_of(const run_in *r) {
  const cq_layout *l = &r->scene->layout;
  const size_t dim = (size_t)r->scene->model.dim;
  const double *v = r->state + cq_layout_offset(l, "v");
  const double *density = r->inputs + cq_layout_offset(l, "density");
  const double *volume = r->inputs + cq_layout_offset(l, "volume");
  double sum = 0.0;
  for (size_t i = 0; i < (size_t)r->scene->model.n_particles * dim; i++) {
    sum += density[i / dim] * volume[i / dim] * v[i] * v[i];
  }
  return sum;
}

static void stop(const run_in *r, double *inputs) {
  const cq_layout *l = &r->scene->layout;
  const size_t n = (size_t)r->scene->model.n_particles, dim = (size_t)r->scene->model.dim;
  memset(inputs + cq_layout_offset(l, "v"), 0, n * dim * sizeof *inputs);
  memset(inputs + cq_layout_offset(l, "C"), 0, n * dim * dim * sizeof *inputs);
}

/* true: they were stopped */
static cq_status step(run_in *r, double *before, bool *stopped) {
  CQ_TRY(cq_sim_forward(r->sim, r->inputs));
  CQ_TRY(cq_sim_final_state(r->sim, r->state));
  memcpy(r->inputs, r->state, r->scene->layout.state_total * sizeof *r->inputs);
  const double now = motion_of(r);
  *stopped = now < *before;
  *before = *stopped ? 0.0 : now;
  if (*stopped) {
    stop(r, r->inputs);
  }
  return CQ_OK;
}

static void take(const cq_layout *l, const char *name, size_t count, const double *from,
                 double *to) {
  const size_t at = cq_layout_offset(l, name);
  memcpy(to + at, from + at, count * sizeof *to);
}

/* Steps from the inputs, each a run of its own. Places and shapes that come of them are where the
 * bodies start; their velocities are those of the file. */
static cq_status settle(run_in *r, int steps, bool anyway, double *inputs) {
  const cq_layout *l = &r->scene->layout;
  const size_t n = (size_t)r->scene->model.n_particles, dim = (size_t)r->scene->model.dim;
  double before = 0.0;
  bool rests = anyway, stopped = false;
  memcpy(r->inputs, inputs, l->total * sizeof *inputs);
  stop(r, r->inputs);
  for (int i = 0; i < steps; i++) {
    CQ_TRY(step(r, &before, &stopped));
    rests = rests || (stopped && i >= steps / 2); /* what slides is only ever faster */
  }
  if (rests) {
    take(l, "x", n * dim, r->inputs, inputs);
    take(l, "F", n * dim * dim, r->inputs, inputs);
  }
  return CQ_OK;
}

/* What friction holds does not slide. */
static void hold(const cq_scene *scene, cq_boundary *boundaries, cq_mpm_model *own) {
  const cq_mpm_model *from = &cq_mpm_scene_of(scene)->model;
  *own = *from;
  own->boundaries = boundaries;
  for (int i = 0; i < cq_mpm_n_walls(&scene->model); i++) {
    boundaries[i] = from->boundaries[i];
    if (boundaries[i].kind == CQ_BOUNDARY_separate && scene->walls[i].friction > 0.0) {
      boundaries[i].kind = CQ_BOUNDARY_separate_stick;
    }
  }
}

static cq_status check(const cq_scene *scene, const cq_mpm_simulation_keys *keys) {
  CQ_KEY_CHECK(scene->ctx, cq_mpm_scene_of(scene)->model.rigids == NULL, keys, relax,
               "is not for scenes with rigid bodies or walls that move; leave it out");
  CQ_KEY_CHECK(scene->ctx,
               scene->model.n_controls == 0 ||
                   scene->model.controller.kind == CQ_CONTROLLER_open_loop,
               keys, relax, "is for controllers of type open_loop, which are at rest meanwhile");
  return CQ_OK;
}

/* By a simulator of its own, whose runs are one step long. */
static cq_status relax(const cq_scene *scene, const cq_mpm_model *own, int steps, bool anyway,
                       double *inputs) {
  cq_model model = scene->model;
  run_in r = {.scene = scene};
  model.own = own;
  model.steps = 1;
  model.gradient = "none";
  cq_status status = cq_sim_create(scene->ctx, &model, &r.sim);
  status = status == CQ_OK ? CQ_ALLOC(scene->ctx, r.state, scene->layout.state_total) : status;
  status = status == CQ_OK ? CQ_ALLOC(scene->ctx, r.inputs, scene->layout.total) : status;
  status = status == CQ_OK ? settle(&r, steps, anyway, inputs) : status;
  cq_sim_destroy(r.sim);
  cq_free(scene->ctx, r.inputs);
  cq_free(scene->ctx, r.state);
  return status;
}

cq_status cq_mpm_relax(const cq_scene *scene, double *inputs) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_boundary boundaries[CQ_MAX_BOUNDARIES];
  cq_mpm_model held;
  if (keys->relax == 0) {
    return CQ_OK;
  }
  CQ_TRY(check(scene, keys));
  hold(scene, boundaries, &held);
  CQ_TRY(relax(scene, &held, keys->relax, true, inputs));
  return relax(scene, &cq_mpm_scene_of(scene)->model, keys->relax, false, inputs);
}
