/* Validation of a tree against the schema, and its defaults. */
#include "schema.h"

#include "schema_words.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

static bool applies(const cq_key_row *row, const cq_node *section);

/* key as it holds in this section; NULL and *elsewhere when it belongs to another choice */
static const cq_key_row *match(cq_owner owner, const cq_node *section, const char *key,
                               const cq_key_row **elsewhere) {
  *elsewhere = NULL;
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && strcmp(row->key, key) == 0) {
      if (applies(row, section)) {
        return row;
      }
      if (*elsewhere == NULL || cq_key_row_counts(row, section)) {
        *elsewhere = row;
      }
    }
  }
  return NULL;
}

/* Does the row hold for this section, given the engine and the key that decides ("shape=ball")? */
static bool applies(const cq_key_row *row, const cq_node *section) {
  if (!cq_key_row_counts(row, section)) {
    return false;
  }
  if (row->only[0] == '\0') {
    return true;
  }
  char key[32];
  const size_t length = strcspn(row->only, "=");
  const cq_key_row *elsewhere = NULL;
  snprintf(key, sizeof key, "%.*s", (int)length, row->only);
  const cq_key_row *decider = match(row->owner, section, key, &elsewhere);
  if (decider == NULL) {
    return false;
  }
  const cq_node *node = cq_node_find(section, key);
  const char *value = node != NULL && node->type == CQ_NODE_TEXT ? node->text : decider->fallback;
  return value != NULL && cq_word_index(row->only + length + 1, value) >= 0;
}

/* "bodies", for cqopt help */
static const char *section_of(cq_owner owner) {
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    if (row->owner == owner) {
      return row->path;
    }
  }
  return "parts";
}

/* What to do about a name that is no key of `section` and has no other key near: where it belongs,
 * or what there is. */
static cq_status unknown_key(cq_ctx *ctx, cq_owner owner, const cq_node *section,
                             const cq_node *node) {
  const cq_sections_text others = cq_words_sections_with(node);
  cq_nearest nearest = cq_nearest_begin(node->name);
  char where[80];
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && applies(row, section)) {
      cq_words_offer(&nearest, row->key);
    }
  }
  snprintf(where, sizeof where, "'cqopt help %s' lists its keys", section_of(owner));
  const bool belongs = others.text[0] != '\0' && !cq_nearest_found(&nearest);
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: unknown key \"%s\" in %s; %s%s", cq_node_where(node).text,
                 node->name, cq_node_path(section).text,
                 belongs ? "it is a key of " : cq_nearest_text_or(&nearest, where),
                 belongs ? others.text : "");
}

/* What decides that the key is out of place, where several other choices would take it. */
static const cq_node *decider_of(const cq_node *section, const char *key, const cq_key_row *last) {
  char name[32];
  int n = 0;
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    n += row->owner == last->owner && row->part == last->part && strcmp(row->key, key) == 0;
  }
  snprintf(name, sizeof name, "%.*s", (int)strcspn(last->only, "="), last->only);
  const cq_node *node = cq_node_find(section, name);
  return n > 1 && node != NULL && node->type == CQ_NODE_TEXT ? node : NULL;
}

/* "controller.inputs" stands among the keys of "controller" */
static bool is_section(const cq_node *node) {
  const cq_place path = cq_node_path(node);
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    if (strcmp(row->path, path.text) == 0) {
      return true;
    }
  }
  return false;
}

/* Keys that were taken out must be known, and are gone then. */
static cq_status drop_unset(cq_ctx *ctx, cq_owner owner, cq_node *section) {
  for (cq_node *node = section->child, *next; node != NULL; node = next) {
    const cq_key_row *elsewhere = NULL;
    next = node->next;
    if (node->type == CQ_NODE_UNSET) {
      const bool known = is_section(node) || match(owner, section, node->name, &elsewhere) != NULL;
      if (!known && elsewhere == NULL) {
        return unknown_key(ctx, owner, section, node);
      }
      cq_node_unlink(node);
    }
  }
  return CQ_OK;
}

static cq_status missing_key(cq_ctx *ctx, const cq_key_row *row, const cq_node *section) {
  const char *unit = row->unit;
  CQ_CHECK(ctx, section->line > 0 || strncmp(section->origin, "--set ", 6) == 0, CQ_CONFIG,
           "%s: there is no section \"%s\", which needs \"%s\" (%s%s%s); add  %s: { %s = ...; };",
           cq_node_where(section).text, cq_node_path(section).text, row->key,
           cq_type_text[row->type], unit[0] != '\0' ? ", " : "", unit, cq_node_path(section).text,
           row->key);
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: %s needs \"%s\" (%s%s%s): %s; add  %s = ...;  to %s",
                 cq_node_where(section).text, cq_node_path(section).text, row->key,
                 cq_type_text[row->type], unit[0] != '\0' ? ", " : "", unit, row->help, row->key,
                 cq_node_path(section).text);
}

/* A key that other engines have, in a file that is not for them. */
static cq_status of_other_engine(cq_ctx *ctx, cq_owner owner, const cq_node *section,
                                 const cq_node *node) {
  char names[96] = "";
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    const size_t used = strlen(names);
    if (row->owner == owner && strcmp(row->key, node->name) == 0 &&
        (used == 0 || strstr(names, row->part->name) == NULL)) {
      snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? " and of " : "",
               row->part->name);
    }
  }
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: %s is a key of the engine %s; this file's engine is %s",
                 cq_node_where(node).text, cq_node_path(node).text, names,
                 cq_file_part(section)->name);
}

/* A key that another choice would take: the choice is missing, or it is another one. */
static cq_status out_of_place(cq_ctx *ctx, const cq_node *section, const cq_node *node,
                              const cq_key_row *elsewhere) {
  const char *const words = strchr(elsewhere->only, '=') + 1;
  const cq_node *decider = decider_of(section, node->name, elsewhere);
  char key[32];
  snprintf(key, sizeof key, "%.*s", (int)(words - 1 - elsewhere->only), elsewhere->only);
  const cq_key_row *const row = cq_key_row_of(elsewhere->owner, section, key);
  if (row != NULL && row->fallback == cq_required && cq_node_find(section, key) == NULL) {
    return missing_key(ctx, row, section);
  }
  CQ_CHECK(ctx, decider == NULL, CQ_CONFIG, "%s: \"%s\" in %s has no meaning with %s = \"%s\"",
           cq_node_where(node).text, node->name, cq_node_path(section).text, decider->name,
           decider->text);
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: \"%s\" in %s has a meaning only with %s = %s",
                 cq_node_where(node).text, node->name, cq_node_path(section).text, key,
                 cq_words_quoted(words).text);
}

/* No key of a section is unknown, of another choice or of another engine. */
static cq_status check_keys(cq_ctx *ctx, cq_owner owner, const cq_node *section) {
  for (const cq_node *node = section->child; node != NULL; node = node->next) {
    const cq_key_row *elsewhere = NULL;
    if (is_section(node) || match(owner, section, node->name, &elsewhere) != NULL) {
      continue;
    }
    if (elsewhere == NULL) {
      return unknown_key(ctx, owner, section, node);
    }
    if (!cq_key_row_counts(elsewhere, section)) {
      return of_other_engine(ctx, owner, section, node);
    }
    CQ_TRY(out_of_place(ctx, section, node, elsewhere));
  }
  return CQ_OK;
}

static cq_status set_text(cq_node *node, cq_node_type type, const char *text) {
  char *end = NULL;
  node->type = type;
  node->text = text;
  node->integer = type == CQ_NODE_FLAG ? strcmp(text, "true") == 0 : strtoll(text, &end, 10);
  node->number = strtod(text, &end);
  return CQ_OK;
}

const cq_key_row *cq_key_row_of(cq_owner owner, const cq_node *section, const char *key) {
  const cq_key_row *elsewhere = NULL;
  return match(owner, section, key, &elsewhere);
}

/* Writes the default of a key into the file, as its type is written. */
cq_status cq_key_default(const cq_config *config, const cq_key_row *row, cq_node *node) {
  static const cq_node_type types[CQ_N_TYPES] = {
      [CQ_TYPE_FLAG] = CQ_NODE_FLAG,      [CQ_TYPE_INT] = CQ_NODE_INT,
      [CQ_TYPE_WORD] = CQ_NODE_TEXT,      [CQ_TYPE_NUMBER] = CQ_NODE_NUMBER,
      [CQ_TYPE_BYTES] = CQ_NODE_TEXT,     [CQ_TYPE_TEXT] = CQ_NODE_TEXT,
      [CQ_TYPE_POINT] = CQ_NODE_LIST,     [CQ_TYPE_TENSOR] = CQ_NODE_TEXT,
      [CQ_TYPE_NAME] = CQ_NODE_TEXT,      [CQ_TYPE_AXES] = CQ_NODE_INT,
      [CQ_TYPE_NUMBERS] = CQ_NODE_NUMBER, [CQ_TYPE_TEXTS] = CQ_NODE_TEXT,
  };
  const bool is_axis = strcmp(row->words, "axis") == 0;
  const cq_node_type type = is_axis ? CQ_NODE_TEXT : types[row->type];
  node->type = type;
  if (type != CQ_NODE_LIST) {
    return set_text(node, type, row->fallback);
  }
  for (int a = 0; a < config->dim; a++) {
    cq_node *element = NULL;
    CQ_TRY(cq_node_add(config->arena, node, NULL, CQ_NODE_NUMBER, &element));
    CQ_TRY(set_text(element, CQ_NODE_NUMBER, row->fallback));
  }
  return CQ_OK;
}

static cq_status read_items(cq_config *config, cq_owner owner, size_t size, const cq_node *list,
                            cq_items *items);

/* The struct that has the row's field: the section's, or the one of the engine. */
static void *home_of(const cq_key_row *row, void *keys) {
  return row->part != NULL ? ((cq_any_keys *)keys)->of_engine : keys;
}

/* A key into its field: what the section says, or its default, which it says then, too. */
static cq_status read_key(cq_config *config, const cq_key_row *row, cq_node *section, void *keys) {
  cq_node *node = cq_node_find(section, row->key);
  if (node == NULL && row->fallback == cq_required) {
    return missing_key(config->arena->ctx, row, section);
  }
  if (node == NULL && row->fallback != NULL) {
    CQ_TRY(cq_node_add(config->arena, section, row->key, CQ_NODE_TEXT, &node));
    CQ_TRY(cq_key_default(config, row, node));
  }
  if (row->type == CQ_TYPE_PARTS) {
    return read_items(config, CQ_OWNER_part, sizeof(cq_part_keys), node,
                      (cq_items *)(void *)((char *)home_of(row, keys) + row->offset));
  }
  CQ_TRY(cq_key_store(config, row, node, home_of(row, keys)));
  if (row->range == &cq_range_DIMENSION) {
    config->dim = *(int *)(void *)((char *)keys + row->offset);
  }
  return CQ_OK;
}

/* The keys that decide about others are judged before them. */
static cq_status check_deciders(const cq_config *config, cq_owner owner, const cq_node *section,
                                void *keys) {
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && row->type == CQ_TYPE_WORD && applies(row, section)) {
      CQ_TRY(cq_key_store(config, row, cq_node_find(section, row->key), home_of(row, keys)));
    }
  }
  return CQ_OK;
}

/* Opens the struct of a section, and the one of its keys that are the engine's alone. */
static cq_status open_struct(const cq_config *config, cq_owner owner, const cq_node *section,
                             cq_any_keys *keys) {
  const cq_engine_part *const part = cq_file_part(section);
  keys->node = section;
  keys->of_engine = NULL;
  for (const cq_engine_keys *k = part != NULL ? part->keys : NULL; k != NULL && k->rows != NULL;
       k++) {
    if (k->owner == owner) {
      CQ_TRY(cq_arena_alloc(config->arena, &keys->of_engine, 1, k->size));
      *(const cq_node **)keys->of_engine = section;
    }
  }
  return CQ_OK;
}

/* A section into its structs: its words, what was taken out of it, its keys in the order of the
 * rows. */
static cq_status read_struct(cq_config *config, cq_owner owner, cq_node *section, void *keys) {
  cq_ctx *ctx = config->arena->ctx;
  CQ_CHECK(ctx, section->type == CQ_NODE_GROUP, CQ_CONFIG, "%s: %s must be a group { ... }",
           cq_node_where(section).text, cq_node_path(section).text);
  CQ_TRY(open_struct(config, owner, section, keys));
  CQ_TRY(cq_words_spell(config, owner, section));
  CQ_TRY(drop_unset(ctx, owner, section));
  CQ_TRY(check_deciders(config, owner, section, keys));
  CQ_TRY(check_keys(ctx, owner, section));
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && cq_key_row_counts(row, section)) {
      CQ_TRY(cq_key_store(config, row, NULL, home_of(row, keys)));
    }
  }
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && applies(row, section)) {
      CQ_TRY(read_key(config, row, section, keys));
    }
  }
  return CQ_OK;
}

static cq_status read_items(cq_config *config, cq_owner owner, size_t size, const cq_node *list,
                            cq_items *items) {
  CQ_CHECK(config->arena->ctx, list->type == CQ_NODE_LIST, CQ_CONFIG,
           "%s: %s must be a list ( { ... }, { ... } )", cq_node_where(list).text,
           cq_node_path(list).text);
  items->count = cq_node_count(list);
  CQ_TRY(cq_arena_alloc(config->arena, &items->items, (size_t)items->count, size));
  char *keys = items->items;
  for (cq_node *n = list->child; n != NULL; n = n->next, keys += size) {
    CQ_TRY(read_struct(config, owner, n, keys));
  }
  return CQ_OK;
}

/* Finds the section at a path of one or two names, making what is missing. */
static cq_status open_section(cq_config *config, const cq_section_row *row, cq_node **out) {
  const char *dot = strchr(row->path, '.');
  const char *name = row->path;
  *out = config->root;
  while (name != NULL) {
    cq_node *parent = *out;
    const char *part = NULL;
    CQ_TRY(cq_arena_text(config->arena, &part, "%.*s", (int)strcspn(name, "."), name));
    *out = cq_node_find(parent, part);
    if (*out != NULL && (*out)->type == CQ_NODE_UNSET) {
      cq_node_unlink(*out);
      *out = NULL;
    }
    name = dot != NULL && name == row->path ? dot + 1 : NULL;
    if (*out == NULL) {
      const cq_node_type type = name == NULL && row->is_list ? CQ_NODE_LIST : CQ_NODE_GROUP;
      CQ_TRY(cq_node_add(config->arena, parent, part, type, out));
      (*out)->line = 0;
    }
  }
  return CQ_OK;
}

/* The section that stands one level lower, "boundaries.domain" of "domain"; NULL: none does. */
static const char *deeper_section(const char *name) {
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    const char *const dot = strchr(row->path, '.');
    if (dot != NULL && strcmp(dot + 1, name) == 0) {
      return row->path;
    }
  }
  return NULL;
}

/* Where the name belongs, which section was meant, or which there are. */
static cq_status unknown_section(cq_ctx *ctx, const cq_node *node, const char *prefix,
                                 cq_nearest *nearest) {
  const cq_sections_text others = cq_words_sections_with(node);
  const char *const deeper = deeper_section(node->name), *words = "it is a key of ";
  const char *text = others.text;
  if (deeper != NULL) {
    words = "it is a section within another one, ";
    text = deeper;
  } else if (cq_nearest_found(nearest) || others.text[0] == '\0') {
    words = "";
    text = cq_nearest_text(nearest);
  }
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: unknown section \"%s%s\"; %s%s", cq_node_where(node).text,
                 prefix, node->name, words, text);
}

/* Names that may stand in the root, or in the group `prefix`. */
static cq_status check_sections(const cq_config *config, const cq_node *group, const char *prefix) {
  const size_t skip = strlen(prefix);
  for (const cq_node *node = group->child; node != NULL; node = node->next) {
    cq_nearest nearest = cq_nearest_begin(node->name);
    char part[32] = "", before[32] = "";
    for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
      if (strncmp(row->path, prefix, skip) != 0) {
        continue;
      }
      const char *name = row->path + skip;
      snprintf(part, sizeof part, "%.*s", (int)strcspn(name, "."), name);
      if (strcmp(part, before) != 0) {
        cq_words_offer(&nearest, part);
      }
      memcpy(before, part, sizeof before);
    }
    if (nearest.distance != 0) {
      return unknown_section(config->arena->ctx, node, prefix, &nearest);
    }
  }
  return CQ_OK;
}

/* Every section, whether the file has it or not: defaults fill in the rest. */
cq_status cq_config_read(cq_arena *arena, cq_node *root, cq_config *config) {
  *config = (cq_config){.arena = arena, .root = root, .dim = 2};
  CQ_TRY(check_sections(config, root, ""));
  const cq_node *boundaries = cq_node_find(root, "boundaries");
  if (boundaries != NULL && boundaries->type != CQ_NODE_UNSET) {
    CQ_CHECK(arena->ctx, boundaries->type == CQ_NODE_GROUP, CQ_CONFIG,
             "%s: boundaries must be a group { ... }", cq_node_where(boundaries).text);
    CQ_TRY(check_sections(config, boundaries, "boundaries."));
  }
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    cq_node *section = NULL;
    CQ_TRY(open_section(config, row, &section));
    if (row->is_list) {
      CQ_TRY(read_items(config, row->owner, row->size, section,
                        (cq_items *)(void *)((char *)config + row->offset)));
    } else {
      CQ_TRY(read_struct(config, row->owner, section, (char *)config + row->offset));
    }
  }
  return CQ_OK;
}

cq_status cq_config_read_optimizer(cq_arena *arena, cq_node *root, cq_optimizer_keys *keys) {
  cq_config config = {.arena = arena, .root = root, .dim = 2};
  cq_node *section = NULL;
  for (const cq_node *node = root->child; node != NULL; node = node->next) {
    CQ_CHECK(arena->ctx, strcmp(node->name, "optimizer") == 0, CQ_CONFIG,
             "%s: settings of the optimizer alone can be given here, not \"%s\"",
             cq_node_where(node).text, node->name);
  }
  section = cq_node_find(root, "optimizer");
  if (section == NULL) {
    CQ_TRY(cq_node_add(arena, root, "optimizer", CQ_NODE_GROUP, &section));
  }
  return read_struct(&config, CQ_OWNER_optimizer, section, keys);
}

cq_status cq_config_read_experiment(cq_arena *arena, cq_node *element, cq_experiment_keys *keys) {
  cq_config config = {.arena = arena, .root = element, .dim = 2};
  return read_struct(&config, CQ_OWNER_experiment, element, keys);
}
