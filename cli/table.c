#include "table.h"

#include "csv_read.h"
#include "file_kind.h"
#include "open.h"
#include "status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* reads a line without its end; false at the end of the file or for a line that is torn */
static bool read_line(cli_table *table, char **line, size_t *size) {
  ssize_t length = getline(line, size, table->file);
  if (length <= 0) {
    return false;
  }
  if ((*line)[length - 1] != '\n') {
    table->torn = true;
    return false;
  }
  length -= length > 1 && (*line)[length - 2] == '\r' ? 2 : 1;
  (*line)[length] = '\0';
  return true;
}

cq_status cli_table_open(cq_ctx *ctx, const char *path, cli_table *table) {
  const char *const kind = cq_no_file(path);
  CQ_CHECK(ctx, kind == NULL, CQ_IO, "%s: it is %s, not a file", path, kind);
  FILE *const file = cq_open_read(path);
  CQ_CHECK(ctx, file != NULL, CQ_IO, "%s: %s", path, cq_open_error(errno));
  return cli_table_take(ctx, file, path, table);
}

cq_status cli_table_take(cq_ctx *ctx, FILE *file, const char *path, cli_table *table) {
  *table = (cli_table){.file = file};
  if (!read_line(table, &table->heading, &table->heading_size)) {
    cli_table_close(table);
    return CQ_FAIL(ctx, CQ_IO, "%s: no heading", path);
  }
  const char *const heading = cq_skip_mark(table->heading);
  memmove(table->heading, heading, strlen(heading) + 1);
  table->separator = cq_csv_separator(table->heading);
  return CQ_OK;
}

void cli_table_close(cli_table *table) {
  if (table->file != NULL) {
    fclose(table->file);
  }
  free(table->line);
  free(table->heading);
  *table = (cli_table){.torn = table->torn};
}

/* start and length of a field; fields in quotes may hold commas */
static const char *find_field(const char *line, char separator, int column, size_t *length) {
  for (int i = 0;; i++) {
    size_t n = 0;
    for (bool quoted = false; line[n] != '\0' && (quoted || line[n] != separator); n++) {
      quoted = quoted != (line[n] == '"');
    }
    if (i == column || line[n] == '\0') {
      *length = i == column ? n : 0;
      return i == column ? line : NULL;
    }
    line += n + 1;
  }
}

/* copies a field without its quotes */
static void copy_field(const char *field, size_t length, char *text, size_t size) {
  const bool quoted = length >= 2 && field[0] == '"';
  size_t used = 0;
  for (size_t i = quoted; i + quoted < length && used + 1 < size; i++) {
    text[used++] = field[i];
    i += quoted && field[i] == '"'; /* stands for one */
  }
  text[used] = '\0';
}

bool cli_table_heading(const cli_table *table, int column, char *text, size_t size) {
  size_t length = 0;
  const char *const field = find_field(table->heading, table->separator, column, &length);
  copy_field(field, length, text, size);
  return field != NULL;
}

int cli_table_column(const cli_table *table, const char *name) {
  char heading[256];
  for (int i = 0; cli_table_heading(table, i, heading, sizeof heading); i++) {
    if (strcmp(heading, name) == 0) {
      return i;
    }
  }
  return -1;
}

bool cli_table_next(cli_table *table) {
  return read_line(table, &table->line, &table->size);
}

void cli_table_text(const cli_table *table, int column, char *text, size_t size) {
  size_t length = 0;
  const char *const field =
      column < 0 ? NULL : find_field(table->line, table->separator, column, &length);
  copy_field(field, length, text, size);
}

double cli_table_number(const cli_table *table, int column) {
  char text[64], *end = NULL;
  cli_table_text(table, column, text, sizeof text);
  const double value = strtod(text, &end);
  return end != text && *end == '\0' ? value : NAN;
}
