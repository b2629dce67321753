#include "start.h"

#include "alloc.h"
#include "csv.h"
#include "csv_read.h"
#include "folder.h"
#include "nearest.h"
#include "run_read.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LABEL = 128 };

typedef struct reading {
  cq_ctx *ctx;
  const cq_scene *scene;
  const cq_problem *problem;
  const char *path;
  cli_table table;
  int name_column, value_column;
  int line;
  double *x; /* [n] NAN: not read yet */
} reading;

/* The columns that tables of designs have; those after them are read by nobody. */
enum { NAME, BEST, START, N_KNOWN = 8 };
static const char *const known[N_KNOWN] = {"name",  "best",  "start", "unit",
                                           "lower", "upper", "last",  "standard_error"};

static bool has_known(const cli_table *table) {
  return cli_table_column(table, known[NAME]) >= 0;
}

/* Places of the known columns, in any case and with a unit or without; -1: there is none. */
static cq_status find_known(cq_ctx *ctx, const cli_table *table, const char *path,
                            int place[N_KNOWN]) {
  char heading[LABEL];
  for (int k = 0; k < N_KNOWN; k++) {
    place[k] = -1;
  }
  for (int i = 0; cli_table_heading(table, i, heading, sizeof heading); i++) {
    cq_nearest nearest = cq_nearest_begin(heading);
    int k = 0;
    cq_csv_split_name(heading);
    for (; k < N_KNOWN && strcmp(heading, known[k]) != 0; k++) {
      cq_nearest_offer(&nearest, known[k]);
    }
    CQ_CHECK(ctx, k < N_KNOWN || cq_nearest_found(&nearest) || has_known(table), CQ_CONFIG,
             "%s is no design: that is a table with the columns name and best, or name and start, "
             "or a run folder",
             path);
    CQ_CHECK(ctx, k < N_KNOWN, CQ_CONFIG, "%s:1: unknown column \"%s\"; %s", path, heading,
             cq_nearest_text(&nearest));
    CQ_CHECK(ctx, place[k] < 0, CQ_CONFIG, "%s:1: two columns are called \"%s\"", path, heading);
    place[k] = i;
  }
  return CQ_OK;
}

static cq_status find_columns(reading *r) {
  int place[N_KNOWN];
  CQ_TRY(find_known(r->ctx, &r->table, r->path, place));
  r->name_column = place[NAME];
  r->value_column = place[BEST] >= 0 ? place[BEST] : place[START];
  CQ_CHECK(r->ctx, r->name_column >= 0 && r->value_column >= 0, CQ_CONFIG,
           "%s: a design has the columns name and best, or name and start", r->path);
  return CQ_OK;
}

/* The variable at `guess` is tried first, as tables are in order. */
cq_status cli_design_find(cq_ctx *ctx, const cq_scene *scene, const cli_place *place,
                          const char *name, int guess, int *out) {
  char label[LABEL];
  const int n = cq_scene_problem(scene)->n;
  cq_nearest nearest = cq_nearest_begin(name);
  for (int k = 0; k < n; k++) {
    *out = ((guess < n ? guess : 0) + k) % n;
    cq_scene_variable_label(scene, *out, label, sizeof label);
    if (strcmp(label, name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, label);
  }
  return CQ_FAIL(ctx, CQ_CONFIG, "%s:%d: %s has no design variable \"%s\"; %s", place->path,
                 place->line, cq_scene_name(scene), name, cq_nearest_text(&nearest));
}

cq_status cli_design_take(cq_ctx *ctx, const cq_scene *scene, const cli_place *place, int i,
                          const char *text, double *x) {
  char name[LABEL], *end = NULL;
  const cq_variable_info info = cq_scene_variable(scene, i);
  const double value = strtod(text, &end);
  cq_scene_variable_label(scene, i, name, sizeof name);
  CQ_CHECK(ctx, end != text && *end == '\0' && isfinite(value), CQ_CONFIG,
           "%s:%d: %s wants a number, not '%s'", place->path, place->line, name, text);
  CQ_CHECK(ctx, value >= info.lower && value <= info.upper, CQ_CONFIG,
           "%s:%d: %s = %s is outside its bounds %g to %g", place->path, place->line, name, text,
           info.lower, info.upper);
  x[i] = value;
  return CQ_OK;
}

/* A variable by its name, which may come once, within its bounds. */
static cq_status read_row(reading *r) {
  char name[LABEL], text[64];
  int i = 0;
  cli_table_text(&r->table, r->name_column, name, sizeof name);
  const cli_place place = {r->path, r->line};
  CQ_TRY(cli_design_find(r->ctx, r->scene, &place, name, r->line - 2, &i));
  CQ_CHECK(r->ctx, isnan(r->x[i]), CQ_CONFIG, "%s:%d: %s is given twice", r->path, r->line, name);
  cli_table_text(&r->table, r->value_column, text, sizeof text);
  return cli_design_take(r->ctx, r->scene, &place, i, text, r->x);
}

/* the first few variables without a value, by name */
cq_status cli_design_check(cq_ctx *ctx, const cq_scene *scene, const char *path, const double *x) {
  enum { MOST_NAMED = 3 };
  char names[MOST_NAMED * (LABEL + 2)] = "", label[LABEL];
  const int n = cq_scene_problem(scene)->n;
  int missing = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(x[i]) && missing++ < MOST_NAMED) {
      const size_t used = strlen(names);
      cq_scene_variable_label(scene, i, label, sizeof label);
      snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", label);
    }
  }
  CQ_CHECK(ctx, missing == 0, CQ_CONFIG, "%s: no value for %s%s: %d of the %d variables of %s",
           path, names, missing > MOST_NAMED ? ", ..." : "", missing, n, cq_scene_name(scene));
  return CQ_OK;
}

static cq_status read_rows(reading *r) {
  CQ_TRY(find_columns(r));
  for (int i = 0; i < r->problem->n; i++) {
    r->x[i] = NAN;
  }
  for (r->line = 2; cli_table_next(&r->table); r->line++) {
    CQ_TRY(read_row(r));
  }
  CQ_CHECK(r->ctx, !r->table.torn, CQ_CONFIG, "%s:%d: the last line has no end", r->path, r->line);
  return cli_design_check(r->ctx, r->scene, r->path, r->x);
}

static cq_status read_open(reading *r) {
  const cq_status status = read_rows(r);
  cli_table_close(&r->table);
  return status;
}

static cq_status read_table(cq_ctx *ctx, const cq_scene *scene, const char *file, double *x) {
  reading r = {
      .ctx = ctx, .scene = scene, .problem = cq_scene_problem(scene), .path = file, .x = x};
  CQ_TRY(cli_table_open(ctx, file, &r.table));
  return read_open(&r);
}

cq_status cli_design_read_file(cq_ctx *ctx, const cq_scene *scene, FILE *file, const char *path,
                               double *x) {
  reading r = {
      .ctx = ctx, .scene = scene, .problem = cq_scene_problem(scene), .path = path, .x = x};
  CQ_TRY(cli_table_take(ctx, file, path, &r.table));
  return read_open(&r);
}

/* Whether the table has the names of the scene's variables and no others. */
static bool is_of(cq_ctx *ctx, const cq_scene *scene, const char *file) {
  cli_table table;
  char name[LABEL], label[LABEL];
  int rows = 0;
  if (cli_table_open(ctx, file, &table) != CQ_OK) {
    return false;
  }
  const int n = cq_scene_problem(scene)->n, column = cli_table_column(&table, "name");
  bool same = column >= 0;
  while (same && cli_table_next(&table)) {
    same = rows < n;
    if (same) {
      cli_table_text(&table, column, name, sizeof name);
      cq_scene_variable_label(scene, rows++, label, sizeof label);
      same = strcmp(name, label) == 0;
    }
  }
  cli_table_close(&table);
  return same && rows == n;
}

/* The design of a run of another problem, fitted. That problem has a context of its own: what there
 * is to say of it was said when it was solved, and its seed is not that of this run. */
static cq_status fit(cq_ctx *ctx, const cq_file *to, int n, const char *config, const char *file,
                     double *x) {
  cq_ctx *own = cq_ctx_create(1, 0);
  cq_file *of = NULL;
  double *values = NULL;
  CQ_CHECK(ctx, own != NULL, CQ_MEMORY, "no memory for the problem of %s", file);
  cq_status status = cli_run_load(own, config, &of);
  const cq_scene *const other = cq_file_scene(of);
  status = status == CQ_OK ? CQ_ALLOC(own, values, cq_scene_problem(other)->n) : status;
  status = status == CQ_OK ? read_table(own, other, file, values) : status;
  if (status != CQ_OK) {
    status = CQ_FAIL(ctx, status, "%s", cq_ctx_error(own));
  } else {
    status = cq_file_fit(to, of, values, cq_scene_problem(other)->n, x, n);
  }
  cq_free(own, values);
  cq_file_destroy(of);
  cq_ctx_destroy(own);
  return status;
}

cq_status cli_design_read(cq_ctx *ctx, cq_file *to, const char *path, double *x) {
  const cq_scene *const scene = cq_file_scene(to);
  char file[CLI_PATH], config[CLI_PATH];
  struct stat info;
  const bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  snprintf(file, sizeof file, "%s%s", path, is_folder ? "/design.csv" : "");
  snprintf(config, sizeof config, "%s/problem.cfg", path);
  CQ_CHECK(ctx, cq_scene_problem(scene)->n > 0, CQ_CONFIG,
           "%s has no design variables for the design in %s", cq_scene_name(scene), path);
  if (is_folder && access(config, R_OK) == 0 && access(file, R_OK) == 0 &&
      !is_of(ctx, scene, file)) {
    return fit(ctx, to, cq_scene_problem(scene)->n, config, file, x);
  }
  return read_table(ctx, scene, file, x);
}

cq_status cli_start_apply(cq_ctx *ctx, cq_file *file, const char *path) {
  const int n = cq_scene_problem(cq_file_scene(file))->n;
  double *x = NULL;
  CQ_TRY(CQ_ALLOC(ctx, x, n));
  cq_status status = cli_design_read(ctx, file, path, x);
  status = status == CQ_OK ? cq_file_set_start(file, x, n) : status;
  cq_free(ctx, x);
  return status;
}

void cli_start_write(const cq_scene *scene, const double *x, FILE *out) {
  fprintf(out, "name,unit,start\n");
  for (int i = 0; i < cq_scene_problem(scene)->n; i++) {
    char label[LABEL];
    cq_scene_variable_label(scene, i, label, sizeof label);
    cq_csv_text(out, label);
    fputc(',', out);
    cq_csv_text(out, cq_scene_variable(scene, i).unit);
    fprintf(out, ",%.17g\n", cq_scene_user_value(scene, i, x[i]));
  }
}
