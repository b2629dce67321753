#include "csv.h"

#include "status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 64 };

typedef struct reader {
  cq_arena *arena;
  const char *path;
  char *text; /* what has not been read; lines are cut in place */
  int line;
  const cq_csv_column *columns;
  int n_columns;
  bool found[MOST_FIELDS];
  int place[MOST_FIELDS]; /* column of a field, or -1 */
  int n_fields;
} reader;

/* A key that was set on the command line belongs to the problem file. */
static cq_status find_path(reader *r, const cq_node *node, const char *folder) {
  const char *slash = strrchr(node->origin, '/');
  if (strncmp(node->origin, "--set ", strlen("--set ")) != 0) {
    folder = ".";
    if (slash != NULL) {
      CQ_TRY(cq_arena_text(r->arena, &folder, "%.*s", (int)(slash - node->origin), node->origin));
    }
  }
  const bool as_it_is = node->text[0] == '/' || strcmp(folder, ".") == 0;
  return cq_arena_text(r->arena, &r->path, "%s%s%s", as_it_is ? "" : folder, as_it_is ? "" : "/",
                       node->text);
}

static cq_status open_file(reader *r, const cq_node *node) {
  FILE *file = fopen(r->path, "r");
  CQ_CHECK(r->arena->ctx, file != NULL, CQ_IO, "%s: %s: cannot read %s: %s",
           cq_node_where(node).text, cq_node_path(node).text, r->path, strerror(errno));
  const cq_status status = cq_text_read(r->arena, file, r->path, &r->text);
  fclose(file);
  return status;
}

/* The next line that holds something, or NULL. */
static char *next_line(reader *r) {
  while (*r->text != '\0') {
    char *line = r->text;
    char *end = line + strcspn(line, "\n");
    r->text = end + (*end == '\n');
    *end = '\0';
    r->line++;
    line += strspn(line, " \t\r");
    if (*line != '\0' && *line != '#') {
      return line;
    }
  }
  return NULL;
}

/* Cuts the next field off a line, without blanks and quotes around it; NULL at its end. */
static char *next_field(char **line) {
  if (*line == NULL) {
    return NULL;
  }
  char *field = *line + strspn(*line, " \t\"");
  char *comma = field + strcspn(field, ",;");
  *line = *comma != '\0' ? comma + 1 : NULL;
  while (comma > field && strchr(" \t\r\"", comma[-1]) != NULL) {
    comma--;
  }
  *comma = '\0';
  return field;
}

static cq_status read_names(reader *r) {
  char *line = next_line(r);
  char *field;
  CQ_CHECK(r->arena->ctx, line != NULL, CQ_CONFIG, "%s: is empty", r->path);
  while ((field = next_field(&line)) != NULL) {
    CQ_CHECK(r->arena->ctx, r->n_fields < MOST_FIELDS, CQ_CONFIG, "%s:%d: more than %d columns",
             r->path, r->line, (int)MOST_FIELDS);
    r->place[r->n_fields] = -1;
    for (int c = 0; c < r->n_columns; c++) {
      if (strcmp(r->columns[c].name, field) == 0) {
        r->place[r->n_fields] = c;
        r->found[c] = true;
      }
    }
    r->n_fields++;
  }
  for (int c = 0; c < r->n_columns; c++) {
    CQ_CHECK(r->arena->ctx, r->found[c] || !r->columns[c].required, CQ_CONFIG,
             "%s:%d: no column is called \"%s\"; the first line must name the columns", r->path,
             r->line, r->columns[c].name);
  }
  return CQ_OK;
}

static cq_status read_row(reader *r, char *line, double *values) {
  char *field;
  int n = 0;
  for (int c = 0; c < r->n_columns; c++) {
    values[c] = r->columns[c].missing;
  }
  for (; (field = next_field(&line)) != NULL && n < r->n_fields; n++) {
    if (r->place[n] >= 0) {
      char *end = NULL;
      const double value = strtod(field, &end);
      CQ_CHECK(r->arena->ctx, end != field && *end == '\0' && isfinite(value), CQ_CONFIG,
               "%s:%d: %s must be a number, not \"%s\"", r->path, r->line,
               r->columns[r->place[n]].name, field);
      values[r->place[n]] = value;
    }
  }
  CQ_CHECK(r->arena->ctx, field == NULL && n == r->n_fields, CQ_CONFIG,
           "%s:%d: as many fields as names are needed, %d", r->path, r->line, r->n_fields);
  return CQ_OK;
}

static int count_lines(const char *text) {
  int n = 1;
  for (; *text != '\0'; text++) {
    n += *text == '\n';
  }
  return n;
}

cq_status cq_csv_read(cq_arena *arena, const cq_node *section, const char *key, const char *folder,
                      const cq_csv_column *columns, int n_columns, cq_table *table) {
  const cq_node *node = cq_node_find(section, key);
  reader r = {.arena = arena, .columns = columns, .n_columns = n_columns};
  double *values = NULL;
  char *line;
  int rows = 0;
  CQ_TRY(find_path(&r, node, folder));
  CQ_TRY(open_file(&r, node));
  CQ_TRY(CQ_ARENA(arena, values, (size_t)count_lines(r.text) * (size_t)n_columns));
  CQ_TRY(read_names(&r));
  while ((line = next_line(&r)) != NULL) {
    CQ_TRY(read_row(&r, line, values + (size_t)rows * (size_t)n_columns));
    rows++;
  }
  CQ_CHECK(arena->ctx, rows > 0, CQ_CONFIG, "%s: has no rows", r.path);
  *table = (cq_table){rows, n_columns, values};
  return CQ_OK;
}
