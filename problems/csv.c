#include "csv.h"

#include "csv_read.h"
#include "nearest.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  MOST_FIELDS = 64,
  UNIT = 16,
  MOST_BYTES = 1 << 27 /* its numbers go to problem.cfg, longer: that must stay readable */
};

typedef struct reader {
  cq_arena *arena;
  const char *path;
  char *text; /* what has not been read; lines are cut in place */
  int line;
  const cq_csv_column *columns;
  int n_columns, dim;
  char separator;
  bool found[MOST_FIELDS];
  int place[MOST_FIELDS]; /* column of a field */
  int n_fields;
} reader;

/* The next line that holds something, or NULL. */
static char *next_line(reader *r) {
  while (*r->text != '\0') {
    char *line = r->text;
    char *end = line + strcspn(line, "\n");
    r->text = end + (*end == '\n');
    *end = '\0';
    r->line++;
    if (line[strspn(line, " \t\r,;")] != '\0' && line[strspn(line, " \t")] != '#') {
      return line;
    }
  }
  return NULL;
}

/* "m^dim" in the scene's dimension, and "m2" or a raised figure as people write it: "m^2". */
static void plain_unit(const reader *r, const char *unit, char out[UNIT]) {
  size_t n = 0;
  for (const char *c = unit; *c != '\0' && n < UNIT - 3; c++) {
    const bool is_dim = strncmp(c, "^dim", 4) == 0;
    const bool is_raised = c[0] == '\xc2' && (c[1] == '\xb2' || c[1] == '\xb3');
    if (is_dim || is_raised || *c == '2' || *c == '3') {
      out[n++] = '^';
      out[n++] = (char)(is_dim ? '0' + r->dim : !is_raised ? *c : c[1] == '\xb2' ? '2' : '3');
      c += is_dim ? 3 : is_raised;
    } else if (*c != '^') {
      out[n++] = *c;
    }
  }
  out[n] = '\0';
}

/* A name of the first line that is no column's. */
static cq_status unknown_column(const reader *r, const char *name) {
  cq_nearest nearest = cq_nearest_begin(name);
  CQ_CHECK(r->arena->ctx, *name != '\0', CQ_CONFIG, "%s:%d: column %d has no name; take it out",
           r->path, r->line, r->n_fields + 1);
  CQ_CHECK(r->arena->ctx, r->dim == 3 || strcmp(name, "z") != 0, CQ_CONFIG,
           "%s:%d: the scene is 2D and has no use for a column \"z\"; take it out, or set "
           "simulation.dimension = 3",
           r->path, r->line);
  for (int c = 0; c < r->n_columns; c++) {
    cq_nearest_offer(&nearest, r->columns[c].name);
  }
  return CQ_FAIL(r->arena->ctx, CQ_CONFIG, "%s:%d: unknown column \"%s\"; %s", r->path, r->line,
                 name, cq_nearest_text(&nearest));
}

/* A field of the first line: which column it is, and that its unit is the right one. */
static cq_status read_name(reader *r, char *field) {
  cq_ctx *const ctx = r->arena->ctx;
  char given[UNIT], wanted[UNIT];
  plain_unit(r, cq_csv_split_name(field), given);
  int c = 0;
  while (c < r->n_columns && strcmp(r->columns[c].name, field) != 0) {
    c++;
  }
  if (c == r->n_columns) {
    return unknown_column(r, field);
  }
  plain_unit(r, r->columns[c].unit, wanted);
  CQ_CHECK(ctx, !r->found[c], CQ_CONFIG, "%s:%d: two columns are called \"%s\"", r->path, r->line,
           field);
  CQ_CHECK(ctx, *given == '\0' || strcmp(given, wanted) == 0, CQ_CONFIG,
           "%s:%d: the column \"%s\" must be in [%s], not in [%s]; convert its numbers", r->path,
           r->line, field, wanted, given);
  r->place[r->n_fields] = c;
  r->found[c] = true;
  return CQ_OK;
}

/* The first line: which field is which column; the separator is the one that it has. */
static cq_status read_names(reader *r) {
  char *line = next_line(r), *field;
  CQ_CHECK(r->arena->ctx, line != NULL, CQ_CONFIG, "%s: is empty", r->path);
  r->separator = cq_csv_separator(line);
  for (; (field = cq_csv_next_field(&line, r->separator)) != NULL; r->n_fields++) {
    CQ_CHECK(r->arena->ctx, r->n_fields < MOST_FIELDS, CQ_CONFIG, "%s:%d: more than %d columns",
             r->path, r->line, (int)MOST_FIELDS);
    CQ_TRY(read_name(r, field));
  }
  for (int c = 0; c < r->n_columns; c++) {
    CQ_CHECK(r->arena->ctx, r->found[c] || !r->columns[c].required, CQ_CONFIG,
             "%s:%d: no column is called \"%s\"; the first line must name the columns", r->path,
             r->line, r->columns[c].name);
  }
  return CQ_OK;
}

/* "", "nan", "NA" and the like: nothing was measured */
static bool is_gap(const char *field) {
  return field[0] == '\0' || strcasecmp(field, "nan") == 0 || strcasecmp(field, "na") == 0;
}

/* The numbers of a line in the order of the columns that are looked for; *whole: all are there. */
static cq_status read_row(reader *r, char *line, double *values, bool *whole) {
  char *field;
  int n = 0;
  *whole = true;
  for (int c = 0; c < r->n_columns; c++) {
    values[c] = r->columns[c].missing;
  }
  for (; (field = cq_csv_next_field(&line, r->separator)) != NULL && n < r->n_fields; n++) {
    char *end = NULL;
    const double value = strtod(field, &end);
    const char *const name = r->columns[r->place[n]].name;
    if (is_gap(field) && isnan(r->columns[r->place[n]].missing)) {
      *whole = false;
      continue;
    }
    CQ_CHECK(r->arena->ctx, end != field && *end == '\0', CQ_CONFIG,
             "%s:%d: %s must be a number, not \"%s\"%s", r->path, r->line, name, field,
             *end == ',' ? "; write a decimal point" : "");
    CQ_CHECK(r->arena->ctx, isfinite(value), CQ_CONFIG, "%s:%d: %s = %s is not a finite number",
             r->path, r->line, name, field);
    values[r->place[n]] = value;
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

/* A whole file: every line is a row of numbers in the order of `columns`. */
cq_status cq_csv_read(cq_arena *arena, const cq_node *section, const char *key, const char *folder,
                      int dim, const cq_csv_column *columns, int n_columns, cq_table *table) {
  const cq_node *node = cq_node_find(section, key);
  reader r = {.arena = arena, .columns = columns, .n_columns = n_columns, .dim = dim};
  double *values = NULL;
  const char *where = NULL;
  char *line;
  int rows = 0;
  CQ_TRY(cq_node_file(arena, node, folder, &r.path));
  CQ_TRY(
      cq_arena_text(arena, &where, "%s: %s: ", cq_node_where(node).text, cq_node_path(node).text));
  CQ_TRY(cq_file_text(arena, r.path, where, MOST_BYTES, &r.text));
  CQ_TRY(CQ_ARENA(arena, values, (size_t)count_lines(r.text) * (size_t)n_columns));
  CQ_TRY(read_names(&r));
  while ((line = next_line(&r)) != NULL) {
    bool whole = false;
    CQ_TRY(read_row(&r, line, values + (size_t)rows * (size_t)n_columns, &whole));
    rows += whole;
  }
  CQ_CHECK(arena->ctx, rows > 0, CQ_CONFIG, "%s: has no rows", r.path);
  *table = (cq_table){rows, n_columns, values};
  return CQ_OK;
}
