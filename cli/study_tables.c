/* What is measured in a study, its tables, as files and for people. */
#include "csv.h"
#include "label.h"
#include "plural.h"
#include "statistics.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double metric_f(const cli_start *end, bool feasible) {
  return feasible ? end->f : INFINITY;
}

static double metric_violation(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->violation) ? INFINITY : end->violation;
}

static double metric_kkt_residual(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->kkt_residual) ? INFINITY : end->kkt_residual;
}

static double metric_evaluations(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->evaluations;
}

static double metric_simulations(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->simulations;
}

static double metric_gradients(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->gradients;
}

static double metric_failures(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->failures;
}

static double metric_recovered(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->recovered;
}

static double metric_seconds(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->seconds) ? INFINITY : end->seconds;
}

static const cli_metric metrics[] = {{"f", metric_f},
                                     {"violation", metric_violation},
                                     {"kkt_residual", metric_kkt_residual},
                                     {"evaluations", metric_evaluations},
                                     {"simulations", metric_simulations},
                                     {"gradients", metric_gradients},
                                     {"failures", metric_failures},
                                     {"recovered", metric_recovered},
                                     {"seconds", metric_seconds}};

enum { N_METRICS = sizeof metrics / sizeof metrics[0], F = 0, EVALUATIONS = 3, SECONDS = 8 };

const cli_metric *cli_metric_at(int i) {
  return i < N_METRICS ? &metrics[i] : NULL;
}

int cli_study_run(const cli_study *s, int cell, int seed) {
  return seed * s->cells->count + cell;
}

static double value_of(const cli_study *s, const cli_metric *metric, int cell, int seed) {
  const cli_start *const end = &s->batch.runs[cli_study_run(s, cell, seed)].end;
  return metric->of(end, end->violation <= s->tolerances[cell]);
}

void cli_study_quartiles(const cli_study *s, int cell, const cli_metric *metric,
                         double quartiles[3]) {
  double *const values = calloc((size_t)s->seeds, sizeof *values);
  for (int k = 0; k < s->seeds && values != NULL; k++) {
    values[k] = value_of(s, metric, cell, k);
  }
  if (values != NULL) {
    cli_sort(values, s->seeds);
  }
  for (int q = 0; q < 3; q++) {
    quartiles[q] = values != NULL ? cli_quantile(values, s->seeds, 0.25 * (q + 1)) : NAN;
  }
  free(values);
}

/* runs that ended with a verified optimum, or at the target */
static int successes(const cli_study *s, int cell) {
  int n = 0;
  for (int k = 0; k < s->seeds; k++) {
    n += s->batch.runs[cli_study_run(s, cell, k)].end.exit_code == 0;
  }
  return n;
}

static void put(FILE *out, double value) {
  fputc(',', out);
  cq_csv_number(out, value);
}

static void put_keys(const cli_study *s, FILE *out) {
  for (int a = 0; a < s->n_axes; a++) {
    cq_csv_text(out, s->axes[a].key);
    fputc(',', out);
  }
}

static void put_place(const cli_study *s, int cell, FILE *out) {
  for (int a = 0; a < s->n_axes; a++) {
    cq_csv_text(out, s->axes[a].values[cli_grid_place(s->axes, s->n_axes, cell, a)]);
    fputc(',', out);
  }
}

/* study.csv: a row a cell, quartiles over its seeds. */
cq_status cli_study_write_table(void *user, FILE *out) {
  const cli_study *const s = user;
  put_keys(s, out);
  fputs("runs,successes", out);
  for (int i = 0; i < N_METRICS; i++) {
    fprintf(out, ",%s_q25,%s_median,%s_q75", metrics[i].name, metrics[i].name, metrics[i].name);
  }
  fputc('\n', out);
  for (int cell = 0; cell < s->cells->count; cell++) {
    put_place(s, cell, out);
    fprintf(out, "%d,%d", s->seeds, successes(s, cell));
    for (int i = 0; i < N_METRICS; i++) {
      double quartiles[3];
      cli_study_quartiles(s, cell, &metrics[i], quartiles);
      for (int q = 0; q < 3; q++) {
        put(out, quartiles[q]);
      }
    }
    fputc('\n', out);
  }
  return CQ_OK;
}

/* runs.csv: a row a run, with the place of its cell. */
cq_status cli_study_write_runs(void *user, FILE *out) {
  const cli_study *const s = user;
  put_keys(s, out);
  fputs("seed,folder,status,exit_code", out);
  for (int i = 0; i < N_METRICS; i++) {
    fprintf(out, ",%s", metrics[i].name);
  }
  fputs(",reason\n", out);
  for (int cell = 0; cell < s->cells->count; cell++) {
    for (int k = 0; k < s->seeds; k++) {
      const cli_batch_run *const run = &s->batch.runs[cli_study_run(s, cell, k)];
      put_place(s, cell, out);
      fprintf(out, "%lld,", run->seed);
      cq_csv_text(out, run->folder);
      fprintf(out, ",%s,%d", run->end.status, run->end.exit_code);
      for (int i = 0; i < N_METRICS; i++) {
        put(out, value_of(s, &metrics[i], cell, k));
      }
      fputc(',', out);
      cq_csv_text(out, run->end.reason);
      fputc('\n', out);
    }
  }
  return CQ_OK;
}

static const char verified[] = " verified";

/* of a metric's column */
static int width_of(const cli_metric *metric) {
  enum { NUMBER = 11 };
  const int name = (int)strlen(metric->name);
  return name > NUMBER ? name : NUMBER;
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
  for (int cell = 0; cell < s->cells->count; cell++) {
    const int label = cli_columns(s->cells->items[cell].label);
    width = label > width ? label : width;
  }
  return width < most ? width : most;
}

/* A row for each cell: medians over its seeds. */
void cli_study_print(FILE *out, const cli_style *style, void *user) {
  const cli_study *const s = user;
  const cli_metric *columns[4] = {&metrics[F], &metrics[EVALUATIONS], &metrics[SECONDS]};
  const bool another =
      s->metric != columns[0] && s->metric != columns[1] && s->metric != columns[2];
  const int n = 3 + another;
  columns[3] = s->metric;
  const int width = settings_width(s, columns, n);
  fprintf(out, "\n%s%s%s: %d seed%s, medians; quartiles are in study.csv\n", style->bold, s->title,
          style->end, s->seeds, cq_plural(s->seeds));
  fprintf(out, "%s%-*s", style->bold, width, "settings");
  for (int i = 0; i < n; i++) {
    fprintf(out, " %*s", width_of(columns[i]), columns[i]->name);
  }
  fprintf(out, "%s%s\n", verified, style->end);
  for (int cell = 0; cell < s->cells->count; cell++) {
    char good[24];
    cli_label_put(out, 0, width, s->cells->items[cell].label);
    for (int i = 0; i < n; i++) {
      double quartiles[3];
      cli_study_quartiles(s, cell, columns[i], quartiles);
      print_number(out, width_of(columns[i]), quartiles[1]);
    }
    snprintf(good, sizeof good, "%d/%d", successes(s, cell), s->seeds);
    fprintf(out, "%*s\n", (int)strlen(verified), good);
  }
}

void cli_study_print_outcome(const cli_study *s, const char *name) {
  int good = 0;
  double f = INFINITY;
  for (int cell = 0; cell < s->cells->count; cell++) {
    good += successes(s, cell);
    for (int k = 0; k < s->seeds; k++) {
      f = fmin(f, value_of(s, &metrics[F], cell, k));
    }
  }
  cli_batch_print_outcome(&s->batch, name, good, "verified", f);
}
