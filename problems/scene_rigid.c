/* What terms and controllers ask of rigid bodies: turn, spin, force and torque; and of contacts. */
#include "engine.h"
#include "engine_part.h"
#include "scene.h"
#include "status.h"

#include <string.h>

/* What has no derivative but by differences is no good to other gradients. */
static cq_status check_gradient(const cq_scene *scene, const cq_node *section, const char *key,
                                const char *of, const cq_quantity *quantity) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const cq_gradient_word *word = cq_engine_gradient(type, scene->model.gradient);
  if (!quantity->values_only || word->grade == CQ_GRADIENT_NONE ||
      word->grade == CQ_GRADIENT_DIFFERENCE) {
    return CQ_OK;
  }
  return cq_config_fail(scene->ctx, section, key,
                        "%s has no gradient by simulation.gradient = \"%s\"; set that to "
                        "\"difference\"",
                        of, word->word);
}

/* Engines name them turn_z and so on; in a plane all but a force is about z. */
cq_status cq_scene_rigid_quantities(const cq_scene *scene, const cq_node *section, const char *key,
                                    const char *of, int quantities[3], int *n) {
  static const char axes[] = "xyz";
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const bool in_plane = strcmp(of, "force") == 0 || strcmp(of, "impulse") == 0;
  const int dim = scene->config.dim, first = dim == 2 && !in_plane ? 2 : 0;
  const int last = first == 2 ? 3 : dim;
  *n = 0;
  for (int a = first; a < last; a++) {
    char name[32];
    snprintf(name, sizeof name, "%s_%c", of, axes[a]);
    const int quantity = cq_engine_quantity(type, name);
    if (quantity < 0) {
      return cq_config_fail(
          scene->ctx, section, key,
          "simulation.engine = \"%s\" does not observe the %s of rigid bodies or contacts",
          type->name, of);
    }
    CQ_TRY(check_gradient(scene, section, key, of,
                          &type->quantities[quantity - CQ_N_SHARED_QUANTITIES]));
    quantities[(*n)++] = quantity;
  }
  return CQ_OK;
}

/* The rigid body that all particles of a set are of, or NULL. */
static const cq_body *body_of(const cq_scene *scene, const cq_set *set) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    int inside = 0;
    for (int i = 0; i < set->count; i++) {
      const int k = set->particles[i] - body->first;
      inside += k >= 0 && k < body->count;
    }
    if (inside > 0) {
      return inside == set->count && body->rigid ? body : NULL;
    }
  }
  return NULL;
}

/* The engine is asked first, for what has forces but no particles, as obstacles. */
cq_status cq_scene_rigid_group(cq_scene *scene, const cq_node *section, const char *key,
                               const char *name, const char *of, int *group) {
  const cq_set *set = NULL;
  cq_group found = {.count = -1};
  if (scene->part->pushed != NULL) {
    CQ_TRY(scene->part->pushed(scene, section, key, name, of, &found));
  }
  if (found.count < 0) {
    CQ_TRY(cq_scene_find_set(scene, section, key, name, &set));
    if (body_of(scene, set) == NULL) {
      return cq_config_fail(scene->ctx, section, key,
                            "%s is that of one rigid body, and \"%s\" is none", of, name);
    }
    found = (cq_group){.count = set->count, .particles = set->particles};
  }
  return cq_scene_share_group(scene, found, group);
}
