/* The tables of a study, as files and for people. */
#include "csv.h"
#include "label.h"
#include "plural.h"
#include "study.h"

#include <math.h>
#include <string.h>

static void put(FILE *out, double value) {
  fputc(',', out);
  cq_csv_number(out, value);
}

/* Columns of the tables: what every run has, then what else is wanted. */
static const cli_metric *column_at(const cli_study *s, int i) {
  for (int k = 0; cli_metric_at(k) != NULL; k++, i--) {
    if (i == 0) {
      return cli_metric_at(k);
    }
  }
  for (int k = 0; k < s->n_wanted; k++) {
    if (s->wanted[k].of == NULL && i-- == 0) {
      return &s->wanted[k];
    }
  }
  return NULL;
}

static void put_keys(const cli_study *s, FILE *out) {
  for (int k = 0; k < s->plan->n_factors; k++) {
    cq_csv_text(out, s->plan->factors[k].key);
    fputc(',', out);
  }
}

static void put_place(const cli_study *s, int cell, FILE *out) {
  for (int k = 0; k < s->plan->n_factors; k++) {
    cq_csv_text(out, cli_plan_value(s->plan, cell, k));
    fputc(',', out);
  }
}

/* name_q25 and its like */
static void put_name(FILE *out, const char *name, const char *of) {
  char text[256];
  snprintf(text, sizeof text, "%s%s", name, of);
  fputc(',', out);
  cq_csv_text(out, text);
}

/* study.csv: a row a cell, quartiles over its seeds. */
cq_status cli_study_write_table(void *user, FILE *out) {
  static const char *const of[3] = {"_q25", "_median", "_q75"};
  const cli_study *const s = user;
  put_keys(s, out);
  fputs("runs,successes", out);
  for (int i = 0; column_at(s, i) != NULL; i++) {
    for (int q = 0; q < 3; q++) {
      put_name(out, column_at(s, i)->name, of[q]);
    }
  }
  fputc('\n', out);
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    put_place(s, cell, out);
    fprintf(out, "%d,%d", cli_study_ended(s, cell), cli_study_successes(s, cell));
    for (int i = 0; column_at(s, i) != NULL; i++) {
      double quartiles[3];
      cli_study_quartiles(s, cell, column_at(s, i), quartiles);
      for (int q = 0; q < 3; q++) {
        put(out, quartiles[q]);
      }
    }
    fputc('\n', out);
  }
  return CQ_OK;
}

static void put_run(const cli_study *s, int cell, int seed, FILE *out) {
  const cli_batch_run *const run = &s->batch.runs[cli_study_run(s, cell, seed)];
  put_place(s, cell, out);
  fprintf(out, "%lld,", run->seed);
  cq_csv_text(out, run->folder);
  fprintf(out, ",%s,%d", run->end.status, run->end.exit_code);
  for (int i = 0; column_at(s, i) != NULL; i++) {
    put(out, cli_study_value(s, column_at(s, i), cell, seed));
  }
  fputc(',', out);
  cq_csv_text(out, run->end.reason);
  fputc('\n', out);
}

/* runs.csv: a row for each run that has ended, with the place of its cell. */
cq_status cli_study_write_runs(void *user, FILE *out) {
  const cli_study *const s = user;
  put_keys(s, out);
  fputs("seed,folder,status,exit_code", out);
  for (int i = 0; column_at(s, i) != NULL; i++) {
    put_name(out, column_at(s, i)->name, "");
  }
  fputs(",reason\n", out);
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    for (int k = 0; k < s->seeds; k++) {
      if (cli_batch_has_ended(&s->batch.runs[cli_study_run(s, cell, k)])) {
        put_run(s, cell, k, out);
      }
    }
  }
  return CQ_OK;
}

static const char verified[] = " verified";

/* of a metric's column, whose name may lose its middle */
static int width_of(const cli_metric *metric) {
  enum { NUMBER = 11, MOST = 20 };
  const int name = cli_columns(metric->name);
  return name < NUMBER ? NUMBER : name > MOST ? MOST : name;
}

static void print_number(FILE *out, int width, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.5g", width, value);
  } else {
    fprintf(out, " %*s", width, "-");
  }
}

/* as wide as the longest label, as far as there is room */
static int settings_width(const cli_study *s, const cli_metric *const *columns, int n) {
  int most = CLI_SCREEN - (int)strlen(verified), width = (int)strlen("settings");
  for (int i = 0; i < n; i++) {
    most -= 1 + width_of(columns[i]);
  }
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    const int label = cli_columns(s->plan->cells.items[cell].label);
    width = label > width ? label : width;
  }
  return width < most ? width : most;
}

static bool has_column(const cli_metric *const *columns, int n, const char *name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(columns[i]->name, name) == 0) {
      return true;
    }
  }
  return false;
}

enum { MOST_COLUMNS = 6, SETTINGS = 12 };

/* Those that everybody looks at, then what is wanted, as far as there is room on a line. */
static int choose_columns(const cli_study *s, const cli_metric *columns[MOST_COLUMNS]) {
  static const char *const usual[] = {"f", "evaluations", "seconds"};
  int n = 0;
  for (size_t u = 0; u < sizeof usual / sizeof usual[0]; u++) {
    for (int i = 0; cli_metric_at(i) != NULL; i++) {
      if (strcmp(cli_metric_at(i)->name, usual[u]) == 0) {
        columns[n++] = cli_metric_at(i);
      }
    }
  }
  int room = CLI_SCREEN - (int)strlen(verified) - n * (1 + width_of(columns[0])) - SETTINGS;
  for (int i = 0; i < s->n_wanted && n < MOST_COLUMNS; i++) {
    const cli_metric *const metric = &s->wanted[i];
    const bool has_it =
        has_column(columns, n, metric->name) || strcmp(metric->name, "verified") == 0;
    room -= has_it ? 0 : 1 + width_of(metric);
    if (!has_it && room >= 0) {
      columns[n++] = metric;
    }
  }
  return n;
}

/* A row for each cell: medians over its seeds. */
void cli_study_print(FILE *out, const cli_style *style, void *user) {
  const cli_study *const s = user;
  const cli_metric *columns[MOST_COLUMNS];
  const int n = choose_columns(s, columns), open = cli_batch_open_runs(&s->batch);
  const int width = settings_width(s, columns, n);
  fprintf(out, "\n%s%s%s: %d seed%s, medians; quartiles are in study.csv\n", style->bold, s->title,
          style->end, s->seeds, cq_plural(s->seeds));
  fprintf(out, "%s%-*s", style->bold, width, "settings");
  for (int i = 0; i < n; i++) {
    char name[64];
    cli_label_cut(columns[i]->name, width_of(columns[i]), name, sizeof name);
    fprintf(out, " %*s", width_of(columns[i]), name);
  }
  fprintf(out, "%s%s\n", verified, style->end);
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    char good[24];
    cli_label_put(out, 0, width, s->plan->cells.items[cell].label);
    for (int i = 0; i < n; i++) {
      double quartiles[3];
      cli_study_quartiles(s, cell, columns[i], quartiles);
      print_number(out, width_of(columns[i]), quartiles[1]);
    }
    snprintf(good, sizeof good, "%d/%d", cli_study_successes(s, cell), cli_study_ended(s, cell));
    fprintf(out, "%*s\n", (int)strlen(verified), good);
  }
  if (open > 0) {
    fprintf(out, "%d of %d runs are open; the same command %s does them.\n", open, s->batch.count,
            s->batch.share->collects ? "without --collect" : "with a larger --budget");
  }
}

void cli_study_print_outcome(const cli_study *s, const char *name) {
  int good = 0;
  double f = INFINITY;
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    good += cli_study_successes(s, cell);
    for (int k = 0; k < s->seeds; k++) {
      f = fmin(f, cli_study_value(s, cli_metric_at(0), cell, k));
    }
  }
  cli_batch_print_outcome(&s->batch, name, good, "verified", f);
}
