/* Objective and constraints of the file. */
#include "engine.h"
#include "engine_part.h"
#include "give.h"
#include "objective.h"
#include "objective_moving.h"
#include "radii.h"
#include "residuals.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* All terms of a rigid body but for curves have the same keys, in the same order: how many numbers
 * they are of. */
static cq_status check_rigid_keys(cq_scene *scene, const cq_term *term, int n) {
  const cq_node *section = term->keys->node;
  const cq_term_turn *own = &term->keys->own.turn;
  const char *of = cq_term_own_quantity(term->kind);
  const bool along = !isnan(own->direction[0]);
  const int wanted = along ? 1 : n;
  if (along && n == 1) {
    return cq_config_fail(scene->ctx, section, "direction",
                          "%s is one number in 2D, anticlockwise; leave this out", of);
  }
  if (own->target.count > 0 && own->target.count != wanted) {
    return cq_config_fail(scene->ctx, section, "target", "must be %s",
                          wanted == 1   ? "a number"
                          : wanted == 2 ? "[x, y]"
                                        : "three numbers");
  }
  CQ_KEY_CHECK(scene->ctx, wanted == 1 || own->target.count > 0, term->keys, term,
               "%s has %d components: give a direction, or a target", of, n);
  return CQ_OK;
}

/* What a term asks of a rigid body. */
static cq_status find_rigid_columns(cq_scene *scene, cq_term *term) {
  const cq_node *section = term->keys->node;
  const char *of = cq_term_own_quantity(term->kind);
  int quantities[3], n = 0;
  CQ_TRY(cq_scene_rigid_quantities(scene, section, "term", of, quantities, &n));
  for (int i = 0; i < n; i++) {
    const int at = CQ_Z(scene->config.dim, OWN) + i;
    term->columns[term->n_columns++] = (cq_column){quantities[i], at, 1};
  }
  return cq_term_measures(term->kind) == CQ_MEASURES_CURVE ? CQ_OK
                                                           : check_rigid_keys(scene, term, n);
}

/* The columns of a term: what every engine observes, then the engine's own. */
static cq_status find_columns(cq_scene *scene, cq_term *term) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const int dim = scene->config.dim;
  const cq_column shared[] = {{CQ_Q_POSITION, 0, dim},
                              {CQ_Q_VELOCITY, dim, dim},
                              {CQ_Q_SQUARE, CQ_Z(dim, SQUARE), 1},
                              {CQ_Q_MASS, CQ_Z(dim, MASS), 1}};
  for (int i = 0; i < CQ_N_SHARED_QUANTITIES; i++) {
    if ((cq_term_quantities(term->kind) >> shared[i].quantity & 1u) != 0) {
      term->columns[term->n_columns++] = shared[i];
    }
  }
  const char *own = cq_term_own_quantity(term->kind);
  if (cq_term_of_rigid(term->kind)) {
    return find_rigid_columns(scene, term);
  }
  if (own != NULL) {
    const int quantity = cq_engine_quantity(type, own);
    CQ_KEY_CHECK(scene->ctx, quantity >= 0, term->keys, term,
                 "%s measures %s, which simulation.engine = \"%s\" does not observe",
                 cq_term_kind_name(term->kind), own, type->name);
    term->columns[term->n_columns++] = (cq_column){quantity, CQ_Z(dim, OWN), 1};
  }
  return CQ_OK;
}

/* One that no particle can come to is a mistake. */
static cq_status check_box(const cq_scene *scene, const cq_node *section, const double box[2][3]) {
  const cq_box *room = &scene->model.room;
  for (int a = 0; a < scene->config.dim; a++) {
    if (!(box[0][a] < box[1][a])) {
      return cq_config_fail(scene->ctx, section, "high", "must be above low = %g along %c, not %g",
                            box[0][a], "xyz"[a], box[1][a]);
    }
    if (box[1][a] <= room->low[a] || box[0][a] >= room->high[a]) {
      return cq_config_fail(scene->ctx, section, "low",
                            "the box is outside the room: it is %g to %g m along %c, and "
                            "the room %g to %g m",
                            box[0][a], box[1][a], "xyz"[a], room -> low[a], room -> high[a]);
    }
  }
  return CQ_OK;
}

static cq_status find_group(cq_scene *scene, const cq_term_keys *keys, const char *key,
                            const char *name, int *group) {
  const cq_set *set = NULL;
  const cq_term_kind kind = (cq_term_kind)keys->term;
  double parameter = cq_term_parameter(kind, &keys->own);
  if (cq_term_of_rigid(kind)) {
    return cq_scene_rigid_group(scene, keys->node, key, name, cq_term_own_quantity(kind), group);
  }
  double box[2][3] = {{0}};
  CQ_TRY(cq_scene_find_set(scene, keys->node, key, name, &set));
  if (cq_term_box(kind, &keys->own, box)) {
    CQ_TRY(check_box(scene, keys->node, (const double(*)[3])box));
    CQ_TRY(cq_term_own_quantity(kind) != NULL
               ? scene->part->box(scene, (const double(*)[3])box, &parameter)
               : CQ_OK);
  }
  return cq_scene_group(scene, set, parameter, group);
}

/* Its columns of its sets at its instants. */
static cq_status observe(cq_scene *scene, const cq_term *term) {
  unsigned char *at = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, at, scene->model.steps + 1));
  for (int k = 0; k < term->n_instants; k++) {
    int first = 0, last = 0;
    cq_moving_states(&scene->model, term, &term->instants[k], &first, &last);
    memset(at + first, 1, (size_t)(last - first + 1));
    if (term->period > 0.0) {
      const cq_instant before = cq_term_before(term, &term->instants[k], scene->model.dt);
      at[before.step] = at[before.step + (before.ahead > 0.0)] = 1;
    }
  }
  for (int s = 0; s < term->n_sets; s++) {
    for (int c = 0; c < term->n_columns; c++) {
      CQ_TRY(cq_scene_want(scene, term->sets[s], term->columns[c].quantity, at));
    }
  }
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

/* Columns that a profile may have. */
static cq_status check_profile(const cq_scene *scene, const cq_term_keys *keys) {
  const cq_term_profile *own = &keys->own.profile;
  const int most = scene->config.dim - 1;
  const int n = cq_profile_along_x(own) * cq_profile_along_z(own);
  if (own->heights.rows > 1 && most == 1) {
    return cq_config_fail(scene->ctx, keys->node, "heights",
                          "is one row in 2D, of columns along x");
  }
  if (own->heights.rows == 0 && own->columns.count > most) {
    return cq_config_fail(scene->ctx, keys->node, "columns", "must be %s",
                          most == 1 ? "one number in 2D" : "a number along x, or [x, z]");
  }
  if (n > CQ_MOST_COLUMNS) {
    return cq_config_fail(scene->ctx, keys->node, own->heights.rows > 0 ? "heights" : "columns",
                          "%d columns are more than %d", n, (int)CQ_MOST_COLUMNS);
  }
  return CQ_OK;
}

/* As bodies are read. */
static double radius_of(const cq_scene *scene, int particle) {
  const cq_body *body = scene->bodies;
  while (particle < body->first || particle >= body->first + body->count) {
    body++;
  }
  const size_t of_body = (size_t)(particle - body->first);
  return cq_radius_of(scene, body, of_body, cq_body_volume(body, of_body));
}

/* Each particle of a set as a group of its own, with its width at the start of the design. */
static cq_status read_particles(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  const cq_set *set = NULL;
  double box[2][3] = {{0}};
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &set));
  if (cq_term_box(term->kind, &keys->own, box)) {
    CQ_TRY(check_box(scene, keys->node, (const double(*)[3])box));
  }
  CQ_TRY(term->kind == CQ_TERM_profile ? check_profile(scene, keys) : CQ_OK);
  term->n_sets = set->count;
  CQ_TRY(CQ_ARENA(&scene->arena, term->sets, set->count));
  CQ_TRY(CQ_ARENA(&scene->arena, term->radius, set->count));
  for (int i = 0; i < set->count; i++) {
    CQ_TRY(cq_scene_own_group(scene, set->particles + i, &term->sets[i]));
    term->radius[i] = radius_of(scene, set->particles[i]);
  }
  return CQ_OK;
}

static cq_status read_sets(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  term->n_sets = cq_term_measures(term->kind) == CQ_MEASURES_PAIR ? 2 : 1;
  CQ_TRY(CQ_ARENA(&scene->arena, term->sets, term->n_sets));
  CQ_TRY(find_group(scene, keys, "body", keys->body, &term->sets[0]));
  if (term->n_sets == 2) {
    CQ_TRY(find_group(scene, keys, "to", keys->to, &term->sets[1]));
    CQ_KEY_CHECK(scene->ctx, term->sets[0] != term->sets[1], keys, to, "is the body itself");
  }
  return CQ_OK;
}

/* A period before each of its instants has to be in the run. */
static cq_status read_period(cq_scene *scene, cq_term *term) {
  const cq_term_periodic *own = &term->keys->own.periodic;
  const double dt = scene->model.dt, slack = 1e-9;
  double way = 0.0;
  for (int a = 0; a < scene->config.dim; a++) {
    way += fabs(own->direction[a]);
  }
  if (!(way > 0.0)) {
    return cq_config_fail(scene->ctx, term->keys->node, "direction", "must not be zero");
  }
  for (int k = 0; k < term->n_instants; k++) {
    const double time = (term->instants[k].step + term->instants[k].ahead) * dt;
    if (time < own->period * (1.0 - slack)) {
      return cq_config_fail(scene->ctx, term->keys->node, "period",
                            "%g s before %g s, when it is measured, there is no state: take a "
                            "shorter one, or measure later (when)",
                            own->period, time);
    }
  }
  term->period = own->period;
  return CQ_OK;
}

/* Sets and instants of a term. */
static cq_status read_subject(cq_scene *scene, cq_term *term) {
  const cq_measures measures = cq_term_measures(term->kind);
  if (measures == CQ_MEASURES_MARKERS) {
    return cq_term_read_markers(scene, term);
  }
  if (measures == CQ_MEASURES_SCENE) {
    CQ_KEY_CHECK(scene->ctx, scene->model.n_controls > 0, term->keys, term, "%s needs actuators",
                 cq_term_kind_name(term->kind));
  } else if (measures == CQ_MEASURES_PARTICLES || measures == CQ_MEASURES_CYCLE) {
    CQ_TRY(read_particles(scene, term));
  } else {
    CQ_TRY(read_sets(scene, term));
  }
  if (measures == CQ_MEASURES_CURVE) {
    return cq_term_read_curve(scene, term);
  }
  CQ_TRY(cq_term_read_when(scene, term));
  return measures == CQ_MEASURES_CYCLE ? read_period(scene, term) : CQ_OK;
}

/* A term: what it measures, when, and its checks. */
static cq_status read_term(cq_scene *scene, const cq_term_keys *keys, cq_term *term) {
  term->keys = keys;
  term->kind = (cq_term_kind)keys->term;
  term->weight = keys->weight;
  CQ_TRY(cq_term_take_squares(scene, term));
  CQ_TRY(find_columns(scene, term));
  CQ_TRY(label_term(scene, term));
  CQ_TRY(read_subject(scene, term));
  return observe(scene, term);
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
  CQ_KEY_CHECK(scene->ctx, isnan(cq_term_squares(function->terms).deviation), keys, term,
               "deviation belongs to the objective");
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

/* does the controller close a loop through the state? */
static bool reads_state(const cq_controller *controller) {
  for (int i = 0; i < controller->n_features; i++) {
    if (controller->features[i].kind == CQ_FEATURE_OBSERVED) {
      return true;
    }
  }
  return false;
}

/* One seed a function. Without feedback the controls do not look at the state, so that a function
 * of the controls alone needs no adjoint sweep; its seed stands behind those that do. */
static cq_status number_seeds(cq_scene *scene, cq_model *model, cq_objective *o) {
  const bool feedback = reads_state(&model->controller);
  CQ_TRY(CQ_ARENA(&scene->arena, o->seeded, o->n_functions));
  CQ_TRY(CQ_ARENA(&scene->arena, o->seeds, o->n_functions));
  int last = o->n_functions;
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    const bool of_state = cq_function_reads(function, true);
    const bool sweeps = of_state || (feedback && cq_function_reads(function, false));
    o->seeded[i] = sweeps ? o->n_seeds++ : --last;
    model->n_seeds += of_state;
  }
  return CQ_OK;
}

/* Room for what the term with the most sets sees. */
static cq_status make_room(cq_scene *scene, cq_objective *o) {
  size_t n_z = CQ_Z_SIZE((size_t)o->model->dim);
  for (int i = 0; i < o->n_functions; i++) {
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      const size_t n = cq_term_numbers(&o->functions[i].terms[j], o->model->dim);
      n_z = n > n_z ? n : n_z;
    }
  }
  CQ_TRY(CQ_ARENA(&scene->arena, o->calibration, o->n_calibration + 1));
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
  model->channels = scene->channels;
  model->n_channels = scene->n_channels;
  CQ_TRY(number_seeds(scene, model, o));
  return make_room(scene, o);
}

int cq_scene_term_count(const cq_scene *scene) {
  return scene->joined != NULL ? scene->joined->n_terms : scene->objective.functions[0].n_terms;
}

const char *cq_scene_term_label(const cq_scene *scene, int i) {
  return scene->joined != NULL ? scene->joined->terms[i].label
                               : scene->objective.functions[0].terms[i].label;
}

const char *cq_scene_constraint_label(const cq_scene *scene, int i) {
  return scene->joined != NULL ? scene->joined->constraints[i].label
                               : scene->objective.functions[1 + i].terms->label;
}

cq_status cq_scene_get_constraint(const cq_scene *scene, int i, double c, cq_constraint_info *out) {
  const cq_joined *const joined = scene->joined;
  const int count = joined != NULL ? joined->n_constraints : scene->objective.n_functions - 1;
  CQ_CHECK(scene->ctx, i >= 0 && i < count, CQ_USAGE, "there is no constraint %d", i);
  if (joined != NULL) {
    const cq_joined_function *const of = &joined->constraints[i];
    return cq_scene_get_constraint(joined->all[of->experiment].scene, of->index, c, out);
  }
  const cq_function *function = &scene->objective.functions[1 + i];
  /* c = weight (value - bound), with a negative weight for a lower bound */
  const double weight = function->terms->weight, bound = -function->constant / weight;
  const bool equality = i >= scene->objective.n_inequality;
  const cq_constraint_info info = {.relation = equality ? "=" : (weight < 0.0 ? ">=" : "<="),
                                   .bound = bound,
                                   .value = bound + c / weight};
  return CQ_GIVE(scene->ctx, out, info);
}
