#include "scenario_files.h"

#include "scenario_settings.h"
#include "status.h"

#include <string.h>

/* A key that came of a file. */
typedef struct becoming {
  cq_node *section;
  const char *file; /* the key that named it */
  int place, count; /* among the keys of the section that came of it */
} becoming;

/* The i-th key of a section that came of a file; NULL past the last one. */
static cq_node *inlined(const cq_node *section, const char *file, int i) {
  for (cq_node *n = section->child; n != NULL; n = n->next) {
    if (n->was != NULL && strcmp(n->was, file) == 0 && i-- == 0) {
      return n;
    }
  }
  return NULL;
}

/* A copy of the scene with the file of scenario k: what is there now goes, and the file is read. */
static cq_status read_file(cq_scene *scene, const cq_vary_keys *keys, const becoming *b, int k,
                           cq_scene **out) {
  enum { MOST = 8 };
  const char *sets[MOST + 2], *name = NULL;
  int count = 0;
  for (; count < MOST && count < b->count; count++) {
    CQ_TRY(cq_arena_text(&scene->arena, &sets[count], "%s=unset",
                         cq_node_path(inlined(b->section, b->file, count)).text));
  }
  CQ_TRY(cq_value_text(&scene->arena, cq_vary_value(keys, k), &name));
  CQ_TRY(cq_arena_text(&scene->arena, &sets[count++], "%s=%s", keys->key, name));
  sets[count++] = "scenarios=unset";
  return cq_scene_variation(scene->ctx, scene, sets, count, out);
}

/* Where what was copied stands now. */
static void settle(cq_node *node, const cq_node *at) {
  node->origin = at->origin;
  node->line = at->line;
  node->was = NULL;
  for (cq_node *n = node->child; n != NULL; n = n->next) {
    settle(n, at);
  }
}

/* What the file of scenario k has for the key, at the end of `values`. */
static cq_status add_value(cq_scene *scene, const cq_vary_keys *keys, const becoming *b, int k,
                           cq_node *values) {
  cq_scene *copy = NULL;
  cq_node *section = NULL, *added = NULL;
  CQ_TRY(read_file(scene, keys, b, k, &copy));
  const cq_place path = cq_node_path(b->section);
  cq_status status = cq_tree_find(&copy->arena, copy->config.root, path.text, &section);
  if (status == CQ_OK) {
    const cq_node *const here = inlined(b->section, b->file, b->place);
    const cq_node *const list = inlined(section, b->file, b->place);
    const bool same = list != NULL && strcmp(list->name, here->name) == 0 &&
                      inlined(section, b->file, b->count) == NULL;
    status = same
                 ? cq_node_copy(&scene->arena, list, values, &added)
                 : CQ_BAD(scene->ctx, keys, values, "the file of scenario %d has other columns", k);
  }
  if (added != NULL) {
    added->name = NULL;
    settle(added, values);
  }
  cq_scene_free(copy);
  return status;
}

/* An element of `vary` for one key. */
static cq_status add_key(cq_scene *scene, const cq_vary_keys *keys, const becoming *b,
                         cq_vary_keys *out) {
  cq_node *element = NULL, *key = NULL, *values = NULL;
  CQ_TRY(cq_node_add(&scene->arena, keys->node->parent, NULL, CQ_NODE_GROUP, &element));
  CQ_TRY(cq_node_add(&scene->arena, element, "key", CQ_NODE_TEXT, &key));
  CQ_TRY(cq_arena_text(&scene->arena, &key->text, "%s",
                       cq_node_path(inlined(b->section, b->file, b->place)).text));
  CQ_TRY(cq_node_add(&scene->arena, element, "values", CQ_NODE_LIST, &values));
  for (int k = 0; k < scene->n_scenarios; k++) {
    CQ_TRY(add_value(scene, keys, b, k, values));
  }
  *out = (cq_vary_keys){.node = element, .key = key->text, .values = values};
  return CQ_OK;
}

/* The keys that came of the file that an element of `vary` names; 0: it names none. */
static cq_status find_file(cq_scene *scene, const cq_vary_keys *keys, becoming *b) {
  cq_node *setting = NULL;
  bool found = false;
  *b = (becoming){.place = 0};
  CQ_TRY(cq_tree_find(&scene->arena, scene->config.root, keys->key, &setting));
  CQ_TRY(setting == NULL ? cq_vary_file(scene, keys, &b->section, &b->file, &found) : CQ_OK);
  while (found && inlined(b->section, b->file, b->count) != NULL) {
    b->count++;
  }
  return CQ_OK;
}

cq_status cq_scenario_files_read(cq_scene *scene) {
  const cq_vary_keys *keys = scene->config.vary.items;
  cq_vary_keys *all = NULL;
  int n = 0;
  const int count = scene->config.vary.count;
  CQ_TRY(CQ_ARENA(&scene->arena, all, CQ_MOST_VARIED));
  for (int j = 0; j < count; j++) {
    becoming b;
    CQ_TRY(find_file(scene, &keys[j], &b));
    CQ_KEY_CHECK(scene->ctx, n + (b.count > 0 ? b.count : 1) <= CQ_MOST_VARIED,
                 &scene->config.scenarios, sampling, "at most %d settings can vary",
                 CQ_MOST_VARIED);
    if (b.count == 0) {
      all[n++] = keys[j];
      continue;
    }
    for (; b.place < b.count; b.place++) {
      CQ_TRY(add_key(scene, &keys[j], &b, &all[n++]));
    }
    cq_node_unlink((cq_node *)keys[j].node);
  }
  scene->config.vary = (cq_items){n, all};
  return CQ_OK;
}
