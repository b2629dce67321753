#include "tree.h"

#include <string.h>

cq_place cq_node_where(const cq_node *node) {
  cq_place place;
  if (node->line > 0) {
    snprintf(place.text, sizeof place.text, "%s:%d", node->origin, node->line);
  } else {
    snprintf(place.text, sizeof place.text, "%s", node->origin);
  }
  return place;
}

static int index_in_list(const cq_node *node) {
  int i = 0;
  for (const cq_node *n = node->parent->child; n != node; n = n->next) {
    i++;
  }
  return i;
}

cq_place cq_node_path(const cq_node *node) {
  cq_place place = {""};
  if (node->parent == NULL) {
    return place;
  }
  const cq_place above = cq_node_path(node->parent);
  const char *dot = above.text[0] != '\0' ? "." : "";
  if (node->name != NULL) {
    snprintf(place.text, sizeof place.text, "%.120s%s%.100s", above.text, dot, node->name);
  } else {
    snprintf(place.text, sizeof place.text, "%.200s%s[%d]", above.text, dot, index_in_list(node));
  }
  return place;
}

cq_node *cq_node_find(const cq_node *parent, const char *name) {
  for (cq_node *n = parent->child; n != NULL; n = n->next) {
    if (n->name != NULL && strcmp(n->name, name) == 0) {
      return n;
    }
  }
  return NULL;
}

int cq_node_count(const cq_node *parent) {
  int count = 0;
  for (const cq_node *n = parent->child; n != NULL; n = n->next) {
    count++;
  }
  return count;
}

/* At the end of the parent's children; it is where the parent is until somebody says otherwise. */
cq_status cq_node_add(cq_arena *arena, cq_node *parent, const char *name, cq_node_type type,
                      cq_node **out) {
  cq_node *node = NULL;
  const cq_status status = CQ_ARENA(arena, node, 1);
  if (status != CQ_OK) {
    return status;
  }
  node->name = name;
  node->type = type;
  node->parent = parent;
  node->origin = parent->origin;
  node->line = parent->line;
  *(parent->child == NULL ? &parent->child : &parent->last->next) = node;
  parent->last = node;
  *out = node;
  return CQ_OK;
}
