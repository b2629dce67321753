/* Objective and constraints of the file. */
#include "objective.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static cq_status observe_set(cq_scene *scene, const cq_term_keys *keys, const char *key,
                             const char *name, int *group) {
  const cq_set *set = NULL;
  const cq_term_kind kind = (cq_term_kind)keys->term;
  CQ_TRY(cq_scene_find_set(scene, keys->node, key, name, &set));
  *group = cq_scene_observe_more(scene, set, cq_term_quantities(kind),
                                 cq_term_stress_exponent(kind, &keys->own));
  return CQ_OK;
}

static cq_status label_term(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  const char *name = cq_term_kind_name(term->kind);
  if (keys->label[0] != '\0') {
    term->label = keys->label;
    return CQ_OK;
  }
  if (keys->body == NULL || strcmp(keys->body, "*") == 0) {
    term->label = name;
    return CQ_OK;
  }
  return cq_arena_text(&scene->arena, &term->label, "%s.%s", keys->body, name);
}

static cq_status read_sets(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  term->n_sets = cq_term_measures(term->kind) == CQ_MEASURES_PAIR ? 2 : 1;
  CQ_TRY(CQ_ARENA(&scene->arena, term->sets, term->n_sets));
  CQ_TRY(observe_set(scene, keys, "body", keys->body, &term->sets[0]));
  if (term->n_sets == 2) {
    CQ_TRY(observe_set(scene, keys, "to", keys->to, &term->sets[1]));
    CQ_KEY_CHECK(scene->ctx, term->sets[0] != term->sets[1], keys, to, "is the body itself");
  }
  return CQ_OK;
}

/* A term: what it measures, when, and its checks. */
static cq_status read_term(cq_scene *scene, const cq_term_keys *keys, cq_term *term) {
  term->keys = keys;
  term->kind = (cq_term_kind)keys->term;
  term->weight = keys->weight;
  const cq_measures measures = cq_term_measures(term->kind);
  if (measures == CQ_MEASURES_MARKERS) {
    CQ_TRY(cq_term_read_markers(scene, term));
    return label_term(scene, term);
  }
  if (measures == CQ_MEASURES_SCENE) {
    CQ_KEY_CHECK(scene->ctx, scene->model.n_controls > 0, keys, term, "%s needs actuators",
                 cq_term_kind_name(term->kind));
  } else {
    CQ_TRY(read_sets(scene, term));
  }
  CQ_TRY(cq_term_read_when(scene, term));
  return label_term(scene, term);
}

static bool given(double value) {
  return !isnan(value);
}

static cq_status read_objective(cq_scene *scene, cq_function *function) {
  const cq_items *list = &scene->config.objective;
  const cq_term_keys *keys = list->items;
  function->n_terms = list->count;
  CQ_TRY(CQ_ARENA(&scene->arena, function->terms, list->count));
  for (int i = 0; i < list->count; i++) {
    CQ_KEY_CHECK(scene->ctx,
                 !given(keys[i].upper) && !given(keys[i].lower) && !given(keys[i].equals), &keys[i],
                 term, "upper, lower and equals belong to constraints");
    CQ_TRY(read_term(scene, &keys[i], &function->terms[i]));
  }
  return CQ_OK;
}

/* weight*(value - upper) <= 0, weight*(lower - value) <= 0, weight*(value - equals) = 0 */
static cq_status read_constraint(cq_scene *scene, const cq_term_keys *keys, cq_function *function) {
  const int bounds = given(keys->upper) + given(keys->lower) + given(keys->equals);
  CQ_KEY_CHECK(scene->ctx, bounds == 1, keys, term,
               "a constraint needs one of upper, lower, equals");
  CQ_KEY_CHECK(scene->ctx, keys->weight > 0.0, keys, weight, "must be > 0 in a constraint");
  function->n_terms = 1;
  CQ_TRY(CQ_ARENA(&scene->arena, function->terms, 1));
  CQ_TRY(read_term(scene, keys, function->terms));
  const double bound =
      given(keys->upper) ? keys->upper : (given(keys->lower) ? keys->lower : keys->equals);
  const double sign = given(keys->lower) ? -1.0 : 1.0;
  function->terms->weight = sign * keys->weight;
  function->constant = -sign * keys->weight * bound;
  return CQ_OK;
}

/* A constraint is to be kept to a thousandth of its bound, where the tolerance, which is made for
 * numbers around 1, is wider. 0: the bound does not tell. */
static double size_of(const cq_function *function) {
  return fmin(1.0, 1000.0 * fabs(function->constant));
}

/* One function a constraint, after the objective. */
static cq_status read_constraints(cq_scene *scene, cq_objective *o) {
  const cq_items *list = &scene->config.constraints;
  const cq_term_keys *keys = list->items;
  int next = 1;
  CQ_TRY(CQ_ARENA(&scene->arena, o->size, list->count));
  for (int equality = 0; equality < 2; equality++) {
    for (int i = 0; i < list->count; i++) {
      if (given(keys[i].equals) == (equality == 1)) {
        CQ_TRY(read_constraint(scene, &keys[i], &o->functions[next]));
        o->size[next - 1] = size_of(&o->functions[next]);
        next++;
        o->n_equality += equality;
      }
    }
  }
  o->n_inequality = list->count - o->n_equality;
  return CQ_OK;
}

static bool reads(const cq_function *function, bool state) {
  for (int j = 0; j < function->n_terms; j++) {
    if ((function->terms[j].n_sets > 0) == state) {
      return true;
    }
  }
  return false;
}

/* does the controller close a loop through the state? */
static bool reads_state(const cq_controller *controller) {
  for (int i = 0; i < controller->n_features; i++) {
    if (controller->features[i].kind == CQ_FEATURE_OBSERVED) {
      return true;
    }
  }
  return false;
}

/* does what drives an actuator depend on the state? */
static bool sees_state(const cq_scene *scene) {
  for (int i = 0; i < scene->model.n_actuators; i++) {
    if (scene->acting[i].sees) {
      return true;
    }
  }
  return false;
}

/* One seed a function. Without feedback the controls do not look at the state, so that a function
 * of the controls alone needs no adjoint sweep; its seed stands behind those that do. */
static cq_status make_seeds(cq_scene *scene, cq_objective *o) {
  const cq_model *model = o->model;
  const size_t z = (size_t)(model->n_groups * cq_group_z_size(model->dim));
  const size_t z_size = (size_t)(model->steps + 1) * z;
  const size_t u_size = (size_t)model->steps * (size_t)model->n_controls;
  const bool feedback = reads_state(&model->controller);
  CQ_TRY(CQ_ARENA(&scene->arena, o->seeded, o->n_functions));
  CQ_TRY(CQ_ARENA(&scene->arena, o->seeds, o->n_functions));
  CQ_TRY(CQ_ARENA(&scene->arena, o->dz, (size_t)o->n_functions * z_size));
  CQ_TRY(CQ_ARENA(&scene->arena, o->du, (size_t)o->n_functions * u_size));
  int last = o->n_functions;
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    const bool sweeps = reads(function, true) || (feedback && reads(function, false));
    o->seeded[i] = sweeps ? o->n_seeds++ : --last;
    const size_t s = (size_t)o->seeded[i];
    o->seeds[s].dz = reads(function, true) ? o->dz + s * z_size : NULL;
    o->seeds[s].du = reads(function, false) ? o->du + s * u_size : NULL;
  }
  return CQ_OK;
}

/* Marks the states that a term looks at; are there others than the last? */
static bool mark_states(const cq_model *model, const cq_term *term, unsigned char *observe) {
  bool early = false;
  for (int k = 0; k < term->n_instants && term->n_sets > 0; k++) {
    const cq_instant *at = &term->instants[k];
    observe[at->step] = 1;
    observe[at->step + (at->ahead > 0.0)] = 1;
    early = early || at->step < model->steps;
  }
  return early;
}

static cq_status make_mask(cq_scene *scene, cq_model *model, const cq_objective *o) {
  unsigned char *observe = NULL;
  bool early = reads_state(&model->controller) || sees_state(scene);
  CQ_TRY(CQ_ARENA(&scene->arena, observe, model->steps + 1));
  memset(observe, early, (size_t)model->steps);
  observe[model->steps] = 1;
  for (int i = 0; i < o->n_functions; i++) {
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      early = mark_states(model, &o->functions[i].terms[j], observe) || early;
    }
  }
  model->observe = early ? observe : NULL;
  return CQ_OK;
}

/* Room for what the term with the most sets sees. */
static cq_status make_room(cq_scene *scene, cq_objective *o) {
  int most = 1;
  for (int i = 0; i < o->n_functions; i++) {
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      const int n = o->functions[i].terms[j].n_sets;
      most = n > most ? n : most;
    }
  }
  const size_t n_z = (size_t)most * (size_t)cq_group_z_size(o->model->dim);
  const size_t n_u = 2 * (size_t)o->model->n_controls;
  CQ_TRY(CQ_ARENA(&scene->arena, o->term_z, n_z));
  CQ_TRY(CQ_ARENA(&scene->arena, o->term_dz, n_z));
  CQ_TRY(CQ_ARENA(&scene->arena, o->term_u, n_u));
  return CQ_ARENA(&scene->arena, o->term_du, n_u);
}

cq_status cq_objective_build(cq_scene *scene, cq_model *model, cq_objective *o) {
  o->model = model;
  o->u_max = scene->u_max;
  o->n_functions = 1 + scene->config.constraints.count;
  CQ_TRY(CQ_ARENA(&scene->arena, o->functions, o->n_functions));
  CQ_TRY(read_objective(scene, &o->functions[0]));
  CQ_TRY(read_constraints(scene, o));
  model->groups = scene->groups;
  model->n_groups = scene->n_groups;
  CQ_TRY(make_mask(scene, model, o));
  CQ_TRY(make_room(scene, o));
  return make_seeds(scene, o);
}

int cq_scene_term_count(const cq_scene *scene) {
  return scene->objective.functions[0].n_terms;
}

const char *cq_scene_term_label(const cq_scene *scene, int i) {
  return scene->objective.functions[0].terms[i].label;
}

const char *cq_scene_constraint_label(const cq_scene *scene, int i) {
  return scene->objective.functions[1 + i].terms->label;
}

cq_constraint_info cq_scene_constraint(const cq_scene *scene, int i, double c) {
  const cq_function *function = &scene->objective.functions[1 + i];
  /* c = weight (value - bound), with a negative weight for a lower bound */
  const double weight = function->terms->weight, bound = -function->constant / weight;
  const bool equality = i >= scene->objective.n_inequality;
  return (cq_constraint_info){.relation = equality ? "=" : (weight < 0.0 ? ">=" : "<="),
                              .bound = bound,
                              .value = bound + c / weight};
}
