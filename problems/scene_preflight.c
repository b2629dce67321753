/* What can be known to go wrong before the first step. */
#include "actuators.h"
#include "alloc.h"
#include "scene.h"
#include "stable_dt.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
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
  const cq_mpm_model *own = &scene->mpm;
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
    if (!inside_grid(&scene->mpm, (int)dim, x + (size_t)i * dim, &axis)) {
      return outside(scene, body, i, axis, x[(size_t)i * dim + (size_t)axis]);
    }
  }
  return CQ_OK;
}

/* Says if some design within finite bounds puts the body outside the grid. */
static void warn_of_places(const cq_scene *scene, const cq_body *body, const double *least,
                           const double *largest) {
  const cq_mpm_model *own = &scene->mpm;
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

/* How far each control may be from rest: by the bounds of its actuator, or those of the table where
 * it is designed. */
static void control_bounds(const cq_scene *scene, const double *least, const double *largest,
                           double *away) {
  const size_t n = (size_t)scene->model.n_controls;
  const size_t theta = cq_layout_offset(&scene->layout, "theta");
  for (size_t i = 0; i < n; i++) {
    away[i] = fmax(scene->u_max[i] - scene->u_rest[i], scene->u_rest[i] - scene->u_min[i]);
  }
  const bool table = scene->model.controller.kind == CQ_CONTROLLER_open_loop;
  for (size_t j = 0; table && j < (size_t)scene->model.controller.n_parameters; j++) {
    const double rest = scene->u_rest[j % n];
    const double u = fmax(fabs(least[theta + j] - rest), fabs(largest[theta + j] - rest));
    away[j % n] = fmax(away[j % n], u);
  }
}

/* The stress by which actuators stiffen each particle. */
static void actuation_bounds(const cq_scene *scene, const double *away, double *stress) {
  const cq_model *model = &scene->model;
  memset(stress, 0, (size_t)model->n_particles * sizeof *stress);
  for (int i = 0; i < model->n_actuators; i++) {
    const cq_actuator *actuator = &model->actuators[i];
    const cq_set *set = scene->actuated[i];
    const double bound = cq_actuator_bound(actuator, model->dim, away + actuator->first_control);
    for (int k = 0; k < set->count; k++) {
      stress[set->particles[k]] += bound;
    }
  }
}

/* The particle that allows the smallest time step, at the worst corner of the design box. */
static void find_stability(cq_scene *scene, const double *least, const double *largest,
                           const double *actuation) {
  const cq_layout *layout = &scene->layout;
  const double *const stiffest = largest + cq_layout_offset(layout, "youngs_modulus");
  const double *const ratio = largest + cq_layout_offset(layout, "poisson_ratio");
  const double *const lightest = least + cq_layout_offset(layout, "density");
  scene->stability.stable_dt = INFINITY;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int i = 0; i < body->count; i++) {
      const size_t p = (size_t)(body->first + i);
      const double E = stiffest[p], nu = ratio[p], rho = lightest[p];
      const double stress = actuation[p];
      const double modulus = cq_wave_modulus(body->material->model, E, nu);
      const double dt =
          cq_stable_dt(scene->mpm.cell, modulus + stress, body->material->viscosity, rho);
      if (dt < scene->stability.stable_dt) {
        scene->stability =
            (cq_stability){dt, warn_cells * scene->model.dt / dt, body, E, rho, stress};
      }
    }
  }
}

/* A cable cannot push and a gas cannot suck, whatever bounds a table is given. */
static cq_status check_one_sided(const cq_scene *scene, const double *least) {
  const size_t n = (size_t)scene->model.n_controls;
  const size_t theta = cq_layout_offset(&scene->layout, "theta");
  const bool table = scene->model.controller.kind == CQ_CONTROLLER_open_loop;
  for (size_t j = 0; table && j < (size_t)scene->model.controller.n_parameters; j++) {
    const cq_control *control = &scene->controls[j % n];
    CQ_KEY_CHECK(scene->ctx,
                 !cq_actuations[control->actuator->model].one_sided ||
                     least[theta + j] >= scene->u_min[j % n],
                 control->actuator, model,
                 "the design lets the control \"%s\" go down to %g, and %g is the least that makes "
                 "sense; raise `lower` of its block",
                 control->name, least[theta + j], scene->u_min[j % n]);
  }
  return CQ_OK;
}

/* Centimetres for metres show here. */
static void warn_of_targets(const cq_scene *scene, const cq_items *terms) {
  const cq_term_keys *keys = terms->items;
  for (int i = 0; i < terms->count; i++) {
    if (keys[i].term != CQ_TERM_distance) {
      continue;
    }
    const double *target = keys[i].own.distance.target;
    for (int a = 0; a < scene->model.dim; a++) {
      const double end = scene->model.room.high[a];
      if (target[a] < 0.0 || target[a] > end) {
        cq_log(scene->ctx, CQ_LOG_WARNING,
               "%s: the target of %s is outside the grid: %c = %g m, and the grid ends at %g m",
               cq_node_where(keys[i].node).text, cq_node_path(keys[i].node).text, "xyz"[a],
               target[a], end);
        break;
      }
    }
  }
}

/* What holds over the bounds of the design. */
static cq_status look_at_design(cq_scene *scene, double *work) {
  const size_t total = scene->layout.total;
  double *least = work, *largest = work + total, *away = work + 2 * total;
  double *actuation = away + scene->model.n_controls;
  memcpy(least, scene->inputs, total * sizeof(double));
  memcpy(largest, scene->inputs, total * sizeof(double));
  cq_design_range(&scene->design, least, largest);
  for (int i = 0; i < scene->config.bodies.count; i++) {
    warn_of_places(scene, &scene->bodies[i], least, largest);
  }
  control_bounds(scene, least, largest, away);
  actuation_bounds(scene, away, actuation);
  find_stability(scene, least, largest, actuation);
  return check_one_sided(scene, least);
}

static cq_status check_time_step(cq_scene *scene) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_stability s = scene->stability;
  /* 1e-9: a time step copied from our own advice is not above it by rounding */
  if (s.cells_per_step <= warn_cells * (1.0 + 1e-9)) {
    return CQ_OK;
  }
  const double time = keys->time_step * keys->steps;
  const double steps = ceil(time / s.stable_dt * (1.0 - 1e-10));
  const double viscosity = s.body->material->viscosity;
  const bool liquid = cq_material_is_liquid(s.body->material->model);
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
  if (s.cells_per_step <= refuse_cells || keys->allow_unstable) {
    cq_log(scene->ctx, CQ_LOG_WARNING, "simulation.time_step = %g s may be unstable: %s",
           keys->time_step, text);
    return CQ_OK;
  }
  return CQ_BAD(scene->ctx, keys, time_step,
                "%g s is unstable: %s (allow_unstable = true runs it all the same)",
                keys->time_step, text);
}

cq_status cq_scene_preflight(cq_scene *scene) {
  for (int i = 0; i < scene->config.bodies.count; i++) {
    CQ_TRY(check_inside(scene, &scene->bodies[i]));
  }
  double *work = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, work,
                  2 * scene->layout.total + (size_t)scene->model.n_controls +
                      (size_t)scene->model.n_particles));
  const cq_status status = look_at_design(scene, work);
  cq_free(scene->ctx, work);
  CQ_TRY(status);
  warn_of_targets(scene, &scene->config.objective);
  warn_of_targets(scene, &scene->config.constraints);
  CQ_TRY(check_time_step(scene));
  cq_scene_check_walls(scene);
  CQ_TRY(cq_scene_check_sparse(scene));
  return cq_scene_check_overlap(scene);
}
