/* libconfig text to a tree. */
#include "status.h"
#include "tree.h"
#include "utf8.h"

#include <ctype.h>
#include <errno.h>
#include <libconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The length of a text in quotes or a comment that begins here, in which nothing has a meaning; 0:
 * none does. */
size_t cq_text_verbatim(const char *s) {
  const char *end = NULL;
  if (*s == '"') {
    for (end = s + 1; *end != '\0' && *end != '"'; end++) {
      if (*end == '\\' && end[1] != '\0') {
        end++;
      }
    }
    end += *end != '\0';
  } else if (*s == '#' || (s[0] == '/' && s[1] == '/')) {
    end = s + strcspn(s, "\n");
  } else if (s[0] == '/' && s[1] == '*') {
    end = strstr(s + 2, "*/");
    end = end != NULL ? end + 2 : s + strlen(s);
  } else {
    return 0;
  }
  return (size_t)(end - s);
}

/* Writes an integer so that libconfig 1.5 keeps its value: more than 32 bits need an L, more than
 * 64 are no integer any more. False when s is none. */
static bool copy_integer(const char *s, size_t n, char **out) {
  const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(s, &end, hexadecimal ? 16 : 10);
  const bool fits = errno == 0 && value <= INT64_MAX;
  end += fits ? 0 : strspn(end, "L");
  if (end != s + n || n <= 9) {
    return false;
  }
  char text[32];
  cq_number_text(strtod(s, NULL), text);
  *out += sprintf(*out, "%.*s%s", fits ? (int)n : 31, fits ? s : text, fits ? "L" : "");
  return true;
}

/* Copies a word or number. */
static size_t copy_word(const char *s, char **out) {
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || strchr("_.*", s[n]) != NULL) {
    if (s[n] == '\0') {
      break;
    }
    n++;
  }
  if (!isdigit((unsigned char)*s) || !copy_integer(s, n, out)) {
    memcpy(*out, s, n);
    *out += n;
  }
  return n;
}

/* A libconfig array may not mix 0 with -9.8; a list may. So arrays become lists. */
static void arrays_to_lists(const char *text, char *out) {
  while (*text != '\0') {
    const size_t verbatim = cq_text_verbatim(text);
    if (verbatim > 0) {
      memcpy(out, text, verbatim);
      text += verbatim;
      out += verbatim;
    } else if (isalnum((unsigned char)*text)) {
      text += copy_word(text, &out);
    } else {
      *out++ = *text == '[' ? '(' : (*text == ']' ? ')' : *text);
      text++;
    }
  }
  *out = '\0';
}

typedef struct reader {
  cq_arena *arena;
  const char *label;
} reader;

static cq_status fill(const reader *r, const config_setting_t *setting, cq_node *node);

/* A copy of a name or a text. libconfig does not say when its own memory was short: there is none
 * then. */
static cq_status copy_text(const reader *r, const char *from, const char **out) {
  CQ_CHECK(r->arena->ctx, from != NULL, CQ_MEMORY, "%s: out of memory while it was read", r->label);
  return cq_arena_text(r->arena, out, "%s", from);
}

/* Texts go to JSON, which has no other encoding. */
static cq_status fill_text(const reader *r, const char *text, cq_node *node) {
  int length = 1;
  CQ_TRY(copy_text(r, text, &node->text));
  for (const char *c = node->text; *c != '\0' && length > 0; c += length) {
    length = cq_utf8_length(c);
  }
  CQ_CHECK(r->arena->ctx, length > 0, CQ_CONFIG,
           "%s: %s is not in UTF-8; save the file in that encoding (of Latin-1: iconv -f latin1 -t "
           "utf-8)",
           cq_node_where(node).text, cq_node_path(node).text);
  node->type = CQ_NODE_TEXT;
  return CQ_OK;
}

static cq_status fill_children(const reader *r, const config_setting_t *setting, cq_node *node) {
  for (int i = 0; i < config_setting_length(setting); i++) {
    const config_setting_t *element = config_setting_get_elem(setting, (unsigned)i);
    const char *name = NULL;
    if (config_setting_is_group(setting)) {
      CQ_TRY(copy_text(r, config_setting_name(element), &name));
    }
    cq_node *child = NULL;
    CQ_TRY(cq_node_add(r->arena, node, name, CQ_NODE_GROUP, &child));
    CQ_TRY(fill(r, element, child));
  }
  return CQ_OK;
}

/* A node of what libconfig has read. */
static cq_status fill(const reader *r, const config_setting_t *setting, cq_node *node) {
  node->origin = r->label;
  node->line = strncmp(r->label, "--set ", 6) == 0 ? 0 : (int)config_setting_source_line(setting);
  switch (config_setting_type(setting)) {
  case CONFIG_TYPE_INT:
  case CONFIG_TYPE_INT64:
    node->type = CQ_NODE_INT;
    node->integer = config_setting_get_int64(setting);
    node->number = (double)node->integer;
    return CQ_OK;
  case CONFIG_TYPE_FLOAT:
    node->type = CQ_NODE_NUMBER;
    node->number = config_setting_get_float(setting);
    CQ_CHECK(r->arena->ctx, isfinite(node->number), CQ_CONFIG,
             "%s: %s is too large for a number; the largest is 1.8e308", cq_node_where(node).text,
             cq_node_path(node).text);
    return CQ_OK;
  case CONFIG_TYPE_BOOL:
    node->type = CQ_NODE_FLAG;
    node->integer = config_setting_get_bool(setting);
    return CQ_OK;
  case CONFIG_TYPE_STRING:
    return fill_text(r, config_setting_get_string(setting), node);
  case CONFIG_TYPE_GROUP:
    node->type = CQ_NODE_GROUP;
    return fill_children(r, setting, node);
  default:
    node->type = CQ_NODE_LIST;
    return fill_children(r, setting, node);
  }
}

static const char *hint(const char *message) {
  if (strstr(message, "syntax") != NULL) {
    return " (text needs quotes, elements of a list a comma between them and none at the end)";
  }
  return strstr(message, "duplicate") != NULL ? " (a key is given twice)" : "";
}

static cq_status read_config(cq_arena *arena, config_t *config, const char *text, const char *label,
                             cq_node **root) {
  char *lists = NULL;
  CQ_TRY(CQ_ARENA(arena, lists, 2 * strlen(text) + 1));
  arrays_to_lists(text, lists);
  if (!config_read_string(config, lists)) {
    return CQ_FAIL(arena->ctx, CQ_CONFIG, "%s:%d: %s%s", label, config_error_line(config),
                   config_error_text(config), hint(config_error_text(config)));
  }
  const reader r = {arena, label};
  CQ_TRY(CQ_ARENA(arena, *root, 1));
  return fill(&r, config_root_setting(config), *root);
}

cq_status cq_tree_parse(cq_arena *arena, const char *text, const char *label, cq_node **root) {
  *root = NULL;
  config_t config;
  config_init(&config);
  const cq_status status = read_config(arena, &config, text, label, root);
  config_destroy(&config);
  return status;
}
