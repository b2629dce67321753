#include "stages.h"

#include "scene.h"
#include "status.h"

#include <stdlib.h>

/* The element that the number means. */
static cq_status find(cq_arena *arena, const cq_node *list, const char *number,
                      const cq_node **out) {
  char *end = NULL;
  const long wanted = strtol(number, &end, 10);
  const int count = list != NULL && list->type == CQ_NODE_LIST ? cq_node_count(list) : 0;
  CQ_CHECK(arena->ctx, count > 0, CQ_CONFIG, "--set stages=%s: the file has no stages", number);
  CQ_CHECK(arena->ctx, end != number && *end == '\0' && wanted >= 1 && wanted <= count, CQ_CONFIG,
           "--set stages=%s: the file has stages 1 to %d; \"unset\" is the file without them",
           number, count);
  *out = list->child;
  for (long i = 1; i < wanted; i++) {
    *out = (*out)->next;
  }
  return CQ_OK;
}

cq_status cq_stage_take(cq_arena *arena, cq_node *root, const char *number) {
  cq_node *const list = cq_node_find(root, "stages");
  const cq_node *stage = NULL;
  CQ_TRY(find(arena, list, number, &stage));
  const cq_node *const set = cq_node_find(stage, "set");
  const bool is_list = set != NULL && set->type == CQ_NODE_LIST;
  for (const cq_node *n = is_list ? set->child : set; n != NULL; n = is_list ? n->next : NULL) {
    CQ_CHECK(arena->ctx, n->type == CQ_NODE_TEXT, CQ_CONFIG,
             "%s: %s: write each setting in quotes, as \"simulation.steps=200\"",
             cq_node_where(n).text, cq_node_path(set).text);
    CQ_TRY(cq_tree_set(arena, root, n->text));
  }
  cq_node_unlink(list);
  return CQ_OK;
}

int cq_scene_stage_count(const cq_scene *scene) {
  return scene->config.stages.count;
}

cq_status cq_scene_stage_settings(const cq_scene *scene, int i, char *text, size_t size) {
  const cq_stage_keys *const keys = scene->config.stages.items;
  size_t used = 0;
  CQ_CHECK(scene->ctx, i >= 0 && i < scene->config.stages.count, CQ_USAGE, "there is no stage %d",
           i);
  for (int k = 0; k < keys[i].set.count && used < size; k++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                             keys[i].set.values[k]);
  }
  return CQ_OK;
}
