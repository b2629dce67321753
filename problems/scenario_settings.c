/* What differs from scenario to scenario. */
#include "scenario_settings.h"
#include "give.h"
#include "status.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_SCENARIOS = 1000000 };

cq_status cq_vary_file(cq_scene *scene, const cq_vary_keys *keys, cq_node **section,
                       const char **key, bool *found) {
  const char *const dot = strrchr(keys->key, '.'), *path = NULL;
  *key = dot != NULL ? dot + 1 : keys->key;
  *found = false;
  CQ_TRY(cq_arena_text(&scene->arena, &path, "%.*s", (int)(dot != NULL ? dot - keys->key : 0),
                       keys->key));
  CQ_TRY(cq_tree_find(&scene->arena, scene->config.root, path, section));
  for (const cq_node *n = *section != NULL ? (*section)->child : NULL; n != NULL; n = n->next) {
    *found = *found || (n->was != NULL && strcmp(n->was, *key) == 0);
  }
  return CQ_OK;
}

/* Numbers of a setting of numbers. */
static cq_status count_numbers(cq_scene *scene, const cq_vary_keys *keys, const cq_node *setting,
                               int *width) {
  const bool list = setting->type == CQ_NODE_LIST;
  const cq_node *number = list ? setting->child : setting;
  *width = list ? cq_node_count(setting) : 1;
  CQ_KEY_CHECK(scene->ctx,
               number != NULL && (number->type == CQ_NODE_INT || number->type == CQ_NODE_NUMBER),
               keys, key, "\"%s\" is no number and no list of numbers", keys->key);
  return CQ_OK;
}

/* The setting that a key names, and how many values of `values` it takes. NULL: it was the name of
 * a file. */
static cq_status find_setting(cq_scene *scene, const cq_vary_keys *keys, cq_node **setting,
                              int *width) {
  cq_node *section = NULL;
  const char *key = NULL;
  CQ_TRY(cq_tree_find(&scene->arena, scene->config.root, keys->key, setting));
  const bool lists = scene->config.scenarios.sampling == CQ_SCENARIOS_LIST;
  bool file = false;
  CQ_TRY(*setting == NULL && lists ? cq_vary_file(scene, keys, &section, &key, &file) : CQ_OK);
  CQ_KEY_CHECK(scene->ctx, *setting != NULL || file, keys, key,
               "there is no setting \"%s\" to vary; write its path as for --set, such as "
               "\"objective.[0].target\"",
               keys->key);
  if (!lists) {
    return count_numbers(scene, keys, *setting, width);
  }
  const cq_node *const first = keys->values != NULL ? keys->values->child : NULL;
  const bool flat =
      !file && (*setting)->type == CQ_NODE_LIST && !(first != NULL && first->type == CQ_NODE_LIST);
  CQ_KEY_CHECK(scene->ctx, file || (*setting)->type != CQ_NODE_GROUP, keys, key,
               "\"%s\" is a section; vary a setting in it", keys->key);
  CQ_KEY_CHECK(scene->ctx,
               file || (*setting)->type != CQ_NODE_TEXT || first == NULL ||
                   first->type == CQ_NODE_TEXT || isdigit((unsigned char)(*setting)->text[0]),
               keys, values, "\"%s\" is a text: write its values in quotes", keys->key);
  *width = flat ? cq_node_count(*setting) : 1;
  CQ_KEY_CHECK(scene->ctx, *width > 0, keys, values,
               "\"%s\" is an empty list: write the list of each scenario in brackets", keys->key);
  return CQ_OK;
}

/* How many values there are; element i. */
static int count_values(const cq_vary_keys *keys) {
  const cq_node *const values = keys->values;
  return values == NULL ? 0 : values->type == CQ_NODE_LIST ? cq_node_count(values) : 1;
}

const cq_node *cq_vary_value(const cq_vary_keys *keys, int i) {
  const cq_node *n = keys->values;
  if (n->type == CQ_NODE_LIST) {
    for (n = n->child; i > 0; i--) {
      n = n->next;
    }
  }
  return n;
}

static double at(const cq_numbers *numbers, int i) {
  return numbers->values[numbers->count == 1 ? 0 : i];
}

static bool fits(const cq_numbers *numbers, int width) {
  return numbers->count == 1 || numbers->count == width;
}

/* What moves along has as many numbers. */
static cq_status check_ties(cq_scene *scene, const cq_vary_keys *keys, int width) {
  for (int t = 0; t < keys->tie.count; t++) {
    cq_node *tied = NULL;
    CQ_TRY(cq_tree_find(&scene->arena, scene->config.root, keys->tie.values[t], &tied));
    const cq_node *number = tied != NULL && tied->type == CQ_NODE_LIST ? tied->child : tied;
    const bool numbers =
        number != NULL && (number->type == CQ_NODE_INT || number->type == CQ_NODE_NUMBER);
    const int n = !numbers ? 0 : number == tied ? 1 : cq_node_count(tied);
    CQ_KEY_CHECK(scene->ctx, n == width, keys, tie, "\"%s\" is no setting of %d number%s",
                 keys->tie.values[t], width, width == 1 ? "" : "s");
  }
  return CQ_OK;
}

static cq_status check_range(cq_scene *scene, const cq_vary_keys *keys, int width) {
  CQ_KEY_CHECK(scene->ctx, keys->values == NULL, keys, values,
               "goes with scenarios.sampling = \"list\" alone");
  CQ_TRY(check_ties(scene, keys, width));
  CQ_KEY_CHECK(scene->ctx, fits(&keys->low, width), keys, low,
               "give a number, or %d of them as the setting has", width);
  CQ_KEY_CHECK(scene->ctx, fits(&keys->high, width), keys, high,
               "give a number, or %d of them as the setting has", width);
  return CQ_OK;
}

static cq_status count_list(cq_scene *scene, const cq_vary_keys *keys, int width, int *count) {
  const int n = count_values(keys);
  CQ_KEY_CHECK(scene->ctx, n > 0 && n % width == 0, keys, values,
               "give the %s%d values of the first scenario, then those of the next",
               width == 1 ? "" : "list of ", width);
  CQ_KEY_CHECK(scene->ctx, keys->low.count + keys->high.count + keys->points.count == 0, keys, low,
               "goes with scenarios.sampling = \"grid\" or \"random\" alone");
  CQ_KEY_CHECK(scene->ctx, keys->tie.count == 0, keys, tie,
               "goes with scenarios.sampling = \"grid\" or \"random\" alone; list the values");
  CQ_KEY_CHECK(scene->ctx, *count == 0 || *count == n / width, keys, values,
               "%d scenarios, and another setting has %d", n / width, *count);
  *count = n / width;
  return CQ_OK;
}

/* The points along each number of the setting multiply, with those of the settings before it. */
static cq_status count_grid(cq_scene *scene, const cq_vary_keys *keys, int width, int *count) {
  CQ_TRY(check_range(scene, keys, width));
  CQ_KEY_CHECK(scene->ctx, fits(&keys->points, width), keys, points,
               "give a number, or %d of them as the setting has", width);
  double n = *count > 0 ? *count : 1;
  for (int i = 0; i < width; i++) {
    const double points = at(&keys->points, i);
    CQ_KEY_CHECK(scene->ctx, points == floor(points), keys, points, "%g is no whole number",
                 points);
    n *= points;
  }
  CQ_KEY_CHECK(scene->ctx, n <= MOST_SCENARIOS, keys, points,
               "%.0f scenarios are too many: at most %d", n, (int)MOST_SCENARIOS);
  *count = (int)n;
  return CQ_OK;
}

static cq_status count_random(cq_scene *scene, const cq_vary_keys *keys, int width, int *count) {
  CQ_TRY(check_range(scene, keys, width));
  CQ_KEY_CHECK(scene->ctx, keys->points.count == 0, keys, points,
               "goes with scenarios.sampling = \"grid\" alone");
  *count = scene->config.scenarios.count;
  CQ_KEY_CHECK(scene->ctx, *count <= MOST_SCENARIOS, &scene->config.scenarios, count,
               "%d scenarios are too many: at most %d", *count, (int)MOST_SCENARIOS);
  return CQ_OK;
}

/* Setting by setting, by the rule of the sampling; each checks its own keys. */
cq_status cq_scenarios_count(cq_scene *scene, int *count) {
  static cq_status (*const counts[])(cq_scene *, const cq_vary_keys *, int,
                                     int *) = {[CQ_SCENARIOS_LIST] = count_list,
                                               [CQ_SCENARIOS_GRID] = count_grid,
                                               [CQ_SCENARIOS_RANDOM] = count_random};
  const cq_items *list = &scene->config.vary;
  const cq_vary_keys *keys = list->items;
  *count = 0;
  for (int i = 0; i < list->count; i++) {
    cq_node *setting = NULL;
    int width = 0;
    CQ_TRY(find_setting(scene, &keys[i], &setting, &width));
    CQ_TRY(counts[scene->config.scenarios.sampling](scene, &keys[i], width, count));
  }
  return CQ_OK;
}

/* Number i of the setting in a scenario k; *rest is what of k the grid's later axes have left. */
static double value_of(const cq_scene *scene, const cq_vary_keys *keys, int i, cq_rng *rng,
                       int *rest) {
  const int sampling = scene->config.scenarios.sampling;
  const double low = at(&keys->low, i), high = at(&keys->high, i);
  if (sampling == CQ_SCENARIOS_RANDOM) {
    return low + (high - low) * cq_rng_uniform(rng);
  }
  const int points = (int)at(&keys->points, i), index = *rest % points;
  *rest /= points;
  return points > 1 ? low + (high - low) * index / (points - 1) : 0.5 * (low + high);
}

/* "a, b" */
static cq_status numbers_text(cq_scene *scene, const double *numbers, int width, const char **out) {
  *out = "";
  for (int i = 0; i < width; i++) {
    char number[32];
    cq_number_text(numbers[i], number);
    CQ_TRY(cq_arena_text(&scene->arena, out, "%s%s%s", *out, i > 0 ? ", " : "", number));
  }
  return CQ_OK;
}

/* "path=[a, b]" of what moves along: as far from what the file has as the setting is. */
static cq_status tied_text(cq_scene *scene, const char *path, const cq_node *setting,
                           const double *numbers, int width, const char **out) {
  cq_node *tied = NULL;
  double *along = NULL;
  const char *text = NULL;
  CQ_TRY(cq_tree_find(&scene->arena, scene->config.root, path, &tied));
  CQ_TRY(CQ_ARENA(&scene->arena, along, width));
  const bool list = setting->type == CQ_NODE_LIST;
  const cq_node *from = list ? setting->child : setting;
  const cq_node *own = tied->type == CQ_NODE_LIST ? tied->child : tied;
  for (int i = 0; i < width; i++, from = from->next, own = own->next) {
    along[i] = own->number + (numbers[i] - from->number);
  }
  CQ_TRY(numbers_text(scene, along, width, &text));
  return cq_arena_text(&scene->arena, out, tied->type == CQ_NODE_LIST ? "%s=[%s]" : "%s=%s", path,
                       text);
}

/* The numbers that are drawn, and settings of what moves along to *tied, which is moved on. */
static cq_status drawn_text(cq_scene *scene, const cq_vary_keys *keys, const cq_node *setting,
                            int width, cq_rng *rng, int *rest, const char **out,
                            const char ***tied) {
  double *numbers = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, numbers, width));
  for (int i = 0; i < width; i++) {
    numbers[i] = value_of(scene, keys, i, rng, rest);
  }
  for (int t = 0; t < keys->tie.count; t++) {
    CQ_TRY(tied_text(scene, keys->tie.values[t], setting, numbers, width, (*tied)++));
  }
  return numbers_text(scene, numbers, width, out);
}

/* The same of the values of a list, from the k-th on. */
static cq_status listed_text(cq_scene *scene, const cq_vary_keys *keys, int width, int k,
                             const char **out) {
  *out = "";
  for (int i = 0; i < width; i++) {
    const char *value = NULL;
    CQ_TRY(cq_value_text(&scene->arena, cq_vary_value(keys, k * width + i), &value));
    CQ_TRY(cq_arena_text(&scene->arena, out, "%s%s%s", *out, i > 0 ? ", " : "", value));
  }
  return CQ_OK;
}

int cq_scenario_settings_count(const cq_scene *scene) {
  const cq_vary_keys *keys = scene->config.vary.items;
  int n = scene->config.vary.count;
  for (int j = 0; j < scene->config.vary.count; j++) {
    n += keys[j].tie.count;
  }
  return n;
}

/* Values by k alone: scenarios can be made in any order, and each again. */
cq_status cq_scenario_settings(cq_scene *scene, int k, const char **sets) {
  const cq_vary_keys *keys = scene->config.vary.items;
  const uint64_t seed = scene->config.scenarios.seed >= 0 ? (uint64_t)scene->config.scenarios.seed
                                                          : cq_ctx_seed(scene->ctx);
  const bool listed = scene->config.scenarios.sampling == CQ_SCENARIOS_LIST;
  cq_rng rng = cq_rng_seed(seed * 0x9e3779b97f4a7c15u + (uint64_t)k);
  const char **tied = sets + scene->config.vary.count;
  int rest = k;
  for (int j = 0; j < scene->config.vary.count; j++) {
    cq_node *setting = NULL;
    const char *text = NULL;
    int width = 0;
    CQ_TRY(find_setting(scene, &keys[j], &setting, &width));
    CQ_TRY(listed ? listed_text(scene, &keys[j], width, k, &text)
                  : drawn_text(scene, &keys[j], setting, width, &rng, &rest, &text, &tied));
    const cq_node *const first = listed ? cq_vary_value(&keys[j], 0) : NULL;
    const bool brackets = setting != NULL && setting->type == CQ_NODE_LIST &&
                          !(first != NULL && first->type == CQ_NODE_LIST);
    CQ_TRY(
        cq_arena_text(&scene->arena, &sets[j], brackets ? "%s=[%s]" : "%s=%s", keys[j].key, text));
  }
  return CQ_OK;
}

static cq_status check_keys(cq_scene *scene) {
  const cq_scenarios_keys *keys = &scene->config.scenarios;
  CQ_KEY_CHECK(scene->ctx, scene->objective.n_equality == 0, keys, combine,
               "equality constraints cannot hold in several scenarios at once");
  CQ_KEY_CHECK(scene->ctx, cq_scenario_settings_count(scene) <= CQ_MOST_VARIED, keys, sampling,
               "at most %d settings can vary", CQ_MOST_VARIED);
  return CQ_OK;
}

cq_status cq_scenarios_read(cq_scene *scene) {
  const cq_scenarios_keys *keys = &scene->config.scenarios;
  CQ_TRY(cq_scenarios_count(scene, &scene->n_scenarios));
  if (scene->n_scenarios > 0) {
    CQ_TRY(check_keys(scene));
    scene->n_judged = keys->combine == CQ_COMBINE_BATCH ? keys->batch : scene->n_scenarios;
  }
  return CQ_OK;
}

cq_status cq_scene_get_scenarios(const cq_scene *scene, cq_scenarios_info *out) {
  const bool any = scene->n_scenarios > 0;
  const cq_scenarios_info info = {.count = scene->n_scenarios,
                                  .evaluated = scene->n_judged,
                                  .combine = any ? CQ_WORD(&scene->config.scenarios, combine) : ""};
  return CQ_GIVE(scene->ctx, out, info);
}
