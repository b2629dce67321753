/* What a feedback controller reads: `controller.inputs` of the file as features. */
#include "engine.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Features while the file is read. */
typedef struct reader {
  cq_scene *scene;
  const cq_input_keys *keys;
  cq_feature *features;
  int count;
  int of_input; /* numbers of the input so far, for center and scale */
} reader;

/* The value for number i of an input; fallback when the file gives none. */
static double pick(const cq_numbers *numbers, int i, double fallback) {
  if (numbers->count == 0) {
    return fallback;
  }
  return numbers->values[numbers->count == 1 ? 0 : i];
}

static cq_status add(reader *r, cq_feature feature, const char *fmt, const char *name,
                     const char *part) {
  CQ_KEY_CHECK(r->scene->ctx, r->count < CQ_MOST_FEATURES, r->keys, read,
               "more than %d inputs are too many", CQ_MOST_FEATURES);
  feature.center = pick(&r->keys->center, r->of_input, 0.0);
  feature.scale = pick(&r->keys->scale, r->of_input, 1.0);
  r->of_input++;
  r->features[r->count] = feature;
  CQ_TRY(cq_arena_text(&r->scene->arena, &r->scene->features[r->count], fmt, name, part));
  r->count++;
  return CQ_OK;
}

static const char *const axes[] = {"x", "y", "z"};

static cq_status add_set(reader *r, const cq_set *set) {
  cq_scene *scene = r->scene;
  const int dim = scene->config.dim;
  const bool velocity = r->keys->read == CQ_READ_VELOCITY;
  int first = 0;
  CQ_TRY(cq_scene_want_always(scene, set, velocity ? CQ_Q_VELOCITY : CQ_Q_POSITION, &first));
  r->of_input = 0; /* center and scale are those of one body */
  for (int a = 0; a < dim; a++) {
    const cq_feature feature = {.kind = CQ_FEATURE_OBSERVED, .index = first + a};
    CQ_TRY(add(r, feature, velocity ? "%s.v%s" : "%s.%s", set->name, axes[a]));
  }
  return CQ_OK;
}

/* What is read of a rigid body, "turn" and so on; NULL: it is of any set. */
static const char *of_rigid(const reader *r) {
  static const char *const names[] = {"turn", "spin", "force", "torque"};
  return r->keys->read >= CQ_READ_TURN ? names[r->keys->read - CQ_READ_TURN] : NULL;
}

static cq_status add_rigid(reader *r, const char *name) {
  cq_scene *scene = r->scene;
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  int group = 0, n = 0, quantities[3];
  CQ_TRY(cq_scene_rigid_quantities(scene, r->keys->node, "read", of_rigid(r), quantities, &n));
  CQ_TRY(cq_scene_rigid_group(scene, r->keys->node, "body", name, of_rigid(r), &group));
  r->of_input = 0;
  for (int i = 0; i < n; i++) {
    cq_feature feature = {.kind = CQ_FEATURE_OBSERVED};
    CQ_TRY(cq_scene_want_of_group_always(scene, group, quantities[i], &feature.index));
    CQ_TRY(add(r, feature, "%s.%s", name,
               type->quantities[quantities[i] - CQ_N_SHARED_QUANTITIES].name));
  }
  return CQ_OK;
}

static cq_status add_rigids(reader *r) {
  const cq_scene *scene = r->scene;
  const int before = r->count;
  if (strcmp(r->keys->body, "each") != 0) {
    return add_rigid(r, r->keys->body);
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (scene->bodies[b].rigid) {
      CQ_TRY(add_rigid(r, scene->bodies[b].keys->name));
    }
  }
  CQ_KEY_CHECK(scene->ctx, r->count > before, r->keys, read,
               "there is no rigid body whose %s could be read", of_rigid(r));
  return CQ_OK;
}

/* What is read of a set; "each" stands for every body, one after the other. */
static cq_status add_sets(reader *r) {
  cq_scene *scene = r->scene;
  const cq_set *set = NULL;
  if (of_rigid(r) != NULL) {
    return add_rigids(r);
  }
  if (strcmp(r->keys->body, "each") != 0) {
    CQ_TRY(cq_scene_find_set(scene, r->keys->node, "body", r->keys->body, &set));
    return add_set(r, set);
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const char *name = scene->bodies[b].keys->name;
    CQ_TRY(cq_scene_find_set(scene, r->keys->node, "body", name, &set));
    CQ_TRY(add_set(r, set));
  }
  return CQ_OK;
}

/* The target follows the term: other targets are other inputs. */
static cq_status add_target(reader *r) {
  cq_scene *scene = r->scene;
  const cq_term_keys *terms = scene->config.objective.items;
  const char *wanted = r->keys->term;
  for (int i = 0; i < scene->config.objective.count; i++) {
    if (terms[i].term != CQ_TERM_distance ||
        (wanted != NULL && strcmp(terms[i].label, wanted) != 0)) {
      continue;
    }
    for (int a = 0; a < scene->config.dim; a++) {
      const cq_feature feature = {.kind = CQ_FEATURE_CONSTANT,
                                  .value = terms[i].own.distance.target[a]};
      CQ_TRY(add(r, feature, "%s.%s", "target", axes[a]));
    }
    return CQ_OK;
  }
  return CQ_BAD(scene->ctx, r->keys, read,
                wanted != NULL ? "no distance term of the objective has the label \"%s\""
                               : "the objective has no distance term%s",
                wanted != NULL ? wanted : "");
}

static cq_status add_constants(reader *r) {
  for (int i = 0; i < r->keys->value.count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    const cq_feature feature = {.kind = CQ_FEATURE_CONSTANT, .value = r->keys->value.values[i]};
    CQ_TRY(add(r, feature, "%s[%s]", "constant", number));
  }
  return CQ_OK;
}

static cq_status add_clocks(reader *r) {
  for (int i = 0; i < r->keys->clocks; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    const cq_feature feature = {.kind = CQ_FEATURE_CLOCK,
                                .rate = r->keys->rate,
                                .phase = 2.0 * 3.14159265358979323846 * i / r->keys->clocks};
    CQ_TRY(add(r, feature, "%s[%s]", "clock", number));
  }
  return CQ_OK;
}

/* An entry of controller.inputs, which may be several features. */
static cq_status read_input(reader *r) {
  r->of_input = 0;
  switch (r->keys->read) {
  case CQ_READ_TARGET:
    CQ_TRY(add_target(r));
    break;
  case CQ_READ_CONSTANT:
    CQ_TRY(add_constants(r));
    break;
  case CQ_READ_CLOCK:
    CQ_TRY(add_clocks(r));
    break;
  default:
    CQ_TRY(add_sets(r));
  }
  const cq_numbers *center = &r->keys->center, *scale = &r->keys->scale;
  CQ_KEY_CHECK(r->scene->ctx, center->count <= 1 || center->count == r->of_input, r->keys, center,
               "must be a number or a list of %d", r->of_input);
  CQ_KEY_CHECK(r->scene->ctx, scale->count <= 1 || scale->count == r->of_input, r->keys, scale,
               "must be a number or a list of %d", r->of_input);
  return CQ_OK;
}

cq_status cq_scene_read_inputs(cq_scene *scene, cq_controller *controller) {
  const cq_items *list = &scene->config.inputs;
  const cq_input_keys *keys = list->items;
  reader r = {.scene = scene};
  CQ_TRY(CQ_ARENA(&scene->arena, r.features, CQ_MOST_FEATURES));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->features, CQ_MOST_FEATURES));
  for (int i = 0; i < list->count; i++) {
    r.keys = &keys[i];
    CQ_TRY(read_input(&r));
  }
  controller->features = r.features;
  controller->n_features = r.count;
  return CQ_OK;
}
