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

cq_status cq_node_copy(cq_arena *arena, const cq_node *node, cq_node *parent, cq_node **out) {
  cq_node *copy = NULL, *below = NULL;
  cq_status status = parent != NULL ? cq_node_add(arena, parent, node->name, node->type, &copy)
                                    : CQ_ARENA(arena, copy, 1);
  if (status != CQ_OK) {
    return status;
  }
  cq_node *const next = copy->next;
  *copy = *node;
  copy->parent = parent;
  copy->child = copy->last = NULL;
  copy->next = next;
  for (const cq_node *n = node->child; n != NULL && status == CQ_OK; n = n->next) {
    status = cq_node_copy(arena, n, copy, &below);
  }
  *out = copy;
  return status;
}

void cq_node_merge(cq_node *over, const cq_node *base) {
  for (cq_node *node = base->child, *next; node != NULL; node = next) {
    next = node->next;
    cq_node *own = cq_node_find(over, node->name);
    if (own != NULL) {
      if (own->type == CQ_NODE_GROUP && node->type == CQ_NODE_GROUP) {
        cq_node_merge(own, node);
      }
      continue;
    }
    node->next = NULL;
    node->parent = over;
    *(over->child == NULL ? &over->child : &over->last->next) = node;
    over->last = node;
  }
}
