/* @include "file": the file is read like any other, from the folder of the one that includes it,
 * and what it says holds where the including file says nothing. The name of a built-in problem is
 * its text. Later includes come before earlier ones.
 */
#include "builtin.h"
#include "status.h"
#include "tree.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 8, MOST_INCLUDES = 16, MOST_FILES = 100 };

typedef struct include {
  const char *path;
  int line;
} include;

typedef struct includes {
  include list[MOST_INCLUDES];
  int count;
} includes;

/* What all files of one problem may be together: 8 files of 16 includes each would not end. */
typedef struct reading {
  int depth, files;
  size_t bytes;
} reading;

static cq_status parse(cq_arena *arena, const char *text, const char *label, const char *folder,
                       reading *r, cq_node **root);

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

/* The tree of an included file, or of a built-in problem. */
static cq_status read_include(cq_arena *arena, const include *i, const char *label,
                              const char *folder, reading *r, cq_node **root) {
  const char *path = i->path, *slash = NULL, *inner = ".", *where = NULL;
  const cq_builtin *builtin = cq_builtin_find(path);
  CQ_CHECK(arena->ctx, r->depth < DEEPEST, CQ_CONFIG, "%s:%d: files include each other %d deep",
           label, i->line, (int)DEEPEST);
  CQ_CHECK(arena->ctx, r->files++ < MOST_FILES, CQ_CONFIG,
           "%s:%d: more than %d files are included in all", label, i->line, (int)MOST_FILES);
  if (builtin != NULL) {
    CQ_TRY(cq_arena_text(arena, &path, "%s.cfg", builtin->name));
    return parse(arena, builtin->text, path, inner, r, root);
  }
  if (path[0] != '/' && strcmp(folder, ".") != 0) {
    CQ_TRY(cq_arena_text(arena, &path, "%s/%s", folder, i->path));
  }
  char *text = NULL;
  CQ_TRY(cq_arena_text(arena, &where, "%s:%d: ", label, i->line));
  CQ_TRY(cq_file_text(arena, path, where, CQ_MOST_TEXT - r->bytes, &text));
  r->bytes += strlen(text);
  slash = strrchr(path, '/');
  if (slash != NULL) {
    CQ_TRY(cq_arena_text(arena, &inner, "%.*s", (int)(slash - path) + (slash == path), path));
  }
  return parse(arena, text, path, inner, r, root);
}

/* A text and all that it includes; a key of the file goes before one of an include, a later include
 * before an earlier one. */
static cq_status parse(cq_arena *arena, const char *text, const char *label, const char *folder,
                       reading *r, cq_node **root) {
  includes found = {.count = 0};
  char *own = NULL;
  *root = NULL;
  CQ_TRY(CQ_ARENA(arena, own, strlen(text) + 1));
  memcpy(own, text, strlen(text) + 1);
  CQ_TRY(find_includes(arena, own, label, &found));
  CQ_TRY(cq_tree_parse(arena, own, label, root));
  r->depth++;
  for (int i = found.count - 1; i >= 0; i--) {
    cq_node *base = NULL;
    CQ_TRY(read_include(arena, &found.list[i], label, folder, r, &base));
    cq_node_merge(*root, base);
  }
  r->depth--;
  return CQ_OK;
}

cq_status cq_tree_parse_file(cq_arena *arena, const char *text, const char *label,
                             const char *folder, cq_node **root) {
  reading r = {.bytes = strlen(text) < CQ_MOST_TEXT ? strlen(text) : CQ_MOST_TEXT};
  return parse(arena, text, label, folder, &r, root);
}

cq_status cq_tree_open(cq_arena *arena, const cq_node *node, const char *folder, cq_node **root) {
  const cq_builtin *const builtin = cq_builtin_find(node->text);
  const char *path = NULL, *inner = ".", *where = NULL;
  char *text = NULL;
  if (builtin != NULL) {
    CQ_TRY(cq_arena_text(arena, &path, "%s.cfg", builtin->name));
    return cq_tree_parse_file(arena, builtin->text, path, ".", root);
  }
  CQ_TRY(cq_node_file(arena, node, folder, &path));
  CQ_TRY(cq_arena_text(arena, &where, "%s: ", cq_node_where(node).text));
  CQ_TRY(cq_file_text(arena, path, where, CQ_MOST_TEXT, &text));
  const char *const slash = strrchr(path, '/');
  if (slash != NULL) {
    CQ_TRY(cq_arena_text(arena, &inner, "%.*s", (int)(slash - path) + (slash == path), path));
  }
  return cq_tree_parse_file(arena, text, path, inner, root);
}
