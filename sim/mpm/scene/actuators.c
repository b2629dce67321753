/* Actuators of the file. */
#include "actuators.h"

#include "mpm_scene.h"
#include "schema_rows.h"
#include "status.h"

#include <math.h>

static const cq_actuation_info *info_of(const cq_actuator *actuator) {
  return &cq_actuations[actuator->kind];
}

/* "name", or "name.label" where an actuator has several controls */
static cq_status name_control(cq_scene *scene, const cq_actuator_keys *keys,
                              const cq_actuator *actuator, int i, const char **name) {
  if (actuator->n_controls == 1) {
    *name = keys->name;
    return CQ_OK;
  }
  int length = 0;
  const char *label = cq_word(info_of(actuator)->labels[scene->config.dim - 2], i, &length);
  return cq_arena_text(&scene->arena, name, "%s.%.*s", keys->name, length, label);
}

/* Bounds, units and names of an actuator's controls. */
static cq_status read_controls(cq_scene *scene, const cq_actuator_keys *actuator_keys,
                               const cq_actuator *actuator) {
  const cq_mpm_actuator_keys *keys = actuator_keys->of_engine;
  const cq_actuation_info *info = info_of(actuator);
  if (actuator->n_controls == 0) {
    return CQ_OK;
  }
  const double lowest = info->one_sided ? info->rest : 2.0 * info->rest - keys->max;
  const double min = isnan(keys->min) ? lowest : keys->min;
  CQ_KEY_CHECK(scene->ctx, keys->max > info->rest, keys, max,
               "must be above %g, the control of an idle %s", info->rest, info->name);
  CQ_KEY_CHECK(scene->ctx, min <= info->rest, keys, min,
               "must be at most %g, the control of an idle %s", info->rest, info->name);
  CQ_KEY_CHECK(scene->ctx, info->acts != CQ_ACTS_CABLE || min >= 0.0, keys, min,
               "must not be negative: a cable can only pull");
  CQ_KEY_CHECK(scene->ctx, info->rest == 0.0 || min > 0.0, keys, min,
               "is %g; a relative volume must be above 0", min);
  for (int i = 0; i < actuator->n_controls; i++) {
    const int u = actuator->first_control + i;
    scene->u_min[u] = min;
    scene->u_max[u] = keys->max;
    scene->u_rest[u] = info->rest;
    scene->u_middle[u] = 0.5 * (min + keys->max);
    scene->u_strength[u] = 0.5 * (keys->max - min);
    scene->controls[u].actuator = actuator_keys;
    scene->controls[u].unit = info->unit;
    scene->controls[u].one_sided = info->one_sided != 0;
    CQ_TRY(name_control(scene, actuator_keys, actuator, i, &scene->controls[u].name));
  }
  return CQ_OK;
}

/* the curve of the only height field */
static cq_status find_ground(const cq_scene *scene, const cq_mpm_actuator_keys *keys,
                             const cq_curve **ground) {
  int n = 0;
  for (int i = 0; i < cq_mpm_n_walls(&scene->model); i++) {
    const cq_shape *shape = &cq_mpm_scene_of(scene)->boundaries[i].shape;
    if (shape->kind == CQ_SHAPE_height_field && shape->n_points == 0) {
      *ground = &shape->curve;
      n++;
    }
  }
  CQ_KEY_CHECK(scene->ctx, n == 1, keys, along,
               "\"slope\" is that of the ground: it needs one of boundaries.height_fields, and "
               "there are %d of one row",
               n);
  return CQ_OK;
}

static cq_status read_direction(const cq_scene *scene, const cq_mpm_actuator_keys *keys,
                                double *direction) {
  double square = 0.0;
  for (int a = 0; a < scene->config.dim; a++) {
    square += keys->along[a] * keys->along[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, along, "must not be zero");
  for (int a = 0; a < scene->config.dim; a++) {
    direction[a] = keys->along[a] / sqrt(square);
  }
  return CQ_OK;
}

/* kind and direction, and with them the number of controls */
static cq_status read_kind(const cq_scene *scene, const cq_mpm_actuator_keys *keys,
                           cq_actuator *actuator) {
  actuator->kind = (cq_actuation_kind)keys->model;
  if (actuator->kind == CQ_DRIVES_A_BODY) {
    actuator->n_controls = keys->controls.count;
    return CQ_OK;
  }
  actuator->stiffness = isnan(keys->stiffness) ? 0.0 : keys->stiffness;
  if (actuator->kind == CQ_ACTUATION_push) {
    CQ_KEY_CHECK(scene->ctx, keys->until > keys->from, keys, until,
                 "is not after `from`, %g s, when the push begins", keys->from);
    memcpy(actuator->direction, keys->force, sizeof keys->force);
    actuator->from = keys->from;
    actuator->until = keys->until;
  }
  if (!isnan(keys->direction[0])) {
    memcpy(actuator->direction, keys->direction, sizeof actuator->direction);
  }
  if (isnan(keys->along[0])) {
    return CQ_OK;
  }
  if (isinf(keys->along[0])) {
    actuator->along = CQ_ALONG_SLOPE;
    return find_ground(scene, keys, &actuator->ground);
  }
  actuator->along = CQ_ALONG_DIRECTION;
  return read_direction(scene, keys, actuator->direction);
}

/* Particle i of the set has to be of material that can be moved. */
static cq_status check_soft(const cq_scene *scene, const cq_actuator_keys *keys, const cq_set *set,
                            int i) {
  CQ_KEY_CHECK(scene->ctx, set->particles[i] < cq_mpm_n_soft(&scene->model), keys, body,
               "\"%s\" has particles of a rigid body, which only model = \"drive\" moves",
               keys->body);
  return CQ_OK;
}

/* A particle has one actuator; cables do not count, they act on none as a whole. */
static cq_status take_particles(const cq_scene *scene, const cq_actuator_keys *keys, int index,
                                const cq_set *set, int *of_particle) {
  const cq_actuator_keys *all = scene->config.actuators.items;
  for (int i = 0; i < set->count; i++) {
    const int other = of_particle[set->particles[i]];
    CQ_KEY_CHECK(scene->ctx, other < 0, keys, body,
                 "the actuator \"%s\" acts on particles of \"%s\" already; a particle has one "
                 "actuator, and any number of cables",
                 all[other].name, keys->body);
    of_particle[set->particles[i]] = index;
  }
  return CQ_OK;
}

/* Where the drives of rigid bodies begin. */
static void number_drives(cq_scene *scene) {
  cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  own->first_rigid_drive = scene->model.n_drives;
  for (int i = 0; i < scene->model.n_actuators; i++) {
    const bool drives = own->actuators[i].kind == CQ_DRIVES_A_BODY;
    own->n_rigid_drives += drives ? own->actuators[i].n_drives : 0;
  }
  own->first_rigid_drive -= own->n_rigid_drives;
}

/* What an actuator acts on and sees, its controls, its particles or its cable. */
static cq_status read_actuator(cq_scene *scene, const cq_actuator_keys *keys, int index,
                               cq_actuator *actuator, int *of_particle) {
  const cq_set *set = NULL;
  if (actuator->kind == CQ_DRIVES_A_BODY) {
    CQ_TRY(cq_mpm_read_drive(scene, keys, actuator, &set));
    scene->acting[index] = (cq_acting){set, actuator->first_control, actuator->n_controls};
    return CQ_OK;
  }
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &set));
  const int sees = cq_actuator_sees(actuator);
  scene->acting[index] = (cq_acting){set, actuator->first_control, actuator->n_controls};
  for (int i = 0; i < set->count; i++) {
    CQ_TRY(check_soft(scene, keys, set, i));
  }
  if (sees >= 0) {
    CQ_TRY(cq_scene_want_always(scene, set, sees, &actuator->first_z));
  }
  CQ_TRY(read_controls(scene, keys, actuator));
  return info_of(actuator)->acts == CQ_ACTS_CABLE
             ? cq_mpm_read_cable(scene, keys, set, actuator)
             : take_particles(scene, keys, index, set, of_particle);
}

/* All actuators: first their kinds, which say how many controls there are, then the controls. */
cq_status cq_mpm_read_actuators(cq_scene *scene) {
  const cq_items *list = &scene->config.actuators;
  const cq_actuator_keys *keys = list->items;
  cq_model *model = &scene->model;
  cq_actuator *actuators = NULL;
  int *of_particle = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, actuators, list->count));
  CQ_TRY(cq_scene_make_actuators(scene, &of_particle));
  for (int i = 0; i < list->count; i++) {
    CQ_TRY(read_kind(scene, keys[i].of_engine, &actuators[i]));
  }
  cq_mpm_scene_of(scene)->model.actuators = actuators;
  cq_actuators_number(model, actuators);
  number_drives(scene);
  CQ_TRY(cq_scene_make_controls(scene));
  for (int i = 0; i < list->count; i++) {
    CQ_TRY(read_actuator(scene, &keys[i], i, &actuators[i], of_particle));
  }
  return CQ_OK;
}
