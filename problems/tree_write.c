/* A tree to libconfig text. */
#include "status.h"
#include "text_file.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

void cq_number_text(double value, char text[32]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, value);
    if (strtod(text, NULL) == value) {
      break;
    }
  }
  if (strpbrk(text, ".en") == NULL) {
    strcat(text, ".0");
  }
}

static void indent(FILE *out, int depth) {
  fprintf(out, "%*s", 2 * depth, "");
}

/* In quotes, with the escapes that libconfig reads. */
static void write_text(const char *text, FILE *out) {
  fputc('"', out);
  for (const char *c = text; *c != '\0'; c++) {
    switch (*c) {
    case '"':
    case '\\':
      fprintf(out, "\\%c", *c);
      break;
    case '\n':
      fputs("\\n", out);
      break;
    case '\t':
      fputs("\\t", out);
      break;
    default:
      fputc(*c, out);
    }
  }
  fputc('"', out);
}

static void write_value(const cq_node *node, bool as_number, int depth, FILE *out);

static void write_keys(const cq_node *group, int depth, FILE *out) {
  for (const cq_node *n = group->child; n != NULL; n = n->next) {
    indent(out, depth);
    fprintf(out, "%s = ", n->name);
    write_value(n, false, depth, out);
    fputs(";\n", out);
  }
}

/* of groups or of lists: one element a line */
static bool is_tall(const cq_node *list) {
  return list->child == NULL || list->child->type == CQ_NODE_GROUP ||
         list->child->type == CQ_NODE_LIST;
}

/* numbers on one line, all integers or all decimal, so that any libconfig reader takes them */
static void write_array(const cq_node *list, int depth, FILE *out) {
  bool as_number = false, mixed = false;
  for (const cq_node *n = list->child; n != NULL; n = n->next) {
    as_number = as_number || n->type == CQ_NODE_NUMBER;
    mixed = mixed || n->type == CQ_NODE_TEXT;
  }
  fputc(mixed ? '(' : '[', out);
  for (const cq_node *n = list->child; n != NULL; n = n->next) {
    write_value(n, as_number, depth, out);
    fputs(n->next != NULL ? ", " : "", out);
  }
  fputc(mixed ? ')' : ']', out);
}

static void write_list(const cq_node *list, int depth, FILE *out) {
  fputc('(', out);
  for (const cq_node *n = list->child; n != NULL; n = n->next) {
    fputc('\n', out);
    indent(out, depth + 1);
    write_value(n, false, depth + 1, out);
    fputs(n->next != NULL ? "," : "", out);
  }
  fputc(')', out);
}

static void write_value(const cq_node *node, bool as_number, int depth, FILE *out) {
  char text[32];
  switch (node->type) {
  case CQ_NODE_GROUP:
    fputs("{\n", out);
    write_keys(node, depth + 1, out);
    indent(out, depth);
    fputc('}', out);
    break;
  case CQ_NODE_LIST:
    if (is_tall(node)) {
      write_list(node, depth, out);
    } else {
      write_array(node, depth, out);
    }
    break;
  case CQ_NODE_FLAG:
    fputs(node->integer != 0 ? "true" : "false", out);
    break;
  case CQ_NODE_INT:
    if (as_number) {
      cq_number_text(node->number, text);
      fputs(text, out);
    } else {
      const bool wide = node->integer > INT32_MAX || node->integer < INT32_MIN;
      fprintf(out, "%lld%s", node->integer, wide ? "L" : "");
    }
    break;
  case CQ_NODE_NUMBER:
    cq_number_text(node->number, text);
    fputs(text, out);
    break;
  case CQ_NODE_TEXT:
    write_text(node->text, out);
    break;
  case CQ_NODE_UNSET: /* gone since the schema was read */
    break;
  }
}

void cq_value_write(const cq_node *node, FILE *out) {
  write_value(node, false, 0, out);
}

/* A new line and its indent are a blank; quoted text has no new line of its own. */
static void join_lines(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    if (*from != '\n') {
      *to++ = *from++;
      continue;
    }
    from += strspn(from, "\n ");
    *to = ' ';
    to += to > text && to[-1] != '(' && to[-1] != '[';
  }
  *to = '\0';
}

cq_status cq_value_text(cq_arena *arena, const cq_node *node, const char **out) {
  cq_text_file file;
  CQ_TRY(cq_text_begin(arena->ctx, &file));
  cq_value_write(node, file.out);
  CQ_TRY(cq_text_end(arena->ctx, &file));
  join_lines(file.text);
  const cq_status status = cq_arena_text(arena, out, "%s", file.text);
  free(file.text);
  return status;
}

void cq_tree_write(const cq_node *root, FILE *out) {
  write_keys(root, 0, out);
}
