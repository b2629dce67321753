/* What can be known of an MPM run before it is made: bodies inside the grid, a stable time step. */
#include "actuators.h"
#include "alloc.h"
#include "mpm_scene.h"
#include "stable_dt.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double warn_cells = 0.9;   /* c dt / cell up to which a run is safe */
static const double refuse_cells = 1.2; /* measured: the scheme breaks at 1.00 to 1.15 */

/* A particle is inside when the 3 nodes per axis around it exist: 0 <= base, base + 2 < count. */
static bool inside_grid(const cq_mpm_model *own, int dim, const double *x, int *axis) {
  for (int a = 0; a < dim; a++) {
    const double base = floor(x[a] / own->cell - 0.5);
    if (!(base >= 0.0 && base + 2.0 < own->grid[a])) {
      *axis = a;
      return false;
    }
  }
  return true;
}

static cq_status outside(const cq_scene *scene, const cq_body *body, int particle, int axis,
                         double x) {
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  const char name = "xyz"[axis];
  char text[512];
  snprintf(text, sizeof text,
           "body \"%s\" is outside the grid: its particle %d is at %c = %g m, and must have "
           "%g <= %c < %g m (%d nodes, cell %g m); move the body or enlarge simulation.grid",
           body->keys->name, particle, name, x, 0.5 * own->cell, name,
           (own->grid[axis] - 1.5) * own->cell, own->grid[axis], own->cell);
  const cq_shape_keys *form = &body->keys->form;
  const char *key = !isnan(form->low[0]) ? "low" : (!isnan(form->center[0]) ? "center" : "name");
  return cq_config_fail(scene->ctx, body->keys->node, key, "%s", text);
}

static cq_status check_inside(const cq_scene *scene, const cq_body *body) {
  const size_t dim = (size_t)scene->model.dim;
  const double *x =
      scene->current + cq_layout_offset(&scene->layout, "x") + (size_t)body->first * dim;
  int axis = 0;
  for (int i = 0; i < body->count; i++) {
    if (!inside_grid(&cq_mpm_scene_of(scene)->model, (int)dim, x + (size_t)i * dim, &axis)) {
      return outside(scene, body, i, axis, x[(size_t)i * dim + (size_t)axis]);
    }
  }
  return CQ_OK;
}

/* Says if some design within finite bounds puts the body outside the grid. */
static void warn_of_places(const cq_scene *scene, const cq_body *body, const double *least,
                           const double *largest) {
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  const size_t dim = (size_t)scene->model.dim;
  const size_t x = cq_layout_offset(&scene->layout, "x") + (size_t)body->first * dim;
  for (size_t i = x; i < x + (size_t)body->count * dim; i++) {
    const double low = 0.5 * own->cell;
    const double high = (own->grid[(i - x) % dim] - 1.5) * own->cell;
    const double far = least[i] < low ? least[i] : largest[i];
    if (isfinite(far) && (far < low || far >= high)) {
      cq_log(
          scene->ctx, CQ_LOG_WARNING,
          "within the bounds of the design body \"%s\" can be outside the grid: its particle %zu "
          "at %c = %g m, where %g to %g m is inside",
          body->keys->name, (i - x) / dim, "xyz"[(i - x) % dim], far, low, high);
      return;
    }
  }
}

/* The stress by which actuators stiffen each particle. */
static void actuation_bounds(const cq_scene *scene, const double *away, double *stress) {
  const cq_model *model = &scene->model;
  memset(stress, 0, (size_t)model->n_particles * sizeof *stress);
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *actuator = &cq_mpm_of(model)->actuators[i];
    const cq_set *set = scene->acting[i].set;
    const double bound = cq_actuator_bound(actuator, model->dim, away + actuator->first_control);
    for (int k = 0; k < set->count; k++) {
      stress[set->particles[k]] += bound;
    }
  }
}

/* Worst case of the stable time step over the design box. */
typedef struct stability {
  double stable_dt;
  double cells_per_step; /* c dt / cell; safe up to 0.9 */
  const cq_body *body;
  double youngs_modulus, density, actuation;
} stability;

/* The particle that allows the smallest time step, at the worst corner of the design box. */
static stability find_stability(const cq_scene *scene, const double *least, const double *largest,
                                const double *actuation) {
  const cq_layout *layout = &scene->layout;
  const double *const stiffest = largest + cq_layout_offset(layout, "youngs_modulus");
  const double *const ratio = largest + cq_layout_offset(layout, "poisson_ratio");
  const double *const lightest = least + cq_layout_offset(layout, "density");
  const double cell = cq_mpm_scene_of(scene)->model.cell;
  stability worst = {.stable_dt = INFINITY}; /* rigid bodies know no limit here */
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const cq_mpm_material_keys *material = body->material->of_engine;
    for (int i = 0; i < body->count && !cq_mpm_is_rigid(body); i++) {
      const size_t p = (size_t)(body->first + i);
      const double E = stiffest[p], nu = ratio[p], rho = lightest[p];
      const double stress = actuation[p];
      const double modulus = cq_wave_modulus(material->model, E, nu);
      const double dt = cq_stable_dt(cell, modulus + stress, material->viscosity, rho);
      if (dt < worst.stable_dt) {
        worst = (stability){dt, warn_cells * scene->model.dt / dt, body, E, rho, stress};
      }
    }
  }
  return worst;
}

/* A warning, or a refusal, where the time step is above the stable one. */
static cq_status check_time_step(const cq_scene *scene, stability s) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_mpm_simulation_keys *own = keys->of_engine;
  /* 1e-9: a time step copied from our own advice is not above it by rounding */
  if (s.cells_per_step <= warn_cells * (1.0 + 1e-9)) {
    return CQ_OK;
  }
  const double time = keys->time_step * keys->steps;
  const double steps = ceil(time / s.stable_dt * (1.0 - 1e-10));
  const cq_mpm_material_keys *material = s.body->material->of_engine;
  const double viscosity = material->viscosity;
  const bool liquid = cq_material_is_liquid(material->model);
  char text[512], viscous[64] = "";
  if (viscosity > 0.0) {
    snprintf(viscous, sizeof viscous, ", viscosity %g Pa s", viscosity);
  }
  snprintf(text, sizeof text,
           "%s %.3g cells a step in body \"%s\" (%s %g Pa, density %g kg/m^%d, "
           "actuation %g Pa%s, worst case of the design), where up to %.1f is safe; the largest "
           "stable time step is %.6g s: time_step = %.6g with steps = %.0f gives the same time",
           viscosity > 0.0 ? "sound and viscosity reach" : "sound crosses", s.cells_per_step,
           s.body->keys->name, liquid ? "bulk modulus" : "Young's modulus", s.youngs_modulus,
           s.density, scene->model.dim, s.actuation, viscous, warn_cells, s.stable_dt, time / steps,
           steps);
  if (s.cells_per_step <= refuse_cells || own->allow_unstable) {
    cq_log(scene->ctx, CQ_LOG_WARNING, "simulation.time_step = %g s may be unstable: %s",
           keys->time_step, text);
    return CQ_OK;
  }
  return CQ_BAD(scene->ctx, keys, time_step,
                "%g s is unstable: %s (allow_unstable = true runs it all the same)",
                keys->time_step, text);
}

/* Says if a body is nearly incompressible: a cell has fewer ways to deform than its particles ask
 * not to change their volume. */
static void warn_of_locking(const cq_scene *scene, const cq_body *body, const double *largest) {
  const double *ratio = largest + cq_layout_offset(&scene->layout, "poisson_ratio");
  const unsigned char *material = cq_mpm_scene_of(scene)->model.material;
  double most = 0.0;
  for (int i = body->first; i < body->first + body->count && !cq_mpm_is_rigid(body); i++) {
    most = !cq_material_is_liquid(material[i]) && ratio[i] > most ? ratio[i] : most;
  }
  if (most > 0.49 && most < 0.5) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "body \"%s\" is nearly incompressible (Poisson's ratio %g): cells lock, and it is too "
           "stiff, by 1 %% or more with ten cells across; see if half the cell changes the result "
           "(docs/validation.md)",
           body->keys->name, most);
  }
}

/* A body that the design places is put where the file has it, in each design. */
static cq_status check_relax(const cq_scene *scene) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  const cq_poses *poses = &scene->design.poses;
  for (int i = 0; keys->relax > 0 && i < poses->count; i++) {
    const cq_pose *pose = &poses->poses[i];
    CQ_KEY_CHECK(scene->ctx, !(pose->places || pose->turns || pose->resizes), keys, relax,
                 "the design places or turns body \"%s\", which would undo it; leave it out",
                 pose->body->keys->name);
  }
  return CQ_OK;
}

/* What rigid bodies and contacts keep of a sweep goes on across a horizon. */
static cq_status check_horizon(const cq_scene *scene) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  CQ_KEY_CHECK(scene->ctx, keys->horizon == 0 || (own->rigids == NULL && own->n_contacts == 0),
               keys, horizon,
               "is not for scenes with rigid bodies or with contact between bodies; set it to 0");
  return CQ_OK;
}

/* Refuses what leaves the grid or is unstable within the bounds, and warns of what is not meant. */
cq_status cq_mpm_preflight(cq_scene *scene, const double *least, const double *largest,
                           const double *away) {
  for (int i = 0; i < scene->config.bodies.count; i++) {
    CQ_TRY(check_inside(scene, &scene->bodies[i]));
  }
  for (int i = 0; i < scene->config.bodies.count; i++) {
    warn_of_places(scene, &scene->bodies[i], least, largest);
    warn_of_locking(scene, &scene->bodies[i], largest);
  }
  CQ_TRY(check_relax(scene));
  CQ_TRY(check_horizon(scene));
  CQ_TRY(cq_mpm_check_means(scene));
  double *stress = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, stress, scene->model.n_particles));
  actuation_bounds(scene, away, stress);
  const stability s = find_stability(scene, least, largest, stress);
  cq_free(scene->ctx, stress);
  scene->stable_dt = s.stable_dt;
  scene->stable_for = s.body;
  CQ_TRY(check_time_step(scene, s));
  cq_mpm_check_walls(scene);
  CQ_TRY(cq_mpm_check_rigids(scene));
  return cq_mpm_check_sparse(scene);
}
