/* Which keys decide the bits of a run. */
#include "hash.h"
#include "scene.h"
#include "status.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys that do not: a run may be resumed with other values of these; .* is all of a section.
 * `stops`: of these, the ones that decide when it ends and what its end is called. */
static const struct {
  const char *path;
  bool stops;
} free_keys[] = {
    {"optimizer.starts", false},
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
    {"optimizer.optimality_tolerance", true},
    {"optimizer.restarts", true},
    {"optimizer.stall_time", true},
    {"optimizer.verify_refined", false},
    {"simulation.memory", false},
    {"simulation.memo", false},
    {"output.*", false},
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
    snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", free_keys[i].path);
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

const char *cq_scene_stop_setting(const cq_scene *scene, int i, char *value, size_t size) {
  for (int k = 0; k < N_FREE_KEYS; k++) {
    if (!free_keys[k].stops || i-- > 0) {
      continue;
    }
    const char *const key = strchr(free_keys[k].path, '.') + 1;
    const cq_node *const node = cq_node_find(scene->config.optimizer.node, key);
    value[0] = '\0';
    if (node != NULL) {
      value_text(node, value, size);
    }
    return free_keys[k].path;
  }
  return NULL;
}

/* Empties the lines "  key = value;" of free keys in text that cq_tree_write made. */
static void blank_free_keys(char *text, bool with_optimizer) {
  char group[64] = "", path[192];
  for (char *line = text; *line != '\0'; line += line[0] == '\n') {
    const size_t length = strcspn(line, "\n");
    const size_t indent = strspn(line, " ");
    const size_t name = strcspn(line + indent, " \n");
    if (indent == 0) {
      snprintf(group, sizeof group, "%.*s", (int)(name < 63 ? name : 63), line);
    }
    const int size =
        snprintf(path, sizeof path, "%s.%.*s", group, (int)(name < 99 ? name : 99), line + indent);
    if (indent == 2 && is_free(path, (size_t)size, with_optimizer)) {
      memset(line, ' ', length);
    }
    line += length;
  }
}

cq_status cq_scene_config_hash(const cq_scene *scene, bool with_optimizer, uint64_t *hash) {
  cq_text_file file;
  *hash = 0;
  CQ_TRY(cq_text_begin(scene->ctx, &file));
  cq_tree_write(scene->config.root, file.out);
  CQ_TRY(cq_text_end(scene->ctx, &file));
  char *const text = file.text, *to = text;
  blank_free_keys(text, with_optimizer);
  /* blanks differ with the length of the values they stand for */
  for (const char *from = text; *from != '\0'; from++) {
    if (*from != ' ') {
      *to++ = *from;
    }
  }
  *hash = cq_hash(text, (size_t)(to - text));
  free(text);
  return CQ_OK;
}
