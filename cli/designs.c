#include "designs.h"

#include "alloc.h"
#include "csv_read.h"
#include "file_kind.h"
#include "open.h"
#include "plural.h"
#include "start.h"
#include "status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  cq_ctx *ctx;
  cq_file *file;
  const cq_scene *scene; /* of the file */
  cli_place place;
  int n;
  char *rest;     /* what has not been read; lines are cut in place */
  char separator; /* ' ': blanks */
  char **fields;  /* [n_fields] of the line that was read last */
  int n_fields, field_room;
  int *column; /* [n] the variable of each column */
  cli_designs *designs;
  int room;
} reader;

/* The next line that holds something and is no comment, or NULL. */
static char *find_line(reader *r) {
  while (*r->rest != '\0') {
    char *const line = r->rest, *const end = line + strcspn(line, "\n");
    r->rest = end + (*end == '\n');
    *end = '\0';
    r->place.line++;
    if (line[strspn(line, " \t\r")] != '\0' && line[strspn(line, " \t")] != '#') {
      return line;
    }
  }
  return NULL;
}

static char *next_field(char separator, char **line) {
  if (separator != ' ') {
    return cq_csv_next_field(line, separator);
  }
  char *const field = *line + strspn(*line, " \r");
  if (*field == '\0') {
    return NULL;
  }
  *line = field + strcspn(field, " \r");
  *line += **line != '\0';
  field[strcspn(field, " \r")] = '\0';
  return field;
}

static bool is_number(const char *text) {
  char *end = NULL;
  strtod(text, &end);
  return end != text && *end == '\0';
}

/* Names may have blanks in them; numbers may stand with nothing but blanks between them. */
static char separator_of(const char *line) {
  char first[64];
  line += strspn(line, " ");
  snprintf(first, sizeof first, "%.*s", (int)strcspn(line, " ,;\t\r"), line);
  return strpbrk(line, ",;\t") == NULL && is_number(first) ? ' ' : cq_csv_separator(line);
}

/* room for one more field */
static cq_status grow_fields(reader *r) {
  char **fields = NULL;
  if (r->n_fields < r->field_room) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(r->ctx, fields, 2 * r->field_room + 8));
  if (r->n_fields > 0) {
    memcpy(fields, r->fields, (size_t)r->n_fields * sizeof *fields);
  }
  cq_free(r->ctx, r->fields);
  r->fields = fields;
  r->field_room = 2 * r->field_room + 8;
  return CQ_OK;
}

/* Cuts the next line into fields; *done: there is none. */
static cq_status read_line(reader *r, bool *done) {
  char *line = find_line(r), *field = NULL;
  *done = line == NULL;
  r->n_fields = 0;
  if (line != NULL && r->separator == '\0') {
    r->separator = separator_of(line);
  }
  while (line != NULL && (field = next_field(r->separator, &line)) != NULL) {
    CQ_TRY(grow_fields(r));
    r->fields[r->n_fields++] = field;
  }
  return CQ_OK;
}

/* *x: one more design, without values */
static cq_status add_design(reader *r, double **x) {
  cli_designs *const d = r->designs;
  const size_t n = (size_t)r->n;
  if (d->count == r->room) {
    const int room = 2 * r->room + 1;
    double *values = NULL;
    CQ_TRY(CQ_ALLOC(r->ctx, values, (size_t)room * n));
    if (d->count > 0) {
      memcpy(values, d->values, (size_t)d->count * n * sizeof *values);
    }
    cq_free(r->ctx, d->values);
    d->values = values;
    r->room = room;
  }
  *x = d->values + (size_t)d->count++ * n;
  for (size_t i = 0; i < n; i++) {
    (*x)[i] = NAN;
  }
  return CQ_OK;
}

static cq_status wrong_count(const reader *r, int count, const char *what) {
  return CQ_FAIL(r->ctx, CQ_CONFIG, "%s:%d: %d value%s%s, and %s has %d variable%s", r->place.path,
                 r->place.line, count, cq_plural(count), what, cq_scene_name(r->scene), r->n,
                 cq_plural(r->n));
}

static cq_status read_row(reader *r) {
  double *x = NULL;
  CQ_TRY(add_design(r, &x));
  if (r->n_fields != r->n) {
    return wrong_count(r, r->n_fields, "");
  }
  for (int k = 0; k < r->n; k++) {
    CQ_TRY(cli_design_take(r->ctx, r->scene, &r->place, r->column[k], r->fields[k], x));
  }
  return CQ_OK;
}

/* A design in each row, from the line at hand on. */
static cq_status read_rows(reader *r, bool done) {
  while (!done) {
    CQ_TRY(read_row(r));
    CQ_TRY(read_line(r, &done));
  }
  CQ_CHECK(r->ctx, r->designs->count > 0, CQ_CONFIG, "%s: names, but no row of values below them",
           r->place.path);
  return CQ_OK;
}

/* One design, a value a line, from the line at hand on. */
static cq_status read_column(reader *r) {
  double *x = NULL;
  int i = 0;
  CQ_TRY(add_design(r, &x));
  for (bool done = false; !done; i++) {
    if (r->n_fields != 1) {
      return wrong_count(r, r->n_fields, " in a file that begins with a column");
    }
    if (i < r->n) {
      CQ_TRY(cli_design_take(r->ctx, r->scene, &r->place, i, r->fields[0], x));
    }
    CQ_TRY(read_line(r, &done));
  }
  return i == r->n ? CQ_OK : wrong_count(r, i, " in a column");
}

/* The variables that the columns are headed by, all of them. */
static cq_status read_labels(reader *r) {
  double *seen = NULL;
  CQ_TRY(add_design(r, &seen));
  for (int k = 0; k < r->n_fields; k++) {
    int i = 0;
    CQ_TRY(cli_design_find(r->ctx, r->scene, &r->place, r->fields[k], k, &i));
    CQ_CHECK(r->ctx, isnan(seen[i]), CQ_CONFIG, "%s:%d: two columns are called \"%s\"",
             r->place.path, r->place.line, r->fields[k]);
    seen[i] = 0.0;
    r->column[k] = i;
  }
  r->designs->count = 0;
  return cli_design_check(r->ctx, r->scene, r->place.path, seen);
}

static bool are_numbers(const reader *r) {
  bool are = true;
  for (int k = 0; k < r->n_fields; k++) {
    are = are && is_number(r->fields[k]);
  }
  return are;
}

/* Whether the line at hand is the first of a design.csv: a column of names and one of values. */
static bool is_table(const reader *r) {
  bool name = false, value = false;
  for (int k = 0; k < r->n_fields; k++) {
    char field[64];
    snprintf(field, sizeof field, "%s", r->fields[k]);
    cq_csv_split_name(field);
    name = name || strcmp(field, "name") == 0;
    value = value || strcmp(field, "best") == 0 || strcmp(field, "start") == 0;
  }
  return name && value;
}

static cq_status read_table(reader *r, char *text, size_t size) {
  double *x = NULL;
  CQ_TRY(add_design(r, &x));
  FILE *const file = fmemopen(text, size, "r");
  CQ_CHECK(r->ctx, file != NULL, CQ_MEMORY, "out of memory");
  return cli_design_read_file(r->ctx, r->scene, file, r->place.path, x);
}

/* What the first line that is no comment looks like decides. Lines are cut in a copy: a table is
 * read anew. */
static cq_status read_text(reader *r, char *text, size_t size) {
  bool done = false;
  CQ_TRY(read_line(r, &done));
  CQ_CHECK(r->ctx, !done, CQ_CONFIG, "%s: there is no design in it", r->place.path);
  if (are_numbers(r)) {
    return r->n_fields == 1 && r->n > 1 ? read_column(r) : read_rows(r, false);
  }
  if (is_table(r)) {
    return read_table(r, text, size);
  }
  CQ_TRY(read_labels(r));
  CQ_TRY(read_line(r, &done));
  return read_rows(r, done);
}

/* All of a file, which is closed unless it is the standard input. */
static cq_status take_text(cq_ctx *ctx, FILE *file, const char *path, char **text, size_t *size) {
  size_t room = 0;
  errno = 0;
  const ssize_t length = getdelim(text, &room, '\0', file);
  const bool whole = feof(file) != 0;
  const int error = length < 0 && !whole ? errno : 0;
  if (file != stdin) {
    fclose(file);
  }
  CQ_CHECK(ctx, error == 0, CQ_IO, "%s: %s", path, strerror(error));
  CQ_CHECK(ctx, length > 0, CQ_CONFIG, "%s: there is no design in it", path);
  CQ_CHECK(ctx, whole, CQ_CONFIG, "%s: it is not a text", path);
  *size = (size_t)length;
  return CQ_OK;
}

/* Reads a text with a copy of it and room for its columns at hand. */
static cq_status read_copied(reader *r, char *text, size_t size) {
  char *copy = NULL;
  CQ_TRY(CQ_ALLOC(r->ctx, copy, size + 1));
  memcpy(copy, text, size);
  r->rest = cq_skip_mark(copy);
  cq_status status = CQ_ALLOC(r->ctx, r->column, r->n);
  for (int i = 0; status == CQ_OK && i < r->n; i++) {
    r->column[i] = i;
  }
  status = status == CQ_OK ? read_text(r, text, size) : status;
  cq_free(r->ctx, r->column);
  cq_free(r->ctx, r->fields);
  cq_free(r->ctx, copy);
  return status;
}

static cq_status read_file(reader *r, const char *path) {
  const bool standard = strcmp(path, "-") == 0;
  const char *const kind = standard ? NULL : cq_no_file(path);
  CQ_CHECK(r->ctx, kind == NULL, CQ_IO, "%s: it is %s, not a file", path, kind);
  FILE *const file = standard ? stdin : cq_open_read(path);
  CQ_CHECK(r->ctx, file != NULL, CQ_IO, "%s: %s", path, cq_open_error(errno));
  char *text = NULL;
  size_t size = 0;
  cq_status status = take_text(r->ctx, file, r->place.path, &text, &size);
  status = status == CQ_OK ? read_copied(r, text, size) : status;
  free(text);
  return status;
}

static cq_status read_folder(reader *r, const char *path) {
  double *x = NULL;
  CQ_TRY(add_design(r, &x));
  return cli_design_read(r->ctx, r->file, path, x);
}

/* A folder or a table, all designs or none. */
cq_status cli_designs_read(cq_ctx *ctx, cq_file *file, const char *path, cli_designs *designs) {
  struct stat info;
  reader r = {.ctx = ctx,
              .file = file,
              .scene = cq_file_scene(file),
              .place = {.path = strcmp(path, "-") == 0 ? "stdin" : path},
              .n = cq_scene_problem(cq_file_scene(file))->n,
              .designs = designs};
  *designs = (cli_designs){.count = 0};
  const bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  const cq_status status = is_folder ? read_folder(&r, path) : read_file(&r, path);
  if (status != CQ_OK) {
    cli_designs_free(ctx, designs);
  }
  return status;
}

void cli_designs_free(cq_ctx *ctx, cli_designs *designs) {
  cq_free(ctx, designs->values);
  *designs = (cli_designs){.count = 0};
}
