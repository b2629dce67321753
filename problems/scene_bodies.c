/* Bodies and materials of the file: shapes, sampling, masses. */
#include "nearest.h"
#include "scene.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static bool given(double value) {
  return !isnan(value);
}

static cq_status check_materials(const cq_scene *scene) {
  const cq_material_keys *materials = scene->config.materials.items;
  for (int i = 0; i < scene->config.materials.count; i++) {
    for (int j = 0; j < i; j++) {
      CQ_KEY_CHECK(scene->ctx, strcmp(materials[i].name, materials[j].name) != 0, &materials[i],
                   name, "two materials are called \"%s\"", materials[i].name);
    }
  }
  return CQ_OK;
}

static cq_status find_material(const cq_scene *scene, cq_body *body) {
  const cq_items *list = &scene->config.materials;
  const cq_material_keys *materials = list->items;
  cq_nearest nearest = cq_nearest_begin(body->keys->material);
  for (int i = 0; i < list->count; i++) {
    if (strcmp(materials[i].name, body->keys->material) == 0) {
      body->material = &materials[i];
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, materials[i].name);
  }
  return CQ_BAD(scene->ctx, body->keys, material, "there is no material \"%s\"; %s",
                body->keys->material, cq_nearest_text(&nearest));
}

cq_status cq_scene_find_body(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, const cq_body **out) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < scene->config.bodies.count; i++) {
    const char *other = scene->bodies[i].keys->name;
    if (strcmp(other, name) == 0) {
      *out = &scene->bodies[i];
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, other);
  }
  return cq_config_fail(scene->ctx, section, key, "there is no body \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}

/* Spacing along one axis of the body, and how many points that makes. */
static cq_status fit_lattice(const cq_scene *scene, cq_body *body, int axis, double size) {
  const cq_body_keys *keys = body->keys;
  const bool is_box = body->shape.kind == CQ_SHAPE_box;
  const bool has_count = keys->count[0] != INT_MIN;
  double spacing = keys->spacing;
  double count = has_count ? keys->count[axis] : size / spacing;
  if (!has_count && !given(spacing)) {
    count = fmax(1.0, round(size / (0.5 * scene->config.simulation.cell)));
  }
  if (has_count || !given(spacing)) {
    spacing = size / count;
  } else if (!is_box) {
    count = ceil(count - 1e-9);
  }
  CQ_KEY_CHECK(scene->ctx, fabs(count - round(count)) < 1e-6 * fmax(1.0, count) && count >= 0.5,
               keys, spacing,
               "%g m is not a whole number of %g m (axis %c: %.3f); change size or spacing, or "
               "give count",
               size, spacing, "xyz"[axis], count);
  CQ_KEY_CHECK(scene->ctx, count < 1e6, keys, spacing, "%.0f particles along axis %c are too many",
               count, "xyz"[axis]);
  body->lattice.count[axis] = (int)lround(count);
  body->lattice.spacing[axis] = spacing;
  return CQ_OK;
}

static cq_status read_lattice(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  cq_lattice *lattice = &body->lattice;
  double size[3] = {0};
  CQ_KEY_CHECK(scene->ctx, !given(keys->spacing) || keys->count[0] == INT_MIN, keys, count,
               "give either spacing or count");
  cq_shape_bounds(&body->shape, lattice->low, size);
  lattice->dim = body->shape.dim;
  lattice->offset = keys->lattice_offset;
  for (int a = 0; a < lattice->dim; a++) {
    if (given(keys->form.low[0])) {
      lattice->low[a] = keys->form.low[a]; /* as written, without the rounding of the centre */
    }
    CQ_TRY(fit_lattice(scene, body, a, size[a]));
  }
  const size_t n = cq_lattice_points(lattice, &body->shape, NULL);
  CQ_KEY_CHECK(scene->ctx, n > 0, keys, spacing, "no particle fits into the body");
  CQ_KEY_CHECK(scene->ctx, n < INT_MAX / 16, keys, spacing, "%zu particles are too many", n);
  body->count = (int)n;
  return CQ_OK;
}

/* Without a key, the seed of the run and the place of the body decide; the file written gets it. */
static cq_status read_random(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  body->count = keys->particles;
  CQ_KEY_CHECK(scene->ctx, keys->particles < INT_MAX / 16, keys, particles, "too many");
  if (keys->seed >= 0) {
    body->seed = (uint64_t)keys->seed;
    return CQ_OK;
  }
  cq_rng rng =
      cq_rng_seed(cq_ctx_seed(scene->ctx) + (uint64_t)(body - scene->bodies) * 0x9e3779b9u);
  body->seed = cq_rng_next(&rng) >> 40;
  return cq_config_complete(&scene->arena, keys->node, "seed", CQ_NODE_INT, (long long)body->seed,
                            NULL);
}

static double pick(double own, double other) {
  return given(own) ? own : other;
}

static cq_status read_mass(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  body->volume = pick(keys->particle_volume, cq_shape_volume(&body->shape) / body->count);
  body->youngs_modulus = pick(keys->youngs_modulus, body->material->youngs_modulus);
  body->poisson_ratio = pick(keys->poisson_ratio, body->material->poisson_ratio);
  body->density = pick(keys->density, body->material->density);
  if (given(keys->particle_mass)) {
    CQ_KEY_CHECK(scene->ctx, !given(keys->density), keys, particle_mass,
                 "give either density or particle_mass");
    body->density = keys->particle_mass / body->volume;
  }
  return CQ_OK;
}

static cq_status read_body(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  for (const cq_body *other = scene->bodies; other != body; other++) {
    CQ_KEY_CHECK(scene->ctx, strcmp(other->keys->name, keys->name) != 0, keys, name,
                 "two bodies are called \"%s\"", keys->name);
  }
  const int n_spin = scene->config.dim == 2 ? 1 : 3;
  CQ_KEY_CHECK(scene->ctx, keys->spin.count == 0 || keys->spin.count == n_spin, keys, spin,
               "must be %s", n_spin == 1 ? "one number in 2D" : "three numbers in 3D");
  CQ_TRY(find_material(scene, body));
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &body->shape));
  if (keys->sampling == CQ_SAMPLING_LATTICE) {
    CQ_TRY(read_lattice(scene, body));
  } else {
    CQ_TRY(read_random(scene, body));
  }
  return read_mass(scene, body);
}

static void place(const cq_body *body) {
  if (body->keys->sampling == CQ_SAMPLING_LATTICE) {
    cq_lattice_points(&body->lattice, &body->shape, body->x);
    return;
  }
  cq_rng rng = cq_rng_seed(body->seed);
  for (int i = 0; i < body->count; i++) {
    cq_shape_sample(&body->shape, &rng, body->x + (size_t)i * (size_t)body->shape.dim);
  }
}

cq_status cq_scene_read_bodies(cq_scene *scene) {
  const cq_items *list = &scene->config.bodies;
  const cq_body_keys *keys = list->items;
  CQ_CHECK(scene->ctx, list->count > 0, CQ_CONFIG, "%s: the file has no bodies",
           cq_node_where(scene->config.root).text);
  CQ_TRY(check_materials(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->bodies, list->count));
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    cq_body *body = &scene->bodies[i];
    body->keys = &keys[i];
    body->first = n;
    CQ_TRY(read_body(scene, body));
    CQ_KEY_CHECK(scene->ctx, n < INT_MAX / 16 - body->count, body->keys, name,
                 "the scene has too many particles");
    n += body->count;
  }
  scene->model.n_particles = n;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->x, (size_t)n * (size_t)scene->config.dim));
  for (int i = 0; i < list->count; i++) {
    cq_body *body = &scene->bodies[i];
    body->x = scene->x + (size_t)body->first * (size_t)scene->config.dim;
    place(body);
  }
  return CQ_OK;
}
