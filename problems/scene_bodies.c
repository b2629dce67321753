/* Bodies of the file: shapes, sampling, masses. */
#include "engine_part.h"
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

static double pick(double own, double other) {
  return given(own) ? own : other;
}

/* Volume of a particle. */
static cq_status read_volume(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  const bool has_own = given(keys->particle_volume), has_all = given(keys->volume);
  CQ_KEY_CHECK(scene->ctx, has_own + has_all + (body->volumes != NULL) <= 1, keys, volume,
               "give one of volume, particle_volume and volumes of the points");
  const double all = pick(keys->volume, body->shape_volume);
  body->volume = pick(keys->particle_volume, all / body->count);
  CQ_KEY_CHECK(scene->ctx, body->volumes != NULL || given(body->volume), keys, volume,
               "the volume of the body is not known; give volume or particle_volume");
  return CQ_OK;
}

static cq_status read_mass(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  CQ_TRY(read_volume(scene, body));
  body->density = pick(keys->density, body->material->density);
  if (given(keys->particle_mass)) {
    CQ_KEY_CHECK(scene->ctx, !given(keys->density) && body->volumes == NULL, keys, particle_mass,
                 "give either density or particle_mass (and no volumes of single points)");
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
  CQ_TRY(cq_body_read_particles(scene, body));
  return read_mass(scene, body);
}

/* Counts the particles of all bodies first: their places stand in one array. */
cq_status cq_scene_read_bodies(cq_scene *scene) {
  const cq_items *list = &scene->config.bodies;
  const cq_body_keys *keys = list->items;
  CQ_CHECK(scene->ctx, list->count > 0, CQ_CONFIG,
           "%s: the file has no bodies; add  bodies = ( { ... } );",
           cq_node_where(cq_node_find(scene->config.root, "bodies")).text);
  CQ_TRY(check_materials(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->bodies, list->count));
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    cq_body *body = &scene->bodies[i];
    body->keys = &keys[i];
    body->first = n;
    CQ_TRY(read_body(scene, body));
    CQ_KEY_CHECK(scene->ctx, n < INT_MAX / 16 - body->count, body->keys, name,
                 "the scene has too many particles: at most %d", INT_MAX / 16);
    n += body->count;
  }
  scene->model.n_particles = n;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->x, (size_t)n * (size_t)scene->config.dim));
  for (int i = 0; i < list->count; i++) {
    cq_body *body = &scene->bodies[i];
    body->x = scene->x + (size_t)body->first * (size_t)scene->config.dim;
    cq_body_place(body);
  }
  return scene->part->read_bodies(scene);
}
