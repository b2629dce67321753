#include "experiment_trees.h"

#include "nearest.h"
#include "status.h"

#include <string.h>

static const char LIST[] = "experiments";

/* a list with elements; what a written file has of an absent one is empty */
static cq_node *filled_list(const cq_node *group, const char *name) {
  cq_node *const list = group != NULL ? cq_node_find(group, name) : NULL;
  return list != NULL && list->type == CQ_NODE_LIST && list->child != NULL ? list : NULL;
}

static bool is_text(const cq_node *node) {
  return node != NULL && node->type == CQ_NODE_TEXT;
}

bool cq_experiments_given(const cq_node *root) {
  return filled_list(root, LIST) != NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

/* "press" of "tests/press.cfg" */
static cq_status name_of_file(cq_arena *arena, cq_node *element, const cq_node *file) {
  const char *const slash = strrchr(file->text, '/');
  const char *const base = slash != NULL ? slash + 1 : file->text, *const dot = strrchr(base, '.');
  cq_node *name = NULL;
  if (cq_node_find(element, "name") != NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_node_add(arena, element, "name", CQ_NODE_TEXT, &name));
  name->origin = file->origin;
  name->line = file->line;
  return cq_arena_text(arena, &name->text, "%.*s",
                       dot != NULL ? (int)(dot - base) : (int)strlen(base), base);
}

/* What the file of an element says goes into the element, below what stands there itself. */
static cq_status open_file(cq_arena *arena, cq_node *element, const char *folder) {
  cq_node *const file = cq_node_find(element, "include");
  cq_node *root = NULL;
  if (file == NULL) {
    return CQ_OK;
  }
  CQ_CHECK(arena->ctx, file->line > 0 || element->line == 0, CQ_CONFIG,
           "%s: the experiment has been read already; set the list of experiments as a whole",
           cq_node_where(file).text);
  CQ_CHECK(arena->ctx, is_text(file), CQ_CONFIG,
           "%s: %s: write the name of a problem file in quotes", cq_node_where(file).text,
           cq_node_path(file).text);
  CQ_TRY(cq_tree_open(arena, file, folder, &root));
  CQ_CHECK(arena->ctx, !cq_experiments_given(root), CQ_CONFIG,
           "%s: there are no experiments within an experiment; list them all in one file",
           cq_node_where(cq_node_find(root, LIST)).text);
  CQ_TRY(name_of_file(arena, element, file));
  cq_node_unlink(file);
  cq_node_merge(element, root);
  return CQ_OK;
}

cq_status cq_experiments_open(cq_arena *arena, cq_node *root, const char *folder) {
  cq_node *const list = filled_list(root, LIST);
  for (cq_node *e = list != NULL ? list->child : NULL; e != NULL; e = e->next) {
    CQ_CHECK(arena->ctx, e->type == CQ_NODE_GROUP, CQ_CONFIG,
             "%s: experiments must be a list of groups ( { ... }, { ... } )",
             cq_node_where(e).text);
    CQ_TRY(open_file(arena, e, folder));
  }
  return CQ_OK;
}

/* --- elements --------------------------------------------------------------------------------- */

/* Sections are groups and lists; what is left are the keys of the element. */
static cq_status take_sections(cq_arena *arena, cq_node *element, cq_node **out) {
  CQ_TRY(CQ_ARENA(arena, *out, 1));
  cq_node *const own = *out;
  own->type = CQ_NODE_GROUP;
  own->origin = element->origin;
  own->line = element->line;
  for (cq_node *node = element->child, *next; node != NULL; node = next) {
    next = node->next;
    if (node->type != CQ_NODE_GROUP && node->type != CQ_NODE_LIST) {
      continue;
    }
    cq_node_unlink(node);
    node->next = NULL;
    node->parent = own;
    *(own->child == NULL ? &own->child : &own->last->next) = node;
    own->last = node;
    own->origin = node->origin; /* where a section belongs that is missing */
    own->line = 0;
  }
  return CQ_OK;
}

/* Experiments are one deep, and each is one run. */
static cq_status refuse_within(cq_ctx *ctx, const cq_node *own) {
  const cq_node *const inner = filled_list(own, LIST);
  const cq_node *const scenarios = cq_node_find(own, "scenarios");
  CQ_CHECK(ctx, inner == NULL, CQ_CONFIG,
           "%s: there are no experiments within an experiment; list them all in one file",
           cq_node_where(inner).text);
  CQ_CHECK(ctx, scenarios == NULL || filled_list(scenarios, "vary") == NULL, CQ_CONFIG,
           "%s: an experiment has no scenarios; list each of them as an experiment",
           cq_node_where(scenarios).text);
  return CQ_OK;
}

/* A design and an optimizer of an included file are for when it is solved alone. */
static void drop(cq_node *own, const char *name) {
  cq_node *const node = cq_node_find(own, name);
  if (node != NULL) {
    cq_node_unlink(node);
  }
}

static cq_status read_element(cq_arena *arena, cq_experiment_trees *trees, cq_node *element) {
  static const char *const of_file[] = {"design", "optimizer", "scenarios", LIST};
  cq_experiment_tree *const e = &trees->all[trees->count];
  CQ_TRY(take_sections(arena, element, &e->own));
  CQ_TRY(refuse_within(arena->ctx, e->own));
  for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++) {
    drop(e->own, of_file[i]);
  }
  CQ_TRY(cq_config_read_experiment(arena, element, &e->keys));
  for (int k = 0; k < trees->count; k++) {
    CQ_KEY_CHECK(arena->ctx, strcmp(trees->all[k].keys.name, e->keys.name) != 0, &e->keys, name,
                 "an earlier experiment is called \"%s\", too; give one of them another name",
                 e->keys.name);
  }
  trees->count++;
  return CQ_ARENA(arena, e->has, trees->n_blocks);
}

/* --- which of them a block of the design is about ----------------------------------------------
 */

/* The section of an experiment: that of the file goes before its own. */
static cq_node *section_of(const cq_experiment_trees *trees, const cq_experiment_tree *e,
                           const char *name) {
  cq_node *const of_file = cq_node_find(trees->root, name);
  return of_file != NULL && of_file->type != CQ_NODE_UNSET ? of_file : cq_node_find(e->own, name);
}

static bool has_named(const cq_node *list, const char *name) {
  for (const cq_node *n = list != NULL ? list->child : NULL; n != NULL; n = n->next) {
    const cq_node *const own = cq_node_find(n, "name");
    if (is_text(own) && strcmp(own->text, name) == 0) {
      return true;
    }
  }
  return false;
}

/* "domain", "half_spaces.[0]", or what a wall calls itself */
static cq_status has_wall(cq_arena *arena, cq_node *boundaries, const char *name, bool *has) {
  cq_node *found = NULL;
  *has = *has || strcmp(name, "domain") == 0;
  if (boundaries == NULL || *has) {
    return CQ_OK;
  }
  CQ_TRY(cq_tree_find(arena, boundaries, name, &found));
  *has = found != NULL && found != boundaries;
  for (const cq_node *list = boundaries->child; list != NULL && !*has; list = list->next) {
    *has = has_named(list, name);
  }
  return CQ_OK;
}

/* Whether an experiment has what the key of a block names. */
static cq_status has_part(cq_arena *arena, const cq_experiment_trees *trees,
                          const cq_experiment_tree *e, const cq_node *key, bool *has) {
  const bool is_body = strcmp(key->name, "body") == 0;
  *has = strcmp(key->text, "*") == 0 ||
         has_named(section_of(trees, e, is_body ? "groups" : "actuators"), key->text) ||
         has_named(section_of(trees, e, "bodies"), key->text);
  return has_wall(arena, section_of(trees, e, "boundaries"), key->text, has);
}

/* The key that says what a block is about; NULL: it is about the scene. */
static const cq_node *named_part(const cq_node *block) {
  static const char *const keys[] = {"body", "boundary", "actuator"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const cq_node *const key = cq_node_find(block, keys[i]);
    if (is_text(key)) {
      return key;
    }
  }
  return NULL;
}

cq_status cq_experiments_find(cq_ctx *ctx, const cq_experiment_trees *trees, const char *where,
                              const char *name, int *k) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (*k = 0; *k < trees->count; (*k)++) {
    if (strcmp(trees->all[*k].keys.name, name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, trees->all[*k].keys.name);
  }
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: there is no experiment \"%s\"; %s", where, name,
                 cq_nearest_text(&nearest));
}

/* The experiments that the key `experiments` of a block lists. */
static cq_status take_listed(cq_arena *arena, cq_experiment_trees *trees, int b,
                             const cq_node *listed) {
  const bool is_list = listed->type == CQ_NODE_LIST;
  for (const cq_node *n = is_list ? listed->child : listed; n != NULL;
       n = is_list ? n->next : NULL) {
    int k = 0;
    const cq_place where = cq_node_where(n);
    CQ_CHECK(arena->ctx, is_text(n), CQ_CONFIG, "%s: %s must be a list of names of experiments",
             where.text, cq_node_path(listed).text);
    CQ_TRY(cq_experiments_find(arena->ctx, trees, where.text, n->text, &k));
    trees->all[k].has[b] = true;
  }
  return CQ_OK;
}

/* Which experiments take part in block b: those that it lists, or that have what it is about. */
static cq_status place_block(cq_arena *arena, cq_experiment_trees *trees, int b,
                             const cq_node *block) {
  const cq_node *const listed = cq_node_find(block, LIST), *const part = named_part(block);
  if (listed != NULL && listed->type != CQ_NODE_UNSET) {
    CQ_CHECK(arena->ctx, listed->type != CQ_NODE_LIST || listed->child != NULL, CQ_CONFIG,
             "%s: %s: name an experiment at least", cq_node_where(listed).text,
             cq_node_path(listed).text);
    return take_listed(arena, trees, b, listed);
  }
  bool any = false;
  for (int k = 0; k < trees->count; k++) {
    cq_experiment_tree *const e = &trees->all[k];
    e->has[b] = true;
    CQ_TRY(part != NULL ? has_part(arena, trees, e, part, &e->has[b]) : CQ_OK);
    any = any || e->has[b];
  }
  CQ_CHECK(arena->ctx, any, CQ_CONFIG,
           "%s: %s: no experiment has a %s \"%s\", so that the block would change nothing",
           cq_node_where(part).text, cq_node_path(part).text, part->name, part->text);
  return CQ_OK;
}

cq_status cq_experiments_split(cq_arena *arena, cq_node *root, cq_experiment_trees *out) {
  cq_node *const list = filled_list(root, LIST), *const design = filled_list(root, "design");
  const cq_node *const scenarios = cq_node_find(root, "scenarios");
  const int count = cq_node_count(list);
  *out =
      (cq_experiment_trees){.root = root, .n_blocks = design != NULL ? cq_node_count(design) : 0};
  CQ_CHECK(arena->ctx, count <= CQ_MOST_EXPERIMENTS, CQ_CONFIG,
           "%s: %d experiments are too many: at most %d", cq_node_where(list).text, count,
           (int)CQ_MOST_EXPERIMENTS);
  CQ_CHECK(arena->ctx, filled_list(scenarios, "vary") == NULL, CQ_CONFIG,
           "%s: a file has scenarios or experiments, not both", cq_node_where(scenarios).text);
  CQ_TRY(CQ_ARENA(arena, out->all, count));
  for (cq_node *e = list->child; e != NULL; e = e->next) {
    CQ_TRY(read_element(arena, out, e));
  }
  int b = 0;
  for (const cq_node *n = design != NULL ? design->child : NULL; n != NULL; n = n->next) {
    CQ_TRY(place_block(arena, out, b++, n));
  }
  return CQ_OK;
}

/* --- one of them ------------------------------------------------------------------------------ */

/* Its blocks alone, without the list of experiments that they are for. */
static void keep_blocks(const cq_experiment_tree *e, cq_node *tree) {
  cq_node *const design = filled_list(tree, "design");
  int b = 0;
  for (cq_node *n = design != NULL ? design->child : NULL, *next; n != NULL; n = next) {
    next = n->next;
    if (!e->has[b++]) {
      cq_node_unlink(n);
      continue;
    }
    drop(n, LIST);
  }
}

/* Of the optimizer the seed alone: random places and starts follow from it. */
static void keep_seed(cq_node *tree) {
  cq_node *const optimizer = cq_node_find(tree, "optimizer");
  for (cq_node *n = optimizer != NULL ? optimizer->child : NULL, *next; n != NULL; n = next) {
    next = n->next;
    if (n->name == NULL || strcmp(n->name, "seed") != 0) {
      cq_node_unlink(n);
    }
  }
}

cq_status cq_experiment_alone(cq_arena *arena, const cq_experiment_trees *trees, int k,
                              cq_experiment_use use, cq_node **out) {
  const cq_experiment_tree *const e = &trees->all[k];
  cq_node *own = NULL;
  CQ_TRY(cq_node_copy(arena, trees->root, NULL, out));
  CQ_TRY(cq_node_copy(arena, e->own, NULL, &own));
  (*out)->origin = e->own->origin;
  drop(*out, LIST);
  if (use != CQ_EXPERIMENT_ALL) {
    keep_blocks(e, *out);
  }
  if (use == CQ_EXPERIMENT_PART) {
    keep_seed(*out);
    drop(*out, "problem");
  } else {
    drop(own, "problem");
  }
  cq_node_merge(*out, own);
  return CQ_OK;
}
