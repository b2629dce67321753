/* Columns of any table, with a curve for each combination of the words in its rows. */
#include "folder.h"
#include "plot_data.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 64, MOST_WORDS = 16, MOST_WHERES = 16 };

typedef struct reading {
  cli_plot_data *data;
  const cli_plot_def *def;
  const char *path;
  cli_table table;
  int x, y;
  int words[MOST_WORDS]; /* columns that name the curve of a row */
  int n_words;
  int wheres[MOST_WHERES]; /* column of each condition */
  int first;               /* of the curves of this table */
} reading;

static bool is_word(const char *text) {
  char *end = NULL;
  strtod(text, &end);
  return text[0] != '\0' && (end == text || *end != '\0');
}

static cq_status find_wheres(reading *r) {
  cq_ctx *const ctx = r->data->ctx;
  CQ_CHECK(ctx, r->def->n_wheres <= MOST_WHERES, CQ_USAGE, "at most %d times --where", MOST_WHERES);
  for (int i = 0; i < r->def->n_wheres; i++) {
    char name[128];
    const char *const where = r->def->wheres[i];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(where, "="), where);
    CQ_TRY(cli_plot_column(ctx, &r->table, r->path, NULL, 0, name, &r->wheres[i]));
  }
  return CQ_OK;
}

static bool is_where(const reading *r, int column) {
  for (int i = 0; i < r->def->n_wheres; i++) {
    if (r->wheres[i] == column) {
      return true;
    }
  }
  return false;
}

/* as the first row has them */
static void find_words(reading *r) {
  char text[256];
  for (int i = 0; cli_table_heading(&r->table, i, text, sizeof text); i++) {
    cli_table_text(&r->table, i, text, sizeof text);
    if (i != r->x && i != r->y && !is_where(r, i) && is_word(text) && r->n_words < MOST_WORDS) {
      r->words[r->n_words++] = i;
    }
  }
}

static bool counts(const reading *r) {
  char text[256];
  for (int i = 0; i < r->def->n_wheres; i++) {
    cli_table_text(&r->table, r->wheres[i], text, sizeof text);
    if (strcmp(text, strchr(r->def->wheres[i], '=') + 1) != 0) {
      return false;
    }
  }
  return true;
}

/* The curve of the words in this row, which may be a new one. */
static cq_status find_curve(reading *r, cli_plot_curve **out) {
  cli_plot_data *const d = r->data;
  char label[300] = "", text[128];
  for (int i = 0; i < r->n_words; i++) {
    const size_t used = strlen(label);
    cli_table_text(&r->table, r->words[i], text, sizeof text);
    snprintf(label + used, sizeof label - used, "%s%s", i > 0 ? ", " : "", text);
  }
  if (r->n_words == 0) {
    snprintf(label, sizeof label, "%s", r->path);
  }
  for (int i = r->first; i < d->count; i++) {
    *out = &d->curves[i];
    if (strcmp((*out)->label, label) == 0) {
      return CQ_OK;
    }
  }
  CQ_CHECK(d->ctx, d->count - r->first < MOST_CURVES, CQ_USAGE,
           "%s has more than %d curves; choose some by --where COLUMN=VALUE", r->path, MOST_CURVES);
  *out = cli_plot_add(d, label);
  CQ_CHECK(d->ctx, *out != NULL, CQ_MEMORY, "out of memory");
  return CQ_OK;
}

/* The first row tells which columns are words. */
static cq_status read_rows(reading *r) {
  bool first = true;
  while (cli_table_next(&r->table)) {
    cli_plot_curve *curve = NULL;
    if (first) {
      find_words(r);
    }
    first = false;
    if (counts(r)) {
      CQ_TRY(find_curve(r, &curve));
      CQ_TRY(cli_plot_point(r->data, curve, cli_table_number(&r->table, r->x),
                            cli_table_number(&r->table, r->y)));
    }
  }
  return CQ_OK;
}

/* a table has no column that is meant by itself */
static cq_status want_y(const reading *r) {
  char all[512] = "", name[128];
  if (r->def->y != NULL) {
    return CQ_OK;
  }
  for (int i = 0; cli_table_heading(&r->table, i, name, sizeof name); i++) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", name);
  }
  return CQ_FAIL(r->data->ctx, CQ_USAGE, "%s: --y says which column is drawn: %s", r->path, all);
}

static cq_status read_table(reading *r) {
  cli_plot_data *const d = r->data;
  const cli_plot_def *const def = r->def;
  CQ_TRY(find_wheres(r));
  if (def->x != NULL) {
    CQ_TRY(cli_plot_column(d->ctx, &r->table, r->path, NULL, 0, def->x, &r->x));
  }
  CQ_TRY(want_y(r));
  CQ_TRY(cli_plot_column(d->ctx, &r->table, r->path, NULL, 0, def->y, &r->y));
  cli_table_heading(&r->table, r->x, d->x, sizeof d->x);
  cli_table_heading(&r->table, r->y, d->y, sizeof d->y);
  return read_rows(r);
}

cq_status cli_plot_read_table(const cli_plot_def *def, const char *path, cli_plot_data *data) {
  reading r = {.data = data, .def = def, .path = path, .first = data->count};
  CQ_TRY(cli_table_open(data->ctx, path, &r.table));
  const cq_status status = read_table(&r);
  cli_table_close(&r.table);
  return status;
}
