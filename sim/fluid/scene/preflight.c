/* What can be known of a run of the fluid before it is made: a stable time step, densities. */
#include "alloc.h"
#include "fluid_scene.h"
#include "status.h"

#include <math.h>

static const double warn_density = 1.02; /* of the rest density */
static const double refuse_density = 1.5;
static const double warn_diameters = 0.4; /* that a particle moves in a step */

/* Worst case over the bounds of the design. */
typedef struct stability {
  double viscous, moving; /* stable time steps */
  const cq_body *body;
  double viscosity, density, speed;
} stability;

/* The particle that is viscous most, and the fastest one. */
static stability find_stability(const cq_scene *scene, const double *least, const double *largest) {
  const cq_layout *layout = &scene->layout;
  const size_t viscosity = cq_layout_offset(layout, "viscosity");
  const size_t density = cq_layout_offset(layout, "density"), v = cq_layout_offset(layout, "v");
  const double radius = cq_fluid_scene_of(scene)->model.radius;
  const size_t dim = (size_t)scene->model.dim;
  stability s = {INFINITY, INFINITY, NULL, 0.0, 0.0, 0.0};
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
      const double nu = largest[viscosity + p] / least[density + p];
      const double viscous = cq_fluid_viscous_dt(radius, nu);
      double square = 0.0;
      if (viscous < s.viscous) {
        s.viscous = viscous;
        s.body = body;
        s.viscosity = largest[viscosity + p];
        s.density = least[density + p];
      }
      for (size_t a = 0; a < dim; a++) {
        const double low = least[v + p * dim + a], high = largest[v + p * dim + a];
        const double most = fmax(fabs(low), fabs(high));
        square += isfinite(most) ? most * most : 0.0;
      }
      s.speed = fmax(s.speed, sqrt(square));
    }
  }
  s.moving = s.speed > 0.0 ? warn_diameters * 2.0 * radius / s.speed : INFINITY;
  return s;
}

/* A warning or a refusal, each with what would do. */
static cq_status check_time_step(const cq_scene *scene, const stability *s) {
  const cq_fluid_simulation_keys *keys = scene->config.simulation.of_engine;
  const cq_simulation_keys *shared = &scene->config.simulation;
  const double dt = scene->model.dt, radius = keys->radius;
  if (keys->cfl > 0.0) {
    return CQ_OK; /* steps are cut */
  }
  if (dt > s->moving * (1.0 + 1e-9)) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "simulation.time_step = %g s: within the bounds of the design particles start with up to "
        "%g m/s, which is %.2g of their diameters a step, where %g is safe; a run ends where it "
        "is 1",
        dt, s->speed, s->speed * dt / (2.0 * radius), warn_diameters);
  }
  if (!(dt > s->viscous * (1.0 + 1e-9))) {
    return CQ_OK;
  }
  if (keys->allow_unstable) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "simulation.time_step = %g s may be unstable: the viscosity of body \"%s\", %g Pa s, "
           "allows %.6g s",
           dt, s->body->keys->name, s->viscosity, s->viscous);
    return CQ_OK;
  }
  return CQ_BAD(
      scene->ctx, shared, time_step,
      "%g s is unstable: the viscosity of body \"%s\" (%g Pa s, density %g kg/m^%d, worst "
      "case of the design) allows %.6g s (allow_unstable = true runs it all the same)",
      dt, s->body->keys->name, s->viscosity, s->density, scene->model.dim, s->viscous);
}

/* Particles that start outside of the room. */
static cq_status check_inside(const cq_scene *scene) {
  const size_t dim = (size_t)scene->model.dim, at = cq_layout_offset(&scene->layout, "x");
  const cq_fluid_domain_keys *domain = scene->config.domain.of_engine;
  for (int b = 0; b < scene->config.bodies.count && domain->type != CQ_FLUID_DOMAIN_NONE; b++) {
    const cq_body *body = &scene->bodies[b];
    for (size_t i = 0; i < (size_t)body->count; i++) {
      for (size_t a = 0; a < dim; a++) {
        const double x = scene->current[at + ((size_t)body->first + i) * dim + a];
        const double end = scene->model.room.high[a];
        if (!(x >= 0.0 && x <= end)) {
          return cq_config_fail(
              scene->ctx, body->keys->node, "name",
              "body \"%s\" is outside of the room: its particle %zu is at %c = %g m, and must have "
              "0 <= %c <= %g m; move the body or enlarge simulation.size",
              body->keys->name, i, "xyz"[a], x, "xyz"[a], end);
        }
      }
    }
  }
  return CQ_OK;
}

/* Says where fluid is too dense at the start: it would burst. */
static cq_status check_density(const cq_scene *scene, const double *density) {
  const size_t dim = (size_t)scene->model.dim;
  const double *x = scene->current + cq_layout_offset(&scene->layout, "x");
  const cq_body *worst = NULL;
  size_t particle = 0;
  double most = 0.0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
      CQ_CHECK(scene->ctx, !isnan(density[p]), CQ_MEMORY, "no memory for densities");
      if (density[p] > most) {
        most = density[p];
        particle = p;
        worst = body;
      }
    }
  }
  if (worst == NULL || most <= warn_density) {
    return CQ_OK;
  }
  char text[400];
  snprintf(text, sizeof text,
           "the fluid starts with up to %.3f of its density (body \"%s\" at %g, %g%s m) and will "
           "burst; leave particles two radii apart, one radius from walls and bodies, or set "
           "simulation.relax = 50",
           most, worst->keys->name, x[particle * dim], x[particle * dim + 1],
           dim == 3 ? ", ..." : "");
  if (most > refuse_density) {
    return cq_config_fail(scene->ctx, worst->keys->node, "name", "%s", text);
  }
  cq_log(scene->ctx, CQ_LOG_WARNING, "%s", text);
  return CQ_OK;
}

/* The heuristics follow bodies in steps of one length. */
static cq_status check_parts(const cq_scene *scene) {
  const cq_fluid_simulation_keys *keys = scene->config.simulation.of_engine;
  const char *word = scene->model.gradient;
  const cq_gradient_word *gradient = cq_engine_gradient(&cq_engine_fluid, word);
  CQ_KEY_CHECK(scene->ctx, keys->cfl <= 0.0 || gradient->grade != CQ_GRADIENT_HEURISTIC, keys, cfl,
               "simulation.gradient = \"%s\" needs steps of one length; set it to \"difference\", "
               "or leave out cfl",
               word);
  CQ_KEY_CHECK(scene->ctx, keys->horizon == 0 || gradient->grade == CQ_GRADIENT_HEURISTIC, keys,
               horizon, "is of heuristics such as simulation.gradient = \"rigid\", not of \"%s\"",
               gradient->word);
  return CQ_OK;
}

/* Exact ones follow a fixed number of sweeps, in each of which every particle takes part. */
static cq_status check_exact(const cq_scene *scene) {
  const cq_fluid_simulation_keys *keys = scene->config.simulation.of_engine;
  const char *word = scene->model.gradient;
  const cq_gradient_kind grade = cq_engine_gradient(&cq_engine_fluid, word)->grade;
  if (grade != CQ_GRADIENT_EXACT_REVERSE && grade != CQ_GRADIENT_EXACT_TANGENT) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, keys->tolerance <= 0.0, keys, tolerance,
               "simulation.gradient = \"%s\" needs fixed numbers of sweeps: set tolerance and "
               "divergence_tolerance to 0, or the gradient to \"difference\"",
               word);
  CQ_KEY_CHECK(scene->ctx, keys->divergence_tolerance <= 0.0, keys, divergence_tolerance,
               "simulation.gradient = \"%s\" needs a fixed number of sweeps: set it to 0, or the "
               "gradient to \"difference\"",
               word);
  CQ_KEY_CHECK(scene->ctx, keys->cfl <= 0.0, keys, cfl,
               "simulation.gradient = \"%s\" needs steps of one length; leave out cfl, or set the "
               "gradient to \"difference\"",
               word);
  CQ_KEY_CHECK(scene->ctx, !keys->warm_start, keys, warm_start,
               "simulation.gradient = \"%s\" does not know it; set it to false, or the gradient to "
               "\"difference\"",
               word);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_fluid_body_keys *body = scene->bodies[b].keys->of_engine;
    CQ_KEY_CHECK(scene->ctx, !body->emitter, body, emitter,
                 "simulation.gradient = \"%s\" does not know emitters; set it to \"difference\"",
                 word);
  }
  return CQ_OK;
}

cq_status cq_fluid_preflight(cq_scene *scene, const double *least, const double *largest,
                             const double *away) {
  (void)away;
  CQ_TRY(check_parts(scene));
  CQ_TRY(check_exact(scene));
  CQ_TRY(cq_fluid_check_joints(scene));
  CQ_TRY(check_inside(scene));
  const stability s = find_stability(scene, least, largest);
  scene->stable_dt = s.viscous;
  scene->stable_for = s.body;
  CQ_TRY(check_time_step(scene, &s));
  double *density = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, density, scene->model.n_particles));
  cq_fluid_density(&scene->model, &scene->layout, scene->current, density);
  const cq_status status = check_density(scene, density);
  cq_free(scene->ctx, density);
  return status;
}
