/* @include "file": the file is read like any other, from the folder of the one that includes it,
 * and what it says holds where the including file says nothing. The name of a built-in problem is
 * its text. Later includes come before earlier ones.
 */
#include "builtin.h"
#include "status.h"
#include "tree.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { DEEPEST = 8, MOST_INCLUDES = 16 };

typedef struct include {
  const char *path;
  int line;
} include;

typedef struct includes {
  include list[MOST_INCLUDES];
  int count;
} includes;

cq_status cq_text_read(cq_arena *arena, FILE *file, const char *path, char **out) {
  char *text = NULL;
  size_t used = 0, size = 0, n = 1;
  while (n > 0) {
    if (used + 1 >= size) { /* the arena frees the shorter ones with the rest */
      char *longer = NULL;
      const size_t wanted = size == 0 ? 16384 : 2 * size;
      CQ_TRY(CQ_ARENA(arena, longer, wanted));
      memcpy(longer, text != NULL ? text : "", used);
      text = longer;
      size = wanted;
    }
    n = fread(text + used, 1, size - used - 1, file);
    used += n;
  }
  CQ_CHECK(arena->ctx, !ferror(file), CQ_IO, "cannot read %s: %s", path, strerror(errno));
  CQ_CHECK(arena->ctx, strlen(text) == used, CQ_CONFIG, "%s: not a text file", path);
  *out = text;
  return CQ_OK;
}

/* Takes the directive at s out of the text; returns its end, or NULL when it is not well formed. */
static char *take(cq_arena *arena, char *s, int line, includes *found, cq_status *status) {
  char *open = s + strlen("@include");
  open += strspn(open, " \t");
  char *close = *open == '"' ? strchr(open + 1, '"') : NULL;
  if (close == NULL || found->count == MOST_INCLUDES) {
    return NULL;
  }
  include *i = &found->list[found->count++];
  i->line = line;
  *status = cq_arena_text(arena, &i->path, "%.*s", (int)(close - open - 1), open + 1);
  memset(s, ' ', (size_t)(close + 1 - s));
  return close + 1;
}

/* The directives outside of all groups, each at the beginning of its line. */
static cq_status find_includes(cq_arena *arena, char *text, const char *label, includes *found) {
  int depth = 0, line = 1;
  bool fresh = true;
  for (char *s = text; *s != '\0';) {
    const size_t verbatim = cq_text_verbatim(s);
    if (verbatim > 0) {
      for (size_t i = 0; i < verbatim; i++) {
        line += s[i] == '\n';
      }
      s += verbatim;
      fresh = false;
      continue;
    }
    if (fresh && strncmp(s, "@include", strlen("@include")) == 0) {
      cq_status status = CQ_OK;
      s = depth == 0 ? take(arena, s, line, found, &status) : NULL;
      CQ_TRY(status);
      CQ_CHECK(arena->ctx, s != NULL, CQ_CONFIG,
               "%s:%d: write @include \"file\" on a line of its own, outside of groups and lists "
               "(%d files at most)",
               label, line, (int)MOST_INCLUDES);
      continue;
    }
    depth += strchr("{([", *s) != NULL ? 1 : (strchr("})]", *s) != NULL ? -1 : 0);
    line += *s == '\n';
    fresh = *s == '\n' || (fresh && isspace((unsigned char)*s));
    s++;
  }
  return CQ_OK;
}

/* Moves to `over` what it does not have itself. */
static void merge(cq_node *over, const cq_node *base) {
  for (cq_node *node = base->child, *next; node != NULL; node = next) {
    next = node->next;
    cq_node *own = cq_node_find(over, node->name);
    if (own != NULL) {
      if (own->type == CQ_NODE_GROUP && node->type == CQ_NODE_GROUP) {
        merge(own, node);
      }
      continue;
    }
    node->next = NULL;
    node->parent = over;
    *(over->child == NULL ? &over->child : &over->last->next) = node;
    over->last = node;
  }
}

static cq_status read_include(cq_arena *arena, const include *i, const char *label,
                              const char *folder, int depth, cq_node **root) {
  const char *path = i->path, *slash = NULL, *inner = ".";
  const cq_builtin *builtin = cq_builtin_find(path);
  CQ_CHECK(arena->ctx, depth < DEEPEST, CQ_CONFIG, "%s:%d: files include each other %d deep", label,
           i->line, (int)DEEPEST);
  if (builtin != NULL) {
    CQ_TRY(cq_arena_text(arena, &path, "%s.cfg", builtin->name));
    return cq_tree_parse_file(arena, builtin->text, path, inner, depth + 1, root);
  }
  if (path[0] != '/' && strcmp(folder, ".") != 0) {
    CQ_TRY(cq_arena_text(arena, &path, "%s/%s", folder, i->path));
  }
  FILE *file = fopen(path, "r");
  CQ_CHECK(arena->ctx, file != NULL, CQ_IO, "%s:%d: cannot read %s: %s", label, i->line, path,
           strerror(errno));
  char *text = NULL;
  const cq_status status = cq_text_read(arena, file, path, &text);
  fclose(file);
  CQ_TRY(status);
  slash = strrchr(path, '/');
  if (slash != NULL) {
    CQ_TRY(cq_arena_text(arena, &inner, "%.*s", (int)(slash - path) + (slash == path), path));
  }
  return cq_tree_parse_file(arena, text, path, inner, depth + 1, root);
}

cq_status cq_tree_parse_file(cq_arena *arena, const char *text, const char *label,
                             const char *folder, int depth, cq_node **root) {
  includes found = {.count = 0};
  char *own = NULL;
  *root = NULL;
  CQ_TRY(CQ_ARENA(arena, own, strlen(text) + 1));
  memcpy(own, text, strlen(text) + 1);
  CQ_TRY(find_includes(arena, own, label, &found));
  CQ_TRY(cq_tree_parse(arena, own, label, root));
  for (int i = found.count - 1; i >= 0; i--) {
    cq_node *base = NULL;
    CQ_TRY(read_include(arena, &found.list[i], label, folder, depth, &base));
    merge(*root, base);
  }
  return CQ_OK;
}
