/* Bodies of the file as fluid or rigid; what the fluid meets of the rigid ones and of walls. */
#include "fluid_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const size_t most_samples = 20000000;
/* Of samples, in radii: with 5 a tenth of the water of bottle_flip goes through its wall, with 4
 * none. */
static const double widest_spacing = 4.0;

static bool is_rigid(const cq_body *body) {
  const cq_fluid_material_keys *material = body->material->of_engine;
  return material->model == CQ_FLUID_MODEL_RIGID;
}

/* Is x inside of a rigid body, an obstacle or a half-space? */
static bool inside_a_body(const cq_scene *scene, const double *x) {
  const cq_fluid_scene *own = cq_fluid_scene_of(scene);
  for (int i = 0; i < own->n_tools; i++) {
    if (cq_shape_distance(&own->tools[i].shape, x) < 0.0) {
      return true;
    }
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    if (is_rigid(body) && cq_shape_distance(&body->shape, x) < 0.0) {
      return true;
    }
  }
  return false;
}

/* Takes fluid out of rigid bodies: particles move up, so that bodies still follow each other. */
static cq_status remove_fluid(cq_scene *scene) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const size_t dim = (size_t)scene->config.dim;
  int n = 0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    cq_body *body = &scene->bodies[b];
    const bool rigid = is_rigid(body);
    double *volumes = (double *)body->volumes;
    const int first = n;
    for (int i = 0; i < body->count; i++) {
      const double *x = scene->x + (size_t)(body->first + i) * dim;
      if (!rigid && inside_a_body(scene, x)) {
        own->removed[b]++;
        continue;
      }
      memmove(scene->x + (size_t)n * dim, x, dim * sizeof *x);
      if (volumes != NULL) {
        volumes[n - first] = volumes[i];
      }
      n++;
    }
    body->first = first;
    body->count = n - first;
    body->x = scene->x + (size_t)first * dim;
    if (body->count == 0) {
      return cq_config_fail(scene->ctx, body->keys->node, "name",
                            "all of this fluid is inside of rigid bodies or obstacles");
    }
    body->cut = own->removed[b] > 0;
    if (body->cut) {
      cq_log(scene->ctx, CQ_LOG_INFO,
             "body \"%s\": %d particles of fluid start inside of rigid bodies or obstacles and are "
             "left out",
             body->keys->name, own->removed[b]);
    }
  }
  scene->model.n_particles = n;
  return CQ_OK;
}

/* Samples of the sides of the room. */
static cq_status sample_walls(cq_scene *scene, cq_points *samples) {
  const cq_fluid_domain_keys *keys = scene->config.domain.of_engine;
  const cq_fluid_model *own = &cq_fluid_scene_of(scene)->model;
  const double inset = CQ_FLUID_INSET * own->radius;
  double low[3], high[3];
  for (int a = 0; a < 3; a++) {
    low[a] = scene->model.room.low[a] - inset;
    high[a] = scene->model.room.high[a] + inset;
  }
  return keys->type == CQ_FLUID_DOMAIN_NONE
             ? CQ_OK
             : cq_fluid_sample_box(scene->ctx, scene->config.dim, low, high, 2.0 * own->radius,
                                   most_samples, samples);
}

static cq_status too_thin(const cq_scene *scene, const cq_node *node, const char *key) {
  const double radius = cq_fluid_scene_of(scene)->model.radius;
  return cq_config_fail(scene->ctx, node, key,
                        "the body is too thin for particles of radius %g m: it must be more than "
                        "%g m thick",
                        radius, 2.0 * CQ_FLUID_INSET * radius);
}

/* One rigid body, its samples appended. */
static cq_status read_rigid(cq_scene *scene, const cq_body *body, cq_points *samples,
                            cq_fluid_body *out) {
  const cq_fluid_body_keys *keys = body->keys->of_engine;
  const double radius = cq_fluid_scene_of(scene)->model.radius;
  CQ_KEY_CHECK(scene->ctx, body->keys->sampling != CQ_SAMPLING_POINTS, body->keys, sampling,
               "a rigid body needs a shape, whose surface the fluid meets");
  CQ_KEY_CHECK(scene->ctx, !keys->driven || keys->release == 0.0, keys, release,
               "a body with driven = true is never released");
  CQ_KEY_CHECK(scene->ctx, keys->sample_spacing <= widest_spacing, keys, sample_spacing,
               "fluid leaks between samples that are more than %g radii apart; take at most 2",
               widest_spacing);
  *out = (cq_fluid_body){.first = body->first,
                         .count = body->count,
                         .first_sample = (int)samples->n,
                         .driven = keys->driven,
                         .release = keys->release};
  CQ_TRY(cq_fluid_sample(scene->ctx, &body->shape, -CQ_FLUID_INSET * radius,
                         keys->sample_spacing * radius, most_samples, samples));
  out->n_samples = (int)samples->n - out->first_sample;
  if (out->n_samples == 0) {
    return too_thin(scene, body->keys->node, "shape");
  }
  return CQ_OK;
}

/* The samples of half-spaces and obstacles, which are driven bodies without particles. */
static cq_status read_tools(cq_scene *scene, cq_points *samples) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const double radius = own->model.radius, inset = CQ_FLUID_INSET * radius;
  double low[3], high[3];
  for (int a = 0; a < 3; a++) {
    low[a] = scene->model.room.low[a] - 4.0 * radius;
    high[a] = scene->model.room.high[a] + 4.0 * radius;
  }
  for (int i = 0; i < own->n_tools; i++) {
    const cq_fluid_tool *tool = &own->tools[i];
    cq_fluid_body *body = &own->bodies[own->model.n_bodies++];
    *body = (cq_fluid_body){.first_sample = (int)samples->n, .driven = true, .track = tool->track};
    memcpy(body->center, tool->center, sizeof body->center);
    if (tool->shape.kind == CQ_SHAPE_half_space) {
      CQ_TRY(cq_fluid_sample_plane(scene->ctx, &tool->shape, -inset, low, high, 2.0 * radius,
                                   most_samples, samples));
    } else {
      CQ_TRY(
          cq_fluid_sample(scene->ctx, &tool->shape, -inset, 2.0 * radius, most_samples, samples));
    }
    body->n_samples = (int)samples->n - body->first_sample;
    if (body->n_samples == 0) {
      return tool->shape.kind == CQ_SHAPE_half_space
                 ? cq_config_fail(scene->ctx, tool->node, "point", "the plane is out of the room")
                 : too_thin(scene, tool->node, "shape");
    }
  }
  return CQ_OK;
}

/* Moves the samples to the arena of the scene, with what they belong to. */
static cq_status keep_samples(cq_scene *scene, const cq_points *samples, int n_walls) {
  const cq_fluid_scene *scene_own = cq_fluid_scene_of(scene);
  cq_fluid_model *own = &cq_fluid_scene_of(scene)->model;
  const cq_fluid_domain_keys *domain = scene->config.domain.of_engine;
  double *x = NULL;
  unsigned char *sticky = NULL;
  int *wall = NULL;
  const size_t numbers = samples->n * (size_t)scene->config.dim;
  CQ_TRY(CQ_ARENA(&scene->arena, x, numbers + 1));
  CQ_TRY(CQ_ARENA(&scene->arena, sticky, samples->n + 1));
  CQ_TRY(CQ_ARENA(&scene->arena, wall, (size_t)n_walls + 1));
  if (numbers > 0) {
    memcpy(x, samples->x, numbers * sizeof *x);
  }
  memset(sticky, domain->type == CQ_FLUID_DOMAIN_STICKY, (size_t)n_walls);
  own->n_samples = (int)samples->n;
  own->n_wall_samples = n_walls;
  own->samples = x;
  own->sticky = sticky;
  own->sample_wall = wall;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_fluid_body_keys *keys = scene->bodies[b].keys->of_engine;
    const int rigid = cq_fluid_scene_of(scene)->rigid[b];
    if (rigid >= 0) {
      memset(sticky + own->bodies[rigid].first_sample, keys->drags,
             (size_t)own->bodies[rigid].n_samples);
    }
  }
  for (int i = 0; i < scene_own->n_tools; i++) {
    const cq_fluid_body *body = &own->bodies[own->n_bodies - scene_own->n_tools + i];
    memset(sticky + body->first_sample, scene_own->tools[i].type == CQ_FLUID_DOMAIN_STICKY,
           (size_t)body->n_samples);
  }
  return CQ_OK;
}

/* Fluid that waits to flow. */
static cq_status read_emitter(cq_scene *scene, const cq_body *body) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  const cq_fluid_body_keys *keys = body->keys->of_engine;
  double square = 0.0;
  if (!keys->emitter) {
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, !is_rigid(body), keys, emitter,
               "\"%s\" is rigid, and only fluid flows out of an emitter", body->keys->name);
  for (int a = 0; a < scene->config.dim; a++) {
    square += isnan(body->keys->velocity[a]) ? 0.0 : pow(body->keys->velocity[a], 2.0);
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, emitter, "needs a velocity, at which \"%s\" flows",
               body->keys->name);
  CQ_KEY_CHECK(scene->ctx, body->keys->spin.count == 0, body->keys, spin,
               "an emitter glides straight on, and has no spin");
  own->emitters[own->model.n_emitters++] = (cq_fluid_emitter){body->first, body->count};
  return CQ_OK;
}

/* Rigid bodies and what each particle belongs to. */
static cq_status read_rigids(cq_scene *scene, cq_points *samples, cq_fluid_body *bodies,
                             int *of_particle) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    own->rigid[b] = is_rigid(body) ? own->model.n_bodies++ : -1;
    for (int p = body->first; p < body->first + body->count; p++) {
      of_particle[p] = own->rigid[b];
    }
    CQ_TRY(read_emitter(scene, body));
    if (own->rigid[b] >= 0) {
      CQ_TRY(read_rigid(scene, body, samples, &bodies[own->rigid[b]]));
    }
  }
  return CQ_OK;
}

/* Walls, rigid bodies, tools: the order of the samples. */
static cq_status read_bodies(cq_scene *scene, cq_points *samples) {
  cq_fluid_scene *own = cq_fluid_scene_of(scene);
  int *of_particle = NULL;
  double *placed = NULL;
  const size_t n_bodies = (size_t)scene->config.bodies.count;
  CQ_TRY(CQ_ARENA(&scene->arena, own->rigid, n_bodies));
  CQ_TRY(CQ_ARENA(&scene->arena, own->removed, n_bodies));
  CQ_TRY(cq_fluid_read_tools(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, own->bodies, n_bodies + (size_t)own->n_tools));
  CQ_TRY(CQ_ARENA(&scene->arena, own->emitters, n_bodies));
  own->model.bodies = own->bodies;
  own->model.emitters = own->emitters;
  for (size_t b = 0; b < n_bodies; b++) {
    scene->bodies[b].flows = true; /* neither a fluid nor what is rigid tears */
    scene->bodies[b].rigid = is_rigid(&scene->bodies[b]);
  }
  CQ_TRY(sample_walls(scene, samples));
  const int n_walls = (int)samples->n;
  CQ_TRY(remove_fluid(scene));
  const size_t n = (size_t)scene->model.n_particles, dim = (size_t)scene->config.dim;
  CQ_TRY(CQ_ARENA(&scene->arena, of_particle, n));
  CQ_TRY(CQ_ARENA(&scene->arena, placed, n * dim));
  memcpy(placed, scene->x, n * dim * sizeof *placed);
  CQ_TRY(read_rigids(scene, samples, own->bodies, of_particle));
  CQ_TRY(cq_fluid_read_joints(scene));
  CQ_TRY(read_tools(scene, samples));
  own->model.body = of_particle;
  own->model.placed = placed;
  return keep_samples(scene, samples, n_walls);
}

cq_status cq_fluid_read_bodies(cq_scene *scene) {
  cq_points samples = {0};
  const cq_status status = read_bodies(scene, &samples);
  cq_points_free(scene->ctx, &samples);
  return status;
}
