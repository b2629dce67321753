/* Named sets of particles: all of them, each body, each group. */
#include "engine.h"
#include "engine_part.h"
#include "nearest.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

cq_status cq_scene_find_set(cq_scene *scene, const cq_node *section, const char *key,
                            const char *name, const cq_set **out) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < scene->n_sets; i++) {
    if (strcmp(scene->sets[i].name, name) == 0) {
      *out = &scene->sets[i];
      return CQ_OK;
    }
    if (i > 0) { /* a name, not "*" */
      cq_nearest_offer(&nearest, scene->sets[i].name);
    }
  }
  return cq_config_fail(scene->ctx, section, key, "there is no body or group \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}

const cq_body *cq_set_body(const cq_scene *scene, const cq_set *set) {
  const int body = (int)(set - scene->sets) - 1; /* behind "*" */
  return body >= 0 && body < scene->config.bodies.count ? &scene->bodies[body] : NULL;
}

/* Column i: the bodies in their order, n of each that is rigid. */
bool cq_column_of_rigid(const cq_scene *scene, int i, const int *quantities, int n,
                        cq_own_column *column) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const int quantity = quantities[i % n];
  int left = i / n;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_set *set = &scene->sets[1 + b];
    if (scene->bodies[b].rigid && left-- == 0) {
      *column = (cq_own_column){.quantity = quantity, .of = set};
      snprintf(column->name, sizeof column->name, "%.120s.%s", set->name,
               type->quantities[quantity - CQ_N_SHARED_QUANTITIES].name);
      return true;
    }
  }
  return false;
}

/* Nothing is in the shape of the group: where its body is. */
static cq_status empty_group(const cq_scene *scene, const cq_group_keys *keys, const cq_set *of) {
  const size_t dim = (size_t)scene->config.dim;
  char low_text[96] = "", high_text[96] = "";
  for (size_t a = 0; a < dim; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < of->count; i++) {
      const double x = scene->x[(size_t)of->particles[i] * dim + a];
      low = fmin(low, x);
      high = fmax(high, x);
    }
    const size_t used = strlen(low_text), used_high = strlen(high_text);
    snprintf(low_text + used, sizeof low_text - used, "%s%g", a > 0 ? ", " : "", low);
    snprintf(high_text + used_high, sizeof high_text - used_high, "%s%g", a > 0 ? ", " : "", high);
  }
  return CQ_BAD(scene->ctx, keys, name,
                "the group \"%s\" is empty: no particle of \"%s\" starts in its shape; they start "
                "between [%s] and [%s]",
                keys->name, of->name, low_text, high_text);
}

/* The number that a point was given as its group; -1: none. */
static double number_of(const cq_scene *scene, int particle) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const int i = particle - body->first;
    if (i >= 0 && i < body->count) {
      return cq_body_own(body, (size_t)i, CQ_OWN_GROUP, -1.0);
    }
  }
  return -1.0;
}

static cq_status fill_by_number(const cq_scene *scene, const cq_group_keys *keys, const cq_set *of,
                                int *particles, cq_set *set) {
  for (int i = 0; i < of->count; i++) {
    if (number_of(scene, of->particles[i]) == keys->number) {
      particles[set->count++] = of->particles[i];
    }
  }
  CQ_KEY_CHECK(scene->ctx, set->count > 0, keys, number, "no point of \"%s\" has %d as its group",
               of->name, keys->number);
  return CQ_OK;
}

/* A particle on the surface is inside. */
static cq_status fill_group(cq_scene *scene, const cq_group_keys *keys, const cq_set *of,
                            cq_set *set) {
  const double tolerance = 1e-9 * scene->model.length;
  cq_shape shape = {0};
  int *particles = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, particles, of->count));
  set->particles = particles;
  if (keys->by == CQ_GROUP_BY_NUMBER) {
    return fill_by_number(scene, keys, of, particles, set);
  }
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &shape));
  for (int i = 0; i < of->count; i++) {
    const int p = of->particles[i];
    if (cq_shape_distance(&shape, scene->x + (size_t)p * (size_t)shape.dim) <= tolerance) {
      particles[set->count++] = p;
    }
  }
  return set->count > 0 ? CQ_OK : empty_group(scene, keys, of);
}

static cq_status add_group(cq_scene *scene, const cq_group_keys *keys) {
  const cq_set *of = NULL;
  for (int i = 0; i < scene->n_sets; i++) {
    CQ_KEY_CHECK(scene->ctx, strcmp(scene->sets[i].name, keys->name) != 0, keys, name,
                 "there is a body or group \"%s\" already", keys->name);
  }
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &of));
  cq_set *set = &scene->sets[scene->n_sets];
  *set = (cq_set){.name = keys->name};
  CQ_TRY(fill_group(scene, keys, of, set));
  scene->n_sets++;
  return CQ_OK;
}

/* "*" first, then the bodies, then the groups. */
cq_status cq_scene_read_sets(cq_scene *scene) {
  const cq_group_keys *groups = scene->config.groups.items;
  const int n = scene->model.n_particles, n_bodies = scene->config.bodies.count;
  int *all = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, all, n));
  const int most = 1 + n_bodies + scene->config.groups.count;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->sets, most));
  for (int p = 0; p < n; p++) {
    all[p] = p;
  }
  scene->sets[scene->n_sets++] = (cq_set){"*", n, all};
  for (int b = 0; b < n_bodies; b++) {
    const cq_body *body = &scene->bodies[b];
    scene->sets[scene->n_sets++] = (cq_set){body->keys->name, body->count, all + body->first};
  }
  for (int g = 0; g < scene->config.groups.count; g++) {
    CQ_TRY(add_group(scene, &groups[g]));
  }
  return CQ_OK;
}
