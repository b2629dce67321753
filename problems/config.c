/* A section that was read: its words, changes of it, messages about it. */
#include "schema.h"
#include "status.h"

#include <stdarg.h>

cq_status cq_config_complete(cq_arena *arena, const cq_node *section, const char *key,
                             cq_node_type type, long long integer, const char *text) {
  cq_node *node = cq_node_find(section, key);
  if (node == NULL) {
    CQ_TRY(cq_node_add(arena, (cq_node *)section, key, type, &node));
  }
  node->type = type;
  node->integer = integer;
  node->number = (double)integer;
  node->text = text;
  return CQ_OK;
}

/* The list of rows takes the place and the node of the file's name. */
cq_status cq_config_inline(cq_arena *arena, const cq_node *section, const char *file,
                           const char *key, const cq_table *table) {
  cq_node *list = file != NULL ? cq_node_find(section, file) : NULL;
  cq_node *old = cq_node_find(section, key);
  if (old != NULL) {
    cq_node_unlink(old);
  }
  if (list == NULL) {
    CQ_TRY(cq_node_add(arena, (cq_node *)section, key, CQ_NODE_LIST, &list));
  }
  const double *value = table->values;
  list->name = key;
  list->was = file;
  list->type = CQ_NODE_LIST;
  for (int i = 0; i < table->rows; i++) {
    cq_node *row = NULL;
    CQ_TRY(cq_node_add(arena, list, NULL, CQ_NODE_LIST, &row));
    for (int j = 0; j < table->columns; j++) {
      cq_node *number = NULL;
      CQ_TRY(cq_node_add(arena, row, NULL, CQ_NODE_NUMBER, &number));
      number->number = *value++;
    }
  }
  return CQ_OK;
}

const char *cq_config_word(const cq_node *section, const char *key) {
  const cq_node *node = cq_node_find(section, key);
  return node != NULL ? node->text : NULL;
}

cq_status cq_config_fail(cq_ctx *ctx, const cq_node *section, const char *key, const char *fmt,
                         ...) {
  char message[768];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  const cq_node *node = cq_node_find(section, key);
  return CQ_FAIL(ctx, CQ_CONFIG, "%s: %s.%s: %s", cq_node_where(node != NULL ? node : section).text,
                 cq_node_path(section).text, key, message);
}
