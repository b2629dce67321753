#include "csv.h"

#include "csv_read.h"
#include "nearest.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  MOST_FIELDS = 1024,
  MOST_COLUMNS = 80, /* a particle's state has most */
  UNIT = 16,
  MOST_BYTES = 1 << 27 /* its numbers go to problem.cfg, longer: that must stay readable */
};

typedef struct reader {
  cq_arena *arena;
  const char *path;
  char *text; /* what has not been read; lines are cut in place */
  int line;
  const cq_csv_column *columns;
  const cq_csv_form *form;
  int n_columns, dim;
  char separator;
  bool found[MOST_COLUMNS];
  int place[MOST_FIELDS]; /* column of a field */
  int n_fields;
  double number[MOST_FIELDS];  /* behind its name; NAN: none */
  double numbers[MOST_FIELDS]; /* [n_numbers] all of them; */
  int n_numbers;               /* 0: the table is long */
  double values[MOST_FIELDS];  /* of a line; NAN: nothing was measured */
} reader;

static const char digits[] = "0123456789";

/* Does the part of the file that has a name begin at this line? */
static bool begins_part(const reader *r, const char *line) {
  const size_t n = r->form->part != NULL ? strlen(r->form->part) : 0;
  return n > 0 && line[0] == '[' && strncmp(line + 1, r->form->part, n) == 0 && line[1 + n] == ']';
}

/* The next line that holds something, or NULL. */
static char *next_line(reader *r) {
  while (*r->text != '\0') {
    char *line = r->text;
    char *end = line + strcspn(line, "\n");
    r->text = end + (*end == '\n');
    *end = '\0';
    r->line++;
    if (begins_part(r, line)) {
      return NULL;
    }
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
  CQ_CHECK(r->arena->ctx,
           r->dim == 3 || name[0] != 'z' || strspn(name + 1, digits) + 1 != strlen(name), CQ_CONFIG,
           "%s:%d: the scene is 2D and has no use for a column \"%s\"; take it out, or set "
           "simulation.dimension = 3",
           r->path, r->line, name);
  for (int c = 0; c < r->n_columns; c++) {
    cq_nearest_offer(&nearest, r->columns[c].name);
  }
  return CQ_FAIL(r->arena->ctx, CQ_CONFIG, "%s:%d: unknown column \"%s\"; %s", r->path, r->line,
                 name, cq_nearest_text(&nearest));
}

/* May this column have numbers behind its name? */
static bool is_numbered(const reader *r, int column) {
  return column >= r->form->first && column < r->form->end;
}

/* The column of this name, or of the first `length` letters of it; -1: there is none. */
static int find_column(const reader *r, const char *name, size_t length) {
  const bool whole = name[length] == '\0';
  for (int c = 0; c < r->n_columns; c++) {
    const char *own = r->columns[c].name;
    if (strncmp(own, name, length) == 0 && own[length] == '\0' && (whole || is_numbered(r, c))) {
      return c;
    }
  }
  return r->form->also != NULL && strcmp(r->form->also, name) == 0 ? r->form->number : -1;
}

/* Is there a field of this column and number? */
static bool has_field(const reader *r, int column, double number) {
  for (int i = 0; i < r->n_fields; i++) {
    if (r->place[i] == column && r->number[i] == number) {
      return true;
    }
  }
  return false;
}

/* A number behind a name is one of the table. */
static void note_number(reader *r, double number) {
  for (int i = 0; i < r->n_numbers; i++) {
    if (r->numbers[i] == number) {
      return;
    }
  }
  r->numbers[r->n_numbers++] = number;
}

/* A field of the first line: which column it is, and that its unit is the right one. */
static cq_status read_name(reader *r, char *field) {
  cq_ctx *const ctx = r->arena->ctx;
  char given[UNIT], wanted[UNIT];
  plain_unit(r, cq_csv_split_name(field), given);
  size_t length = strlen(field);
  int c = find_column(r, field, length);
  double number = NAN;
  if (c < 0) {
    for (; length > 1 && strchr(digits, field[length - 1]) != NULL; length--) {
    }
    number = field[length] != '\0' ? strtod(field + length, NULL) : NAN;
    c = isfinite(number) ? find_column(r, field, length) : -1;
  }
  if (c < 0) {
    return unknown_column(r, field);
  }
  plain_unit(r, r->columns[c].unit, wanted);
  CQ_CHECK(ctx, !(isnan(number) ? r->found[c] : has_field(r, c, number)), CQ_CONFIG,
           "%s:%d: two columns are called \"%s\"", r->path, r->line, field);
  CQ_CHECK(ctx, *given == '\0' || strcmp(given, wanted) == 0, CQ_CONFIG,
           "%s:%d: the column \"%s\" must be in [%s], not in [%s]; convert its numbers", r->path,
           r->line, field, wanted, given);
  r->place[r->n_fields] = c;
  r->number[r->n_fields] = number;
  if (isnan(number)) {
    r->found[c] = true;
  } else {
    note_number(r, number);
  }
  return CQ_OK;
}

/* Every column that has to be there is, and none that a wide table does not have. */
static cq_status check_names(const reader *r) {
  cq_ctx *const ctx = r->arena->ctx;
  for (int c = 0; c < r->n_columns; c++) {
    const cq_csv_column *column = &r->columns[c];
    if (r->n_numbers == 0 || (c != r->form->number && !is_numbered(r, c))) {
      CQ_CHECK(ctx, r->found[c] || !column->required, CQ_CONFIG,
               "%s:%d: no column is called \"%s\"; the first line must name the columns", r->path,
               r->line, column->name);
      continue;
    }
    CQ_CHECK(
        ctx, !r->found[c], CQ_CONFIG,
        "%s:%d: the column \"%s\" is of a table with a line a sample, and \"%s%g\" of one with "
        "a line a time: a table has one form",
        r->path, r->line, column->name, r->columns[r->form->first].name, r->numbers[0]);
    for (int i = 0; i < r->n_numbers && is_numbered(r, c); i++) {
      CQ_CHECK(ctx, has_field(r, c, r->numbers[i]), CQ_CONFIG,
               "%s:%d: no column is called \"%s%g\"; the first line must name the columns", r->path,
               r->line, column->name, r->numbers[i]);
    }
  }
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
  return check_names(r);
}

/* "", "nan", "NA" and the like: nothing was measured */
static bool is_gap(const char *field) {
  return field[0] == '\0' || strcasecmp(field, "nan") == 0 || strcasecmp(field, "na") == 0;
}

/* "x" or "x3": what a field is called in messages */
static const char *field_name(const reader *r, int field, char text[UNIT]) {
  snprintf(text, UNIT, isnan(r->number[field]) ? "%s" : "%s%g", r->columns[r->place[field]].name,
           r->number[field]);
  return text;
}

/* The number in a field; NAN: nothing was measured. */
static cq_status read_field(reader *r, int field, const char *text) {
  char *end = NULL, name[UNIT];
  r->values[field] = strtod(text, &end);
  if (is_gap(text) && isnan(r->columns[r->place[field]].missing)) {
    r->values[field] = NAN;
    return CQ_OK;
  }
  CQ_CHECK(r->arena->ctx, end != text && *end == '\0', CQ_CONFIG,
           "%s:%d: %s must be a number, not \"%s\"%s", r->path, r->line, field_name(r, field, name),
           text, *end == ',' ? "; write a decimal point" : "");
  CQ_CHECK(r->arena->ctx, isfinite(r->values[field]), CQ_CONFIG,
           "%s:%d: %s = %s is not a finite number", r->path, r->line, field_name(r, field, name),
           text);
  return CQ_OK;
}

/* The fields of a line that have no number, and those of this one, in the order of the columns that
 * are looked for; false: one of them was not measured. */
static bool make_row(const reader *r, double number, double *values) {
  bool whole = true;
  for (int c = 0; c < r->n_columns; c++) {
    values[c] = r->n_numbers > 0 && c == r->form->number ? number : r->columns[c].missing;
  }
  for (int i = 0; i < r->n_fields; i++) {
    if (isnan(r->number[i]) || r->number[i] == number) {
      values[r->place[i]] = r->values[i];
      whole = whole && !isnan(r->values[i]);
    }
  }
  return whole;
}

/* The rows of a line; *rows counts them. */
static cq_status read_line(reader *r, char *line, double *values, int *rows) {
  char *field;
  int n = 0;
  for (; (field = cq_csv_next_field(&line, r->separator)) != NULL && n < r->n_fields; n++) {
    CQ_TRY(read_field(r, n, field));
  }
  CQ_CHECK(r->arena->ctx, field == NULL && n == r->n_fields, CQ_CONFIG,
           "%s:%d: as many fields as names are needed, %d", r->path, r->line, r->n_fields);
  for (int i = 0; i < (r->n_numbers > 0 ? r->n_numbers : 1); i++) {
    *rows += make_row(r, r->n_numbers > 0 ? r->numbers[i] : NAN,
                      values + (size_t)*rows * (size_t)r->n_columns);
  }
  return CQ_OK;
}

/* How many lines of so many fields there can be. */
static size_t count_lines(const char *text, int n_fields) {
  size_t n = 1, most = strlen(text) / (size_t)n_fields + 1;
  for (; *text != '\0'; text++) {
    n += *text == '\n';
  }
  return n < most ? n : most;
}

/* A whole file: rows of numbers in the order of `columns`. */
cq_status cq_csv_read_form(cq_arena *arena, const cq_node *section, const char *key,
                           const char *folder, int dim, const cq_csv_column *columns, int n_columns,
                           const cq_csv_form *form, cq_table *table) {
  const cq_node *node = cq_node_find(section, key);
  reader r = {.arena = arena, .columns = columns, .form = form, .n_columns = n_columns, .dim = dim};
  double *values = NULL;
  const char *where = NULL;
  char *line;
  int rows = 0;
  CQ_TRY(cq_node_file(arena, node, folder, &r.path));
  CQ_TRY(
      cq_arena_text(arena, &where, "%s: %s: ", cq_node_where(node).text, cq_node_path(node).text));
  CQ_TRY(cq_file_text(arena, r.path, where, MOST_BYTES, &r.text));
  if (form->behind) {
    while (next_line(&r) != NULL) {
    }
    if (*r.text == '\0') {
      return CQ_OK;
    }
  }
  CQ_TRY(read_names(&r));
  const size_t most = count_lines(r.text, r.n_fields) * (size_t)(r.n_numbers > 0 ? r.n_numbers : 1);
  CQ_TRY(CQ_ARENA(arena, values, most * (size_t)n_columns));
  while ((line = next_line(&r)) != NULL) {
    CQ_TRY(read_line(&r, line, values, &rows));
  }
  CQ_CHECK(arena->ctx, rows > 0, CQ_CONFIG, "%s: has no rows", r.path);
  *table = (cq_table){rows, n_columns, values};
  return CQ_OK;
}

cq_status cq_csv_read(cq_arena *arena, const cq_node *section, const char *key, const char *folder,
                      int dim, const cq_csv_column *columns, int n_columns, cq_table *table) {
  static const cq_csv_form none = {.number = -1};
  return cq_csv_read_form(arena, section, key, folder, dim, columns, n_columns, &none, table);
}
