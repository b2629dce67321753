/* --set path=value */
#include "plural.h"
#include "status.h"
#include "tree.h"

#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

/* the plain word that takes a key out */
static const char unset[] = "unset";

static bool is_literal(const char *value) {
  config_t config;
  config_init(&config);
  char text[4096];
  const int length = snprintf(text, sizeof text, "v = (%s);", value);
  const bool ok = length < (int)sizeof text && config_read_string(&config, text);
  config_destroy(&config);
  return ok;
}

/* "0, -9.81": numbers that are a list without its brackets. */
static bool is_bare_list(const char *value) {
  char *end = NULL;
  int numbers = 0;
  do {
    strtod(value, &end);
    if (end == value) {
      return false;
    }
    numbers++;
    value = end + strspn(end, " ");
  } while (*value++ == ',');
  return value[-1] == '\0' && numbers > 1;
}

/* A plain word as libconfig text. */
static cq_status quote(cq_arena *arena, const char *value, const char **out) {
  char *escaped = NULL;
  CQ_TRY(CQ_ARENA(arena, escaped, 2 * strlen(value) + 1));
  for (char *to = escaped; *value != '\0'; value++) {
    if (*value == '"' || *value == '\\') {
      *to++ = '\\';
    }
    *to++ = *value;
  }
  return cq_arena_text(arena, out, "value = \"%s\";", escaped);
}

/* The value as a tree: root -> "value". */
static cq_status parse_value(cq_arena *arena, const char *label, const char *value, cq_node **out) {
  const char *text = NULL;
  if (strchr("[({\"", value[0]) != NULL || is_literal(value)) {
    CQ_TRY(cq_arena_text(arena, &text, "value = %s;", value));
  } else {
    CQ_TRY(quote(arena, value, &text));
  }
  CQ_CHECK(arena->ctx, strchr("[({\"", value[0]) != NULL || !is_bare_list(value), CQ_CONFIG,
           "%s: a list stands in brackets: [%s]", label, value);
  cq_node *root = NULL;
  CQ_TRY(cq_tree_parse(arena, text, label, &root));
  CQ_CHECK(arena->ctx, cq_node_count(root) == 1, CQ_CONFIG, "%s: one value is wanted", label);
  *out = root->child;
  return CQ_OK;
}

static void set_origin(cq_node *node, const char *label) {
  node->origin = label;
  node->line = 0;
  for (cq_node *n = node->child; n != NULL; n = n->next) {
    set_origin(n, label);
  }
}

static void replace_value(cq_node *target, const cq_node *value, const char *label) {
  target->type = value->type;
  target->integer = value->integer;
  target->number = value->number;
  target->text = value->text;
  target->child = value->child;
  target->last = value->last;
  for (cq_node *n = target->child; n != NULL; n = n->next) {
    n->parent = target;
  }
  set_origin(target, label);
}

void cq_node_unlink(cq_node *node) {
  cq_node **place = &node->parent->child, *before = NULL;
  while (*place != node) {
    before = *place;
    place = &before->next;
  }
  *place = node->next;
  if (node->parent->last == node) {
    node->parent->last = before;
  }
}

/* "[2]" of a list, which must be there. */
static cq_status element(cq_ctx *ctx, cq_node *list, const char *part, const char *label,
                         cq_node **out) {
  char *end = NULL;
  const long index = strtol(part + 1, &end, 10);
  const int count = cq_node_count(list);
  CQ_CHECK(ctx, end != part + 1 && strcmp(end, "]") == 0, CQ_CONFIG,
           "%s: \"%s\" is no index; write [0], [1], ...", label, part);
  CQ_CHECK(ctx, index >= 0 && index < count, CQ_CONFIG,
           "%s: %s has %d element%s (the first is [0])", label, cq_node_path(list).text, count,
           cq_plural(count));
  *out = list->child;
  for (long i = 0; i < index; i++) {
    *out = (*out)->next;
  }
  return CQ_OK;
}

/* One step down; a key that is not there is made, and the schema judges it later. */
static cq_status descend(cq_arena *arena, cq_node *node, const char *part, const char *label,
                         cq_node **out) {
  cq_ctx *ctx = arena->ctx;
  if (part[0] == '[') {
    CQ_CHECK(ctx, node->type == CQ_NODE_LIST, CQ_CONFIG, "%s: \"%s\" is no list", label,
             cq_node_path(node).text);
    return element(ctx, node, part, label, out);
  }
  CQ_CHECK(ctx, node->type == CQ_NODE_GROUP, CQ_CONFIG, "%s: \"%s\" has no keys%s", label,
           cq_node_path(node).text,
           node->type == CQ_NODE_LIST ? "; name an element, as in bodies.[0].density" : "");
  *out = cq_node_find(node, part);
  if (*out == NULL) {
    CQ_TRY(cq_node_add(arena, node, part, CQ_NODE_GROUP, out));
    set_origin(*out, label);
  }
  return CQ_OK;
}

/* Cuts the next part off path; "bodies[0]" gives "bodies" and "[0]". */
static cq_status next_part(cq_arena *arena, const char **path, const char **part) {
  const char *p = *path + strspn(*path, "./: ");
  const size_t n = p[0] == '[' ? strcspn(p, "]") + (strchr(p, ']') != NULL) : strcspn(p, "./:[ ");
  *path = p + n;
  return cq_arena_text(arena, part, "%.*s", (int)n, p);
}

/* Follows a path; NULL where it leads nowhere, which is no error. */
cq_status cq_tree_find(cq_arena *arena, cq_node *root, const char *path, cq_node **out) {
  const char *part = NULL;
  *out = root;
  CQ_TRY(next_part(arena, &path, &part));
  while (*out != NULL && part[0] != '\0') {
    if (part[0] == '[') {
      long index = strtol(part + 1, NULL, 10);
      for (*out = (*out)->child; *out != NULL && index > 0; index--) {
        *out = (*out)->next;
      }
    } else {
      *out = cq_node_find(*out, part);
    }
    CQ_TRY(next_part(arena, &path, &part));
  }
  return CQ_OK;
}

/* "path=value": parses the value as a file would, makes sections on the way, and remembers the
 * assignment as its place. */
cq_status cq_tree_set(cq_arena *arena, cq_node *root, const char *assignment) {
  const char *label = NULL, *path = NULL, *part = NULL;
  const size_t length = strcspn(assignment, "=");
  CQ_CHECK(arena->ctx, length > 0 && assignment[length] == '=', CQ_CONFIG,
           "--set %s: write path=value", assignment);
  CQ_TRY(cq_arena_text(arena, &label, "--set %s", assignment));
  CQ_TRY(cq_arena_text(arena, &path, "%.*s", (int)length, assignment));
  const char *text = assignment + length + 1;
  text += strspn(text, " ");
  cq_node *value = NULL, *node = root;
  CQ_CHECK(
      arena->ctx, text[0] != '\0', CQ_CONFIG,
      "%s: there is no value; '%s=\"\"' is an empty text, %s=unset takes the key out of the file",
      label, path, path);
  CQ_TRY(parse_value(arena, label, text, &value));
  CQ_TRY(next_part(arena, &path, &part));
  while (part[0] != '\0') {
    CQ_TRY(descend(arena, node, part, label, &node));
    CQ_TRY(next_part(arena, &path, &part));
  }
  CQ_CHECK(arena->ctx, node != root, CQ_CONFIG, "%s: write path=value", label);
  replace_value(node, value, label);
  if (strcmp(text, unset) == 0) {
    CQ_CHECK(arena->ctx, node->name != NULL, CQ_CONFIG,
             "%s: an element of a list cannot be taken out; set the whole list", label);
    node->type = CQ_NODE_UNSET;
  }
  return CQ_OK;
}
