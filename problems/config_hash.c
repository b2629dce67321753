/* Which keys decide the bits of a run. */
#include "hash.h"
#include "scene.h"
#include "schema_rows.h"
#include "status.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STARTS "optimizer.starts"

/* Keys that do not: a run may be resumed with other values of these; .* is all of a section.
 * `stops`: of these, the ones that decide when it ends and what its end is called. */
static const struct {
  const char *path;
  bool stops;
} free_keys[] = {
    {STARTS, false},
    {"optimizer.workers", false},
    {"optimizer.max_evaluations", true},
    {"optimizer.max_simulations", true},
    {"optimizer.max_cost", true},
    {"optimizer.gradient_cost", true},
    {"optimizer.max_time", true},
    {"optimizer.feasibility_evaluations", true},
    {"optimizer.stagnation", true},
    {"optimizer.ftol_rel", true},
    {"optimizer.xtol_rel", true},
    {"optimizer.gradient_tolerance", true},
    {"optimizer.target", true},
    {"optimizer.stop_at_target", true},
    {"optimizer.repeats", true},
    {"optimizer.repeat_jitter", true},
    {"optimizer.repeat_with", true},
    {"optimizer.optimality_tolerance", true},
    {"optimizer.restarts", true},
    {"optimizer.stall_time", true},
    {"optimizer.verify_refined", false},
    {"optimizer.error_bars", false},
    {"simulation.memory", false},
    {"simulation.memo", false},
    {"output.*", false},
    {"cameras.*", false},
};

enum { N_FREE_KEYS = sizeof free_keys / sizeof free_keys[0] };

/* Without the optimizer the same problem is meant, whatever solves it and whatever it runs on. */
static bool is_free(const char *path, size_t length, bool with_optimizer) {
  static const char optimizer[] = "optimizer.", device[] = "simulation.device";
  if (!with_optimizer && (strncmp(path, optimizer, sizeof optimizer - 1) == 0 ||
                          (length == sizeof device - 1 && strncmp(path, device, length) == 0))) {
    return true;
  }
  for (int i = 0; i < N_FREE_KEYS; i++) {
    const size_t known = strcspn(free_keys[i].path, "*");
    const bool whole = free_keys[i].path[known] == '\0';
    if ((whole ? length == known : length > known) &&
        strncmp(free_keys[i].path, path, known) == 0) {
      return true;
    }
  }
  return false;
}

cq_status cq_scene_may_change(cq_ctx *ctx, const char *assignment, bool with_optimizer) {
  const size_t length = strcspn(assignment, "=");
  if (is_free(assignment, length, with_optimizer)) {
    return CQ_OK;
  }
  char list[1000] = "";
  for (int i = 0; i < N_FREE_KEYS; i++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s%s", i > 0 ? ", " : "", free_keys[i].path,
             strcmp(free_keys[i].path, STARTS) == 0 ? " (more, of a run of several)" : "");
  }
  return CQ_FAIL(ctx, CQ_CONFIG, "%.*s cannot change in a run that is resumed; these can: %s",
                 (int)length, assignment, list);
}

/* a key of the optimizer as the text of its value */
static void value_text(const cq_node *node, char *value, size_t size) {
  char number[32];
  switch (node->type) {
  case CQ_NODE_FLAG:
    snprintf(value, size, "%s", node->integer != 0 ? "true" : "false");
    break;
  case CQ_NODE_INT:
    snprintf(value, size, "%lld", node->integer);
    break;
  case CQ_NODE_NUMBER:
    cq_number_text(node->number, number);
    snprintf(value, size, "%s", number);
    break;
  default: /* a fraction */
    snprintf(value, size, "\"%s\"", node->text != NULL ? node->text : "");
  }
}

/* The settings that are hashed, as lines "path=value". What a value is does not depend on how it
 * was written, and defaults are left out: a key that a later version adds changes nothing. */
typedef struct canon {
  cq_arena arena;
  cq_config config; /* of the scene, with this arena */
  bool with_optimizer;
  bool without_design; /* of an experiment: it is the file's */
  const char **lines;
  int count, room;
  size_t bytes;
} canon;

static cq_status add_line(canon *c, const char *path, const char *value) {
  if (c->count == c->room) {
    const char **more = NULL;
    c->room = 2 * c->room + 64;
    CQ_TRY(CQ_ARENA(&c->arena, more, c->room));
    if (c->count > 0) {
      memcpy(more, c->lines, (size_t)c->count * sizeof *more);
    }
    c->lines = more;
  }
  CQ_TRY(cq_arena_text(&c->arena, &c->lines[c->count], "%s=%s\n", path, value));
  c->bytes += strlen(c->lines[c->count++]);
  return CQ_OK;
}

/* Numbers as how many there are and what they are. -0 is 0. */
static cq_status numbers_text(canon *c, const double *values, size_t n, const char **text) {
  double *plain = NULL;
  CQ_TRY(CQ_ARENA(&c->arena, plain, n));
  for (size_t i = 0; i < n; i++) {
    plain[i] = values[i] + 0.0;
  }
  return cq_arena_text(&c->arena, text, "%zu:%016llx", n,
                       (unsigned long long)cq_hash(plain, n * sizeof *plain));
}

static cq_status texts_text(canon *c, const cq_texts *texts, const char **text) {
  *text = "";
  for (int i = 0; i < texts->count; i++) {
    CQ_TRY(cq_arena_text(&c->arena, text, "%s\"%s\"", *text, texts->values[i]));
  }
  return CQ_OK;
}

/* Numbers as ever; others as they are written. */
static cq_status values_text(canon *c, const cq_key_row *row, const cq_node *node,
                             const char **text) {
  cq_key_row as_numbers = *row;
  bool plain = true;
  cq_numbers list = {0};
  const bool is_list = node->type == CQ_NODE_LIST;
  for (const cq_node *n = is_list ? node->child : node; n != NULL; n = is_list ? n->next : NULL) {
    plain = plain && (n->type == CQ_NODE_INT || n->type == CQ_NODE_NUMBER);
  }
  if (!plain || (is_list && node->child == NULL)) {
    return cq_value_text(&c->arena, node, text);
  }
  as_numbers.type = CQ_TYPE_NUMBERS;
  as_numbers.offset = 0;
  CQ_TRY(cq_key_store(&c->config, &as_numbers, node, &list));
  return numbers_text(c, list.values, (size_t)list.count, text);
}

/* What the schema reads in a node, as text. Words stay words: their number may change. */
static cq_status node_text(canon *c, const cq_key_row *row, const cq_node *node,
                           const char **text) {
  union {
    int integer, axes[3];
    long long seed;
    double numbers[9];
    cq_numbers list;
    cq_texts texts;
    cq_table table;
    const cq_node *node;
    const char *text;
  } v = {.numbers = {0}};
  cq_key_row here = *row;
  here.offset = 0;
  CQ_TRY(cq_key_store(&c->config, &here, node, &v));
  const size_t dim = (size_t)c->config.dim;
  switch (row->type) {
  case CQ_TYPE_FLAG:
  case CQ_TYPE_INT:
    return cq_arena_text(&c->arena, text, "%d", v.integer);
  case CQ_TYPE_SEED:
    return cq_arena_text(&c->arena, text, "%lld", v.seed);
  case CQ_TYPE_NUMBER:
  case CQ_TYPE_BYTES:
    return numbers_text(c, v.numbers, 1, text);
  case CQ_TYPE_POINT:
    return numbers_text(c, v.numbers, 3, text);
  case CQ_TYPE_TENSOR:
    return numbers_text(c, v.numbers, dim * dim, text);
  case CQ_TYPE_AXES:
    return cq_arena_text(&c->arena, text, "%d,%d,%d", v.axes[0], v.axes[1],
                         dim == 3 ? v.axes[2] : 1);
  case CQ_TYPE_NUMBERS:
    return numbers_text(c, v.list.values, (size_t)v.list.count, text);
  case CQ_TYPE_TABLE:
    return numbers_text(c, v.table.values, (size_t)v.table.rows * (size_t)v.table.columns, text);
  case CQ_TYPE_TEXTS:
    return texts_text(c, &v.texts, text);
  case CQ_TYPE_VALUES:
    return values_text(c, row, node, text);
  default:
    return cq_arena_text(&c->arena, text, "\"%s\"", node->text != NULL ? node->text : "");
  }
}

static cq_status is_default(canon *c, const cq_key_row *row, const char *value, bool *same) {
  cq_node node = {.origin = ""};
  const char *text = NULL;
  *same = false;
  if (row->fallback == NULL || row->fallback == cq_required) {
    return CQ_OK;
  }
  CQ_TRY(cq_key_default(&c->config, row, &node));
  CQ_TRY(node_text(c, row, &node, &text));
  *same = strcmp(text, value) == 0;
  return CQ_OK;
}

static cq_status add_list(canon *c, cq_owner owner, const cq_node *list, const char *path);

/* A line for each key of a section that is hashed and has not its default. */
static cq_status add_section(canon *c, cq_owner owner, const cq_node *section, const char *path) {
  for (const cq_node *node = section->child; node != NULL; node = node->next) {
    const cq_key_row *row = cq_key_row_of(owner, section, node->name);
    const char *key = NULL, *value = NULL;
    bool same = false;
    CQ_TRY(cq_arena_text(&c->arena, &key, "%s.%s", path, node->name));
    if (row == NULL || is_free(key, strlen(key), c->with_optimizer)) {
      continue; /* NULL: a section of its own */
    }
    if (row->type == CQ_TYPE_PARTS) {
      CQ_TRY(add_list(c, CQ_OWNER_part, node, key));
      continue;
    }
    CQ_TRY(node_text(c, row, node, &value));
    CQ_TRY(is_default(c, row, value, &same));
    if (!same) {
      CQ_TRY(add_line(c, key, value));
    }
  }
  return CQ_OK;
}

/* Elements count even where all their keys have the default. */
static cq_status add_list(canon *c, cq_owner owner, const cq_node *list, const char *path) {
  const char *element = NULL;
  int i = 0;
  for (const cq_node *node = list->child; node != NULL; node = node->next) {
    CQ_TRY(cq_arena_text(&c->arena, &element, "%s.[%d]", path, i++));
    CQ_TRY(add_line(c, element, ""));
    CQ_TRY(add_section(c, owner, node, element));
  }
  return CQ_OK;
}

static cq_status add_all(canon *c) {
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    cq_node *node = NULL;
    CQ_TRY(cq_tree_find(&c->arena, c->config.root, row->path, &node));
    const bool skipped = c->without_design && row->owner == CQ_OWNER_block;
    if (node != NULL && !skipped) {
      CQ_TRY(row->is_list ? add_list(c, row->owner, node, row->path)
                          : add_section(c, row->owner, node, row->path));
    }
  }
  return CQ_OK;
}

static int compare_lines(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Puts the lines in order, whatever that of the file is, and hashes them. */
static cq_status hash_lines(canon *c, uint64_t *hash) {
  char *all = NULL;
  size_t used = 0;
  CQ_TRY(add_all(c));
  CQ_TRY(CQ_ARENA(&c->arena, all, c->bytes + 1));
  if (c->count > 0) {
    qsort(c->lines, (size_t)c->count, sizeof *c->lines, compare_lines);
  }
  for (int i = 0; i < c->count; i++) {
    const size_t length = strlen(c->lines[i]);
    memcpy(all + used, c->lines[i], length);
    used += length;
  }
  *hash = cq_hash(all, used);
  return CQ_OK;
}

static void begin(canon *c, const cq_scene *scene) {
  *c = (canon){.arena = {.ctx = scene->ctx}, .config = scene->config};
  c->config.arena = &c->arena;
}

static cq_status hash_scene(const cq_scene *scene, bool with_optimizer, bool without_design,
                            uint64_t *hash) {
  canon c;
  begin(&c, scene);
  c.with_optimizer = with_optimizer;
  c.without_design = without_design;
  *hash = 0;
  const cq_status status = hash_lines(&c, hash);
  cq_arena_release(&c.arena);
  return status;
}

/* Of a file with experiments: its design and optimizer with the first one, then every one. */
cq_status cq_scene_config_hash(const cq_scene *scene, bool with_optimizer, uint64_t *hash) {
  const cq_joined *const joined = scene->joined;
  CQ_TRY(hash_scene(scene, with_optimizer, false, hash));
  for (int k = 0; joined != NULL && k < joined->count; k++) {
    const cq_experiment *const e = &joined->all[k];
    uint64_t all[] = {*hash, cq_hash(e->name, strlen(e->name)), 0, 0};
    memcpy(&all[2], &e->weight, sizeof all[2]);
    CQ_TRY(hash_scene(e->scene, with_optimizer, true, &all[3]));
    *hash = cq_hash(all, sizeof all);
  }
  return CQ_OK;
}

/* A value that cannot be told to be the default is none. */
static bool says_nothing(const cq_scene *scene, const cq_node *section, const cq_node *node) {
  const cq_key_row *const row = cq_key_row_of(CQ_OWNER_optimizer, section, node->name);
  const char *value = NULL;
  bool same = false;
  canon c;
  begin(&c, scene);
  if (row != NULL && node_text(&c, row, node, &value) == CQ_OK) {
    same = is_default(&c, row, value, &same) == CQ_OK && same;
  }
  cq_arena_release(&c.arena);
  return same;
}

const char *cq_scene_stop_setting(const cq_scene *scene, int i, char *value, size_t size) {
  const cq_node *const section = scene->config.optimizer.node;
  for (int k = 0; k < N_FREE_KEYS; k++) {
    if (!free_keys[k].stops || i-- > 0) {
      continue;
    }
    const cq_node *const node = cq_node_find(section, strchr(free_keys[k].path, '.') + 1);
    value[0] = '\0';
    if (node != NULL && !says_nothing(scene, section, node)) {
      value_text(node, value, size);
    }
    return free_keys[k].path;
  }
  return NULL;
}

/* Defaults are left out, as in the hash of all settings. */
uint64_t cq_scene_stop_hash(const cq_scene *scene) {
  char all[2048] = "", value[128];
  const char *path = NULL;
  for (int i = 0; (path = cq_scene_stop_setting(scene, i, value, sizeof value)) != NULL; i++) {
    const size_t used = strlen(all);
    if (value[0] != '\0') {
      snprintf(all + used, sizeof all - used, "%s=%s\n", path, value);
    }
  }
  return cq_hash(all, strlen(all));
}
